//! What is written, in which order, and what a person sees of it.

use super::*;
use footlight_render::lower::Lower;
use footlight_vocabulary::item::Position;
use serde_json::json;
use unicode_width::UnicodeWidthChar;

#[test]
fn without_a_terminal_there_is_neither_colour_nor_progress() {
    let (ui, out, err) = Ui::scripted(false);
    ui.progress("half");
    ui.print(&ui.styled_out(Emphasis::Red, "a"))
        .expect("prints");
    ui.note(&ui.styled_err(Emphasis::Bold, "b"));
    assert_eq!((out.text(), err.text()), ("a\n".into(), "b\n".into()));
}

#[test]
fn streamed_text_is_ended_before_other_output() {
    let (ui, out, err) = Ui::scripted(true);
    for text in ["Hel", "", "lo"] {
        ui.stream_text(text).expect("prints");
    }
    ui.progress("not now");
    ui.note("b");
    ui.stream_text("over\n").expect("prints");
    ui.print("c").expect("prints");
    assert_eq!(
        (out.text(), err.text()),
        ("Hello\nover\nc\n".into(), "b\n".into())
    );
}

#[test]
fn progress_is_erased_before_other_output() {
    let (ui, _, err) = Ui::scripted(true);
    ui.progress("ha\u{1b}[2Jlf");
    ui.note("b");
    assert_eq!(err.text(), "\r\u{1b}[2Khalf\r\u{1b}[2Kb\n");
}

/// What a person sees on a screen of 20 columns and 8 rows.
fn seen(act: impl FnOnce(&Ui)) -> String {
    let (ui, screen) = Ui::on_screen(|| (20, 8));
    act(&ui);
    let mut parser = screen_of_20_by_8();
    // As a terminal's driver does.
    parser.process(screen.text().replace('\n', "\r\n").as_bytes());
    let rows = parser.screen().rows(0, 20);
    let rows: Vec<String> = rows.map(|row| row.trim_end().to_owned()).collect();
    rows.join("\n").trim_end().to_owned()
}

fn screen_of_20_by_8() -> vt100::Parser {
    let size = |n: u16| std::num::NonZero::new(n).expect("is not 0");
    vt100::Parser::new(size(8), size(20), 0)
}

fn put(ui: &Ui, id: &str, n: u32, text: &str) {
    let position = Position {
        turn: 1,
        step: 1,
        call: 1,
        n,
    };
    let id = id.into();
    let view = View::text(text);
    ui.draw_item(OutStream::Stdout, &ItemKey { id, position }, view)
        .expect("prints");
}

#[test]
fn a_changed_item_is_redrawn_in_place() {
    let screen = seen(|ui| {
        ui.note("above");
        put(ui, "a", 1, "one");
        ui.progress("half");
        put(ui, "b", 2, "two");
        ui.note("below");
        put(ui, "a", 1, "one that is longer than a row");
    });
    assert_eq!(screen, "above\none that is longer\nthan a row\ntwo\nbelow");
}

#[test]
fn an_item_is_drawn_before_the_items_that_follow_it() {
    let screen = seen(|ui| {
        put(ui, "b", 2, "two");
        put(ui, "c", 3, "three");
        put(ui, "a", 0, "zero");
    });
    assert_eq!(screen, "zero\ntwo\nthree");
}

#[test]
fn a_withdrawn_item_is_erased() {
    let screen = seen(|ui| {
        put(ui, "a", 1, "one");
        put(ui, "b", 2, "two");
        let is_gone = ui
            .remove_item(OutStream::Stdout, &"a".into())
            .expect("prints");
        assert!(is_gone);
        assert!(
            !ui.remove_item(OutStream::Stdout, &"x".into())
                .expect("prints")
        );
    });
    assert_eq!(screen, "two");
}

#[test]
fn an_item_that_scrolled_off_is_drawn_again_below() {
    let screen = seen(|ui| {
        put(ui, "a", 1, "one");
        for n in 0..7 {
            ui.note(&format!("line {n}"));
        }
        put(ui, "a", 1, "two");
        put(ui, "a", 1, "three");
    });
    assert!(screen.ends_with("line 5\nline 6\nthree"), "{screen}");
    assert!(!screen.contains("two"), "{screen}");
}

#[test]
fn output_of_other_programs_is_not_overwritten() {
    let screen = seen(|ui| {
        put(ui, "a", 1, "one");
        ui.note_external_output(Some("asked\n".to_owned()));
        // It is on the screen already; only what comes after it is known.
        ui.raw(OutStream::Stderr, "asked\n").expect("prints");
        put(ui, "a", 1, "1");
        ui.note_external_output(None);
        put(ui, "a", 1, "uno");
    });
    assert_eq!(screen, "1\nasked\nuno");
}

#[test]
fn streamed_text_is_drawn_once_it_is_complete() {
    let markdown = |text: &str| View::column(Lower::default().markdown(text));
    let text = "It is **not** going to rain\n\n- today";
    let screen = seen(|ui| {
        ui.note("above");
        for words in text.split_inclusive(' ') {
            ui.stream_text(words).expect("prints");
        }
        ui.finish_stream(&markdown(text)).expect("prints");
        ui.note("below");
    });
    assert_eq!(screen, "above\nIt is not going to\nrain\n\n• today\nbelow");
    // What has left the screen stays as it is, and so does what is of unknown width.
    for text in ["a\n".repeat(9), "**e\u{301}**".to_owned()] {
        let screen = seen(|ui| {
            ui.stream_text(&text).expect("prints");
            ui.finish_stream(&View::text("drawn")).expect("prints");
        });
        assert!(!screen.contains("drawn"), "{screen}");
    }
}

#[test]
fn progress_that_wrapped_to_two_rows_is_erased_completely() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static WIDTH: AtomicUsize = AtomicUsize::new(40);
    let (ui, screen) = Ui::on_screen(|| (WIDTH.load(Ordering::Relaxed), 8));
    ui.progress("0123456789012345678901234");
    WIDTH.store(20, Ordering::Relaxed);
    ui.note("over");
    let mut parser = screen_of_20_by_8();
    parser.process(screen.text().replace('\n', "\r\n").as_bytes());
    assert_eq!(parser.screen().contents(), "over");
}

#[test]
fn progress_is_one_row_and_erases_nothing_above_it() {
    let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466}";
    let dark = "\u{1f44d}\u{1f3ff}";
    for text in [
        family,
        dark,
        "雨",
        "e\u{301}",
        "longer than a row of this screen",
    ] {
        let text = text.repeat(12);
        let (ui, screen) = Ui::on_screen(|| (20, 8));
        ui.note("above");
        for _ in 0..5 {
            ui.progress(&text);
            let place = ui.progress.borrow().chars().filter_map(char::width).sum();
            assert!((1..20_usize).contains(&place), "{text}: {place}");
        }
        let mut parser = screen_of_20_by_8();
        parser.process(screen.text().replace('\n', "\r\n").as_bytes());
        let rows: Vec<String> = parser.screen().rows(0, 20).collect();
        assert!(rows[0] == "above" && !rows[1].is_empty(), "{rows:?}");
        assert!(rows[2..].iter().all(String::is_empty), "{rows:?}");
        ui.note("below");
        assert!(!screen.text().contains("\u{1b}[1A"), "{:?}", screen.text());
    }
}

#[test]
fn progress_of_unknown_height_erases_no_rows_above_it() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static WIDTH: AtomicUsize = AtomicUsize::new(40);
    let (ui, screen) = Ui::on_screen(|| (WIDTH.load(Ordering::Relaxed), 8));
    ui.progress(&"\u{1f44d}\u{1f3ff}".repeat(8));
    WIDTH.store(20, Ordering::Relaxed);
    ui.note("over");
    assert!(screen.text().ends_with("\r\u{1b}[2Kover\n"));
}

#[test]
fn nothing_is_erased_after_the_width_changed() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static WIDTH: AtomicUsize = AtomicUsize::new(40);
    let (ui, screen) = Ui::on_screen(|| (WIDTH.load(Ordering::Relaxed), 8));
    put(&ui, "a", 1, "first");
    put(&ui, "b", 2, "second");
    WIDTH.store(20, Ordering::Relaxed);
    put(&ui, "a", 1, "drawn for a screen as narrow");
    assert!(
        !ui.remove_item(OutStream::Stdout, &"b".into())
            .expect("prints")
    );
    ui.stream_text("words").expect("prints");
    WIDTH.store(30, Ordering::Relaxed);
    ui.stream_text(" that flow").expect("prints");
    ui.finish_stream(&View::text("drawn")).expect("prints");
    put(&ui, "a", 1, "once more");
    assert!(!screen.text().contains('\u{1b}'), "{:?}", screen.text());
    let mut parser = screen_of_20_by_8();
    parser.process(screen.text().replace('\n', "\r\n").as_bytes());
    assert_eq!(
        parser.screen().contents(),
        "first\nsecond\ndrawn for a screen\nas narrow\nwords that flow\nonce more"
    );
    // From here on it is known again.
    put(&ui, "a", 1, "in its place");
    assert!(screen.text().ends_with("\u{1b}[1A\r\u{1b}[Jin its place\n"));
}

#[test]
fn output_from_before_a_suspend_is_left_alone() {
    use std::sync::atomic::{AtomicBool, Ordering};
    static STOPPED: AtomicBool = AtomicBool::new(false);
    let (mut ui, screen) = Ui::on_screen(|| (20, 8));
    ui.was_suspended = || STOPPED.swap(false, Ordering::Relaxed);
    let shell = |ui: &Ui, line: &str| {
        ui.raw(OutStream::Stderr, &format!("\n{line}\n"))
            .expect("prints");
        STOPPED.store(true, Ordering::Relaxed);
    };
    put(&ui, "a", 1, "one");
    ui.progress("half");
    shell(&ui, "$ fg 1");
    put(&ui, "a", 1, "uno");
    ui.stream_text("It is ").expect("prints");
    shell(&ui, "$ fg 2");
    ui.stream_text("not").expect("prints");
    ui.finish_stream(&View::text("It is not")).expect("prints");
    let mut parser = screen_of_20_by_8();
    parser.process(screen.text().replace('\n', "\r\n").as_bytes());
    let rows: Vec<String> = parser.screen().rows(0, 20).collect();
    let rows: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
    let expected = [
        "one",
        "half",
        "$ fg 1",
        "uno",
        "It is",
        "$ fg 2",
        "It is not",
        "",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn controls_have_a_number_and_a_widget() {
    let (ui, _, _) = Ui::scripted(true);
    let tree = json!({ "type": "Card", "children": [
        { "type": "Button", "label": "Go", "onClickAction": { "type": "go" } }] });
    let position = Position::default();
    let key = ItemKey {
        id: "a".into(),
        position,
    };
    let view = Lower::default().component(&tree);
    ui.draw_item(OutStream::Stdout, &key, view).expect("prints");
    let NumberedAction::Shown(found) = ui.numbered_action(1) else {
        panic!("the control is shown");
    };
    assert_eq!(found.0.label, "Go");
    assert_eq!(ui.numbered_actions().len(), 1);
    assert_eq!(ui.numbered_action(2), NumberedAction::Unknown);
}

//! What is shown of a call and of a turn, by the streams it goes to.

use super::*;
use crate::exit::Exit;
use serde_json::json;

fn event(what: Value) -> Event {
    let mut event = json!({ "session": "s", "turn": "t", "at": "2026-11-16T01:52:35.123Z" });
    for (key, value) in what.as_object().expect("an object") {
        event[key] = value.clone();
    }
    serde_json::from_value(event).expect("an event")
}

fn put(n: u32, rev: u64, content: Value) -> Event {
    let mut item = json!({ "id": format!("i{n}"), "rev": rev, "start": "2026-11-16T01:52:35.000Z",
        "position": { "turn": 1, "step": 1, "call": 1, "n": n } });
    for (key, value) in content.as_object().expect("an object") {
        item[key] = value.clone();
    }
    event(json!({ "type": "put", "item": item, "rev": rev }))
}

fn tool(rev: u64, result: Value) -> Event {
    put(
        0,
        rev,
        json!({ "type": "tool", "function": "demo.greet", "input": {}, "result": result }),
    )
}

fn finished(status: &str) -> Event {
    event(json!({ "type": "turn_finished", "status": status }))
}

#[test]
fn end_of_a_call_is_its_exit() {
    for (result, status, nobody, expected) in [
        (
            json!({ "type": "success", "output": { "kind": "text", "data": { "content": "" } } }),
            "done",
            false,
            Exit::Done,
        ),
        (
            json!({ "type": "error", "error": "no", "code": "denied" }),
            "error",
            false,
            Exit::Denied,
        ),
        (
            json!({ "type": "error", "error": "no", "code": "unavailable" }),
            "error",
            true,
            Exit::NeedsPerson,
        ),
        (
            json!({ "type": "error", "error": "long", "code": "other" }),
            "limit",
            false,
            Exit::Limit,
        ),
    ] {
        let ui = Ui::silent();
        let mut show = Display::new(&ui, AnswerSource::Call, ViewBuilder::default());
        show.event(&tool(0, json!({ "type": "pending", "reason": "running" })))
            .expect("shows");
        show.event(&tool(1, result)).expect("shows");
        show.event(&finished(status)).expect("shows");
        assert_eq!(show.finish(nobody).expect("shows"), expected);
    }
}

#[test]
fn stream_that_breaks_off_is_an_error() {
    let ui = Ui::silent();
    assert_eq!(
        Display::new(&ui, AnswerSource::Call, ViewBuilder::default())
            .finish(false)
            .expect("shows"),
        Exit::Error
    );
}

fn greeting() -> Value {
    json!({ "type": "success", "output": { "kind": "text", "data": { "content": "Hello\u{1b}[2J, Ada!" } } })
}

fn widget(rev: u64, fallback: &str) -> Event {
    put(
        1,
        rev,
        json!({ "type": "widget", "call": "c", "widget": "w", "data": 1, "fallback": fallback }),
    )
}

#[test]
fn piped_stdout_carries_only_the_result() {
    let (ui, out, err) = Ui::scripted(false);
    let mut show = Display::new(&ui, AnswerSource::Call, ViewBuilder::default());
    let notice = json!({ "type": "notice", "level": "warning", "text": "large" });
    for event in [
        tool(0, json!({ "type": "pending", "reason": "running" })),
        widget(0, "a card"),
        put(2, 0, notice),
        tool(1, greeting()),
        finished("done"),
    ] {
        show.event(&event).expect("shows");
    }
    assert_eq!(show.finish(false).expect("shows"), Exit::Done);
    assert_eq!(out.text(), "Hello, Ada!\n");
    assert_eq!(err.text(), "w\n  a card\n! large\n");
}

#[test]
fn a_failure_and_withdrawn_items_are_reported_on_stderr() {
    let (ui, out, err) = Ui::scripted(false);
    let mut show = Display::new(&ui, AnswerSource::Call, ViewBuilder::default());
    show.event(&widget(0, "a card")).expect("shows");
    show.before_prompt().expect("shows");
    show.event(&event(json!({ "type": "remove", "id": "i1" })))
        .expect("shows");
    show.event(&tool(
        1,
        json!({ "type": "error", "error": "too\u{7} late", "code": "other" }),
    ))
    .expect("shows");
    show.event(&finished("error")).expect("shows");
    assert_eq!(show.finish(false).expect("shows"), Exit::Plugin);
    assert_eq!(out.text(), "");
    assert_eq!(
        err.text(),
        "w\n  a card\n(the output of the call above is withdrawn)\n✗ demo.greet · failed\n  ✗ too late\n"
    );
}

#[test]
fn json_is_a_line_for_each_event_and_the_last_carries_the_items() {
    let (mut ui, out, err) = Ui::scripted(false);
    ui.json = true;
    let mut show = Display::new(&ui, AnswerSource::Call, ViewBuilder::default());
    for event in [
        widget(0, "a\u{9b}card\u{202e}"),
        tool(1, greeting()),
        finished("done"),
    ] {
        show.event(&event).expect("shows");
    }
    show.before_prompt().expect("shows");
    assert_eq!(show.finish(false).expect("shows"), Exit::Done);
    let text = out.text();
    assert!(!text.contains(['\u{9b}', '\u{202e}']), "{text}");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("is JSON"))
        .collect();
    assert_eq!(lines.len(), 3);
    let last = &lines[2];
    assert_eq!(
        (&last["type"], &last["session"], &last["status"]),
        (&json!("turn_finished"), &json!("s"), &json!("done"))
    );
    assert_eq!(last["output"][1]["fallback"], "a\u{9b}card\u{202e}");
    assert_eq!(err.text(), "");
}

#[test]
fn widget_is_shown_once_for_each_revision() {
    let (ui, _, err) = Ui::scripted(false);
    let mut show = Display::new(&ui, AnswerSource::Call, ViewBuilder::default());
    show.event(&widget(0, "one")).expect("shows");
    show.before_prompt().expect("shows");
    show.before_prompt().expect("shows");
    show.event(&widget(3, "two")).expect("shows");
    show.event(&finished("done")).expect("shows");
    show.finish(false).expect("shows");
    assert_eq!(err.text(), "w\n  one\nw\n  two\n");
}

fn text(step: u32, words: &str) -> Event {
    let position = json!({ "turn": 1, "step": step, "call": 0, "n": 0 });
    event(json!({ "type": "put", "rev": 1, "item": {
        "type": "text", "text": words, "id": format!("t{step}"), "rev": 1, "position": position,
        "start": "2026-11-16T01:52:35.000Z" } }))
}

fn delta(words: &str) -> Event {
    event(json!({ "type": "text_delta", "item": "t2", "rev": 0, "delta": words }))
}

/// A model says something, calls a tool that shows a widget, and says something more.
fn turn() -> Vec<Event> {
    let own =
        json!({ "type": "widget", "call": "i0", "widget": "w", "data": 1, "fallback": "a card" });
    vec![
        text(1, "Let me see."),
        tool(0, json!({ "type": "pending", "reason": "queued" })),
        put(1, 0, own),
        tool(1, greeting()),
        delta("It is\u{1b}[2J"),
        delta(" fine."),
        text(2, "It is fine."),
        finished("done"),
    ]
}

fn shown(source: AnswerSource, terminal: bool, events: &[Event]) -> (String, String) {
    let (ui, out, err) = Ui::scripted(terminal);
    let mut show = Display::new(&ui, source, ViewBuilder::default());
    for event in events {
        show.event(event).expect("shows");
    }
    assert_eq!(show.finish(false).expect("shows"), Exit::Done);
    (out.text(), err.text())
}

/// What a person sees of it at a terminal.
fn seen(source: AnswerSource, events: &[Event]) -> String {
    let (ui, screen) = Ui::on_screen(|| (40, 24));
    let mut show = Display::new(&ui, source, ViewBuilder::default());
    for event in events {
        show.event(event).expect("shows");
    }
    show.finish(false).expect("shows");
    let size = |n: u16| std::num::NonZero::new(n).expect("is not 0");
    let mut parser = vt100::Parser::new(size(24), size(40), 0);
    parser.process(screen.text().replace('\n', "\r\n").as_bytes());
    let rows = parser.screen().rows(0, 40);
    let rows: Vec<String> = rows.map(|row| row.trim_end().to_owned()).collect();
    rows.join("\n").trim_end().to_owned()
}

#[test]
fn piped_stdout_carries_only_the_last_text_of_a_model() {
    let (out, err) = shown(AnswerSource::Model, false, &turn());
    assert_eq!(out, "It is fine.\n");
    assert_eq!(err, "✓ demo.greet\ndemo · w\n  a card\n");
}

#[test]
fn at_a_terminal_text_is_streamed_and_results_appear_in_order() {
    let screen = seen(AnswerSource::Model, &turn());
    assert_eq!(
        screen,
        "Let me see.\n✓ demo.greet\n  Hello, Ada!\n╭─ demo · w ─\n│ a card\n╰─\nIt is fine."
    );
}

#[test]
fn streamed_text_names_outputs_by_their_titles() {
    const ID: &str = "out_1763257955123_a1b2c3";
    let output = json!({ "type": "output", "id": ID, "call": "i0", "title": "CSV report", "kind": "file",
        "mimeType": "text/csv", "size": 3, "expires": "2026-11-17T00:00:00.000Z" });
    let (start, end) = ID.split_at(9);
    let events = |last: Event| {
        let mut events = vec![put(1, 0, output.clone())];
        let (start, end) = (format!("put:{start}"), format!("{end}] and [1]. [output:o"));
        events.extend(["See [out", &start, &end].map(delta));
        events.extend([last, finished("done")]);
        events
    };
    let whole = text(2, &format!("See [output:{ID}] and [1]. [output:{ID}]"));
    let (out, _) = shown(AnswerSource::Model, true, &events(whole.clone()));
    assert!(!out.contains("output:"), "{out:?}");
    assert!(out.contains("See “CSV report” and [1]. "), "{out:?}");
    let screen = seen(AnswerSource::Model, &events(whole.clone()));
    assert!(
        screen.ends_with("See “CSV report” and [1]. “CSV report”"),
        "{screen}"
    );
    let (piped, _) = shown(AnswerSource::Model, false, &events(whole));
    assert_eq!(piped, "See “CSV report” and [1]. “CSV report”\n");
    // A text that ends within a reference is shown as it is.
    let broken = text(2, &format!("See [output:{ID}] and [1]. [output:o"));
    let (out, _) = shown(AnswerSource::Model, true, &events(broken));
    assert!(out.contains("[1]. [output:o"), "{out:?}");
}

#[test]
fn text_of_offline_is_the_answer_only_if_it_calls_nothing() {
    let (out, err) = shown(AnswerSource::Offline, false, &turn());
    assert_eq!(out, "Hello, Ada!\n");
    assert_eq!(err, "Let me see.\ndemo · w\n  a card\nIt is fine.\n");
    let (out, err) = shown(
        AnswerSource::Offline,
        false,
        &[text(1, "no tool fits"), finished("done")],
    );
    assert_eq!((out.as_str(), err.as_str()), ("no tool fits\n", ""));
}

#[test]
fn at_a_terminal_a_widget_is_redrawn_and_a_failed_call_erases_it() {
    let running = || tool(0, json!({ "type": "pending", "reason": "running" }));
    let mut events = vec![running(), widget(0, "one"), widget(1, "two")];
    let screen = seen(AnswerSource::Call, &events);
    assert!(screen.starts_with("╭─ w ─\n│ two\n╰─"), "{screen}");
    events.push(event(json!({ "type": "remove", "id": "i1" })));
    events.push(tool(
        1,
        json!({ "type": "error", "error": "no", "code": "other" }),
    ));
    assert_eq!(
        seen(AnswerSource::Call, &events),
        "✗ demo.greet · failed\n  ✗ no"
    );
}

#[test]
fn at_a_terminal_the_result_of_offline_follows_the_items_of_the_call() {
    let result = greeting();
    let events = [
        text(1, "-> demo.greet"),
        tool(0, json!({ "type": "pending", "reason": "running" })),
        widget(0, "a card"),
        tool(1, result),
        widget(1, "another card"),
        finished("done"),
    ];
    assert_eq!(
        seen(AnswerSource::Offline, &events),
        "-> demo.greet\n╭─ w ─\n│ another card\n╰─\nHello, Ada!"
    );
}

#[test]
fn a_long_result_is_shortened_with_a_hint_how_to_see_all() {
    let lines: String = (0..100).map(|n| format!("line {n}\n")).collect();
    let result =
        json!({ "type": "success", "output": { "kind": "text", "data": { "content": lines } } });
    let screen = seen(
        AnswerSource::Offline,
        &[tool(0, result.clone()), finished("done")],
    );
    let said = "… 84 more lines\nshow all: --output markdown";
    assert!(screen.starts_with("line 0\n"), "{screen}");
    assert!(screen.ends_with(said), "{screen}");
    let (out, _) = shown(
        AnswerSource::Offline,
        false,
        &[tool(0, result), finished("done")],
    );
    assert_eq!(out.lines().count(), 100);
}

#[test]
fn everything_can_be_written_as_a_document_instead_of_the_answer() {
    for (format, expected) in [
        (Format::Markdown, "Hello, Ada\\!"),
        (Format::Html, "<!doctype html>"),
        (Format::Json, r#""type":"turn_finished""#),
    ] {
        for terminal in [false, true] {
            let (ui, out, _) = Ui::scripted(terminal);
            let show = Display::new(&ui, AnswerSource::Model, ViewBuilder::default());
            let mut show = show.with_format(Some(format));
            for event in turn() {
                show.event(&event).expect("shows");
            }
            show.finish(false).expect("shows");
            let out = out.text();
            assert!(out.contains(expected), "{out}");
            assert!(out.contains("a card") && !out.contains('\u{1b}'), "{out}");
        }
    }
}

//! The host's own questions: whatever a stranger writes, the question is on the last screen with what
//! it is about, and nothing in it looks like an approval.

use super::forgery::{FRAME, hostile, rows};
use super::*;
use crate::terminal::ui::Size;
use footlight_render::terminal::{ConsentCard, ConsentGroup};

const NATIVE: &str = "build crates, which runs their native code without a sandbox";

fn group(title: &str, items: Vec<String>) -> ConsentGroup {
    ConsentGroup {
        title: title.to_owned(),
        items,
        is_whole: false,
    }
}

fn card(head: &str, groups: Vec<ConsentGroup>) -> ConsentCard {
    ConsentCard {
        head: format!("The project's `{head}` would"),
        groups,
        question: "Accept this?".to_owned(),
    }
}

#[test]
fn only_a_yes_to_the_question_agrees() {
    let card = card("x", vec![group(NATIVE, vec!["/x".to_owned()])]);
    for (typed, expected) in [
        ("y\n", true),
        ("YES\n", true),
        ("v\ny\n", true),
        ("\n", false),
        ("", false),
        ("v\n", false),
        ("yup\n", false),
        ("n\ny\n", false),
    ] {
        let (mut person, screen) = person(PreparedReplies::default(), typed);
        assert_eq!(person.agrees(&card).expect("asks"), expected, "{typed:?}");
        let text = screen.text();
        assert!(
            text.ends_with("Accept this? [y/N] (v shows all) "),
            "{text}"
        );
    }
    let mut nobody = Person::new(PreparedReplies::default(), None);
    assert!(!nobody.agrees(&card).expect("asks"));
}

#[test]
fn v_shows_everything_that_had_no_room() {
    let items: Vec<String> = (0..64)
        .map(|n| format!("/crate{n}/{}", "x".repeat(200)))
        .collect();
    let card = card("x", vec![group(NATIVE, items)]);
    let (mut person, screen) = person(PreparedReplies::default(), "v\n");
    assert!(!person.agrees(&card).expect("asks"));
    let text = screen.text().replace("\n  ⋮ ", " ");
    let (before, after) = text.split_once("(64):").expect("everything");
    let (after, _) = after
        .split_once("The project's")
        .expect("the question again");
    assert!(before.contains("of 64 shown, v shows all"), "{before}");
    for n in 0..64 {
        assert!(after.contains(&format!("- /crate{n}/")), "{n}: {after}");
    }
    assert_eq!(after.matches('x').count(), 64 * 200, "{after}");
}

proptest! {
    #[test]
    fn the_whole_question_is_on_the_last_screen_and_native_code_stands_beside_the_prompt(
        path in hostile(),
        settings in prop::collection::vec(hostile(), 0..64),
        model in hostile(),
        crates in prop::collection::vec(hostile(), 1..64),
    ) {
        let card = card(&path, vec![
            group("set the settings of plugins", settings),
            group("use a model, which reads what you type and what plugins return", vec![model]),
            group(NATIVE, crates),
        ]);
        for size in [(|| (80, 24)) as fn() -> Size, || (40, 24)] {
            let screen = TestScreen::default();
            let (mut person, _) = person(PreparedReplies::default(), "");
            let terminal = person.terminal.as_mut().expect("a terminal");
            terminal.output = FoldingWriter::sized(Box::new(screen.clone()), Some(size));
            terminal.size = size;
            prop_assert!(!person.agrees(&card).expect("asks"));
            let written = screen.text();
            prop_assert!(!written.contains(FRAME), "{}", written);
            let rows = rows(&written, size());
            let text = rows.join("\n");
            prop_assert!(rows[0].starts_with("The project's"), "scrolled off:\n{}", text);
            let last = rows.last().map(String::as_str);
            prop_assert_eq!(last, Some("Accept this? [y/N] (v shows all)"));
            // Only the host begins a row.
            for row in &rows[1..rows.len() - 1] {
                prop_assert!(row.is_empty() || row.starts_with("  "), "{}\n{}", row, text);
            }
            let at = rows.iter().rposition(|row| row.starts_with("  build crates, which runs"));
            let Some(at) = at else { panic!("native code is not on the screen:\n{text}") };
            let mut behind = rows[at + 1..rows.len() - 1].iter();
            let own = ["  ⋮ ", "    - ", "    ⋮ "];
            let is_own = |row: &String| own.iter().any(|begin| format!("{row} ").starts_with(begin));
            prop_assert!(behind.all(is_own), "{}", text);
        }
    }

    #[test]
    fn the_methods_of_a_power_are_never_cut(
        hosts in prop::collection::vec("[a-z.]{1,240}", 1..40),
        words in prop::collection::vec("\\PC{0,200}", 0..3),
    ) {
        let power = |host: &String| format!("reach {host} (GET, POST, DELETE)");
        let quoted = |word: &String| {
            format!("ask for your approval of `a.b`: \"{}\" (critical)", word.replace('"', "'"))
        };
        let powers = hosts.iter().map(power).chain(words.iter().map(quoted)).collect::<Vec<_>>();
        let card = card("x", vec![
            group("known", vec!["sha256:1".to_owned()]),
            ConsentGroup { is_whole: true, ..group("new powers", powers) },
        ]);
        for columns in [40, 80] {
            let drawn = footlight_render::terminal::Terminal::new(columns).draw_consent(&card, 24);
            prop_assert!(drawn.lines().count() < 24, "{}", drawn);
            let joined = drawn.replace("\n    ⋮ ", " ");
            let items: Vec<&str> = joined.lines().filter(|row| row.starts_with("    - ")).collect();
            prop_assert!(!items.is_empty() || joined.contains("new powers: reach"), "{}", drawn);
            for item in items {
                let end = if item.contains("- reach ") { "(GET, POST, DELETE)" } else { "(critical)" };
                prop_assert!(item.ends_with(end), "{}", drawn);
            }
        }
    }
}

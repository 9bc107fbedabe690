//! Output formats: terminal, Markdown, HTML and JSON.

use crate::machine::{Machine, json_of, plugin};
use crate::run::RAIN;
use serde_json::json;

#[test]
fn a_run_can_be_written_as_markdown_a_page_or_json() {
    let machine = Machine::new();
    let weather = plugin("weather");
    let run = |format: &str| machine.run(&["run", &weather, RAIN, "--output", format]);
    let markdown = run("markdown");
    assert_eq!(markdown.code, Some(0), "{}", markdown.stderr);
    assert!(
        markdown.stdout.contains("| date | weekday |"),
        "{}",
        markdown.stdout
    );
    assert!(
        markdown.stdout.contains("Oslo, Norway"),
        "{}",
        markdown.stdout
    );
    let html = run("html").stdout;
    assert!(
        html.starts_with("<!doctype html>") && !html.contains("<script"),
        "{html}"
    );
    assert!(html.contains("Oslo, Norway"), "{html}");
    let json = json_of(&run("json").stdout);
    assert_eq!(
        (&json["type"], &json["status"]),
        (&json!("turn_finished"), &json!("done"))
    );
    assert_eq!(json["output"][1]["type"], "tool");

    let called = [
        "call",
        &weather,
        "forecast",
        "city=Oslo",
        "--output",
        "markdown",
    ];
    let called = machine.run(&called);
    assert!(
        called.stdout.contains("| date | weekday |"),
        "{}",
        called.stdout
    );
    let shown = machine.run(&["sessions", "show", "last", "--output", "markdown"]);
    assert!(
        shown.stdout.contains(&format!("> {RAIN}")),
        "{}",
        shown.stdout
    );
    assert!(
        shown.stdout.contains("| date | weekday |"),
        "{}",
        shown.stdout
    );
}

#[test]
fn colours_in_a_pipe_can_be_forced() {
    let machine = Machine::new();
    let file = machine.file(
        "t.json",
        &json!({ "kind": "text", "data": { "content": "x" } }).to_string(),
    );
    let card = json!({ "type": "Card", "children": [{ "type": "Title", "value": "Hi" }] });
    let card = machine.file("c.json", &card.to_string());
    let plain = machine.run(&["render", &card]);
    assert_eq!(plain.stdout, "Hi\n", "{}", plain.stderr);
    assert_eq!(plain.stderr, "drawing a component tree\n");
    let coloured = machine.run(&["render", &card, "--colour"]);
    assert!(coloured.stdout.contains("\u{1b}[1m"), "{}", coloured.stdout);
    let mut forced = machine.command(&["render", &card]);
    forced.env("CLICOLOR_FORCE", "1");
    let forced = crate::machine::ended(forced.output().expect("the binary is built"));
    assert!(forced.stdout.contains("\u{1b}[1m"), "{}", forced.stdout);
    let page = machine.run(&["render", &file, "--html"]);
    assert!(
        page.stdout.starts_with("<!doctype html>"),
        "{}",
        page.stdout
    );
}

#[test]
fn invalid_input_is_an_error_with_its_position() {
    let machine = Machine::new();
    for (text, expected) in [
        ("{\n \"a\": }", "line 2, column 7: expected value"),
        (
            r#"{"type":"Card","children":[{"type":"Text"}]}"#,
            "`children[0]",
        ),
        (
            r#"[{"type":"text","text":"a"},{"type":"text"}]"#,
            "`[1]`: missing field `text`",
        ),
    ] {
        let ran = machine.fed(&["render", "-"], text);
        assert_eq!(ran.code, Some(1), "{text}");
        assert!(ran.stderr.contains(expected), "{text}: {}", ran.stderr);
        assert_eq!(ran.stdout, "");
    }
    assert_eq!(machine.run(&["render", "no.json"]).code, Some(1));
    assert_eq!(machine.run(&["render", "x", "--width", "3"]).code, Some(2));
}

#[test]
fn json_of_a_call_can_be_rendered() {
    let machine = Machine::new();
    let called = machine.run(&[
        "call",
        &plugin("weather"),
        "forecast",
        "city=Oslo",
        "--json",
    ]);
    let last = called.stdout.lines().last().expect("there are lines");
    let drawn = machine.fed(&["render", "-", "--width", "60"], last);
    assert_eq!(drawn.code, Some(0), "{}", drawn.stderr);
    assert_eq!(drawn.stderr, "drawing a turn with 2 items\n");
    assert!(
        drawn.stdout.starts_with("✓ weather.forecast city=\"Oslo\""),
        "{}",
        drawn.stdout
    );
    assert!(
        drawn.stdout.contains("weather · weather-forecast"),
        "{}",
        drawn.stdout
    );
}

#[test]
fn hostile_text_never_reaches_the_terminal() {
    let machine = Machine::new();
    let evil = "a\u{1b}[2J\u{9b}31m\u{202e}<script>\u{1b}]0;t\u{7}b";
    let tree = json!({ "type": "Card", "children": [{ "type": "Title", "value": evil }] });
    for value in [
        json!({ "kind": "text", "data": { "content": evil } }),
        json!({ "widget": evil, "data": evil, "fallback": evil }),
        json!({ "widget": "w", "data": 1, "fallback": "x", "view": tree }),
        json!({ "prompt": evil, "fields": [{ "type": "select", "name": "f", "label": evil, "options": [evil] }] }),
        json!({ "type": "tool", "function": evil, "input": { "a": evil },
                "result": { "type": "error", "error": evil } }),
        json!({ "turns": [{ "prompt": evil, "output": [{ "type": "notice", "level": "info", "text": evil }] }] }),
    ] {
        for how in [
            &["render", "-"][..],
            &["render", "-", "--markdown"],
            &["render", "-", "--html"],
        ] {
            let ran = machine.fed(how, &value.to_string());
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let said = format!("{}{}", ran.stdout, ran.stderr);
            let is_odd = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(!said.contains(is_odd), "{how:?} {value}: {said:?}");
            let is_page = how.contains(&"--html");
            assert!(!(is_page && ran.stdout.contains("<script>")), "{said}");
        }
    }
}

#[cfg(all(unix, feature = "images"))]
#[test]
fn a_picture_is_drawn_on_a_colour_terminal_and_described_elsewhere() {
    use crate::terminal::Terminal;
    // Sixteen pixels each way make two columns and one row, all of it red.
    let red = "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mP4z8BAEmIY1TCqYfhqAACQ+f8B8u7oVwAAAABJRU5ErkJggg==";
    let result = json!({ "kind": "image", "mimeType": "image/png",
                         "data": { "base64": red, "alt": "a red square" } });
    let machine = Machine::new();
    let file = machine.file("red.json", &result.to_string());
    let shown = |colour: Option<&str>, more: &[&str]| {
        let words: Vec<&str> = ["render", &file].iter().chain(more).copied().collect();
        let mut command = machine.command(&words);
        command.envs(colour.map(|colour| ("COLORTERM", colour)));
        let mut terminal = Terminal::run(command, 70, 20);
        assert!(terminal.end().success());
        assert!(terminal.screen().contains("a red square"));
        terminal
    };
    let seen = shown(Some("truecolor"), &[]);
    let blocks = "\u{1b}[0;38;2;255;0;0;48;2;255;0;0m▀▀\u{1b}[0m";
    assert!(seen.written.contains(blocks), "{:?}", seen.written);
    for told in [shown(None, &[]), shown(Some("truecolor"), &["--plain"])] {
        assert!(!told.written.contains('▀'), "{:?}", told.written);
    }
    assert!(
        !machine
            .run(&["render", &file, "--colour"])
            .stdout
            .contains('▀')
    );
}

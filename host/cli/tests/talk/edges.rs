//! Small things that a newcomer meets: answers that are not quite right, numbers that have moved, output
//! that is read again.

use crate::machine::{Machine, json_of, plugin};
use crate::terminal::Terminal;
use std::fs;

const DOWN: &str = "\u{1b}[B";
const UP: &str = "\u{1b}[A";

/// Answers the question of a tool by these keys, and returns what came of it.
fn answered(tool: &str, keys: &[&str], columns: u16, flags: &[&str]) -> String {
    let machine = Machine::new();
    let gallery = plugin("gallery");
    let words = [&["call", &gallery, tool][..], flags].concat();
    let mut terminal = Terminal::run(machine.command(&words), columns, 24);
    terminal.expect("choose");
    keys.iter().for_each(|keys| terminal.keys(keys));
    assert!(terminal.end().success(), "{}", terminal.screen());
    assert!(terminal.echoes(), "the terminal is as it was");
    terminal.screen()
}

#[test]
fn options_are_chosen_with_arrow_keys_numbers_and_beginnings_of_names() {
    for columns in [80, 40] {
        for (tool, keys, told) in [
            ("ask_buttons", &[DOWN, "\r"][..], "Told: \"play0\""),
            ("ask_buttons", &[DOWN, DOWN, "\r"], "Told: \"play1\""),
            ("ask_buttons", &[UP, DOWN, "\r"], "Told: \"play0\""),
            ("ask_buttons", &["2\r"], "Told: \"play1\""),
            ("ask_select", &["\r"], "Told: \"play0\""),
            ("ask_checkbox", &[DOWN, ",", UP, "\r"], "\"play0\","),
            ("ask_radio", &["My own\r"], "Told: \"My own\""),
        ] {
            let screen = answered(tool, keys, columns, &[]);
            assert!(screen.contains(told), "{tool} {keys:?}: {screen}");
        }
    }
    // Without a line that can be redrawn, it is typed.
    for typed in ["1\r", "play1\r"] {
        let screen = answered("ask_buttons", &[typed], 80, &["--plain"]);
        assert!(screen.contains("Told: \"play"), "{screen}");
    }
}

#[test]
fn a_wrong_answer_is_explained_in_labels_and_asked_for_again() {
    let machine = Machine::new();
    let question = machine.command(&["call", &plugin("weather"), "forecast", "city=Springfield"]);
    let mut terminal = Terminal::run(question, 100, 30);
    terminal.expect("choose one");
    terminal.keys("Rome\r");
    let screen = terminal.expect("is none of the options");
    assert!(screen.contains("\"Springfield, MA\""), "{screen}");
    terminal.keys("spring\r");
    terminal.expect("begins the names of several options");
    terminal.keys("springfield, ma");
    terminal.keys("\t\r");
    let screen = terminal.expect("verdict [deny]:");
    assert!(screen.contains("-> Springfield, M"), "{screen}");
    terminal.keys("d\r");
    assert!(terminal.end().success(), "{}", terminal.screen());

    // The same without a terminal.
    let gallery = plugin("gallery");
    let ran = machine.run(&["call", &gallery, "ask_number", "--answer", "seats=many"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("the answer to \"Seats\" is \"many\""),
        "{}",
        ran.stderr
    );
}

#[test]
fn render_takes_what_call_and_run_write_with_json() {
    let machine = Machine::new();
    let hello = plugin("hello");
    let called = machine.run(&["call", &hello, "name=Ada", "--json"]);
    let ran = machine.run(&["run", &hello, "/greet name=Ada", "--json"]);
    for (name, lines) in [("call", &called.stdout), ("run", &ran.stdout)] {
        assert!(lines.lines().count() > 1, "{name}: {lines}");
        let drawn = machine.fed(&["render", "-"], lines);
        assert_eq!(drawn.code, Some(0), "{name}: {}", drawn.stderr);
        assert!(drawn.stdout.contains("Hello, Ada!"), "{}", drawn.stdout);
        assert!(
            drawn.stderr.contains("events of 1 turn"),
            "{}",
            drawn.stderr
        );
        // One that was interrupted has no last event.
        let (begun, _) = lines.trim_end().rsplit_once('\n').expect("lines");
        let drawn = machine.fed(&["render", "-"], begun);
        assert_eq!(drawn.code, Some(0), "{name}: {}", drawn.stderr);
        assert!(drawn.stdout.contains("unfinished"), "{}", drawn.stdout);
    }
    for (text, said) in [
        ("", "the file is empty"),
        ("{\"a\":1}\n{\"a\":2}\n", "value 1 of several is no event"),
        ("{\"a\":", "line 1, column 5"),
    ] {
        let refused = machine.fed(&["render", "-"], text);
        assert_eq!(refused.code, Some(1), "{text}: {}", refused.stderr);
        assert!(refused.stderr.contains(said), "{text}: {}", refused.stderr);
    }
}

#[test]
fn numbers_are_the_same_in_a_pipe_and_on_a_terminal_and_money_has_two_decimals() {
    let machine = Machine::new();
    let table = r#"{"kind":"table","data":{
        "columns":[{"key":"item"},{"key":"price","type":"money"},{"key":"weight"}],
        "rows":[{"item":"tea","price":12.5,"weight":1.25},{"item":"rice","price":3,"weight":20},
                {"item":"salt","price":1234567.1,"weight":0.5}]}}"#;
    let file = machine.file("prices.json", table);
    let piped = machine.run(&["render", &file]);
    let expected = [
        "item         price  weight",
        "tea          12.50    1.25",
        "rice          3.00   20.00",
        "salt  1,234,567.10    0.50",
    ];
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim_end);
        let lines = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_alphabetic()));
        let lines = lines.filter(|line| !line.starts_with("drawing"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(lines(&piped.stdout), expected, "{}", piped.stdout);
    let mut terminal = Terminal::run(machine.command(&["render", &file]), 80, 24);
    assert!(terminal.end().success());
    assert_eq!(lines(&terminal.screen()), expected);
}

#[test]
fn no_tool_for_a_prompt_is_no_success() {
    let machine = Machine::new();
    let hello = plugin("hello");
    for prompt in ["zzz qqq", "/nosuch a=1"] {
        let ran = machine.run(&["run", &hello, prompt]);
        assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("greet"), "{}", ran.stdout);
    }
}

#[test]
fn a_log_of_requests_is_never_overwritten_silently() {
    let machine = Machine::new();
    let model = machine.script("steps: [{ text: Hi. }, { text: Again. }]");
    let hello = plugin("hello");
    let log = machine.file("log.jsonl", "mine\n");
    let record = machine.file("record.yaml", "mine\n");
    let read = |path: &str| fs::read_to_string(path).expect("is there");
    let words = ["run", &hello, "Hello?", "--model", &model];
    for (flag, path) in [("--log-requests", &log), ("--record", &record)] {
        let refused = machine.run(&[&words[..], &[flag, path]].concat());
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("already exists"),
            "{}",
            refused.stderr
        );
        assert_eq!(read(path), "mine\n");
    }
    let append = ["--log-requests", &log, "--log-requests-append"];
    let added = machine.run(&[&words[..], &append].concat());
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    let text = read(&log);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines.len()), ("mine", 2), "{text}");
    assert!(json_of(lines[1])["messages"].is_array());
    // Another model in the same chat goes on in the same file.
    let fresh = machine.path("work/fresh.jsonl");
    let fresh = fresh.to_str().expect("is text");
    let chat = ["chat", &hello, "--model", &model, "--log-requests", fresh];
    let ran = machine.fed(&chat, &format!("One\n/model {model}\nTwo\n"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(read(fresh).lines().count(), 2, "{}", read(fresh));
}

//! `chat`: typed and piped conversations, and `/do`.

use crate::machine::{Machine, json_of, plugin};

#[test]
fn every_line_of_a_piped_chat_is_a_prompt() {
    let machine = Machine::new();
    let lines = "/tools\n/add title='Buy milk'\n\n/list\n/quit\n/list\n";
    let ran = machine.fed(&["chat", &plugin("todo")], lines);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("todo.clear: "), "{}", ran.stderr);
    assert!(ran.stdout.contains("Added #1 Buy milk."), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("priority").count(), 1, "{}", ran.stdout);
    let sessions = machine.run(&["sessions", "list", "--json"]);
    assert_eq!(json_of(&sessions.stdout)["turns"], 2);
}

#[test]
fn every_command_has_examples() {
    let machine = Machine::new();
    for command in [
        "run", "chat", "render", "sessions", "pending", "outputs", "grants", "models", "doctor",
        "plugins", "publish",
    ] {
        let help = machine.run(&[command, "--help"]);
        assert_eq!(help.code, Some(0));
        assert!(help.stdout.contains("Example"), "{}", help.stdout);
    }
    let completions = machine.run(&["completions", "bash"]);
    assert!(
        completions.stdout.contains("--log-requests"),
        "they cover what is new"
    );
}

#[test]
fn a_numbered_control_is_pressed_and_its_card_replaced() {
    let machine = Machine::new();
    let lines = "/add title='Buy milk'\n/do 1\n/do 3 title='Walk the dog'\n/do\n\
                 /do 4\n/do 99\n/do 3 titel=x\n/do 2\n/do 1\n/list\n";
    let ran = machine.fed(&["chat", &plugin("todo")], lines);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let out = &ran.stdout;
    let expected = "Added #1 Buy milk.\n#1 Buy milk is done.\nAdded #2 Walk the dog.\n";
    assert!(out.starts_with(expected), "{out}{}", ran.stderr);
    let err = &ran.stderr;
    assert!(err.contains("[1] [x] Buy milk"), "{err}");
    // The form has moved down, and keeps its number; a button is listed with the text of its row.
    assert!(err.contains("  [3] Add, with a form\n"), "{err}");
    assert!(err.contains("  [2] Remove · Buy milk\n"), "{err}");
    assert!(err.contains("  [5] Remove · Walk the dog\n"), "{err}");
    // What is gone is remembered, and its number is not used again.
    assert!(
        err.contains(
            "1 was `Buy milk` of todo · todo-list, which is gone; /do lists what there is"
        ),
        "{err}"
    );
    assert!(
        err.contains("there is no control with the number 99"),
        "{err}"
    );
    assert!(err.contains("there is no field `titel`"), "{err}");
    let session = json_of(&machine.run(&["sessions", "show", "last", "--json"]).stdout);
    let turns = session["turns"].as_array().expect("turns");
    // A press is a turn of its own; what could not be pressed is none.
    assert_eq!(turns.len(), 6, "{session}");
    let cards = turns
        .iter()
        .flat_map(|turn| turn["output"].as_array().expect("items"));
    let cards: Vec<_> = cards.filter(|item| item["type"] == "widget").collect();
    assert_eq!(cards.len(), 2, "one of `add`, one of `list`");
    assert_eq!(cards[0]["rev"], 4, "{}", cards[0]);
}

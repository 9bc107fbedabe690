//! An id belongs to the components that the person accepted for it.

use crate::machine::{Machine, disguised, plugin};
use crate::terminal::Terminal;
use std::fs;

/// Returns another component that does the same: it has one more custom section.
fn rebuilt(component: &str) -> Vec<u8> {
    let mut bytes = fs::read(component).expect("is built");
    bytes.extend_from_slice(&[0, 2, 1, b'x']);
    bytes
}

fn file(machine: &Machine, name: &str, bytes: &[u8]) -> String {
    let path = machine.path("work").join(name);
    fs::write(&path, bytes).expect("is written");
    path.to_str().expect("is text").to_owned()
}

#[test]
fn another_component_under_a_known_id_asks_and_sees_nothing_before() {
    let machine = Machine::new();
    let todo = plugin("todo");
    let added = machine.run(&["call", &todo, "add", "title=Buy milk"]);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    let other = file(&machine, "other.wasm", &rebuilt(&todo));
    let model = machine.script("steps: [{ calls: [{ tool: todo.list, input: {} }] }]");
    for words in [
        vec!["call", &other, "list"],
        vec!["call", &other, "list", "--yes", "--trust-project"],
        vec!["call", &other, "list", "--accept-plugin", "weather"],
        vec!["run", &other, "/list"],
        vec!["run", &other, "x", "--model", &model],
        vec!["chat", &other],
    ] {
        let refused = machine.run(&words);
        assert_eq!(refused.code, Some(4), "{words:?}: {}", refused.stderr);
        for said in [
            "is not the `todo` that you know",
            "the same tools and powers",
            "`--accept-plugin todo`",
        ] {
            assert!(
                refused.stderr.contains(said),
                "{words:?}: {}",
                refused.stderr
            );
        }
        assert!(
            !refused.stdout.contains("milk"),
            "{words:?}: {}",
            refused.stdout
        );
    }
    // Looking at it is no use of the id.
    assert_eq!(machine.run(&["inspect", &other]).code, Some(0));
    let accepted = machine.run(&["call", &other, "list", "--accept-plugin", "todo"]);
    assert!(accepted.stdout.contains("Buy milk"), "{}", accepted.stderr);
    // From now on both are known, under any name.
    let copy = file(&machine, "copy.wasm", &rebuilt(&todo));
    for known in [&todo, &other, &copy] {
        let listed = machine.run(&["call", known, "list"]);
        assert!(
            listed.stdout.contains("Buy milk"),
            "{known}: {}",
            listed.stderr
        );
    }
}

#[test]
fn the_question_shows_which_tools_and_powers_differ() {
    let machine = Machine::new();
    let hello = plugin("hello");
    assert_eq!(machine.run(&["call", &hello, "name=Ada"]).code, Some(0));
    let rogue = disguised(&plugin("rogue"), "id = \"rogue\"", "id = \"hello\"");
    let rogue = file(&machine, "hello.wasm", &rogue);
    let ask = |answer: &str| {
        let command = machine.command(&["call", &rogue, "greet", "name=Ada"]);
        let mut terminal = Terminal::run(command, 200, 50);
        let screen = terminal.expect("[y/N]");
        for said in [
            "`hello` is known to you as another component.",
            "known: sha256:",
            "now:",
            "new tools",
            "no longer the tools: greet",
            "would use the state, the settings",
        ] {
            assert!(screen.contains(said), "{said}: {screen}");
        }
        terminal.keys(&format!("{answer}\r"));
        terminal.end().code()
    };
    assert_eq!(ask("n"), Some(3));
    assert_eq!(ask(""), Some(3), "nothing was remembered");
    // Accepted: its tools are known by now, and `greet` is none of them.
    assert_eq!(ask("y"), Some(2));
    let known = machine.run(&["call", &rogue, "greet", "name=Ada"]);
    assert_eq!(known.code, Some(2), "{}", known.stderr);
    assert_eq!(machine.run(&["call", &hello, "name=Ada"]).code, Some(0));
}

#[test]
fn a_file_named_after_a_plugin_gets_neither_its_state_nor_its_settings() {
    let machine = Machine::new();
    let (todo, weather) = (plugin("todo"), plugin("weather"));
    let config = "[settings.weather]\nfahrenheit = true\n";
    fs::write(machine.path("config/footlight.toml"), config).expect("is written");
    let added = machine.run(&["call", &todo, "add", "title=Buy milk"]);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    // The same plugins without a manifest: their ids are made from the file names.
    let unnamed = |name: &str, component: &str| {
        let bytes = disguised(component, "footlight:manifest", "footlight:xanifest");
        file(&machine, name, &bytes)
    };
    let listed = machine.run(&["call", &unnamed("todo.wasm", &todo), "list", "--json"]);
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    assert!(
        listed.stdout.contains("\"file_todo.list\""),
        "{}",
        listed.stdout
    );
    assert!(!listed.stdout.contains("milk"), "{}", listed.stdout);
    let words = [
        "call",
        &unnamed("weather.wasm", &weather),
        "forecast",
        "city=Oslo",
    ];
    let forecast = machine.run(&words);
    assert!(
        forecast.stdout.contains("°C"),
        "{}{}",
        forecast.stdout,
        forecast.stderr
    );
    let forecast = machine.run(&["call", &weather, "forecast", "city=Oslo"]);
    assert!(
        forecast.stdout.contains("°F"),
        "the settings are there: {}",
        forecast.stdout
    );
    // A name that gives no id is refused with the reason.
    let odd = machine.run(&["call", &unnamed("My Todo.wasm", &todo), "list"]);
    assert_eq!(odd.code, Some(1), "{}", odd.stderr);
    assert!(
        odd.stderr.contains("its name gives no id"),
        "{}",
        odd.stderr
    );
}

#[test]
fn ids_that_read_as_somebody_else_are_refused() {
    let machine = Machine::new();
    let rogue = plugin("rogue");
    for (id, reason) in [
        ("model", "is reserved"),
        ("human", "is reserved"),
        ("agent", "is reserved"),
        ("tools", "is reserved"),
        ("us_er", "is reserved"),
        ("rogu_", "is not an id"),
        ("ro__e", "is not an id"),
        ("file_", "is not an id"),
    ] {
        let bytes = disguised(&rogue, "id = \"rogue\"", &format!("id = \"{id}\""));
        let path = file(&machine, "x.wasm", &bytes);
        for words in [
            vec!["inspect", &path, "--static"],
            vec!["call", &path, "echo"],
        ] {
            let refused = machine.run(&words);
            assert_eq!(refused.code, Some(1), "{id}: {}", refused.stderr);
            assert!(refused.stderr.contains(reason), "{id}: {}", refused.stderr);
        }
    }
    let new = machine.run(&["new", "system"]);
    assert_eq!(new.code, Some(2), "{}", new.stderr);
}

//! `--log` and `--trace`: what a plugin does, on stderr while it runs.

use crate::machine::{Machine, json_of, plugin};
use serde_json::Value;

#[test]
fn a_log_is_shown_with_name_level_and_time_and_filtered() {
    let machine = Machine::new();
    let rogue = plugin("rogue");
    let flood = ["call", &rogue, "flood_prints", "count=2"];
    let silent = machine.run(&flood);
    assert_eq!(silent.code, Some(0), "{}", silent.stderr);
    assert!(!silent.stderr.contains("jsonrpc"), "{}", silent.stderr);

    let shown = machine.run(&[&flood[..], &["--log"]].concat());
    assert_eq!(shown.stdout, silent.stdout, "results are not mixed with it");
    let lines: Vec<&str> = shown.stderr.lines().collect();
    let line = lines
        .iter()
        .find(|line| line.contains(" stdout ") && line.contains("0 {\"jsonrpc\":\"2.0\"}"));
    let line = line.unwrap_or_else(|| panic!("{}", shown.stderr));
    assert!(line.contains("Z rogue.flood_prints stdout "), "{line}");
    let hours: String = line.chars().take(3).collect();
    assert!(
        hours.ends_with(':') && hours[..2].parse::<u8>().is_ok(),
        "{line}"
    );
    assert!(
        !shown
            .stderr
            .contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
        "{:?}",
        shown.stderr
    );

    let errors = machine.run(&[&flood[..], &["--log=error"]].concat());
    assert!(!errors.stderr.contains(" stdout "), "{}", errors.stderr);
    assert!(errors.stderr.contains(" stderr "), "{}", errors.stderr);
}

#[test]
fn a_trace_lists_each_host_call_and_leaves_stdout_alone() {
    let machine = Machine::new();
    let todo = plugin("todo");
    let add = ["call", &todo, "add", "title=Buy milk"];
    let traced = machine.run(&[&add[..], &["--trace"]].concat());
    assert_eq!(traced.code, Some(0), "{}", traced.stderr);
    assert_eq!(traced.stdout, "Added #1 Buy milk.\n", "{}", traced.stdout);
    for part in [
        " todo.add #1 ",
        " read state.get person ",
        " local-write display-widget.show todo-list (",
    ] {
        assert!(traced.stderr.contains(part), "{part}: {}", traced.stderr);
    }
    let trace: Vec<&str> = traced
        .stderr
        .lines()
        .filter(|line| line.contains(" todo.add #"))
        .collect();
    assert!(
        trace.iter().all(|line| !line.contains("milk")),
        "sizes, not bodies: {trace:?}"
    );
    assert!(
        trace
            .iter()
            .all(|line| line.ends_with(" µs") || line.ends_with(" ms") || line.ends_with(" s")),
        "{trace:?}"
    );

    let json = machine.run(&[&add[..], &["--trace", "--log", "--json"]].concat());
    let kinds = |text: &str| -> Vec<Value> {
        text.lines()
            .map(|line| json_of(line)["type"].clone())
            .collect()
    };
    let events = kinds(&json.stdout);
    assert!(!events.contains(&"host_call".into()), "{events:?}");
    assert_eq!(events.last(), Some(&"turn_finished".into()));
    let traced = kinds(&json.stderr);
    assert!(traced.iter().all(|kind| kind == "host_call"), "{traced:?}");
    let first = json_of(json.stderr.lines().next().expect("a line"));
    assert_eq!(
        (&first["number"], &first["function"]),
        (&1.into(), &"todo.add".into())
    );
    assert!(
        first["took_ms"].is_number() && first["outcome"] == "answered",
        "{first}"
    );
}

#[test]
fn a_turn_and_a_chat_show_the_same() {
    let machine = Machine::new();
    let todo = plugin("todo");
    let ran = machine.run(&["run", &todo, "/add title=Milk", "--trace"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains(" todo.add #1 "), "{}", ran.stderr);
    let chatted = machine.fed(&["chat", &todo, "--trace"], "/add title=Eggs\n/list\n");
    assert_eq!(chatted.code, Some(0), "{}", chatted.stderr);
    for part in [" todo.add #1 ", " todo.list #1 "] {
        assert!(chatted.stderr.contains(part), "{part}: {}", chatted.stderr);
    }
    let server = machine.run(&["run", "--server", "http://127.0.0.1:1", "x", "--log=info"]);
    assert_eq!(server.code, Some(2), "{}", server.stderr);
    assert!(server.stderr.contains("--log"), "{}", server.stderr);
}

#[test]
fn a_fault_names_the_tool_the_limit_and_the_remedy() {
    let machine = Machine::new();
    let rogue = plugin("rogue");
    for (tool, named) in [
        (
            "grow",
            ["MiB of memory", "no plugin can ask for more with `memory`"],
        ),
        ("recurse", ["the stack of 512 KiB", "make them flatter"]),
        ("panic", ["panicked", "the rogue panicked on purpose"]),
        ("exit_badly", ["tried to end the process", "return instead"]),
    ] {
        let ran = machine.run(&["call", &rogue, tool]);
        assert_ne!(ran.code, Some(0), "{tool}");
        let words = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&format!("rogue.{tool}")), "{tool}: {words}");
        for part in named {
            assert!(words.contains(part), "{tool}: {part}: {words}");
        }
    }
}

//! Calls that end early: by `kill -9`, after which a yes counts once, and by Ctrl-C, which stops.

use crate::machine::{Ended, Machine, ended, interrupt, json_of, plugin};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::Child;

/// Where the process is killed. Each tool says that it only reads.
struct Point {
    /// The prompt.
    prompt: &'static str,
    /// How many requests are approved before the kill.
    approved: usize,
    /// Whether the call has begun: then it must not run again.
    begun: bool,
    /// How often the call has written in the end.
    acts: u64,
}

const fn point(prompt: &'static str, approved: usize, begun: bool, acts: u64) -> Point {
    Point {
        prompt,
        approved,
        begun,
        acts,
    }
}

/// The kill comes when the call waits for the person after `approved` replies: for its approval
/// before it runs, for an approval while it runs, or for the answer to the question at its end.
const POINTS: [Point; 10] = [
    point("/act_while_reading", 0, false, 0),
    point("/act_while_reading write=true", 0, true, 1),
    point("/act_while_reading approve=true", 0, false, 0),
    point("/act_while_reading approve=true", 1, true, 0),
    point("/act_while_reading approve=true write=true", 0, false, 1),
    point("/act_while_reading approve=true write=true", 1, true, 1),
    point("/act_when_approved write=true", 0, false, 1),
    point("/act_when_approved write=true", 1, true, 1),
    point("/act_when_approved approve=true write=true", 1, true, 0),
    point("/act_when_approved approve=true write=true", 2, true, 1),
];

/// Starts a turn and lets it wait for the person, after this many approvals. Returns what it waits
/// for.
fn run_until(machine: &Machine, point: &Point) -> (Child, String) {
    let words = ["run", &plugin("rogue"), point.prompt, "--wait"];
    let mut run = machine
        .command(&words)
        .spawn()
        .expect("the binary is built");
    let mut id = machine.waiting(&mut run);
    for _ in 0..point.approved {
        let allowed = machine.run(&["pending", "answer", &id, "allow"]);
        assert_eq!(allowed.code, Some(0), "{}", allowed.stderr);
        id = machine.waiting(&mut run);
    }
    (run, id)
}

/// The result of the only call of the last session.
fn result(machine: &Machine) -> Value {
    let shown = json_of(&machine.run(&["sessions", "show", "last", "--json"]).stdout);
    let items = shown["turns"][0]["output"].as_array().expect("items");
    let mut tools = items.iter().filter(|item| item["type"] == "tool");
    let tool = tools.next().expect("a call");
    assert_eq!(tools.next(), None);
    tool["result"].clone()
}

fn acts(machine: &Machine) -> u64 {
    let rogue = plugin("rogue");
    let call = [
        "call",
        &rogue,
        "act_while_reading",
        "--answer",
        "answer=Yes",
    ];
    let counted = machine.run(&call);
    let acts = counted.stdout.trim().parse();
    acts.unwrap_or_else(|_| panic!("{}{}", counted.stdout, counted.stderr))
}

#[test]
fn a_yes_counts_once_wherever_the_process_is_killed() {
    for point in POINTS {
        let machine = Machine::new();
        let (mut run, id) = run_until(&machine, &point);
        run.kill().expect("is killed");
        run.wait().expect("it ends");
        // What is said after the kill is either used or refused.
        let is_question = id
            .rsplit('_')
            .next()
            .is_some_and(|kind| kind.starts_with('a'));
        let is_used = !is_question && !point.begun;
        let listed = machine.run(&["pending", "list", "--json"]).lines();
        assert_eq!(listed[0]["interrupted"], !is_used, "{listed:?}");
        let shown = machine.run(&["pending", "list"]).stdout;
        assert_eq!(shown.contains("sessions resume ses_"), !is_used, "{shown}");
        let reply = if is_question { "Yes" } else { "allow" };
        let replied = machine.run(&["pending", "answer", &id, reply]);
        let what = format!("{} after {} approvals", point.prompt, point.approved);
        assert_eq!(replied.code, Some(if is_used { 0 } else { 2 }), "{what}");
        if !is_used {
            let hint = "interrupted, and nothing waits for this reply; continue with: footlight sessions resume ses_";
            assert!(replied.stderr.contains(hint), "{}", replied.stderr);
        }
        // Nobody allows anything from here on.
        let resume = ["sessions", "resume", "last", "--answer", "answer=Yes"];
        let resumed = machine.run(&resume);
        let result = result(&machine);
        let (member, expected) = match point.begun {
            true => ("code", "interrupted"),
            false => ("type", "success"),
        };
        assert_eq!(result[member], expected, "{what}: {}", resumed.stderr);
        assert_eq!(acts(&machine), point.acts, "{what}: {}", resumed.stderr);
        assert_eq!(machine.run(&["pending", "list"]).stdout, "", "{what}");
    }
}

/// Starts a command with `--json` and interrupts it at its first report of progress.
fn interrupted(machine: &Machine, words: &[&str]) -> (Ended, Vec<Value>) {
    let mut run = machine.command(words).spawn().expect("the binary is built");
    let mut stdout = BufReader::new(run.stdout.take().expect("is piped"));
    let mut text = String::new();
    while !text.contains("\"type\":\"progress\"") {
        let read = stdout.read_line(&mut text).expect("is text");
        assert_ne!(read, 0, "it ended without progress: {text}");
    }
    assert!(interrupt(run.id()));
    stdout.read_to_string(&mut text).expect("is text");
    let ran = ended(run.wait_with_output().expect("it ends"));
    (ran, text.lines().map(json_of).collect())
}

#[test]
fn an_interrupted_call_exits_with_130_and_leaves_nothing_whatever_its_guest_returns() {
    let rogue = plugin("rogue");
    let tools = ["tidy_up", "heed_cancel", "panic_when_cancelled"];
    for tool in tools {
        let machine = Machine::new();
        let prompt = format!("/{tool}");
        for words in [
            vec!["call", &rogue, tool, "--json"],
            vec!["run", &rogue, &prompt, "--json"],
        ] {
            let (ran, lines) = interrupted(&machine, &words);
            assert_eq!(ran.code, Some(130), "{words:?}: {}", ran.stderr);
            let last = lines.last().expect("there are lines");
            assert_eq!(last["status"], "cancelled", "{words:?}");
            let items = last["output"].as_array().expect("items");
            let tool = items.iter().find(|item| item["type"] == "tool");
            let code = &tool.expect("the call")["result"]["code"];
            assert_eq!(code, "cancelled", "{words:?}");
            let is_shown = |item: &&Value| item["type"] == "widget" || item["type"] == "output";
            assert_eq!(items.iter().find(is_shown), None, "{words:?}");
            let was_shown = |line: &Value| line["item"]["type"] == "widget";
            let removed = |line: &Value| line["type"] == "remove";
            assert!(lines.iter().any(was_shown) && lines.iter().any(removed));
        }
        assert_eq!(result(&machine)["code"], "cancelled");
    }
}

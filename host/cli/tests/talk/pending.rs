//! `pending`: requests answered from another process, and across a kill.

use crate::machine::{Machine, ended, json_of, plugin};

#[test]
fn another_process_decides_what_a_run_waits_for() {
    let machine = Machine::new();
    let gallery = plugin("gallery");
    for (verdict, code) in [("deny", 3), ("allow", 0)] {
        let words = ["run", &gallery, "/strike", "--wait=1m"];
        let mut run = machine
            .command(&words)
            .spawn()
            .expect("the binary is built");
        let id = machine.waiting(&mut run);
        let listed = machine.run(&["pending", "list"]);
        assert!(
            listed.stdout.contains(&id) && listed.stdout.contains("gallery.strike"),
            "{}",
            listed.stdout
        );
        // An invalid verdict decides nothing.
        assert_eq!(
            machine.run(&["pending", "answer", &id, "perhaps"]).code,
            Some(2)
        );
        let answered = machine.run(&["pending", "answer", &id, verdict, "--words", "as you like"]);
        assert_eq!(answered.code, Some(0), "{}", answered.stderr);
        let said = match verdict {
            "deny" => "denied: gallery.strike\n",
            _ => "allowed once: gallery.strike\n",
        };
        assert_eq!(
            (answered.stderr.as_str(), answered.stdout.as_str()),
            (said, "")
        );
        let listed = machine.run(&["pending", "list", "--json"]);
        assert_eq!(listed.stdout, "");
        let again = machine.run(&["pending", "answer", &id, "allow"]);
        assert_eq!(again.code, Some(2), "the first reply counts");
        assert!(!again.stderr.contains('{'), "{}", again.stderr);
        let ran = ended(run.wait_with_output().expect("it ends"));
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        let shown = json_of(&machine.run(&["sessions", "show", "last", "--json"]).stdout);
        let items = shown["turns"][0]["output"].as_array().expect("items");
        let receipt = items.iter().find_map(|item| item.get("verdict"));
        let receipt = receipt.expect("a receipt");
        assert_eq!(receipt["by"], "ada", "{receipt}");
        assert_eq!(receipt["reason"], "as you like");
    }
    assert_eq!(
        machine
            .run(&["pending", "answer", "call_none", "allow"])
            .code,
        Some(2)
    );
}

#[test]
fn an_answer_from_another_process_is_told_in_labels() {
    let machine = Machine::new();
    let words = ["run", &plugin("gallery"), "/ask_select", "--wait=1m"];
    let run = machine.command(&words).spawn();
    let mut run = run.expect("the binary is built");
    let id = machine.waiting(&mut run);
    let answered = machine.run(&["pending", "answer", &id, "wai"]);
    assert_eq!(answered.stderr, "answered gallery: Waiting for Godot\n");
    let ran = ended(run.wait_with_output().expect("it ends"));
    let expected = "answered: Waiting for Godot elsewhere by ada (";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn a_pending_approval_survives_a_kill_and_is_resumed() {
    let machine = Machine::new();
    let gallery = plugin("gallery");
    let words = ["run", &gallery, "/strike", "--wait"];
    let mut run = machine
        .command(&words)
        .spawn()
        .expect("the binary is built");
    let id = machine.waiting(&mut run);
    run.kill().expect("is killed");
    run.wait().expect("it ends");

    let answered = machine.run(&["pending", "answer", &id, "allow"]);
    assert_eq!(answered.code, Some(0), "{}", answered.stderr);
    let resumed = machine.run(&["sessions", "resume", "last", "--wait=1m", "--json"]);
    assert_eq!(
        resumed.code,
        Some(0),
        "{}{}",
        resumed.stdout,
        resumed.stderr
    );
    let lines = resumed.lines();
    let last = lines.last().expect("there are lines");
    assert_eq!(last["status"], "done");
    let tool = last["output"]
        .as_array()
        .and_then(|items| items.iter().find(|item| item["type"] == "tool"))
        .expect("the call is on the record");
    assert_eq!(tool["verdict"]["decision"], "once", "{tool}");
    assert_eq!(machine.run(&["pending", "list"]).stdout, "");

    let more = machine.run(&["sessions", "resume", "last", "/text"]);
    assert!(
        more.stdout.contains("Doors"),
        "{}{}",
        more.stdout,
        more.stderr
    );
    let nothing = machine.run(&["sessions", "resume", "last"]);
    assert_eq!(nothing.code, Some(2), "{}", nothing.stderr);
    let shown = machine.run(&["sessions", "show", "last"]);
    assert!(shown.stdout.starts_with("> /strike\n"), "{}", shown.stdout);
    let session = json_of(&machine.run(&["sessions", "list", "--json"]).stdout)["id"].clone();
    let deleted = machine.run(&["sessions", "delete", session.as_str().expect("an id")]);
    assert_eq!(deleted.code, Some(0), "{}", deleted.stderr);
    assert_eq!(machine.run(&["sessions", "list"]).stdout, "");
}

#[test]
fn a_question_is_answered_by_its_fields_and_a_wrong_field_is_an_error() {
    let machine = Machine::new();
    let todo = plugin("todo");
    machine.run(&["call", &todo, "add", "title=Buy milk"]);
    let words = ["run", &todo, "/clear", "--wait=1m", "--allow", "todo.clear"];
    let mut run = machine
        .command(&words)
        .spawn()
        .expect("the binary is built");
    let id = machine.waiting(&mut run);
    let wrong = machine.run(&["pending", "answer", &id, "--answer", "waht=everything"]);
    assert_eq!(wrong.code, Some(2));
    assert!(
        wrong
            .stderr
            .contains("no field `waht`; its fields are `what`"),
        "{}",
        wrong.stderr
    );
    let right = machine.run(&["pending", "answer", &id, "--answer", "what=everything"]);
    assert_eq!(right.code, Some(0), "{}", right.stderr);
    assert!(
        right.stderr.starts_with("answered todo: "),
        "{}",
        right.stderr
    );
    let ran = ended(run.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn an_interrupt_cancels_the_turn_and_its_open_requests() {
    let machine = Machine::new();
    let words = ["run", &plugin("gallery"), "/strike", "--wait", "--json"];
    let mut run = machine
        .command(&words)
        .spawn()
        .expect("the binary is built");
    machine.waiting(&mut run);
    assert!(crate::machine::interrupt(run.id()));
    let ran = ended(run.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    let last = json_of(ran.stdout.lines().last().expect("there are lines"));
    assert_eq!(last["status"], "cancelled");
    assert_eq!(machine.run(&["pending", "list"]).stdout, "");
}

/// Returns how often the thread that interrupts guests has slept or waited, once that does not change.
#[cfg(target_os = "linux")]
fn sleeps_of_a_parked_ticker(process: u32) -> String {
    use std::time::Duration;
    let sleeps = || {
        let threads = std::fs::read_dir(format!("/proc/{process}/task")).expect("it runs");
        let statuses = threads
            .filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("status")).ok());
        // Names of threads are cut off.
        let mut tickers = statuses.filter(|status| status.contains("Name:\tfootlight-ticke"));
        let status = tickers.next().expect("there is a ticker");
        let line = status
            .lines()
            .find(|line| line.starts_with("voluntary_ctxt_switches:"));
        line.expect("Linux counts them").to_owned()
    };
    for _ in 0..100 {
        let before = sleeps();
        std::thread::sleep(Duration::from_millis(500));
        if sleeps() == before {
            return before;
        }
    }
    panic!("it is never parked");
}

#[cfg(target_os = "linux")]
#[test]
fn a_guest_that_waits_for_a_person_does_not_wake_the_host() {
    let machine = Machine::new();
    let script = machine.script(
        "steps:\n  - calls:\n      - tool: weather.forecast\n        input: { city: Springfield, days: 1 }\n  - text: Done.\n",
    );
    let words = [
        "run",
        &plugin("weather"),
        "Springfield?",
        "--wait",
        "--model",
        &script,
    ];
    let mut run = machine
        .command(&words)
        .spawn()
        .expect("the binary is built");
    let id = machine.waiting(&mut run);
    sleeps_of_a_parked_ticker(run.id());
    // The guest continues, and is interrupted again as long as it computes.
    let answered = machine.run(&["pending", "answer", &id, "Springfield, MA"]);
    assert_eq!(answered.code, Some(0), "{}", answered.stderr);
    // It asks for the network, and without it shows its sample.
    let id = machine.waiting(&mut run);
    let denied = machine.run(&["pending", "answer", &id, "deny"]);
    assert_eq!(denied.code, Some(0), "{}", denied.stderr);
    let ran = ended(run.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

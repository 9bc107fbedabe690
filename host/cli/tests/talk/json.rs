//! `--json` on every command, and errors and faults in each of them.

use crate::machine::{Ended, Machine, json_of, plugin};
use std::fs;

/// Returns every command without subcommands, from the help that a person reads.
fn leaves(machine: &Machine) -> Vec<Vec<String>> {
    let mut open = vec![Vec::new()];
    let mut leaves = Vec::new();
    while let Some(path) = open.pop() {
        let mut words: Vec<&str> = path.iter().map(String::as_str).collect();
        words.push("--help");
        let help = machine.run(&words).stdout;
        let listed = help.split_once("\nCommands:\n").map(|(_, rest)| rest);
        let Some(listed) = listed else {
            leaves.push(path);
            continue;
        };
        let listed = listed.split("\n\n").next().unwrap_or_default();
        for line in listed
            .lines()
            .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        {
            let name = line.split_whitespace().next().expect("a name");
            open.push(path.iter().cloned().chain([name.to_owned()]).collect());
        }
    }
    assert!(leaves.len() > 20, "{leaves:?}");
    leaves
}

/// Checks that stdout has JSON alone, and says so in an error if nothing else was said.
fn check(ran: &Ended, words: &[&str]) {
    let lines = ran.lines();
    assert!(
        lines.iter().all(serde_json::Value::is_object),
        "{words:?}: {}",
        ran.stdout
    );
    let is_event = lines
        .last()
        .is_some_and(|line| line["type"] == "turn_finished");
    if ran.code != Some(0) && !is_event && words[0] != "doctor" {
        let last = lines
            .last()
            .unwrap_or_else(|| panic!("{words:?} says nothing: {}", ran.stderr));
        assert_eq!(last["type"], "error", "{words:?}: {last}");
        assert_eq!(
            last["exit"].as_i64(),
            ran.code.map(i64::from),
            "{words:?}: {last}"
        );
        assert!(
            last["error"]
                .as_str()
                .is_some_and(|error| !error.is_empty()),
            "{last}"
        );
    }
}

/// What to add to a command so that it does its work. A new command needs a line here.
fn arguments(machine: &Machine, command: &str) -> Vec<Vec<String>> {
    let todo = plugin("todo");
    let card = machine.file(
        "card.json",
        r#"{"type":"Card","children":[{"type":"Text","value":"hi"}]}"#,
    );
    let output = || {
        let listed = machine.run(&["outputs", "list", "--json"]).lines();
        listed[0]["id"].as_str().expect("an id").to_owned()
    };
    let rule = || {
        let listed = machine.run(&["grants", "list", "--json"]).lines();
        listed[0]["id"].as_str().expect("an id").to_owned()
    };
    let pack = machine
        .path("work/packed.wasm")
        .to_str()
        .expect("is text")
        .to_owned();
    let lines: Vec<String> = match command {
        "run" => vec![
            format!("{todo}|/add title=Milk"),
            format!("{todo}|/clear|--no-input"),
        ],
        "chat" => vec![todo],
        "call" => vec![
            format!("{todo}|list"),
            format!("{todo}|add"),
            format!("{todo}|nothing"),
        ],
        "inspect" => vec![todo],
        "new" => vec!["demo".to_owned()],
        // Building is tested with its JSON wherever a plugin is needed, `serve` and `dev` in files of their own.
        "build" | "serve" | "dev" | "test" => vec!["missing".to_owned()],
        "pack" => {
            // The smallest component there is.
            fs::write(&pack, b"\0asm\x0d\0\x01\0").expect("is written");
            let manifest = machine.file(
                "plugin.toml",
                &fs::read_to_string(manifest()).expect("is there"),
            );
            vec![format!("{pack}|--manifest|{manifest}|--replace"), pack]
        }
        "render" => vec![
            card.clone(),
            format!("{card}|--html"),
            format!("{card}|--markdown"),
            "no.json".to_owned(),
        ],
        "sessions list"
        | "outputs list"
        | "grants list"
        | "grants consents"
        | "pending list"
        | "pending decline-all"
        | "plugins list"
        | "secrets list"
        | "models"
        | "doctor" => vec![String::new()],
        "sessions show" => vec![
            "last".to_owned(),
            "last|--powers".to_owned(),
            "ses_none".to_owned(),
        ],
        "sessions resume" => vec!["last|/list".to_owned(), "last".to_owned()],
        "sessions export" => vec![
            "last".to_owned(),
            "last|--markdown".to_owned(),
            "last|-o|talk.html".to_owned(),
        ],
        "sessions delete" => vec!["last".to_owned(), "ses_none".to_owned()],
        "pending answer" => vec!["call_none|allow".to_owned()],
        "pending link" => vec!["call_none".to_owned()],
        "outputs show" => vec![
            output(),
            format!("{}|--to|out.txt", output()),
            "out_none".to_owned(),
        ],
        "grants add" => vec![
            "allow|todo|--action|todo.clear".to_owned(),
            "allow|todo".to_owned(),
        ],
        "grants revoke" => vec![rule(), "ffffffff".to_owned()],
        "grants explain" => vec![
            format!("{todo}|clear"),
            format!("{todo}|nothing"),
            format!("{todo}|--net|a.example"),
        ],
        "plugins add" => {
            let digest = footlight::Digest::of(&fs::read(&todo).expect("is built"));
            vec![
                format!("{todo}|--yes|--digest|sha256:{digest}"),
                "nowhere".to_owned(),
            ]
        }
        "plugins remove" => vec!["todo".to_owned(), "none".to_owned()],
        "plugins update" => vec![String::new(), "none".to_owned()],
        "publish" => {
            let password = machine.file("password.txt", "");
            vec![
                format!("--new-key|ada.key|--password-file|{password}"),
                format!("{todo}|-o|published.wasm|--key|ada.key"),
                format!("{todo}|nowhere|--key|ada.key"),
            ]
        }
        "secrets set" => vec![format!("mail|token|--file|{card}"), "mail|Token".to_owned()],
        "secrets remove" => vec!["mail|token".to_owned(), "mail|none".to_owned()],
        "completions" => vec!["bash".to_owned(), "csh".to_owned()],
        other => panic!("`{other}` needs a line here"),
    };
    let split = |line: String| {
        line.split('|')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    lines.into_iter().map(split).collect()
}

fn manifest() -> String {
    format!(
        "{}/../../plugins/todo/plugin.toml",
        env!("CARGO_MANIFEST_DIR")
    )
}

#[test]
fn every_command_with_json_prints_json_alone_errors_included() {
    let machine = Machine::new();
    // Something to list, show, export and delete.
    let gallery = plugin("gallery");
    for n in 0..2 {
        let ran = machine.run(&["run", &plugin("todo"), &format!("/add title=Task{n}")]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let stored = machine.run(&["call", &gallery, "outputs"]);
    assert_eq!(stored.code, Some(0), "{}", stored.stderr);
    let mut leaves = leaves(&machine);
    // What is deleted or revoked must be there before.
    leaves.sort_by_key(|path| {
        let command = path.join(" ");
        (
            ["sessions delete", "grants revoke", "secrets remove"].contains(&&*command),
            command,
        )
    });
    for path in leaves {
        let command: Vec<&str> = path.iter().map(String::as_str).collect();
        let more = [
            vec![vec!["--no-such-flag".to_owned()]],
            arguments(&machine, &path.join(" ")),
        ];
        for (n, more) in more.concat().iter().enumerate() {
            let mut words = command.clone();
            words.extend(more.iter().map(String::as_str));
            words.push("--json");
            let ran = machine.run(&words);
            check(&ran, &words);
            match n {
                0 => assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.stderr),
                1 if ![
                    "build",
                    "dev",
                    "pending answer",
                    "pending link",
                    "serve",
                    "test",
                ]
                .contains(&&*path.join(" ")) =>
                {
                    assert!(
                        matches!(ran.code, Some(0 | 1)),
                        "{words:?}: {} {}",
                        ran.stdout,
                        ran.stderr
                    );
                    assert!(
                        path[0] == "doctor" || ran.code == Some(0),
                        "{words:?}: {}",
                        ran.stderr
                    );
                }
                _ => {}
            }
        }
        if !["models", "doctor", "chat"].contains(&&*path[0])
            && path.last().is_some_and(|last| last != "list")
        {
            let words = [&command[..], &["--json"]].concat();
            let ran = machine.run(&words);
            check(&ran, &words);
        }
    }
    for words in [
        &["--json"][..],
        &["--json", "nonsense"],
        &["sessions", "--json"],
    ] {
        let ran = machine.run(words);
        check(&ran, words);
        assert_eq!(ran.code, Some(2), "{words:?}");
    }
}

#[test]
fn a_reply_from_elsewhere_is_printed_as_json() {
    let machine = Machine::new();
    let todo = plugin("todo");
    machine.run(&["run", &todo, "/add title=Milk"]);
    let words = [
        "run",
        &todo,
        "/clear",
        "--wait=60s",
        "--answer",
        "what=everything",
    ];
    let mut run = machine
        .command(&words)
        .spawn()
        .expect("the binary is built");
    let id = machine.waiting(&mut run);
    let answered = machine.run(&["pending", "answer", &id, "deny", "--json"]);
    assert_eq!(answered.code, Some(0), "{}", answered.stderr);
    let line = json_of(answered.stdout.trim_end());
    assert_eq!(line["reply"]["verdict"], "deny", "{line}");
    let ended = run.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(3));
}

#[test]
fn invalid_input_is_a_usage_error_wherever_it_is_given() {
    let machine = Machine::new();
    let weather = plugin("weather");
    for words in [
        &["call", &weather, "forecast", "city=Oslo", "days=99"][..],
        &["call", &weather, "forecast", "{}"],
        &["call", &weather, "forecast", "city=Oslo", "days:=\"x\""],
    ] {
        let ran = machine.run(words);
        assert_eq!(ran.code, Some(2), "{words:?}: {}{}", ran.stdout, ran.stderr);
    }
    // A plugin that fails is another matter.
    let rogue = plugin("rogue");
    let failed = machine.run(&["call", &rogue, "fail_halfway", "by=failure"]);
    assert_eq!(failed.code, Some(5), "{}{}", failed.stdout, failed.stderr);
}

#[test]
fn a_fault_has_its_remedy_and_its_panic_message_in_every_command() {
    let machine = Machine::new();
    let rogue = plugin("rogue");
    let model =
        machine.script("steps:\n  - calls: [{ tool: rogue.panic, input: {} }]\n  - text: Oh.\n");
    let call = machine.run(&["call", &rogue, "panic"]);
    let run = machine.run(&["run", &rogue, "Go", "--model", &model]);
    let offline = machine.run(&["run", &rogue, "/panic"]);
    let chat = machine.fed(&["chat", &rogue, "--model", &model], "Go\n");
    let shown = machine.run(&["sessions", "show", "last"]);
    let json = machine.run(&["call", &rogue, "panic", "--json"]);
    for (name, text) in [
        ("call", &call.stderr),
        ("run", &run.stderr),
        ("offline", &offline.stderr),
        ("chat", &chat.stderr),
        ("sessions show", &shown.stdout),
        ("--json", &json.stdout),
    ] {
        for words in [
            "`rogue.panic` was stopped: it panicked or aborted",
            "the rogue panicked on purpose",
        ] {
            assert!(text.contains(words), "{name} lacks {words}: {text}");
        }
        let times = text.matches("panicked on purpose").count();
        assert!(times == 1 || name == "--json", "{name}: {text}");
    }
    assert_eq!((call.code, offline.code), (Some(5), Some(5)));
}

#[test]
fn a_bad_press_in_a_pipe_ends_nothing_and_a_press_takes_no_step_of_a_script() {
    let machine = Machine::new();
    let todo = plugin("todo");
    let model = machine.script(
        "steps:\n  - calls: [{ tool: todo.add, input: { title: Milk } }]\n  - text: Added.\n  - text: Second.\n",
    );
    let bad = [
        "/do 99",
        "/do x",
        "/do 3 titel=x",
        "/do 3",
        "/do 3 title=",
        "/do 'open",
        "/do 3 title=a due=never",
        "/do -1",
    ];
    let lines = format!(
        "Go\n{}\n/do 1\n/do 1\n{}\nAgain\n",
        bad.join("\n"),
        bad.join("\n")
    );
    let ran = machine.fed(&["chat", &todo, "--model", &model], &lines);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.ends_with("Second.\n"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn a_question_of_the_model_that_nobody_can_answer_says_so() {
    let machine = Machine::new();
    let todo = plugin("todo");
    let model = machine.script("steps:\n  - calls: [{ tool: footlight.ask, input: { prompt: 'Which?' } }]\n  - text: Well.\n");
    let log = machine.path("work/log.jsonl");
    let log = log.to_str().expect("is text");
    let words = ["run", &todo, "Go", "--model", &model, "--log-requests", log];
    let ran = machine.run(&words);
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    let sent = fs::read_to_string(log).expect("was logged");
    let sent = json_of(sent.lines().last().expect("a request"));
    let result = &sent["messages"][2]["results"][0];
    let text = result["content"][0]["text"].as_str().expect("text");
    let sentence = "nobody can be asked: no terminal or page is connected";
    assert!(text.ends_with(sentence), "{text}");
    assert_eq!(result["isError"], true);
}

//! `call --record` and `test`: calls that are recorded, and replayed without anything that answered them.

use crate::machine::{Machine, json_of, plugin};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::thread::JoinHandle;

/// Records a call, and returns the text of its case.
fn record(machine: &Machine, name: &str, words: &[&str]) -> String {
    let file = format!("cases/{name}.toml");
    let ran = machine.run(&[&["call"], words, &["--record", &file]].concat());
    assert!(
        ran.stderr.contains("recorded cases/") && !ran.stderr.contains("does not repeat"),
        "{words:?}: {}\n{}",
        ran.stderr,
        ran.stdout
    );
    fs::read_to_string(machine.path("work").join(file)).expect("is written")
}

fn test(machine: &Machine, component: &str, more: &[&str]) -> crate::machine::Ended {
    machine.run(&[&["test", component, "--cases", "cases"], more].concat())
}

#[test]
fn what_is_recorded_repeats_whatever_it_did() {
    let machine = Machine::new();
    let (gallery, todo, rogue) = (plugin("gallery"), plugin("todo"), plugin("rogue"));
    for (name, words) in [
        ("table", &[&*gallery, "table"][..]),
        ("live", &[&gallery, "live", "pause=20"]),
        ("asked", &[&gallery, "ask_select", "--answer", "play=play1"]),
        ("outputs", &[&gallery, "outputs"]),
        ("added", &[&todo, "add", "title=Buy milk"]),
        ("listed", &[&todo, "list"]),
        (
            "denied",
            &[&todo, "clear", "what=everything", "--deny", "todo.clear"],
        ),
        (
            "cleared",
            &[&todo, "clear", "what=everything", "--allow", "todo.clear"],
        ),
        ("clocks", &[&rogue, "clocks"]),
        ("panicked", &[&rogue, "panic"]),
    ] {
        record(&machine, name, words);
    }
    for (component, names) in [
        (&gallery, &["table", "live", "asked", "outputs"][..]),
        (&todo, &["added", "listed", "cleared", "denied"]),
        (&rogue, &["clocks", "panicked"]),
    ] {
        // Another person on another machine: nothing is asked, and nothing is kept.
        let elsewhere = Machine::new();
        let cases = machine.path("work").join("cases");
        let cases = cases.to_str().expect("is text");
        for _ in 0..2 {
            let tested = elsewhere
                .run(&[&["test", component], names, &["--cases", cases, "--json"]].concat());
            assert_eq!(tested.code, Some(0), "{}\n{}", tested.stdout, tested.stderr);
            let lines = tested.lines();
            assert_eq!(lines.len(), names.len() + 1, "{lines:?}");
            let last = lines.last().expect("a summary");
            assert_eq!(
                last,
                &json!({ "type": "test_finished", "passed": names.len(), "failed": 0, "accepted": 0 })
            );
        }
        assert!(!elsewhere.path("data").exists(), "nothing is stored");
    }
}

/// A server on loopback that answers one request: whether it had the secret, and perhaps with the secret
/// itself and a cookie.
fn server(echoes: bool) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let served = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut reader = BufReader::new(stream.try_clone().expect("can be shared"));
        let (mut head, mut length) = (String::new(), 0);
        while !head.ends_with("\r\n\r\n") {
            let before = head.len();
            reader.read_line(&mut head).expect("is text");
            let line = head[before..].to_ascii_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a number");
            }
        }
        reader.read_exact(&mut vec![0; length]).expect("is sent");
        let had_secret = head.contains("Bearer canary-of-a-secret");
        let (cookie, echo) = match echoes {
            true => ("set-cookie: id=canary\r\n", ", canary-of-a-secret"),
            false => ("", ""),
        };
        let body = format!("had the secret: {had_secret}{echo}");
        let length = body.len();
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n{cookie}content-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(answer.as_bytes()).expect("is read");
    });
    (port, served)
}

/// A plugin that sends requests with a secret to a server, and the words for one call of it.
fn sending(machine: &Machine, port: u16) -> Vec<String> {
    let powers = format!(
        "[[net]]\nhost = \"127.0.0.1:{port}\"\nscheme = \"http\"\nmethods = [\"GET\", \"POST\"]\n[[secret]]\nname = \"token\"\nhost = \"127.0.0.1:{port}\"\nheader = \"authorization\"\nprefix = \"Bearer \"\n"
    );
    let mail = machine.sending("mail", &powers);
    let secret = machine.file("secret", "canary-of-a-secret");
    let words = format!(
        "{mail} fetch method=POST url=http://127.0.0.1:{port}/me?q=1 body=hello --allow-net 127.0.0.1:{port} --secret token=@{secret} --allow mail.fetch"
    );
    words.split(' ').map(str::to_owned).collect()
}

#[test]
fn what_a_server_says_of_a_secret_is_not_recorded() {
    let machine = Machine::new();
    let (port, served) = server(true);
    let words = sending(&machine, port);
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.insert(0, "call");
    words.extend(["--record", "cases/echo.toml"]);
    let ran = machine.run(&words);
    served.join().expect("it was asked once");
    assert!(
        ran.stdout.contains("had the secret: true"),
        "{}",
        ran.stdout
    );
    // The plugin looks at the cookie, and a case has none.
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("does not repeat"), "{}", ran.stderr);
    let case = fs::read_to_string(machine.path("work/cases/echo.toml")).expect("is written");
    assert!(case.contains("had the secret: true"), "{case}");
    assert!(!case.contains("canary-of-a-secret"), "{case}");
    let exchange = case
        .split("\n[expect]\n")
        .next()
        .expect("what was answered");
    assert!(!exchange.contains("cookie"), "{exchange}");
}

#[test]
fn exchanges_are_replayed_without_a_network_and_no_secret_is_recorded() {
    let machine = Machine::new();
    let (port, served) = server(false);
    let words = sending(&machine, port);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mail = words[0].to_owned();
    let case = record(&machine, "sent", &words);
    served.join().expect("it was asked once");
    assert!(!case.contains("canary"), "{case}");
    for part in [
        "method = \"POST\"",
        "body = \"hello\"",
        "status = 200",
        "had the secret: true",
        "allow-net = [",
        "secrets = [\"token\"]",
    ] {
        assert!(case.contains(part), "{part}: {case}");
    }
    // The server is gone.
    let tested = test(&machine, &mail, &[]);
    assert_eq!(tested.code, Some(0), "{}\n{}", tested.stdout, tested.stderr);

    // A request that the case does not have, and one that is not sent any more.
    let other = case.replacen("/me?q=1\"", "/you\"", 1);
    assert_ne!(other, case);
    fs::write(machine.path("work/cases/sent.toml"), &other).expect("is written");
    let tested = test(&machine, &mail, &["--json"]);
    assert_eq!(tested.code, Some(1), "{}", tested.stdout);
    let problems = tested.lines()[0]["problems"].to_string();
    assert!(problems.contains("does not have"), "{problems}");
    assert!(problems.contains("did not send"), "{problems}");
    let accepted = test(&machine, &mail, &["--accept"]);
    assert_eq!(
        accepted.code,
        Some(1),
        "what was not answered cannot be accepted"
    );
    let text = fs::read_to_string(machine.path("work/cases/sent.toml")).expect("is there");
    assert_eq!(text, other);
}

#[test]
fn a_difference_is_drawn_and_accepted_and_nothing_else_of_the_file_changes() {
    let machine = Machine::new();
    let todo = plugin("todo");
    record(&machine, "added", &[&todo, "add", "title=Buy milk"]);
    let path = machine.path("work/cases/added.toml");
    let text = fs::read_to_string(&path).expect("is written");
    let text = format!(
        "# Milk is always out.\n{}",
        text.replace("Buy milk", "Buy eggs")
    );
    let text = text.replacen("Buy eggs", "Buy milk", 1);
    fs::write(&path, &text).expect("is written");

    let tested = test(&machine, &todo, &[]);
    assert_eq!(tested.code, Some(1), "{}", tested.stdout);
    for part in ["failed added", "Buy eggs", "Buy milk", "0 passed, 1 failed"] {
        assert!(tested.stdout.contains(part), "{part}: {}", tested.stdout);
    }
    assert!(
        tested.stderr.contains("footlight test --accept"),
        "{}",
        tested.stderr
    );
    let json = test(&machine, &todo, &["--json"]).lines();
    assert_eq!(json[0]["outcome"], "failed");
    assert_ne!(json[0]["expected"], json[0]["actual"]);

    let accepted = test(&machine, &todo, &["--accept"]);
    assert_eq!(accepted.code, Some(0), "{}", accepted.stdout);
    assert!(
        accepted.stdout.contains("1 accepted"),
        "{}",
        accepted.stdout
    );
    let now = fs::read_to_string(&path).expect("is there");
    let head = |text: &str| text.split("\n[expect]\n").next().map(str::to_owned);
    assert_eq!(head(&now), head(&text));
    assert!(!now.contains("eggs"), "{now}");
    let again = test(&machine, &todo, &[]);
    assert_eq!(again.code, Some(0), "{}", again.stdout);
}

#[test]
fn a_replay_answers_what_the_case_answers_and_names_what_it_lacks() {
    let machine = Machine::new();
    let todo = plugin("todo");
    record(&machine, "added", &[&todo, "add", "title=Milk"]);
    let words = [&*todo, "clear", "what=everything", "--allow", "todo.clear"];
    let case = record(&machine, "cleared", &words);
    assert!(case.contains("decision = \"once\""), "{case}");
    let path = machine.path("work/cases/cleared.toml");
    let without = case.replace("[[verdict]]\ndecision = \"once\"\n", "");
    assert_ne!(without, case);
    fs::write(&path, &without).expect("is written");
    let tested = test(&machine, &todo, &["cleared"]);
    assert_eq!(tested.code, Some(1), "{}", tested.stdout);
    assert!(
        tested
            .stdout
            .contains("approval that the case does not give: todo.clear"),
        "{}",
        tested.stdout
    );
    let more = case.replace(
        "\n[expect]\n",
        "\n[[answer]]\nreply = \"skip\"\n\n[expect]\n",
    );
    fs::write(&path, &more).expect("is written");
    let tested = test(&machine, &todo, &["cleared"]);
    assert!(
        tested
            .stdout
            .contains("1 answers of the case were not asked for"),
        "{}",
        tested.stdout
    );
}

#[test]
fn what_cannot_be_recorded_or_replayed_says_why() {
    let machine = Machine::new();
    let (gallery, todo) = (plugin("gallery"), plugin("todo"));
    let none = machine.run(&["test", &todo, "--cases", "cases"]);
    assert_eq!(none.code, Some(2), "{}", none.stderr);
    assert!(
        none.stderr.contains("--record cases/NAME.toml"),
        "{}",
        none.stderr
    );
    let refused = |words: &[&str], code: i32, said: &str| {
        let ran = machine.run(words);
        assert_eq!(ran.code, Some(code), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
        assert!(!machine.path("work/cases").exists(), "{words:?}");
    };
    refused(
        &["call", &todo, "list", "--record", "cases/a.json"],
        2,
        "ends with `.toml`",
    );
    refused(
        &[
            "call",
            &todo,
            "list",
            "--record",
            "cases/a.toml",
            "--dir",
            "/data=.",
        ],
        2,
        "folder",
    );
    let ask = [
        "call",
        &gallery,
        "ask_secret",
        "--record",
        "cases/a.toml",
        "--no-input",
    ];
    refused(&ask, 4, "nobody could be asked");
    let told = [&ask[..5], &["--answer", "password=hunter2"]].concat();
    refused(&told, 1, "was told a secret");
    record(&machine, "listed", &[&todo, "list"]);
    let again = machine.run(&["call", &todo, "list", "--record", "cases/listed.toml"]);
    assert_eq!(again.code, Some(2), "{}", again.stderr);
    assert!(again.stderr.contains("the file exists"), "{}", again.stderr);
    let unknown = test(&machine, &todo, &["nothing-like-it"]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.stderr);
    fs::write(machine.path("work/cases/bad.toml"), "tool = 1\n").expect("is written");
    let bad = test(&machine, &todo, &["--json"]);
    assert_eq!(bad.code, Some(1), "{}", bad.stderr);
    let lines: Vec<Value> = bad.stdout.lines().map(json_of).collect();
    assert_eq!(
        (&lines[0]["name"], &lines[0]["outcome"]),
        (&json!("bad"), &json!("failed"))
    );
    assert_eq!(lines[2]["passed"], 1);
}

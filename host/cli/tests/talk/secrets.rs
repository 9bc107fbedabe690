//! Secrets: set, listed, removed, and nowhere but where they are kept.

use crate::machine::{Machine, ended, json_of};
use crate::terminal::Terminal;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread::JoinHandle;

const CANARY: &str = "canary-3f9a0c21";

const NET: &str = "[[net]]\nhost = \"api.example.com\"\n[[secret]]\nname = \"token\"\nhost = \"api.example.com\"\nheader = \"authorization\"\n";

/// Asserts that no file below a folder contains the value, but for the one that keeps secrets.
fn assert_nowhere(folder: &Path) {
    for entry in fs::read_dir(folder).expect("is there") {
        let path = entry.expect("is there").path();
        if path.is_dir() {
            assert_nowhere(&path);
        } else if !path.ends_with("data/secrets.json") && !path.ends_with("value.txt") {
            let bytes = fs::read(&path).unwrap_or_default();
            let found = bytes
                .windows(CANARY.len())
                .any(|window| window == CANARY.as_bytes());
            assert!(!found, "{}", path.display());
        }
    }
}

#[test]
fn secrets_are_set_listed_and_removed_and_never_shown() {
    let machine = Machine::new();
    let mail = machine.asking_for("hello", "mail", NET);
    let mut outputs = Vec::new();
    let mut run = |words: &[&str], code: i32| {
        let ran = machine.run(words);
        assert_eq!(
            ran.code,
            Some(code),
            "{words:?}: {}{}",
            ran.stdout,
            ran.stderr
        );
        outputs.push(format!("{}{}", ran.stdout, ran.stderr));
        format!("{}{}", ran.stdout, ran.stderr)
    };
    let unset = run(&["inspect", &mail], 0);
    let remedy = "Your secret `token` has no value; set it with: footlight secrets set mail token";
    assert!(unset.contains(remedy), "{unset}");
    let piped = machine.fed(&["secrets", "set", "mail", "token"], &format!("{CANARY}\n"));
    assert_eq!(piped.code, Some(0), "{}", piped.stderr);
    assert!(
        piped.stderr.contains("unencrypted; only you can read it"),
        "{}",
        piped.stderr
    );
    let path = machine.path("data/secrets.json");
    let mode = || fs::metadata(&path).expect("is there").permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    let listed = run(&["secrets", "list"], 0);
    assert_eq!(listed, "mail.token  in the file\n");
    let listed = json_of(run(&["secrets", "list", "--json"], 0).trim_end());
    assert_eq!(
        listed,
        json_of("{\"plugin\":\"mail\",\"name\":\"token\",\"store\":\"file\"}")
    );
    let set = run(&["inspect", &mail], 0);
    assert!(
        set.contains("Your secret `token` has a value, in the file."),
        "{set}"
    );
    let set = json_of(run(&["inspect", &mail, "--json"], 0).trim_end());
    assert_eq!(
        set["secrets"],
        json_of("[{\"name\":\"token\",\"store\":\"file\"}]")
    );
    let file = machine.file("value.txt", CANARY);
    run(
        &["secrets", "set", "mail", "token", "--file", &file, "--json"],
        0,
    );
    assert_eq!(mode(), 0o600);
    // A stored value is enough for the flag, and so are a file and the environment. A plugin that holds
    // a secret can act in the person's name, so that its calls need approval.
    let from_file = format!("token=@{file}");
    for words in [
        vec!["call", &mail, "name=Ada", "--secret", "token"],
        vec!["run", &mail, "/greet name=Ada", "--secret", "mail.token"],
        vec!["call", &mail, "name=Ada", "--json", "--secret", &from_file],
    ] {
        run(&[&words[..], &["--allow", "mail.greet"]].concat(), 0);
    }
    run(&["secrets", "remove", "mail", "token"], 0);
    let gone = run(&["secrets", "remove", "mail", "token"], 2);
    assert!(
        gone.contains("there is no secret `token` of `mail`"),
        "{gone}"
    );
    let missing = run(&["call", &mail, "name=Ada", "--secret", "token"], 4);
    for said in [
        "FOOTLIGHT_SECRET_TOKEN",
        "`--secret token=@FILE`",
        "footlight secrets set mail token",
    ] {
        assert!(missing.contains(said), "{missing}");
    }
    let mut command = machine.command(&[
        "run",
        &mail,
        "/greet name=Ada",
        "--secret",
        "token",
        "--allow",
        "mail.greet",
    ]);
    command.env("FOOTLIGHT_SECRET_TOKEN", CANARY);
    let ran = ended(command.output().expect("the binary is built"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    outputs.push(format!("{}{}", ran.stdout, ran.stderr));
    outputs.push(format!("{}{}", piped.stdout, piped.stderr));
    for output in outputs {
        assert!(!output.contains(CANARY), "{output}");
    }
    assert_nowhere(&machine.path(""));
}

#[test]
fn what_is_no_secret_is_refused_without_repeating_it() {
    let machine = Machine::new();
    for (name, value) in [
        ("token", ""),
        ("token", "\n"),
        ("token", "canary\u{e9}"),
        ("token", "canary\nmore"),
        ("token", " canary"),
        ("token", "canary\u{0}"),
    ] {
        let refused = machine.fed(&["secrets", "set", "mail", name], value);
        assert_eq!(refused.code, Some(2), "{value:?}: {}", refused.stderr);
        assert!(!refused.stderr.contains("canary"), "{}", refused.stderr);
    }
    let long = machine.fed(&["secrets", "set", "mail", "token"], &"x".repeat(8193));
    assert_eq!(long.code, Some(2), "{}", long.stderr);
    let endless = machine.fed(&["secrets", "set", "mail", "token"], &"x".repeat(17 << 10));
    assert_eq!(endless.code, Some(1), "{}", endless.stderr);
    // Somebody may type the value where the name belongs.
    for words in [
        ["secrets", "set", "mail", "Canary-1"],
        ["secrets", "set", "canary 1", "token"],
        ["secrets", "remove", "mail", "canary=1"],
    ] {
        let refused = machine.run(&words);
        assert_eq!(refused.code, Some(2), "{words:?}: {}", refused.stderr);
        assert!(
            !refused.stderr.to_lowercase().contains("canary"),
            "{}",
            refused.stderr
        );
    }
    if !cfg!(feature = "keyring") {
        let refused = machine.fed(
            &["secrets", "set", "mail", "token", "--store", "keyring"],
            "x",
        );
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("`--store file`"),
            "{}",
            refused.stderr
        );
    }
    assert_eq!(machine.run(&["secrets", "list"]).stdout, "");
}

#[test]
fn a_file_that_others_can_read_is_refused() {
    let machine = Machine::new();
    let mail = machine.asking_for("hello", "mail", NET);
    machine.fed(&["secrets", "set", "mail", "token"], CANARY);
    let path = machine.path("data/secrets.json");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("is set");
    for words in [
        vec!["secrets", "list"],
        vec!["inspect", &mail],
        vec!["call", &mail, "name=Ada", "--secret", "token"],
    ] {
        let refused = machine.run(&words);
        assert_eq!(refused.code, Some(1), "{words:?}: {}", refused.stderr);
        assert!(
            refused.stderr.contains("chmod 600"),
            "{words:?}: {}",
            refused.stderr
        );
    }
}

#[test]
fn a_build_script_does_not_see_secrets() {
    let machine = Machine::new();
    let package = "[package]\nname = \"nosy\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ncrate-type = [\"cdylib\"]\n[workspace]\n";
    fs::create_dir_all(machine.path("work/src")).expect("is made");
    machine.file("Cargo.toml", package);
    machine.file("src/lib.rs", "");
    let build = "fn main() { for (name, value) in std::env::vars() { if name.starts_with(\"FOOTLIGHT_SECRET\") { panic!(\"{value}\"); } } panic!(\"it saw none\"); }";
    machine.file("build.rs", build);
    let mut command = machine.command(&["build", ".", "--yes"]);
    command
        .env("FOOTLIGHT_SECRET_TOKEN", CANARY)
        .env("footlight_secret_x", CANARY);
    let ran = ended(command.output().expect("the binary is built"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("it saw none"), "{}", ran.stderr);
    assert!(!ran.stderr.contains(CANARY), "{}", ran.stderr);
}

/// A server on loopback that answers one request, and returns its head.
fn server() -> (u16, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let served = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut reader = BufReader::new(stream.try_clone().expect("can be shared"));
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = reader.read_line(&mut head).expect("is text");
            assert_ne!(read, 0, "{head}");
        }
        let answer = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";
        stream.write_all(answer.as_bytes()).expect("is read");
        head
    });
    (port, served)
}

/// A plugin that asks for a server on this machine and a secret for it.
fn mail(machine: &Machine, port: u16) -> String {
    let powers = format!(
        "[[net]]\nhost = \"127.0.0.1:{port}\"\nscheme = \"http\"\n[[secret]]\nname = \"token\"\nhost = \"127.0.0.1:{port}\"\nheader = \"authorization\"\nprefix = \"Bearer \"\n"
    );
    machine.sending("mail", &powers)
}

#[test]
fn a_secret_that_nobody_granted_is_asked_for_in_the_running_call_and_sent() {
    for (words, columns) in [("call", 80), ("run", 80), ("call", 40)] {
        let machine = Machine::new();
        let (port, served) = server();
        let mail = mail(&machine, port);
        let url = format!("url=http://127.0.0.1:{port}/me");
        let prompt = format!("/mail.fetch method=GET {url}");
        let command = match words {
            "call" => machine.command(&["call", &mail, "fetch", "method=GET", &url]),
            _ => machine.command(&["run", &mail, &prompt]),
        };
        let mut terminal = Terminal::run(command, columns, 24);
        let screen = terminal.expect("verdict [deny]:");
        for said in ["GET request to", "┃ secret   your token"] {
            assert!(screen.contains(said), "{said}: {screen}");
        }
        terminal.keys("o\r");
        let screen = terminal.expect("not shown as you type:");
        assert!(
            screen.contains("┃ the secret `token` has no value"),
            "{screen}"
        );
        // What cannot stand in a header is refused, and not repeated.
        terminal.keys(&format!("{CANARY}\u{e9}\r"));
        terminal.expect("visible");
        terminal.expect_again("not shown as you type:", 2);
        terminal.keys(&format!("wrong\u{15}{CANARY}!\u{7f}\r"));
        assert!(terminal.end().success(), "{}", terminal.screen());
        let head = served.join().expect("it was asked");
        let header = format!("authorization: Bearer {CANARY}\r\n");
        assert!(head.contains(&header), "{head}");
        let screen = terminal.screen();
        assert!(screen.contains("hello"), "{screen}");
        assert!(
            !screen.contains("not shown as you type"),
            "it folds: {screen}"
        );
        let screen = screen.replace("\n┃", "");
        assert!(
            screen.contains("footlight secrets set mail token"),
            "{screen}"
        );
        assert!(!terminal.written.contains(CANARY), "{}", terminal.written);
        assert!(terminal.echoes());
        // It is kept for this run only.
        assert_nowhere(&machine.path(""));
        assert!(!machine.path("data/secrets.json").exists());
    }
}

#[test]
fn without_a_value_nothing_is_sent() {
    let machine = Machine::new();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let mail = mail(&machine, port);
    let url = format!("url=http://127.0.0.1:{port}/me");
    for typed in ["\r", "\u{4}"] {
        let command = machine.command(&["call", &mail, "fetch", "method=GET", &url]);
        let mut terminal = Terminal::run(command, 80, 24);
        terminal.expect("verdict [deny]:");
        terminal.keys("o\r");
        terminal.expect("not shown as you type:");
        terminal.keys(typed);
        terminal.end();
        let screen = terminal.screen();
        assert!(
            screen.contains("no value, so the request is denied"),
            "{screen}"
        );
        assert!(screen.contains("Denied"), "{screen}");
    }
    listener.set_nonblocking(true).expect("is set");
    assert!(listener.accept().is_err(), "nobody connected");
}

//! Paths that are not Unicode: every command answers, with `--json` too.

use crate::machine::{Machine, ended, json_of, plugin};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// A name that is no text.
fn odd(rest: &str) -> OsString {
    OsString::from_vec([b"odd\xff\xfe".as_slice(), rest.as_bytes()].concat())
}

#[test]
fn no_command_fails_on_a_path_that_is_not_unicode() {
    let machine = Machine::new();
    let work = machine.path("work");
    let (hello, gallery) = (plugin("hello"), plugin("gallery"));
    fs::create_dir(work.join(odd(""))).expect("is made");
    fs::copy(&hello, work.join(odd("/in.wasm"))).expect("is copied");
    let bare = machine.sending("mail", "");
    fs::copy(bare, work.join(odd("/bare.wasm"))).expect("is copied");
    machine.file(
        "manifest.toml",
        "[plugin]\nid = \"odd\"\nversion = \"0.1.0\"\napi = \"0.1\"\ndescription = \"Odd\"\n",
    );
    let ran = machine.run(&["run", &gallery, "/outputs"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let outputs = machine.run(&["outputs", "list", "--json"]).lines();
    let output = outputs[0]["id"].as_str().expect("an id").to_owned();
    let word = |word: &str| OsString::from(word);
    let words = |all: &[&str], last: &[OsString]| -> Vec<OsString> {
        let all = all.iter().map(OsString::from);
        all.chain(last.iter().cloned()).collect()
    };
    let commands = [
        words(&["inspect", "--static"], &[odd("/in.wasm")]),
        words(&["inspect"], &[odd("/in.wasm")]),
        words(
            &["pack", "--replace", "--manifest", "manifest.toml", "-o"],
            &[odd("/packed.wasm"), odd("/bare.wasm")],
        ),
        words(
            &["call"],
            &[odd("/in.wasm"), word("greet"), word("name=Ada")],
        ),
        words(&["sessions", "export", "last", "-o"], &[odd("/session.md")]),
        words(&["outputs", "show", &output, "--to"], &[odd("/output")]),
        words(&["publish", "--new-key"], &[odd("/new.key")]),
        words(&["build", "--yes"], &[odd("/in.wasm")]),
    ];
    for words in commands {
        for json in [false, true] {
            let mut command = machine.command(&[]);
            command.args(&words).env("FOOTLIGHT_KEY_PASSWORD", "");
            if json {
                command.arg("--json");
            }
            let ran = ended(command.output().expect("the binary is built"));
            let said = format!("{words:?} {json}: {}{}", ran.stdout, ran.stderr);
            assert_eq!(ran.code, Some(0), "{said}");
            assert!(!ran.stderr.contains("panicked"), "{said}");
            if json {
                ran.stdout.lines().for_each(|line| drop(json_of(line)));
            }
            // What was written is written again.
            for written in ["/session.md", "/output", "/new.key", "/new.pub"] {
                let _ = fs::remove_file(work.join(odd(written)));
            }
        }
    }
}

#[test]
fn consent_to_one_folder_is_none_to_another_whose_name_reads_alike() {
    let machine = Machine::new();
    let folders = [
        odd("a"),
        OsString::from_vec(b"odd\xfe\xffa".to_vec()),
        OsString::from("odd\u{fffd}\u{fffd}a"),
    ];
    for name in &folders {
        crate::native_code::trap(&machine.path("").join(name));
    }
    let build = |name: &OsString, consent: bool| {
        let mut command = machine.command(&["build"]);
        command.arg(machine.path("").join(name));
        if !consent {
            return command.output().expect("the binary is built").status.code();
        }
        let mut terminal = crate::terminal::Terminal::run(command, 80, 24);
        terminal.expect("[y/N]");
        terminal.keys("y\r");
        terminal.end().code()
    };
    assert_eq!(build(&folders[0], false), Some(4));
    assert_ne!(build(&folders[0], true), Some(3));
    let kept = fs::read(machine.path("config/consent.json")).expect("is remembered");
    assert!(std::str::from_utf8(&kept).is_ok());
    assert_ne!(build(&folders[0], false), Some(4), "it is remembered");
    for other in &folders[1..] {
        assert_eq!(build(other, false), Some(4), "{:?}", other.as_bytes());
    }
}

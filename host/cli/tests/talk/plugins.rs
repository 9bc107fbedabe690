//! Plugins are published, installed by a command, asked about, found by name, updated and removed.

pub(crate) mod author;
mod fake;
mod login;
mod names;
mod published;
mod refused;
pub(crate) mod registry;
mod signed;

use crate::machine::{Machine, json_of};
use crate::terminal::Terminal;
use author::{Author, NET, mail};
use registry::Registry;
use std::fs;

/// Asserts that a machine has nothing installed and has remembered nothing.
fn assert_nothing_installed(machine: &Machine) {
    for name in ["data/plugins", "config/consent.json"] {
        let path = machine.path(name);
        let is_there = match name {
            "data/plugins" => fs::read_dir(&path).is_ok_and(|mut found| found.next().is_some()),
            _ => fs::read_to_string(&path).is_ok_and(|text| text.contains("mail")),
        };
        assert!(!is_there, "{}", path.display());
    }
}

#[test]
fn a_plugin_from_a_registry_is_added_asked_about_run_updated_and_removed() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let machine = Machine::new();
    let ada = Author::new(&machine, "ada");
    let reference = registry.reference("acme/mail:1");
    ada.publish(&machine, &mail("1.0.0", ""), &reference);

    let add = |answer: &str| {
        let command = machine.command(&["plugins", "add", &reference]);
        let mut terminal = Terminal::run(command, 120, 40);
        let screen = terminal.expect("[y/N]");
        for said in [
            "`mail` 1.0.0 would be installed.",
            "from: 127.0.0.1:",
            "it asks for no powers",
            "signed with a key that is new to you",
            &ada.id,
            "Trust this key for `mail` and install it?",
        ] {
            assert!(screen.contains(said), "{said}: {screen}");
        }
        terminal.keys(&format!("{answer}\r"));
        terminal.end().code()
    };
    assert_eq!(add("n"), Some(3));
    assert_nothing_installed(&machine);
    assert_eq!(add("y"), Some(0));

    // By its name, and without another question.
    let called = machine.run(&["call", "mail", "name=Ada"]);
    assert_eq!(called.code, Some(0), "{}", called.stderr);
    assert!(called.stdout.contains("Ada"), "{}", called.stdout);
    let run = machine.run(&["run", "mail", "/greet name=Bob"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("Bob"), "{}", run.stdout);
    let resumed = machine.run(&["sessions", "resume", "last", "/greet name=Eve"]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    assert!(resumed.stdout.contains("Eve"), "{}", resumed.stdout);
    let inspected = machine.run(&["inspect", "mail"]);
    assert!(
        inspected.stdout.starts_with("mail 1.0.0\n"),
        "{}",
        inspected.stdout
    );
    let listed = json_of(
        machine
            .run(&["plugins", "list", "--json"])
            .stdout
            .trim_end(),
    );
    assert_eq!(listed["name"], "mail");
    assert_eq!(listed["version"], "1.0.0");
    assert_eq!(listed["source"], reference.as_str());
    assert_eq!(listed["key"], ada.id.as_str());
    assert_eq!(listed.get("problem"), None);

    // Nothing newer, then a newer one that asks for nothing more: no question.
    let update = || machine.run(&["plugins", "update", "--json"]);
    assert_eq!(json_of(update().stdout.trim_end())["type"], "unchanged");
    ada.publish(&machine, &mail("1.1.0", ""), &reference);
    let updated = update();
    assert_eq!(updated.code, Some(0), "{}", updated.stderr);
    let report = json_of(updated.stdout.trim_end());
    assert_eq!(report["type"], "updated");
    assert_eq!(report["previous"], "1.0.0");
    assert_eq!(report["version"], "1.1.0");
    // Only the new component is kept.
    let kept = fs::read_dir(machine.path("data/plugins")).expect("is there");
    let kept = kept.filter(|file| {
        let name = file.as_ref().expect("is there").file_name();
        name.to_string_lossy().ends_with(".wasm")
    });
    assert_eq!(kept.count(), 1);

    // One that asks for more is shown and asked about.
    ada.publish(&machine, &mail("1.2.0", NET), &reference);
    let lock = || fs::read_to_string(machine.path("data/plugins/footlight.lock"));
    let before = lock().expect("is there");
    let headless = machine.run(&["plugins", "update", "mail"]);
    assert_eq!(headless.code, Some(4), "{}", headless.stderr);
    for said in ["reach api.example.com", "`--yes`"] {
        assert!(headless.stderr.contains(said), "{}", headless.stderr);
    }
    let ask = |answer: &str| {
        let command = machine.command(&["plugins", "update", "mail"]);
        let mut terminal = Terminal::run(command, 120, 40);
        let screen = terminal.expect("[y/N]");
        for said in [
            "`mail` 1.2.0 would replace 1.1.0.",
            "signed with the key that you trust for it",
            "NEW: with your approval it may: reach api.example.com (GET)",
            "Replace it?",
        ] {
            assert!(screen.contains(said), "{said}: {screen}");
        }
        terminal.keys(&format!("{answer}\r"));
        terminal.end().code()
    };
    assert_eq!(ask("n"), Some(3));
    assert_eq!(lock().expect("is there"), before);
    assert_eq!(ask("y"), Some(0));
    assert!(lock().expect("is there").contains("version = \"1.2.0\""));
    assert_eq!(machine.run(&["call", "mail", "name=Ada"]).code, Some(0));

    let removed = machine.run(&["plugins", "remove", "mail"]);
    assert_eq!(removed.code, Some(0), "{}", removed.stderr);
    let gone = machine.run(&["call", "mail", "name=Ada"]);
    assert_eq!(gone.code, Some(1), "{}", gone.stderr);
    for said in ["there is no plugin `mail`", "footlight plugins add"] {
        assert!(gone.stderr.contains(said), "{}", gone.stderr);
    }
    let resumed = machine.run(&["sessions", "resume", "last", "/greet name=Eve"]);
    assert_eq!(resumed.code, Some(1), "{}", resumed.stderr);
}

#[test]
fn without_a_terminal_a_key_or_a_digest_has_to_be_named() {
    let machine = Machine::new();
    let ada = Author::new(&machine, "ada");
    let bob = Author::new(&machine, "bob");
    let signed = ada.write(&machine, &mail("1.0.0", NET), "signed.wasm");
    let unsigned = ada.write(&machine, &mail("1.0.0", NET), "unsigned.wasm");
    fs::remove_file(format!("{unsigned}.minisig")).expect("is there");
    let (signed, unsigned) = (signed.as_str(), unsigned.as_str());
    let digest = footlight::Digest::of(&fs::read(signed).expect("is there"));
    let digest = format!("sha256:{digest}");
    let other = format!("sha256:{}", "0".repeat(64));
    for (words, code, said) in [
        (vec![signed], 4, "which you do not trust yet"),
        (vec![signed, "--yes"], 4, "which you do not trust yet"),
        (
            vec![signed, "--key", &ada.public],
            4,
            "accept it with `--yes`",
        ),
        (vec![signed, "--digest", &digest], 4, "in `--digest`"),
        (
            vec![signed, "--yes", "--digest", &other],
            3,
            "requires sha256:000",
        ),
        (
            vec![signed, "--yes", "--digest", "sha256:1"],
            2,
            "64 digits",
        ),
        (
            vec![signed, "--yes", "--key", &bob.public],
            1,
            "does not match",
        ),
        (
            vec![signed, "--yes", "--key", "nowhere.pub"],
            2,
            "neither a public key",
        ),
        (vec![unsigned, "--yes"], 4, "it is not signed"),
        (
            vec![unsigned, "--yes", "--key", &ada.public],
            1,
            "it is not signed",
        ),
        (vec![unsigned, "--yes", "--digest", &other], 3, "requires"),
    ] {
        let words = [vec!["plugins", "add"], words].concat();
        let refused = machine.run(&words);
        assert_eq!(refused.code, Some(code), "{words:?}: {}", refused.stderr);
        assert!(
            refused.stderr.contains(said),
            "{words:?}: {}",
            refused.stderr
        );
        assert_nothing_installed(&machine);
    }
    for words in [
        vec![signed, "--yes", "--key", &ada.public],
        vec![signed, "--yes", "--key", &ada.public_file],
        vec![signed, "--yes", "--digest", &digest],
        vec![unsigned, "--yes", "--digest", &digest],
    ] {
        let machine = Machine::new();
        let words = [vec!["plugins", "add"], words].concat();
        let added = machine.run(&words);
        assert_eq!(added.code, Some(0), "{words:?}: {}", added.stderr);
        let called = machine.run(&["call", "mail", "name=Ada"]);
        assert_eq!(called.code, Some(0), "{words:?}: {}", called.stderr);
        // A key that was named is trusted; one that only came along with pinned bytes is not.
        let consents = machine.run(&["grants", "consents"]).stdout;
        let is_trusted = consents.contains("trust the key");
        assert_eq!(
            is_trusted,
            words.contains(&"--key"),
            "{words:?}: {consents}"
        );
    }
}

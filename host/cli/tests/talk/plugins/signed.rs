//! Signatures are minisign's, and an artifact is what other programs carry.

use super::author::{Author, NET, mail};
use super::registry::Registry;
use crate::machine::{Machine, ended};
use crate::programs;
use crate::terminal::Terminal;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Runs another program in the folder of a test, and returns what it says if it succeeds.
fn run(program: &Path, machine: &Machine, words: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    let ran = command.args(words).current_dir(machine.path("work"));
    let ran = ended(ran.output().expect("the program runs"));
    (ran.code == Some(0)).then(|| format!("{}{}", ran.stdout, ran.stderr))
}

#[test]
fn minisign_checks_our_signatures_and_we_check_its() {
    let Some(minisign) = programs::program("minisign", "`apt-get install minisign`") else {
        return;
    };
    let machine = Machine::new();
    let ada = Author::new(&machine, "ada");
    let path = ada.write(&machine, &mail("1.0.0", NET), "mail.wasm");
    let verify = ["-V", "-m", &path, "-P", &ada.public];
    let verified = run(&minisign, &machine, &verify).expect("minisign accepts it");
    assert!(
        verified.contains("file:mail.wasm\tversion:1.0.0"),
        "{verified}"
    );
    let verify = ["-V", "-m", &path, "-p", &ada.public_file];
    assert!(run(&minisign, &machine, &verify).is_some());

    // A key that minisign made, and its own signature with it.
    let made = ["-G", "-W", "-p", "bob.pub", "-s", "bob.key"];
    run(&minisign, &machine, &made).expect("makes a key");
    let sign = ["-S", "-s", "bob.key", "-m", &path, "-t", "from bob"];
    run(&minisign, &machine, &sign).expect("signs");
    let add = |machine: &Machine, key: &str| {
        machine.run(&["plugins", "add", &path, "--yes", "--key", key])
    };
    let unknown = machine.run(&["plugins", "add", &path, "--yes"]);
    assert_eq!(unknown.code, Some(1), "{}", unknown.stderr);
    assert!(unknown.stderr.contains("`--key`"), "{}", unknown.stderr);
    assert_eq!(
        add(&machine, &ada.public).code,
        Some(1),
        "Bob has signed it"
    );
    let added = add(&machine, "bob.pub");
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    // The same key in our hands.
    let words = ["publish", &path, "-o", "again.wasm", "--key", "bob.key"];
    let published = machine.run(&words);
    assert_eq!(published.code, Some(0), "{}", published.stderr);
    let verify = ["-V", "-m", "again.wasm", "-p", "bob.pub"];
    assert!(run(&minisign, &machine, &verify).is_some());

    // The older kind of signature, which does not cover a hash of everything, is refused.
    let sign = ["-S", "-l", "-s", "bob.key", "-m", &path];
    run(&minisign, &machine, &sign).expect("signs");
    let key = machine.path("work/bob.pub");
    let legacy = add(&Machine::new(), key.to_str().expect("is text"));
    assert_eq!(legacy.code, Some(1), "{}", legacy.stderr);
    assert!(
        legacy.stderr.contains("does not match"),
        "{}",
        legacy.stderr
    );
}

#[test]
fn the_password_of_a_key_is_typed_or_read_and_never_shown() {
    let machine = Machine::new();
    let new_key = machine.command(&["publish", "--new-key", "ada.key"]);
    let mut terminal = Terminal::run(new_key, 100, 20);
    terminal.expect("a password for the new key");
    assert!(!terminal.echoes());
    terminal.keys("opensesame\r");
    terminal.expect("the same password again");
    terminal.keys("opensesame\r");
    assert_eq!(terminal.end().code(), Some(0), "{}", terminal.screen());
    assert!(!terminal.written.contains("opensesame"));
    let metadata = fs::metadata(machine.path("work/ada.key")).expect("is there");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(machine.path("work/ada.key")).expect("is there");
    assert!(!text.contains("opensesame"));
    let exists = machine.run(&["publish", "--new-key", "ada.key"]);
    assert_eq!(exists.code, Some(2), "{}", exists.stderr);

    let component = Author::new(&machine, "bob").write(&machine, &mail("1.0.0", ""), "mail.wasm");
    let words = ["publish", &component, "-o", "out.wasm", "--key", "ada.key"];
    let missing = machine.run(&words);
    assert_eq!(missing.code, Some(4), "{}", missing.stderr);
    assert!(
        missing.stderr.contains("`--password-file`"),
        "{}",
        missing.stderr
    );
    let mut wrong = machine.command(&words);
    let wrong = ended(
        wrong
            .env("FOOTLIGHT_KEY_PASSWORD", "sesame")
            .output()
            .expect("runs"),
    );
    assert_eq!(wrong.code, Some(1), "{}", wrong.stderr);
    assert!(
        wrong.stderr.contains("password is wrong"),
        "{}",
        wrong.stderr
    );
    assert!(!machine.path("work/out.wasm").exists());
    let file = machine.file("password.txt", "opensesame\n");
    let read = machine.run(&[&words[..], &["--password-file", &file]].concat());
    assert_eq!(read.code, Some(0), "{}", read.stderr);
    let mut terminal = Terminal::run(machine.command(&words), 100, 20);
    terminal.expect("the password of the key");
    assert!(!terminal.echoes());
    terminal.keys("opensesame\r");
    assert_eq!(terminal.end().code(), Some(0), "{}", terminal.screen());
    assert!(!terminal.written.contains("opensesame"));
}

#[test]
fn another_program_copies_an_artifact_with_its_signature() {
    let Some(skopeo) = programs::program("skopeo", "`apt-get install skopeo`") else {
        return;
    };
    let Some(registry) = Registry::start() else {
        return;
    };
    let machine = Machine::new();
    let ada = Author::new(&machine, "ada");
    // Without a tag it is pushed under its version and as the latest.
    let reference = registry.reference("acme/mail");
    ada.publish(&machine, &mail("1.0.0", ""), &reference);
    let (from, to) = (
        format!("docker://{reference}:1.0.0"),
        format!("docker://{}", registry.reference("mirror/mail:latest")),
    );
    let copy = [
        "--insecure-policy",
        "copy",
        "--src-tls-verify=false",
        "--dest-tls-verify=false",
        &from,
        &to,
    ];
    run(&skopeo, &machine, &copy).expect("skopeo copies it");
    for reference in [registry.reference("mirror/mail"), reference] {
        let machine = Machine::new();
        let words = ["plugins", "add", &reference, "--yes", "--key", &ada.public];
        let added = machine.run(&words);
        assert_eq!(added.code, Some(0), "{}", added.stderr);
        assert_eq!(machine.run(&["call", "mail", "name=Ada"]).code, Some(0));
    }
}

#[test]
fn a_key_that_is_named_after_the_installation_is_trusted_from_then_on() {
    let machine = Machine::new();
    let ada = Author::new(&machine, "ada");
    let path = ada.write(&machine, &mail("1.0.0", ""), "mail.wasm");
    let signature = format!("{path}.minisig");
    let both = [&path, &signature].map(|path| fs::read(path).expect("is written"));
    let digest = format!("sha256:{}", footlight::Digest::of(&both[0]));
    let by_digest = ["plugins", "add", &path, "--yes", "--digest", &digest];
    assert_eq!(machine.run(&by_digest).code, Some(0));
    ada.write(&machine, &mail("1.1.0", ""), "mail.wasm");
    let update = ["plugins", "update", "mail", "--yes"];
    let refused = machine.run(&update);
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
    fs::write(&path, &both[0]).expect("is written");
    fs::write(&signature, &both[1]).expect("is written");
    let named = ["plugins", "add", &path, "--yes", "--key", &ada.public];
    let said = machine.run(&named);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    ada.write(&machine, &mail("1.1.0", ""), "mail.wasm");
    let updated = machine.run(&update);
    assert_eq!(updated.code, Some(0), "{}", updated.stderr);
}

#[test]
fn a_key_that_changes_is_shown_and_accepted_at_a_terminal_alone() {
    let machine = Machine::new();
    let ada = Author::new(&machine, "ada");
    let bob = Author::new(&machine, "bob");
    let path = ada.write(&machine, &mail("1.0.0", ""), "mail.wasm");
    let words = ["plugins", "add", &path, "--yes", "--key", &ada.public];
    assert_eq!(machine.run(&words).code, Some(0));
    bob.write(&machine, &mail("1.1.0", ""), "mail.wasm");
    let ask = |said: &[&str], answer: &str| {
        let command = machine.command(&["plugins", "update", "mail", "--yes"]);
        let mut terminal = Terminal::run(command, 120, 40);
        let screen = terminal.expect("[y/N]");
        for said in said {
            assert!(screen.contains(said), "{said}: {screen}");
        }
        terminal.keys(&format!("{answer}\r"));
        terminal.end().code()
    };
    let trusted = format!("trusted: {}", ada.id);
    let now = format!("now: {}", bob.id);
    let changed = [
        "signed with ANOTHER KEY than the one that you trust for it",
        &*trusted,
        &now,
        "Trust the new key for `mail` and replace it?",
    ];
    assert_eq!(ask(&changed, "n"), Some(3));
    assert_eq!(ask(&changed, "y"), Some(0));
    // Now it is Ada's that is another one, and one without a signature is no better.
    ada.write(&machine, &mail("1.2.0", ""), "mail.wasm");
    let refused = machine.run(&["plugins", "update", "mail", "--yes"]);
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
    fs::remove_file(format!("{path}.minisig")).expect("is there");
    let unsigned = [
        "NOT SIGNED, although you trust a key for it",
        "Without a signature, replace it all the same?",
    ];
    assert_eq!(ask(&unsigned, ""), Some(3));
    // A key that was forgotten is new again, also after the plugin was removed.
    bob.write(&machine, &mail("1.2.0", ""), "mail.wasm");
    assert_eq!(machine.run(&["plugins", "remove", "mail"]).code, Some(0));
    let words = ["plugins", "add", &path, "--yes"];
    let added = machine.run(&words);
    assert_eq!(
        added.code,
        Some(0),
        "the key is still trusted: {}",
        added.stderr
    );
    let consents = machine.run(&["grants", "consents"]).stdout;
    let line = consents.lines().find(|line| line.contains("trust the key"));
    let id = line
        .and_then(|line| line.split(' ').next())
        .expect("is listed");
    assert_eq!(machine.run(&["grants", "revoke", id]).code, Some(0));
    bob.write(&machine, &mail("1.3.0", ""), "mail.wasm");
    let forgotten = machine.run(&["plugins", "update", "mail", "--yes"]);
    assert_eq!(forgotten.code, Some(4), "{}", forgotten.stderr);
    assert!(
        forgotten.stderr.contains("do not trust yet"),
        "{}",
        forgotten.stderr
    );
}

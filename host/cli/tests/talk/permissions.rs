//! Files that others can read or change where that matters, and folders that cannot be written.

use crate::machine::{Machine, is_root, plugin};
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// Commands that read a secret from `secret.txt`, and modes with which they must not.
fn readers(machine: &Machine) -> Vec<(Vec<String>, &'static [u32])> {
    let words = |all: &[&str]| all.iter().map(|word| (*word).to_owned()).collect();
    let hello = plugin("hello");
    let powers = "[[net]]\nhost = \"127.0.0.1:9\"\nscheme = \"http\"\n[[secret]]\nname = \"token\"\nhost = \"127.0.0.1:9\"\nheader = \"authorization\"\n";
    let mail = machine.sending("mail", powers);
    // Where the secret is accepted, the certificate that is not there ends the server.
    vec![
        (
            words(&["call", &mail, "fetch", "--secret", "token=@secret.txt"]),
            &[0o640, 0o644, 0o604, 0o666, 0o602],
        ),
        (
            words(&[
                "serve",
                &hello,
                "--port",
                "0",
                "--token-file",
                "secret.txt",
                "--tls-cert",
                "none.pem",
                "--tls-key",
                "key.pem",
            ]),
            &[0o640, 0o644, 0o604, 0o666, 0o602],
        ),
        (
            words(&[
                "serve",
                &hello,
                "--port",
                "0",
                "--tls-cert",
                "none.pem",
                "--tls-key",
                "secret.txt",
            ]),
            &[0o644, 0o604, 0o666, 0o602],
        ),
    ]
}

fn set(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("is set");
}

#[test]
fn a_secret_is_read_from_no_file_that_others_can_read_or_change() {
    let machine = Machine::new();
    machine.file("secret.txt", TOKEN);
    machine.file("key.pem", "");
    let path = machine.path("work/secret.txt");
    for (words, modes) in readers(&machine) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let is_refused = || {
            let ran = machine.run(&words);
            assert_ne!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
            let said = [
                "can be read by other users",
                "can be changed by every user",
                "belongs to another user",
            ];
            said.iter()
                .any(|said| ran.stderr.contains(&format!("secret.txt` {said}")))
        };
        for mode in modes {
            set(&path, *mode);
            assert!(is_refused(), "{words:?} with {mode:o}");
        }
        set(&path, 0o600);
        assert!(!is_refused(), "{words:?}");
        if is_root() {
            chown(&path, Some(12_345), None).expect("is root");
            assert!(is_refused(), "{words:?} of another user");
            chown(&path, Some(0), None).expect("is root");
        }
    }
}

#[test]
fn a_file_that_others_can_change_names_a_remedy_that_helps() {
    let machine = Machine::new();
    for name in ["data/plugins/footlight.lock", "config/footlight.toml"] {
        let path = machine.path(name);
        fs::create_dir_all(path.parent().expect("has one")).expect("is made");
        fs::write(&path, "").expect("is written");
        set(&path, 0o666);
        let refused = machine.run(&["run", "weather", "hello"]);
        assert_eq!(refused.code, Some(1), "{name}: {}", refused.stderr);
        assert!(
            refused.stderr.contains("chmod go-w"),
            "{name}: {}",
            refused.stderr
        );
        assert!(
            !refused.stderr.contains("FOOTLIGHT_CONFIG_DIR"),
            "{name}: {}",
            refused.stderr
        );
        fs::remove_file(path).expect("is removed");
    }
}

#[test]
fn without_a_cache_that_can_be_written_plugins_run_all_the_same() {
    let machine = Machine::new();
    let hello = plugin("hello");
    let file = machine.file("no-folder", "");
    for cache in ["/proc", "/dev/null", &file] {
        let mut command = machine.command(&["call", &hello, "greet", "name=Ada"]);
        command.env("XDG_CACHE_HOME", cache);
        let ran = crate::machine::ended(command.output().expect("the binary is built"));
        assert_eq!(ran.code, Some(0), "{cache}: {}", ran.stderr);
        assert!(ran.stdout.contains("Ada"), "{}", ran.stdout);
    }
}

#[test]
fn doctor_warns_of_a_cache_that_cannot_be_written_and_succeeds() {
    let machine = Machine::new();
    let file = machine.file("no-folder", "");
    for cache in ["/proc", "/dev/null", &file] {
        let doctor = |words: &[&str]| {
            let mut command = machine.command(words);
            command.env("XDG_CACHE_HOME", cache);
            crate::machine::ended(command.output().expect("the binary is built"))
        };
        let checked = doctor(&["doctor", "--json"]);
        assert_eq!(checked.code, Some(0), "{cache}: {}", checked.stdout);
        let lines = checked.lines();
        let found = lines.iter().find(|line| line["name"] == "compiled cache");
        let found = found.expect("is checked");
        assert_eq!(
            (&found["ok"], &found["required"]),
            (&false.into(), &false.into())
        );
        let words = found["words"].as_str().expect("words");
        assert!(words.contains("compiles its plugins again"), "{words}");
        assert!(words.contains("XDG_CACHE_HOME"), "{words}");
        let shown = doctor(&["doctor"]).stdout;
        assert!(shown.contains("warning   compiled cache"), "{shown}");
    }
}

#[test]
fn help_that_cannot_be_written_is_an_error() {
    let machine = Machine::new();
    for words in [
        &["--help"][..],
        &["-h"],
        &["--version"],
        &["run", "--help"],
        &["--help", "--json"],
        &["completions", "bash"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let Ok(full) = full else { return };
        let status = machine.command(words).stdout(full).status();
        assert_eq!(
            status.expect("the binary is built").code(),
            Some(1),
            "{words:?}"
        );
    }
}

#[test]
fn a_plugin_does_not_choose_the_exit_code_of_a_call_that_nobody_refused_or_cancelled() {
    let machine = Machine::new();
    let rogue = plugin("rogue");
    for (code, exit) in [
        ("denied", 5),
        ("cancelled", 5),
        ("unavailable", 5),
        ("other", 5),
        ("invalid-input", 2),
    ] {
        let code = format!("code={code}");
        let ran = machine.run(&["call", &rogue, "fail", &code, "--no-input"]);
        assert_eq!(ran.code, Some(exit), "{code}: {}{}", ran.stdout, ran.stderr);
        let shown = format!("{}{}", ran.stdout, ran.stderr);
        for mark in ["interrupted", "cancelled", "denied"] {
            assert!(!shown.contains(&format!("· {mark}")), "{code}: {shown}");
        }
        let prompt = format!("/fail {code}");
        let ran = machine.run(&["run", &rogue, &prompt, "--no-input"]);
        assert_eq!(ran.code, Some(exit), "{code}: {}{}", ran.stdout, ran.stderr);
    }
}

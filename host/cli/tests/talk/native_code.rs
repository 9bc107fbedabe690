//! Consent to native code: a crate's build script runs only after the person agreed, or for a crate
//! that the person named in their own project.

use crate::machine::{Ended, Machine, ended, is_root};
use crate::terminal::Terminal;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

/// Creates a crate whose build script writes a file, and returns the path of that file.
pub(crate) fn trap(folder: &Path) -> PathBuf {
    let canary = folder.join("canary");
    let script = format!("fn main() {{ std::fs::write({canary:?}, \"\").unwrap(); }}");
    fs::create_dir_all(folder.join("src")).expect("is made");
    let package = "[package]\nname = \"trap\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ncrate-type = [\"cdylib\"]\n[workspace]\n";
    for (file, text) in [
        ("Cargo.toml", package),
        ("build.rs", &script),
        ("src/lib.rs", ""),
    ] {
        fs::write(folder.join(file), text).expect("is written");
    }
    canary
}

/// A machine with a repository `work`, a crate in it and one outside, and the canaries of both.
fn machine() -> (Machine, PathBuf, PathBuf) {
    let machine = Machine::new();
    fs::create_dir(machine.path("work/.git")).expect("is made");
    let inside = trap(&machine.path("work/own"));
    let outside = trap(&machine.path("theirs"));
    (machine, inside, outside)
}

fn run_in(machine: &Machine, folder: &str, words: &[&str]) -> Ended {
    let mut command = machine.command(words);
    command.current_dir(machine.path(folder));
    ended(command.output().expect("the binary is built"))
}

/// Every way to name a crate that needs consent: a project file, and the words of a command.
fn ways() -> Vec<(Option<&'static str>, Vec<&'static str>)> {
    let mut ways = Vec::new();
    for theirs in ["../theirs", "own/../../theirs", "link", "./link/."] {
        for words in [
            vec!["run", theirs, "hello"],
            vec!["chat", theirs],
            vec!["call", theirs, "greet"],
            vec!["build", theirs],
            vec!["grants", "explain", theirs, "greet"],
            vec!["inspect", theirs],
            vec!["inspect", theirs, "--static", "--json"],
        ] {
            ways.push((None, words));
        }
    }
    // The person's own crate, which `inspect` does not build unasked either.
    ways.push((None, vec!["inspect", "own"]));
    ways.push((None, vec!["inspect", "own", "--static"]));
    // A file of the project, whatever it names.
    for plugin in ["own", "../theirs", "link", "./own/../own"] {
        for words in [
            vec!["run", "hello"],
            vec!["chat"],
            vec!["run", "hello", "--yes"],
        ] {
            ways.push((Some(plugin), words));
        }
    }
    ways
}

#[test]
fn nothing_is_built_without_consent_however_a_crate_is_named() {
    let (machine, inside, outside) = machine();
    symlink(machine.path("theirs"), machine.path("work/link")).expect("is made");
    for (plugin, words) in ways() {
        let config = machine.path("work/footlight.toml");
        match plugin {
            Some(plugin) => fs::write(config, format!("plugins = [{plugin:?}]\n")),
            None => fs::remove_file(config).or(Ok(())),
        }
        .expect("is written");
        for extra in [None, Some("--no-input")] {
            let words: Vec<&str> = words.iter().copied().chain(extra).collect();
            let refused = machine.run(&words);
            assert_eq!(refused.code, Some(4), "{words:?}: {}", refused.stderr);
            let flag = match plugin {
                Some(_) => "`--trust-project`",
                None => "`--yes`",
            };
            assert!(
                refused.stderr.contains(flag),
                "{words:?}: {}",
                refused.stderr
            );
            // With `--json` the refusal is JSON on stdout, too.
            let is_json = words.contains(&"--json");
            assert_eq!(refused.stdout.is_empty(), !is_json, "{words:?}");
            assert!(!inside.exists() && !outside.exists(), "{words:?} built it");
        }
    }
    let kept = machine.path("config/consent.json");
    assert!(!kept.exists(), "a refusal is not remembered");
}

#[test]
fn a_folder_named_like_a_component_is_never_built() {
    let (machine, ..) = machine();
    let canary = trap(&machine.path("work/x.wasm"));
    for words in [
        ["inspect", "x.wasm", "--yes"],
        ["call", "x.wasm", "--yes"],
        ["build", "x.wasm", "--yes"],
    ] {
        let refused = machine.run(&words);
        assert_eq!(refused.code, Some(1), "{}", refused.stderr);
        assert!(refused.stderr.contains("is a folder"), "{}", refused.stderr);
        assert!(!canary.exists(), "{words:?}");
    }
}

#[test]
fn the_persons_own_crate_is_built_without_a_question() {
    let (machine, inside, _) = machine();
    fs::create_dir_all(machine.path("work/deep/er")).expect("is made");
    for (folder, words) in [
        ("work", ["build", "own"]),
        ("work/deep/er", ["build", "../../own"]),
        ("work/own", ["build", "."]),
    ] {
        let _ = fs::remove_dir_all(machine.path("work/own/target"));
        let built = run_in(&machine, folder, &words);
        assert_ne!(built.code, Some(4), "{folder}: {}", built.stderr);
        assert!(inside.exists(), "{folder}: {}", built.stderr);
        fs::remove_file(&inside).expect("is removed");
    }
}

#[test]
fn a_home_that_is_a_repository_does_not_make_a_download_the_persons_own() {
    let machine = Machine::new();
    for folder in ["home/.git", "home/downloads"] {
        fs::create_dir_all(machine.path(folder)).expect("is made");
    }
    let canary = trap(&machine.path("home/downloads/theirs"));
    fs::write(machine.path("home/Cargo.toml"), "[workspace]\n").expect("is written");
    for (folder, path) in [
        ("home", "downloads/theirs"),
        ("home/downloads", "theirs"),
        ("home/downloads", "./theirs"),
    ] {
        let mut command = machine.command(&["build", path]);
        command
            .current_dir(machine.path(folder))
            .env("HOME", machine.path("home"));
        let refused = ended(command.output().expect("the binary is built"));
        assert_eq!(refused.code, Some(4), "{folder}: {}", refused.stderr);
        assert!(!canary.exists(), "{folder}");
    }
    // Any other repository is a project.
    let built = run_in(&machine, "home/downloads", &["build", "theirs"]);
    assert!(canary.exists(), "{}", built.stderr);
}

#[test]
fn an_answer_is_remembered_for_the_folder_and_its_owner() {
    let (machine, _, canary) = machine();
    let ask = |answer: &str| {
        let mut terminal = Terminal::run(machine.command(&["build", "../theirs"]), 200, 30);
        let screen = terminal.expect("Build it? [y/N]");
        assert!(screen.contains("runs its native code"), "{screen}");
        terminal.keys(&format!("{answer}\r"));
        terminal.end().code()
    };
    for answer in ["n", "", "maybe"] {
        assert_eq!(ask(answer), Some(3), "{answer}");
        assert!(!canary.exists(), "{answer}");
    }
    ask("y");
    assert!(canary.exists());
    // Not asked again, by any command, also where nobody can be asked.
    for words in [["build", "../theirs"], ["inspect", "../theirs"]] {
        let again = machine.run(&words);
        assert_ne!(again.code, Some(4), "{words:?}: {}", again.stderr);
    }
    // Another folder asks, and so does this one once every user can change it.
    let other = trap(&machine.path("others"));
    assert_eq!(machine.run(&["build", "../others"]).code, Some(4));
    assert!(!other.exists());
    let mode = fs::Permissions::from_mode(0o777);
    fs::set_permissions(machine.path("theirs"), mode).expect("is set");
    let refused = machine.run(&["build", "../theirs"]);
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("can be changed by every user"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_project_file_is_accepted_with_its_crates_once() {
    let (machine, canary, _) = machine();
    fs::write(machine.path("work/footlight.toml"), "plugins = [\"own\"]\n").expect("is written");
    let mut terminal = Terminal::run(machine.command(&["run", "hello"]), 200, 30);
    let screen = terminal.expect("[y/N]");
    assert!(screen.contains("runs their native code"), "{screen}");
    assert!(screen.contains("/own\nAccept this?"), "{screen}");
    terminal.keys("n\r");
    assert_eq!(terminal.end().code(), Some(3));
    assert!(!canary.exists());

    let mut terminal = Terminal::run(machine.command(&["run", "hello"]), 200, 30);
    terminal.expect("[y/N]");
    terminal.keys("y\r");
    terminal.end();
    assert!(canary.exists(), "{}", terminal.screen());
    let again = machine.run(&["run", "hello"]);
    assert_ne!(again.code, Some(4), "{}", again.stderr);
    // A crate that the file names by then asks again.
    let config = "plugins = [\"own\", \"../theirs\"]\n";
    fs::write(machine.path("work/footlight.toml"), config).expect("is written");
    assert_eq!(machine.run(&["run", "hello"]).code, Some(4));
}

#[test]
fn crates_and_build_files_of_another_user_are_not_the_persons_own() {
    // Only the administrator can give files away; `permission.rs` tests the rule for everybody.
    if !is_root() {
        return;
    }
    let (machine, canary, _) = machine();
    for foreign in [
        "own",
        "own/Cargo.toml",
        "own/build.rs",
        "own/.cargo",
        "own/.cargo/config.toml",
    ] {
        fs::create_dir_all(machine.path("work/own/.cargo")).expect("is made");
        fs::write(machine.path("work/own/.cargo/config.toml"), "").expect("is written");
        let path = machine.path("work").join(foreign);
        chown(&path, Some(12_345), None).expect("is root");
        let refused = machine.run(&["build", "own"]);
        assert_eq!(refused.code, Some(4), "{foreign}: {}", refused.stderr);
        assert!(!canary.exists(), "{foreign}");
        chown(&path, Some(0), None).expect("is root");
    }
    // Cargo also obeys files of the folders above the project.
    fs::create_dir(machine.path(".cargo")).expect("is made");
    chown(machine.path(".cargo"), Some(12_345), None).expect("is root");
    let refused = machine.run(&["build", "own"]);
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("/.cargo` belongs to another user"),
        "{}",
        refused.stderr
    );
    assert!(!canary.exists());
}

#[test]
fn commands_that_build_nothing_run_no_program_that_a_project_chooses() {
    let machine = Machine::new();
    let bin = machine.path("work/toolchain/bin");
    // Rustup takes a folder with these two for a toolchain.
    for folder in [&bin, &machine.path("work/toolchain/lib")] {
        fs::create_dir_all(folder).expect("is made");
    }
    let canary = machine.path("work/canary");
    for program in ["cargo", "rustc"] {
        let script = format!("#!/bin/sh\ntouch {}\n", canary.display());
        fs::write(bin.join(program), script).expect("is written");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(bin.join(program), mode).expect("is set");
    }
    let toolchain = format!("[toolchain]\npath = {:?}\n", machine.path("work/toolchain"));
    fs::write(machine.path("work/rust-toolchain.toml"), toolchain).expect("is written");
    for words in [vec!["doctor"], vec!["new", "demo"]] {
        let mut command = machine.command(&words);
        // As from a shell: cargo sets these for its tests.
        for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN"] {
            command.env_remove(name);
        }
        let ran = ended(command.output().expect("the binary is built"));
        assert_eq!(ran.code, Some(0), "{words:?}: {}{}", ran.stdout, ran.stderr);
        assert!(!canary.exists(), "{words:?}");
    }
}

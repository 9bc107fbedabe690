//! End-to-end tests of the commands for plugin authors.

mod shared;

use serde_json::Value;
use shared::{Ended, ended, folder, json, prepared};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const MANIFEST: &str =
    "[plugin]\nid = \"a\"\nversion = \"0.1.0\"\napi = \"0.1\"\ndescription = \"A\"\n";

/// The smallest component there is.
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

fn command(folder: &Path, words: &[&str]) -> Command {
    let home = format!("home-{}", std::process::id());
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(home);
    let mut command = prepared(env!("CARGO_BIN_EXE_footlight"), folder, &home);
    command.args(words);
    command
}

fn footlight(folder: &Path, words: &[&str]) -> Ended {
    ended(
        command(folder, words)
            .output()
            .expect("the binary is built"),
    )
}

#[test]
fn a_folder_outside_the_project_is_not_built_without_asking() {
    let home = folder();
    for name in ["mine", "theirs/src"] {
        fs::create_dir_all(home.path().join(name)).expect("is made");
    }
    fs::write(home.path().join("mine/Cargo.toml"), "").expect("is written");
    let package = "[package]\nname = \"theirs\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\n";
    fs::write(home.path().join("theirs/Cargo.toml"), package).expect("is written");
    fs::write(home.path().join("theirs/src/lib.rs"), "").expect("is written");
    let mine = home.path().join("mine");
    for words in [
        ["build", "../theirs"],
        ["inspect", "../theirs"],
        ["call", "../theirs"],
    ] {
        let refused = footlight(&mine, &words);
        assert_eq!(refused.code, Some(4), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("build it with `--yes`"),
            "{}",
            refused.stderr
        );
        assert_eq!(refused.stdout, "");
    }
    let built = footlight(&mine, &["build", "../theirs", "--yes"]);
    assert_eq!(built.code, Some(1), "{}", built.stderr);
    assert!(
        built
            .stderr
            .contains("write `crate-type = [\"cdylib\"]` under [lib]"),
        "{}",
        built.stderr
    );

    fs::write(home.path().join("theirs/src/lib.rs"), "fn broken( {}").expect("is written");
    let broken = footlight(&home.path().join("theirs"), &["build"]);
    assert_eq!(broken.code, Some(1));
    assert!(broken.stderr.contains("fn broken( {}"), "{}", broken.stderr);
    assert!(
        broken.stderr.contains("see the output of cargo above"),
        "{}",
        broken.stderr
    );
}

#[test]
fn without_cargo_the_remedy_is_named() {
    let home = folder();
    let package = "[package]\nname = \"a\"\nversion = \"0.1.0\"\n";
    fs::write(home.path().join("Cargo.toml"), package).expect("is written");
    let mut command = command(home.path(), &["build"]);
    command.env("PATH", "").env_remove("CARGO");
    let ended = ended(command.output().expect("the binary is built"));
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.stderr.contains("install Rust from https://rustup.rs"),
        "{}",
        ended.stderr
    );
}

/// A machine whose Rust lacks the target, made of scripts.
#[cfg(unix)]
fn without_target(home: &Path, rustup: Option<&str>) -> Ended {
    use std::os::unix::fs::PermissionsExt;
    let tools = home.join("tools");
    fs::create_dir_all(&tools).expect("is made");
    let package = "[package]\nname = \"a\"\nversion = \"0.1.0\"\n";
    fs::write(home.join("Cargo.toml"), package).expect("is written");
    let manifest = home.join("Cargo.toml").canonicalize().expect("is there");
    let manifest = manifest.to_str().expect("is text");
    let artifact = serde_json::json!({
        "reason": "compiler-artifact",
        "manifest_path": manifest,
        "target": { "crate_types": ["cdylib"] },
        "filenames": [manifest.replace("Cargo.toml", "a.wasm")],
    });
    fs::write(home.join("a.wasm"), COMPONENT).expect("is written");
    let cargo = format!("case $1 in build) echo '{artifact}';; *) echo '{manifest}';; esac");
    let scripts = [
        ("cargo", Some(cargo.as_str())),
        ("rustc", Some("echo /nowhere")),
        ("rustup", rustup),
    ];
    for (name, script) in scripts {
        let Some(script) = script else { continue };
        let path = tools.join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("is set");
    }
    let mut command = command(home, &["build"]);
    command
        .env("PATH", &tools)
        .env_remove("CARGO")
        .env_remove("RUSTC");
    ended(command.output().expect("the binary is built"))
}

#[cfg(unix)]
#[test]
fn a_missing_target_is_added_with_a_note() {
    let home = folder();
    let built = without_target(home.path(), Some("[ \"$*\" = 'target add wasm32-wasip2' ]"));
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    assert!(
        built
            .stderr
            .contains("adding it with `rustup target add wasm32-wasip2`"),
        "{}",
        built.stderr
    );
    assert!(
        built.stdout.ends_with("/a.wasm  8 bytes\n"),
        "{}",
        built.stdout
    );
}

#[cfg(unix)]
#[test]
fn missing_target_that_cannot_be_added_has_a_remedy() {
    let home = folder();
    let without = without_target(home.path(), None);
    assert_eq!(without.code, Some(1));
    assert!(
        without
            .stderr
            .contains("there is no rustup to add it; install Rust from"),
        "{}",
        without.stderr
    );
    let failing = without_target(home.path(), Some("echo 'error: no network' >&2; exit 1"));
    assert_eq!(failing.code, Some(1));
    assert!(
        failing
            .stderr
            .contains("cannot add the target wasm32-wasip2: no network"),
        "{}",
        failing.stderr
    );
}

#[test]
fn pack_embeds_a_manifest_once() {
    let home = folder();
    fs::write(home.path().join("app.wasm"), COMPONENT).expect("is written");
    fs::write(home.path().join("plugin.toml"), MANIFEST).expect("is written");
    let packed = footlight(
        home.path(),
        &["pack", "app.wasm", "-o", "out.wasm", "--json"],
    );
    assert_eq!(packed.code, Some(0), "{}", packed.stderr);
    let line = json(&packed.stdout);
    assert_eq!(
        (&line["path"], &line["id"]),
        (&"out.wasm".into(), &"a".into())
    );
    let untouched = fs::read(home.path().join("app.wasm")).expect("is there");
    assert_eq!(untouched, COMPONENT);
    let seen = footlight(home.path(), &["inspect", "out.wasm", "--static"]);
    assert!(
        seen.stdout
            .starts_with("a 0.1.0\nA\n\nIt asks for no powers"),
        "{}",
        seen.stdout
    );

    let again = footlight(home.path(), &["pack", "out.wasm"]);
    assert_eq!(again.code, Some(2));
    assert_eq!(
        again.stderr,
        "footlight: `out.wasm` already has a manifest; replace it with `--replace`\n"
    );
    let replaced = footlight(home.path(), &["pack", "out.wasm", "--replace"]);
    assert_eq!(replaced.code, Some(0), "{}", replaced.stderr);
    let seen = footlight(home.path(), &["inspect", "out.wasm", "--static", "--json"]);
    assert_eq!(json(&seen.stdout)["manifest"]["id"], "a", "{}", seen.stderr);
}

#[test]
fn pack_reports_invalid_manifests_and_files_that_are_not_components() {
    let home = folder();
    fs::write(home.path().join("app.wasm"), COMPONENT).expect("is written");
    fs::write(home.path().join("core.wasm"), b"\0asm\x01\0\0\0").expect("is written");
    fs::write(home.path().join("plugin.toml"), MANIFEST).expect("is written");
    fs::write(home.path().join("bad.toml"), MANIFEST.replace("api", "ap")).expect("is written");
    for (words, expected) in [
        (
            &["pack", "app.wasm", "--manifest", "bad.toml"][..],
            "footlight: invalid manifest `bad.toml`: line 4, column 1: ",
        ),
        (
            &["pack", "app.wasm", "--manifest", "no.toml"],
            "footlight: cannot read the manifest `no.toml`",
        ),
        (
            &["pack", "core.wasm"],
            "footlight: `core.wasm`: this is a core module and no component",
        ),
        (
            &["pack", "plugin.toml"],
            "footlight: `plugin.toml`: this is no WebAssembly component",
        ),
        (&["pack", "no.wasm"], "footlight: cannot read `no.wasm`"),
    ] {
        let ended = footlight(home.path(), words);
        assert_eq!(ended.code, Some(1), "{words:?}");
        assert!(
            ended.stderr.starts_with(expected),
            "{words:?}: {}",
            ended.stderr
        );
    }
    assert_eq!(
        fs::read(home.path().join("app.wasm")).expect("is there"),
        COMPONENT
    );
}

#[test]
fn completions_are_written_for_every_shell() {
    let home = folder();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = footlight(home.path(), &["completions", shell]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert!(
            ended.stdout.contains("footlight") && ended.stdout.contains("inspect"),
            "{shell}"
        );
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let home = folder();
    let mut command = command(home.path(), &["completions", "bash"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary is built");
    drop(child.stdout.take());
    let ended = ended(child.wait_with_output().expect("it ends"));
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
}

#[test]
fn invalid_arguments_are_usage_errors_and_help_has_examples() {
    let home = folder();
    assert_eq!(footlight(home.path(), &["fly"]).code, Some(2));
    assert_eq!(
        footlight(home.path(), &["call", "x.wasm", "--answer", "none"]).code,
        Some(2)
    );
    for command in [
        "call",
        "inspect",
        "new",
        "dev",
        "build",
        "test",
        "pack",
        "completions",
    ] {
        let help = footlight(home.path(), &[command, "--help"]);
        assert_eq!(help.code, Some(0));
        assert!(help.stdout.contains("Example"), "{}", help.stdout);
    }
    for (words, kind) in [
        (["--json", "--version"], "version"),
        (["--help", "--json"], "help"),
    ] {
        let answer = footlight(home.path(), &words);
        assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
        let answer: Value = serde_json::from_str(&answer.stdout).expect("JSON");
        assert_eq!(answer["type"], kind);
        assert!(answer[kind].is_string(), "{answer}");
    }
    let missing = footlight(home.path(), &["inspect", "no.wasm"]);
    assert_eq!(missing.code, Some(1));
    assert!(
        missing
            .stderr
            .starts_with("footlight: there is no plugin `no.wasm`; name a"),
        "{}",
        missing.stderr
    );
}

#[test]
fn the_program_compiles_for_itself_as_a_child_process() {
    let home = folder();
    let component = home.path().join("component.wasm");
    fs::write(&component, COMPONENT).expect("is written");
    let compile = |from: &Path| {
        let mut command = command(home.path(), &["compile-child"]);
        let from = fs::File::open(from).expect("is there");
        let compiled = command.env_clear().stdin(from).output();
        compiled.expect("the binary is built")
    };
    let compiled = compile(&component);
    assert_eq!(compiled.status.code(), Some(0));
    assert!(compiled.stdout.starts_with(b"\x7fELF"));
    fs::write(&component, "no component").expect("is written");
    let refused = compile(&component);
    assert_eq!(refused.status.code(), Some(10));
    assert!(!refused.stdout.is_empty() && refused.stderr.is_empty());
    // With anything else it is not a command.
    assert_eq!(
        footlight(home.path(), &["compile-child", "x"]).code,
        Some(2)
    );
}

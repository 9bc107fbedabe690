//! A session that is resumed builds nothing on the person's behalf that only a project's file has named.

use crate::machine::{Machine, plugin};
use crate::native_code::trap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Folders to build, by the language of the plugin.
const LANGUAGES: [&str; 3] = ["cargo", "python", "javascript"];

/// Creates a folder whose build writes a file, and returns the path of that file.
fn folder_of(language: &str, folder: &Path) -> PathBuf {
    let (source, tool) = match language {
        "python" => ("plugin.py", ".venv/bin/componentize-py"),
        "javascript" => ("plugin.js", "node_modules/.bin/componentize-js"),
        _ => return trap(folder),
    };
    let (canary, tool) = (folder.join("canary"), folder.join(tool));
    let manifest =
        "[plugin]\nid = \"trap\"\nversion = \"0.1.0\"\napi = \"0.1\"\ndescription = \"A trap\"\n";
    let script = format!("#!/bin/sh\ntouch {}\nexit 1\n", canary.display());
    fs::create_dir_all(tool.parent().expect("has one")).expect("is made");
    for (path, text) in [
        (folder.join(source), ""),
        (folder.join("plugin.toml"), manifest),
        (tool.clone(), &script),
    ] {
        fs::write(path, text).expect("is written");
    }
    fs::set_permissions(tool, fs::Permissions::from_mode(0o755)).expect("is set");
    canary
}

/// A machine with a session whose plugin `work/own` was named with these words, and is a folder to build by now.
fn with_session(language: &str, words: &[&str]) -> (Machine, PathBuf) {
    let machine = Machine::new();
    fs::create_dir(machine.path("work/.git")).expect("is made");
    let own = machine.path("work/own");
    // A session remembers a path, whatever is there later. A component is loaded faster than a folder is built.
    fs::copy(plugin("hello"), &own).expect("is copied");
    let config = machine.path("work/footlight.toml");
    fs::write(&config, "plugins = [\"own\"]\n").expect("is written");
    let words = [&["run"][..], words, &["/greet name=Ada"]].concat();
    let ran = machine.run(&words);
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    fs::remove_file(config).expect("is removed");
    fs::remove_file(&own).expect("is removed");
    let canary = folder_of(language, &own);
    (machine, canary)
}

const RESUME: [&str; 4] = ["sessions", "resume", "last", "/greet name=Eve"];

#[test]
fn resuming_never_builds_what_only_a_project_named() {
    for language in LANGUAGES {
        let (machine, canary) = with_session(language, &["--trust-project"]);
        let consents = machine.path("config/consent.json");
        for flags in [
            &["--no-input"][..],
            &["--no-input", "--no-project"],
            &["--no-input", "--trust-project"],
            &["--json"],
        ] {
            let resumed = machine.run(&[&RESUME[..], flags].concat());
            assert_eq!(
                resumed.code,
                Some(4),
                "{language} {flags:?}: {}",
                resumed.stderr
            );
            assert!(
                resumed.stderr.contains("a stored session names"),
                "{}",
                resumed.stderr
            );
            assert!(!canary.exists(), "{language} {flags:?} built it");
        }
        // A stored answer holds until it is revoked.
        let own = machine.path("work/own").canonicalize().expect("is there");
        let owner = std::os::unix::fs::MetadataExt::uid(&fs::metadata(&own).expect("is there"));
        let before: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(&consents).expect("is written"))
                .expect("is JSON");
        let mut agreed = before.clone();
        agreed["builds"] = serde_json::json!([{ "path": own, "owner": owner }]);
        fs::write(&consents, agreed.to_string()).expect("is written");
        machine.run(&[&RESUME[..], &["--no-input"]].concat());
        assert!(canary.exists(), "{language}: the person agreed to build it");
        fs::remove_file(&canary).expect("is removed");
        fs::write(&consents, before.to_string()).expect("is written");
        let _ = fs::remove_dir_all(own.join("target"));
        let revoked = machine.run(&[&RESUME[..], &["--no-input"]].concat());
        assert_eq!(revoked.code, Some(4), "{language}: {}", revoked.stderr);
        assert!(!canary.exists(), "{language}: the consent is gone");
    }
}

#[test]
fn resuming_builds_what_the_person_named_where_naming_it_again_would() {
    let (machine, canary) = with_session("cargo", &["./own", "--no-project"]);
    // Outside the project it is asked about, as if it were typed there.
    let mut elsewhere = machine.command(&[&RESUME[..], &["--no-input"]].concat());
    elsewhere.current_dir(machine.path("config"));
    let refused = elsewhere.output().expect("the binary is built");
    assert_eq!(refused.status.code(), Some(4));
    assert!(!canary.exists());
    let resumed = machine.run(&[&RESUME[..], &["--no-input"]].concat());
    assert!(canary.exists(), "{}", resumed.stderr);
}

//! Files that never end, or that nobody writes to, are refused wherever a file is read.

use crate::machine::{Ended, Machine, ended, plugin};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// After what time a command counts as blocked.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Runs a command that must end by itself.
fn finish(mut command: Command, what: &str) -> Ended {
    let spawned = command.stdin(Stdio::null()).spawn();
    let mut child = spawned.expect("the binary is built");
    let since = Instant::now();
    while child.try_wait().expect("is ours").is_none() {
        if since.elapsed() > TIMEOUT {
            child.kill().expect("is ours");
            panic!("{what} does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    ended(child.wait_with_output().expect("it ended"))
}

/// Puts something at `path` that must not be read to its end.
fn place(path: &Path, what: &str) {
    if path.symlink_metadata().is_ok() {
        fs::remove_file(path).expect("is removed");
    }
    match what {
        "a device" => symlink("/dev/zero", path).expect("is made"),
        "a pipe" => {
            let made = Command::new("mkfifo").arg(path).status();
            assert!(made.expect("mkfifo runs").success());
        }
        // Sparse: it takes no room on disk.
        _ => {
            let file = fs::File::create(path).expect("is made");
            file.set_len(1 << 30).expect("is possible");
        }
    }
}

#[test]
fn no_file_is_read_without_a_bound() {
    let hello = plugin("hello");
    // What is placed, and a command that reads it.
    let reads: [(&str, Vec<&str>); 13] = [
        ("work/x.wasm", vec!["inspect", "x.wasm"]),
        ("work/x.wasm", vec!["inspect", "x.wasm", "--static"]),
        ("work/x.wasm", vec!["call", "x.wasm", "greet"]),
        ("work/x.wasm", vec!["run", "x.wasm", "hello"]),
        (
            "work/x.wasm",
            vec!["pack", "x.wasm", "--manifest", "good.toml"],
        ),
        ("work/plugin.toml", vec!["pack", &hello]),
        (
            "work/input.json",
            vec!["call", &hello, "greet", "@input.json"],
        ),
        ("work/card.json", vec!["render", "card.json"]),
        (
            "work/s.yaml",
            vec!["run", &hello, "x", "--model", "script:s.yaml"],
        ),
        ("work/footlight.toml", vec!["call", &hello, "name=Ada"]),
        ("config/footlight.toml", vec!["call", &hello, "name=Ada"]),
        ("config/rules.toml", vec!["call", &hello, "name=Ada"]),
        ("config/consent.json", vec!["call", &hello, "name=Ada"]),
    ];
    let good = "[plugin]\nid = \"a\"\nversion = \"0.1.0\"\napi = \"0.1\"\ndescription = \"A\"\n";
    for (path, words) in reads {
        let name = path.rsplit('/').next().expect("a name");
        for what in ["a device", "a pipe", "a large file"] {
            let machine = Machine::new();
            fs::write(machine.path("work/good.toml"), good).expect("is written");
            place(&machine.path(path), what);
            let case = format!("{what} at {path} for {words:?}");
            let refused = finish(machine.command(&words), &case);
            assert!(
                matches!(refused.code, Some(1 | 2)),
                "{case}: {}",
                refused.stderr
            );
            // A script is named by what its path leads to.
            let is_named = refused.stderr.contains(name) || refused.stderr.contains("/dev/zero");
            assert!(is_named, "{case}: {}", refused.stderr);
            // The rules file has a sentence of its own for links and other things that are not files.
            let said = match what {
                _ if name == "rules.toml" => refused.stderr.contains("rules.toml"),
                "a large file" => refused.stderr.contains(" bytes"),
                _ => refused.stderr.contains("not a regular file"),
            };
            assert!(said, "{case}: {}", refused.stderr);
        }
    }
}

#[test]
fn a_pipe_of_the_shell_is_read() {
    let machine = Machine::new();
    let hello = plugin("hello");
    let greeted = machine.fed(
        &["call", &hello, "greet", "@/dev/stdin"],
        "{\"name\":\"Ada\"}",
    );
    assert_eq!(greeted.stdout, "Hello, Ada!\n", "{}", greeted.stderr);
}

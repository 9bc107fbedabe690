//! Plugins are compiled by a child process, whichever command loads them.

use crate::machine::{Machine, plugin};
use std::fs;
use std::process::Stdio;

/// Reports whether a process has a child that compiles.
fn has_compiler(parent: u32) -> bool {
    let processes = fs::read_dir("/proc").expect("the processes");
    processes.flatten().any(|process| {
        let read = |file: &str| fs::read(process.path().join(file)).unwrap_or_default();
        // The parent's id stands two fields after the name, which is in brackets.
        let stat = String::from_utf8_lossy(&read("stat")).into_owned();
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let own = fields.split_whitespace().nth(1) == Some(&parent.to_string());
        own && read("cmdline").ends_with(b"\0compile-child\0")
    })
}

#[test]
fn every_command_that_loads_a_plugin_compiles_it_in_a_child_process() {
    let hello = plugin("hello");
    for words in [
        vec!["call", &hello, "greet", "name=Ada"],
        vec!["run", &hello, "Say hello to Ada"],
        vec!["inspect", &hello],
    ] {
        let machine = Machine::new();
        let seen = || {
            let mut command = machine.command(&words);
            command
                .env("XDG_CACHE_HOME", machine.path("cache"))
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            let mut run = command.spawn().expect("the binary is built");
            let mut seen = false;
            while run.try_wait().expect("a child").is_none() {
                seen |= has_compiler(run.id());
            }
            seen
        };
        assert!(seen(), "{words:?}");
        assert!(!seen(), "compiled code needs no compiler: {words:?}");
    }
}

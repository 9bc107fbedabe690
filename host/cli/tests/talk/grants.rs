//! `grants`: durable rules.

use crate::machine::{Machine, json_of, plugin};
use std::fs;

#[test]
fn rules_are_added_explained_applied_and_revoked() {
    let machine = Machine::new();
    let (todo, gallery) = (plugin("todo"), plugin("gallery"));
    let explained = machine.run(&["grants", "explain", &todo, "clear"]).stdout;
    assert!(
        explained.contains("allowed to run: it requests approval itself"),
        "{explained}"
    );
    let explain = || {
        machine
            .run(&["grants", "explain", &gallery, "strike"])
            .stdout
    };
    assert!(
        explain().contains("would wait for your verdict"),
        "{}",
        explain()
    );
    let added = machine.run(&["grants", "add", "deny", "gallery", "--tool", "strike"]);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    assert!(explain().contains("would be denied"), "{}", explain());
    let denied = machine.run(&["run", &gallery, "/strike", "--allow", "gallery.strike"]);
    assert_eq!(denied.code, Some(3), "{}", denied.stderr);
    let listed = json_of(machine.run(&["grants", "list", "--json"]).stdout.trim_end());
    let id = listed["id"].as_str().expect("an id");
    let revoked = machine.run(&["grants", "revoke", id]);
    assert_eq!(revoked.code, Some(0), "{}", revoked.stderr);
    assert_eq!(machine.run(&["grants", "list"]).stdout, "");

    fs::write(machine.path("config/rules.toml"), "levle = 1\n").expect("is written");
    let closed = machine.run(&["run", &todo, "/list"]);
    assert_eq!(
        closed.code,
        Some(1),
        "what is not understood allows nothing"
    );
    assert_eq!(machine.run(&["doctor"]).code, Some(1));
}

//! What the person agreed to is listed, and can be revoked.

use crate::machine::{Machine, json_of, plugin};
use serde_json::Value;
use std::fs;

/// Returns the consents, each with its kind and its id.
fn consents(machine: &Machine) -> Vec<(String, String)> {
    let listed = machine.run(&["grants", "consents", "--json"]);
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    let word = |line: &Value, name: &str| line[name].as_str().expect("a word").to_owned();
    let lines = listed.lines();
    let lines = lines.iter();
    lines
        .map(|line| (word(line, "consent"), word(line, "id")))
        .collect()
}

#[test]
fn every_kind_of_consent_is_listed_and_forgotten_when_it_is_revoked() {
    let machine = Machine::new();
    let file = machine.path("config/consent.json");
    let none = machine.run(&["grants", "consents"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(0), ""));
    let folder = serde_json::json!({ "path": "/crates/todo", "owner": 7 });
    let content = serde_json::json!({
        "builds": [folder],
        "projects": [{ "path": "/p/footlight.toml", "digest": "ab".repeat(32) }],
        "plugins": [{ "id": "todo", "digests": ["cd".repeat(32)], "crates": [folder], "tools": ["add"] }],
        "keys": [{ "plugin": "mail", "key": "RWSdrg1uq8TeZMXBEbbsPuymBYU5TSOBYHNlRhvp/IIPXDemnk8huFUy" }],
    });
    fs::write(&file, content.to_string()).expect("is written");
    let kinds = ["build", "project", "component", "crate", "key"];
    let listed = consents(&machine);
    let listed_kinds: Vec<&str> = listed.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(listed_kinds, kinds);
    let shown = machine.run(&["grants", "consents"]).stdout;
    for words in [
        "build the crate",
        "/p/footlight.toml",
        "load sha256:cdcd",
        "as `todo`",
        "trust the key 64DEC4AB6E0DAE9D for `mail`",
    ] {
        assert!(shown.contains(words), "{shown}");
    }
    for (n, (_, id)) in listed.iter().enumerate() {
        assert!(shown.contains(id), "{shown}");
        let revoked = machine.run(&["grants", "revoke", id, "--json"]);
        assert_eq!(revoked.code, Some(0), "{}", revoked.stderr);
        assert_eq!(json_of(&revoked.stdout)["id"], id.as_str());
        let left: Vec<String> = consents(&machine)
            .into_iter()
            .map(|(kind, _)| kind)
            .collect();
        assert_eq!(left, kinds[n + 1..]);
    }
    let unknown = machine.run(&["grants", "revoke", &listed[0].1]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.stderr);
    assert!(
        unknown.stderr.contains("footlight grants consents"),
        "{}",
        unknown.stderr
    );
    // The id stays known, with what is needed to show a difference.
    let left = json_of(&fs::read_to_string(&file).expect("is there"));
    assert_eq!(left["plugins"][0]["tools"][0], "add", "{left}");
}

#[test]
fn a_revoked_component_asks_again() {
    let machine = Machine::new();
    let call = ["call", &plugin("hello"), "name=Ada"];
    assert_eq!(machine.run(&call).code, Some(0));
    let [(kind, id)] = &consents(&machine)[..] else {
        panic!("one component was loaded");
    };
    assert_eq!(kind, "component");
    let revoked = machine.run(&["grants", "revoke", &id[..6]]);
    assert_eq!(revoked.code, Some(0), "{}", revoked.stderr);
    let refused = machine.run(&call);
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("--accept-plugin hello"),
        "{}",
        refused.stderr
    );
    let accepted = machine.run(&[&call[..], &["--accept-plugin", "hello"]].concat());
    assert_eq!(accepted.code, Some(0), "{}", accepted.stderr);
    assert_eq!(machine.run(&call).code, Some(0));
}

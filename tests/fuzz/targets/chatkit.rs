//! Requests of ChatKit clients and trees of plugins: reading, rebuilding and comparing them does not panic,
//! and what is rebuilt keeps its promises.

#![no_main]

use footlight_serve::fuzzing::chatkit;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let mut lines = text.splitn(3, '\n');
    chatkit::request(lines.next().unwrap_or_default());
    let trees: Vec<Value> = lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter_map(|tree| chatkit::tree(&tree))
        .collect();
    for before in &trees {
        check(before);
        for after in &trees {
            let updates = chatkit::diff(before, after);
            let is_same = before == after;
            assert_eq!(updates.as_array().is_some_and(Vec::is_empty), is_same);
        }
    }
});

fn check(node: &Value) {
    if matches!(node["type"].as_str(), Some("Text" | "Markdown")) {
        assert!(node["id"].as_str().is_some_and(|id| !id.is_empty()), "{node}");
    }
    match &node["children"] {
        Value::Array(children) => children.iter().for_each(check),
        Value::Object(_) => check(&node["children"]),
        _ => {}
    }
}

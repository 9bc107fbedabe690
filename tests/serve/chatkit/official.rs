//! Comparison with the official package: requests that its types make, updates that its server sends.

use super::front_end::{python, script, validate};
use footlight_serve::fuzzing::chatkit;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};
use std::process::Command;

#[test]
fn every_request_that_the_official_types_make_is_understood() {
    let Some(python) = python() else {
        return;
    };
    let output = Command::new(python).arg(script()).arg("requests").output();
    let output = output.expect("Python runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let requests: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(requests.len() >= 32, "{}", requests.len());
    for mut request in requests {
        assert!(chatkit::request(&request.to_string()), "{request}");
        // What a later version adds does no harm.
        request["later"] = json!({ "a": 1 });
        request["params"]["later"] = json!([1]);
        assert!(chatkit::request(&request.to_string()), "{request}");
    }
}

/// Components with and without text, unique ids, and props that change.
fn component(depth: u32) -> BoxedStrategy<Value> {
    let value = prop_oneof![Just("a"), Just("ab"), Just("abé"), Just("b"), Just("")];
    let streaming = prop_oneof![Just(None), Just(Some(true)), Just(Some(false))];
    let text = (
        value,
        streaming,
        any::<bool>(),
        prop_oneof![Just("Text"), Just("Markdown")],
    );
    let text = text.prop_map(|(value, streaming, has_id, kind)| {
        let mut node = json!({ "type": kind, "value": value });
        if has_id {
            node["id"] = "here".into();
        }
        if let Some(streaming) = streaming {
            node["streaming"] = streaming.into();
        }
        node
    });
    let other = prop_oneof![
        (0..3u32).prop_map(|n| json!({ "type": "Badge", "label": n.to_string() })),
        (0..3u32).prop_map(|n| json!({ "type": "Title", "value": n.to_string(), "key": "k" })),
        (0..2u32).prop_map(|n| json!({ "type": "Button", "label": "x", "onClickAction":
            { "type": "press", "payload": { "token": n.to_string() } } })),
        Just(json!({ "type": "Divider" })),
    ];
    if depth == 0 {
        return prop_oneof![3 => text, 1 => other].boxed();
    }
    let children = prop::collection::vec(component(depth - 1), 0..3);
    let row = children.prop_map(|children| json!({ "type": "Row", "children": children }));
    let transition = component(0);
    let transition =
        transition.prop_map(|child| json!({ "type": "Transition", "children": child }));
    prop_oneof![4 => text, 1 => other, 2 => row, 1 => transition].boxed()
}

/// Gives each component with an id one of its own, by its place.
fn name(node: &mut Value, path: &str) {
    if node.get("id").is_some() {
        node["id"] = path.into();
    }
    match node.get_mut("children") {
        Some(Value::Array(children)) => {
            for (n, child) in children.iter_mut().enumerate() {
                name(child, &format!("{path}.{n}"));
            }
        }
        Some(child @ Value::Object(_)) => name(child, &format!("{path}.c")),
        _ => {}
    }
}

fn card(mut children: Vec<Value>) -> Value {
    for (n, child) in children.iter_mut().enumerate() {
        name(child, &n.to_string());
    }
    json!({ "type": "Card", "children": children })
}

#[test]
fn updates_of_widgets_are_those_of_the_official_server() {
    let text = |more: Value| {
        let mut node = json!({ "type": "Text", "id": "t", "value": "ab" });
        let more: Map<String, Value> = more.as_object().expect("an object").clone();
        node.as_object_mut().expect("an object").extend(more);
        json!({ "type": "Card", "children": [node] })
    };
    let plain = text(json!({}));
    let mut pairs: Vec<(Value, Value)> = [
        json!({}),
        json!({ "value": "abc" }),
        json!({ "value": "abc", "streaming": true }),
        json!({ "value": "b" }),
        json!({ "value": "" }),
        json!({ "id": "other" }),
        json!({ "key": "k" }),
        json!({ "type": "Markdown" }),
        json!({ "streaming": false }),
        json!({ "weight": "bold" }),
        json!({ "editable": { "name": "n" } }),
    ]
    .map(|more| (plain.clone(), text(more)))
    .into();
    let listed = |title: &str| {
        json!({ "type": "ListView", "children": [{ "type": "ListViewItem", "children": [
            { "type": "Text", "id": "t", "value": title } ] }] })
    };
    pairs.push((listed("a"), listed("ab")));
    pairs.push((listed("a"), plain.clone()));
    let mut runner = TestRunner::deterministic();
    let tree = prop::collection::vec(component(2), 0..4);
    // Mostly one change of one tree: two trees of chance are hardly ever alike.
    let change = (tree.clone(), tree, any::<prop::sample::Index>(), 0..4);
    for _ in 0..600 {
        let (before, other, at, how) = change.new_tree(&mut runner).expect("a tree").current();
        let mut after = before.clone();
        match (how, other.first()) {
            (0, _) => after = other,
            (1, Some(child)) if !after.is_empty() => {
                let at = at.index(after.len());
                after[at] = child.clone();
            }
            _ => grow(&mut after),
        }
        pairs.push((card(before), card(after)));
    }
    let mut deltas = 0;
    let entries = pairs.into_iter().map(|(before, after)| {
        let updates = chatkit::diff(&before, &after);
        deltas += usize::from(updates[0].get("delta").is_some());
        json!({ "before": before, "after": after, "updates": updates })
    });
    let entries: Value = entries.collect();
    assert!(deltas > 50, "{deltas}");
    validate("differences", &entries);
}

/// Appends to every text.
fn grow(nodes: &mut [Value]) {
    for node in nodes {
        if let Some(text) = node.get("value").and_then(Value::as_str)
            && node["type"] != "Title"
        {
            node["value"] = format!("{text}!").into();
        }
        match node.get_mut("children") {
            Some(Value::Array(children)) => grow(children),
            Some(child @ Value::Object(_)) => grow(std::slice::from_mut(child)),
            _ => {}
        }
    }
}

/// Every component of the vocabulary with every prop that it has, one valid value each.
#[test]
fn a_tree_with_every_prop_is_valid_for_the_official_types() {
    use footlight_vocabulary::component::{COMPONENTS, Children, PropType, check};
    fn value(takes: PropType, n: usize) -> Value {
        match takes {
            PropType::Str => "2026-01-02".into(),
            PropType::Bool => n.is_multiple_of(2).into(),
            PropType::False => false.into(),
            PropType::Null => Value::Null,
            PropType::Int => n.into(),
            PropType::Num => json!(n as f64 + 0.5),
            PropType::Word(known) => known[n % known.len()].into(),
            PropType::Icon => ["star", "no-such", "lucide:drama", "a b"][n % 4].into(),
            PropType::ToolName => "go".into(),
            PropType::Action => json!({ "type": "go", "payload": { "n": n } }),
            PropType::Object(shape) => {
                let members = shape
                    .iter()
                    .map(|it| (it.name.to_owned(), value(it.takes, n)));
                Value::Object(members.collect())
            }
            PropType::Map(takes) => json!({ "2026-01-02": value(*takes, n) }),
            PropType::List(takes) => json!([value(*takes, n)]),
            PropType::OneOf(types) => value(types[n % types.len()], n),
        }
    }
    let mut trees = Vec::new();
    for n in 0..12 {
        for spec in COMPONENTS {
            let mut node = json!({ "type": spec.name });
            for prop in spec.props {
                node[prop.name] = value(prop.takes, n);
            }
            let text = json!({ "type": "Text", "value": "x" });
            let child = match spec.children {
                Children::Many {
                    only: Some("ListViewItem"),
                    ..
                } => {
                    json!({ "type": "ListViewItem", "children": [text] })
                }
                Children::Many {
                    only: Some(only), ..
                } => json!({ "type": only, "children": [] }),
                _ => text,
            };
            match spec.children {
                Children::None => {}
                Children::One => node["children"] = child,
                Children::Many { .. } => node["children"] = json!([child]),
            }
            let tree = match spec.is_root() {
                true => node,
                false => {
                    json!({ "type": "Card", "asForm": n.is_multiple_of(2), "children": [node] })
                }
            };
            check(&tree).unwrap_or_else(|problems| panic!("{tree}: {problems}"));
            trees.push(chatkit::tree(&tree).expect("it is valid"));
        }
    }
    validate("trees", &trees.into());
}

proptest! {
    #[test]
    fn what_the_fuzz_target_promises_holds_for_random_trees(
        before in prop::collection::vec(component(2), 0..4),
        after in prop::collection::vec(component(2), 0..4),
    ) {
        chatkit::lines(&format!("{{}}\n{}\n{}", card(before), card(after)));
    }

    #[test]
    fn no_request_panics(text in ".{0,200}", kind in "(threads|items)\\.[a-z_]{1,20}", id in ".{0,20}") {
        chatkit::request(&text);
        let token = format!("widget {id} 1 {text}");
        for params in [json!({}), json!({ "thread_id": id }), json!([id]),
            json!({ "thread_id": id, "action": { "type": "press", "payload": { "token": token } } })] {
            chatkit::request(&json!({ "type": kind, "params": params }).to_string());
            let action = json!({ "type": "threads.custom_action", "params": params });
            chatkit::request(&action.to_string());
        }
    }
}

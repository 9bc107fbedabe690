//! What [`check`] lets through and what it refuses.

use super::*;
use crate::component::{Action, Border, Borders, Button, Card, Chart, Series, Text, text_of};
use crate::component::{apply_form, find_actions};
use proptest::prelude::*;
use serde_json::json;

/// Expects these problems, each as its display.
#[track_caller]
fn refuses(tree: Value, expected: &[&str]) {
    let problems = check(&tree).expect_err("the tree is wrong");
    let found: Vec<String> = problems.list.iter().map(Problem::to_string).collect();
    assert_eq!(found, expected);
}

fn card(child: Value) -> Value {
    json!({ "type": "Card", "children": [child] })
}

#[test]
fn trees_of_the_builders_pass_the_check() {
    let card = Card::new()
        .id("c")
        .padding(2)
        .border(Borders::new().x(Border::new(1)))
        .child(
            Button::new()
                .label("Go")
                .on_click_action(Action::new("go").payload(json!({ "a": [1] }))),
        )
        .child(Chart::new([json!({ "x": "a", "y": 1 })], Series::bar("y"), "x").width("100%"));
    let tree = serde_json::to_value(card.node()).expect("serialises");
    assert_eq!(check(&tree), Ok(()));
}

#[test]
fn unknown_components_props_and_tokens_pass_the_check() {
    let tree = card(json!({
        "type": "Acme.Map", "zoom": {}, "children": { "type": "Text", "value": "x", "glow": 1, "size": "9xl", "color": null }
    }));
    assert_eq!(check(&tree), Ok(()));
}

#[test]
fn a_root_is_one_of_the_roots() {
    refuses(json!([1]), &["must be a component, not a list"]);
    refuses(json!({ "children": [] }), &["`type` is missing"]);
    refuses(
        json!({ "type": 4 }),
        &["`type` must be a string, not a number"],
    );
    refuses(
        json!({ "type": "Text", "value": "x" }),
        &["`type` must be `Card` or `ListView` or `Basic` at the root, not `Text`"],
    );
    assert_eq!(check(&json!({ "type": "Basic" })), Ok(()));
    assert!(check_with(&json!({ "type": "Basic" }), &["Card", "ListView"]).is_err());
}

#[test]
fn known_props_must_be_present_and_have_their_type() {
    refuses(json!({ "type": "Card" }), &["`children` is missing"]);
    refuses(
        json!({ "type": "Card", "children": null }),
        &["`children` must be a list of components, not null"],
    );
    refuses(
        json!({ "type": "Card", "children": "x" }),
        &["`children` must be a list of components, not a string"],
    );
    refuses(
        card(json!(1)),
        &["`children[0]` must be a component, not a number"],
    );
    refuses(
        card(json!({ "type": "Text" })),
        &["`children[0].value` is missing"],
    );
    refuses(
        card(json!({ "type": "Text", "value": null })),
        &["`children[0].value` must be a string, not null"],
    );
    refuses(
        card(
            json!({ "type": "Text", "value": "x", "italic": "yes", "maxLines": 1.5, "width": [], "size": 3, "editable": true }),
        ),
        &[
            "`children[0].italic` must be true or false, not a string",
            "`children[0].width` must be a number or a string, not a list",
            "`children[0].size` must be a word, not a number",
            "`children[0].editable` must be false or an object, not true",
            "`children[0].maxLines` must be a whole number, not a number",
        ],
    );
    refuses(
        card(json!({ "type": "Select", "name": "s", "options": [{ "value": 1, "label": "one" }] })),
        &["`children[0].options[0].value` must be a string, not a number"],
    );
    refuses(
        card(
            json!({ "type": "Chart", "data": [{ "a": [] }], "series": [{ "type": "bar" }], "xAxis": {} }),
        ),
        &[
            "`children[0].data[0].a` must be a string or a number or null, not a list",
            "`children[0].series[0].dataKey` is missing",
            "`children[0].xAxis.dataKey` is missing",
        ],
    );
    refuses(
        json!({ "type": "ListView", "limit": "many", "children": [{ "type": "Text", "value": "x" }] }),
        &[
            "`limit` must be a whole number or `auto`, not a string",
            "`children[0].type` must be `ListViewItem` here, not `Text`",
        ],
    );
    refuses(
        card(json!({ "type": "Transition" })),
        &["`children[0].children` is missing"],
    );
    refuses(
        json!({ "type": "Basic", "id": 3, "fallback": [] }),
        &[
            "`id` must be a string, not a number",
            "`fallback` must be a string, not a list",
        ],
    );
}

#[test]
fn actions_name_a_tool() {
    refuses(
        card(
            json!({ "type": "Button", "onClickAction": { "type": "Delete all", "handler": 1, "streaming": "no" } }),
        ),
        &[
            "`children[0].onClickAction.type` must be the name of a tool, not `Delete all`",
            "`children[0].onClickAction.handler` must be a word, not a number",
            "`children[0].onClickAction.streaming` must be true or false, not a string",
        ],
    );
    refuses(
        json!({ "type": "Card", "children": [], "confirm": { "label": "Go", "action": { "payload": 1 } } }),
        &["`confirm.action.type` is missing"],
    );
}

#[test]
fn an_id_is_used_once() {
    refuses(
        json!({ "type": "Basic", "id": "a", "children": [{ "type": "Acme", "id": "a" }] }),
        &["`children[0].id` is used twice: `a`"],
    );
}

#[test]
fn the_size_is_counted_in_bytes_and_the_cap_itself_passes() {
    let of_size = |size: usize| {
        // Two bytes each: a cap on characters would let twice as much through.
        let frame = bytes(&card(json!({ "type": "Text", "value": "" })));
        let room = size - frame;
        let text = "é".repeat(room / 2) + &"x".repeat(room % 2);
        card(json!({ "type": "Text", "value": text }))
    };
    assert_eq!(bytes(&of_size(MAX_VIEW)), MAX_VIEW);
    assert_eq!(check(&of_size(MAX_VIEW - 1)), Ok(()));
    assert_eq!(check(&of_size(MAX_VIEW)), Ok(()));
    refuses(
        of_size(MAX_VIEW + 1),
        &["the view is too large: 50001 bytes, of which 50000 are allowed"],
    );
}

#[test]
fn the_depth_cap_itself_passes() {
    let of_depth = |depth: usize| {
        let mut tree = json!({ "type": "Spacer" });
        for _ in 2..depth {
            tree = json!({ "type": "Box", "children": [tree] });
        }
        card(tree)
    };
    assert_eq!(check(&of_depth(MAX_DEPTH - 1)), Ok(()));
    assert_eq!(check(&of_depth(MAX_DEPTH)), Ok(()));
    let problems = check(&of_depth(MAX_DEPTH + 1)).expect_err("too deep");
    assert_eq!(
        problems.list[0].message,
        "has components nested deeper than 64"
    );
}

#[test]
fn the_number_of_components_has_a_cap_that_passes() {
    let of_count = |count: usize| json!({ "type": "Basic", "children": vec![json!({ "type": "Row" }); count - 1] });
    assert_eq!(check(&of_count(MAX_NODES - 1)), Ok(()));
    assert_eq!(check(&of_count(MAX_NODES)), Ok(()));
    refuses(
        of_count(MAX_NODES + 1),
        &["the view has more than 2000 components"],
    );
}

#[test]
fn twenty_problems_are_described_and_the_rest_counted() {
    let tree = json!({ "type": "Basic", "children": vec![json!({ "type": "Text" }); 25] });
    let problems = check(&tree).expect_err("no text has a value");
    assert_eq!((problems.list.len(), problems.more), (20, 5));
    assert!(
        problems
            .to_string()
            .ends_with("`children[19].value` is missing; and 5 more")
    );
}

#[test]
fn hostile_depth_exhausts_no_stack() {
    let wraps: [fn(Value) -> Value; 3] = [
        |inner| Value::Array(vec![inner]),
        |inner| Value::Object(Map::from_iter([("children".to_owned(), inner)])),
        |inner| {
            let list = Value::Array(vec![inner]);
            Value::Object(Map::from_iter([
                ("type".to_owned(), "Box".into()),
                ("children".to_owned(), list),
            ]))
        },
    ];
    for wrap in wraps {
        let mut tree = Value::Null;
        for _ in 0..100_000 {
            tree = wrap(tree);
        }
        // Not `json!`, which would serialise it, and that recurses.
        let root = Value::Object(Map::from_iter([
            ("type".to_owned(), "Card".into()),
            ("children".to_owned(), tree),
        ]));
        assert!(check(&root).is_err());
        assert!(find_actions(&root).is_empty());
        assert_eq!(text_of(&root), "");
        // Dropping it would recurse.
        std::mem::forget(root);
    }
}

/// JSON that looks like components often enough to reach every branch.
fn tree() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "Card",
        "ListView",
        "ListViewItem",
        "Basic",
        "Text",
        "Select",
        "Chart",
        "Table",
        "Button",
        "Form",
        "Transition",
        "Acme",
        "value",
        "go",
        "auto",
        "é\u{202e}\n",
    ]);
    let names = prop::sample::select(vec![
        "type",
        "id",
        "key",
        "children",
        "value",
        "label",
        "options",
        "data",
        "series",
        "xAxis",
        "status",
        "confirm",
        "action",
        "onClickAction",
        "payload",
        "limit",
        "border",
        "padding",
        "asForm",
        "a.b",
        "",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        words.clone().prop_map(Value::from),
        ".{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        let members = prop::collection::vec((names.clone(), inner.clone()), 0..6);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::Array),
            (words.clone(), members).prop_map(|(kind, members)| {
                let mut object = Map::from_iter([("type".to_owned(), kind.into())]);
                object.extend(
                    members
                        .into_iter()
                        .map(|(name, value)| (name.to_owned(), value)),
                );
                Value::Object(object)
            }),
        ]
    })
}

proptest! {
    #[test]
    fn no_tree_makes_a_reader_panic(tree in tree()) {
        if let Err(problems) = check(&tree) {
            prop_assert!(!problems.list.is_empty() && problems.list.len() <= MAX_PROBLEMS);
            prop_assert!(!problems.to_string().is_empty());
        }
        for found in find_actions(&tree) {
            let form = tree.as_object().cloned().unwrap_or_default();
            let _ = apply_form(found.action.input().clone(), &form);
        }
        let _ = text_of(&tree);
    }

    #[test]
    fn checked_trees_survive_a_round_trip(tree in tree()) {
        if check(&tree).is_ok() {
            let node: crate::component::Node = serde_json::from_value(tree.clone()).expect("it has a type");
            prop_assert_eq!(serde_json::to_value(&node).expect("it was JSON"), tree);
        }
    }

    #[test]
    fn the_size_is_that_of_the_serialised_text(tree in tree()) {
        prop_assert_eq!(bytes(&tree), tree.to_string().len());
    }

    #[test]
    fn any_text_may_be_shown(value in ".{0,40}") {
        let card = Card::new().child(Text::new(value.clone()));
        let tree = serde_json::to_value(card.node()).expect("serialises");
        prop_assert_eq!(check(&tree), Ok(()));
        prop_assert_eq!(text_of(&tree), value.trim());
    }
}

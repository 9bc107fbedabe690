//! Tests of trees. What the official types accept is tested with them, over HTTP.

use super::*;
use serde_json::json;

fn tree(view: Value) -> Value {
    component::check(&view).expect("a valid view");
    let item = ItemId::from("itm_1");
    chatkit_tree(
        &view,
        Source {
            item: &item,
            rev: 3,
        },
    )
}

#[test]
fn an_action_becomes_a_token_and_tells_nothing_of_what_it_calls() {
    let view = json!({ "type": "Card", "children": [
        { "type": "Button", "label": "Go", "onClickAction":
            { "type": "remove", "payload": { "id": 7 }, "streaming": false, "loadingBehavior": "self" } },
        { "type": "Button", "label": "Off", "disabled": true, "onClickAction": { "type": "remove" } },
        { "type": "Button", "label": "Page", "onClickAction": { "type": "open", "handler": "client" } } ] });
    let tree = tree(view);
    assert_eq!(
        tree["children"][0]["onClickAction"],
        json!({ "type": "press", "handler": "server", "streaming": false, "loadingBehavior": "self",
            "payload": { "token": "widget itm_1 3 children[0].onClickAction" } })
    );
    for n in [1, 2] {
        assert_eq!(tree["children"][n].get("onClickAction"), None);
    }
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let view = json!({ "type": "Card",
        "background": "url(https://evil.example/a)",
        "status": { "text": "Now", "favicon": "https://evil.example/b", "frame": true, "icon": "star" },
        "children": [
            { "type": "Image", "src": "https://evil.example/c.png", "alt": "A house" },
            { "type": "Image", "src": "data:image/svg+xml;base64,PHN2Zz4=" },
            { "type": "Markdown", "value": "a ![x](https://evil.example/d) <img src=https://evil.example/e>" },
            { "type": "Input", "name": "n", "pattern": "(a+)+$" } ] });
    let tree = tree(view);
    assert_eq!(tree.get("background"), None);
    assert_eq!(tree["status"], json!({ "text": "Now", "icon": "star" }));
    assert_eq!(tree["children"][0]["value"], "[picture: A house]");
    assert_eq!(tree["children"][1]["value"], "[picture]");
    // A link tells where it leads, and HTML is text.
    assert_eq!(
        tree["children"][2]["value"],
        r"a [x](https://evil.example/d) (evil.example) \<img src=https://evil.example/e>"
    );
    assert_eq!(tree["children"][3].get("pattern"), None);
}

#[test]
fn what_chatkit_does_not_have_is_drawn_with_what_it_has() {
    let view = json!({ "type": "Card", "border": 1, "children": [
        { "type": "Progress", "value": 3, "max": 5, "label": "Plays" },
        { "type": "Acme.Map", "children": [{ "type": "Text", "value": "Oslo" }] },
        { "type": "Acme.Map", "fallback": "a map" },
        { "type": "Acme.Map" },
        { "type": "Icon", "name": "no-such-icon" },
        { "type": "Box", "gap": 2.5, "width": 12.5, "size": "large", "glow": true } ] });
    let tree = tree(view);
    assert_eq!(tree.get("border"), None);
    let children = tree["children"].as_array().expect("a list");
    let drawn: Vec<_> = children.iter().map(|it| it["type"].as_str()).collect();
    assert_eq!(drawn, ["Text", "Col", "Text", "Icon", "Box"].map(Some));
    assert_eq!(children[0]["value"], "Plays 3/5");
    assert_eq!(children[3]["name"], "lucide:no-such-icon");
    assert_eq!(
        (&children[4]["gap"], &children[4]["width"]),
        (&json!(3), &json!(13))
    );
    assert_eq!(children[4].get("glow"), None);
}

#[test]
fn every_text_has_an_id_of_its_own() {
    let view = json!({ "type": "Card", "children": [
        { "type": "Text", "value": "a" }, { "type": "Text", "value": "b", "id": "b" },
        { "type": "Text", "value": "c", "id": "~children[0]" },
        { "type": "Transition", "children": { "type": "Markdown", "value": "d" } } ] });
    let tree = tree(view);
    let ids: Vec<_> = (0..3).map(|n| tree["children"][n]["id"].clone()).collect();
    assert_eq!(ids, ["~children[0]", "b", "~children[2]"].map(Value::from));
    assert_eq!(
        tree["children"][3]["children"]["id"],
        "~children[3].children"
    );
}

//! Tests of registered renderers, declared widget types, component trees and items.

use super::*;
use crate::view::{CallState, Role};

#[test]
fn a_registered_renderer_wins_and_one_that_refuses_falls_back() {
    let mut registry = Registry::default();
    registry
        .kind("acme.x", |result| result.data.as_str().map(View::text))
        .kind("table", |_| None)
        .widget("clock", |data| data["time"].as_str().map(View::text));
    let lower = Lower::default().with(&registry);
    let result = |value| match lower.result(&read(value)) {
        View::Frame(frame) => *frame.body,
        other => other,
    };
    assert_eq!(
        result(json!({"kind": "acme.x", "data": "drawn", "display": {"preferredView": "tree"}})),
        View::text("drawn")
    );
    assert_eq!(
        name(&result(json!({"kind": "acme.x", "data": [1]}))),
        "Code"
    );
    assert_eq!(
        name(&result(
            json!({"kind": "table", "data": {"columns": [{"key": "a"}], "rows": [{"a": 1}]}})
        )),
        "Table"
    );

    let view = json!({"type": "Card", "children": [{"type": "Text", "value": "from the view"}]});
    let widget = |widget: &str, data: Value, view: Option<&Value>| {
        let shown = lower.widget(WidgetRef {
            from: Some("p"),
            widget,
            data: &data,
            fallback: "in words",
            view,
            invalid_data: false,
        });
        let View::Widget(shown) = shown else {
            panic!("not a widget")
        };
        *shown.body
    };
    assert_eq!(
        widget("clock", json!({"time": "noon"}), Some(&view)),
        View::text("noon")
    );
    assert_eq!(name(&widget("clock", json!(7), Some(&view))), "Group");
    let in_words = View::Text(crate::view::Text::new(
        Role::Lines,
        crate::view::Inline::plain("in words"),
    ));
    assert_eq!(widget("clock", json!(7), None), in_words);
    // A widget of an unknown type shows its fallback, and so does one whose view is not valid.
    assert_eq!(widget("unheard", json!({}), None), in_words);
    assert_eq!(
        widget("unheard", json!({}), Some(&json!({"type": "Card"}))),
        in_words
    );
    assert_eq!(widget("unheard", json!({}), Some(&json!(7))), in_words);
    let blank = json!({"type": "Card", "children": [{"type": "Row", "children": []}]});
    assert_eq!(widget("unheard", json!({}), Some(&blank)), in_words);
}

#[test]
fn data_that_does_not_fit_its_schema_draws_the_fallback_whatever_else_could() {
    let mut registry = Registry::default();
    registry.widget("clock", |_| Some(View::text("drawn")));
    let view = json!({"type": "Card", "children": [{"type": "Text", "value": "from the view"}]});
    for (registry, widget, valid) in [
        (Some(&registry), "clock", "drawn"),
        (Some(&registry), "dial", "from the view"),
        (None, "clock", "from the view"),
    ] {
        for (invalid_data, expected) in [(false, valid), (true, "in words")] {
            let lower = Lower::default();
            let lower = match registry {
                Some(registry) => lower.with(registry),
                None => lower,
            };
            // An item of the record carries the verdict of the schema.
            let stored = serde_json::from_value(json!({
                "type": "widget", "id": "w", "call": "c", "widget": widget, "data": 12,
                "fallback": "in words", "view": view, "invalidData": invalid_data, "start": "2026-11-16T12:00:00Z",
                "position": {"turn": 1, "step": 1, "call": 1, "n": 1},
            }));
            let direct = lower.widget(WidgetRef {
                from: None,
                widget,
                data: &json!(12),
                fallback: "in words",
                view: Some(&view),
                invalid_data,
            });
            for drawn in [direct, lower.item(&stored.expect("an item"))] {
                let drawn = format!("{drawn:?}");
                for words in ["drawn", "from the view", "in words"] {
                    assert_eq!(drawn.contains(words), words == expected, "{drawn}");
                }
            }
        }
    }
}

#[test]
fn actions_are_numbered_as_the_host_finds_them() {
    let tree = json!({"type": "Card", "asForm": true, "confirm": {"label": "Go", "action": {"type": "go"}}, "children": [
        {"type": "Button", "label": "A", "onClickAction": {"type": "a"}},
        {"type": "Form", "onSubmitAction": {"type": "save"}, "children": [{"type": "Checkbox", "name": "c", "onChangeAction": {"type": "tick"}}]}]});
    let placed = footlight_vocabulary::component::find_actions(&tree);
    let mut found = Vec::new();
    fn collect(view: &View, found: &mut Vec<(usize, String, Option<String>)>) {
        let mut add = |press: &Option<crate::view::Press>| {
            found.extend(
                press
                    .as_ref()
                    .map(|press| (press.number, press.path.clone(), press.form.clone())),
            );
        };
        match view {
            View::Group(group) => {
                add(&group.press);
                group.footer.iter().for_each(|button| add(&button.press));
                group
                    .children
                    .iter()
                    .for_each(|child| collect(child, found));
            }
            View::Button(button) => add(&button.press),
            View::Field(field) => add(&field.press),
            _ => {}
        }
    }
    collect(&Lower::default().component(&tree), &mut found);
    found.sort();
    let expected: Vec<_> = placed
        .into_iter()
        .enumerate()
        .map(|(n, one)| (n + 1, one.path, one.form))
        .collect();
    assert_eq!(found.len(), 4);
    assert_eq!(found, expected);
}

#[test]
fn items_name_the_plugin_that_shows_or_asks() {
    let head = |n: u32| json!({"position": {"turn": 1, "step": 1, "call": 1, "n": n}, "start": "2026-11-16T05:06:07.000Z"});
    let item = |n: u32, mut content: Value| {
        content
            .as_object_mut()
            .expect("an object")
            .extend(head(n).as_object().expect("an object").clone());
        serde_json::from_value(content).expect("an item")
    };
    let views = Lower::default().items(&[
        item(0, json!({"type": "tool", "id": "call_1", "function": "weather.now", "input": {"city": "Oslo"}, "result": {"type": "error", "error": "no", "code": "denied"}})),
        item(1, json!({"type": "widget", "id": "wid_1", "call": "call_1", "widget": "w", "data": null, "fallback": "words"})),
        item(2, json!({"type": "hologram", "id": "x_1"})),
    ]);
    let [View::Call(call), View::Widget(shown), unknown] = views.as_slice() else {
        panic!("{views:?}")
    };
    assert_eq!(
        (call.state, call.input.to_text().as_str()),
        (CallState::Denied, "city=\"Oslo\"")
    );
    assert_eq!(shown.from.as_deref(), Some("weather"));
    // An item of an unknown type is not blank.
    assert_eq!(name(unknown), "Group");
}

#[test]
fn an_answer_is_shown_in_the_words_it_was_chosen_by() {
    let answered = |control: &str, response: &str, values: Value| {
        let options = json!([{"value": "a", "label": "First"}, {"value": "b"}]);
        let item = json!({ "type": "ask", "id": "i", "call": "c", "prompt": "Which?", "state": "answered",
            "widgets": [{"name": "pick", "type": control, "options": options}],
            "response": response, "values": values, "start": "2026-11-16T05:06:07.000Z",
            "position": {"turn": 1, "step": 1, "call": 1, "n": 1} });
        let item = serde_json::from_value(item).expect("an item");
        match Lower::default().item(&item) {
            View::Ask(ask) => ask.response,
            other => panic!("{other:?}"),
        }
    };
    let one = answered("radio", "a", json!({"pick": "a"}));
    assert_eq!(one.as_deref(), Some("First"));
    let both = answered("checkbox", "a, b", json!({"pick": ["a", "b"]}));
    assert_eq!(both.as_deref(), Some("First, b"));
    let typed = answered("radio", "neither", json!({"pick": "neither"}));
    assert_eq!(typed.as_deref(), Some("neither"));
}

//! Actions of a tree, and the form values that go with them.

use super::MAX_NODES;
use super::action::Action;
use super::spec::{PropSpec, PropType};
use super::walk::walk;
use serde_json::{Map, Value};

/// The most segments of a nested field name. A name with more is not nested.
const MAX_SEGMENTS: usize = 16;

/// An action and its position in the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedAction {
    /// The path of the action, such as `children[1].onClickAction`.
    pub path: String,
    /// The path of its component; empty for the root.
    pub at: String,
    /// The type of its component.
    pub component: String,
    /// The `id` of its component.
    pub id: Option<String>,
    /// The path of the enclosing form, whose values go with the action; empty for the root.
    pub form: Option<String>,
    /// The action.
    pub action: Action,
}

/// Returns the actions that a person can press: well-formed, in a component that is drawn and not
/// disabled. A host accepts no other press.
#[must_use]
pub fn find_actions(tree: &Value) -> Vec<PlacedAction> {
    let mut found = Vec::new();
    for place in walk(tree).take(MAX_NODES) {
        let (Some(spec), Some(members)) = (place.spec, place.value.as_object()) else {
            continue;
        };
        if members.get("disabled") == Some(&Value::Bool(true)) {
            continue;
        }
        each_action(spec.props, members, "", &mut |name, value| {
            if let Some(action) = Action::read(value) {
                found.push(PlacedAction {
                    path: place.member(name),
                    at: place.path.clone(),
                    component: spec.name.to_owned(),
                    id: members.get("id").and_then(Value::as_str).map(str::to_owned),
                    form: place.form.as_deref().map(str::to_owned),
                    action,
                });
            }
        });
    }
    found
}

/// Returns the actions among the props of a shape, also inside an object such as a card's
/// `confirm`.
fn each_action(
    shape: &[PropSpec],
    members: &Map<String, Value>,
    path: &str,
    found: &mut dyn FnMut(&str, &Value),
) {
    for prop in shape {
        let Some(value) = members.get(prop.name) else {
            continue;
        };
        let path = format!("{path}{}", prop.name);
        match (prop.takes, value) {
            (PropType::Action, _) => found(&path, value),
            (PropType::Object(shape), Value::Object(members)) => {
                each_action(shape, members, &format!("{path}."), found);
            }
            _ => {}
        }
    }
}

/// A field whose value goes with an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedField {
    /// The path of the component.
    pub path: String,
    /// The name in the form; a dot nests objects.
    pub name: String,
    /// The prop with the initial value.
    prop: &'static str,
    /// Whether the input is hidden.
    pub is_secret: bool,
}

/// Returns the fields whose values go with an action: those of the enclosing form, or without a
/// form the field that has the action. Disabled fields are left out.
#[must_use]
pub fn fields_of(tree: &Value, action: &PlacedAction) -> Vec<PlacedField> {
    let mut found = Vec::new();
    for place in walk(tree).take(MAX_NODES) {
        let Some(members) = place.value.as_object() else {
            continue;
        };
        let is_wanted = match &action.form {
            Some(form) => place.form.as_deref() == Some(form),
            None => place.path == action.at,
        };
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let editable = members
            .get("editable")
            .and_then(|editable| editable.get("name"));
        let (name, prop) = match place.kind {
            Some("Input" | "Textarea" | "Select" | "RadioGroup" | "DatePicker") => {
                (text("name"), "defaultValue")
            }
            Some("Checkbox") => (text("name"), "defaultChecked"),
            Some("Text") => (editable.and_then(Value::as_str), "value"),
            _ => continue,
        };
        let is_wanted = is_wanted && members.get("disabled") != Some(&Value::Bool(true));
        if let (true, Some(name)) = (is_wanted, name) {
            found.push(PlacedField {
                name: name.to_owned(),
                prop,
                is_secret: text("inputType") == Some("password"),
                path: place.path,
            });
        }
    }
    found
}

/// Returns the tree with the submitted values as initial values. `input` is the result of
/// [`apply_form`]; a checkbox that is not in it becomes unchecked.
#[must_use]
pub fn filled_in(tree: &Value, fields: &[PlacedField], input: &Value) -> Value {
    let mut tree = tree.clone();
    for field in fields.iter().filter(|field| !field.is_secret) {
        let given = value_of(input, &field.name);
        let value = match (field.prop, given) {
            ("defaultChecked", given) => Value::Bool(given == Some(&Value::Bool(true))),
            (_, Some(Value::String(text))) => text.as_str().into(),
            (_, Some(other @ (Value::Number(_) | Value::Bool(_)))) => other.to_string().into(),
            _ => continue,
        };
        if let Some(Value::Object(members)) = node_mut(&mut tree, &field.path) {
            let options = members.get("options").and_then(Value::as_array);
            let is_value = |option: &Value| option.get("value") == Some(&value);
            if options.is_some_and(|options| !options.iter().any(is_value)) {
                continue;
            }
            let was_off = members
                .get(field.prop)
                .is_none_or(|old| old == &Value::Bool(false));
            if !(was_off && value == Value::Bool(false)) {
                members.insert(field.prop.to_owned(), value);
            }
        }
    }
    tree
}

/// Returns the value that [`apply_form`] stored under a field's name.
fn value_of<'a>(input: &'a Value, name: &str) -> Option<&'a Value> {
    let plain = input.get(name);
    plain.or_else(|| {
        name.split('.')
            .try_fold(input, |value, segment| value.get(segment))
    })
}

/// Returns the component at a path of [`walk`].
fn node_mut<'a>(tree: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    let segments = path.split('.').filter(|segment| !segment.is_empty());
    segments.into_iter().try_fold(tree, |node, segment| {
        match segment
            .strip_suffix(']')
            .and_then(|inner| inner.split_once('['))
        {
            Some((name, index)) => node.get_mut(name)?.get_mut(index.parse::<usize>().ok()?),
            None => node.get_mut(segment),
        }
    })
}

/// Adds the values of a form to the payload of an action, as ChatKit does: dots in a name nest
/// objects, and existing members of the payload stay.
///
/// A payload that is neither an object nor `null` is returned unchanged. A name with empty segments
/// or too many of them is not nested.
#[must_use]
pub fn apply_form(payload: Value, form: &Map<String, Value>) -> Value {
    let mut members = match payload {
        Value::Null => Map::new(),
        Value::Object(members) => members,
        other => return other,
    };
    for (name, value) in form {
        let segments: Vec<&str> = name.split('.').collect();
        let nests =
            segments.len() <= MAX_SEGMENTS && segments.iter().all(|segment| !segment.is_empty());
        let (last, above) = match segments.split_last() {
            Some((last, above)) if nests => (*last, above),
            _ => (name.as_str(), &[][..]),
        };
        insert(&mut members, above, last, value);
    }
    Value::Object(members)
}

/// `MAX_SEGMENTS` bounds the recursion.
fn insert(members: &mut Map<String, Value>, above: &[&str], name: &str, value: &Value) {
    match above.split_first() {
        None => {
            members.entry(name).or_insert_with(|| value.clone());
        }
        Some((first, rest)) => {
            let slot = members
                .entry(*first)
                .or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = slot {
                insert(inner, rest, name, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(payload: Value, form: Value, expected: Value) {
        let form = form
            .as_object()
            .expect("a test's form is an object")
            .clone();
        assert_eq!(apply_form(payload, &form), expected);
    }

    #[test]
    fn dotted_names_nest() {
        check(
            Value::Null,
            json!({ "todo.title": "Milk", "done": true }),
            json!({ "todo": { "title": "Milk" }, "done": true }),
        );
        check(
            json!({ "todo": { "id": 1 } }),
            json!({ "todo.title": "Milk" }),
            json!({ "todo": { "id": 1, "title": "Milk" } }),
        );
    }

    #[test]
    fn members_of_the_payload_are_not_overwritten() {
        check(json!({ "id": 1 }), json!({ "id": 2 }), json!({ "id": 1 }));
        check(
            json!({ "id": null }),
            json!({ "id": 2 }),
            json!({ "id": null }),
        );
        check(
            json!({ "todo": { "title": "Eggs" } }),
            json!({ "todo.title": "Milk" }),
            json!({ "todo": { "title": "Eggs" } }),
        );
        check(
            json!({ "todo": 7 }),
            json!({ "todo.title": "Milk" }),
            json!({ "todo": 7 }),
        );
        check(
            json!({ "todo": [1] }),
            json!({ "todo.title": "Milk" }),
            json!({ "todo": [1] }),
        );
    }

    #[test]
    fn odd_payloads_and_names_do_no_harm() {
        check(json!("text"), json!({ "a": 1 }), json!("text"));
        check(json!([1]), json!({ "a": 1 }), json!([1]));
        check(json!({}), json!({}), json!({}));
        check(
            json!({}),
            json!({ "": 1, ".": 2, "a..b": 3, ".c": 4, "d.": 5 }),
            json!({ "": 1, ".": 2, "a..b": 3, ".c": 4, "d.": 5 }),
        );
        check(json!({}), json!({ "a": 1, "a.b": 2 }), json!({ "a": 1 }));
    }

    #[test]
    fn a_name_nests_only_so_deep() {
        let deepest = vec!["a"; MAX_SEGMENTS].join(".");
        let form = Map::from_iter([(deepest, json!(1))]);
        let mut value = &apply_form(Value::Null, &form);
        for _ in 0..MAX_SEGMENTS {
            value = &value["a"];
        }
        assert_eq!(value, 1);
        let hostile = vec!["a"; 100_000].join(".");
        let form = Map::from_iter([(hostile.clone(), json!(1))]);
        assert_eq!(apply_form(Value::Null, &form)[hostile.as_str()], 1);
    }

    #[test]
    fn every_action_is_found_with_its_place() {
        let tree = json!({ "type": "Card", "id": "card", "asForm": true,
            "confirm": { "label": "Save", "action": { "type": "save" } },
            "cancel": { "label": "No", "action": { "type": "Not a tool" } },
            "children": [
                { "type": "Text", "value": "x", "onClickAction": { "type": "hidden" },
                  "children": [{ "type": "Button", "onClickAction": { "type": "never_drawn" } }] },
                { "type": "Acme", "onClickAction": { "type": "unknown" }, "children": {
                    "type": "Button", "id": "b", "onClickAction": { "type": "more", "payload": { "n": 1 } } } },
                { "type": "Form", "onSubmitAction": { "type": "send" }, "children": [
                    { "type": "Select", "name": "s", "options": [], "onChangeAction": { "type": "pick" } }
                ] }
            ] });
        let found: Vec<_> = find_actions(&tree)
            .into_iter()
            .map(|one| (one.action.tool().to_owned(), one.path, one.id, one.form))
            .collect();
        let line = |tool: &str, path: &str, id: Option<&str>, form: &str| {
            (
                tool.to_owned(),
                path.to_owned(),
                id.map(str::to_owned),
                Some(form.to_owned()),
            )
        };
        assert_eq!(
            found,
            [
                line("save", "confirm.action", Some("card"), ""),
                line("more", "children[1].children.onClickAction", Some("b"), ""),
                line("send", "children[2].onSubmitAction", None, "children[2]"),
                line(
                    "pick",
                    "children[2].children[0].onChangeAction",
                    None,
                    "children[2]"
                ),
            ]
        );
    }

    /// A form with one of each field, and a box outside.
    fn tree() -> Value {
        json!({ "type": "Card", "children": [
            { "type": "Form", "onSubmitAction": { "type": "save" }, "children": [
                { "type": "Row", "children": [
                    { "type": "Input", "name": "who.name", "defaultValue": "Ada" },
                    { "type": "Input", "name": "pin", "inputType": "password" } ] },
                { "type": "Checkbox", "name": "news", "defaultChecked": true },
                { "type": "Checkbox", "name": "spam" },
                { "type": "Text", "value": "old", "editable": { "name": "note" } },
                { "type": "Text", "value": "no field" },
                { "type": "Checkbox", "name": "fixed", "defaultChecked": true, "disabled": true },
                { "type": "Select", "name": "seat", "options": [{ "value": "box", "label": "Box" }] },
                { "type": "Button", "disabled": true, "onClickAction": { "type": "off" } } ] },
            { "type": "Checkbox", "name": "done", "onChangeAction": { "type": "toggle" } } ] })
    }

    #[test]
    fn fields_of_an_action_are_those_of_its_form_or_its_own() {
        let tree = tree();
        let actions = find_actions(&tree);
        let names = |action: &PlacedAction| -> Vec<(String, bool)> {
            let fields = fields_of(&tree, action).into_iter();
            fields.map(|field| (field.name, field.is_secret)).collect()
        };
        let field = |name: &str| (name.to_owned(), false);
        let [save, toggle] = &actions[..] else {
            panic!("what is disabled cannot be pressed: {actions:?}")
        };
        let secret = ("pin".to_owned(), true);
        let form = [
            field("who.name"),
            secret,
            field("news"),
            field("spam"),
            field("note"),
            field("seat"),
        ];
        assert_eq!(names(save), form);
        assert_eq!(names(toggle), [field("done")]);
    }

    #[test]
    fn submitted_values_are_filled_in_and_unchecked_boxes_are_unchecked() {
        let tree = tree();
        let save = &find_actions(&tree)[0];
        let fields = fields_of(&tree, save);
        let form = json!({ "who.name": "Grace", "pin": "1234", "note": 7, "seat": "roof" });
        let input = apply_form(json!({}), form.as_object().expect("an object"));
        let mut expected = tree.clone();
        expected["children"][0]["children"][0]["children"][0]["defaultValue"] = "Grace".into();
        expected["children"][0]["children"][1]["defaultChecked"] = false.into();
        expected["children"][0]["children"][3]["value"] = "7".into();
        assert_eq!(filled_in(&tree, &fields, &input), expected);
        assert_eq!(filled_in(&expected, &fields, &input), expected);
    }
}

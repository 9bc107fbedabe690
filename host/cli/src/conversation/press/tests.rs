//! What `/do` is understood as, and what is pressed.

use super::*;
use crate::terminal::prompt::PreparedReplies;
use crate::terminal::ui::{ItemKey, OutStream};
use footlight_render::lower::Lower;
use footlight_vocabulary::item::{Item, Position};
use serde_json::json;

#[test]
fn a_line_is_a_number_and_fields_that_may_be_quoted() {
    let read = |line: &str| PressCommand::parse(line);
    let pairs = |pairs: &[(&str, &str)]| {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        pairs.iter().map(owned).collect::<Vec<_>>()
    };
    assert_eq!(read("  "), Ok(None));
    let given = pairs(&[("title", "Buy milk"), ("day", ""), ("note", "a'b")]);
    let wanted = PressCommand { number: 3, given };
    let line = r#"[3] title='Buy milk' day= "note=a'b""#;
    assert_eq!(read(line), Ok(Some(wanted)));
    for wrong in ["x", "-1", "1 title", "1 title='x"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

fn card() -> Item {
    let view = json!({ "type": "Card", "children": [
        { "type": "Checkbox", "name": "done", "label": "Milk", "defaultChecked": true,
          "onChangeAction": { "type": "toggle" } },
        { "type": "Button", "label": "Clear", "onClickAction": { "type": "clear" } },
        { "type": "Form", "onSubmitAction": { "type": "add" }, "children": [
            { "type": "Input", "name": "title", "required": true },
            { "type": "Select", "name": "when", "defaultValue": "now",
              "options": [{ "value": "now", "label": "Now" }, { "value": "later", "label": "Later" }] },
            { "type": "Checkbox", "name": "urgent", "label": "Urgent" },
            { "type": "Button", "label": "Add", "submit": true }] },
        { "type": "Form", "onSubmitAction": { "type": "enter" }, "children": [
            { "type": "Input", "name": "key", "inputType": "password" },
            { "type": "Button", "label": "Enter", "submit": true }] }] });
    let item = json!({ "type": "widget", "id": "w", "rev": 4, "call": "c", "widget": "list",
        "data": 1, "fallback": "x", "view": view, "start": "2026-11-16T01:52:35.000Z",
        "position": Position::default() });
    serde_json::from_value(item).expect("an item")
}

fn pressed(line: &str) -> std::result::Result<Press, String> {
    let (ui, _, _) = Ui::scripted(false);
    let item = card();
    let key = ItemKey {
        id: item.id.clone(),
        position: item.position,
    };
    ui.draw_item(OutStream::Stderr, &key, Lower::default().item(&item))
        .expect("prints");
    let mut person = Person::new(PreparedReplies::default(), None);
    let wanted = PressCommand::parse(line)?.expect("a number");
    prepare(wanted, &ui, &mut person).expect("is prepared")
}

#[test]
fn a_checkbox_outside_a_form_toggles_or_takes_the_given_value() {
    let press = pressed("1").expect("is pressed");
    assert_eq!((press.item.as_str(), press.rev), ("w", 4));
    assert_eq!(press.path, "children[0].onChangeAction");
    assert_eq!(json!(press.values), json!({ "done": false }));
    let press = pressed("1 done=yes").expect("is pressed");
    assert_eq!(json!(press.values), json!({ "done": true }));
    let press = pressed("2").expect("is pressed");
    assert_eq!(
        (press.path.as_str(), press.values.len()),
        ("children[1].onClickAction", 0)
    );
}

#[test]
fn a_form_is_filled_from_the_line_and_invalid_fields_are_rejected() {
    let press = pressed("3 title='Buy milk' when=Later urgent=yes").expect("is pressed");
    let expected = json!({ "title": "Buy milk", "when": "later", "urgent": true });
    assert_eq!(json!(press.values), expected);
    let missing = pressed("3").expect_err("nobody fills it in");
    assert!(missing.contains("`title`, `when`, `urgent`"), "{missing}");
    let unknown = pressed("3 titel=x").expect_err("no such field");
    assert!(unknown.contains("no field `titel`"), "{unknown}");
    assert!(pressed("9").expect_err("no such number").contains("/do"));
}

#[test]
fn a_secret_on_the_line_is_rejected() {
    let refused = pressed("4 key=hunter2").expect_err("is a secret");
    assert!(refused.contains("`key` is a secret"), "{refused}");
    assert!(!refused.contains("hunter2"), "{refused}");
}

#[test]
fn missing_fields_of_a_form_are_prompted_for_with_their_default() {
    let (ui, _, _) = Ui::scripted(false);
    let item = card();
    let key = ItemKey {
        id: item.id.clone(),
        position: item.position,
    };
    ui.draw_item(OutStream::Stderr, &key, Lower::default().item(&item))
        .expect("prints");
    let (mut person, screen) =
        crate::terminal::prompt::tests::person(PreparedReplies::default(), "Bread\n\ny\n");
    let wanted = PressCommand::parse("3").expect("reads").expect("a number");
    let press = prepare(wanted, &ui, &mut person).expect("is prepared");
    let press = press.expect("is pressed");
    let expected = json!({ "title": "Bread", "when": "now", "urgent": true });
    assert_eq!(json!(press.values), expected, "{}", screen.text());
}

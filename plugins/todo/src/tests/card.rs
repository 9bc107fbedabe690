//! Tests of the card and its actions.

use super::{fill, last_card, task, tick, titles};
use crate::FootlightPlugin;
use crate::actions::toggle;
use crate::card::MAX_ROWS;
use crate::store;
use crate::tasks::{MAX_TASKS, MAX_TITLE_CHARS, Priority};
use crate::tools::list;
use footlight_sdk::prelude::*;

/// A tool's name, and the payload for it.
type Action = (String, Value);

fn actions_of_last_card(stage: &Stage) -> Vec<Action> {
    last_card(stage).actions()
}

/// Runs an action as a host does, with the values of its form.
fn press(stage: &Stage, (tool, payload): &Action, form: Value) {
    let input = if payload.is_null() { &form } else { payload };
    testing::run::<FootlightPlugin>(stage, tool, &input.to_string()).expect("the press succeeds");
}

#[test]
fn every_action_names_a_tool_and_sends_its_arguments() {
    let stage = testing::stage();
    fill(&stage, &["Milk", "Eggs"]);
    let tools = testing::describe::<FootlightPlugin>().tools;
    let actions = actions_of_last_card(&stage);
    assert_eq!(actions.len(), 5, "two for each task, and the form's");
    for (name, payload) in actions {
        let tool = tools.iter().find(|tool| tool.name == name);
        let schema = &tool
            .expect("an action names a tool of this plugin")
            .input_schema;
        let schema: Value = serde_json::from_str(schema).expect("JSON");
        for (argument, _) in payload.as_object().into_iter().flatten() {
            assert!(schema["properties"].get(argument).is_some(), "{name}");
        }
    }
}

#[test]
fn tools_for_the_person_alone_are_hidden_from_the_model() {
    let tools = testing::describe::<FootlightPlugin>().tools;
    let for_people = tools
        .iter()
        .filter(|tool| tool.traits.contains(r#""audience":["user"]"#));
    let names: Vec<&str> = for_people.map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["toggle", "remove"]);
}

#[test]
fn each_action_of_the_card_changes_the_list() {
    let stage = testing::stage();
    fill(&stage, &["Milk", "Eggs"]);
    let [tick_milk, _, _, remove_eggs, submit] =
        <[Action; 5]>::try_from(actions_of_last_card(&stage)).expect("five actions");
    press(&stage, &tick_milk, Value::Null);
    press(&stage, &remove_eggs, Value::Null);
    press(&stage, &submit, json!({ "title": "Bread" }));
    assert_eq!(titles(&stage), ["Milk", "Bread"]);
    assert!(task(&stage, 1).done);
    assert_eq!(
        last_card(&stage).fallback,
        "1 task to do, 1 done.\n[ ] #3 Bread\n[x] #1 Milk"
    );
}

#[test]
fn toggling_inverts_a_task_and_shows_the_new_card() {
    let stage = testing::stage();
    fill(&stage, &["Milk"]);
    for (done, said) in [
        (true, "#1 Milk is done."),
        (false, "#1 Milk is open again."),
    ] {
        let shown = stage.shown().len();
        let outcome = testing::run::<FootlightPlugin>(&stage, "toggle", r#"{"id":1}"#);
        assert_eq!(
            outcome.expect("toggles").data,
            json!({ "content": said }).to_string()
        );
        assert_eq!(
            stage.shown().len(),
            shown + 1,
            "one widget, which replaces the sender"
        );
        assert_eq!(last_card(&stage).data["tasks"][0]["done"], done);
    }
}

#[test]
fn pressing_the_same_box_twice_does_not_undo_it() {
    let stage = testing::stage();
    fill(&stage, &["Milk"]);
    let box_on_screen = actions_of_last_card(&stage).remove(0);
    press(&stage, &box_on_screen, Value::Null);
    press(&stage, &box_on_screen, Value::Null);
    assert!(task(&stage, 1).done);
}

#[test]
fn a_press_on_a_removed_task_fails_with_its_number() {
    let failure = toggle(&testing::stage(), 7, None).expect_err("no such task");
    assert_eq!(
        failure.message(),
        "there is no task #7 on the list any more"
    );
}

#[test]
fn an_empty_list_has_a_friendly_card() {
    let stage = testing::stage();
    assert_eq!(list(&stage, "all".into()).expect("lists").len(), 0);
    let card = last_card(&stage);
    assert_eq!(card.fallback, "Nothing to do. Enjoy the day!");
    assert_eq!(card.actions(), [("add".to_owned(), Value::Null)]);
}

#[test]
fn the_longest_list_still_fits_on_a_card() {
    let stage = testing::stage();
    // The widest character in JSON: six bytes. Not in every task, because a value of the state would be too large.
    let wide = "\u{1}".repeat(MAX_TITLE_CHARS);
    let day = Some("2026-05-04".to_owned());
    store::change(&stage, |tasks| {
        (0..MAX_TASKS).try_for_each(|n| {
            let is_shown = !(MAX_ROWS..MAX_TASKS - MAX_ROWS).contains(&n);
            let title = if is_shown { &*wide } else { "x" };
            tasks.add(title, day.clone(), Priority::High).map(drop)
        })
    })
    .expect("there is room");
    tick(&stage, 1);
    let card = last_card(&stage);
    assert_eq!(card.data["tasks"].as_array().map(Vec::len), Some(MAX_ROWS));
    assert!(card.fallback.ends_with("and 470 more"));
}

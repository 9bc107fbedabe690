//! Tests of `clear`: the question, the approval, and the result without them.

use super::{fill, last_card, tick, titles};
use crate::FootlightPlugin;
use crate::clearing::{What, clear};
use footlight_sdk::prelude::*;

const WHAT: &str = "What should go from your list?";

/// Adds Milk and Eggs to the list, and ticks Eggs.
fn fill_some(stage: &Stage) {
    fill(stage, &["Milk", "Eggs"]);
    tick(stage, 2);
}

#[test]
fn deleting_everything_asks_and_needs_approval() {
    let stage = testing::stage()
        .answers(WHAT, "everything")
        .approves("todo.clear");
    fill_some(&stage);
    let text = clear(&stage, None).expect("approval is given");
    assert_eq!(text.data.content, "Deleted 2 tasks.");
    assert!(titles(&stage).is_empty());
    assert_eq!(last_card(&stage).fallback, "Nothing to do. Enjoy the day!");
    stage.finish();
}

#[test]
fn deleting_done_tasks_needs_approval_for_just_these() {
    let stage = testing::stage()
        .answers(WHAT, "done")
        .approves("todo.clear");
    fill_some(&stage);
    let text = clear(&stage, None).expect("approval is given");
    assert_eq!(text.data.content, "Deleted 1 task.");
    assert_eq!(titles(&stage), ["Milk"]);
    let [request] = &stage.approval_requests()[..] else {
        panic!("one request");
    };
    assert_eq!(request.subject, "the tasks that are done");
    assert_eq!(request.reason, "1 task will be deleted.");
    assert_eq!(request.details, Some(serde_json::json!(["Eggs"])));
}

#[test]
fn nothing_to_delete_needs_no_approval() {
    let stage = testing::stage();
    fill(&stage, &["Milk"]);
    let text = clear(&stage, Some(What::Done)).expect("nothing to do");
    assert_eq!(text.data.content, "No task is done yet.");
    assert_eq!(titles(&stage), ["Milk"]);
}

#[test]
fn a_denied_approval_deletes_nothing_and_is_a_failure() {
    let stage = testing::stage()
        .answers(WHAT, "everything")
        .denies("todo.clear", "not the milk");
    fill_some(&stage);
    let failure = clear(&stage, None).expect_err("the person refuses");
    assert_eq!(failure.code(), FailureCode::Denied);
    assert_eq!(failure.message(), "the person said no: not the milk");
    assert_eq!(titles(&stage), ["Milk", "Eggs"]);
}

#[test]
fn skipping_the_question_deletes_nothing_and_is_not_a_failure() {
    let stage = testing::stage().skips(WHAT);
    fill_some(&stage);
    let text = clear(&stage, None).expect("a friendly result");
    assert_eq!(text.data.content, "Nothing was deleted.");
    assert_eq!(titles(&stage), ["Milk", "Eggs"]);
}

#[test]
fn nothing_is_deleted_if_nobody_can_be_asked() {
    let stage = testing::stage().nobody_answers(WHAT);
    fill_some(&stage);
    let failure = clear(&stage, None).expect_err("nobody is there");
    assert_eq!(failure.code(), FailureCode::Unavailable);
    assert_eq!(titles(&stage), ["Milk", "Eggs"]);
}

#[test]
fn a_choice_by_the_model_is_not_asked_but_still_needs_approval() {
    let stage = testing::stage().approves("todo.clear");
    fill_some(&stage);
    clear(&stage, Some(What::Everything)).expect("approval is given");
    assert!(titles(&stage).is_empty());
}

#[test]
fn only_deleting_everything_is_a_concern() {
    let concern = |input| testing::assess::<FootlightPlugin>("clear", input).expect("weighs");
    let subject = concern(r#"{"what":"everything"}"#).map(|concern| concern.subject);
    assert_eq!(subject.as_deref(), Some("every task"));
    assert_eq!(concern(r#"{"what":"done"}"#), None);
    assert_eq!(concern("{}"), None);
}

#[test]
fn an_empty_list_is_not_asked_about() {
    let text = clear(&testing::stage(), None).expect("nothing to do");
    assert_eq!(text.data.content, "The list is empty already.");
}

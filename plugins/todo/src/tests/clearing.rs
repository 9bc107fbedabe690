//! Deleting many at once: the question, the leave, and what happens without them.

use super::{fill, last_card, tick, titles};
use crate::FootlightPlugin;
use crate::clearing::{What, clear};
use footlight_sdk::prelude::*;
use footlight_sdk::{FailureCode, testing};

const WHAT: &str = "What should go from your list?";

/// Puts Milk and Eggs on the list, of which Eggs is done.
fn fill_some(stage: &Stage) {
    fill(stage, &["Milk", "Eggs"]);
    tick(stage, 2);
}

#[test]
fn deleting_everything_is_asked_and_needs_leave() {
    let stage = testing::stage()
        .answers(WHAT, "everything")
        .approves("todo.clear");
    fill_some(&stage);
    let text = clear(&stage, None).expect("leave is given");
    assert_eq!(text.data.content, "Deleted 2 tasks.");
    assert!(titles(&stage).is_empty());
    assert_eq!(last_card(&stage).fallback, "Nothing to do. Enjoy the day!");
    stage.finish();
}

#[test]
fn deleting_what_is_done_needs_no_leave() {
    let stage = testing::stage().answers(WHAT, "done");
    fill_some(&stage);
    let text = clear(&stage, None).expect("no leave needed");
    assert_eq!(text.data.content, "Deleted 1 task.");
    assert_eq!(titles(&stage), ["Milk"]);
}

#[test]
fn denied_leave_deletes_nothing_and_says_so_to_the_model() {
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
fn skipping_the_question_deletes_nothing_and_is_no_failure() {
    let stage = testing::stage().skips(WHAT);
    fill_some(&stage);
    let text = clear(&stage, None).expect("a friendly result");
    assert_eq!(text.data.content, "Nothing was deleted.");
    assert_eq!(titles(&stage), ["Milk", "Eggs"]);
}

#[test]
fn nobody_to_ask_deletes_nothing() {
    let stage = testing::stage().nobody_answers(WHAT);
    fill_some(&stage);
    let failure = clear(&stage, None).expect_err("nobody is there");
    assert_eq!(failure.code(), FailureCode::Unavailable);
    assert_eq!(titles(&stage), ["Milk", "Eggs"]);
}

#[test]
fn what_the_model_says_is_not_asked_but_still_needs_leave() {
    let stage = testing::stage().approves("todo.clear");
    fill_some(&stage);
    clear(&stage, Some(What::Everything)).expect("leave is given");
    assert!(titles(&stage).is_empty());
}

#[test]
fn only_an_input_that_says_everything_is_a_concern() {
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

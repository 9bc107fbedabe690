//! Tests of finding a task by number, by words, and by asking.

use super::{fill, task, tasks, tick};
use crate::tools::done;
use footlight_sdk::{FailureCode, testing};

const WHICH: &str = "Which task do you mean?";

#[test]
fn words_of_one_title_match_that_task() {
    let stage = testing::stage();
    fill(&stage, &["Buy milk and eggs", "Call Ada"]);
    let text = done(&stage, "EGGS milk".into()).expect("one task matches");
    assert_eq!(text.data.content, "#1 Buy milk and eggs is done.");
    assert_eq!((tasks(&stage).open(), task(&stage, 1).done), (1, true));
    stage.assert_shown("todo-list");
}

#[test]
fn a_number_matches_the_task_with_that_number() {
    let stage = testing::stage();
    fill(&stage, &["Buy 2 pizzas", "Call Ada", "Read chapter 3"]);
    done(&stage, "#2".into()).expect("a number");
    done(&stage, "3".into()).expect("a number, though a title mentions it as well");
    assert!(task(&stage, 2).done && task(&stage, 3).done);
}

#[test]
fn the_person_chooses_if_several_match() {
    let stage = testing::stage().answers(WHICH, "#2 Return milk bottles");
    fill(&stage, &["Buy milk", "Return milk bottles", "Call Ada"]);
    done(&stage, "milk".into()).expect("the person chose");
    assert!(task(&stage, 2).done && !task(&stage, 1).done);
}

#[test]
fn an_exact_title_takes_precedence_over_a_partial_match() {
    let stage = testing::stage();
    fill(&stage, &["Milk chocolate", "Milk"]);
    done(&stage, "milk".into()).expect("nothing is left to ask");
    assert!(task(&stage, 2).done);
}

#[test]
fn an_open_task_takes_precedence_over_a_done_one() {
    let stage = testing::stage();
    fill(&stage, &["Milk", "Milk"]);
    tick(&stage, 1);
    done(&stage, "milk".into()).expect("only one is open");
    assert!(task(&stage, 2).done);
}

#[test]
fn skipping_the_question_ticks_nothing() {
    let stage = testing::stage().skips(WHICH);
    fill(&stage, &["Buy milk", "Return milk bottles"]);
    let failure = done(&stage, "milk".into()).expect_err("nobody knows which");
    assert_eq!(failure.code(), FailureCode::Denied);
    assert_eq!(tasks(&stage).done(), 0);
}

#[test]
fn the_model_learns_the_numbers_if_nobody_can_be_asked() {
    let stage = testing::stage().nobody_answers(WHICH);
    fill(&stage, &["Buy milk", "Return milk bottles"]);
    let failure = done(&stage, "milk".into()).expect_err("nobody to ask");
    assert_eq!(failure.code(), FailureCode::InvalidInput);
    assert!(
        failure
            .message()
            .ends_with("#1 Buy milk, #2 Return milk bottles")
    );
}

#[test]
fn no_match_names_the_nearest_task() {
    let stage = testing::stage();
    fill(&stage, &["Call Ada", "Buy milk"]);
    let failure = done(&stage, "mlik".into()).expect_err("misspelt");
    assert_eq!(
        failure.message(),
        r#"no task matches "mlik"; the nearest is #2 Buy milk"#
    );
}

#[test]
fn no_match_on_an_empty_list_says_that_it_is_empty() {
    let failure = done(&testing::stage(), "milk".into()).expect_err("nothing there");
    assert_eq!(
        failure.message(),
        r#"no task matches "milk": the list is empty"#
    );
}

#[test]
fn words_that_match_too_many_tasks_are_refused() {
    let stage = testing::stage();
    fill(&stage, &["Buy milk"; 21]);
    let failure = done(&stage, "buy".into()).expect_err("too many to choose from");
    assert!(failure.message().starts_with("21 tasks match"), "{failure}");
}

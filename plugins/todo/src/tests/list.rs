//! Tests of adding, listing and editing, and of the stored list.

use super::{fill, last_card, task, tasks, tick, titles};
use crate::actions::remove;
use crate::store;
use crate::tasks::{MAX_TASKS, Priority};
use crate::tools::{add, edit, list};
use footlight_sdk::testing::json;
use footlight_sdk::{FailureCode, testing};

#[test]
fn added_tasks_are_listed_in_order() {
    let stage = testing::stage();
    let milk = add(&stage, "Milk".into(), None, Priority::Normal).expect("there is room");
    assert_eq!(milk.data.content, "Added #1 Milk.");
    add(
        &stage,
        "Taxes".into(),
        Some("2026-05-04".into()),
        Priority::High,
    )
    .expect("there is room");
    let table = list(&stage, "open".into()).expect("lists");
    assert_eq!(
        json!(table.data.rows),
        json!([
            { "id": 1, "title": "Milk", "priority": "normal", "done": false },
            { "id": 2, "title": "Taxes", "due": "2026-05-04", "priority": "high", "done": false },
        ])
    );
    assert_eq!(last_card(&stage).data["open"], 2);
}

#[test]
fn the_filter_decides_what_the_model_reads() {
    let stage = testing::stage();
    fill(&stage, &["Milk", "Eggs", "Bread"]);
    tick(&stage, 2);
    for (filter, rows) in [("all", 3), ("open", 2), ("done", 1)] {
        let table = list(&stage, filter.into()).expect("lists");
        assert_eq!(table.len(), rows, "{filter}");
        assert_eq!(last_card(&stage).data["tasks"][2]["title"], "Eggs");
    }
}

#[test]
fn ids_are_never_reused() {
    let stage = testing::stage();
    fill(&stage, &["Milk", "Eggs"]);
    remove(&stage, 2).expect("it is there");
    remove(&stage, 1).expect("it is there");
    fill(&stage, &["Bread"]);
    assert_eq!(task(&stage, 3).title, "Bread");
}

#[test]
fn concurrent_changes_are_both_applied() {
    let stage = testing::stage();
    let mut other_session = Some(());
    let (after, task) = store::change(&stage, |tasks| {
        // Between our reading and our writing, another session is faster.
        if other_session.take().is_some() {
            fill(&stage, &["Theirs"]);
        }
        tasks.add("Ours", None, Priority::Normal)
    })
    .expect("the second attempt succeeds");
    assert_eq!(titles(&stage), ["Theirs", "Ours"]);
    assert_eq!((after, task.id), (tasks(&stage), 2));
}

#[test]
fn a_full_list_refuses_another_task() {
    let stage = testing::stage();
    store::change(&stage, |tasks| {
        (0..MAX_TASKS).try_for_each(|_| tasks.add("Milk", None, Priority::Low).map(drop))
    })
    .expect("there is room");
    let before = tasks(&stage);
    let failure = add(&stage, "One more".into(), None, Priority::Low).expect_err("it is full");
    assert_eq!(failure.code(), FailureCode::InvalidInput);
    assert!(failure.message().contains("the list is full"), "{failure}");
    assert_eq!(tasks(&stage), before);
}

#[test]
fn a_title_of_white_space_is_refused() {
    let stage = testing::stage();
    let failure = add(&stage, " \n".into(), None, Priority::Low).expect_err("no title");
    assert_eq!(failure.message(), "a task needs a title");
    assert!(tasks(&stage).is_empty());
}

#[test]
fn titles_with_odd_characters_survive() {
    let odd = "<b>\"Tea\" & \\{coffee}</b> 🫖 שלום e\u{301} \u{1b}[31m *#1*";
    let stage = testing::stage();
    fill(&stage, &[odd, "two\nlines\tin one"]);
    assert_eq!(titles(&stage), [odd, "two lines in one"]);
    assert_eq!(last_card(&stage).data["tasks"][0]["title"], odd);
    let view = last_card(&stage).view.expect("a view").to_string();
    assert!(view.contains(&json!(odd).to_string()), "{view}");
}

#[test]
fn editing_asks_for_all_fields_at_once() {
    let stage = testing::stage().answers(
        "How should task 1 read?",
        json!({ "title": "Oat milk", "due": "2026-05-04" }),
    );
    fill(&stage, &["Milk"]);
    let text = edit(&stage, "milk".into()).expect("edits");
    assert_eq!(text.data.content, "The task is now #1 Oat milk.");
    assert_eq!(task(&stage, 1).due.as_deref(), Some("2026-05-04"));
}

#[test]
fn editing_can_remove_the_due_date() {
    let stage = testing::stage().answers(
        "How should task 1 read?",
        json!({ "title": "Milk", "due": null }),
    );
    add(
        &stage,
        "Milk".into(),
        Some("2026-05-04".into()),
        Priority::Low,
    )
    .expect("there is room");
    edit(&stage, "1".into()).expect("edits");
    assert_eq!(task(&stage, 1).due, None);
}

//! Tests of the plugin on a scripted stage.

mod card;

mod clearing;

mod list;

mod pick;

use crate::tasks::{Priority, Task, Tasks};
use crate::tools::add;
use crate::{actions, store};
use footlight_sdk::prelude::*;

/// Adds tasks with these titles; the first has the number 1.
fn fill(stage: &Stage, titles: &[&str]) {
    for title in titles {
        add(stage, (*title).into(), None, Priority::Normal).expect("there is room");
    }
}

/// Ticks the task with this number.
fn tick(stage: &Stage, id: u32) {
    actions::toggle(stage, id, Some(true)).expect("the task is there");
}

fn tasks(stage: &Stage) -> Tasks {
    store::load(stage).expect("the list is readable")
}

fn task(stage: &Stage, id: u32) -> Task {
    let tasks = tasks(stage);
    let found = tasks.iter().find(|task| task.id == id);
    found.expect("the task is there").clone()
}

fn titles(stage: &Stage) -> Vec<String> {
    tasks(stage).iter().map(|task| task.title.clone()).collect()
}

/// Returns the card that was shown last.
fn last_card(stage: &Stage) -> testing::ShownWidget {
    let shown = stage.shown().pop().expect("a card is shown");
    assert_eq!(shown.widget, "todo-list");
    shown
}

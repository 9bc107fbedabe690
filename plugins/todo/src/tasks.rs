//! The list of tasks, as plain data.
//!
//! Invariants: an id is never given twice, also not after its task is gone, so that a button on
//! an old card can never reach another task; and tasks stay in the order they were added.

use footlight_sdk::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How many tasks a list holds. All of them are one value of the state, which is small.
pub(crate) const MAX_TASKS: usize = 500;

/// How long a title may be, in characters.
pub(crate) const MAX_TITLE_CHARS: usize = 120;

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Task {
    /// Its number, which never changes.
    pub(crate) id: u32,
    /// What is to be done, in one line.
    pub(crate) title: String,
    /// The day it is due, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) due: Option<String>,
    /// How much it matters.
    pub(crate) priority: Priority,
    /// Whether it is done.
    pub(crate) done: bool,
}

/// How much a task matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Priority {
    Low,
    Normal,
    High,
}

/// How a task is called wherever it is named in a sentence or offered as a choice.
impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} {}", self.id, self.title)
    }
}

/// All tasks of one person.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Tasks {
    last_id: u32,
    list: Vec<Task>,
}

impl Tasks {
    /// The tasks, oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Task> {
        self.list.iter()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many are done.
    pub(crate) fn done(&self) -> usize {
        self.iter().filter(|task| task.done).count()
    }

    /// How many are still to be done.
    pub(crate) fn open(&self) -> usize {
        self.list.len() - self.done()
    }

    /// Adds a task at the end.
    pub(crate) fn add(
        &mut self,
        title: &str,
        due: Option<String>,
        priority: Priority,
    ) -> Result<Task> {
        if self.list.len() >= MAX_TASKS {
            return Err(invalid!(
                "the list is full: it holds {MAX_TASKS} tasks, so clear the done ones first"
            ));
        }
        let title = one_line(title)?;
        self.last_id += 1;
        let task = Task {
            id: self.last_id,
            title,
            due,
            priority,
            done: false,
        };
        self.list.push(task.clone());
        Ok(task)
    }

    /// Changes one task, and answers it as it is now.
    pub(crate) fn change(&mut self, id: u32, change: impl FnOnce(&mut Task)) -> Result<Task> {
        let task = self.list.iter_mut().find(|task| task.id == id);
        let task = task.ok_or_else(|| not_on_list(id))?;
        change(task);
        Ok(task.clone())
    }

    /// Takes one task off the list.
    pub(crate) fn remove(&mut self, id: u32) -> Result<Task> {
        let index = self.list.iter().position(|task| task.id == id);
        Ok(self.list.remove(index.ok_or_else(|| not_on_list(id))?))
    }

    /// Takes tasks off the list, and answers how many of them were still on it.
    pub(crate) fn remove_all(&mut self, ids: &[u32]) -> usize {
        let before = self.list.len();
        self.list.retain(|task| !ids.contains(&task.id));
        before - self.list.len()
    }
}

/// A title as it is kept. Only white space is touched: every other character is the person's own.
pub(crate) fn one_line(title: &str) -> Result<String> {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() {
        return Err(invalid!("a task needs a title"));
    }
    Ok(title)
}

/// A number with its noun: `1 task`, `2 tasks`.
pub(crate) fn count(number: usize) -> String {
    match number {
        1 => "1 task".to_owned(),
        _ => format!("{number} tasks"),
    }
}

fn not_on_list(id: u32) -> Failure {
    invalid!("there is no task #{id} on the list any more")
}

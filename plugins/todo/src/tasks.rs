//! The list of tasks, as plain data.
//!
//! Invariants: an id is never reused, even after its task is removed, so that a button on an old card
//! can never affect another task; and tasks stay in the order in which they were added.

use footlight_sdk::prelude::*;
use std::fmt;

/// The most tasks in a list. The whole list is one value of the state, whose size is limited.
pub(crate) const MAX_TASKS: usize = 500;

/// The maximum length of a title, in characters.
pub(crate) const MAX_TITLE_CHARS: usize = 120;

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Task {
    /// The number, which never changes.
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

/// Formats a task for sentences and choices, such as `#3 Buy milk`.
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
    /// Returns the tasks, oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Task> {
        self.list.iter()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the number of done tasks.
    pub(crate) fn done(&self) -> usize {
        self.iter().filter(|task| task.done).count()
    }

    /// Returns the number of open tasks.
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

    /// Changes one task and returns its new state.
    pub(crate) fn change(&mut self, id: u32, change: impl FnOnce(&mut Task)) -> Result<Task> {
        let task = self.list.iter_mut().find(|task| task.id == id);
        let task = task.ok_or_else(|| not_on_list(id))?;
        change(task);
        Ok(task.clone())
    }

    /// Removes and returns one task.
    pub(crate) fn remove(&mut self, id: u32) -> Result<Task> {
        let index = self.list.iter().position(|task| task.id == id);
        Ok(self.list.remove(index.ok_or_else(|| not_on_list(id))?))
    }

    /// Removes tasks and returns how many of them were still on the list.
    pub(crate) fn remove_all(&mut self, ids: &[u32]) -> usize {
        let before = self.list.len();
        self.list.retain(|task| !ids.contains(&task.id));
        before - self.list.len()
    }
}

/// Normalises the white space of a title, and nothing else.
pub(crate) fn one_line(title: &str) -> Result<String> {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() {
        return Err(invalid!("a task needs a title"));
    }
    Ok(title)
}

/// Formats a number of tasks: `1 task`, `2 tasks`.
pub(crate) fn count(number: usize) -> String {
    match number {
        1 => "1 task".to_owned(),
        _ => format!("{number} tasks"),
    }
}

fn not_on_list(id: u32) -> Failure {
    invalid!("there is no task #{id} on the list any more")
}

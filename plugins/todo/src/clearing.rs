//! Deletes many tasks at once: asks which ones, requests approval, and then deletes them.
//!
//! A tool can request approval in two ways. [`assess_clear`] runs before the call and sees only the
//! input, not the list or the stage. `Stage::approve` runs during the call and can include what the
//! call has found out. Deleting everything always requests approval for `todo.clear`, so that the
//! person's rules for that action always apply.

use crate::card::update;
use crate::store;
use crate::tasks::{Task, Tasks, count};
use footlight_sdk::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// The tasks to delete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum What {
    Done,
    Everything,
}

/// Clears the person's todo list: deletes the tasks that are done, or everything.
#[tool(
    destructive,
    asks,
    title = "Clear the list",
    assess = assess_clear,
    example = "Clear my list",
    example = "Delete all tasks that are done"
)]
pub(crate) fn clear(
    stage: &Stage,
    /// What to delete. Leave it out unless the person has said so: they are asked then.
    what: Option<What>,
) -> Result<Text> {
    let tasks = store::load(stage)?;
    if tasks.is_empty() {
        return Ok(Text::new("The list is empty already."));
    }
    let what = match what {
        Some(what) => what,
        None => match ask(stage, &tasks) {
            // Skipping this question is a valid choice. A denied approval below is a failure, so
            // that the model does not try again.
            Err(AskError::Skipped) => return Ok(Text::new("Nothing was deleted.")),
            answer => answer?,
        },
    };
    let selected = tasks
        .iter()
        .filter(|task| what.covers(task))
        .collect::<Vec<_>>();
    if what == What::Everything {
        stage.approve(approval_for(&tasks, &selected))?;
    }
    // Delete by id: a task that was added after the approval stays.
    let ids: Vec<u32> = selected.iter().map(|task| task.id).collect();
    let deleted = update(stage, |tasks| Ok(tasks.remove_all(&ids)))?;
    Ok(Text::new(format!("Deleted {}.", count(deleted))))
}

/// Raises a concern before a call that deletes everything.
fn assess_clear(what: Option<What>) -> Option<Concern> {
    (what == Some(What::Everything)).then(|| {
        Concern::new(
            "every task",
            "This deletes tasks that are not done yet, too.",
        )
    })
}

impl What {
    fn covers(self, task: &Task) -> bool {
        self == Self::Everything || task.done
    }
}

fn ask(stage: &Stage, tasks: &Tasks) -> Result<What, AskError> {
    let all = tasks.open() + tasks.done();
    let what = Field::radio("what").label("Delete").options([
        Choice::new("done").label(format!("What is done ({})", tasks.done())),
        Choice::new("everything").label(format!("Everything ({all})")),
    ]);
    stage
        .ask("What should go from your list?", [what])?
        .read("what")
}

fn approval_for(tasks: &Tasks, selected: &[&Task]) -> Approval {
    let titles: Vec<&str> = selected.iter().map(|task| task.title.as_str()).collect();
    Approval::new("todo.clear")
        .subject("every task")
        .reason(format!(
            "{} will be deleted, {} of them not done yet.",
            count(selected.len()),
            tasks.open()
        ))
        .details(&titles)
}

//! Deletes many tasks at once: asks which ones, requests approval, and then deletes them.
//!
//! The tool is destructive, so the host would ask before it runs. It names `todo.clear` under
//! `requests` instead: the person decides once, while the call runs, and sees the titles of the tasks
//! that would go. [`assess_clear`] runs before the call and sees only the input; its concern counts
//! where the host asks before the call nevertheless, because of the person's level or mode.

use crate::card::update;
use crate::store;
use crate::tasks::{Task, Tasks, count};
use footlight_sdk::prelude::*;

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
    requests = "todo.clear",
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
    if selected.is_empty() {
        return Ok(Text::new("No task is done yet."));
    }
    stage.approve(approval_for(what, &selected))?;
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

fn approval_for(what: What, selected: &[&Task]) -> Approval {
    let titles: Vec<&str> = selected.iter().map(|task| task.title.as_str()).collect();
    let open = selected.iter().filter(|task| !task.done).count();
    Approval::new("todo.clear")
        .subject(match what {
            What::Done => "the tasks that are done",
            What::Everything => "every task",
        })
        .reason(match open {
            0 => format!("{} will be deleted.", count(selected.len())),
            _ => format!(
                "{} will be deleted, {open} of them not done yet.",
                count(selected.len())
            ),
        })
        .details(&titles)
}

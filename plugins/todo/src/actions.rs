//! The tools that the buttons of the card call. The model cannot call them.
//!
//! Each shows the new card, which replaces the pressed one, because it is the first widget of the
//! action's call.

use crate::card::update;
use footlight_sdk::prelude::*;

/// Ticks a task, or unticks it.
#[tool(title = "Tick", audience = "user")]
pub(crate) fn toggle(
    stage: &Stage,
    /// The task's number.
    id: u32,
    /// Whether it is done; without it, the other way round than it was.
    done: Option<bool>,
) -> Result<Text> {
    let task = update(stage, |tasks| {
        tasks.change(id, |task| task.done = done.unwrap_or(!task.done))
    })?;
    let now = if task.done { "done" } else { "open again" };
    Ok(Text::new(format!("{task} is {now}.")))
}

/// Takes one task off the list.
// Not `destructive`: the person decided by pressing the button. Asking again after every press would
// only teach people to approve without reading.
#[tool(title = "Remove", audience = "user")]
pub(crate) fn remove(
    stage: &Stage,
    /// The task's number.
    id: u32,
) -> Result<Text> {
    let task = update(stage, |tasks| tasks.remove(id))?;
    Ok(Text::new(format!("{task} is off the list.")))
}

//! What the person can press on the card. The model never sees these tools.
//!
//! Each shows the card first of all: the first widget of an action's call replaces the card that
//! was pressed, in place.

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
// Not `destructive`: the press is the person's own decision, and a question after every press
// would only teach them to say yes.
#[tool(title = "Remove", audience = "user")]
pub(crate) fn remove(
    stage: &Stage,
    /// The task's number.
    id: u32,
) -> Result<Text> {
    let task = update(stage, |tasks| tasks.remove(id))?;
    Ok(Text::new(format!("{task} is off the list.")))
}

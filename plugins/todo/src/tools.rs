//! The tools that the model can call.

use crate::card::{card, update};
use crate::pick::pick;
use crate::store;
use crate::tasks::{MAX_TITLE_CHARS, Priority, Task, count, one_line};
use footlight_sdk::prelude::*;

/// Adds a task to the person's todo list.
// The form on the card also calls this tool.
#[tool(
    title = "Add a task",
    audience = "both",
    example = "Add milk to my list",
    example = "Remind me to call Ada on 2026-05-04"
)]
pub(crate) fn add(
    stage: &Stage,
    /// What is to be done, in a few words.
    #[arg(length = 1..=MAX_TITLE_CHARS)]
    title: String,
    /// The day it is due.
    #[arg(format = "date")]
    due: Option<String>,
    /// How much it matters.
    #[arg(default = Priority::Normal)]
    priority: Priority,
) -> Result<Text> {
    let task = update(stage, |tasks| tasks.add(&title, due.clone(), priority))?;
    Ok(Text::new(format!("Added {task}.")))
}

/// Shows the person's todo list and returns its tasks.
#[tool(
    read_only,
    title = "Show the list",
    example = "What is on my todo list?",
    example = "What do I have to do?",
    example = "Which tasks have I done?"
)]
pub(crate) fn list(
    stage: &Stage,
    /// Which tasks to return.
    #[arg(default = "open", one_of = ["all", "open", "done"])]
    filter: String,
) -> Result<Table> {
    let tasks = store::load(stage)?;
    stage.show(card(&tasks))?;
    let wanted = tasks.iter().filter(|task| match filter.as_str() {
        "open" => !task.done,
        "done" => task.done,
        _ => true,
    });
    let table = Table::rows(wanted).label("id", "#").label("title", "Task");
    let summary = match filter.as_str() {
        "all" => count(table.len()),
        _ => format!("{} {filter}", count(table.len())),
    };
    Ok(table.summary(summary))
}

/// Marks a task on the person's todo list as done.
#[tool(
    idempotent,
    asks,
    title = "Mark as done",
    example = "Mark milk as done",
    example = "I have finished the tax return"
)]
pub(crate) fn done(
    stage: &Stage,
    /// The task's number, or words of its title.
    #[arg(length = 1..=MAX_TITLE_CHARS)]
    task: String,
) -> Result<Text> {
    let before = store::load(stage)?;
    let id = pick(stage, &before, &task)?.id;
    let task = update(stage, |tasks| tasks.change(id, |task| task.done = true))?;
    Ok(Text::new(format!("{task} is done.")))
}

/// Lets the person change the title and the due date of a task on the todo list.
#[tool(
    asks,
    title = "Edit a task",
    example = "Change the milk task",
    example = "Edit when the tax return is due"
)]
pub(crate) fn edit(
    stage: &Stage,
    /// The task's number, or words of its title.
    #[arg(length = 1..=MAX_TITLE_CHARS)]
    task: String,
) -> Result<Text> {
    let before = store::load(stage)?;
    let old = pick(stage, &before, &task)?;
    let answers = stage.ask(format!("How should task {} read?", old.id), fields(old))?;
    let title = one_line(answers.text("title").unwrap_or_default())?;
    let due: Option<String> = answers.read("due")?;
    let task = update(stage, |tasks| {
        tasks.change(old.id, |task| {
            task.title.clone_from(&title);
            task.due.clone_from(&due);
        })
    })?;
    Ok(Text::new(format!("The task is now {task}.")))
}

/// Returns the fields of the question, with the task's current values.
fn fields(task: &Task) -> [Field; 2] {
    let title = Field::text("title")
        .label("Task")
        .max(MAX_TITLE_CHARS)
        .default(task.title.as_str());
    let mut due = Field::date("due").label("Due").required(false);
    if let Some(day) = &task.due {
        due = due.default(day.as_str());
    }
    [title, due]
}

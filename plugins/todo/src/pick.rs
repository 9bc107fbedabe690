//! Finds a task by its number, or by words of its title.

use crate::tasks::{Task, Tasks};
use footlight_sdk::prelude::*;

/// The most tasks that the person is asked to choose from.
const MAX_CHOICES: usize = 20;

/// Finds the task that matches `words`. If several match, the person chooses.
pub(crate) fn pick<'a>(stage: &Stage, tasks: &'a Tasks, words: &str) -> Result<&'a Task> {
    match matching(tasks, words).as_slice() {
        [] => Err(no_match(tasks, words)),
        [one] => Ok(one),
        many if many.len() > MAX_CHOICES => Err(invalid!(
            "{} tasks match {words:?}: give more words of the title, or the number",
            many.len()
        )),
        many => choose(stage, many),
    }
}

fn choose<'a>(stage: &Stage, tasks: &[&'a Task]) -> Result<&'a Task> {
    match stage.choose("Which task do you mean?", tasks) {
        // If no person can be asked, the model can still choose one by its number.
        Err(AskError::Nobody(_)) => {
            let names: Vec<String> = tasks.iter().map(ToString::to_string).collect();
            Err(invalid!(
                "several tasks match, give the number of one: {}",
                names.join(", ")
            ))
        }
        chosen => Ok(chosen?),
    }
}

/// Returns the tasks that match by number; if there are none, by exact title; else by the words of the
/// title.
fn matching<'a>(tasks: &'a Tasks, words: &str) -> Vec<&'a Task> {
    let words = words.trim().to_lowercase();
    let number: Option<u32> = words.trim_start_matches('#').parse().ok();
    let has_number = |task: &Task| Some(task.id) == number;
    let is_called = |task: &Task| task.title.to_lowercase() == words;
    let mentions = |task: &Task| {
        let title = task.title.to_lowercase();
        words.split_whitespace().all(|word| title.contains(word))
    };
    let signs: [&dyn Fn(&Task) -> bool; 3] = [&has_number, &is_called, &mentions];
    let found = signs.iter().find_map(|sign| {
        let found: Vec<&Task> = tasks.iter().filter(|task| sign(task)).collect();
        (!found.is_empty()).then_some(found)
    });
    prefer_open(found.unwrap_or_default())
}

/// Drops done tasks if there are open ones, which are more likely to be meant.
fn prefer_open(mut tasks: Vec<&Task>) -> Vec<&Task> {
    if tasks.iter().any(|task| !task.done) {
        tasks.retain(|task| !task.done);
    }
    tasks
}

/// Returns a failure that names the most similar task, so that the model can correct its input.
fn no_match(tasks: &Tasks, words: &str) -> Failure {
    let nearest = tasks.iter().min_by_key(|task| distance(&task.title, words));
    match nearest {
        Some(task) => invalid!("no task matches {words:?}; the nearest is {task}"),
        None => invalid!("no task matches {words:?}: the list is empty"),
    }
}

/// Returns the edit distance between `words` and the title, or the most similar word of the title.
fn distance(title: &str, words: &str) -> usize {
    let (title, words) = (title.to_lowercase(), words.to_lowercase());
    let parts = title.split_whitespace().chain([title.as_str()]);
    parts
        .map(|part| strsim::levenshtein(part, &words))
        .min()
        .unwrap_or(usize::MAX)
}

//! Which task is meant by its number, or by a few words of its title.

use crate::tasks::{Task, Tasks};
use footlight_sdk::prelude::*;

/// How many tasks the person is asked to choose from; beyond, the words say too little.
const MAX_CHOICES: usize = 20;

/// The task that `words` mean. Where several could be meant, the person says which.
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
        // Without a person to ask, the model can still say which one by its number.
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

/// Every task that could be meant, by the surest sign that any task shows.
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

/// A task that is still to be done is more likely meant than its namesake of last week.
fn prefer_open(mut tasks: Vec<&Task>) -> Vec<&Task> {
    if tasks.iter().any(|task| !task.done) {
        tasks.retain(|task| !task.done);
    }
    tasks
}

/// Names the nearest task, so that the model can mend its words.
fn no_match(tasks: &Tasks, words: &str) -> Failure {
    let nearest = tasks.iter().min_by_key(|task| distance(&task.title, words));
    match nearest {
        Some(task) => invalid!("no task matches {words:?}; the nearest is {task}"),
        None => invalid!("no task matches {words:?}: the list is empty"),
    }
}

/// How far words are from a title: from its nearest word, or from the whole.
fn distance(title: &str, words: &str) -> usize {
    let (title, words) = (title.to_lowercase(), words.to_lowercase());
    let parts = title.split_whitespace().chain([title.as_str()]);
    parts
        .map(|part| strsim::levenshtein(part, &words))
        .min()
        .unwrap_or(usize::MAX)
}

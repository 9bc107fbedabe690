//! Too much of what is allowed.
//!
//! A flood goes on until the host refuses, and says how far it came: a refusal is an answer, so that
//! a tool that merely does too much can go on.

use footlight_sdk::prelude::*;
use serde_json::json;
use std::fmt::Display;

/// How many were taken, and what the host said to the first that was not.
fn flood<E: Display>(count: u32, mut one: impl FnMut(u32) -> Result<(), E>) -> serde_json::Value {
    for done in 0..count {
        if let Err(refusal) = one(done) {
            return json!({ "taken": done, "refused": refusal.to_string() });
        }
    }
    json!({ "taken": count, "refused": null })
}

/// Case 17. Logs without end. The host promises to keep a thousand, to count the rest, and to go on.
#[tool]
pub(crate) fn flood_log(stage: &Stage, #[arg(default = 100_000)] count: u32) -> u32 {
    for number in 0..count {
        stage.log(Level::Warn, format!("message {number}"));
    }
    count
}

/// Case 17. Logs messages that are too long. The host promises to cut each at 4 KiB.
#[tool]
pub(crate) fn flood_long_log(stage: &Stage, #[arg(default = 1_000)] count: u32) -> u32 {
    let long = "\u{1b}[31mé".repeat(10_000);
    for _ in 0..count {
        stage.log(Level::Error, &long);
    }
    count
}

/// Case 18. Shows widgets without end. The host promises to refuse the 101st with `too-many`.
#[tool]
pub(crate) fn flood_widgets(
    stage: &Stage,
    #[arg(default = 1_000)] count: u32,
) -> serde_json::Value {
    flood(count, |number| {
        stage.show(Widget::new("flood", &number)).map(drop)
    })
}

/// Case 18. Updates one widget without end. The host promises that the last state arrives and that
/// not every state is recorded.
#[tool]
pub(crate) fn flood_updates(
    stage: &Stage,
    #[arg(default = 100_000)] count: u32,
) -> Result<serde_json::Value> {
    let shown = stage.show(Widget::new("flood", &0))?;
    Ok(flood(count, |number| {
        shown.update(Widget::new("flood", &(number + 1)))
    }))
}

/// Case 18. Shows and removes without end: never more than one is there. The host promises that
/// the record does not grow with it.
#[tool]
pub(crate) fn flood_and_remove(
    stage: &Stage,
    #[arg(default = 10_000)] count: u32,
) -> serde_json::Value {
    flood(count, |number| {
        stage.show(Widget::new("flood", &number))?.remove()
    })
}

/// Case 18. Appends to one widget without end. The host promises to refuse beyond a view's size.
#[tool]
pub(crate) fn flood_append(
    stage: &Stage,
    #[arg(default = 100_000)] count: u32,
) -> Result<serde_json::Value> {
    let line = footlight_sdk::component::Text::new("").id("line");
    let shown = stage.show(footlight_sdk::component::Card::new().child(line))?;
    Ok(flood(count, |_| {
        shown.append_text("line", "a kilobyte at a time ".repeat(50).as_str())
    }))
}

/// Case 19. Reports progress without end. The host promises to coalesce, and that the last arrives.
#[tool]
pub(crate) fn flood_progress(stage: &Stage, #[arg(default = 100_000)] count: u32) -> u32 {
    for done in 1..=count {
        stage.progress_of("flooding", done.into(), count.into());
    }
    count
}

/// Case 20. Asks "Are you sure?" without end. The host promises to refuse after a few.
#[tool(asks)]
pub(crate) fn flood_asks(stage: &Stage, #[arg(default = 50)] count: u32) -> serde_json::Value {
    flood(count, |_| stage.confirm("Are you sure?").map(drop))
}

/// Case 20. Requests the same leave until it gets it. The host promises that a no is a no.
#[tool]
pub(crate) fn flood_approvals(stage: &Stage, #[arg(default = 50)] count: u32) -> serde_json::Value {
    let mut refusals = Vec::new();
    for _ in 0..count {
        match stage.approve(Approval::new("rogue.declared").subject("everything")) {
            Ok(()) => break,
            Err(refusal) => refusals.push(refusal.to_string()),
        }
    }
    json!({ "refusals": refusals.len(), "last": refusals.last() })
}

/// Case 25. Writes one output of gibibytes, a mebibyte at a time. The host promises to refuse with
/// `full` and to release what was written.
#[tool]
pub(crate) fn flood_output(
    stage: &Stage,
    #[arg(default = 10_240)] mebibytes: u32,
) -> Result<serde_json::Value> {
    let chunk = vec![b'a'; 1 << 20];
    let writer = stage.begin_output(Output::new("flood"))?;
    Ok(flood(mebibytes, |_| writer.write_bytes(&chunk)))
}

/// Case 25. Stores small outputs without end. The host promises to refuse with `full`.
#[tool]
pub(crate) fn flood_outputs(
    stage: &Stage,
    #[arg(default = 100_000)] count: u32,
) -> serde_json::Value {
    flood(count, |_| stage.output(Output::new("flood"), "a").map(drop))
}

/// Writes keys without end. The host promises to refuse with `full`.
#[tool]
pub(crate) fn flood_keys(
    stage: &Stage,
    #[arg(default = 1_000_000)] count: u32,
) -> serde_json::Value {
    let state = stage.state(Scope::Session);
    flood(count, |number| state.set(&format!("key {number}"), &number))
}

/// Writes large values without end. The host promises to refuse with `full` or `too-large`.
#[tool]
pub(crate) fn flood_values(
    stage: &Stage,
    #[arg(default = 10_000)] count: u32,
    #[arg(default = 65_536)] bytes: u32,
) -> serde_json::Value {
    let state = stage.state(Scope::Session);
    let value = "a".repeat(bytes as usize);
    flood(count, |number| {
        state.set(&format!("value {number}"), &value)
    })
}

/// Prints without end, with escapes. The host promises that none of it reaches a terminal or the
/// framing of a bridge, and that it keeps a bounded part.
#[tool]
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what a careless plugin does"
)]
pub(crate) fn flood_prints(#[arg(default = 100_000)] count: u32) -> u32 {
    for number in 0..count {
        println!("\u{1b}[2J\u{1b}]0;owned\u{7}{number} {{\"jsonrpc\":\"2.0\"}}");
        eprintln!("\u{9b}31m\u{202e}{number}");
    }
    count
}

/// Prints without ever ending a line. The host promises to keep a bounded part.
#[tool]
#[expect(clippy::print_stdout, reason = "what a careless plugin does")]
pub(crate) fn flood_line(#[arg(default = 1_000)] kibibytes: u32) -> u32 {
    for _ in 0..kibibytes {
        print!("{}", "a".repeat(1024));
    }
    kibibytes
}

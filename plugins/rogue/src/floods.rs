//! Floods: valid operations in excessive numbers.
//!
//! A flood runs until the host refuses, and reports how far it got. A refusal is an error and not a
//! fault, so that a tool that merely does too much can continue.

use footlight_sdk::prelude::*;
use std::fmt::Display;

/// Runs `one` until the host refuses, and reports how many succeeded and the first refusal.
fn flood<E: Display>(count: u32, mut one: impl FnMut(u32) -> Result<(), E>) -> Value {
    for done in 0..count {
        if let Err(refusal) = one(done) {
            return json!({ "taken": done, "refused": refusal.to_string() });
        }
    }
    json!({ "taken": count, "refused": null })
}

/// Logs without end. The host must keep 1,000 messages, count the rest, and let the call succeed.
#[tool]
pub(crate) fn flood_log(stage: &Stage, #[arg(default = 100_000)] count: u32) -> u32 {
    for number in 0..count {
        stage.log(Level::Warn, format!("message {number}"));
    }
    count
}

/// Logs messages that are too long. The host must truncate each to 4 KiB, and let the call succeed.
#[tool]
pub(crate) fn flood_long_log(stage: &Stage, #[arg(default = 1_000)] count: u32) -> u32 {
    let long = "\u{1b}[31mé".repeat(10_000);
    for _ in 0..count {
        stage.log(Level::Error, &long);
    }
    count
}

/// Shows widgets without end. The host must refuse the 101st with `too-many`, and let the call
/// succeed.
#[tool]
pub(crate) fn flood_widgets(stage: &Stage, #[arg(default = 1_000)] count: u32) -> Value {
    flood(count, |number| {
        stage.show(Widget::new("flood", &number)).map(drop)
    })
}

/// Updates one widget without end. The host must deliver the last state, and must not record every
/// state.
#[tool]
pub(crate) fn flood_updates(stage: &Stage, #[arg(default = 100_000)] count: u32) -> Result<Value> {
    let shown = stage.show(Widget::new("flood", &0))?;
    Ok(flood(count, |number| {
        shown.update(Widget::new("flood", &(number + 1)))
    }))
}

/// Shows and removes widgets without end, one at a time. The host must keep the record from
/// growing.
#[tool]
pub(crate) fn flood_and_remove(stage: &Stage, #[arg(default = 10_000)] count: u32) -> Value {
    flood(count, |number| {
        stage.show(Widget::new("flood", &number))?.remove()
    })
}

/// Changes large widgets without end: one, each in turn, or a new one every time. The host must
/// deliver the last state, and must record a bounded part of the others.
#[tool]
pub(crate) fn flood_changes(
    stage: &Stage,
    how: String,
    #[arg(default = 1_000_000)] count: u32,
    #[arg(default = 250_000)] bytes: u32,
) -> Result<Value> {
    let widget = |number: u32| {
        let number = number.to_string();
        let zeros = "0".repeat((bytes as usize).saturating_sub(number.len()));
        Widget::new("flood", &(zeros + &number))
    };
    let shown = match how.as_str() {
        "one" => vec![stage.show(widget(0))?],
        "each" => {
            let shown = (0..16).map(|_| stage.show(widget(0)));
            shown.collect::<Result<Vec<_>, _>>()?
        }
        _ => Vec::new(),
    };
    Ok(flood(count, |number| {
        match shown.get(number as usize % shown.len().max(1)) {
            Some(shown) => shown.update(widget(number)),
            None => stage.show(widget(number))?.remove(),
        }
    }))
}

/// Appends to one widget without end. The host must refuse text beyond the size limit of a view.
#[tool]
pub(crate) fn flood_append(stage: &Stage, #[arg(default = 100_000)] count: u32) -> Result<Value> {
    let line = ui::Text::new("").id("line");
    let shown = stage.show(ui::Card::new().child(line))?;
    Ok(flood(count, |_| {
        shown.append_text("line", "a kilobyte at a time ".repeat(50).as_str())
    }))
}

/// Reports progress without end. The host must coalesce the reports and deliver the last one.
#[tool]
pub(crate) fn flood_progress(stage: &Stage, #[arg(default = 100_000)] count: u32) -> u32 {
    for done in 1..=count {
        stage.progress_of("flooding", done.into(), count.into());
    }
    count
}

/// Asks "Are you sure?" without end. The host must refuse after a few questions.
#[tool(asks)]
pub(crate) fn flood_asks(stage: &Stage, #[arg(default = 50)] count: u32) -> Value {
    flood(count, |_| stage.confirm("Are you sure?").map(drop))
}

/// Requests the same approval until it is given. The host must deny the repeated requests without
/// asking the person again.
#[tool]
pub(crate) fn flood_approvals(stage: &Stage, #[arg(default = 50)] count: u32) -> Value {
    let mut refusals = Vec::new();
    for _ in 0..count {
        match stage.approve(Approval::new("rogue.declared").subject("everything")) {
            Ok(()) => break,
            Err(refusal) => refusals.push(refusal.to_string()),
        }
    }
    json!({ "refusals": refusals.len(), "last": refusals.last() })
}

/// Writes one output of several gibibytes, a mebibyte at a time. The host must refuse with `full`
/// and release the bytes that were written.
#[tool]
pub(crate) fn flood_output(
    stage: &Stage,
    #[arg(default = 10_240)] mebibytes: u32,
) -> Result<Value> {
    let chunk = vec![b'a'; 1 << 20];
    let writer = stage.begin_output(Output::new("flood"))?;
    Ok(flood(mebibytes, |_| writer.write_bytes(&chunk)))
}

/// Stores small outputs without end. The host must refuse with `full`.
#[tool]
pub(crate) fn flood_outputs(
    stage: &Stage,
    #[arg(default = 100_000)] count: u32,
    #[arg(default = 1)] bytes: u32,
) -> Value {
    let content = "a".repeat(bytes as usize);
    flood(count, |_| {
        stage
            .output(Output::new("flood"), content.as_str())
            .map(drop)
    })
}

/// Writes keys without end. The host must refuse with `full`.
#[tool]
pub(crate) fn flood_keys(stage: &Stage, #[arg(default = 1_000_000)] count: u32) -> Value {
    let state = stage.state(Scope::Session);
    flood(count, |number| state.set(&format!("key {number}"), &number))
}

/// Writes large values without end. The host must refuse with `full` or `too-large`.
#[tool]
pub(crate) fn flood_values(
    stage: &Stage,
    #[arg(default = 10_000)] count: u32,
    #[arg(default = 65_536)] bytes: u32,
) -> Value {
    let state = stage.state(Scope::Session);
    let value = "a".repeat(bytes as usize);
    flood(count, |number| {
        state.set(&format!("value {number}"), &value)
    })
}

/// Prints without end, with escape sequences. The host must keep a bounded part, and must let none
/// of it reach a terminal or the framing of a bridge.
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

/// Prints one line that never ends. The host must keep a bounded part.
#[tool]
#[expect(clippy::print_stdout, reason = "what a careless plugin does")]
pub(crate) fn flood_line(#[arg(default = 1_000)] kibibytes: u32) -> u32 {
    for _ in 0..kibibytes {
        print!("{}", "a".repeat(1024));
    }
    kibibytes
}

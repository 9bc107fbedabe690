//! One item on the terminal.

use crate::filter;
use crate::source::size;
use crate::ui::{Ink, Ui};
use footlight_vocabulary::item::{CallResult, Content, Item, Level, Tool};
use footlight_vocabulary::normalise::normalise;
use footlight_vocabulary::plain::plain;
use serde_json::Value;
use std::io;
use std::time::Duration;

/// How much of a call's input stands in its line.
const INPUT: usize = 100;

/// What a call returned, or why it did not.
pub(super) fn result(ui: &Ui, tool: &Tool) -> io::Result<()> {
    match &tool.result {
        CallResult::Success { output } => match normalise(output.clone()) {
            Ok(result) => match plain(&result) {
                text if text.is_empty() => {}
                text => ui.print(&filter::clean(&text))?,
            },
            Err(failed) => failure(ui, tool, &failed.to_string(), None),
        },
        CallResult::Error { error, code, .. } => failure(ui, tool, error, code.as_deref()),
        CallResult::Pending { reason } => ui.note(&format!(
            "{} is not over: {}",
            filter::line(&tool.function, 80),
            filter::line(reason.as_str(), 40)
        )),
    }
    Ok(())
}

fn failure(ui: &Ui, tool: &Tool, error: &str, code: Option<&str>) {
    let head = ui.err(Ink::Red, &format!("{}:", filter::line(&tool.function, 80)));
    let code = code.map_or_else(String::new, |code| format!(" ({})", filter::line(code, 40)));
    let code = ui.err(Ink::Dim, &code);
    ui.note(&format!("{head} {}{code}", filter::clean(error).trim_end()));
}

/// A call that is over, in one line.
pub(super) fn tool_line(
    tool: &Tool,
    took: Option<Duration>,
    painted: impl Fn(Ink, &str) -> String,
) -> String {
    let call = call(tool);
    let took = took.map_or_else(String::new, |took| {
        format!(" ({:.1} s)", took.as_secs_f64())
    });
    let took = painted(Ink::Dim, &took);
    match &tool.result {
        CallResult::Success { .. } => format!("{} {call}{took}", painted(Ink::Green, "\u{2713}")),
        CallResult::Error { error, .. } => {
            let error = filter::line(error, 300);
            format!("{} {call}: {error}{took}", painted(Ink::Red, "\u{2717}"))
        }
        CallResult::Pending { reason } => {
            format!("… {call}: {}", filter::line(reason.as_str(), 40))
        }
    }
}

/// `weather.forecast city="Oslo" days=5`.
pub(super) fn call(tool: &Tool) -> String {
    let mut line = filter::line(&tool.function, 80);
    let pairs = match &tool.input {
        Value::Object(pairs) => pairs
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
            .join(" "),
        other => other.to_string(),
    };
    if !pairs.is_empty() {
        line.push(' ');
        line.push_str(&filter::line(&pairs, INPUT));
    }
    line
}

/// Shows an item that is not a result, and says whether it was one.
pub(super) fn beside(ui: &Ui, item: &Item) -> io::Result<bool> {
    let text = match &item.content {
        Content::Widget(widget) => filter::clean(&widget.fallback),
        Content::Output(output) => format!(
            "{} {} ({}, {}) {}",
            ui.out(Ink::Dim, "output:"),
            filter::line(&output.title, 120),
            filter::line(&output.mime_type, 60),
            size(output.size),
            item.id.as_str(),
        ),
        Content::Notice(notice) => {
            let (ink, head) = match notice.level {
                Level::Danger => (Ink::Red, "problem:"),
                Level::Warning => (Ink::Yellow, "warning:"),
                Level::Success => (Ink::Green, "done:"),
                _ => (Ink::Dim, "note:"),
            };
            ui.note(&format!(
                "{} {}",
                ui.err(ink, head),
                filter::clean(&notice.text).trim_end()
            ));
            return Ok(true);
        }
        _ => return Ok(false),
    };
    if ui.stdout_is_terminal() {
        ui.print(&text)?;
    } else {
        ui.note(text.trim_end());
    }
    Ok(true)
}

/// A word for a shell.
pub(super) fn shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+,".contains(c);
    let word = filter::line(word, 400);
    if word.chars().all(is_plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

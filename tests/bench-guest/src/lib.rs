//! The plugin that the benchmarks call: a minimal tool and a typical one.

#![forbid(unsafe_code)]

mod sorting;

use footlight_sdk::prelude::*;

/// Does nothing.
#[tool(read_only)]
fn nothing() -> Text {
    Text::new("")
}

/// Shows one widget and returns the text.
#[tool(read_only)]
fn pass(
    stage: &Stage,
    /// Any text.
    text: String,
) -> Result<Text> {
    stage.show(note())?;
    Ok(Text::new(text))
}

/// Shows one widget; reads the text as JSON, sorts it and writes it.
#[tool(read_only)]
fn work(
    stage: &Stage,
    /// A JSON array of objects.
    text: String,
) -> Result<Text> {
    stage.show(note())?;
    Ok(Text::new(sorting::sorted(&text)?))
}

/// Asks one question and returns the answer.
#[tool(asks)]
fn wait(stage: &Stage) -> Result<Text> {
    let answers = stage.ask("Which number are you?", [Field::text("number")])?;
    Ok(Text::new(answers.text("number").unwrap_or_default()))
}

fn note() -> Widget {
    Widget::new("note", "a line").fallback("a line")
}

plugin!(tools: [nothing, pass, work, wait]);

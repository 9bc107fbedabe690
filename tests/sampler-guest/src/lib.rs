//! One tool for each thing that a plugin can do. `tests/languages` has the same plugin in Python and JavaScript.

#![forbid(unsafe_code)]

use footlight_sdk::kinds;
use footlight_sdk::prelude::*;
use footlight_sdk::ui::{Action, Badge, Button, Caption, Card, Progress, Row, Title};
use serde::Serialize;

#[derive(Serialize)]
struct Day {
    day: String,
    rain: f64,
}

/// Returns this many days.
fn days(count: u32) -> Vec<Day> {
    let day = |n: u32| Day {
        day: format!("Day {n}"),
        rain: f64::from(n) + 0.5,
    };
    (1..=count).map(day).collect()
}

/// Answers with text.
#[tool(read_only)]
fn text(name: String) -> String {
    format!("Hello, {name}! ☂")
}

/// Answers with a table.
#[tool(read_only)]
fn table(days: u32) -> kinds::Table {
    let summary = format!("{days} days");
    kinds::Table::rows(self::days(days))
        .column(kinds::Column::new("day"))
        .label("rain", "Rain (mm)")
        .summary(summary)
        .for_model("rain")
}

/// Answers with a chart.
#[tool(read_only)]
fn chart(days: u32) -> kinds::Chart {
    kinds::Chart::bar(self::days(days))
        .title("Rain")
        .x("day", "Day")
        .series("rain", "Rain")
}

/// Shows a card whose button calls `text`.
#[tool]
fn card(stage: &Stage, title: String) -> Result<String> {
    let press = Action::new("text").payload(serde_json::json!({ "name": title }));
    let view = Card::new()
        .child(Title::new(&title))
        .child(
            Row::new()
                .gap(2)
                .child(Caption::new("Æ"))
                .child(Badge::new("new").color("info")),
        )
        .child(Progress::new().label("Done").value(2.5).max(4.5))
        .child(Button::new().label("Press").on_click_action(press));
    stage.show(Widget::new("sample", &serde_json::json!({ "title": title })).view(view))?;
    stage.progress_of("showing", 1, 2);
    let view = Card::new().child(Title::new(format!("{title}!")).id("title"));
    stage.show(view)?;
    Ok(format!("{title} is shown"))
}

/// Asks two questions.
#[tool(asks)]
fn ask(stage: &Stage) -> Result<String> {
    let fields = [
        Field::select("city").options(["Oslo", "Bergen"]),
        Field::number("days").min(1).max(9).integer(true).default(3),
    ];
    let answers = stage.ask("Where and how long?", fields)?;
    let (city, days): (String, u32) = (answers.read("city")?, answers.read("days")?);
    let sure = stage.confirm("Are you sure?")?;
    Ok(format!("{days} days in {city}: {sure}"))
}

/// Requests approval.
#[tool(requests = "sampler.act")]
fn approval(stage: &Stage, subject: String) -> Result<String> {
    let request = Approval::new("sampler.act")
        .subject(&subject)
        .reason("To sample it.");
    stage.approve(request.details(&["one", "two"]))?;
    Ok(format!("acted on {subject}"))
}

/// Counts, for the person.
#[tool]
fn state(stage: &Stage, by: u32) -> Result<u32> {
    let bucket = stage.state(Scope::Person);
    bucket.set("last", &by)?;
    let count = bucket.update("count", |count: Option<u32>| count.unwrap_or(0) + by)?;
    match bucket.keys("")?.len() {
        2 => Ok(count),
        keys => Err(invalid!("there are {keys} keys")),
    }
}

/// Stores an output.
#[tool]
fn output(stage: &Stage, title: String) -> Result<String> {
    let output = Output::new(&title).kind("table").mime_type("text/csv");
    let id = stage.output(output, "day,rain\nMon,3\n")?;
    let read = stage.read_output(&id, 4, 4)?;
    Ok(format!(
        "{} bytes: {}",
        read.len(),
        String::from_utf8_lossy(&read)
    ))
}

/// Fails.
#[tool(read_only)]
fn fail(why: String) -> Result<String> {
    Err(Failure::new(footlight_sdk::FailureCode::Unavailable, why))
}

plugin!(tools: [text, table, chart, card, ask, approval, state, output, fail]);

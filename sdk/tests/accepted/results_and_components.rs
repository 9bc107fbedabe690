//! Results and components with the same name, side by side: the plain names are results.

#![deny(warnings)]

use footlight_sdk::prelude::*;

/// Returns a text and shows one.
#[tool]
fn text(stage: &Stage) -> Result<Text> {
    stage.show(ui::Card::new().child(ui::Text::new("shown")).child(ui::Markdown::new("*shown*")))?;
    Ok(Text::new("returned"))
}

/// Returns a table and shows one.
#[tool]
fn table(stage: &Stage) -> Result<Table> {
    let cell = ui::TableCell::new().child(ui::Image::new("https://example.com/a.png"));
    stage.show(ui::Card::new().child(ui::Table::new().child(ui::TableRow::new().child(cell))))?;
    Ok(Table::rows([json!({ "day": "Mon" })]))
}

/// Returns a chart and shows one.
#[tool]
fn chart(stage: &Stage) -> Result<Chart> {
    let rows = [json!({ "day": "Mon", "rain": 3 })];
    stage.show(ui::Card::new().child(ui::Chart::new(rows.clone(), [ui::Series::bar("rain")], "day")))?;
    Ok(Chart::bar(rows).x("day", "Day").series("rain", "Rain"))
}

plugin!(manifest: none, tools: [text, table, chart]);

fn main() {
    let stage = testing::stage();
    for tool in ["text", "table", "chart"] {
        assert_eq!(testing::run::<FootlightPlugin>(&stage, tool, "{}").expect("runs").kind, tool);
    }
    assert_eq!(stage.shown().len(), 3);
}

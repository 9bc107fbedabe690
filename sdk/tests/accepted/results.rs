//! Every kind of result, tools in modules, and every option of a tool.

#![deny(warnings)]

use footlight_sdk::prelude::*;

/// A day.
#[derive(serde::Serialize, schemars::JsonSchema)]
struct Day {
    rain: f64,
}

mod forecast {
    use footlight_sdk::prelude::*;

    /// Says "fine" \ and means it. */ {braces} "#
    #[tool(
        read_only,
        idempotent,
        open_world,
        asks,
        title = "The \"weather\"",
        example = "Will it rain?",
        example = "Is it fine?",
        approval = "always",
        audience = "both",
        assess = weigh,
        output = super::Day
    )]
    pub fn weather(
        stage: &Stage,
        /// The city's "name".
        city: String,
    ) -> Result<Structured<super::Day>> {
        stage.progress(city);
        Ok(Structured::new(super::Day { rain: 0.5 }))
    }

    fn weigh(city: String) -> Result<Option<Concern>> {
        if city.is_empty() { Err(invalid!("no city")) } else { Ok(None) }
    }
}

/// Returns nothing.
#[tool(audience = "user")]
fn unit(stage: &Stage) {
    stage.progress("nothing");
}

/// Returns nothing, or fails.
#[tool(destructive)]
fn fallible_unit() -> Result<()> {
    Ok(())
}

/// Returns text.
#[tool]
fn text() -> &'static str {
    "text"
}

/// Returns a kind.
#[tool]
fn table() -> Table {
    Table::rows([Day { rain: 0.5 }])
}

/// Fails with an error that is not a `Failure`.
#[tool]
fn parse(number: String) -> std::result::Result<i64, std::num::ParseIntError> {
    number.parse()
}

/// Fails with a failure.
#[tool]
fn fail() -> Result<String, Failure> {
    Err(denied!("never"))
}

/// Returns an optional value.
#[tool]
fn maybe() -> Option<u8> {
    None
}

plugin!(
    manifest: none,
    tools: [forecast::weather, unit, fallible_unit, text, table, parse, fail, maybe],
    widgets: ["day": Day, "days": Vec<Day>],
    instructions: "Say \"please\".",
);

fn main() {
    use footlight_sdk::testing;

    let stage = testing::stage();
    let run = |tool, input| testing::run::<FootlightPlugin>(&stage, tool, input);
    let data = |tool| run(tool, "{}").expect("runs").data;
    assert_eq!(data("unit"), "null");
    assert_eq!(data("fallible_unit"), "null");
    assert_eq!(data("text"), r#"{"content":"text"}"#);
    assert_eq!(data("maybe"), "null");
    assert_eq!(run("table", "{}").expect("runs").kind, "table");
    assert_eq!(run("parse", r#"{"number":"4"}"#).expect("runs").data, "4");
    assert_eq!(
        run("parse", r#"{"number":"four"}"#).expect_err("fails").message(),
        "invalid digit found in string"
    );
    assert_eq!(run("fail", "{}").expect_err("fails").message(), "never");
    assert!(testing::assess::<FootlightPlugin>("weather", r#"{"city":""}"#).is_err());
    assert_eq!(run("weather", r#"{"city":"Oslo"}"#).expect("runs").data, r#"{"rain":0.5}"#);
}

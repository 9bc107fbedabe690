//! Author's names that the macros use too, which must not clash.

#![deny(warnings)]

use footlight_sdk::prelude::*;

type Option = std::option::Option<u8>;

fn given_0() -> u8 {
    7
}

/// A tool and arguments named like variables of the macro.
#[tool(assess = json)]
fn input(
    input: String,
    members: String,
    returned: String,
    #[arg(default = given_0())] default: u8,
) -> String {
    format!("{input}{members}{returned}{default}")
}

fn json(
    stage: String,
    name: String,
    assess: String,
    count: u8,
) -> std::option::Option<Concern> {
    (count > 100).then(|| Concern::new(stage + &name + &assess, "That is much."))
}

/// A tool named like the stage.
#[tool]
fn stage(stage: &Stage, members: u8) -> u8 {
    stage.progress("counting");
    members
}

/// A tool named like another variable of the macro.
#[tool]
fn members(stage: u8, json: u8) -> u8 {
    stage + json
}

/// A tool named like its result.
#[tool]
fn returned(name: String) -> std::result::Result<String, std::fmt::Error> {
    Ok(name)
}

/// A tool named like a function of the SDK.
#[tool]
fn describe(value: std::option::Option<u8>) -> u8 {
    value.unwrap_or(1)
}

/// Settings with such names.
#[derive(Config)]
struct Settings {
    /// One.
    #[setting(default = given_0())]
    members: u8,
    /// Two.
    #[setting(default = "x")]
    json: String,
}

plugin!(manifest: none, tools: [input, stage, members, returned, describe], config: Settings);

fn main() {
    use footlight_sdk::testing;

    let _: Option = None;
    let on = testing::stage();
    let run = |tool, input| testing::run::<FootlightPlugin>(&on, tool, input).expect("runs").data;
    assert_eq!(
        run("input", r#"{"input":"a","members":"b","returned":"c"}"#),
        r#"{"content":"abc7"}"#
    );
    assert_eq!(run("stage", r#"{"members":3}"#), "3");
    assert_eq!(run("members", r#"{"stage":3,"json":4}"#), "7");
    assert_eq!(run("returned", r#"{"name":"a"}"#), r#"{"content":"a"}"#);
    assert_eq!(run("describe", "{}"), "1");
    let settings: Settings = on.config().expect("has defaults");
    assert_eq!((settings.members, settings.json.as_str()), (7, "x"));
}

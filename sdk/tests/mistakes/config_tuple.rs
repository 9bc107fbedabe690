//! Settings whose fields have no names.

use footlight_sdk::prelude::*;

#[derive(Config)]
struct Settings(String);

/// Greets somebody.
#[tool]
fn greet(stage: &Stage) -> Result<String> {
    Ok(stage.config::<Settings>()?.0)
}

plugin!(manifest: none, tools: [greet], config: Settings);

fn main() {}

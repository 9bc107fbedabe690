//! The plugin with which the tests try every operation on files: it does what it is told, and says
//! what it met.

#![forbid(unsafe_code)]

#[cfg(target_family = "wasm")]
mod raw;

mod library;

use footlight_sdk::prelude::*;
use std::time::Duration;

/// One operation.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Step {
    /// The operation. Those that begin with `std.` use the standard library with absolute paths, all
    /// others use WASI with paths below `dir`.
    op: String,
    /// The guest path of the folder.
    dir: String,
    path: String,
    /// The second folder and path, for operations that have two.
    to_dir: String,
    to: String,
    /// A number: of bytes, of times, an offset.
    n: u64,
    text: String,
}

/// Performs operations in order and returns what each met, as a JSON array of texts.
#[tool]
fn perform(
    stage: &Stage,
    /// The operations, as a JSON array.
    steps: String,
) -> Result<Text> {
    run(stage, &steps)
}

/// Does the same, and says that it only reads.
#[tool(read_only)]
fn peek(
    stage: &Stage,
    /// The operations, as a JSON array.
    steps: String,
) -> Result<Text> {
    run(stage, &steps)
}

/// Looks at folders before a person has approved anything. The host must show it none.
#[tool(assess = assess_look)]
fn look() -> Text {
    Text::new(sees())
}

fn assess_look() -> Option<Concern> {
    Some(Concern::new("sees", sees()))
}

fn sees() -> String {
    let sees = |path: &str| std::fs::metadata(path).is_ok();
    format!("{:?}", ["/data", "/docs", "/gated", "/", "."].map(sees))
}

fn run(stage: &Stage, steps: &str) -> Result<Text> {
    let steps: Vec<Step> = serde_json::from_str(steps)?;
    let mut met = Vec::new();
    for step in &steps {
        let answer = match step.op.as_str() {
            "approve" => {
                let approval = Approval::new("probe.write").subject("files");
                format!("{:?}", stage.approve(approval))
            }
            "cancel" => {
                stage.progress("ready");
                while !stage.is_cancelled() {
                    std::thread::sleep(Duration::from_millis(5));
                }
                "cancelled".to_owned()
            }
            op if op.starts_with("std.") => library::perform(step),
            _ => raw(step),
        };
        // The result of a cancelled call is dropped; its log is not.
        stage.log(Level::Info, format!("{} = {answer}", step.op));
        met.push(answer);
    }
    Ok(Text::new(serde_json::to_string(&met)?))
}

#[cfg(target_family = "wasm")]
fn raw(step: &Step) -> String {
    raw::perform(step)
}

#[cfg(not(target_family = "wasm"))]
fn raw(_: &Step) -> String {
    "this needs a component".to_owned()
}

plugin!(tools: [perform, peek, look]);

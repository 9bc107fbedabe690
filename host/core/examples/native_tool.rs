//! A native tool beside a plugin: a function of this program that the model calls like any other tool.
//!
//! ```sh
//! cargo run -p footlight --example native_tool -- hello.wasm
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use footlight::model::{Finished, Message, Model, ModelPart, Request, Step, ToolCall};
use footlight::policy::Traits;
use footlight::vocabulary::item::{CallResult, Content};
use footlight::{Failure, Host, NativeCall, NativeTool, Settings};
use serde::Deserialize;
use serde_json::{Value, json};
use std::error::Error;

/// A model that calls both tools in one step.
struct Gambler;

impl Model for Gambler {
    fn name(&self) -> &str {
        "gambler"
    }

    fn step(&self, request: Request) -> Step {
        if let Some(Message::Results { .. }) = request.messages.last() {
            return Step::finished(Finished::text("Good luck."));
        }
        Step::finished(Finished::new(vec![
            ModelPart::Call(ToolCall::new("1", "hello__greet", r#"{"name":"Ada"}"#)),
            ModelPart::Call(ToolCall::new("2", "dice__add", r#"{"rolled":[4,2]}"#)),
        ]))
    }
}

#[derive(Deserialize)]
struct Dice {
    rolled: Vec<u64>,
}

/// Adds up dice. What it returns is checked, recorded and drawn like the result of a plugin.
async fn add(call: NativeCall) -> Result<Value, Failure> {
    let dice: Dice = call.arguments()?;
    let sum: u64 = dice.rolled.iter().sum();
    Ok(json!({ "sum": sum, "of": dice.rolled.len() }))
}

#[tokio::main(flavor = "current_thread")]
#[allow(dead_code, reason = "the tests call `run` themselves")]
async fn main() -> Result<(), Box<dyn Error>> {
    let plugin = std::env::args().nth(1);
    let plugin = plugin.ok_or("usage: native_tool <hello.wasm>")?;
    println!("{}", run(&plugin).await?.join("\n"));
    Ok(())
}

/// Runs one turn and returns the results of its calls.
pub(crate) async fn run(plugin: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let spec = NativeTool::new("dice", "add", "Adds up dice.").input(json!({
        "type": "object",
        "properties": {
            "rolled": {
                "type": "array",
                "items": { "type": "integer", "minimum": 1, "maximum": 6 },
                "maxItems": 100
            }
        },
        "required": ["rolled"],
        "additionalProperties": false
    }));
    let traits = Traits {
        read_only: true,
        ..Traits::default()
    };
    let host = Host::builder().tool(spec, traits, add).build()?;
    host.load(plugin).await?;
    let session = host.session(Settings::new(Gambler)).await?;
    let ended = session.turn("Greet Ada and add 4 and 2.")?.finish().await?;
    let mut results = Vec::new();
    for item in ended.items {
        if let Content::Tool(tool) = item.content
            && let CallResult::Success { output } = tool.result
        {
            results.push(format!("{}: {}", tool.function, output["data"]));
        }
    }
    Ok(results)
}

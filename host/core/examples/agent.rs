//! An agent with a loop of its own: it decides what to call, Footlight runs the call.
//!
//! ```sh
//! cargo run -p footlight --example agent -- hello.wasm
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use footlight::vocabulary::function::FunctionName;
use footlight::vocabulary::item::Verdict;
use footlight::{CallEvent, Host};
use serde_json::{Value, json};
use std::error::Error;

#[tokio::main(flavor = "current_thread")]
#[allow(dead_code, reason = "the tests call `run` themselves")]
async fn main() -> Result<(), Box<dyn Error>> {
    let plugin = std::env::args().nth(1).ok_or("usage: agent <hello.wasm>")?;
    println!("{}", run(&plugin).await?);
    Ok(())
}

/// Greets three people and returns the greetings.
pub(crate) async fn run(plugin: &str) -> Result<String, Box<dyn Error>> {
    let host = Host::builder().attended(true).build()?;
    let plugin = host.load(plugin).await?;
    let tool = plugin.tools().first().ok_or("the plugin has no tools")?;
    let function = FunctionName::new(plugin.id(), &*tool.name)?.to_string();
    let mut words = Vec::new();
    for name in ["Ada", "Grace", "Barbara"] {
        let mut call = host.call(&function, json!({ "name": name }));
        while let Some(event) = call.next().await {
            match event {
                // Questions and approval requests of the plugin.
                CallEvent::Asked { id, .. } => host.skip(&id)?,
                CallEvent::Approval { id, .. } => host.decide(&id, Verdict::Deny, None)?,
                CallEvent::Finished(outcome) => {
                    let content = outcome.result?.data["content"].take();
                    words.extend(content.as_str().map(str::to_owned));
                }
                _ => {}
            }
        }
    }
    Ok(Value::from(words).to_string())
}

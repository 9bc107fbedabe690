//! An agent with a loop of its own: it decides what to call, Footlight sees to the rest.
//!
//! ```sh
//! cargo run -p footlight --example agent -- hello.wasm
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use footlight::vocabulary::item::Verdict;
use footlight::{Event, Host};
use serde_json::{Value, json};
use std::error::Error;

#[tokio::main(flavor = "current_thread")]
#[allow(dead_code, reason = "the tests call `run` themselves")]
async fn main() -> Result<(), Box<dyn Error>> {
    let plugin = std::env::args().nth(1).ok_or("usage: agent <hello.wasm>")?;
    println!("{}", run(&plugin).await?);
    Ok(())
}

/// Greets three people, and answers what came of it.
pub(crate) async fn run(plugin: &str) -> Result<String, Box<dyn Error>> {
    let host = Host::builder().attended(true).build()?;
    let plugin = host.load(plugin).await?;
    let tool = plugin.tools().first().ok_or("the plugin has no tools")?;
    let function = format!("{}.{}", plugin.id(), tool.name);
    let mut words = Vec::new();
    for name in ["Ada", "Grace", "Barbara"] {
        let mut call = host.call(&function, json!({ "name": name }));
        while let Some(event) = call.next().await {
            match event {
                // What a plugin wants to know, and what needs leave, comes up here.
                Event::Asked { id, .. } => host.skip(&id)?,
                Event::Approval { id, .. } => host.decide(&id, Verdict::Deny, None)?,
                Event::Finished(ended) => {
                    let content = ended.result?.data["content"].take();
                    words.extend(content.as_str().map(str::to_owned));
                }
                _ => {}
            }
        }
    }
    Ok(Value::from(words).to_string())
}

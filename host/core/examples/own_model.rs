//! A session with a model of one's own.
//!
//! ```sh
//! cargo run -p footlight --example own_model -- hello.wasm
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use footlight::model::{Finished, Message, Model, ModelPart, Request, Step, ToolCall};
use footlight::vocabulary::item::Content;
use footlight::{Host, Settings};
use std::error::Error;

/// A model that calls `hello.greet`, and then says that it did.
struct Polite;

impl Model for Polite {
    fn name(&self) -> &str {
        "polite"
    }

    fn step(&self, request: Request) -> Step {
        if let Some(Message::Results { .. }) = request.messages.last() {
            // An answer that arrives piece by piece, for example from a network.
            return Step::from_fn(|deltas| async move {
                for piece in ["I have ", "greeted ", "them."] {
                    deltas.text(piece);
                }
                Ok(Finished::text("I have greeted them."))
            });
        }
        // An answer that is known at once.
        let call = ToolCall::new("1", "hello__greet", r#"{"name":"Ada"}"#);
        Step::finished(Finished::new(vec![ModelPart::Call(call)]))
    }
}

#[tokio::main(flavor = "current_thread")]
#[allow(dead_code, reason = "the tests call `run` themselves")]
async fn main() -> Result<(), Box<dyn Error>> {
    let plugin = std::env::args()
        .nth(1)
        .ok_or("usage: own_model <hello.wasm>")?;
    println!("{}", run(&plugin).await?);
    Ok(())
}

/// Runs one turn and returns the model's last text.
pub(crate) async fn run(plugin: &str) -> Result<String, Box<dyn Error>> {
    let host = Host::builder().build()?;
    host.load(plugin).await?;
    let session = host.session(Settings::new(Polite)).await?;
    let finished = session.turn("Greet Ada, please.")?.finish().await?;
    let text = finished
        .items
        .into_iter()
        .rev()
        .find_map(|item| match item.content {
            Content::Text(text) => Some(text.text),
            _ => None,
        });
    Ok(text.ok_or("it said nothing")?)
}

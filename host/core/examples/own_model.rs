//! A session with a model of one's own: anything that can stream an answer.
//!
//! ```sh
//! cargo run -p footlight --example own_model -- hello.wasm
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use footlight::model::{
    Delta, Finished, Message, Model, ModelError, ModelPart, Request, Step, ToolCall,
};
use footlight::vocabulary::item::Content;
use footlight::{Host, Settings};
use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Greets whoever is named, and then says that it did.
struct Polite;

impl Model for Polite {
    fn name(&self) -> &str {
        "polite"
    }

    fn step(&self, request: Request) -> Step {
        let part = match request.messages.last() {
            Some(Message::Results { .. }) => ModelPart::Text {
                text: "I have greeted them.".to_owned(),
            },
            _ => ModelPart::Call(ToolCall {
                id: "1".to_owned(),
                name: "hello__greet".to_owned(),
                arguments: r#"{"name":"Ada"}"#.to_owned(),
                opaque: None,
            }),
        };
        let parts = vec![part];
        Box::pin(Whole(Some(Finished {
            parts,
            ..Finished::default()
        })))
    }
}

/// An answer that comes at once.
struct Whole(Option<Finished>);

impl futures_core::Stream for Whole {
    type Item = Result<Delta, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.take().map(|finished| Ok(Delta::Finished(finished))))
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

/// One turn, and the model's last word.
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

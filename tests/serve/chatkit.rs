//! ChatKit's protocol, as a front end speaks it.
//!
//! Every byte that the server sends here is checked with the types of the official package for Python
//! (`validate.py`), which is strict where those types are not.

mod front_end;
mod official;
mod people;
mod threads;
mod transcript;
mod widgets;

use super::*;
use footlight_tests::scripted_session::{Answer, calls, reasons, says};
use front_end::{FrontEnd, action_labelled, kinds, pressed};
use serde_json::{Value, json};

/// Returns the request that starts a thread.
fn create(words: &str) -> Value {
    json!({ "type": "threads.create", "params": { "input": message(words) } })
}

/// Returns the request that adds a message to a thread.
fn say(thread: &str, words: &str) -> Value {
    json!({ "type": "threads.add_user_message",
        "params": { "thread_id": thread, "input": message(words) } })
}

fn message(words: &str) -> Value {
    json!({ "content": [{ "type": "input_text", "text": words }], "attachments": [],
        "inference_options": {} })
}

/// Returns a request about a thread.
fn about(kind: &str, thread: &str) -> Value {
    json!({ "type": kind, "params": { "thread_id": thread } })
}

/// Returns the id of the thread that a stream has created.
fn thread_of(events: &[Value]) -> String {
    let id = events[0]["thread"]["id"].as_str();
    id.expect("a thread is created first").to_owned()
}

/// Returns the last item of this type in a stream.
fn last_item<'a>(events: &'a [Value], kind: &str) -> &'a Value {
    let items = events.iter().rev().map(|event| &event["item"]);
    let mut items = items.filter(|item| item["type"] == kind);
    items
        .next()
        .unwrap_or_else(|| panic!("a {kind}: {events:#?}"))
}

/// Returns a server whose model calls one tool and says "Done.".
async fn calling(tool: &str, input: Value) -> Running {
    Running::start([calls([(tool, input)]), says("Done.")]).await
}

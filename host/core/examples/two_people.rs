//! One host, two people: each has a session with the same plugin and a list of their own, what a call
//! asks one of them is settled from elsewhere, and after a restart both find their lists again.
//!
//! A server with several people is built like this. It knows who a client is, and gives the client a
//! [`Person`](footlight::Person), through which nothing of anybody else can be reached.
//!
//! ```sh
//! cargo run -p footlight --example two_people -- todo.wasm
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use footlight::model::{Finished, Message, Model, ModelPart, Part, Request, Step, ToolCall};
use footlight::session::SettleError;
use footlight::store::{RequestRow, SqliteStore, StoreError};
use footlight::vocabulary::item::Verdict;
use footlight::{Host, Person, Session, Settings};
use serde_json::json;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// Stands in for a language model: calls the tool that the prompt names, and repeats what it returns.
struct Clerk;

impl Model for Clerk {
    fn name(&self) -> &str {
        "clerk"
    }

    fn step(&self, request: Request) -> Step {
        let content = match request.messages.last() {
            Some(Message::Results { results }) => results.last().map(|result| &result.content),
            Some(Message::Person { content }) => Some(content),
            _ => None,
        };
        let text = match content.and_then(|content| content.last()) {
            Some(Part::Text { text }) => text.as_str(),
            _ => "",
        };
        match (request.messages.last(), text.split_once(' ')) {
            (Some(Message::Person { .. }), Some((tool, input))) => {
                let call = ToolCall::new("1", tool, input);
                Step::finished(Finished::new(vec![ModelPart::Call(call)]))
            }
            _ => Step::finished(Finished::text(text)),
        }
    }
}

#[tokio::main(flavor = "current_thread")]
#[allow(dead_code, reason = "the tests call `run` themselves")]
async fn main() -> Result<(), Box<dyn Error>> {
    let plugin = std::env::args().nth(1);
    let plugin = plugin.ok_or("usage: two_people <todo.wasm>")?;
    let folder = std::env::temp_dir().join(format!("two-people-{}", std::process::id()));
    let lists = run(&plugin, &folder).await;
    std::fs::remove_dir_all(&folder)?;
    for list in lists? {
        println!("{list}");
    }
    Ok(())
}

/// Returns the lists of both people after a restart.
pub(crate) async fn run(plugin: &str, folder: &Path) -> Result<[String; 2], Box<dyn Error>> {
    let host = start(plugin, folder).await?;
    let (ada, bob) = (host.person("ada"), host.person("bob"));
    let of_ada = session(&ada).await?;
    let of_bob = session(&bob).await?;
    say(&of_ada, r#"todo__add {"title":"milk"}"#).await?;
    say(&of_bob, r#"todo__add {"title":"honey"}"#).await?;

    // The plugin asks Ada how the task should read. Her answer comes from another task, which knows
    // her name and nothing of the session. Bob does not see the question and cannot answer it.
    let (elsewhere, stranger) = (ada.clone(), bob.clone());
    let answered = tokio::spawn(async move {
        let question = pending(&elsewhere).await?;
        let refused = stranger
            .answer(&question.id, json!({ "title": "gin" }))
            .await;
        assert!(matches!(refused, Err(SettleError::Unknown)));
        elsewhere
            .answer(&question.id, json!({ "title": "oat milk" }))
            .await
    });
    say(&of_ada, r#"todo__edit {"task":"milk"}"#).await?;
    answered.await??;

    // The plugin requests Bob's approval to delete his list, which he denies from elsewhere.
    let elsewhere = bob.clone();
    let denied = tokio::spawn(async move {
        let request = pending(&elsewhere).await?;
        let words = Some("I still need it.".to_owned());
        elsewhere.decide(&request.id, Verdict::Deny, words).await
    });
    say(&of_bob, r#"todo__clear {"what":"everything"}"#).await?;
    denied.await??;

    // Another process, later: the sessions of each person are found by their name.
    drop((of_ada, of_bob, ada, bob, host));
    let host = start(plugin, folder).await?;
    let mut lists = [String::new(), String::new()];
    for (name, list) in ["ada", "bob"].into_iter().zip(&mut lists) {
        let person = host.person(name);
        let sessions = person.sessions(None, 1).await?;
        let last = sessions.first().ok_or("the session is lost")?;
        let settings = Settings::new(Clerk).attended();
        let session = person.resume(&last.id, settings).await?;
        let said = say(&session, r#"todo__list {"filter":"all"}"#).await?;
        *list = format!("{name}: {said}");
    }
    Ok(lists)
}

async fn start(plugin: &str, folder: &Path) -> Result<Host, Box<dyn Error>> {
    let store = Arc::new(SqliteStore::open(folder)?);
    let host = Host::builder().store(store).build()?;
    host.load(plugin).await?;
    Ok(host)
}

async fn session(person: &Person) -> Result<Session, StoreError> {
    person.session(Settings::new(Clerk).attended()).await
}

/// Sends a prompt and returns what the model says in the end.
async fn say(session: &Session, prompt: &str) -> Result<String, Box<dyn Error>> {
    use footlight::vocabulary::item::Content;
    let items = session.turn(prompt)?.finish().await?.items;
    let text = items.into_iter().rev().find_map(|item| match item.content {
        Content::Text(text) => Some(text.text),
        _ => None,
    });
    Ok(text.ok_or("it said nothing")?)
}

/// Waits until something is pending for a person. A server would also be told, by following the
/// session.
async fn pending(person: &Person) -> Result<RequestRow, StoreError> {
    loop {
        if let Some(request) = person.pending().await?.pop() {
            return Ok(request);
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

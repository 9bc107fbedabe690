//! ChatKit: the protocol of `@openai/chatkit`, so that its front end can talk to this server.
//!
//! There is one endpoint. A request has a `type`, which decides whether the answer is JSON or a stream
//! of events. A thread is a session of the client's person, and its items are made from the record
//! (`items`), so that whatever was said and shown elsewhere is there as well.
//!
//! Modules in reading order: `request` and `wire` are what comes in and goes out; `items`, `ask`,
//! `approval` and `card` draw the record; `tree` makes a plugin's tree one that the official types
//! accept; `press` is what a person presses; `stream` follows a turn, `diff` says what has changed in a
//! widget; `act` carries out messages and presses, `thread` the rest.
//!
//! A request that fails before its stream begins is answered with a problem, like any other; a press
//! that is refused is answered with an event, which the person reads.
//!
//! Attachments and transcription are not supported: the server stores no files of clients, and has no
//! model for speech. Questions are cards, never items of the type `structured_input`, and tools run on
//! the server, so that the requests which answer the like find nothing to answer.

mod act;
mod approval;
mod ask;
mod card;
mod diff;
mod items;
mod press;
pub(crate) mod request;
mod stream;
mod thread;
mod tree;
mod wire;

#[cfg(feature = "fuzzing")]
pub mod fuzzing;

use crate::App;
use crate::access::Permission;
use crate::guard::Client;
use crate::problem::{Problem, ProblemCode};
use crate::route::{Answer, Json, Route};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use request::ChatKitRequest;
use serde::Serialize;
use serde_json::{Map, Value};
use std::sync::Arc;
use subtle::ConstantTimeEq as _;

/// The header in which a front end names the key of its domain.
const DOMAIN_KEY: &str = "x-chatkit-domain-key";

/// Returns the routes. Both do the same: the shorter one is what front ends are usually pointed at.
pub(crate) fn routes() -> [Route; 2] {
    ["/chatkit", "/api/chatkit"].map(|path| {
        Route::post(path, chatkit)
            .summary("Talk to a session as a ChatKit front end does")
            .needs(Permission::Use)
            .body::<ChatKitRequest>()
            .answers_other(
                200,
                Answer::JsonOrEvents(|schemas| schemas.subschema_for::<Map<String, Value>>()),
            )
            .problems([
                ProblemCode::Busy,
                ProblemCode::Conflict,
                ProblemCode::NotFound,
                ProblemCode::Unsupported,
            ])
    })
}

/// `POST /chatkit`
async fn chatkit(
    State(app): State<Arc<App>>,
    Client(client): Client,
    headers: HeaderMap,
    Json(request): Json<ChatKitRequest>,
) -> Result<Response, Problem> {
    check_domain_key(&app, &headers)?;
    match request {
        ChatKitRequest::CreateThread(create) => act::create(&app, &client, create, &headers).await,
        ChatKitRequest::AddUserMessage(add) => act::add_message(&app, &client, add).await,
        ChatKitRequest::RetryAfterItem(retry) => act::retry(&app, &client, retry).await,
        ChatKitRequest::CustomAction(action) => act::custom_action(&app, &client, action).await,
        ChatKitRequest::SyncCustomAction(action) => {
            json(act::sync_custom_action(&app, &client, action).await)
        }
        ChatKitRequest::AddClientToolOutput(thread) => {
            let id = thread.thread_id.session()?;
            app.sessions.open(&app, &client, &id).await?;
            Err(Problem::unsupported(
                "no tool of the page waits for a result: tools run on the server",
            ))
        }
        ChatKitRequest::AddStructuredInput(item) => {
            let id = item.thread_id.session()?;
            app.sessions.open(&app, &client, &id).await?;
            Err(Problem::unsupported(
                "questions are cards here: press a button of the card",
            ))
        }
        ChatKitRequest::GetThread(thread) => {
            let id = thread.thread_id.session()?;
            json(thread::get(&app, &client, &id).await)
        }
        ChatKitRequest::ListThreads(page) => json(thread::list(&app, &client, &page).await),
        ChatKitRequest::UpdateThread(update) => json(thread::update(&app, &client, update).await),
        ChatKitRequest::DeleteThread(thread) => {
            let id = thread.thread_id.session()?;
            json(thread::delete(&app, &client, &id).await)
        }
        ChatKitRequest::ListItems(list) => json(thread::items(&app, &client, &list).await),
        ChatKitRequest::Feedback(feedback) => {
            json(thread::feedback(&app, &client, &feedback).await)
        }
        ChatKitRequest::CreateAttachment(_) | ChatKitRequest::DeleteAttachment(_) => Err(
            Problem::unsupported("this server stores no files of clients"),
        ),
        ChatKitRequest::Transcribe(_) => Err(Problem::unsupported(
            "this server has no model that understands speech",
        )),
    }
}

fn json(answer: Result<impl Serialize, Problem>) -> Result<Response, Problem> {
    Ok(Json(answer?).into_response())
}

/// Checks the key of the front end's domain, if the server wants one.
fn check_domain_key(app: &App, headers: &HeaderMap) -> Result<(), Problem> {
    let Some(key) = &app.chatkit_domain_key else {
        return Ok(());
    };
    let mut given = headers.get_all(DOMAIN_KEY).iter();
    let (given, more) = (given.next(), given.next());
    let is_it = given.is_some_and(|given| given.as_bytes().ct_eq(key.as_bytes()).into());
    match is_it && more.is_none() {
        true => Ok(()),
        false => Err(Problem::forbidden(
            "the header `X-ChatKit-Domain-Key` is missing or wrong",
        )),
    }
}

//! What a person does in a thread: messages, presses, answers and verdicts.

use super::approval::Decision;
use super::ask;
use super::items::ThreadView;
use super::press::{PRESS, Pressed, field_values};
use super::request::{AddUserMessage, CreateThread, CustomAction, OfItem, UserInput};
use super::stream::{TurnStream, pressed_item};
use super::thread;
use super::wire::{StreamEvent, SyncAnswer, ThreadItem};
use crate::App;
use crate::access::Identity;
use crate::api::requests::decide;
use crate::problem::{Problem, ProblemCode};
use crate::sessions::NewSession;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use footlight::session::{Press, PressError, Prompt, Turn};
use footlight::store::TurnRow;
use footlight::{Session, Update};
use footlight_vocabulary::component::{fields_of, find_actions};
use footlight_vocabulary::event::{EventBody, Origin, Status};
use footlight_vocabulary::item::{AskState, Content, Item, ItemId, RequestId, SessionId};
use footlight_vocabulary::question::Question;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

/// The name of this surface on receipts.
const SURFACE: &str = "chatkit";

/// How long an action that asks no model may take before the client is answered without its result.
const SYNC_WAIT: Duration = Duration::from_secs(30);

/// `threads.create`
pub(super) async fn create(
    app: &Arc<App>,
    client: &Identity,
    create: CreateThread,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let prompt = prompt(&create.input)?;
    let new = NewSession {
        attended: true,
        locale: locale(headers),
        ..NewSession::default()
    };
    let session = app.sessions.create(app, client, new).await?;
    let person = app.host.person(&client.person);
    let row = person.session_row(session.id()).await?;
    let mut stream = TurnStream::follow(app, client, session.clone()).await?;
    stream.push(StreamEvent::ThreadCreated {
        thread: thread::without_items(row),
    });
    drop(session.turn(prompt)?);
    Ok(stream.respond())
}

/// Returns the first language that the client prefers, if it is spelled like one.
fn locale(headers: &HeaderMap) -> Option<String> {
    let languages = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    let first = languages.split([',', ';']).next()?.trim();
    let is_tag = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_tag = (2..=35).contains(&first.len()) && first.bytes().all(is_tag);
    is_tag.then(|| first.to_owned())
}

/// `threads.add_user_message`
pub(super) async fn add_message(
    app: &Arc<App>,
    client: &Identity,
    add: AddUserMessage,
) -> Result<Response, Problem> {
    let id = add.thread_id.session()?;
    let session = app.sessions.open(app, client, &id).await?;
    let prompt = prompt(&add.input)?;
    let stream = TurnStream::follow(app, client, session.clone()).await?;
    drop(session.turn(prompt)?);
    Ok(stream.respond())
}

fn prompt(input: &UserInput) -> Result<Prompt, Problem> {
    let prompt = Prompt::new(input.words()?);
    match input.quoted_text.as_deref().filter(|text| !text.is_empty()) {
        // The person has marked it and not written it.
        Some(quoted) => {
            crate::sessions::check_prompt(quoted)?;
            let lines: Vec<String> = quoted.lines().map(|line| format!("> {line}")).collect();
            Ok(prompt.context(&lines.join("\n")))
        }
        None => Ok(prompt),
    }
}

/// `threads.retry_after_item`
pub(super) async fn retry(
    app: &Arc<App>,
    client: &Identity,
    retry: OfItem,
) -> Result<Response, Problem> {
    let id = retry.thread_id.session()?;
    let thread = thread::load(app, client, &id).await?;
    let turns = &thread.record.turns;
    let is_it = |turn: &&TurnRow| thread.message_id(turn).as_str() == retry.item_id;
    let turn = turns.iter().find(is_it).ok_or_else(Problem::not_found)?;
    let session = app.sessions.open(app, client, &id).await?;
    let mut stream = TurnStream::follow(app, client, session.clone()).await?;
    drop(session.retry(&turn.id)?);
    // The session removes its items; messages are none.
    let later = turns.iter().filter(|later| later.n > turn.n);
    let later = later.filter(|later| later.origin == Origin::Person);
    stream.begin();
    for later in later {
        let item_id = thread.message_id(later).to_string();
        stream.push(StreamEvent::ItemRemoved { item_id });
    }
    Ok(stream.respond())
}

/// `threads.custom_action`
pub(super) async fn custom_action(
    app: &Arc<App>,
    client: &Identity,
    action: CustomAction,
) -> Result<Response, Problem> {
    let (session, pressed, payload) = open(app, client, action).await?;
    let mut stream = TurnStream::follow(app, client, session.clone()).await?;
    let view = ThreadView::new(session.id(), client);
    if let Pressed::Widget { item, rev, path } = &pressed {
        let started = press(
            &session,
            item,
            *rev,
            path,
            &payload,
            Session::press_and_answer,
        );
        match started {
            Ok(turn) => drop(turn),
            Err(error) => {
                if error == PressError::WidgetChanged
                    && let Some(item) = pressed_item(&session, &pressed)
                    && let Some(item) = view.item(&item)
                {
                    stream.push(StreamEvent::ItemReplaced { item });
                }
                let is_busy = matches!(error, PressError::Turn(_));
                stream.end_with(StreamEvent::error(error.to_string(), is_busy));
            }
        }
        return Ok(stream.respond());
    }
    // A turn that ends meanwhile is in the stream.
    let was_running = session.is_running();
    match settle(app, client, &session, &pressed, &payload).await {
        Ok(item) => {
            let pending = thread::pending_of(app, client, session.id()).await?;
            stream.join(&pressed, pending);
            stream.push(StreamEvent::ItemReplaced { item });
            if !was_running && !session.is_running() {
                stream.end();
            }
        }
        Err(problem) => stream.end_with(StreamEvent::error(problem.detail, false)),
    }
    Ok(stream.respond())
}

/// `threads.sync_custom_action`
pub(super) async fn sync_custom_action(
    app: &Arc<App>,
    client: &Identity,
    action: CustomAction,
) -> Result<SyncAnswer, Problem> {
    let (session, pressed, payload) = open(app, client, action).await?;
    let Pressed::Widget { item, rev, path } = &pressed else {
        let item = settle(app, client, &session, &pressed, &payload).await?;
        let updated_item = Some(item);
        return Ok(SyncAnswer { updated_item });
    };
    let mut turn = press(&session, item, *rev, path, &payload, Session::press)?;
    // Until the press has ended, or waits for a person, who is asked in the thread.
    let ended = async {
        loop {
            match turn.next().await {
                Some(Ok(Update::Event(event))) => {
                    if let EventBody::TurnFinished { status, .. } = event.what {
                        return Some(status);
                    }
                }
                Some(Ok(Update::Pending(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    };
    // The turn continues in any case.
    let ended = tokio::time::timeout(SYNC_WAIT, ended).await;
    if ended == Ok(Some(Status::Error)) {
        return Err(Problem::new(
            ProblemCode::Conflict,
            "the action has failed; the thread says why",
        ));
    }
    let item = pressed_item(&session, &pressed);
    Ok(SyncAnswer {
        updated_item: item.and_then(|item| ThreadView::new(session.id(), client).item(&item)),
    })
}

/// Returns the session of an action, what was pressed, and the payload.
async fn open(
    app: &Arc<App>,
    client: &Identity,
    action: CustomAction,
) -> Result<(Session, Pressed, Map<String, Value>), Problem> {
    let id: SessionId = action.thread_id.session()?;
    let session = app.sessions.open(app, client, &id).await?;
    let payload = action.action.payload.unwrap_or_default();
    let pressed = match action.action.kind.as_str() {
        PRESS => Pressed::read(&payload),
        _ => None,
    };
    let unknown = || Problem::invalid("this is not an action of a widget of this server");
    let pressed = pressed.ok_or_else(unknown)?;
    let is_other = |item: &String| item != pressed.item();
    if action.item_id.as_ref().is_some_and(is_other) {
        return Err(unknown());
    }
    Ok((session, pressed, payload))
}

/// Presses an action of a widget, with the values of the form around it.
fn press(
    session: &Session,
    item: &ItemId,
    rev: u64,
    path: &str,
    payload: &Map<String, Value>,
    start: impl FnOnce(&Session, Press) -> Result<Turn, PressError>,
) -> Result<Turn, PressError> {
    let shown = session.item(item).ok_or(PressError::WidgetRemoved)?;
    let Content::Widget(widget) = &shown.content else {
        return Err(PressError::NoAction);
    };
    let view = widget.view.as_ref().ok_or(PressError::NoAction)?;
    let placed = find_actions(view).into_iter().find(|it| it.path == path);
    // At another revision nothing has to be there; the session says what has happened.
    let values = placed.map_or_else(Map::new, |placed| {
        field_values(&fields_of(view, &placed), payload)
    });
    let press = Press {
        item: item.clone(),
        rev,
        path: path.to_owned(),
        values,
    };
    start(session, press)
}

/// Answers a question, skips it, or decides a request for approval. Returns the card as it is then.
async fn settle(
    app: &Arc<App>,
    client: &Identity,
    session: &Session,
    pressed: &Pressed,
    payload: &Map<String, Value>,
) -> Result<ThreadItem, Problem> {
    let settled = settle_request(app, client, session, pressed, payload).await;
    // A turn that no server has resumed continues with the reply.
    if settled.is_ok() && session.is_unfinished() && !session.is_running() {
        let _ = session.resume();
    }
    settled
}

async fn settle_request(
    app: &Arc<App>,
    client: &Identity,
    session: &Session,
    pressed: &Pressed,
    payload: &Map<String, Value>,
) -> Result<ThreadItem, Problem> {
    let id = RequestId::from(pressed.item());
    let request = app.host.store().request(&id).await?;
    let request = request.filter(|request| request.session == *session.id());
    let request = request.ok_or_else(Problem::not_found)?;
    let person = app.host.person(&client.person).via(SURFACE);
    let answer = match pressed {
        Pressed::Answer { option, .. } => {
            let question: Option<Question> = serde_json::from_value(request.body.clone()).ok();
            let value = question
                .as_ref()
                .and_then(|it| ask::answer(it, *option, payload));
            let invalid = || Problem::invalid("this is not an answer to the question");
            let value = value.ok_or_else(invalid)?;
            person.answer(&id, value.clone()).await?;
            question.and_then(|question| question.check(value).ok())
        }
        Pressed::Skip { .. } => {
            person.skip(&id).await?;
            None
        }
        Pressed::Verdict { verdict, .. } => {
            decide(app, client, SURFACE, &id, *verdict, None).await?;
            let by = Some(format!("{} via {SURFACE}", client.person));
            let decision = Decision::on(&request, *verdict, by);
            let decision = decision.ok_or_else(Problem::not_found)?;
            let at = thread::call_start(session, &request);
            return Ok(ThreadView::new(session.id(), client).decided(id.as_str(), &decision, at));
        }
        Pressed::Widget { .. } => return Err(Problem::not_found()),
    };
    let item = pressed_item(session, pressed).ok_or_else(Problem::not_found)?;
    let Content::Ask(mut ask) = item.content.clone() else {
        return Err(Problem::not_found());
    };
    match answer {
        Some(answer) => {
            ask.state = AskState::Answered;
            ask.response = Some(answer.text());
            ask.values = Some(answer.recordable());
        }
        None => ask.state = AskState::Skipped,
    }
    let item = Item {
        content: Content::Ask(ask),
        ..item
    };
    let card = ThreadView::new(session.id(), client).item(&item);
    card.ok_or_else(Problem::not_found)
}

//! Sessions: listing, reading, changing and deleting them, and starting their turns.

use crate::App;
use crate::guard::{Client, no_content};
use crate::live::{self, ItemView, LiveFrame, request_frame};
use crate::problem::Problem;
use crate::route::{Ids, Json, Query, is_id};
use crate::sessions::{NewSession, begun, check_prompt, stored};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use footlight::Session;
use footlight::session::{Press, Prompt};
use footlight::store::{SessionRow, StoreError};
use footlight_vocabulary::event::{Event, EventBody};
use footlight_vocabulary::item::{ItemId, Position, SessionId, Timestamp, TurnId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

/// The most bytes of a title.
const MAX_TITLE: usize = 1_024;

/// How many sessions or items a page has, by default and at most.
const PAGE: usize = 50;
const MAX_PAGE: usize = 200;

/// The header that makes it harmless to send a prompt twice.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// The query of a list of sessions.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageQuery {
    /// The `next` of the page before.
    #[serde(default)]
    after: Option<String>,
    /// How many sessions the page has at most: 50 by default, 200 at most.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    limit: Option<usize>,
}

/// A session, without its contents.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionView {
    id: SessionId,
    title: String,
    created: Timestamp,
    updated: Timestamp,
    /// The number of turns.
    turns: u32,
    /// Whether untrusted content has entered the model's context.
    tainted: bool,
    /// The settings that it was created with.
    settings: NewSession,
}

impl From<SessionRow> for SessionView {
    fn from(row: SessionRow) -> Self {
        Self {
            settings: stored(&row.meta),
            id: row.id,
            title: row.title,
            created: row.created,
            updated: row.updated,
            turns: row.turns,
            tainted: row.tainted,
        }
    }
}

/// A page of sessions.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SessionPage {
    sessions: Vec<SessionView>,
    /// What names the next page; none on the last one.
    next: Option<String>,
}

fn page_limit(limit: Option<usize>) -> Result<usize, Problem> {
    let limit = limit.unwrap_or(PAGE);
    match (1..=MAX_PAGE).contains(&limit) {
        true => Ok(limit),
        false => Err(Problem::invalid("`limit` is a number from 1 to 200")),
    }
}

/// `GET /api/sessions`
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Query(query): Query<PageQuery>,
) -> Result<Json<SessionPage>, Problem> {
    let limit = page_limit(query.limit)?;
    let person = app.host.person(&client.person);
    let after = match &query.after {
        None => None,
        Some(after) => {
            let invalid = || Problem::invalid("`after` is not the `next` of a page");
            let (updated, id) = after.split_once('.').ok_or_else(invalid)?;
            let updated: i64 = updated.parse().map_err(|_| invalid())?;
            if !is_id(id) {
                return Err(invalid());
            }
            let mut row = SessionRow::new(id.into(), Timestamp::default());
            row.updated = Timestamp::from_millis(updated);
            Some(row)
        }
    };
    // One more, to see whether there is a next page.
    let mut rows = person.sessions(after.as_ref(), limit + 1).await?;
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().filter(|_| has_more);
    let next = last.map(|row| format!("{}.{}", row.updated.millis(), row.id));
    let sessions = rows.into_iter().map(SessionView::from).collect();
    Ok(Json(SessionPage { sessions, next }))
}

/// `POST /api/sessions`
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Json(new): Json<NewSession>,
) -> Result<Response, Problem> {
    let session = app.sessions.create(&app, &client, new).await?;
    let person = app.host.person(&client.person);
    let view = SessionView::from(person.session_row(session.id()).await?);
    Ok((StatusCode::CREATED, Json(view)).into_response())
}

/// A session with its contents.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SessionDetail {
    session: SessionView,
    /// Whether a turn is running.
    running: bool,
    /// The record, as a live stream begins with it.
    record: LiveFrame,
    /// The pending requests, as a live stream sends them.
    pending: Vec<LiveFrame>,
}

/// The query of a session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DetailQuery {
    /// Whether items and requests carry what a page draws of them.
    #[serde(default)]
    markup: bool,
    /// How many turns the record has at most, the last ones: 1 to 200; all by default.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    turns: Option<usize>,
    /// The number of a turn: the record ends before it. With `turns`, this reads a record page by page, from
    /// its end.
    #[serde(default)]
    before: Option<u32>,
}

/// `GET /api/sessions/{id}`
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Ids(id): Ids<String>,
    Query(query): Query<DetailQuery>,
) -> Result<Json<SessionDetail>, Problem> {
    let turns = live::turn_limit(query.turns)?;
    let id = SessionId::from(id);
    let session = app.sessions.open(&app, &client, &id).await?;
    let person = app.host.person(&client.person);
    let row = person.session_row(&id).await?;
    let requests = person.pending().await?;
    let own = requests.iter().filter(|request| request.session == id);
    let record = session.turns_before(query.before.unwrap_or(u32::MAX), turns);
    let painter = query.markup.then(|| live::painter(&session));
    let (record, _) = live::snapshot(record, painter).await?;
    Ok(Json(SessionDetail {
        session: row.into(),
        running: session.is_running(),
        record,
        pending: own
            .filter_map(|request| request_frame(request, query.markup))
            .collect(),
    }))
}

/// The query of a list of items.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ItemsQuery {
    /// The `next` of the page before.
    #[serde(default)]
    after: Option<String>,
    /// How many items the page has at most: 50 by default, 200 at most.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    limit: Option<usize>,
    /// Whether items carry what a page draws of them.
    #[serde(default)]
    markup: bool,
}

/// A page of items.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ItemPage {
    items: Vec<ItemView>,
    /// What names the next page; none on the last one.
    next: Option<String>,
}

/// `GET /api/sessions/{id}/items`
pub(crate) async fn items(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Ids(id): Ids<String>,
    Query(query): Query<ItemsQuery>,
) -> Result<Json<ItemPage>, Problem> {
    let limit = page_limit(query.limit)?;
    let invalid = || Problem::invalid("`after` is not the `next` of a page");
    let after = query.after.as_deref();
    let after = after.map(|after| read_position(after).ok_or_else(invalid));
    let after = after.transpose()?;
    let session = app.sessions.open(&app, &client, &id.into()).await?;
    // One more, to see whether there is a next page.
    let mut items = session.items_after(after, limit + 1);
    let has_more = items.len() > limit;
    items.truncate(limit);
    let last = items.last().filter(|_| has_more);
    let next = last.map(|item| write_position(item.position));
    let mut painter = query.markup.then(|| live::painter(&session));
    let view = |item| ItemView::new(item, painter.as_mut());
    let items = items.into_iter().map(view).collect();
    Ok(Json(ItemPage { items, next }))
}

fn write_position(position: Position) -> String {
    let Position {
        turn,
        step,
        call,
        n,
    } = position;
    format!("{turn}.{step}.{call}.{n}")
}

fn read_position(text: &str) -> Option<Position> {
    let mut numbers = text.split('.').map(|number| number.parse::<u32>().ok());
    let mut next = || numbers.next().flatten();
    let position = Position {
        turn: next()?,
        step: next()?,
        call: next()?,
        n: next()?,
    };
    numbers.next().is_none().then_some(position)
}

/// A new title.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rename {
    /// The title, of at most 1,024 bytes.
    #[schemars(length(min = 1, max = 1024))]
    title: String,
}

/// How often a change of a finished session is tried again, and how much time is in between.
const RELEASE_TRIES: u32 = 100;
const RELEASE_PAUSE: Duration = Duration::from_millis(20);

/// Reports whether a change that a turn was in the way of is to be tried again: a turn that clients have seen
/// finish holds its session for a moment longer.
async fn is_released(app: &App, id: &SessionId, tries: &mut u32, is_owned: bool) -> bool {
    if !is_owned || *tries == RELEASE_TRIES {
        return false;
    }
    let Some(session) = app.sessions.held(id) else {
        return false;
    };
    let is_over = !session.is_unfinished() || has_stored_end(&session).await;
    if is_over {
        *tries += 1;
        tokio::time::sleep(RELEASE_PAUSE).await;
    }
    is_over
}

/// Reports whether the end of a turn is in the log, where clients read it, and the session has yet to learn of
/// it.
async fn has_stored_end(session: &Session) -> bool {
    let is_end = |event: &Event| matches!(event.what, EventBody::TurnFinished { .. });
    let known = session.follow().seq();
    let stored = session.follow_from(known).await;
    matches!(stored, Ok(Some((events, _))) if events.iter().any(is_end))
}

/// `PATCH /api/sessions/{id}`
pub(crate) async fn rename(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Ids(id): Ids<String>,
    Json(Rename { title }): Json<Rename>,
) -> Result<Json<SessionView>, Problem> {
    if title.trim().is_empty() || title.len() > MAX_TITLE {
        return Err(Problem::invalid("a title has 1 to 1,024 bytes"));
    }
    let (id, person) = (SessionId::from(id), app.host.person(&client.person));
    let mut tries = 0;
    loop {
        let renamed = person.rename(&id, title.clone()).await;
        let is_owned = matches!(renamed, Err(StoreError::Owned { .. }));
        if !is_released(&app, &id, &mut tries, is_owned).await {
            break renamed?;
        }
    }
    Ok(Json(person.session_row(&id).await?.into()))
}

/// `DELETE /api/sessions/{id}`
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Ids(id): Ids<String>,
) -> Result<Response, Problem> {
    let id = SessionId::from(id);
    let person = app.host.person(&client.person);
    let mut tries = 0;
    loop {
        let deleted = person.delete(&id).await;
        let is_owned = matches!(deleted, Err(StoreError::Owned { .. }));
        if !is_released(&app, &id, &mut tries, is_owned).await {
            break deleted?;
        }
    }
    app.sessions.close(&id);
    Ok(no_content())
}

/// A prompt.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPrompt {
    /// The person's words.
    #[schemars(length(min = 1))]
    prompt: String,
    /// Text that the person did not write, such as a file. The model reads it before the prompt, and the
    /// session is tainted from then on.
    #[serde(default)]
    context: Option<String>,
}

/// A turn that was started.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Started {
    turn: TurnId,
}

/// `POST /api/sessions/{id}/prompts`
pub(crate) async fn prompt(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Ids(id): Ids<String>,
    headers: HeaderMap,
    Json(NewPrompt { prompt, context }): Json<NewPrompt>,
) -> Result<Response, Problem> {
    check_prompt(&prompt)?;
    let mut prompt = Prompt::new(prompt);
    if let Some(context) = &context {
        prompt = prompt.context(context);
    }
    if let Some(key) = headers.get(IDEMPOTENCY_KEY) {
        let key = key.to_str().ok().filter(|key| is_id(key));
        let invalid = "an `Idempotency-Key` has 1 to 128 letters, digits, `-` or `_`";
        prompt = prompt.key(key.ok_or_else(|| Problem::invalid(invalid))?);
    }
    let session = app.sessions.open(&app, &client, &id.into()).await?;
    let (turn, is_new) = app.sessions.prompt(&session, prompt).await?;
    let status = match is_new {
        true => StatusCode::ACCEPTED,
        false => StatusCode::OK,
    };
    Ok((status, Json(Started { turn })).into_response())
}

/// `POST /api/sessions/{id}/cancel`
pub(crate) async fn cancel(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Ids(id): Ids<String>,
    Json(super::sign_in::Empty {}): Json<super::sign_in::Empty>,
) -> Result<Response, Problem> {
    let session = app.sessions.open(&app, &client, &id.into()).await?;
    session.cancel();
    Ok(no_content())
}

/// A press in a widget.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPress {
    /// The session of the widget.
    session: String,
    /// The widget item.
    item: String,
    /// The revision that the person saw.
    rev: u64,
    /// The place of the action in the widget's view, such as `children[1].onClickAction`.
    path: String,
    /// What was filled in, by field.
    #[serde(default)]
    values: Map<String, Value>,
}

/// `POST /api/actions`
pub(crate) async fn press(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Json(press): Json<NewPress>,
) -> Result<Response, Problem> {
    if !is_id(&press.session) || !is_id(&press.item) {
        return Err(Problem::not_found());
    }
    let id = SessionId::from(press.session);
    let session = app.sessions.open(&app, &client, &id).await?;
    let turn = session.press(Press {
        item: ItemId::from(press.item),
        rev: press.rev,
        path: press.path,
        values: press.values,
    })?;
    let turn = begun(turn).await?;
    Ok((StatusCode::ACCEPTED, Json(Started { turn })).into_response())
}

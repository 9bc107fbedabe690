//! The routes of the screens. Every one needs the token of the person whose plugin it is.

use super::caller::tokens;
use super::{BuildView, Dev, LastCall, lines};
use crate::App;
use crate::access::Identity;
use crate::access::Permission::{Use, View};
use crate::api::plugins::{PluginView, view};
use crate::api::sign_in::Empty;
use crate::guard::{Client, no_content};
use crate::markup::{self, Markup};
use crate::problem::Problem;
use crate::problem::ProblemCode::{Busy, Conflict, NotFound, TooLarge};
use crate::route::{Answer, Json, Query, Route};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use footlight_vocabulary::event::Status;
use footlight_vocabulary::item::{SessionId, TurnId};
use futures_util::stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// How often a comment keeps an idle stream open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The narrowest and the widest terminal that is drawn.
const COLUMNS: std::ops::RangeInclusive<usize> = 20..=200;

/// Returns the routes of the screens.
pub(crate) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/dev", show)
            .summary("Read the state of the plugin that is worked on: its build, its tools, the last call")
            .needs(View)
            .answers::<DevView>(200)
            .problems([NotFound]),
        Route::get("/api/dev/events", events)
            .summary("Follow the revisions of that state as server-sent events")
            .needs(View)
            .live()
            .answers_other(200, Answer::Other("text/event-stream"))
            .problems([NotFound]),
        Route::post("/api/dev/calls", call)
            .summary("Call a tool in place of the last call")
            .needs(Use)
            .body::<NewCall>()
            .answers::<StartedCall>(202)
            .problems([NotFound, Conflict, Busy, TooLarge]),
        Route::post("/api/dev/again", again)
            .summary("Choose whether each build makes the last call again")
            .needs(Use)
            .body::<Again>()
            .answers_other(204, Answer::Empty)
            .problems([NotFound]),
        Route::post("/api/dev/anew", anew)
            .summary("Begin a new session for the calls, without what the last ones have kept")
            .needs(Use)
            .body::<Empty>()
            .answers_other(204, Answer::Empty)
            .problems([NotFound]),
        Route::get("/api/dev/preview", preview)
            .summary("Read the last call as a terminal draws it")
            .needs(View)
            .query::<PreviewQuery>()
            .answers::<Preview>(200)
            .problems([NotFound]),
    ]
}

/// Returns the plugin that this client works on.
fn dev_of<'a>(app: &'a App, client: &Identity) -> Result<&'a Dev, Problem> {
    let dev = app.dev.as_ref();
    let own = dev.filter(|dev| dev.0.person == client.person);
    own.ok_or_else(Problem::not_found)
}

/// The state of the plugin.
#[derive(Serialize, JsonSchema)]
pub(crate) struct DevView {
    /// Counts the changes of the state.
    revision: u64,
    /// The folder of the plugin.
    folder: String,
    build: BuildView,
    /// What the compiler said, drawn.
    output: Markup,
    /// The loaded build; none before the first one.
    plugin: Option<PluginView>,
    /// The estimated tokens of each tool in every request to a model.
    costs: BTreeMap<String, usize>,
    /// The same of all tools and the plugin's instructions.
    cost: usize,
    /// The last call.
    call: Option<CallView>,
}

/// The last call.
#[derive(Serialize, JsonSchema)]
struct CallView {
    tool: String,
    input: Map<String, Value>,
    /// Whether each build calls it again.
    again: bool,
    /// The number of the build that it called.
    build: u64,
    /// The session, whose live stream has what the call shows.
    session: Option<SessionId>,
    turn: Option<TurnId>,
    /// How it ended; none while it runs.
    status: Option<Status>,
    /// What a language model would read of the result.
    reads: Option<ReadView>,
    /// What the plugin has logged and printed.
    log: Vec<String>,
    /// What the plugin has called of the host.
    trace: Vec<String>,
}

/// What a language model would read.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ReadView {
    text: String,
    /// The estimated size in tokens, without images.
    tokens: usize,
    images: usize,
    /// Whether the call failed.
    is_error: bool,
}

impl From<LastCall> for CallView {
    fn from(call: LastCall) -> Self {
        Self {
            tool: call.tool,
            input: call.input,
            again: call.again,
            build: call.build,
            session: call.session,
            turn: call.turn,
            status: call.status,
            reads: call.reads.map(|reads| ReadView {
                text: reads.text,
                tokens: reads.tokens,
                images: reads.images,
                is_error: reads.is_error,
            }),
            log: lines(call.log),
            trace: lines(call.trace),
        }
    }
}

/// `GET /api/dev`
async fn show(
    State(app): State<Arc<App>>,
    Client(client): Client,
) -> Result<Json<DevView>, Problem> {
    let dev = dev_of(&app, &client)?;
    let revision = *dev.0.revision.borrow();
    let (id, build, call) = {
        let state = dev.state();
        (
            state.plugin.clone(),
            state.build.clone(),
            state.call.clone(),
        )
    };
    let plugin = id.and_then(|id| app.host.plugin(&id));
    let tools = plugin.iter().flat_map(|plugin| plugin.tools());
    let costs = tools.map(|tool| {
        let schema = tool.input_schema.to_string();
        let bytes = tool.name.len() + tool.description.len() + schema.len();
        (tool.name.clone(), tokens(bytes))
    });
    Ok(Json(DevView {
        revision,
        folder: dev.0.folder.clone(),
        output: markup::terminal(&build.output),
        build,
        costs: costs.collect(),
        cost: plugin
            .as_ref()
            .map_or(0, |plugin| tokens(plugin.bytes_per_step())),
        plugin: plugin.as_ref().map(view),
        call: call.map(CallView::from),
    }))
}

/// `GET /api/dev/events`
async fn events(State(app): State<Arc<App>>, Client(client): Client) -> Result<Response, Problem> {
    let dev = dev_of(&app, &client)?;
    let mut revision = dev.0.revision.subscribe();
    revision.mark_changed();
    let states = (revision, app.closing.clone());
    let events = stream::unfold(states, async |(mut revision, mut closing)| {
        tokio::select! {
            changed = revision.changed() => changed.ok()?,
            _ = closing.wait_for(|is| *is) => return None,
        }
        let event = Event::default().data(revision.borrow_and_update().to_string());
        Some((Ok::<_, Infallible>(event), (revision, closing)))
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    Ok(Sse::new(events).keep_alive(keep_alive).into_response())
}

/// A call of a tool.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewCall {
    tool: String,
    /// The input, which the tool's schema describes.
    #[serde(default)]
    input: Map<String, Value>,
    /// Whether each build calls it again.
    #[serde(default)]
    again: bool,
}

/// A call that was started.
#[derive(Serialize, JsonSchema)]
pub(crate) struct StartedCall {
    turn: TurnId,
}

/// `POST /api/dev/calls`
async fn call(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Json(new): Json<NewCall>,
) -> Result<Response, Problem> {
    let dev = dev_of(&app, &client)?;
    let turn = dev.call(&app, &new.tool, new.input, new.again).await?;
    Ok((StatusCode::ACCEPTED, Json(StartedCall { turn })).into_response())
}

/// Whether each build makes the last call again.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Again {
    again: bool,
}

/// `POST /api/dev/again`
async fn again(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Json(Again { again }): Json<Again>,
) -> Result<Response, Problem> {
    dev_of(&app, &client)?.change(|state| {
        if let Some(call) = &mut state.call {
            call.again = again;
        }
    });
    Ok(no_content())
}

/// `POST /api/dev/anew`
async fn anew(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Json(Empty {}): Json<Empty>,
) -> Result<Response, Problem> {
    dev_of(&app, &client)?.begin_anew(&app).await;
    Ok(no_content())
}

/// The query of a preview.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PreviewQuery {
    /// The width of the terminal: 20 to 200.
    #[schemars(range(min = 20, max = 200))]
    columns: usize,
}

/// The last call as a terminal draws it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Preview {
    /// The lines with their colours; none if nothing was called yet.
    markup: Option<Markup>,
}

/// `GET /api/dev/preview`
async fn preview(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Query(PreviewQuery { columns }): Query<PreviewQuery>,
) -> Result<Json<Preview>, Problem> {
    let dev = dev_of(&app, &client)?;
    if !COLUMNS.contains(&columns) {
        return Err(Problem::invalid("`columns` is a number from 20 to 200"));
    }
    let call = dev.last_call(&app).await;
    let text = call.map(|call| dev.0.surface.draw(&call, columns));
    Ok(Json(Preview {
        markup: text.map(|text| markup::terminal(&text)),
    }))
}

//! Questions and requests for approval: listing, answering, deciding and declining them.

use crate::App;
use crate::access::{Identity, Permission};
use crate::guard::{Client, VIA_LINK, Via, no_content};
use crate::links::LinkTarget;
use crate::live::{LiveFrame, request_frame};
use crate::problem::{Problem, ProblemCode};
use crate::route::{Ids, Json, Query};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use footlight::session::{SettleError, is_waited_for};
use footlight::store::{RequestKind, RequestRow};
use footlight_vocabulary::event::frame::{AskResponse, Frame};
use footlight_vocabulary::item::{RequestId, Timestamp, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;

/// An answer: a value for a single field, values by field, or `skip`.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerBody {
    /// The value of the only field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
    /// The values by field. They take precedence over `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<Map<String, Value>>,
    /// `true`: the person chooses not to answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skip: Option<bool>,
}

/// A verdict. Only a literal `true` approves.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerdictBody {
    /// Whether the request is approved.
    approved: bool,
    /// Whether the approval lasts for the session.
    #[serde(default)]
    always: bool,
    /// With `always`: whether the approval outlasts the session.
    #[serde(default)]
    remember: bool,
    /// Words for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// `POST /api/asks/{id}`
pub(crate) async fn post_answer(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Via(via): Via,
    Ids(id): Ids<String>,
    Json(body): Json<AnswerBody>,
) -> Result<Response, Problem> {
    match read(id, "ask_response", &body)? {
        Frame::AskResponse(response) => answer(&app, &client, via, response).await?,
        _ => return Err(Problem::not_found()),
    }
    Ok(no_content())
}

/// `POST /api/approvals/{id}`
pub(crate) async fn post_verdict(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Via(via): Via,
    Ids(id): Ids<String>,
    Json(body): Json<VerdictBody>,
) -> Result<Response, Problem> {
    match read(id, "approval_response", &body)? {
        Frame::ApprovalResponse(response) => {
            let verdict = response.verdict();
            let (id, words) = (&response.request_id, response.reason);
            let is_brief = matches!(verdict, Verdict::Deny | Verdict::Once);
            if via == VIA_LINK.0 && !is_brief {
                return Err(Problem::forbidden(
                    "a link decides one request; approve for longer where you are signed in",
                ));
            }
            decide(&app, &client, via, id, verdict, words).await?;
        }
        _ => return Err(Problem::not_found()),
    }
    Ok(no_content())
}

/// Reads a body as the frame that a WebSocket would carry, so that both mean the same.
fn read(id: String, kind: &str, body: &impl Serialize) -> Result<Frame, Problem> {
    let invalid = || Problem::invalid("an answer has `value`, `values` or `skip`");
    let mut frame = serde_json::to_value(body).map_err(|_| invalid())?;
    frame["type"] = kind.into();
    frame["request_id"] = id.into();
    Frame::read(frame).map_err(|_| invalid())
}

/// Answers a question of the client. The live session takes the answer if it asks for a secret.
pub(crate) async fn answer(
    app: &App,
    client: &Identity,
    surface: &str,
    response: AskResponse,
) -> Result<(), Problem> {
    let person = app.host.person(&client.person).via(surface);
    let id = &response.request_id;
    match response.reply.given() {
        Some(value) => person.answer(id, value).await?,
        None => person.skip(id).await?,
    }
    Ok(())
}

/// Decides a request of the client for approval. Every surface of the server decides here.
pub(crate) async fn decide(
    app: &App,
    client: &Identity,
    surface: &str,
    id: &RequestId,
    verdict: Verdict,
    words: Option<String>,
) -> Result<(), Problem> {
    client.require(Permission::Approve)?;
    if verdict == Verdict::Always && !app.keeps_rules_of.contains(&client.person) {
        // Nobody would write the rule, and an approval must not promise more than it does.
        return Err(Problem::forbidden(
            "a lasting approval is given at a terminal; approve it for this session, without `remember`",
        ));
    }
    let person = app.host.person(&client.person).via(surface);
    Ok(person.decide(id, verdict, words).await?)
}

/// What waits for a person.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PendingList {
    /// The requests, oldest first.
    pending: Vec<PendingView>,
}

/// A pending request.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PendingView {
    /// The session.
    session: String,
    /// Whether a reply would be accepted: not if the call that asked was interrupted.
    #[serde(rename = "waitedFor")]
    waited_for: bool,
    /// The request, as a live stream sends it.
    request: LiveFrame,
}

/// The query of what can be drawn.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MarkupQuery {
    /// Whether items and requests carry what a page draws of them.
    #[serde(default)]
    pub(crate) markup: bool,
}

/// `GET /api/pending`
pub(crate) async fn pending(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Query(query): Query<MarkupQuery>,
) -> Result<Json<PendingList>, Problem> {
    let rows = app.host.person(&client.person).pending().await?;
    let mut pending = Vec::new();
    for row in rows {
        pending.extend(view(&app, &row, query.markup).await?);
    }
    Ok(Json(PendingList { pending }))
}

/// Returns the view of a request; none if what is stored cannot be read.
async fn view(
    app: &App,
    row: &RequestRow,
    with_markup: bool,
) -> Result<Option<PendingView>, Problem> {
    let waited_for = is_waited_for(&**app.host.store(), row).await?;
    let request = request_frame(row, with_markup);
    Ok(request.map(|request| PendingView {
        session: row.session.to_string(),
        waited_for,
        request,
    }))
}

/// Finds a pending request of the client.
async fn find(app: &App, client: &Identity, id: &str) -> Result<RequestRow, Problem> {
    let pending = app.host.person(&client.person).pending().await?;
    let found = pending.into_iter().find(|row| row.id.as_str() == id);
    found.ok_or_else(Problem::not_found)
}

/// `GET /api/pending/{id}`
pub(crate) async fn one(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Ids(id): Ids<String>,
    Query(query): Query<MarkupQuery>,
) -> Result<Json<PendingView>, Problem> {
    let row = find(&app, &client, &id).await?;
    let view = view(&app, &row, query.markup).await?;
    view.map(Json).ok_or_else(Problem::not_found)
}

/// A link for one decision.
#[derive(Serialize, JsonSchema)]
pub(crate) struct LinkView {
    /// The address. Whoever has it can settle the request, once.
    url: String,
    /// When it stops working.
    expires: Timestamp,
}

/// `POST /api/pending/{id}/link`
pub(crate) async fn link(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Ids(id): Ids<String>,
    Json(super::sign_in::Empty {}): Json<super::sign_in::Empty>,
) -> Result<(StatusCode, Json<LinkView>), Problem> {
    let row = find(&app, &client, &id).await?;
    let needed = match row.kind {
        RequestKind::Ask => Permission::Use,
        _ => Permission::Approve,
    };
    client.require(needed)?;
    let Some(origin) = &app.public_origin else {
        return Err(Problem::unsupported(
            "this server has no address for other devices",
        ));
    };
    if !is_waited_for(&**app.host.store(), &row).await? {
        return Err(SettleError::Interrupted(row.session).into());
    }
    let identity = Identity {
        may: needed,
        ..client
    };
    let target = LinkTarget {
        identity,
        request: id,
    };
    let url = app.links.mint(origin, target);
    let unavailable = |_| Problem::new(ProblemCode::Unavailable, "there is no randomness here");
    let lifetime = i64::try_from(app.links.lifetime().as_millis()).unwrap_or(i64::MAX);
    let link = LinkView {
        url: url.map_err(unavailable)?,
        expires: Timestamp::from_millis(crate::access::now().saturating_add(lifetime)),
    };
    Ok((StatusCode::CREATED, Json(link)))
}

/// `POST /api/pending/{id}/no-person`
pub(crate) async fn no_person(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Ids(id): Ids<String>,
    Json(super::sign_in::Empty {}): Json<super::sign_in::Empty>,
) -> Result<Response, Problem> {
    let asked = find(&app, &client, &id).await?;
    let session = app.sessions.open(&app, &client, &asked.session).await?;
    session.no_person(&asked.id).await?;
    Ok(no_content())
}

/// How many requests were declined.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Declined {
    declined: usize,
}

/// `POST /api/pending/decline`
pub(crate) async fn decline_all(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Via(via): Via,
    Json(super::sign_in::Empty {}): Json<super::sign_in::Empty>,
) -> Result<Json<Declined>, Problem> {
    let person = app.host.person(&client.person).via(via);
    let mut declined = 0;
    for row in person.pending().await? {
        let settled = match row.kind {
            RequestKind::Ask => person.skip(&row.id).await,
            _ => person.decide(&row.id, Verdict::Deny, None).await,
        };
        match settled {
            Ok(()) => declined += 1,
            Err(SettleError::Store(error)) => return Err(error.into()),
            // Somebody else was first, or nothing waits for it.
            Err(_) => {}
        }
    }
    Ok(Json(Declined { declined }))
}

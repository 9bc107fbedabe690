//! The live stream over a WebSocket, on which the client also replies.
//!
//! The client sends the frames `ask_response` and `approval_response`. A frame that is malformed,
//! unknown, late or a duplicate is answered and harms nothing; one that is too large, and more than a
//! hundred a second, end the connection.

use super::frame::LiveFrame;
use super::{Frames, LiveQuery};
use crate::App;
use crate::access::{Credential, Identity, Permission};
use crate::api::requests::{answer, decide};
use crate::guard::{Client, SUBPROTOCOL};
use crate::problem::Problem;
use crate::route::{Ids, Query};
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Extension, State};
use axum::response::Response;
use footlight_vocabulary::event::frame::Frame;
use footlight_vocabulary::json::{self, Limits};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The name of this surface on receipts.
const SURFACE: &str = "websocket";

/// The most bytes of a message of the client.
const MAX_MESSAGE: usize = 256 << 10;

/// The most bytes that wait to be written to a client.
const MAX_WRITE: usize = 4 << 20;

/// How many messages a client may send each second.
const MAX_RATE: u32 = 100;

/// How long a client may take to read a message.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// How often an idle connection is tried.
const PING: Duration = Duration::from_secs(15);

/// `GET /api/sessions/{id}/socket`
pub(crate) async fn socket(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Extension(credential): Extension<Credential>,
    Ids(id): Ids<String>,
    Query(query): Query<LiveQuery>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let session = app.sessions.open(&app, &client, &id.into()).await?;
    let invalid = |_| Problem::invalid("this is not the opening of a WebSocket");
    let upgrade = upgrade.map_err(invalid)?;
    let frames = Frames::follow(&app, session, &query).await?;
    let upgrade = upgrade
        .protocols([SUBPROTOCOL])
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE)
        .max_write_buffer_size(MAX_WRITE);
    Ok(upgrade.on_upgrade(async move |socket| {
        serve(&app, &client, &credential, socket, frames).await;
    }))
}

async fn serve(
    app: &Arc<App>,
    client: &Identity,
    credential: &Credential,
    mut socket: WebSocket,
    mut frames: Frames,
) {
    let (mut second, mut count) = (Instant::now(), 0);
    let mut signed_out = pin!(credential.clone().ended());
    let end = loop {
        tokio::select! {
            () = &mut signed_out => break signed_out_close(),
            frame = frames.next() => {
                let Some(frame) = frame else {
                    break close(close_code::AWAY, "the server closes the stream");
                };
                let is_last = matches!(frame, LiveFrame::Resync { .. });
                if !send(&mut socket, Message::Text(frame.to_json().into())).await {
                    return;
                }
                if is_last {
                    break close(close_code::AGAIN, "resync");
                }
            }
            message = socket.recv() => {
                let text = match message {
                    Some(Ok(Message::Text(text))) => Some(text),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    Some(Ok(Message::Binary(_))) => None,
                    // Answered by the protocol, and counted like any other message.
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Some("".into()),
                };
                if second.elapsed() >= Duration::from_secs(1) {
                    (second, count) = (Instant::now(), 0);
                }
                count += 1;
                if count > MAX_RATE {
                    break close(close_code::POLICY, "too many messages");
                }
                // What came before the token ended is not settled after it.
                if !credential.is_live() {
                    break signed_out_close();
                }
                let answer = match text.as_deref() {
                    Some("") => None,
                    Some(text) => reply(app, client, text).await,
                    None => Some(invalid("a frame is text")),
                };
                if let Some(answer) = answer
                    && !send(&mut socket, Message::Text(answer.to_json().into())).await
                {
                    return;
                }
            }
            () = tokio::time::sleep(PING) => {
                if !send(&mut socket, Message::Ping(Default::default())).await {
                    return;
                }
            }
        }
    };
    send(&mut socket, Message::Close(Some(end))).await;
}

fn signed_out_close() -> CloseFrame {
    close(close_code::POLICY, "the token has ended")
}

fn close(code: u16, reason: &'static str) -> CloseFrame {
    CloseFrame {
        code,
        reason: reason.into(),
    }
}

/// Sends a message. Returns whether the client has taken it.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    let sent = tokio::time::timeout(WRITE_TIMEOUT, socket.send(message)).await;
    matches!(sent, Ok(Ok(())))
}

fn invalid(detail: &str) -> LiveFrame {
    let detail = detail.to_owned();
    LiveFrame::Invalid { detail }
}

/// Carries out a frame of the client. Returns what the client is told, if it was not accepted.
async fn reply(app: &Arc<App>, client: &Identity, text: &str) -> Option<LiveFrame> {
    let Ok(frame) = json::parse(text, Limits::default()) else {
        return Some(invalid("a frame is JSON without duplicate keys"));
    };
    let (id, settled) = match Frame::read(frame) {
        Ok(Frame::AskResponse(response)) => {
            let id = response.request_id.clone();
            let settled = match client.require(Permission::Use) {
                Ok(()) => answer(app, client, SURFACE, response).await,
                refused => refused,
            };
            (id, settled)
        }
        Ok(Frame::ApprovalResponse(response)) => {
            let (id, verdict) = (response.request_id.clone(), response.verdict());
            let words = response.reason;
            let settled = decide(app, client, SURFACE, &id, verdict, words).await;
            (id, settled)
        }
        Ok(_) => return Some(invalid("the server sends this frame, and takes none")),
        // The type is the client's text, and the client's own to read.
        Err(error) => return Some(invalid(&error.to_string())),
    };
    let refused = settled.err()?;
    Some(LiveFrame::Refused {
        request_id: id,
        detail: refused.detail,
    })
}

//! The frames of a live stream.

use crate::markup::{self, Markup, Painter};
use crate::player::Player;
use footlight::model::Retry;
use footlight::policy::ApprovalRequest as StoredApproval;
use footlight::session::SessionRecord;
use footlight::store::{Reply, RequestKind, RequestRow, TurnRow};
use footlight_vocabulary::event::frame::{
    ApprovalPayload, ApprovalRequest, AskPayload, AskRequest, Frame,
};
use footlight_vocabulary::event::{Event, EventBody, Origin, Status};
use footlight_vocabulary::item::{
    CallId, Item, ItemId, RequestId, SessionId, Timestamp, TurnId, Verdict,
};
use footlight_vocabulary::question::Question;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// A frame that the server sends.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum LiveFrame {
    /// The record, or as many of its last turns as the client asked for, in place of the events that led to it.
    Snapshot {
        /// The `seq` of the last event that the record contains.
        seq: u64,
        /// How many turns come before the first one of `turns`.
        earlier: usize,
        /// The turns, in order.
        turns: Vec<TurnView>,
        /// The items of these turns, in order.
        items: Vec<ItemView>,
    },
    /// A request was settled, by whoever was first.
    RequestSettled {
        /// The request.
        request_id: RequestId,
        /// `answer`, `skip`, `verdict`, `expired`, `noPerson` or `gone`.
        how: String,
        /// Who settled it, if known.
        by: Option<String>,
        /// The answer; none if it is a secret.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Value>,
        /// The verdict.
        #[serde(skip_serializing_if = "Option::is_none")]
        verdict: Option<Verdict>,
        /// The words for the model that came with the verdict.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The model has started to write a call of this tool.
    Calling {
        /// The tool.
        tool: String,
    },
    /// The last lines that a call has logged and printed, if the client asked for `log`. They take the place of
    /// those that were sent before, and are stored nowhere. A call that was told a secret logs nothing more.
    Log {
        /// The call.
        call: CallId,
        /// At most eight lines, the oldest first.
        lines: Vec<String>,
    },
    /// The text of an item so far is void, because the model is asked again.
    Retry {
        /// The text item.
        item: ItemId,
        /// The number of the next attempt.
        attempt: u32,
        /// The error of the last one.
        why: String,
    },
    /// The client did not read for too long. The stream ends; it continues with `?after=seq`.
    Resync {
        /// The `seq` of the last stored event that was sent.
        seq: u64,
    },
    /// A frame of the client was not what it must be. The connection is not affected.
    Invalid {
        /// What is wrong.
        detail: String,
    },
    /// A reply of the client was not accepted.
    Refused {
        /// The request.
        request_id: RequestId,
        /// The reason.
        detail: String,
    },
    /// An event. Its own `type` takes the place of this one's.
    #[serde(untagged)]
    Event(Box<Event>),
    /// An event with what a page draws of it, if the client asked for that.
    #[serde(untagged)]
    Drawn(Box<DrawnEvent>),
    /// A question or a request for approval.
    #[serde(untagged)]
    Request(Box<RequestView>),
}

/// An item.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct ItemView {
    #[serde(flatten)]
    item: Item,
    /// What a page draws of it, if the client asked for `markup`.
    #[serde(skip_serializing_if = "Option::is_none")]
    markup: Option<Markup>,
    /// With `markup`, of media of another site: the player that a page can load.
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<Player>,
}

impl ItemView {
    /// Makes the view of an item, drawn if there is somebody to draw it.
    pub(crate) fn new(item: Item, painter: Option<&mut Painter>) -> Self {
        let player = painter.as_ref().and_then(|_| Player::of(&item));
        let markup = painter.map(|painter| painter.item(&item));
        Self {
            item,
            markup,
            player,
        }
    }
}

/// An event with what a page draws of it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct DrawnEvent {
    #[serde(flatten)]
    what: DrawnBody,
    /// The position in the session's log; absent if the event is not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    /// The session.
    session: SessionId,
    /// The turn.
    turn: TurnId,
    /// The time.
    at: Timestamp,
}

/// The events that something is drawn of.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
enum DrawnBody {
    /// An item is new, or has a new revision.
    Put {
        /// The item.
        item: Box<ItemView>,
        /// The revision of the item.
        rev: u64,
    },
    /// More text of a text item, or none if only `markup` is new.
    TextDelta {
        /// The text item.
        item: ItemId,
        /// The revision that the text is appended to.
        rev: u64,
        /// The text.
        delta: String,
        /// The whole text so far, as a page draws it.
        markup: Markup,
    },
    /// More reasoning of a reasoning item, or none if only `markup` or `end` is new.
    ReasoningDelta {
        /// The reasoning item.
        item: ItemId,
        /// The revision that the text is appended to.
        rev: u64,
        /// The text.
        delta: String,
        /// When the model began to reason.
        start: Timestamp,
        /// When it stopped, in the last piece before it does something else.
        #[serde(skip_serializing_if = "Option::is_none")]
        end: Option<Timestamp>,
        /// The reasoning so far, as a page draws it.
        markup: Markup,
    },
}

impl DrawnEvent {
    /// Draws the item of a put.
    pub(super) fn put(event: Event, painter: &mut Painter) -> LiveFrame {
        let Event {
            what,
            seq,
            session,
            turn,
            at,
        } = event;
        let what = match what {
            EventBody::Put { item, rev } => DrawnBody::Put {
                item: Box::new(ItemView::new(*item, Some(painter))),
                rev,
            },
            what => {
                return LiveFrame::Event(Box::new(Event {
                    what,
                    seq,
                    session,
                    turn,
                    at,
                }));
            }
        };
        LiveFrame::Drawn(Box::new(Self {
            what,
            seq,
            session,
            turn,
            at,
        }))
    }

    /// Adds what is drawn of the text so far to a piece of it.
    pub(super) fn text(event: Event, markup: Markup) -> LiveFrame {
        let what = match event.what {
            EventBody::TextDelta { item, rev, delta } => DrawnBody::TextDelta {
                item,
                rev,
                delta,
                markup,
            },
            EventBody::ReasoningDelta {
                item,
                rev,
                delta,
                start,
                end,
            } => DrawnBody::ReasoningDelta {
                item,
                rev,
                delta,
                start,
                end,
                markup,
            },
            _ => return LiveFrame::Event(Box::new(event)),
        };
        LiveFrame::Drawn(Box::new(Self {
            what,
            seq: None,
            session: event.session,
            turn: event.turn,
            at: event.at,
        }))
    }
}

/// A question or a request for approval.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct RequestView {
    #[serde(flatten)]
    frame: Frame,
    /// With `markup`, of a request for approval: what it is about, in a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    headline: Option<String>,
    /// What a page draws of it, if the client asked for `markup`: a question as a form, a request for
    /// approval without its verdicts, which `payload.options` lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    markup: Option<Markup>,
}

/// A turn, without its items.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TurnView {
    /// The id.
    id: TurnId,
    /// The number, which the positions of its items begin with.
    n: u32,
    /// The person's prompt.
    prompt: String,
    /// What started it.
    origin: Origin,
    /// The time of its start.
    start: Timestamp,
    /// How it ended; none while it runs.
    status: Option<Status>,
}

impl From<TurnRow> for TurnView {
    fn from(row: TurnRow) -> Self {
        Self {
            id: row.id,
            n: row.n,
            prompt: row.prompt,
            origin: row.origin,
            start: row.start,
            status: row.status,
        }
    }
}

impl LiveFrame {
    /// Makes a snapshot of a record, drawn if there is somebody to draw it.
    pub(crate) fn snapshot(record: SessionRecord, mut painter: Option<&mut Painter>) -> Self {
        let items = record.items.into_iter();
        Self::Snapshot {
            seq: record.seq,
            earlier: record.earlier,
            turns: record.turns.into_iter().map(TurnView::from).collect(),
            items: items
                .map(|item| ItemView::new(item, painter.as_deref_mut()))
                .collect(),
        }
    }

    pub(crate) fn settled(request_id: RequestId, reply: Reply) -> Self {
        let (how, by) = match &reply {
            Reply::Answer { by, .. } => ("answer", by.clone()),
            Reply::Skip { by, .. } => ("skip", by.clone()),
            Reply::Verdict { by, .. } => ("verdict", by.clone()),
            Reply::Expired { .. } => ("expired", None),
            Reply::NoPerson { .. } => ("noPerson", None),
            _ => ("gone", None),
        };
        let (value, verdict, reason) = match reply {
            Reply::Answer { value, .. } => (value, None, None),
            Reply::Verdict { verdict, words, .. } => (None, Some(verdict), words),
            _ => (None, None, None),
        };
        Self::RequestSettled {
            request_id,
            how: how.to_owned(),
            by,
            value,
            verdict,
            reason,
        }
    }

    pub(crate) fn retry(item: ItemId, retry: Retry) -> Self {
        Self::Retry {
            item,
            attempt: retry.attempt,
            why: retry.why,
        }
    }

    /// Returns the position in the log; none for what is not stored.
    pub(crate) fn seq(&self) -> Option<u64> {
        match self {
            Self::Event(event) => event.seq,
            Self::Drawn(event) => event.seq,
            Self::Snapshot { seq, .. } => Some(*seq),
            _ => None,
        }
    }

    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Returns the frame of a pending request; none if what is stored cannot be read.
pub(crate) fn request_frame(request: &RequestRow, with_markup: bool) -> Option<LiveFrame> {
    let id = request.id.clone();
    let (frame, headline, markup) = match request.kind {
        RequestKind::Ask => {
            let question: Question = serde_json::from_value(request.body.clone()).ok()?;
            let markup = || markup::question(id.as_str(), &request.plugin, &question);
            let markup = with_markup.then(markup);
            let mut payload = AskPayload::from(question);
            payload.extra = origin(request);
            let frame = Frame::AskRequest(AskRequest { id, payload });
            (frame, None, markup)
        }
        _ => {
            let asked: StoredApproval = serde_json::from_value(request.body.clone()).ok()?;
            let markup = with_markup.then(|| markup::approval(&asked));
            let headline = with_markup.then(|| markup::headline(&request.plugin, &asked));
            let payload = approval(request, asked);
            let frame = ApprovalRequest { id, payload };
            (Frame::ApprovalRequest(frame), headline, markup)
        }
    };
    Some(LiveFrame::Request(Box::new(RequestView {
        frame,
        headline,
        markup,
    })))
}

/// Returns where a request comes from.
fn origin(request: &RequestRow) -> Map<String, Value> {
    let member = |name: &str, value: &str| (name.to_owned(), value.into());
    Map::from_iter([
        member("session", request.session.as_str()),
        member("call", request.call.as_str()),
        member("plugin", &request.plugin),
    ])
}

/// Returns what a person is shown: the facts of the host, then the plugin's words as quotes.
fn approval(request: &RequestRow, asked: StoredApproval) -> ApprovalPayload {
    let fact = |name: &str| asked.facts.iter().find(|fact| fact.name == name);
    let input = fact("input").map(|fact| serde_json::from_str(&fact.value));
    let tool = format!("{}.{}", request.plugin, asked.binding.tool);
    let mut extra = origin(request);
    let mut add = |name: &str, value: serde_json::Result<Value>| {
        if let Ok(value) = value
            && !value.is_null()
        {
            extra.insert(name.to_owned(), value);
        }
    };
    add("binding", serde_json::to_value(&asked.binding));
    add("needs", serde_json::to_value(&asked.reasons));
    add("action", serde_json::to_value(&asked.binding.action));
    add("facts", serde_json::to_value(&asked.facts));
    add("quotes", serde_json::to_value(&asked.quotes));
    add("details", serde_json::to_value(&asked.details));
    add("folder", serde_json::to_value(&asked.folder));
    add("network", serde_json::to_value(&asked.network));
    let options = asked.options.iter();
    let options = options.map(|option| (&option.verdict, &option.covers));
    let options: Vec<Value> = options
        .map(|(verdict, covers)| serde_json::json!({ "verdict": verdict, "covers": covers }))
        .collect();
    add("options", Ok(options.into()));
    ApprovalPayload {
        tool,
        input: input.and_then(Result::ok).unwrap_or_default(),
        reason: asked.quotes.into_iter().next().map(|quote| quote.text),
        subject: asked.subject,
        extra,
    }
}

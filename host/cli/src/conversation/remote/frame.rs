//! The frames of a live stream, as a client reads them.

use footlight::policy::ApprovalRequest;
use footlight::store::Reply;
use footlight_vocabulary::event::frame::AskPayload;
use footlight_vocabulary::event::{Event, Status};
use footlight_vocabulary::item::{CallId, Item, ItemId, RequestId, Timestamp, TurnId, Verdict};
use footlight_vocabulary::question::Question;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A frame of the server.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Frame {
    Snapshot(Snapshot),
    RequestSettled(SettledFrame),
    Retry {
        item: ItemId,
        why: String,
    },
    AskRequest {
        id: RequestId,
        payload: AskPayload,
    },
    ApprovalRequest {
        id: RequestId,
        payload: Map<String, Value>,
    },
    /// The stream ends, and continues elsewhere.
    Resync {},
    Calling {},
    #[serde(untagged)]
    Event(Box<Event>),
}

/// The record of a session.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Snapshot {
    pub(crate) seq: u64,
    pub(crate) turns: Vec<TurnFrame>,
    pub(crate) items: Vec<Item>,
}

/// A turn, without its items.
#[derive(Debug, Deserialize)]
pub(crate) struct TurnFrame {
    pub(crate) id: TurnId,
    pub(crate) n: u32,
    pub(crate) prompt: String,
    /// None while it runs.
    pub(crate) status: Option<Status>,
}

/// How a request was settled.
#[derive(Debug, Deserialize)]
pub(crate) struct SettledFrame {
    pub(crate) request_id: RequestId,
    how: String,
    by: Option<String>,
    value: Option<Value>,
    verdict: Option<Verdict>,
    reason: Option<String>,
}

impl SettledFrame {
    pub(crate) fn into_reply(self) -> Reply {
        let (by, at) = (self.by, Timestamp::default());
        match (self.how.as_str(), self.verdict) {
            ("answer", _) => Reply::Answer {
                value: self.value,
                by,
                at,
            },
            ("skip", _) => Reply::Skip { by, at },
            ("verdict", Some(verdict)) => Reply::Verdict {
                read_only: false,
                verdict,
                words: self.reason,
                folder: None,
                by,
                at,
            },
            ("expired", _) => Reply::Expired { at },
            ("noPerson", _) => Reply::NoPerson { at },
            _ => Reply::Withdrawn { at },
        }
    }
}

/// Where a request comes from.
pub(crate) struct RequestOrigin {
    pub(crate) plugin: String,
    pub(crate) call: CallId,
}

impl RequestOrigin {
    pub(crate) fn of(members: &Map<String, Value>) -> Self {
        let text = |name: &str| {
            let value = members.get(name).and_then(Value::as_str);
            value.unwrap_or_default().to_owned()
        };
        Self {
            plugin: text("plugin"),
            call: CallId::from(text("call")),
        }
    }
}

/// Returns the question of a frame.
pub(crate) fn question(payload: AskPayload) -> Question {
    Question {
        prompt: payload.prompt,
        fields: payload.widgets,
    }
}

/// Returns the request of a frame, with the verdicts that a server accepts: a lasting one would be a rule
/// in the file of whoever runs the server.
pub(crate) fn approval(mut payload: Map<String, Value>) -> serde_json::Result<ApprovalRequest> {
    if let Some(options) = payload.shift_remove("options") {
        payload.insert("offers".to_owned(), options);
    }
    let mut request: ApprovalRequest = serde_json::from_value(Value::Object(payload))?;
    let options = &mut request.options;
    options.retain(|option| option.verdict != Verdict::Always);
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(frame: Value) -> Frame {
        serde_json::from_value(frame).expect("a frame")
    }

    #[test]
    fn every_frame_of_the_server_is_read() {
        let settled = json!({ "type": "request_settled", "request_id": "r", "how": "verdict",
                              "by": "ada", "verdict": "session", "reason": "fine" });
        let Frame::RequestSettled(settled) = read(settled) else {
            panic!("a reply");
        };
        let Reply::Verdict {
            verdict, words, by, ..
        } = settled.into_reply()
        else {
            panic!("a verdict");
        };
        assert_eq!(
            (verdict, words.as_deref()),
            (Verdict::Session, Some("fine"))
        );
        assert_eq!(by.as_deref(), Some("ada"));
        let event = json!({ "type": "remove", "id": "i", "seq": 3, "session": "s", "turn": "t",
                            "at": "2026-11-16T01:52:35.123Z" });
        assert!(matches!(read(event), Frame::Event(event) if event.seq == Some(3)));
        let snapshot = json!({ "type": "snapshot", "seq": 4, "items": [], "turns": [
            { "id": "t", "n": 1, "prompt": "Hi", "origin": "person", "start": "", "status": null }] });
        assert!(matches!(read(snapshot), Frame::Snapshot(record) if record.turns.len() == 1));
        for other in [
            json!({ "type": "calling", "tool": "a.b" }),
            json!({ "type": "resync", "seq": 4 }),
            json!({ "type": "retry", "item": "i", "attempt": 2, "why": "busy" }),
            json!({ "type": "ask_request", "id": "r", "payload": { "prompt": "?", "widgets": [] } }),
        ] {
            assert!(!matches!(read(other), Frame::Event(_)));
        }
    }

    #[test]
    fn an_approval_is_read_without_the_verdict_that_a_server_refuses() {
        let payload = json!({
            "tool": "mail.send", "input": {}, "plugin": "mail", "call": "c", "session": "s",
            "binding": { "session": "s", "call": "c", "inputHash": "", "digest": "", "tool": "send", "action": null },
            "needs": ["requested"], "facts": [], "quotes": [],
            "options": [{ "verdict": "deny", "covers": "" }, { "verdict": "once", "covers": "" },
                        { "verdict": "always", "covers": "" }],
        });
        let Value::Object(payload) = payload else {
            panic!("an object");
        };
        let origin = RequestOrigin::of(&payload);
        assert_eq!(
            (origin.plugin.as_str(), origin.call.as_str()),
            ("mail", "c")
        );
        let request = approval(payload).expect("a request");
        let verdicts: Vec<Verdict> = request
            .options
            .iter()
            .map(|option| option.verdict)
            .collect();
        assert_eq!(verdicts, [Verdict::Deny, Verdict::Once]);
    }
}

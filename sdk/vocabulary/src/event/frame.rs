//! The four frames by which a live connection carries asks and approvals.
//!
//! The host sends the requests and reads the responses with [`Frame::read`]. Reading is forgiving
//! only in the safe direction: whatever is not plainly a yes is a no, and what is no frame
//! at all is an error that the connection survives.
//!
//! Invariant: what a person typed may be a secret, so no error and no `Debug` here shows it.

use crate::item::{RequestId, Verdict};
use crate::question::{Field, Question};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// One frame, by its `type`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Frame {
    /// A question to the person.
    AskRequest(AskRequest),
    /// What the person answered.
    AskResponse(AskResponse),
    /// Leave is wanted.
    ApprovalRequest(ApprovalRequest),
    /// What the person decided.
    ApprovalResponse(ApprovalResponse),
}

/// A question to the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskRequest {
    /// What the response names.
    pub id: RequestId,
    /// The question.
    pub payload: AskPayload,
}

/// A question as a frame carries it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskPayload {
    /// What is asked, in Markdown.
    pub prompt: String,
    /// The question's fields.
    pub widgets: Vec<Field>,
}

impl From<Question> for AskPayload {
    fn from(question: Question) -> Self {
        Self {
            prompt: question.prompt,
            widgets: question.fields,
        }
    }
}

/// What the person answered: the value of a single field, the values of all, or nothing.
#[derive(Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskResponse {
    /// The request's id.
    pub request_id: RequestId,
    /// The answer.
    #[serde(flatten)]
    pub reply: Reply,
}

/// An answer on its way to being checked by [`Question::check`].
#[derive(Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// Every field's value by its name. Beats `value` where both are given, for it says more.
    Values(Map<String, Value>),
    /// The single field's value.
    Value(Value),
    /// `true`: the person chose not to answer, which is no answer at all.
    Skip(bool),
}

impl Reply {
    /// What [`Question::check`] is to look at; nothing where the person skipped.
    #[must_use]
    pub fn given(self) -> Option<Value> {
        match self {
            Self::Values(values) => Some(Value::Object(values)),
            Self::Value(value) => Some(value),
            Self::Skip(_) => None,
        }
    }
}

impl fmt::Debug for AskResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskResponse")
            .field("request_id", &self.request_id)
            .field("reply", &self.reply)
            .finish()
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Values(_) => "Values(..)",
            Self::Value(_) => "Value(..)",
            Self::Skip(_) => "Skip",
        })
    }
}

/// Leave is wanted for what a call is about to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApprovalRequest {
    /// What the response names.
    pub id: RequestId,
    /// What is about to happen.
    pub payload: ApprovalPayload,
}

/// What is about to happen, in facts that the host knows and the plugin's words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApprovalPayload {
    /// Plugin and tool, such as `mail.send`.
    pub tool: String,
    /// The call's input, exactly.
    pub input: Value,
    /// Why it is wanted, in the words of whoever wants it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What a lasting yes will cover, word for word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Members this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// What the person decided.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApprovalResponse {
    /// The request's id.
    pub request_id: RequestId,
    /// Yes or no.
    pub approved: bool,
    /// Whether the same is allowed again in this session.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub always: bool,
    /// With `always`: whether that outlives the session.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remember: bool,
    /// What the person wrote beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl ApprovalResponse {
    /// The verdict. A no is a no whatever stands beside it.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (self.approved, self.always, self.remember) {
            (false, _, _) => Verdict::Deny,
            (true, false, _) => Verdict::Once,
            (true, true, false) => Verdict::Session,
            (true, true, true) => Verdict::Always,
        }
    }
}

impl Frame {
    /// Reads a frame. Its text is to be parsed as all JSON from outside is, with duplicate keys
    /// refused: `{"approved":false,"approved":true}` must not depend on who reads it.
    ///
    /// # Errors
    /// When it is no frame this version knows, or lacks what its type needs.
    pub fn read(frame: Value) -> Result<Self, FrameError> {
        let Value::Object(mut members) = frame else {
            return Err(FrameError::NotAnObject);
        };
        let Some(Value::String(word)) = members.remove("type") else {
            return Err(FrameError::NoType);
        };
        match word.as_str() {
            "ask_request" => whole("ask_request", members).map(Self::AskRequest),
            "approval_request" => whole("approval_request", members).map(Self::ApprovalRequest),
            "ask_response" => ask_response(members).map(Self::AskResponse),
            "approval_response" => approval_response(members).map(Self::ApprovalResponse),
            _ => Err(FrameError::UnknownType(word)),
        }
    }
}

fn whole<T: serde::de::DeserializeOwned>(
    frame: &'static str,
    members: Map<String, Value>,
) -> Result<T, FrameError> {
    serde_json::from_value(Value::Object(members)).map_err(|error| FrameError::Malformed {
        frame,
        problem: error.to_string(),
    })
}

fn ask_response(mut members: Map<String, Value>) -> Result<AskResponse, FrameError> {
    const FRAME: &str = "ask_response";
    let request_id = request_id(FRAME, &mut members)?;
    let malformed = |problem: &str| FrameError::Malformed {
        frame: FRAME,
        problem: problem.into(),
    };
    let reply = match (members.remove("values"), members.remove("value")) {
        _ if members.get("skip") == Some(&Value::Bool(true)) => Reply::Skip(true),
        (Some(Value::Object(values)), _) => Reply::Values(values),
        (None | Some(Value::Null), Some(value)) if !value.is_null() => Reply::Value(value),
        (None | Some(Value::Null), _) => {
            return Err(malformed("it needs `value`, `values` or `skip`"));
        }
        _ => return Err(malformed("`values` is an object of values by field")),
    };
    Ok(AskResponse { request_id, reply })
}

fn approval_response(mut members: Map<String, Value>) -> Result<ApprovalResponse, FrameError> {
    let request_id = request_id("approval_response", &mut members)?;
    // "yes", 1 and a missing member are not `true`.
    let is_true = |name| members.get(name) == Some(&Value::Bool(true));
    Ok(ApprovalResponse {
        request_id,
        approved: is_true("approved"),
        always: is_true("always"),
        remember: is_true("remember"),
        reason: members
            .get("reason")
            .and_then(Value::as_str)
            .map(str::to_owned),
    })
}

fn request_id(
    frame: &'static str,
    members: &mut Map<String, Value>,
) -> Result<RequestId, FrameError> {
    match members.remove("request_id") {
        Some(Value::String(id)) if !id.is_empty() => Ok(id.into()),
        _ => Err(FrameError::Malformed {
            frame,
            problem: "it needs the `request_id` of what it answers".into(),
        }),
    }
}

/// Why something is no frame. The connection it came by goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameError {
    /// It is not a JSON object.
    NotAnObject,
    /// It has no `type`.
    NoType,
    /// Its type is none of the four.
    UnknownType(String),
    /// It lacks what its type needs.
    Malformed {
        /// Its type.
        frame: &'static str,
        /// What is wrong.
        problem: String,
    },
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject => f.write_str("a frame is a JSON object"),
            Self::NoType => f.write_str("a frame needs a `type`"),
            Self::UnknownType(word) => write!(
                f,
                "no frame is of type {}",
                crate::answer::check::quoted(word)
            ),
            Self::Malformed { frame, problem } => write!(f, "malformed `{frame}`: {problem}"),
        }
    }
}

impl std::error::Error for FrameError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::arbitrary::{any_json, any_object};
    use proptest::prelude::*;
    use serde_json::json;

    fn verdict(mut response: Value) -> Verdict {
        response["type"] = "approval_response".into();
        response["request_id"] = "r".into();
        match Frame::read(response) {
            Ok(Frame::ApprovalResponse(response)) => response.verdict(),
            other => panic!("not a response: {other:?}"),
        }
    }

    #[test]
    fn every_frame_is_read_and_written_with_its_id_at_the_top() {
        for sent in [
            json!({ "type": "ask_request", "id": "r", "payload": {
                "prompt": "?", "widgets": [{ "name": "a", "type": "confirm", "options": ["Yes", "No"] }] } }),
            json!({ "type": "ask_response", "request_id": "r", "value": "Yes" }),
            json!({ "type": "ask_response", "request_id": "r", "values": { "a": "Yes" } }),
            json!({ "type": "ask_response", "request_id": "r", "skip": true }),
            json!({ "type": "approval_request", "id": "r", "payload": {
                "tool": "mail.send", "input": {}, "reason": "you said so", "subject": "mail to a@b" } }),
            json!({ "type": "approval_response", "request_id": "r", "approved": true, "always": true }),
            json!({ "type": "approval_response", "request_id": "r", "approved": false, "reason": "no" }),
        ] {
            let frame = Frame::read(sent.clone()).expect("a frame");
            assert_eq!(serde_json::to_value(frame).expect("serialises"), sent);
        }
    }

    #[test]
    fn only_a_plain_true_is_a_yes() {
        for response in [
            json!({}),
            json!({ "approved": null }),
            json!({ "approved": "yes" }),
            json!({ "approved": "true" }),
            json!({ "approved": 1 }),
            json!({ "value": true }),
        ] {
            assert_eq!(verdict(response.clone()), Verdict::Deny, "{response}");
        }
        assert_eq!(verdict(json!({ "approved": true })), Verdict::Once);
    }

    #[test]
    fn always_is_this_session_unless_it_is_to_be_remembered() {
        let yes = |always: Value, remember: Value| {
            verdict(json!({ "approved": true, "always": always, "remember": remember }))
        };
        assert_eq!(yes(json!(true), json!(null)), Verdict::Session);
        assert_eq!(yes(json!(true), json!(true)), Verdict::Always);
        assert_eq!(yes(json!(false), json!(true)), Verdict::Once);
        assert_eq!(yes(json!("true"), json!(true)), Verdict::Once);
        assert_eq!(
            verdict(json!({ "approved": false, "always": true, "remember": true })),
            Verdict::Deny
        );
    }

    #[test]
    fn values_beat_value_and_skip_beats_both() {
        let reply = |mut response: Value| {
            response["type"] = "ask_response".into();
            response["request_id"] = "r".into();
            match Frame::read(response) {
                Ok(Frame::AskResponse(response)) => response.reply,
                other => panic!("not a response: {other:?}"),
            }
        };
        let both = json!({ "value": "x", "values": { "a": "y" } });
        assert_eq!(reply(both).given(), Some(json!({ "a": "y" })));
        assert_eq!(reply(json!({ "value": "x", "skip": true })).given(), None);
        assert_eq!(
            reply(json!({ "value": false, "values": null })).given(),
            Some(json!(false))
        );
    }

    #[test]
    fn malformed_frames_are_errors_that_say_what_is_missing() {
        for wrong in [
            json!("ask_response"),
            json!({}),
            json!({ "type": "hello" }),
            json!({ "type": "ask_response", "value": "x" }),
            json!({ "type": "ask_response", "request_id": "r" }),
            json!({ "type": "ask_response", "request_id": "r", "values": ["x"] }),
            json!({ "type": "approval_response", "approved": true }),
            json!({ "type": "approval_response", "request_id": 3, "approved": true }),
            json!({ "type": "ask_request", "id": "r" }),
        ] {
            assert!(Frame::read(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_was_typed_is_in_no_message() {
        let typed = json!({ "type": "ask_response", "request_id": "r", "value": "hunter2" });
        let frame = Frame::read(typed).expect("a frame");
        assert!(!format!("{frame:?}").contains("hunter2"));
        let wrong = json!({ "type": "ask_response", "request_id": "r", "values": "hunter2" });
        let error = Frame::read(wrong).expect_err("not an object");
        assert!(!format!("{error} {error:?}").contains("hunter2"));
    }

    proptest! {
        #[test]
        fn reading_never_panics(json in any_json(), object in any_object()) {
            let _ = Frame::read(json);
            let _ = Frame::read(object);
        }
    }
}

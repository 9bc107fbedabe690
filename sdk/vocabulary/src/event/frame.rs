//! The four frames of a live connection that carry questions and approvals.
//!
//! The host sends requests and reads responses with [`Frame::read`]. Only a literal `true` counts
//! as an approval; anything else denies. A malformed frame is an error that does not end the
//! connection.
//!
//! Invariant: an answer can be a secret, so no error and no `Debug` output contains it.

use crate::item::{RequestId, Verdict};
use crate::question::{Field, Question};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// A frame, by its `type`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Frame {
    /// A question to the person.
    AskRequest(AskRequest),
    /// The person's answer.
    AskResponse(AskResponse),
    /// A request for approval.
    ApprovalRequest(ApprovalRequest),
    /// The person's verdict.
    ApprovalResponse(ApprovalResponse),
}

/// A question to the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskRequest {
    /// The id that the response repeats.
    pub id: RequestId,
    /// The question.
    pub payload: AskPayload,
}

/// A question as a frame carries it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskPayload {
    /// The question, in Markdown.
    pub prompt: String,
    /// The question's fields.
    pub widgets: Vec<Field>,
    /// Unknown members.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl From<Question> for AskPayload {
    fn from(question: Question) -> Self {
        Self {
            prompt: question.prompt,
            widgets: question.fields,
            extra: Map::new(),
        }
    }
}

/// The person's answer to a question.
#[derive(Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskResponse {
    /// The request's id.
    pub request_id: RequestId,
    /// The answer.
    #[serde(flatten)]
    pub reply: Reply,
}

/// An answer that [`Question::check`] has not checked yet.
#[derive(Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The values by field. Takes precedence over `value`.
    Values(Map<String, Value>),
    /// The value of a single field.
    Value(Value),
    /// `true`: the person chose not to answer.
    Skip(bool),
}

impl Reply {
    /// Returns the value for [`Question::check`], or `None` if the person skipped the question.
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

/// A request for approval of what a call is about to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApprovalRequest {
    /// The id that the response repeats.
    pub id: RequestId,
    /// What the call is about to do.
    pub payload: ApprovalPayload,
}

/// What a call is about to do: facts of the host, and the plugin's text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApprovalPayload {
    /// The plugin and the tool, such as `mail.send`.
    pub tool: String,
    /// The exact input of the call.
    pub input: Value,
    /// The reason, in the words of the plugin or the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The exact subject that a lasting approval covers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Unknown members.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The person's verdict on a request for approval.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApprovalResponse {
    /// The request's id.
    pub request_id: RequestId,
    /// Whether the request is approved.
    pub approved: bool,
    /// Whether the approval lasts for the session.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub always: bool,
    /// With `always`: whether the approval outlasts the session.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remember: bool,
    /// The person's comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl ApprovalResponse {
    /// Returns the verdict. Without `approved` the other members do not count.
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
    /// Reads a frame. Parse its text with [`json::parse`](crate::json::parse), which refuses
    /// duplicate keys: `{"approved":false,"approved":true}` must not have two readings.
    ///
    /// # Errors
    /// When the type is unknown or a required member is missing.
    pub fn read(frame: Value) -> Result<Self, FrameError> {
        let Value::Object(mut members) = frame else {
            return Err(FrameError::NotAnObject);
        };
        let Some(Value::String(word)) = members.shift_remove("type") else {
            return Err(FrameError::NoType);
        };
        match word.as_str() {
            "ask_request" => parse("ask_request", members).map(Self::AskRequest),
            "approval_request" => parse("approval_request", members).map(Self::ApprovalRequest),
            "ask_response" => ask_response(members).map(Self::AskResponse),
            "approval_response" => approval_response(members).map(Self::ApprovalResponse),
            _ => Err(FrameError::UnknownType(word)),
        }
    }
}

fn parse<T: serde::de::DeserializeOwned>(
    frame: &'static str,
    members: Map<String, Value>,
) -> Result<T, FrameError> {
    let parsed = serde_json::from_value(Value::Object(members));
    parsed.map_err(|error| malformed(frame, error.to_string()))
}

fn malformed(frame: &'static str, problem: impl Into<String>) -> FrameError {
    let problem = problem.into();
    FrameError::Malformed { frame, problem }
}

fn ask_response(mut members: Map<String, Value>) -> Result<AskResponse, FrameError> {
    const FRAME: &str = "ask_response";
    let request_id = request_id(FRAME, &mut members)?;
    let malformed = |problem| malformed(FRAME, problem);
    let reply = match (
        members.shift_remove("values"),
        members.shift_remove("value"),
    ) {
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
    match members.shift_remove("request_id") {
        Some(Value::String(id)) if !id.is_empty() => Ok(id.into()),
        _ => Err(malformed(
            frame,
            "it needs the `request_id` of what it answers",
        )),
    }
}

/// The error of reading a frame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The frame is not a JSON object.
    #[error("a frame is a JSON object")]
    NotAnObject,
    /// The frame has no `type`.
    #[error("a frame needs a `type`")]
    NoType,
    /// The type is unknown.
    #[error("unknown type of frame: {}", crate::answer::check::quoted(.0))]
    UnknownType(String),
    /// A member is missing or invalid.
    #[error("malformed `{frame}`: {problem}")]
    Malformed {
        /// The type.
        frame: &'static str,
        /// What is wrong.
        problem: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::tests::arbitrary::{any_json, any_object};
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
    fn answers_are_not_in_error_messages() {
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

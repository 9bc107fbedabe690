//! The seam between a request and bytes.
//!
//! [`encode`] turns a [`Request`] into an HTTP request, a [`Decoder`] turns the bytes of the
//! answer into [`Delta`]s. Neither does I/O, so a recorded answer, a test and a live server are
//! the same thing to them.
//!
//! Invariants: no key stands in an [`HttpRequest`]; what a decoder keeps is bounded; after
//! [`Delta::Finished`] it says nothing more.
//!
//! To add a wire: a file beside `wire/chat.rs`, a case of [`Wire`], and its arms here.

mod anthropic;
mod budget;
mod calls;
mod chat;
mod details;
mod error;
mod history;
mod openai;
mod printed_calls;

#[cfg(test)]
mod tests;

pub(crate) use error::{ErrorResponse, error_response, unreachable};

use super::http::sse::{Event, Sse};
use super::providers::profile::Profile;
use super::{Delta, Finished, ModelError, Request};
use error::garbled;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// How many bytes of an answer are read at most.
pub const ANSWER: usize = 64 << 20;

/// A language that providers speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    /// OpenAI's Responses.
    OpenAi,
    /// Chat Completions, and all who speak like it.
    Chat,
    /// Anthropic's Messages.
    Anthropic,
}

impl Wire {
    /// The name that opaque parts carry.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Chat => "chat",
            Self::Anthropic => "anthropic",
        }
    }
}

/// An HTTP request without host and key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// The method.
    pub method: &'static str,
    /// The path below the provider's base.
    pub path: &'static str,
    /// The headers.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// Writes a request the way a provider wants it.
///
/// It gives a valid request for any input: calls without a result are response, results without a
/// call are left out, ids that repeat are replaced.
#[must_use]
pub fn encode(request: &Request, profile: &Profile, model: &str) -> HttpRequest {
    let (path, body) = match profile.wire {
        Wire::OpenAi => ("/responses", openai::encode(request, profile, model)),
        Wire::Chat => ("/chat/completions", chat::encode(request, profile, model)),
        Wire::Anthropic => ("/messages", anthropic::encode(request, profile, model)),
    };
    let fixed = [
        ("content-type", "application/json"),
        ("accept", "text/event-stream, application/json"),
    ];
    let fixed = fixed.map(|(name, value)| (name.to_owned(), value.to_owned()));
    HttpRequest {
        method: "POST",
        path,
        headers: fixed.into_iter().chain(profile.headers.clone()).collect(),
        body,
    }
}

/// Reads an answer as it comes: a stream of events, or one JSON document from a server that does
/// not stream.
#[derive(Debug)]
pub struct Decoder {
    shape: Shape,
    reader: Reader,
    seen: usize,
    over: bool,
}

#[derive(Debug)]
enum Shape {
    /// Only white space came so far.
    Open,
    Events(Sse),
    Json(Vec<u8>),
}

#[derive(Debug)]
enum Reader {
    OpenAi(openai::ResponsesReader),
    Chat(chat::ChatReader),
    Anthropic(anthropic::MessagesReader),
}

impl Decoder {
    /// A decoder for the answer to that request.
    #[must_use]
    pub fn new(request: &Request, profile: &Profile) -> Self {
        let tools = || -> BTreeSet<String> {
            let tools = request.tools.iter().map(|tool| tool.name.clone());
            tools.filter(|_| request.may_call).collect()
        };
        Self {
            shape: Shape::Open,
            reader: match profile.wire {
                Wire::OpenAi => Reader::OpenAi(openai::ResponsesReader::default()),
                Wire::Chat => Reader::Chat(chat::ChatReader::new(&profile.quirks, tools())),
                Wire::Anthropic => Reader::Anthropic(anthropic::MessagesReader::default()),
            },
            seen: 0,
            over: false,
        }
    }

    /// Takes more of the answer.
    ///
    /// # Errors
    /// When it cannot be understood, is too long, or says that something went wrong. The decoder
    /// is of no use then.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<Vec<Delta>, ModelError> {
        let mut deltas = Vec::new();
        self.seen += bytes.len();
        if self.seen > ANSWER {
            return Err(garbled("the answer is longer than allowed"));
        }
        if let Shape::Open = self.shape {
            bytes = bytes.trim_ascii_start();
            match bytes.first() {
                None => return Ok(deltas),
                // No field of an event begins like that.
                Some(b'{' | b'[') => self.shape = Shape::Json(Vec::new()),
                // Some other server, or a gate before ours.
                Some(b'<') => {
                    return Err(garbled(
                        "a page came instead of an answer: check the address",
                    ));
                }
                Some(_) => self.shape = Shape::Events(Sse::default()),
            }
        }
        match &mut self.shape {
            Shape::Json(body) => body.extend_from_slice(bytes),
            Shape::Events(sse) => {
                let events = sse.push(bytes).map_err(|long| garbled(&long.to_string()))?;
                for event in events {
                    if !self.over && self.reader.event(&event, &mut deltas)? {
                        self.finish(&mut deltas)?;
                    }
                }
            }
            Shape::Open => {}
        }
        Ok(deltas)
    }

    /// Says that nothing more comes.
    ///
    /// # Errors
    /// When the answer broke off before its end.
    pub fn end(&mut self) -> Result<Vec<Delta>, ModelError> {
        let mut deltas = Vec::new();
        if self.over {
            return Ok(deltas);
        }
        if let Shape::Json(body) = &mut self.shape {
            let body = std::mem::take(body);
            let body = String::from_utf8_lossy(&body);
            self.reader.whole(&body, &mut deltas)?;
        }
        self.finish(&mut deltas)?;
        Ok(deltas)
    }

    fn finish(&mut self, deltas: &mut Vec<Delta>) -> Result<(), ModelError> {
        let finished = self.reader.finish(deltas)?;
        self.over = true;
        deltas.push(Delta::Finished(finished));
        Ok(())
    }
}

impl Reader {
    /// Reads one event and says whether the answer is complete.
    fn event(&mut self, event: &Event, out: &mut Vec<Delta>) -> Result<bool, ModelError> {
        match self {
            Self::OpenAi(reader) => reader.event(event, out),
            Self::Chat(reader) => reader.event(event, out),
            Self::Anthropic(reader) => reader.event(event, out),
        }
    }

    /// Reads an answer that was not streamed.
    fn whole(&mut self, body: &str, out: &mut Vec<Delta>) -> Result<(), ModelError> {
        match self {
            Self::OpenAi(reader) => reader.whole(body, out),
            Self::Chat(reader) => reader.whole(body, out),
            Self::Anthropic(reader) => reader.whole(body, out),
        }
    }

    fn finish(&mut self, out: &mut Vec<Delta>) -> Result<Finished, ModelError> {
        match self {
            Self::OpenAi(reader) => reader.finish(),
            Self::Chat(reader) => reader.finish(out),
            Self::Anthropic(reader) => reader.finish(),
        }
    }
}

/// The schema of an input, which must be that of an object.
fn schema(schema: &Value) -> Value {
    let mut object = schema.as_object().cloned().unwrap_or_default();
    object.insert("type".to_owned(), "object".into());
    // Some servers insist on it.
    object
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    object.into()
}

/// A count of tokens; 0 where there is none.
fn count(usage: &Value, pointer: &str) -> u64 {
    usage.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
}

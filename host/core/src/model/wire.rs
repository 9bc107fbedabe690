//! The wire formats of providers.
//!
//! [`encode`] turns a [`Request`] into an HTTP request, a [`Decoder`] turns the bytes of the
//! response into [`Delta`]s. Neither does I/O, so that tests run them on recorded bytes.
//!
//! Invariants: an [`HttpRequest`] holds no key; the memory of a decoder is limited; nothing follows
//! [`Delta::Finished`].
//!
//! To add a wire format: a file beside `wire/chat.rs`, a case of [`Wire`], and its arms here.

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

pub(crate) use error::{error_response, unreachable};

use super::http::sse::{Event, Sse};
use super::providers::profile::Profile;
use super::{Delta, Finished, ModelError, ModelPart, Reason, Request, Tokens};
use calls::settle;
use error::garbled;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use std::fmt::Debug;

/// The longest response, in bytes.
const MAX_RESPONSE: usize = 64 << 20;

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Wire {
    /// OpenAI's Responses API.
    OpenAi,
    /// OpenAI's Chat Completions API, which many other servers offer too.
    Chat,
    /// Anthropic's Messages API.
    Anthropic,
}

impl Wire {
    /// Returns the name that opaque parts of this format carry.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Chat => "chat",
            Self::Anthropic => "anthropic",
        }
    }

    fn opaque(self, part: String) -> ModelPart {
        let wire = self.name().to_owned();
        ModelPart::Opaque { wire, part }
    }
}

/// An HTTP request without address and key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpRequest {
    /// The method.
    pub method: &'static str,
    /// The path below the provider's base address.
    pub path: &'static str,
    /// The headers.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// Encodes a request for a provider.
///
/// The result is valid for any input: calls without a result get one, results without a call are
/// left out, ids that repeat are replaced.
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

/// An incremental decoder of a response: a stream of events, or one JSON document from a server
/// that does not stream.
#[derive(Debug)]
pub(super) struct Decoder {
    shape: Shape,
    reader: Box<dyn Reader>,
    seen: usize,
    over: bool,
}

#[derive(Debug)]
enum Shape {
    /// Only white space was read so far.
    Open,
    Events(Sse),
    Json(Vec<u8>),
}

/// The result of decoding a part of a response.
type Decoded<T = ()> = Result<T, ModelError>;

/// Decodes the answers of one wire format.
trait Reader: Debug + Send {
    /// Decodes one event and reports whether the answer is complete.
    fn event(&mut self, event: &Event, out: &mut Vec<Delta>) -> Decoded<bool>;

    /// Decodes a response that was not streamed.
    fn whole(&mut self, body: &str, out: &mut Vec<Delta>) -> Decoded;

    /// Returns the whole answer, after the last deltas.
    fn finish(&mut self, out: &mut Vec<Delta>) -> Decoded<Finished>;
}

impl Decoder {
    /// Creates a decoder for the response to this request.
    pub(super) fn new(request: &Request, profile: &Profile) -> Self {
        Self {
            shape: Shape::Open,
            reader: match profile.wire {
                Wire::OpenAi => Box::new(openai::ResponsesReader::default()),
                Wire::Chat => Box::new(chat::ChatReader::new(&profile.quirks, request)),
                Wire::Anthropic => Box::new(anthropic::MessagesReader::default()),
            },
            seen: 0,
            over: false,
        }
    }

    /// Decodes the next bytes.
    ///
    /// # Errors
    /// When they cannot be parsed, the response is too long, or it reports an error. The decoder
    /// must not be used afterwards.
    pub(super) fn push(&mut self, mut bytes: &[u8]) -> Decoded<Vec<Delta>> {
        let mut deltas = Vec::new();
        self.seen += bytes.len();
        if self.seen > MAX_RESPONSE {
            return Err(garbled("the answer is longer than allowed"));
        }
        if let Shape::Open = self.shape {
            bytes = bytes.trim_ascii_start();
            match bytes.first() {
                None => return Ok(deltas),
                // No field of an event starts like this.
                Some(b'{' | b'[') => self.shape = Shape::Json(Vec::new()),
                // Another server, or the login page of a network.
                Some(b'<') => {
                    return Err(garbled("the server sent an HTML page; check the address"));
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

    /// Ends the response.
    ///
    /// # Errors
    /// When the answer is incomplete.
    pub(super) fn end(&mut self) -> Decoded<Vec<Delta>> {
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

    fn finish(&mut self, deltas: &mut Vec<Delta>) -> Decoded {
        let finished = self.reader.finish(deltas)?;
        self.over = true;
        deltas.push(Delta::Finished(finished));
        Ok(())
    }
}

/// Returns the schema of an input, as that of an object.
fn schema(schema: &Value) -> Value {
    let mut object = schema.as_object().cloned().unwrap_or_default();
    object.insert("type".to_owned(), "object".into());
    // Some servers require it.
    object
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    object.into()
}

/// Returns a count of tokens, 0 where there is none.
fn count(usage: &Value, pointer: &str) -> u64 {
    usage.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
}

/// Builds an answer. Calls without a name are dropped, and each call gets a unique id.
fn finished(mut parts: Vec<ModelPart>, reason: Reason, usage: Tokens) -> Finished {
    settle(&mut parts);
    Finished {
        parts,
        reason,
        usage,
    }
}

/// Converts a value to raw JSON.
fn raw(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).expect("it consists of strings, numbers and JSON")
}

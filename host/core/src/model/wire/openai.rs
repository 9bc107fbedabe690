//! OpenAI's Responses API.
//!
//! The provider stores nothing: reasoning arrives encrypted and is sent back unchanged, before the
//! call it led to.

mod decode;
mod encode;

pub(super) use decode::ResponsesReader;
pub(super) use encode::encode;

//! Anthropic's Messages API.
//!
//! Invariants: the message after a `tool_use` starts with its result; thinking is sent back
//! unchanged, with its signature; at most four cache marks are set.

mod decode;
mod encode;

pub(super) use decode::MessagesReader;
pub(super) use encode::encode;

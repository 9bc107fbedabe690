//! Anthropic's Messages.
//!
//! Invariants: each `tool_use` is response at the head of the message after it; thinking goes back
//! as it came, with its signature; at most four cache marks are set, and they change nothing but
//! themselves.

mod decode;
mod encode;

pub(super) use decode::MessagesReader;
pub(super) use encode::encode;

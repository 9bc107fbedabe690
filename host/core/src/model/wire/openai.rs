//! OpenAI's Responses.
//!
//! Nothing is stored at the provider: reasoning comes encrypted and goes back as it came, before
//! the call it led to.

mod decode;
mod encode;

pub(super) use decode::ResponsesReader;
pub(super) use encode::encode;

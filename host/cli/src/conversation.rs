//! Conversations at the terminal.
//!
//! `host` loads plugins, `identity` decides which may use an id, `model` opens the model, `session` runs
//! turns, `remote` has them run by a server. `follow` is the loop over the events of a turn or a call;
//! `display` decides what of them is shown where, `transcript` writes turns as text, and `press` is the
//! `/do` of a chat.

pub(crate) mod display;
pub(crate) mod follow;
pub(crate) mod host;
pub(crate) mod identity;
pub(crate) mod model;
pub(crate) mod press;
pub(crate) mod remote;
pub(crate) mod session;
pub(crate) mod transcript;

//! Footlight over HTTP: the API, ChatKit, and the web page.
//!
//! Nothing is here yet.
//!
//! Invariant: it listens on loopback, wants a token, and serves no byte that a plugin wrote as
//! anything but data.

#![forbid(unsafe_code)]

//! The data types that Footlight's hosts and plugins exchange as JSON.
//!
//! Footlight runs sandboxed plugins whose tools a language model calls. A plugin builds values and sends
//! them as JSON text; a host parses and checks them, and passes them to renderers and the store:
//!
//! ```
//! use footlight_vocabulary::kinds::Facts;
//! use footlight_vocabulary::outcome::IntoOutcome;
//!
//! let outcome = Facts::new().fact("Height", "8849 m").summary("Everest").into_outcome()?;
//! assert_eq!(outcome.kind, "facts");
//! assert_eq!(outcome.data, r#"{"facts":[{"label":"Height","value":"8849 m"}]}"#);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! Authors of plugins use `footlight-sdk`, which exports the builders, and programs that run plugins use
//! `footlight`; this crate is for whoever reads or writes what travels between them. The modules, in
//! reading order:
//!
//! * results of tools: [`kind`], [`display`], [`kinds`], [`outcome`], [`failure`], and on the host
//!   `result`, `normalise`, `summary`;
//! * what a person sees and answers: [`widget`], [`component`], `template`, [`question`], `answer`;
//! * what a host records: `item`, `event`;
//! * what a plugin asks to be granted: `manifest`;
//! * what limits a call: `limits`;
//! * basics: [`word`], [`function`], [`escape`], `filter`, `json`, `toml_reader`, `schema`,
//!   `validation`.
//!
//! Without features the crate has only what guests need, so that plugins stay small. The feature
//! `host` adds parsing and checking, `manifest` reads `plugin.toml`, `schema` publishes JSON Schemas,
//! `validation` checks values against the schemas of plugins, and `template` fills the templates of
//! widget files.
//!
//! Invariant: plain data. Nothing here reads a file, a clock or the network, and nothing here
//! draws.

#![forbid(unsafe_code)]

#[cfg(feature = "host")]
pub mod answer;
mod builder;
#[cfg(feature = "host")]
pub mod calendar;
pub mod component;
pub mod display;
pub mod escape;
#[cfg(feature = "host")]
pub mod event;
pub mod failure;
#[cfg(feature = "host")]
pub mod filter;
pub mod function;
#[cfg(feature = "host")]
pub mod item;
#[cfg(feature = "host")]
pub mod json;
pub mod kind;
pub mod kinds;
#[cfg(feature = "host")]
pub mod limits;
#[cfg(feature = "manifest")]
pub mod manifest;
#[cfg(feature = "host")]
pub mod normalise;
pub mod outcome;
pub mod question;
#[cfg(feature = "host")]
pub mod result;
#[cfg(feature = "schema")]
pub mod schema;
#[cfg(feature = "host")]
pub mod summary;
#[cfg(feature = "template")]
pub mod template;
#[cfg(feature = "manifest")]
pub mod toml_reader;
#[cfg(feature = "validation")]
pub mod validation;
pub mod widget;
pub mod word;

//! The words that Footlight's hosts and plugins speak as JSON.
//!
//! A plugin builds values of this vocabulary and sends them as JSON text; a host reads them,
//! checks them and hands them to whoever draws or records them. Both sides use this crate, so
//! that a word has one spelling and one meaning. The modules, in reading order:
//!
//! * what a tool returns: [`kind`], [`display`], [`kinds`], [`outcome`], and on the host
//!   `result`, `normalise`, `summary`;
//! * what a person is shown and asked: [`widget`], [`component`], [`question`], `answer`;
//! * what a host records: `item`, `event`;
//! * what a plugin may touch: `manifest`;
//! * what all of it is made of: [`word`], `json`, `schema`.
//!
//! Without features only the builders are there, which is what a guest wants: a small plugin
//! stays small. `host` adds reading and checking, `manifest` the plugin's `plugin.toml`,
//! `schema` the published JSON Schemas.
//!
//! Invariant: plain data. Nothing here reads a file, a clock or the network, and nothing here
//! draws: what a table looks like is a renderer's business.

#![forbid(unsafe_code)]

pub mod word;

pub mod escape;

pub mod failure;

pub mod function;

pub mod kind;

pub mod display;

pub mod outcome;

pub mod kinds;

pub mod widget;

pub mod component;

pub mod question;

#[cfg(feature = "host")]
pub mod json;

#[cfg(feature = "host")]
pub mod result;

#[cfg(feature = "host")]
pub mod normalise;

#[cfg(feature = "host")]
pub mod summary;

#[cfg(feature = "host")]
pub mod answer;

#[cfg(feature = "host")]
pub mod item;

#[cfg(feature = "host")]
pub mod event;

#[cfg(feature = "manifest")]
pub mod toml_reader;

#[cfg(feature = "manifest")]
pub mod manifest;

#[cfg(feature = "schema")]
pub mod schema;

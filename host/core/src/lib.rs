//! Footlight: a host for sandboxed tool plugins that a language model calls.
//!
//! A plugin is one WebAssembly component. It runs in a sandbox with nothing but what a person
//! granted. It can show widgets, ask questions, request approval, and return results that every
//! surface draws in its own way. This crate loads plugins, calls their tools and runs the loop
//! between a language model and the tools.
//!
//! ```no_run
//! use footlight::Host;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let host = Host::builder().build()?;
//! host.load("weather.wasm").await?;
//! let outcome = host.call("weather.forecast", serde_json::json!({ "city": "Oslo" })).finish().await;
//! println!("{:?}", outcome.result?.summary);
//! # Ok(())
//! # }
//! ```
//!
//! A call is a stream of [`CallEvent`]s. Questions and approval requests among them have an id, to
//! which anybody can reply: [`Host::answer`] and [`Host::decide`]. A [`Session`] is a conversation
//! with a model, and a [`Turn`] the stream of what happens from a prompt to the last word.
//!
//! Invariant: this crate knows no renderer and no surface. No type of wasmtime is in a public
//! signature, and nothing global is installed.

#![deny(unsafe_code)]

pub mod model;
pub mod policy;
pub mod private_file;
pub mod session;
pub mod store;

mod host;

mod plugin;

mod call;

mod sandbox;

mod sync;

pub use call::event::{CallEvent, CallOutcome, Failure};
pub use call::fault::Fault;
pub use call::pending::ReplyError;
pub use call::{Call, Canceller};
pub use footlight_vocabulary as vocabulary;
pub use host::{BuildError, Host, HostBuilder, LoadError};
pub use plugin::Plugin;
pub use plugin::description::Tool;
pub use plugin::digest::Digest;
pub use plugin::survey::{InvalidPluginError, MAX_BYTES, Survey, survey};
pub use session::{Session, Settings, Turn, Update};

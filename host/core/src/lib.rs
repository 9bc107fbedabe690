//! Footlight: a host for sandboxed tool plugins that a language model calls.
//!
//! A plugin is one WebAssembly component. It runs with nothing but what a person granted; it can
//! show widgets, ask the person, request leave, and return results that every surface draws in its
//! own way. This crate loads plugins and calls their tools.
//!
//! ```no_run
//! use footlight::Host;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let host = Host::builder().build()?;
//! host.load("weather.wasm").await?;
//! let ended = host.call("weather.forecast", serde_json::json!({ "city": "Oslo" })).finish().await;
//! println!("{:?}", ended.result?.summary);
//! # Ok(())
//! # }
//! ```
//!
//! A call is a stream: [`Call::next`] gives what happens while it runs. What waits for a person is
//! settled by its id, from anywhere: [`Host::answer`] and [`Host::decide`].
//!
//! Invariant: it knows no renderer and no surface. Calls go down, items come up, nothing else
//! crosses. No type of wasmtime stands in a public signature, and nothing global is installed.

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

pub use call::event::{Ended, Event, Failure, Progress};
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

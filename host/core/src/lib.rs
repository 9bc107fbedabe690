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
pub mod session;
pub mod store;

mod digest;
mod fault;

mod component;

mod event;

mod host;

mod call;

mod plugin;

mod description;

mod leave;
mod stage;
mod waiting;

mod notes;
mod outputs;

mod sandbox;

mod bindings;
mod imports;

mod recorder;

mod limits;
mod meter;
mod places;
mod suspended;

mod cache;
mod engine;

pub use call::{Call, Canceller};
pub use component::{MAX_BYTES, NotAPlugin, Survey, survey};
pub use description::Tool;
pub use digest::Digest;
pub use event::{Ended, Event, Failure, Progress};
pub use fault::Fault;
pub use footlight_vocabulary as vocabulary;
pub use host::{BuildError, Host, HostBuilder, LoadError};
pub use plugin::Plugin;
pub use session::{Session, Settings, Turn, Update};
pub use waiting::NotTaken;

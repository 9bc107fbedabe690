//! Loads plugins, calls their tools and runs the loop between a language model and the tools.
//!
#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

pub mod bounded_file;
pub mod model;
pub mod ownership;
pub mod policy;
pub mod private_file;
pub mod session;
pub mod store;

mod host;

mod native;

mod observer;

mod plugin;

mod power;

mod call;

mod sandbox;

mod simulation;

mod sync;

#[cfg(any(feature = "http", feature = "models"))]
mod tls;

#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;

pub use call::event::{CallEvent, CallOutcome, Failure};
pub use call::fault::Fault;
pub use call::pending::ReplyError;
pub use call::{Call, Canceller};
pub use footlight_vocabulary as vocabulary;
pub use host::{BuildError, Host, HostBuilder, LOCAL_PERSON, LoadError};
pub use native::{NativeCall, NativeTool, ShownWidget, StageError};
pub use observer::{HostCallOutcome, LogLevel, LogLevelError, LogSource, Observed, Observer};
pub use plugin::Plugin;
pub use plugin::compiler::{CompilerError, compile_child};
pub use plugin::description::Tool;
pub use plugin::digest::Digest;
pub use plugin::other_host::OtherHost;
pub use plugin::survey::{InvalidPluginError, MAX_BYTES, Survey, survey};
pub use power::folder::FolderError;
#[cfg(feature = "http")]
pub use power::net::{
    AddressKind, Destination, DestinationError, Exchanges, HttpFailure, HttpRequest, HttpResponse,
    Network, check_address,
};
pub use power::secret::{MemorySecrets, SecretError, SecretId, SecretSource, SecretValue};
pub use sandbox::journal::Class as HostCallClass;
pub use sandbox::waiting_guests::{WaitingLimits, WaitingScope};
pub use session::{Person, Session, Settings, Turn, Update};
pub use simulation::Simulation;

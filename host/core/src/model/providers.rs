//! The providers this crate knows, and how a model of theirs is named, found and given its key.

pub mod choice;
#[cfg(feature = "models")]
pub mod discovery;
#[cfg(feature = "models")]
pub mod key;
#[cfg(feature = "models")]
pub mod profile;
#[cfg(feature = "models")]
pub mod spec;

//! Powers: what a person granted to one plugin.

pub(crate) mod files;
pub(crate) mod folder;

#[cfg(feature = "http")]
pub(crate) mod net;

pub(crate) mod secret;

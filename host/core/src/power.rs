//! Powers: what a person granted to one plugin.

pub(crate) mod files;
pub(crate) mod folder;

pub(crate) mod secret;

//! The commands, one file each: arguments, help text and implementation.

pub(crate) mod build;
pub(crate) mod call;
pub(crate) mod chat;
mod consents;
pub(crate) mod dev;
pub(crate) mod doctor;
pub(crate) mod grants;
pub(crate) mod inspect;
pub(crate) mod models;
pub(crate) mod new;
pub(crate) mod outputs;
pub(crate) mod pack;
pub(crate) mod pending;
pub(crate) mod plugins;
pub(crate) mod publish;
pub(crate) mod render;
pub(crate) mod run;
pub(crate) mod secrets;
pub(crate) mod serve;
pub(crate) mod sessions;
pub(crate) mod test;

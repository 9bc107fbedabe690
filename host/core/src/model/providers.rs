//! The known providers: their profiles, the names of their models, their keys, and the model
//! servers on this machine.

pub(super) mod discovery;
pub(super) mod key;
pub(super) mod profile;
pub(super) mod spec;

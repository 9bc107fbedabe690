//! Following a turn or a call at the terminal.

pub(crate) mod display;
pub(crate) mod follow;
pub(crate) mod host;
pub(crate) mod model;
pub(crate) mod press;
pub(crate) mod session;
pub(crate) mod transcript;
pub(crate) mod views;

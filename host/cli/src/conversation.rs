//! Following a turn or a call at the terminal.

pub(crate) mod draw;
pub(crate) mod host;
pub(crate) mod model;
pub(crate) mod press;
pub(crate) mod show;
pub(crate) mod talk;

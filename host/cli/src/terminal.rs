//! The terminal: output, prompts, the keyboard and the pager.

pub(crate) mod interrupt;
pub(crate) mod keyboard;
pub(crate) mod pager;
pub(crate) mod prompt;
pub(crate) mod ui;

//! The terminal: output, prompts, the keyboard, Ctrl-C, the pager and pictures.

pub(crate) mod interrupt;
pub(crate) mod keyboard;
pub(crate) mod pager;
#[cfg(feature = "images")]
pub(crate) mod pictures;
pub(crate) mod prompt;
pub(crate) mod rows;
pub(crate) mod ui;

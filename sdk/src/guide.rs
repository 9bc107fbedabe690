//! The authoring guide: the README, and a page for each task.

#[doc = include_str!("../guide/ask.md")]
pub mod ask {}

#[doc = include_str!("../guide/approve.md")]
pub mod approve {}

#[doc = include_str!("../guide/store.md")]
pub mod store {}

#[doc = include_str!("../guide/fetch.md")]
pub mod fetch {}

#[doc = include_str!("../guide/files.md")]
pub mod files {}

#[doc = include_str!("../guide/widget.md")]
pub mod widget {}

#[doc = include_str!("../guide/action.md")]
pub mod action {}

#[doc = include_str!("../guide/output.md")]
pub mod output {}

#[doc = include_str!("../guide/log.md")]
pub mod log {}

#[cfg(feature = "widget-files")]
#[doc = include_str!("../guide/widget-file.md")]
pub mod widget_file {}

#[doc = include_str!("../guide/components.md")]
pub mod components {}

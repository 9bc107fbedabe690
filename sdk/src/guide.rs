//! The authoring guide: the README, and a page for each task.

// The pages name other pages and pictures by paths, which lead nowhere in rustdoc. There, definitions of the same names
// come first, and the first one counts: `links.txt` names modules, and the files of `pictures` have the pictures in them.
// Doctests do without, so that a failure names the page it is in.

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/links.txt"))]
#[doc = include_str!("../guide/ask.md")]
pub mod ask {}

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/links.txt"))]
#[doc = include_str!("../guide/approve.md")]
pub mod approve {}

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/links.txt"))]
#[doc = include_str!("../guide/store.md")]
pub mod store {}

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/links.txt"))]
#[doc = include_str!("../guide/fetch.md")]
pub mod fetch {}

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/links.txt"))]
#[doc = include_str!("../guide/files.md")]
pub mod files {}

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/links.txt"))]
#[doc = include_str!("../guide/widget.md")]
pub mod widget {}

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/links.txt"))]
#[doc = include_str!("../guide/action.md")]
pub mod action {}

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/links.txt"))]
#[doc = include_str!("../guide/output.md")]
pub mod output {}

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/links.txt"))]
#[doc = include_str!("../guide/log.md")]
pub mod log {}

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/links.txt"))]
#[doc = include_str!("../guide/widget-file.md")]
pub mod widget_file {}

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/pictures/results.txt"))]
#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/links.txt"))]
#[doc = include_str!("../guide/results.md")]
pub mod results {}

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/pictures/components.txt"))]
#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/links.txt"))]
#[doc = include_str!("../guide/components.md")]
pub mod components {}

//! Renders results, widgets, questions and session items as terminal text, HTML and Markdown.
//!
//! Everything the vocabulary can express is lowered to one small tree, a [`view::View`], and each
//! surface draws that tree:
//!
//! ```text
//! result | widget | component tree | question | item  ->  View  ->  HTML | Markdown | terminal
//!                    lower, registry                      view      html, page | markdown | terminal
//! ```
//!
//! ```
//! use footlight_render::{html::Html, lower::Lower, markdown::markdown, markup::to_html};
//! use footlight_vocabulary::{kinds::Text, result::SemanticResult};
//!
//! let result = SemanticResult::of(Text::new("1 < 2"))?;
//! let view = Lower::default().result(&result);
//! assert_eq!(markdown(&view), r"1 \< 2");
//! assert!(to_html(&Html::default().draw(&view)).contains("1 &lt; 2"));
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! Modules in reading order: [`view`], [`lower`] and [`registry`] build views; [`filter`],
//! `highlight`, `icon` and `math` serve every surface; [`markup`], [`html`], [`style`] and [`page`]
//! produce HTML; [`markdown`] serves chat protocols and other agents; [`terminal`] serves a person
//! at a terminal. [`detail`] builds the views of a session's items, [`transcript`] writes its turns as a
//! document, [`compare`] shows how two drawings differ.
//!
//! Invariant: rendering is pure. It does no I/O, reads no clock, and depends on neither wasmtime
//! nor tokio; the same item always gives the same text. Nothing a plugin sends is trusted: `filter`
//! and `markup` enforce that.

#![forbid(unsafe_code)]

pub mod compare;
pub mod detail;
pub mod filter;
pub mod html;
pub mod lower;
pub mod markdown;
pub mod markup;
pub mod page;
pub mod registry;
pub mod style;
pub mod terminal;
pub mod transcript;
pub mod view;

mod format;
mod highlight;
mod icon;
mod math;

//! Items as terminal text, HTML and Markdown.
//!
//! Nothing is here yet. What comes: `view` (what a renderer draws from), and one module for each
//! surface's text.
//!
//! Invariant: pure. No wasmtime, no tokio, no I/O; the same item always gives the same text.

#![forbid(unsafe_code)]

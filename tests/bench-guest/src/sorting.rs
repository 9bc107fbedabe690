//! The work that is compared: parse 1 KB of JSON, sort it, serialise it.
//!
//! The plugin, the native closure and the MCP server all compile this one file.

use serde::{Deserialize, Serialize};

/// One row, typed as an author would.
#[derive(Serialize, Deserialize)]
struct Row {
    id: u32,
    name: String,
    score: f64,
    open: bool,
}

/// Sorts the rows of a JSON array by name.
pub(crate) fn sorted(text: &str) -> serde_json::Result<String> {
    let mut rows: Vec<Row> = serde_json::from_str(text)?;
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    serde_json::to_string(&rows)
}

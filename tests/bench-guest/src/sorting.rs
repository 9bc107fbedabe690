//! The work that is compared: read 1 KB of JSON, sort it, write it.
//!
//! The plugin, the native closure and the MCP server all compile this one file.

use serde_json::Value;

/// The rows of a JSON array, in the order of their names.
pub(crate) fn sorted(text: &str) -> serde_json::Result<String> {
    let mut rows: Vec<Value> = serde_json::from_str(text)?;
    rows.sort_by(|a, b| a["name"].as_str().cmp(&b["name"].as_str()));
    serde_json::to_string(&rows)
}

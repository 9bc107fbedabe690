//! The built-in tools, which every model has.

use super::stored_output::MAX_READ;
use super::{Settings, projection};
use crate::host::Host;
use crate::model::ToolSpec;
use serde_json::json;
use std::sync::LazyLock;

/// How many tools are listed for a model that called an unknown one.
const MAX_NAMED: usize = 20;

/// A built-in tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Builtin {
    /// Asks the person a question.
    Ask,
    /// Reads more of a truncated result.
    Result,
    /// Reads part of an output.
    Output,
}

impl Builtin {
    /// Parses a function name. Plugins cannot have the id `footlight`, so these names are unique.
    pub(super) fn parse(function: &str) -> Option<Self> {
        match function {
            "footlight.ask" => Some(Self::Ask),
            "footlight.result" => Some(Self::Result),
            "footlight.output" => Some(Self::Output),
            _ => None,
        }
    }
}

/// When built-in tools are offered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offered {
    /// A person can be asked.
    pub(super) ask: bool,
    /// A result was truncated.
    pub(super) result: bool,
    /// The session has outputs.
    pub(super) output: bool,
}

/// Returns the specs of the tools that are offered.
pub(super) fn tools(offered: Offered) -> Vec<ToolSpec> {
    let all = [
        (offered.ask, &ASK),
        (offered.output, &OUTPUT),
        (offered.result, &RESULT),
    ];
    let offered = all.into_iter().filter(|(is_offered, _)| *is_offered);
    offered.map(|(_, tool)| ToolSpec::clone(tool)).collect()
}

// Built once: each step of each session lists them.

static ASK: LazyLock<ToolSpec> = LazyLock::new(|| {
    ToolSpec {
    name: "footlight__ask".to_owned(),
    description: "Asks the person a question and waits for the answer. Use it only when you cannot go on without it.".to_owned(),
    input_schema: json!({
        "type": "object",
        "properties": {
            "prompt": { "type": "string", "description": "The question, in Markdown." },
            "widgets": {
                "type": "array",
                "description": "What the person answers with. Without any: Yes or No.",
                "items": {
                    "type": "object",
                    "properties": {
                        "type": { "enum": ["buttons", "confirm", "select", "radio", "checkbox", "text", "textarea", "number", "date"] },
                        "name": { "type": "string" },
                        "label": { "type": "string" },
                        "options": { "type": "array", "items": { "type": "string" } },
                        "default": {}
                    },
                    "required": ["type"]
                }
            }
        },
        "required": ["prompt"]
    }),
    examples: Vec::new(),
}
});

static RESULT: LazyLock<ToolSpec> = LazyLock::new(|| ToolSpec {
    name: "footlight__result".to_owned(),
    description: "Reads on in a result that was cut, by the id that stands where it was cut."
        .to_owned(),
    input_schema: json!({
        "type": "object",
        "properties": {
            "id": { "type": "string" },
            "offset": { "type": "integer", "minimum": 0, "description": "The first character." }
        },
        "required": ["id", "offset"],
        "additionalProperties": false
    }),
    examples: Vec::new(),
});

static OUTPUT: LazyLock<ToolSpec> = LazyLock::new(|| ToolSpec {
    name: "footlight__output".to_owned(),
    description: format!(
        "Reads part of an output, by the id in `[output:<id>]`. The person sees outputs without it: use it only if you need the content yourself. Give `find` for the lines that contain a text, `offset` for bytes, or else lines are read. At most {MAX_READ} bytes at once."
    ),
    input_schema: json!({
        "type": "object",
        "properties": {
            "id": { "type": "string" },
            "line": { "type": "integer", "minimum": 1, "description": "The first line. Default: 1." },
            "lines": { "type": "integer", "minimum": 1, "description": "How many lines. Default: all that fit." },
            "find": { "type": "string", "description": "Only lines that contain this text, with their numbers." },
            "offset": { "type": "integer", "minimum": 0, "description": "The first byte." },
            "length": { "type": "integer", "minimum": 1, "description": "How many bytes." }
        },
        "required": ["id"],
        "additionalProperties": false
    }),
    examples: Vec::new(),
});

/// Returns the message for a model that called an unknown tool.
pub(super) fn no_such_tool(host: &Host, settings: &Settings, name: &str) -> String {
    let shown: String = name.chars().take(80).flat_map(char::escape_debug).collect();
    let mut names: Vec<String> = Vec::new();
    for plugin in projection::plugins(host, settings) {
        let offered = plugin
            .tools()
            .iter()
            .filter(|tool| tool.policy_traits.audience.model);
        names.extend(offered.map(|tool| format!("{}__{}", plugin.id(), tool.name)));
    }
    if names.is_empty() {
        return format!("there is no tool `{shown}`; there are none at all");
    }
    // Names with the longest common prefix and suffix come first: the call is often a typo.
    let likeness = |name: &String| {
        let same = |(a, b): &(char, char)| a == b;
        let front = name.chars().zip(shown.chars()).take_while(same).count();
        let back = name
            .chars()
            .rev()
            .zip(shown.chars().rev())
            .take_while(same)
            .count();
        std::cmp::Reverse(front + back)
    };
    names.sort_by_key(likeness);
    let more = names.len().saturating_sub(MAX_NAMED);
    names.truncate(MAX_NAMED);
    let rest = if more > 0 {
        format!(", and {more} more")
    } else {
        String::new()
    };
    format!(
        "there is no tool `{shown}`; there are: {}{rest}",
        names.join(", ")
    )
}

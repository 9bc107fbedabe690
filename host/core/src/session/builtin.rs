//! The built-in tools, which every model has.

use super::{Settings, projection};
use crate::host::Host;
use crate::model::ToolSpec;
use serde_json::json;

/// How many tools are listed for a model that called an unknown one.
const MAX_NAMED: usize = 20;

/// A built-in tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Builtin {
    /// Asks the person a question.
    Ask,
    /// Reads more of a truncated result.
    Result,
}

impl Builtin {
    /// Parses a function name. Plugins cannot have the id `footlight`, so these names are unique.
    pub(super) fn parse(function: &str) -> Option<Self> {
        match function {
            "footlight.ask" => Some(Self::Ask),
            "footlight.result" => Some(Self::Result),
            _ => None,
        }
    }
}

/// Returns the specs of the tools that are offered.
pub(super) fn tools(attended: bool, has_truncated: bool) -> Vec<ToolSpec> {
    let ask = ToolSpec {
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
    };
    let result = ToolSpec {
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
    };
    let ask = attended.then_some(ask);
    let result = has_truncated.then_some(result);
    ask.into_iter().chain(result).collect()
}

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

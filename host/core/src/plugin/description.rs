//! Checks the description of a plugin.
//!
//! An error in the description refuses the whole plugin, and names what is wrong: leaving out one
//! tool silently would confuse people.

mod cost;
mod references;

use self::cost::Extent;
use crate::call::guest_log::cut;
use crate::policy::Traits;
use crate::sandbox::bindings::exports::footlight::plugin::tools as wire;
use footlight_vocabulary::json::{self, Limits};
use footlight_vocabulary::manifest::is_id;
use footlight_vocabulary::widget::WidgetType;
use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value};
use std::collections::HashSet;

const MAX_TOOLS: usize = 128;
const MAX_SCHEMA: Limits = Limits {
    bytes: 64 << 10,
    depth: 32,
};
const MAX_DESCRIPTION: usize = 8 << 10;

/// One tool of a plugin.
#[derive(Debug)]
pub struct Tool {
    /// The name, unique within the plugin.
    pub name: String,
    /// The description for the model.
    pub description: String,
    /// The JSON Schema of the input.
    pub input_schema: Value,
    /// The traits in the description.
    pub traits: Map<String, Value>,
    pub(crate) policy_traits: Traits,
    validator: Validator,
}

/// The checked description of a plugin.
#[derive(Debug, Default)]
pub(crate) struct Description {
    pub(crate) tools: Vec<Tool>,
    pub(crate) instructions: Option<String>,
    pub(crate) widgets: Vec<WidgetType>,
    /// The validators of the widget types.
    validators: Vec<Validator>,
}

impl Description {
    /// Reports whether data fits the declared schema of a widget type. Undeclared types accept any
    /// data.
    pub(crate) fn fits(&self, widget: &str, data: &Value) -> bool {
        let mut declared = self.widgets.iter().zip(&self.validators);
        let declared = declared.find(|(declared, _)| declared.name == widget);
        let is_valid = |validator: &Validator| Extent::of(data).is_ok() && validator.is_valid(data);
        declared.is_none_or(|(_, validator)| is_valid(validator))
    }
}

impl Tool {
    /// Checks an input against the schema.
    ///
    /// # Errors
    /// The violations, with their places in the input.
    pub fn check(&self, input: &Value) -> Result<(), Vec<String>> {
        let extent = Extent::of(input).map_err(|wrong| vec![wrong])?;
        if self.validator.is_valid(input) {
            return Ok(());
        }
        if !extent.is_affordable(&self.input_schema) {
            let wrong = "it is nested too deeply to say where it does not fit".to_owned();
            return Err(vec![wrong]);
        }
        let wrong = self.validator.iter_errors(input).take(5).map(|error| {
            let place = error.instance_path().to_string();
            let what = error.to_string();
            let what = cut(&what, 300);
            if place.is_empty() {
                what.to_owned()
            } else {
                format!("{place}: {what}")
            }
        });
        Err(wrong.collect())
    }
}

/// Checks the description that a guest returned.
pub(crate) fn read(description: wire::Description) -> Result<Description, String> {
    if description.tools.is_empty() {
        return Err("it has no tools".to_owned());
    }
    if description.tools.len() > MAX_TOOLS {
        return Err(format!(
            "it has {} tools; the most is {MAX_TOOLS}",
            description.tools.len()
        ));
    }
    let mut names = HashSet::new();
    let mut tools = Vec::with_capacity(description.tools.len());
    for tool in description.tools {
        let shown: String = tool
            .name
            .chars()
            .take(40)
            .flat_map(char::escape_debug)
            .collect();
        if !is_id(&tool.name) {
            return Err(format!(
                "`{shown}` cannot name a tool: at most 31 lower-case letters, digits and single `_`"
            ));
        }
        if !names.insert(tool.name.clone()) {
            return Err(format!("there are two tools named `{shown}`"));
        }
        tools.push(read_tool(tool).map_err(|wrong| format!("tool `{shown}`: {wrong}"))?);
    }
    let more = object(&description.more, "more")?;
    let instructions = more
        .get("instructions")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let widgets = more
        .get("widgets")
        .cloned()
        .unwrap_or(Value::Array(Vec::new()));
    let widgets: Vec<WidgetType> =
        serde_json::from_value(widgets).map_err(|error| format!("its widget types: {error}"))?;
    if widgets.len() > MAX_TOOLS {
        let count = widgets.len();
        return Err(format!(
            "it has {count} widget types; the most is {MAX_TOOLS}"
        ));
    }
    let validator = |declared: &WidgetType| {
        validator(&declared.schema).map_err(|wrong| {
            let name: String = declared.name.chars().take(40).collect();
            format!("widget type `{}`: {wrong}", name.escape_debug())
        })
    };
    let validators = widgets.iter().map(validator).collect::<Result<_, _>>()?;
    Ok(Description {
        tools,
        instructions,
        widgets,
        validators,
    })
}

fn read_tool(tool: wire::Tool) -> Result<Tool, String> {
    if tool.description.trim().is_empty() || tool.description.len() > MAX_DESCRIPTION {
        return Err(format!(
            "its description must have 1 to {MAX_DESCRIPTION} bytes"
        ));
    }
    let input_schema = json::parse(&tool.input_schema, MAX_SCHEMA)
        .map_err(|error| format!("its schema: {error}"))?;
    if input_schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err("its schema must be that of an object".to_owned());
    }
    let validator = validator(&input_schema)?;
    let traits = object(&tool.traits, "traits")?;
    let policy_traits = Traits::read(&Value::Object(traits.clone()));
    Ok(Tool {
        name: tool.name,
        description: tool.description,
        input_schema,
        traits,
        policy_traits,
        validator,
    })
}

/// Returns a validator for the schema of an untrusted plugin.
fn validator(schema: &Value) -> Result<Validator, String> {
    references::check(schema).map_err(|wrong| format!("its schema {wrong}"))?;
    jsonschema::options()
        // These patterns take time linear in the value, whatever the plugin wrote.
        .with_pattern_options(PatternOptions::regex())
        .build(schema)
        .map_err(|error| format!("its schema: {error}"))
}

fn object(text: &str, what: &str) -> Result<Map<String, Value>, String> {
    match json::parse(
        text,
        Limits {
            bytes: 256 << 10,
            depth: 64,
        },
    ) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(format!("its {what} must be an object")),
        Err(error) => Err(format!("its {what}: {error}")),
    }
}

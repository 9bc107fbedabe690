//! Checks the description of a plugin.
//!
//! An error in the description refuses the whole plugin, and names what is wrong: leaving out one
//! tool silently would confuse people.

use crate::model::ToolSpec;
use crate::policy::Traits;
use crate::sandbox::bindings::exports::footlight::plugin::tools as wire;
use footlight_vocabulary::filter::{clean, clean_value};
use footlight_vocabulary::function::FunctionName;
use footlight_vocabulary::json::{self, Limits};
use footlight_vocabulary::manifest::is_id;
use footlight_vocabulary::validation::{BoundedValidator, SchemaBudget};
use footlight_vocabulary::widget::WidgetType;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::OnceLock;

const MAX_TOOLS: usize = 128;
const MAX_SCHEMA: Limits = Limits {
    bytes: 64 << 10,
    depth: 32,
};
const MAX_DESCRIPTION: usize = 8 << 10;

/// The length of a plugin's instructions in bytes.
const MAX_INSTRUCTIONS: usize = 8 << 10;

/// How many bytes of a plugin the model can be sent with every step: about thirty thousand tokens.
const MAX_BYTES_PER_STEP: usize = 128 << 10;

/// The size of a description that is checked within milliseconds, if it has no patterns.
const MAX_QUICK: usize = 8 << 10;

/// One tool of a plugin, as the plugin describes it. The model is sent name, description and schema.
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
    validator: BoundedValidator,
    /// What the model is sent, once it was sent.
    spec: OnceLock<ToolSpec>,
}

/// The checked description of a plugin.
#[derive(Debug, Default)]
pub(crate) struct Description {
    pub(crate) tools: Vec<Tool>,
    pub(crate) instructions: Option<String>,
    pub(crate) widgets: Vec<WidgetType>,
    /// How many bytes of instructions and tools the model is sent with every step.
    pub(crate) bytes_per_step: usize,
    /// The validators of the widget types.
    validators: Vec<BoundedValidator>,
    /// The schema of the settings, if the plugin declares one.
    settings: Option<(Value, BoundedValidator)>,
}

impl Description {
    /// Reports whether data fits the declared schema of a widget type. Undeclared types accept any
    /// data. Data that would take too long to check does not fit.
    pub(crate) fn fits(&self, widget: &str, data: &Value) -> bool {
        let mut declared = self.widgets.iter().zip(&self.validators);
        let declared = declared.find(|(declared, _)| declared.name == widget);
        declared.is_none_or(|(declared, validator)| validator.fits(&declared.schema, data))
    }

    /// Checks a person's settings against the schema that the plugin declares. Returns the violations.
    pub(crate) fn check_settings(&self, settings: &Value) -> Result<(), Vec<String>> {
        match &self.settings {
            Some((schema, validator)) => validator.check(schema, settings),
            None => Ok(()),
        }
    }
}

impl Tool {
    /// Checks an input against the schema.
    ///
    /// # Errors
    /// The violations, with their places in the input.
    pub fn check(&self, input: &Value) -> Result<(), Vec<String>> {
        self.validator.check(&self.input_schema, input)
    }

    /// Returns the example prompts in the traits.
    pub(crate) fn examples(&self) -> impl Iterator<Item = &str> {
        let declared = self.traits.get("examples").and_then(Value::as_array);
        declared.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Returns what the model is sent of the tool, which is one of `plugin`. Each step of each session sends it;
    /// the plugin's words pass the filter once.
    pub(crate) fn spec(&self, plugin: &str) -> &ToolSpec {
        self.spec.get_or_init(|| ToolSpec {
            name: FunctionName::new(plugin, &*self.name)
                .expect("loading checked both ids")
                .wire(),
            description: clean(&self.description).into_owned(),
            input_schema: clean_value(&self.input_schema),
            examples: self
                .examples()
                .map(|text| clean(text).into_owned())
                .collect(),
        })
    }

    /// Returns how many bytes of this tool the model is sent with every step.
    fn bytes_per_step(&self) -> usize {
        if !self.policy_traits.audience.model {
            return 0;
        }
        let schema = self.input_schema.to_string();
        let examples: usize = self.examples().map(str::len).sum();
        self.name.len() + self.description.len() + schema.len() + examples
    }
}

/// Reports whether a description is certain to be checked quickly.
pub(crate) fn is_quick(description: &wire::Description) -> bool {
    let tools = description.tools.iter();
    let texts = tools.flat_map(|tool| [&tool.input_schema, &tool.traits, &tool.description]);
    let mut texts = texts.chain([&description.more]);
    let length: usize = texts.clone().map(String::len).sum();
    length <= MAX_QUICK && !texts.any(|text| text.contains("pattern"))
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
    let mut budget = SchemaBudget::default();
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
        tools.push(
            read_tool(tool, &mut budget).map_err(|wrong| format!("tool `{shown}`: {wrong}"))?,
        );
    }
    let more = object(&description.more, "more")?;
    let instructions = more
        .get("instructions")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let length = instructions.as_ref().map_or(0, String::len);
    if length > MAX_INSTRUCTIONS {
        return Err(format!(
            "its instructions have {length} bytes; the most is {MAX_INSTRUCTIONS}, because every step sends them"
        ));
    }
    let bytes_per_step = length + tools.iter().map(Tool::bytes_per_step).sum::<usize>();
    if bytes_per_step > MAX_BYTES_PER_STEP {
        return Err(format!(
            "its instructions and tools have {bytes_per_step} bytes; the most is {MAX_BYTES_PER_STEP}, because every step sends them: \
             shorten descriptions and schemas, or split the plugin"
        ));
    }
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
        BoundedValidator::new(&declared.schema, &mut budget).map_err(|wrong| {
            let name: String = declared.name.chars().take(40).collect();
            format!("widget type `{}`: {wrong}", name.escape_debug())
        })
    };
    let validators = widgets.iter().map(validator).collect::<Result<_, _>>()?;
    let settings = more.get("config").map(|schema| {
        let validator = BoundedValidator::new(schema, &mut budget);
        let validator = validator.map_err(|wrong| format!("its settings: {wrong}"))?;
        Ok::<_, String>((schema.clone(), validator))
    });
    Ok(Description {
        tools,
        instructions,
        widgets,
        bytes_per_step,
        validators,
        settings: settings.transpose()?,
    })
}

fn read_tool(tool: wire::Tool, budget: &mut SchemaBudget) -> Result<Tool, String> {
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
    let validator = BoundedValidator::new(&input_schema, budget)?;
    let traits = object(&tool.traits, "traits")?;
    let policy_traits = Traits::read(&Value::Object(traits.clone()));
    Ok(Tool {
        name: tool.name,
        description: tool.description,
        input_schema,
        traits,
        policy_traits,
        validator,
        spec: OnceLock::new(),
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn description(tools: usize, length: usize, instructions: usize) -> wire::Description {
        let tool = |n| wire::Tool {
            name: format!("tool{n}"),
            description: "x".repeat(length),
            input_schema: r#"{"type":"object"}"#.to_owned(),
            traits: "{}".to_owned(),
        };
        wire::Description {
            tools: (0..tools).map(tool).collect(),
            more: json!({ "instructions": "x".repeat(instructions) }).to_string(),
        }
    }

    #[test]
    fn a_plugin_that_sends_too_much_with_every_step_is_refused() {
        let per_tool = MAX_DESCRIPTION + r#"{"type":"object"}"#.len() + "tool0".len();
        let most = MAX_BYTES_PER_STEP / per_tool;
        let read = |tools, instructions| read(description(tools, MAX_DESCRIPTION, instructions));
        assert!(read(1, MAX_INSTRUCTIONS).is_ok());
        let error = read(1, MAX_INSTRUCTIONS + 1).expect_err("is refused");
        assert!(
            error.starts_with("its instructions have 8193 bytes"),
            "{error}"
        );
        assert!(read(most - 1, 0).is_ok());
        let error = read(most + 1, 0).expect_err("is refused");
        assert!(error.contains("the most is 131072"), "{error}");
    }
}

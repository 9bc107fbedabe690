//! What the macros make of a plugin: a list of tools, and the three things a host asks of it.
//!
//! Plain functions over text, the same in a component and in a native test.

use crate::{Failure, Result, Stage, invalid};
use footlight_vocabulary::outcome::Outcome;
use std::fmt::Write;

/// One tool, as the host and the model know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolDescription {
    /// Unique within the plugin.
    pub name: String,
    /// The function's doc comment.
    pub description: String,
    /// The JSON Schema of the arguments, as JSON text.
    pub input_schema: String,
    /// The vocabulary's traits, as JSON text.
    pub traits: String,
}

/// Everything a plugin says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// The tools, in the order of `plugin!`.
    pub tools: Vec<ToolDescription>,
    /// `instructions`, `widgets` and `config`, as JSON text.
    pub more: String,
}

/// What a person should weigh before a call runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concern {
    /// What a standing yes will cover, word for word.
    pub subject: String,
    /// Why to weigh it, shown as the plugin's own words.
    pub reason: String,
}

impl Concern {
    /// A concern about `subject`.
    pub fn new(subject: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            subject: subject.into(),
            reason: reason.into(),
        }
    }
}

/// What an `assess` function may return: `Option<Concern>`, or a [`Result`] of it.
#[diagnostic::on_unimplemented(
    message = "an `assess` function cannot return `{Self}`",
    note = "return `Option<Concern>`, or `Result<Option<Concern>>`"
)]
pub trait Assessment {
    /// The concern, if there is one.
    ///
    /// # Errors
    /// When the input could not be weighed. The host then treats it as a concern.
    fn concern(self) -> Result<Option<Concern>>;
}

impl Assessment for Option<Concern> {
    fn concern(self) -> Result<Option<Concern>> {
        Ok(self)
    }
}

impl Assessment for Result<Option<Concern>> {
    fn concern(self) -> Result<Option<Concern>> {
        self
    }
}

/// A function that `#[tool]` made callable. The macro implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    note = "put `#[tool]` above the function, and name the function in `plugin!(tools: […])`"
)]
pub trait Tool {
    /// The function's name.
    const NAME: &'static str;

    /// What the tool says about itself.
    fn describe() -> ToolDescription;

    /// Whether a person should weigh this input.
    ///
    /// # Errors
    /// When the input does not fit, or could not be weighed.
    fn assess(input: &str) -> Result<Option<Concern>>;

    /// Runs the tool.
    ///
    /// # Errors
    /// The tool's failure, or an input that does not fit.
    fn run(stage: &Stage, input: &str) -> Result<Outcome>;
}

/// One row of a plugin's list of tools.
pub struct ToolEntry {
    name: &'static str,
    describe: fn() -> ToolDescription,
    assess: fn(&str) -> Result<Option<Concern>>,
    run: fn(&Stage, &str) -> Result<Outcome>,
}

impl ToolEntry {
    /// The row of one tool.
    #[must_use]
    pub const fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            describe: T::describe,
            assess: T::assess,
            run: T::run,
        }
    }
}

/// A whole plugin. [`plugin!`](crate::plugin!) implements it.
pub trait Plugin {
    /// The tools.
    const TOOLS: &'static [ToolEntry];

    /// `instructions` for the model.
    const INSTRUCTIONS: Option<&'static str> = None;

    /// The widget types the plugin declares: a name and a JSON Schema each.
    #[must_use]
    fn widgets() -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The schema of the settings.
    #[must_use]
    fn config() -> Option<String> {
        None
    }
}

/// What `P` says about itself.
#[must_use]
pub(crate) fn describe<P: Plugin>() -> Description {
    let mut more = String::from("{");
    // Schemas are JSON text already: joining them keeps them as they are.
    let mut member = |name: &str, json: &str| {
        let comma = if more.len() > 1 { "," } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(more, "{comma}\"{name}\":{json}");
    };
    if let Some(instructions) = P::INSTRUCTIONS {
        member(
            "instructions",
            &serde_json::Value::from(instructions).to_string(),
        );
    }
    let widgets = P::widgets();
    if !widgets.is_empty() {
        let widgets: Vec<String> = widgets
            .iter()
            .map(|(name, schema)| {
                let name = serde_json::Value::from(*name);
                format!(r#"{{"name":{name},"schema":{schema}}}"#)
            })
            .collect();
        member("widgets", &format!("[{}]", widgets.join(",")));
    }
    if let Some(schema) = P::config() {
        member("config", &schema);
    }
    more.push('}');
    Description {
        tools: P::TOOLS.iter().map(|tool| (tool.describe)()).collect(),
        more,
    }
}

/// Whether a person should weigh this call of `P`.
///
/// # Errors
/// When there is no such tool, or it could not weigh the input.
pub(crate) fn assess<P: Plugin>(tool: &str, input: &str) -> Result<Option<Concern>> {
    (find::<P>(tool)?.assess)(input)
}

/// Runs a tool of `P`.
///
/// # Errors
/// When there is no such tool, or it fails.
pub(crate) fn run<P: Plugin>(stage: &Stage, tool: &str, input: &str) -> Result<Outcome> {
    (find::<P>(tool)?.run)(stage, input)
}

fn find<P: Plugin>(tool: &str) -> Result<&'static ToolEntry, Failure> {
    P::TOOLS
        .iter()
        .find(|entry| entry.name == tool)
        .ok_or_else(|| invalid!("there is no tool `{tool}`"))
}

//! A plugin as the macros declare it: a list of tools, and the three functions that a host calls.
//!
//! The functions work on text, and are the same in a component and in a native test.

use crate::{Failure, Result, Stage, invalid};
use footlight_vocabulary::outcome::Outcome;
use std::fmt::Write;

/// What the host and the model are told of a tool. [`tool`](crate::tool) makes it of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolDescription {
    /// The name, unique within the plugin.
    pub name: String,
    /// The function's doc comment.
    pub description: String,
    /// The JSON Schema of the arguments, as JSON text.
    pub input_schema: String,
    /// The tool's traits, as JSON text.
    pub traits: String,
}

/// What the host is told of a plugin: its tools, widget types and settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// The tools, in the order in which `plugin!` lists them.
    pub tools: Vec<ToolDescription>,
    /// `instructions`, `widgets` and `config`, as JSON text.
    pub more: String,
}

/// Why a person should decide whether a call may run. An `assess` function returns one for input that
/// deserves a look, and `None` for the rest.
///
/// ```
/// use footlight_sdk::Concern;
///
/// fn assess_send(to: String, text: String) -> Option<Concern> {
///     (!to.ends_with("@example.com")).then(|| Concern::new(to, "This leaves the company."))
/// }
/// assert!(assess_send("ada@example.com".into(), "Hi".into()).is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concern {
    /// What the decision is about. A remembered approval covers exactly this text.
    pub subject: String,
    /// The reason, shown as the plugin's own words.
    pub reason: String,
}

impl Concern {
    /// Creates a concern about `subject`.
    pub fn new(subject: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            subject: subject.into(),
            reason: reason.into(),
        }
    }
}

/// The return type of an `assess` function: `Option<Concern>`, or a [`Result`] of it.
#[diagnostic::on_unimplemented(
    message = "an `assess` function cannot return `{Self}`",
    note = "return `Option<Concern>`, or `Result<Option<Concern>>`"
)]
pub trait Assessment {
    /// Returns the concern, if there is one.
    ///
    /// # Errors
    /// If the input could not be assessed, which the host treats as a concern.
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

/// A tool. `#[tool]` implements this trait for a type with the function's name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    note = "put `#[tool]` above the function, and name the function in `plugin!(tools: […])`"
)]
pub trait Tool {
    /// The function's name.
    const NAME: &'static str;

    /// Describes the tool.
    fn describe() -> ToolDescription;

    /// Decides whether a person must approve a call with this input.
    ///
    /// # Errors
    /// If the input does not fit the arguments, or could not be assessed.
    fn assess(input: &str) -> Result<Option<Concern>>;

    /// Runs the tool.
    ///
    /// # Errors
    /// If the tool fails, or the input does not fit its arguments.
    fn run(stage: &Stage, input: &str) -> Result<Outcome>;
}

/// An entry in a plugin's list of tools.
pub struct ToolEntry {
    name: &'static str,
    describe: fn() -> ToolDescription,
    assess: fn(&str) -> Result<Option<Concern>>,
    run: fn(&Stage, &str) -> Result<Outcome>,
}

impl ToolEntry {
    /// Creates the entry of a tool.
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

/// A plugin. [`plugin!`](crate::plugin!) implements this trait.
pub trait Plugin: 'static {
    /// The text of `plugin.toml`, for native tests; a component carries it in a custom section.
    const MANIFEST: Option<&'static str> = None;

    /// The tools.
    const TOOLS: &'static [ToolEntry];

    /// Instructions for the model.
    const INSTRUCTIONS: Option<&'static str> = None;

    /// Returns the widget types that the plugin declares: a name and a JSON Schema each.
    #[must_use]
    fn widgets() -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Returns the schema of the settings.
    #[must_use]
    fn config() -> Option<String> {
        None
    }
}

/// Describes `P`.
#[must_use]
pub(crate) fn describe<P: Plugin>() -> Description {
    let mut more = String::from("{");
    // Schemas are JSON text already, so they are joined without parsing them.
    let mut member = |name: &str, json: &str| {
        let comma = if more.len() > 1 { "," } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(more, "{comma}\"{name}\":{json}");
    };
    if let Some(instructions) = P::INSTRUCTIONS {
        let text = serde_json::Value::from(instructions).to_string();
        member("instructions", &text);
    }
    let widgets = P::widgets();
    if !widgets.is_empty() {
        let widgets = widgets.iter().map(|(name, schema)| {
            let name = serde_json::Value::from(*name);
            format!(r#"{{"name":{name},"schema":{schema}}}"#)
        });
        let widgets: Vec<String> = widgets.collect();
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

/// Decides whether a person must approve this call of `P`.
///
/// # Errors
/// If there is no such tool, or the input could not be assessed.
pub(crate) fn assess<P: Plugin>(tool: &str, input: &str) -> Result<Option<Concern>> {
    (find::<P>(tool)?.assess)(input)
}

/// Runs a tool of `P`.
///
/// # Errors
/// If there is no such tool, or it fails.
pub(crate) fn run<P: Plugin>(stage: &Stage, tool: &str, input: &str) -> Result<Outcome> {
    (find::<P>(tool)?.run)(stage, input)
}

fn find<P: Plugin>(tool: &str) -> Result<&'static ToolEntry, Failure> {
    let entry = P::TOOLS.iter().find(|entry| entry.name == tool);
    entry.ok_or_else(|| invalid!("there is no tool `{tool}`"))
}

//! What the plugin under test declares: its manifest, its tools and its widget types.
//!
//! `plugin!` registers the plugin of a test binary, so that a scripted stage finds it.

use crate::plugin::describe;
use crate::{Plugin, ToolDescription};
use footlight_vocabulary::component::{self, ROOTS};
use footlight_vocabulary::json::{self, Limits};
use footlight_vocabulary::manifest::Manifest;
use footlight_vocabulary::validation::{BoundedValidator, SchemaBudget};
use serde_json::Value;
use std::any::TypeId;
use std::sync::{Arc, Mutex, PoisonError};

/// The plugin of a test binary. `plugin!` submits it.
pub struct Registered(fn() -> Arc<Declared>);

inventory::collect!(Registered);

impl Registered {
    /// Registers `P`.
    #[must_use]
    pub const fn of<P: Plugin>() -> Self {
        Self(Declared::of::<P>)
    }

    /// Returns the plugin of this binary, if there is one.
    ///
    /// # Panics
    /// If there are several.
    pub(super) fn only() -> Option<Arc<Declared>> {
        let mut all = inventory::iter::<Self>.into_iter();
        let first = all.next()?;
        assert!(
            all.next().is_none(),
            "several plugins are declared here: name the one under test with `testing::stage_of::<…>()`"
        );
        Some(first.0())
    }
}

/// What a plugin declares.
pub(crate) struct Declared {
    /// `None` without a manifest.
    pub(super) manifest: Option<Manifest>,
    tools: Vec<Tool>,
    widgets: Vec<(String, Schema)>,
}

struct Tool {
    name: String,
    input: Schema,
    /// Whether an action of a widget can call the tool.
    for_person: bool,
}

/// A schema, with its validator.
struct Schema {
    schema: Value,
    validator: BoundedValidator,
}

impl Schema {
    fn new(schema: Value, budget: &mut SchemaBudget) -> Self {
        let validator = BoundedValidator::new(&schema, budget)
            .unwrap_or_else(|wrong| panic!("a host refuses this plugin: {wrong}"));
        Self { schema, validator }
    }

    fn check(&self, value: &Value) -> Result<(), Vec<String>> {
        self.validator.check(&self.schema, value)
    }
}

impl Declared {
    /// Returns what `P` declares. It is read once.
    pub(super) fn of<P: Plugin>() -> Arc<Self> {
        static KNOWN: Mutex<Vec<(TypeId, Arc<Declared>)>> = Mutex::new(Vec::new());
        let id = TypeId::of::<P>();
        let find = || {
            let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
            let entry = known.iter().find(|(of, _)| *of == id);
            entry.map(|(_, declared)| Arc::clone(declared))
        };
        find().unwrap_or_else(|| {
            let declared = Arc::new(Self::read::<P>());
            let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
            known.push((id, Arc::clone(&declared)));
            declared
        })
    }

    fn read<P: Plugin>() -> Self {
        let manifest = P::MANIFEST.map(|text| {
            Manifest::parse(text).unwrap_or_else(|wrong| panic!("plugin.toml: {wrong}"))
        });
        let mut budget = SchemaBudget::default();
        let description = describe::<P>();
        let mut read = |json: &str| Schema::new(parse(json), &mut budget);
        let tools = description.tools.iter();
        let tools = tools.map(|tool| Tool {
            name: tool.name.clone(),
            input: read(&tool.input_schema),
            for_person: is_for_person(tool),
        });
        let tools = tools.collect();
        let widgets = P::widgets().into_iter();
        let widgets = widgets.map(|(name, schema)| (name.to_owned(), read(&schema)));
        Self {
            manifest,
            tools,
            widgets: widgets.collect(),
        }
    }

    /// Checks the input of a tool as a host does before a call.
    ///
    /// # Errors
    /// The violations. Whether there is such a tool is not checked.
    pub(super) fn check_input(&self, tool: &str, input: &str) -> Result<(), Vec<String>> {
        let Some(tool) = self.tools.iter().find(|known| known.name == tool) else {
            return Ok(());
        };
        let input = json::parse(input, Limits::default());
        tool.input
            .check(&input.map_err(|error| vec![error.to_string()])?)
    }

    /// Checks a widget: its data against the type that is declared, and the actions of its view.
    ///
    /// # Panics
    /// If the host would draw the fallback in its place, or an action would call nothing.
    pub(super) fn check_widget(&self, widget: &str, data: &Value, view: Option<&Value>) {
        let declared = self.widgets.iter().find(|(name, _)| name == widget);
        if let Some(Err(wrong)) = declared.map(|(_, schema)| schema.check(data)) {
            panic!(
                "the data of the widget `{widget}` does not fit the type that `plugin!` declares for it, so a host \
                 draws its fallback: {}",
                wrong.join("; ")
            );
        }
        if let Some(view) = view {
            self.check_actions(view);
        }
    }

    /// Checks a result that is itself a component tree, which a host shows.
    ///
    /// # Panics
    /// If the host would not show it.
    pub(super) fn check_result(&self, data: &Value) {
        let kind = data.get("type").and_then(Value::as_str);
        if kind.is_some_and(|kind| ROOTS.contains(&kind)) {
            if let Err(problems) = component::check(data) {
                panic!("the component tree that the tool returns is malformed: {problems}");
            }
            self.check_actions(data);
        }
    }

    fn check_actions(&self, view: &Value) {
        for placed in component::find_actions(view) {
            let action = &placed.action;
            if action.heard_by() != component::Handler::Server {
                continue;
            }
            let name = action.tool();
            match self.tools.iter().find(|tool| tool.name == name) {
                Some(tool) if tool.for_person => {}
                Some(_) => panic!(
                    "an action of the view names the tool `{name}`, which only the model can call: add \
                     `audience = \"both\"` or `\"user\"` to its `#[tool]`"
                ),
                None => {
                    let names: Vec<&str> = self.tools.iter().map(|tool| &*tool.name).collect();
                    panic!(
                        "an action of the view names the tool `{name}`, which the plugin does not have: name one of \
                         {}, or add it to `plugin!(tools: […])`",
                        names.join(", ")
                    );
                }
            }
        }
    }
}

/// Parses JSON that the macros wrote.
fn parse(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// Reports whether an action of a widget can call a tool. By default it can.
fn is_for_person(tool: &ToolDescription) -> bool {
    let traits = parse(&tool.traits);
    let audience = traits.get("audience").and_then(Value::as_array);
    audience.is_none_or(|words| words.iter().any(|word| word == "user"))
}

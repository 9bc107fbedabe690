//! Native tools: functions of the embedding program that are offered beside the tools of plugins.
//!
//! The tools of one namespace form a [`Plugin`] without a component, so everything that is true of a
//! plugin's tool is true of them: the same names, checks of the input, policy, approvals, record, limits
//! of results and widgets. The difference is that no sandbox bounds what a handler does.

mod call;

pub use call::{NativeCall, ShownWidget, StageError};

use crate::call::event::Failure;
use crate::call::identity::identity;
use crate::host::Host;
use crate::plugin::digest::Digest;
use crate::plugin::{Code, Loaded, Plugin, description};
use crate::policy::{RequiresApproval, Traits};
use crate::sandbox::bindings::exports::footlight::plugin::tools as wire;
use crate::sync;
use footlight_vocabulary::manifest::{Approval, FILE_PREFIX, Manifest, Severity, is_action};
use footlight_vocabulary::outcome::{IntoOutcome, Outcome};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;

/// What a person reads of a namespace where a plugin has its author's words.
const DESCRIPTION: &str = "Built into this program";

/// The specification of a native tool, see [`HostBuilder::tool`](crate::HostBuilder::tool).
///
/// ```
/// use footlight::NativeTool;
/// use serde_json::json;
///
/// let roll = NativeTool::new("dice", "roll", "Rolls dice.").input(json!({
///     "type": "object",
///     "properties": { "sides": { "type": "integer", "minimum": 2, "maximum": 100 } },
///     "required": ["sides"],
///     "additionalProperties": false
/// }));
/// assert_eq!(roll.function(), "dice.roll");
/// ```
#[derive(Debug, Clone)]
#[must_use = "a specification does nothing until `HostBuilder::tool`"]
pub struct NativeTool {
    namespace: String,
    name: String,
    description: String,
    input_schema: Value,
    actions: Vec<Approval>,
}

impl NativeTool {
    /// Specifies a tool without input. The namespace is to native tools what its id is to a plugin; the model
    /// calls the tool as `namespace__name`.
    pub fn new(
        namespace: impl Into<String>,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        Self {
            namespace: namespace.into(),
            name: name.into(),
            description: description.into(),
            input_schema: json!({ "type": "object", "additionalProperties": false }),
            actions: Vec::new(),
        }
    }

    /// Sets the JSON Schema of the input, which must be that of an object. A call whose input does not fit
    /// fails before the handler is called.
    pub fn input(mut self, schema: Value) -> Self {
        self.input_schema = schema;
        self
    }

    /// Declares an action, such as `mail.send`, for which the handler can [request
    /// approval](NativeCall::approve), and what happens once it is approved.
    pub fn action(
        mut self,
        action: impl Into<String>,
        description: impl Into<String>,
        severity: Severity,
    ) -> Self {
        let action = Approval::new(action, description, severity);
        self.actions.push(action);
        self
    }

    /// Returns the full name, such as `dice.roll`.
    #[must_use]
    pub fn function(&self) -> String {
        format!("{}.{}", self.namespace, self.name)
    }
}

/// The future of a handler.
type Handled = Pin<Box<dyn Future<Output = Result<Outcome, Failure>> + Send>>;

/// The function of a native tool.
pub(crate) type Handler = Arc<dyn Fn(NativeCall) -> Handled + Send + Sync>;

/// Returns a handler that calls `function` and converts what it returns.
pub(crate) fn handler<F, R, T>(function: F) -> Handler
where
    F: Fn(NativeCall) -> R + Send + Sync + 'static,
    R: Future<Output = Result<T, Failure>> + Send + 'static,
    T: IntoOutcome,
{
    let function = Arc::new(function);
    Arc::new(move |call| {
        let function = Arc::clone(&function);
        // The function is called while the future is polled: there, a panic is caught.
        Box::pin(async move {
            let value = function(call).await?;
            value.into_outcome().map_err(|error| {
                let message = format!("the result cannot be written as JSON: {error}");
                Failure::new(footlight_vocabulary::failure::FailureCode::Other, message)
            })
        })
    })
}

/// A native tool with its handler, as it was added to a builder.
#[derive(Clone)]
pub(crate) struct AddedTool {
    pub(crate) spec: NativeTool,
    pub(crate) traits: Traits,
    pub(crate) handler: Handler,
}

impl Host {
    /// Adds native tools, grouped by namespace. Returns the namespace that is wrong, and why.
    pub(crate) fn add_native(&self, tools: Vec<AddedTool>) -> Result<(), (String, String)> {
        let mut namespaces: BTreeMap<String, Vec<AddedTool>> = BTreeMap::new();
        for tool in tools {
            let namespace = tool.spec.namespace.clone();
            namespaces.entry(namespace).or_default().push(tool);
        }
        for (namespace, tools) in namespaces {
            let plugin = self.native(&namespace, tools);
            let plugin = plugin.map_err(|reason| (namespace.clone(), reason))?;
            sync::write(&self.0.plugins).insert(namespace, plugin);
        }
        Ok(())
    }

    fn native(&self, namespace: &str, tools: Vec<AddedTool>) -> Result<Plugin, String> {
        if namespace.starts_with(FILE_PREFIX) {
            return Err(format!(
                "`{FILE_PREFIX}` begins the ids of plugins without a manifest"
            ));
        }
        let mut manifest = Manifest::powerless(namespace).map_err(|error| error.to_string())?;
        manifest.description = DESCRIPTION.to_owned();
        let mut described = Vec::new();
        for AddedTool { spec, traits, .. } in &tools {
            let name = &spec.name;
            if traits.approval == RequiresApproval::Assess {
                return Err(format!(
                    "tool `{name}`: a native tool cannot assess its calls; it can request approval while it runs"
                ));
            }
            for action in &spec.actions {
                if !is_action(&action.action) {
                    return Err(format!(
                        "tool `{name}`: `{}` is not an action",
                        action.action
                    ));
                }
                match manifest.approval(&action.action) {
                    Some(known) if known == action => {}
                    Some(_) => {
                        let action = &action.action;
                        return Err(format!("tool `{name}`: `{action}` is declared differently"));
                    }
                    None => manifest.approvals.push(action.clone()),
                }
            }
            described.push(wire::Tool {
                name: name.clone(),
                description: spec.description.clone(),
                input_schema: spec.input_schema.to_string(),
                traits: Value::Object(traits.write()).to_string(),
            });
        }
        let identified = described.iter().map(|tool| {
            let wire::Tool {
                name,
                description,
                input_schema,
                traits,
            } = tool;
            json!([name, description, input_schema, traits])
        });
        let identified = json!([
            namespace,
            manifest.approvals,
            identified.collect::<Vec<_>>()
        ]);
        let description = description::read(wire::Description {
            tools: described,
            more: "{}".to_owned(),
        })?;
        Ok(Plugin(Arc::new(Loaded {
            digest: Digest::of(identified.to_string().as_bytes()),
            identity: Arc::new(identity(&self.0, None, None, namespace)),
            manifest: Arc::new(manifest),
            description,
            code: Code::Native(tools.into_iter().map(|tool| tool.handler).collect()),
            imports: Vec::new(),
            size: 0,
            observers: Arc::clone(&self.0.observers),
        })))
    }
}

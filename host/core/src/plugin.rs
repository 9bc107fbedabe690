//! Plugins before they run: survey of the bytes, cost of compiling, compiler, cache, description.

pub(crate) mod cache;
pub(crate) mod circuit_breaker;
pub(crate) mod compile_cost;
pub(crate) mod compiler;
pub(crate) mod description;
pub(crate) mod digest;
pub(crate) mod other_host;
pub(crate) mod survey;

use crate::call::identity::Identity;
use crate::native::Handler;
use crate::observer::{Observed, Observers};
use crate::plugin::description::{Description, Tool};
use crate::plugin::digest::Digest;
use crate::sandbox::Sandbox;
use crate::sandbox::bindings::PluginPre;
use crate::sandbox::instance_slots::SlotsNeeded;
use footlight_vocabulary::function::FunctionName;
use footlight_vocabulary::manifest::Manifest;
use footlight_vocabulary::widget::WidgetType;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// A loaded plugin: its manifest, its tools, and the compiled code that calls share. Clones are cheap.
///
/// Returned by [`Host::load`](crate::Host::load) and [`Host::plugin`](crate::Host::plugin). A call that has
/// begun keeps the plugin it began with, whatever is loaded under the id meanwhile.
#[derive(Clone)]
pub struct Plugin(pub(crate) Arc<Loaded>);

pub(crate) struct Loaded {
    pub(crate) digest: Digest,
    pub(crate) manifest: Arc<Manifest>,
    pub(crate) description: Description,
    pub(crate) code: Code,
    /// The identity that the plugin sees in calls without a session.
    pub(crate) identity: Arc<Identity>,
    pub(crate) imports: Vec<String>,
    pub(crate) size: usize,
    pub(crate) observers: Arc<Observers>,
}

/// What runs when a tool is called.
pub(crate) enum Code {
    /// A component, in a sandbox of its own for each call.
    Component {
        guest: PluginPre<Sandbox>,
        /// How many instance slots a call takes.
        slots: SlotsNeeded,
    },
    /// Functions of the embedding program, in the order of the tools.
    Native(Vec<Handler>),
}

impl Drop for Loaded {
    fn drop(&mut self) {
        self.observers.observe(&Observed::PluginReleased {
            plugin: &self.manifest.id,
            digest: &self.digest,
        });
    }
}

impl Plugin {
    /// Returns the id in the manifest.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.manifest.id
    }

    /// Returns the SHA-256 of the component; of the specifications, if the tools are native.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.0.digest
    }

    /// Reports whether its tools are [native](crate::HostBuilder::tool): functions of this program, without a
    /// component.
    #[must_use]
    pub fn is_native(&self) -> bool {
        matches!(self.0.code, Code::Native(_))
    }

    /// Returns the manifest: the most that can be granted to the plugin.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.0.manifest
    }

    /// Returns the tools.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.0.description.tools
    }

    /// Returns the full names of the tools.
    pub(crate) fn functions(&self) -> impl Iterator<Item = FunctionName> {
        let name = |tool: &Tool| FunctionName::new(self.id(), &*tool.name);
        let named = self.tools().iter().map(name);
        named.map(|name| name.expect("loading checked both ids"))
    }

    /// Returns the tool of this name.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools().iter().find(|tool| tool.name == name)
    }

    /// Returns the plugin's instructions for the model.
    #[must_use]
    pub fn instructions(&self) -> Option<&str> {
        self.0.description.instructions.as_deref()
    }

    /// Returns how many bytes of instructions and tools the model is sent with every step.
    #[must_use]
    pub fn bytes_per_step(&self) -> usize {
        self.0.description.bytes_per_step
    }

    /// Returns the declared widget types.
    #[must_use]
    pub fn widgets(&self) -> &[WidgetType] {
        &self.0.description.widgets
    }

    /// Reports whether data fits the declared schema of a widget type. Undeclared types accept any
    /// data.
    #[must_use]
    pub fn fits(&self, widget: &str, data: &Value) -> bool {
        self.0.description.fits(widget, data)
    }

    /// Returns the names of the component's imports.
    #[must_use]
    pub fn imports(&self) -> &[String] {
        &self.0.imports
    }

    /// Returns the size of the component in bytes; 0 if there is none.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size
    }
}

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plugin")
            .field("id", &self.id())
            .field("digest", &self.digest())
            .finish_non_exhaustive()
    }
}

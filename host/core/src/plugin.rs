//! A loaded plugin: compiled, described and shared.

pub(crate) mod cache;
pub(crate) mod circuit_breaker;
pub(crate) mod compile_cost;
pub(crate) mod description;
pub(crate) mod digest;
pub(crate) mod survey;

use crate::call::stage::Identity;
use crate::plugin::description::{Description, Tool};
use crate::plugin::digest::Digest;
use crate::sandbox::Sandbox;
use crate::sandbox::bindings::PluginPre;
use footlight_vocabulary::manifest::Manifest;
use footlight_vocabulary::widget::WidgetType;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// A plugin that can be called. Cheap to clone.
#[derive(Clone)]
pub struct Plugin(pub(crate) Arc<Loaded>);

pub(crate) struct Loaded {
    pub(crate) digest: Digest,
    pub(crate) manifest: Arc<Manifest>,
    pub(crate) description: Description,
    pub(crate) guest: PluginPre<Sandbox>,
    /// Who its calls are for: the same for all of them.
    pub(crate) identity: Arc<Identity>,
    /// How many places of the host's a call takes.
    pub(crate) slots: u32,
    pub(crate) imports: Vec<String>,
    pub(crate) size: usize,
}

impl Plugin {
    /// Its id, from its manifest.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.manifest.id
    }

    /// The SHA-256 of its component.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.0.digest
    }

    /// What it may ever touch.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.0.manifest
    }

    /// What it can do.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.0.description.tools
    }

    /// The tool of this name.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools().iter().find(|tool| tool.name == name)
    }

    /// What the model should know to use its tools well, in the plugin's words.
    #[must_use]
    pub fn instructions(&self) -> Option<&str> {
        self.0.description.instructions.as_deref()
    }

    /// The widget types it declares.
    #[must_use]
    pub fn widgets(&self) -> &[WidgetType] {
        &self.0.description.widgets
    }

    /// Whether data fits what it declares for this widget type (W-47). A type that it does not
    /// declare takes anything.
    #[must_use]
    pub fn fits(&self, widget: &str, data: &Value) -> bool {
        self.0.description.fits(widget, data)
    }

    /// What its component imports, by name.
    #[must_use]
    pub fn imports(&self) -> &[String] {
        &self.0.imports
    }

    /// How many bytes its component has.
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

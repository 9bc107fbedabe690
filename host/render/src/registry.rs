//! Renderers and widget types that a host adds at run time.
//!
//! A renderer is registered for a result kind or a widget type. If it declines the data it is
//! given, the result or widget is drawn as if the renderer were not registered. Summaries can be
//! translated to the reader's language. A declared widget type has a schema; the caller supplies
//! the validation function, so that this crate needs no schema library.
//!
//! Invariant: nothing registered can make drawing fail.

use crate::view::View;
use footlight_vocabulary::result::SemanticResult;
use footlight_vocabulary::widget::WidgetType;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

type ResultRenderer = Box<dyn Fn(&SemanticResult) -> Option<View> + Send + Sync>;
type WidgetRenderer = Box<dyn Fn(&Value) -> Option<View> + Send + Sync>;
type TranslateSummary = Box<dyn Fn(&str, &Value) -> Option<String> + Send + Sync>;
type Validate = Box<dyn Fn(&Value) -> bool + Send + Sync>;

/// Renderers and declared widget types.
#[derive(Default)]
pub struct Registry {
    kinds: HashMap<String, ResultRenderer>,
    widgets: HashMap<String, WidgetRenderer>,
    translate: Option<TranslateSummary>,
    /// Keyed by plugin and name: two plugins may declare the same name.
    types: BTreeMap<(String, String), (WidgetType, Validate)>,
}

impl Registry {
    /// Registers a renderer for results of `kind`. It returns `None` to decline a result.
    pub fn kind(
        &mut self,
        kind: impl Into<String>,
        draw: impl Fn(&SemanticResult) -> Option<View> + Send + Sync + 'static,
    ) -> &mut Self {
        self.kinds.insert(kind.into(), Box::new(draw));
        self
    }

    /// Registers a renderer for widgets of the type `widget`. It returns `None` to decline the
    /// data.
    pub fn widget(
        &mut self,
        widget: impl Into<String>,
        draw: impl Fn(&Value) -> Option<View> + Send + Sync + 'static,
    ) -> &mut Self {
        self.widgets.insert(widget.into(), Box::new(draw));
        self
    }

    /// Sets the translation of summaries. `translate` receives a result's `summaryKey` and its data. For
    /// a key it does not know it returns `None`, and the original summary is shown.
    pub fn summaries(
        &mut self,
        translate: impl Fn(&str, &Value) -> Option<String> + Send + Sync + 'static,
    ) -> &mut Self {
        self.translate = Some(Box::new(translate));
        self
    }

    /// Declares a widget type of `plugin`; `fits` validates data against its schema.
    pub fn declare(
        &mut self,
        plugin: impl Into<String>,
        declared: WidgetType,
        fits: impl Fn(&Value) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        let key = (plugin.into(), declared.name.clone());
        self.types.insert(key, (declared, Box::new(fits)));
        self
    }

    /// Returns the declared types with their plugins, sorted.
    pub fn types(&self) -> impl Iterator<Item = (&str, &WidgetType)> {
        let types = self.types.iter();
        types.map(|((plugin, _), (declared, _))| (plugin.as_str(), declared))
    }

    pub(crate) fn draw_result(&self, result: &SemanticResult) -> Option<View> {
        self.kinds.get(result.kind.as_str())?(result)
    }

    pub(crate) fn summary(&self, result: &SemanticResult) -> Option<String> {
        let key = result.extra.get("summaryKey")?.as_str()?;
        self.translate.as_ref()?(key, &result.data)
    }

    pub(crate) fn draw_widget(&self, widget: &str, data: &Value) -> Option<View> {
        self.widgets.get(widget)?(data)
    }

    /// Reports whether the data may be drawn. Data of an undeclared type always may.
    pub(crate) fn fits(&self, plugin: Option<&str>, widget: &str, data: &Value) -> bool {
        let key = (plugin.unwrap_or("").to_owned(), widget.to_owned());
        self.types.get(&key).is_none_or(|(_, fits)| fits(data))
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("kinds", &self.kinds.keys())
            .field("widgets", &self.widgets.keys())
            .field("types", &self.types.keys())
            .finish()
    }
}

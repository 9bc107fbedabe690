//! Renderers that a host adds at run time.
//!
//! A renderer is registered for a result kind or a widget type. If it declines the data it is
//! given, the result or widget is drawn as if the renderer were not registered. Summaries can be
//! translated to the reader's language.
//!
//! Invariant: nothing registered can make drawing fail.

use crate::view::View;
use footlight_vocabulary::result::SemanticResult;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;

type ResultRenderer = Box<dyn Fn(&SemanticResult) -> Option<View> + Send + Sync>;
type WidgetRenderer = Box<dyn Fn(&Value) -> Option<View> + Send + Sync>;
type TranslateSummary = Box<dyn Fn(&str, &Value) -> Option<String> + Send + Sync>;

/// Renderers by result kind and widget type.
#[derive(Default)]
pub struct Registry {
    kinds: HashMap<String, ResultRenderer>,
    widgets: HashMap<String, WidgetRenderer>,
    translate: Option<TranslateSummary>,
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
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("kinds", &self.kinds.keys())
            .field("widgets", &self.widgets.keys())
            .finish()
    }
}

//! What a host, or a site's owner, adds at run time: renderers of their own, and the widget types
//! that plugins declare.
//!
//! A renderer is registered for a kind or for a widget's type (W-40). It may refuse what it
//! is given; then the result or the widget is drawn as if it were not there (W-42). Summaries can be
//! said in the reader's language. A declared type
//! has a schema; how data is checked against it is the caller's, so that nothing here depends on a
//! schema library: a host hands in the validator it has already compiled.
//!
//! Invariant: nothing registered can make drawing fail.

use crate::view::View;
use footlight_vocabulary::result::SemanticResult;
use footlight_vocabulary::widget::WidgetType;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

type DrawResult = Box<dyn Fn(&SemanticResult) -> Option<View> + Send + Sync>;
type DrawData = Box<dyn Fn(&Value) -> Option<View> + Send + Sync>;
type Say = Box<dyn Fn(&str, &Value) -> Option<String> + Send + Sync>;
type Fits = Box<dyn Fn(&Value) -> bool + Send + Sync>;

/// Renderers and declared widget types.
#[derive(Default)]
pub struct Registry {
    kinds: HashMap<String, DrawResult>,
    widgets: HashMap<String, DrawData>,
    say: Option<Say>,
    /// By plugin and name: two plugins may use the same word.
    types: BTreeMap<(String, String), Declared>,
}

struct Declared {
    is: WidgetType,
    fits: Fits,
}

impl Registry {
    /// Draws results of `kind` with `draw`, which gives `None` to refuse.
    pub fn kind(
        &mut self,
        kind: impl Into<String>,
        draw: impl Fn(&SemanticResult) -> Option<View> + Send + Sync + 'static,
    ) -> &mut Self {
        self.kinds.insert(kind.into(), Box::new(draw));
        self
    }

    /// Draws widgets of the type `widget` from their data with `draw`, which gives `None` to
    /// refuse.
    pub fn widget(
        &mut self,
        widget: impl Into<String>,
        draw: impl Fn(&Value) -> Option<View> + Send + Sync + 'static,
    ) -> &mut Self {
        self.widgets.insert(widget.into(), Box::new(draw));
        self
    }

    /// Says summaries in the reader's language: `say` is given a result's `summaryKey` and its data,
    /// and gives `None` for a key it does not know. Then the summary that was sent is shown.
    pub fn summaries(
        &mut self,
        say: impl Fn(&str, &Value) -> Option<String> + Send + Sync + 'static,
    ) -> &mut Self {
        self.say = Some(Box::new(say));
        self
    }

    /// Takes a type that `plugin` declares; `fits` says whether data fits its schema.
    pub fn declare(
        &mut self,
        plugin: impl Into<String>,
        declared: WidgetType,
        fits: impl Fn(&Value) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        let key = (plugin.into(), declared.name.clone());
        self.types.insert(
            key,
            Declared {
                is: declared,
                fits: Box::new(fits),
            },
        );
        self
    }

    /// The declared types with the plugins that declare them, sorted (W-46).
    pub fn types(&self) -> impl Iterator<Item = (&str, &WidgetType)> {
        self.types
            .iter()
            .map(|((plugin, _), declared)| (plugin.as_str(), &declared.is))
    }

    pub(crate) fn draw_result(&self, result: &SemanticResult) -> Option<View> {
        self.kinds.get(result.kind.as_str())?(result)
    }

    pub(crate) fn summary(&self, result: &SemanticResult) -> Option<String> {
        let key = result.extra.get("summaryKey")?.as_str()?;
        self.say.as_ref()?(key, &result.data)
    }

    pub(crate) fn draw_widget(&self, widget: &str, data: &Value) -> Option<View> {
        self.widgets.get(widget)?(data)
    }

    /// Whether the data may be drawn: what was not declared fits always (W-47).
    pub(crate) fn fits(&self, plugin: Option<&str>, widget: &str, data: &Value) -> bool {
        let key = (plugin.unwrap_or("").to_owned(), widget.to_owned());
        self.types
            .get(&key)
            .is_none_or(|declared| (declared.fits)(data))
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

//! Results of an unknown kind, or whose data does not fit their kind.

use super::result::Hints;
use super::{Lower, cut};
use crate::view::{Code, View};
use footlight_vocabulary::display::View as Hint;
use footlight_vocabulary::result::SemanticResult;
use serde_json::Value;

impl Lower<'_> {
    /// Lowers a result by its hint, its media type or the shape of its data, and finally as JSON.
    pub(super) fn generic(&self, result: &SemanticResult, hints: &Hints<'_>) -> View {
        let data = &result.data;
        if let Some(hint) = &hints.view {
            return self.hinted(result, hint, hints);
        }
        if result.kind.as_str() == "structured" {
            return self.tree(data, hints.display);
        }
        let mime = result.mime_type.as_deref().unwrap_or("");
        let mime = mime.to_ascii_lowercase();
        let mime = mime.split(';').next().unwrap_or("").trim();
        match mime {
            "text/markdown" => self.hinted(result, &Hint::Markdown, hints),
            "application/json" => self.tree(data, hints.display),
            _ if mime.starts_with("text/") => self.hinted(result, &Hint::Text, hints),
            _ if mime.starts_with("image/") => match self.picture_of(data, Some(mime)) {
                Some(image) => View::Image(image),
                None => self.shape(data, hints),
            },
            _ => self.shape(data, hints),
        }
    }

    /// Draws the requested view, or a tree if the data does not fit it.
    fn hinted(&self, result: &SemanticResult, hint: &Hint, hints: &Hints<'_>) -> View {
        let data = &result.data;
        let tree = || self.tree(data, hints.display);
        match (hint, data) {
            (Hint::Text, Value::String(text)) => self.plain_text(text),
            (Hint::Markdown, Value::String(text)) => View::column(self.markdown(text)),
            (Hint::Code, Value::String(text)) => self.code(text, hints.language(), None),
            (Hint::Diff, Value::String(text)) => self.code(text, Some("diff".to_owned()), None),
            (Hint::Diff, Value::Object(_)) => self.diff(data).unwrap_or_else(tree),
            (Hint::Table, _) => self.table(data, hints.display).unwrap_or_else(tree),
            (Hint::Image, _) => self
                .picture_of(data, result.mime_type.as_deref())
                .map_or_else(tree, View::Image),
            (Hint::Raw, _) => self.json(data).unwrap_or_else(tree),
            _ => tree(),
        }
    }

    /// Chooses a view by the shape of the data alone.
    fn shape(&self, data: &Value, hints: &Hints<'_>) -> View {
        let table = match data {
            Value::String(text) => return self.plain_text(text),
            Value::Array(_) => self.table(data, hints.display),
            _ => None,
        };
        let view = table.or_else(|| self.json(data));
        view.unwrap_or_else(|| self.tree(data, hints.display))
    }

    /// Draws the data as JSON; `None` if it is nested too deeply to be serialised.
    fn json(&self, data: &Value) -> Option<View> {
        let (text, cut) = cut::pretty(data, self.limits.text)?;
        Some(View::Code(Code {
            text,
            language: Some("json".to_owned()),
            path: None,
            cut,
        }))
    }
}

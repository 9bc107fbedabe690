//! Chooses the view of a result.
//!
//! In order of precedence: the hint `hidden` draws nothing; a registered renderer that accepts the
//! data; a well-known kind; the requested view; the media type; the shape of the data; JSON.

use super::{Lower, cut};
use crate::view::{Frame, View};
use footlight_vocabulary::display::{Display, View as Hint};
use footlight_vocabulary::result::SemanticResult;
use footlight_vocabulary::summary::summary;
use serde_json::Value;

/// The maximum nesting of results inside results.
const MAX_RESULTS: usize = 4;

impl Lower<'_> {
    /// Lowers a result.
    pub fn result(&self, result: &SemanticResult) -> View {
        self.nested_result(result, MAX_RESULTS)
    }

    fn nested_result(&self, result: &SemanticResult, depth: usize) -> View {
        let hints = Hints::of(result);
        if hints.view == Some(Hint::Hidden) {
            return View::Hidden;
        }
        let registered = self
            .registry
            .and_then(|registry| registry.draw_result(result));
        let translated = self.registry.and_then(|registry| registry.summary(result));
        let translated = translated.map(|line| cut::name(&line));
        let has_summary = translated.is_some() || result.summary.is_some();
        let line = || translated.clone().unwrap_or_else(|| summary(result));
        let own_summary = || has_summary.then(line);
        let (caption, body) = match registered.or_else(|| self.known(result, &hints)) {
            // The summary of a text is its beginning, which is drawn right below.
            Some(View::Hidden) => return View::Hidden,
            Some(body) if matches!(result.kind.as_str(), "text" | "markdown") => (None, body),
            Some(body) => (own_summary(), body),
            None => {
                let nested_results = (depth > 0)
                    .then(|| self.nested_results(&result.data, depth - 1))
                    .flatten();
                let body = nested_results.unwrap_or_else(|| self.generic(result, &hints));
                match result.kind.as_str() {
                    "structured" => (own_summary(), body),
                    // A reader cannot recognise an unknown kind by its body.
                    _ => (Some(line()), body),
                }
            }
        };
        let collapsed = hints.display.and_then(Display::collapsed) == Some(true);
        // A folded result shows nothing but its caption.
        let caption = caption.or_else(|| collapsed.then(line));
        View::Frame(Frame {
            caption,
            kind: result.kind.as_str().to_owned(),
            collapsed,
            max_height: hints
                .display
                .and_then(Display::max_height)
                .filter(|lines| *lines > 0),
            priority: hints.display.and_then(Display::priority),
            body: Box::new(body),
        })
    }

    /// Lowers a list that consists of results only, result by result.
    fn nested_results(&self, data: &Value, depth: usize) -> Option<View> {
        let list = data
            .as_array()
            .filter(|list| !list.is_empty() && list.len() <= 100)?;
        let whole = |value: &Value| {
            let members = value.as_object()?;
            let known = members.keys().all(|key| {
                matches!(
                    key.as_str(),
                    "kind" | "data" | "summary" | "summaryKey" | "mimeType" | "display"
                )
            });
            if !known || !members.contains_key("data") {
                return None;
            }
            serde_json::from_value(value.clone()).ok()
        };
        let results: Option<Vec<SemanticResult>> = list.iter().map(whole).collect();
        let views = results?
            .iter()
            .map(|one| self.nested_result(one, depth))
            .collect();
        Some(View::column(views))
    }
}

/// The display hints of a result.
pub(super) struct Hints<'a> {
    pub(super) display: Option<&'a Display>,
    pub(super) view: Option<Hint>,
}

impl<'a> Hints<'a> {
    pub(super) fn of(result: &'a SemanticResult) -> Self {
        let display = result.display.as_ref();
        Self {
            display,
            view: display.and_then(Display::preferred_view),
        }
    }

    pub(super) fn language(&self) -> Option<String> {
        let language = self.display?.language()?.trim();
        (!language.is_empty()).then(|| language.to_ascii_lowercase())
    }
}

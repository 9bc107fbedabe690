//! Chooses the view of a result.
//!
//! In order of precedence: the hint `hidden` draws nothing; a registered renderer that accepts the
//! data; a well-known kind; the requested view; the media type; the shape of the data; JSON.

use super::{Lower, cut};
use crate::view::{Frame, View};
use footlight_vocabulary::display::{Display, View as Hint};
use footlight_vocabulary::result::SemanticResult;
use footlight_vocabulary::summary::summary;
use serde::Deserialize;
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
        let registry = self.registry;
        let registered = registry.and_then(|registry| registry.draw_result(result));
        let translated = registry.and_then(|registry| registry.summary(result));
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
                let inner = depth.checked_sub(1);
                let nested = inner.and_then(|depth| self.nested_results(&result.data, depth));
                let body = nested.unwrap_or_else(|| self.generic(result, &hints));
                match result.kind.as_str() {
                    "structured" => (own_summary(), body),
                    // A reader cannot recognise an unknown kind by its body.
                    _ => (Some(line()), body),
                }
            }
        };
        let collapsed = hints.display.and_then(Display::collapsed) == Some(true);
        let max_height = hints.display.and_then(Display::max_height);
        // A folded result shows nothing but its caption.
        let caption = caption.or_else(|| collapsed.then(line));
        View::Frame(Frame {
            caption,
            kind: result.kind.as_str().to_owned(),
            collapsed,
            max_height: max_height.filter(|lines| *lines > 0),
            priority: hints.display.and_then(Display::priority),
            body: Box::new(body),
        })
    }

    /// Lowers a list that consists of results only, result by result.
    fn nested_results(&self, data: &Value, depth: usize) -> Option<View> {
        const MEMBERS: &str = "kind data summary summaryKey mimeType display";
        let list = data.as_array()?;
        if list.is_empty() || list.len() > 100 {
            return None;
        }
        let whole = |value: &Value| {
            let members = value.as_object()?;
            let is_known = |key: &String| MEMBERS.split(' ').any(|known| known == key);
            let known = members.keys().all(is_known);
            let is_result = known && members.contains_key("data");
            is_result.then(|| SemanticResult::deserialize(value).ok())?
        };
        let results: Option<Vec<_>> = list.iter().map(whole).collect();
        let results = results?;
        let views = results.iter().map(|one| self.nested_result(one, depth));
        Some(View::column(views.collect()))
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

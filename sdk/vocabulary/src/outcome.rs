//! Return values of tools, on the guest's side.
//!
//! A tool returns a [result kind](crate::kinds) such as [`Table`](crate::kinds::Table), or any
//! value that serializes: a string becomes `text`, everything else `structured`. Both become an
//! [`Outcome`] with the four fields of the contract's record of that name.
//!
//! Values are written directly as JSON text: a `serde_json::Value` in between would add a third to
//! the size of a small plugin.

use crate::builder::setters;
use crate::display::{FieldType, View};
use serde::Serialize;
use serde::ser::Error as _;
use serde_json::Result;
use std::fmt::Write;

/// The contract's `outcome`: a kind, data as JSON text, a summary and hints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The kind, such as `table`.
    pub kind: String,
    /// The data as JSON text.
    pub data: String,
    /// A summary in one line.
    pub summary: Option<String>,
    /// `mimeType`, `display` and `model` as JSON text.
    pub more: Option<String>,
}

/// A value that a tool can return.
///
/// Implemented for every [`Typed`] result and every type that implements [`Serialize`].
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "neither a result kind nor something that serialises",
    note = "return a kind such as `Text`, `Table` or `Diff`, a `String`, or derive `serde::Serialize` for `{Self}`"
)]
pub trait IntoOutcome {
    /// Converts the value into an outcome.
    ///
    /// # Errors
    /// When the value does not serialize to JSON, such as a map whose keys are not strings.
    fn into_outcome(self) -> Result<Outcome>;
}

impl<T: Serialize> IntoOutcome for T {
    fn into_outcome(self) -> Result<Outcome> {
        let json = serde_json::to_string(&self)?;
        // Only a JSON string begins with a quotation mark.
        let (kind, data) = if json.starts_with('"') {
            ("text", format!(r#"{{"content":{json}}}"#))
        } else {
            ("structured", json)
        };
        Ok(Outcome {
            kind: kind.to_owned(),
            data,
            summary: None,
            more: None,
        })
    }
}

/// The data of a well-known kind.
pub trait KindData: Serialize {
    /// The kind.
    const KIND: &'static str;
}

/// A result of a kind that is known at compile time: data, a summary and hints.
///
/// [`Text`](crate::kinds::Text), [`Table`](crate::kinds::Table) and the other kinds are aliases of
/// `Typed` with their own data.
// Does not implement `Serialize`: that would overlap with the implementation of `IntoOutcome` for
// plain values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Typed<D> {
    /// The data.
    pub data: D,
    pub(crate) hints: Hints,
}

/// The optional parts of every result. Values are JSON text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Hints {
    summary: Option<String>,
    summary_key: Option<String>,
    mime_type: Option<String>,
    display: Vec<(&'static str, String)>,
    field_types: Vec<(String, FieldType)>,
    model: Option<std::result::Result<String, String>>,
}

impl<D> Typed<D> {
    /// Creates a result without hints.
    pub fn of(data: D) -> Self {
        Self {
            data,
            hints: Hints::default(),
        }
    }

    setters! {
        /// Sets the summary in one line. Without one the host derives it from the data.
        summary => hints.summary: String;
        /// Sets the key by which a host finds a translation of the summary. A host that does not
        /// know the key shows the summary.
        summary_key => hints.summary_key: String;
        /// Sets the media type of the data, such as `text/markdown`.
        mime_type => hints.mime_type: String;
    }

    /// Sets the value that the model reads in place of the data.
    #[must_use]
    pub fn for_model(mut self, value: impl Serialize) -> Self {
        self.hints.model = Some(serde_json::to_string(&value).map_err(|error| error.to_string()));
        self
    }

    /// Sets the view for renderers that do not know the kind.
    #[must_use]
    pub fn prefer(self, view: View) -> Self {
        self.hint("preferredView", quoted(view.as_str()))
    }

    /// Hides the result, for a tool that has shown everything as a widget.
    #[must_use]
    pub fn hidden(self) -> Self {
        self.prefer(View::Hidden)
    }

    /// Sets the programming language of the content, such as `rust`.
    #[must_use]
    pub fn language(self, language: impl AsRef<str>) -> Self {
        self.hint("language", quoted(language.as_ref()))
    }

    /// Sets whether the result starts folded.
    #[must_use]
    pub fn collapsed(self, collapsed: bool) -> Self {
        self.hint("collapsed", collapsed.to_string())
    }

    /// Sets the greatest height, in lines.
    #[must_use]
    pub fn max_height(self, lines: u32) -> Self {
        self.hint("maxHeight", lines.to_string())
    }

    /// Sets the priority among other results; larger comes first.
    #[must_use]
    pub fn priority(self, priority: i32) -> Self {
        self.hint("priority", priority.to_string())
    }

    /// Sets the format of a field of the data.
    #[must_use]
    pub fn field_type(mut self, field: impl Into<String>, as_type: FieldType) -> Self {
        let field = field.into();
        self.hints.field_types.retain(|(known, _)| *known != field);
        self.hints.field_types.push((field, as_type));
        self
    }

    fn hint(mut self, name: &'static str, json: String) -> Self {
        self.hints.display.retain(|(known, _)| *known != name);
        self.hints.display.push((name, json));
        self
    }
}

impl<D: KindData> IntoOutcome for Typed<D> {
    fn into_outcome(self) -> Result<Outcome> {
        outcome(D::KIND, &self.data, self.hints)
    }
}

/// Serializes a kind, its data and its hints.
pub(crate) fn outcome(kind: &str, data: &impl Serialize, hints: Hints) -> Result<Outcome> {
    let mut display = Object::default();
    for (name, json) in &hints.display {
        display.member(name, json);
    }
    if !hints.field_types.is_empty() {
        let mut types = Object::default();
        for (field, as_type) in &hints.field_types {
            types.member(field, &quoted(as_type.as_str()));
        }
        display.member("fieldTypes", &types.finish());
    }
    let mut more = Object::default();
    if let Some(key) = &hints.summary_key {
        more.member("summaryKey", &quoted(key));
    }
    if let Some(mime_type) = &hints.mime_type {
        more.member("mimeType", &quoted(mime_type));
    }
    if !display.is_empty() {
        more.member("display", &display.finish());
    }
    if let Some(model) = hints.model {
        more.member("model", &model.map_err(serde_json::Error::custom)?);
    }
    let more = (!more.is_empty()).then(|| more.finish());
    Ok(Outcome {
        kind: kind.to_owned(),
        data: serde_json::to_string(data)?,
        summary: hints.summary,
        more,
    })
}

/// A JSON object, written member by member.
#[derive(Default)]
struct Object(String);

impl Object {
    fn member(&mut self, name: &str, json: &str) {
        let before = if self.0.is_empty() { '{' } else { ',' };
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{before}{}:{json}", quoted(name));
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// Serializes a string.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::Text;

    #[test]
    fn a_string_becomes_text_and_anything_else_structured() {
        let text = "say \"hi\"".into_outcome().expect("serialises");
        assert_eq!(
            (text.kind.as_str(), text.data.as_str()),
            ("text", r#"{"content":"say \"hi\""}"#)
        );
        let list = vec![1, 2].into_outcome().expect("serialises");
        assert_eq!(
            (list.kind.as_str(), list.data.as_str()),
            ("structured", "[1,2]")
        );
    }

    #[test]
    fn hints_travel_beside_the_data() {
        let outcome = Text::new("a")
            .summary("one letter")
            .summary_key("letters")
            .collapsed(true)
            .for_model("a!")
            .into_outcome();
        let outcome = outcome.expect("serialises");
        assert_eq!(outcome.summary.as_deref(), Some("one letter"));
        assert_eq!(
            outcome.more.as_deref(),
            Some(r#"{"summaryKey":"letters","display":{"collapsed":true},"model":"a!"}"#)
        );
    }

    #[test]
    fn result_without_hints_has_no_more() {
        assert_eq!(
            Text::new("a").into_outcome().expect("serialises").more,
            None
        );
    }
}

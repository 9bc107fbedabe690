//! Hints of a plugin on how to draw its result, such as a preferred view or the type of a column.
//!
//! A renderer can ignore any hint, and no hint is an error.

use crate::word::words;
#[cfg(feature = "host")]
use serde::{Deserialize, Serialize};
#[cfg(feature = "host")]
use serde_json::{Map, Value};

words! {
    /// A generic view, for results whose kind no renderer knows.
    pub enum View {
        /// Running text.
        Text = "text",
        /// Text with Markdown in it.
        Markdown = "markdown",
        /// Code, in the display's language.
        Code = "code",
        /// The changes between two texts.
        Diff = "diff",
        /// Rows and columns.
        Table = "table",
        /// Nested keys and values.
        Tree = "tree",
        /// A picture.
        Image = "image",
        /// The JSON itself.
        Raw = "raw",
        /// Nothing; overrides everything else.
        Hidden = "hidden",
    }
}

words! {
    /// The format of a field of the data.
    pub enum FieldType {
        /// Text.
        String = "string",
        /// A number.
        Number = "number",
        /// An amount of money: a number with two decimals.
        Money = "money",
        /// Yes or no.
        Boolean = "boolean",
        /// A date or a time, ISO 8601.
        Date = "date",
        /// A link.
        Url = "url",
        /// A path of a file.
        Path = "path",
    }
}

/// The hints of one result: `preferredView`, `language`, `collapsed`, `maxHeight`, `priority`,
/// `fieldTypes` and unknown members.
///
/// The object is kept unchanged. A member of the wrong type counts as absent, so that no hint can
/// make a result unreadable.
#[cfg(feature = "host")]
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Display(Map<String, Value>);

#[cfg(feature = "host")]
impl Display {
    /// Reports whether there are no hints.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets that the result is not drawn.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        let view = View::Hidden.as_str();
        self.0.insert("preferredView".to_owned(), view.into());
        self
    }

    /// Returns the preferred view, if this version knows it.
    #[must_use]
    pub fn preferred_view(&self) -> Option<View> {
        Some(View::from(self.text("preferredView")?)).filter(View::is_known)
    }

    /// Returns the programming language of the content.
    #[must_use]
    pub fn language(&self) -> Option<&str> {
        self.text("language")
    }

    /// Reports whether the result starts folded.
    #[must_use]
    pub fn collapsed(&self) -> Option<bool> {
        self.0.get("collapsed")?.as_bool()
    }

    /// Returns the greatest height, in lines.
    #[must_use]
    pub fn max_height(&self) -> Option<u64> {
        self.0.get("maxHeight")?.as_u64()
    }

    /// Returns the priority among other results; larger comes first.
    #[must_use]
    pub fn priority(&self) -> Option<f64> {
        self.0.get("priority")?.as_f64()
    }

    /// Returns the format of a field, if this version knows it.
    #[must_use]
    pub fn field_type(&self, field: &str) -> Option<FieldType> {
        let word = self.0.get("fieldTypes")?.get(field)?.as_str()?;
        Some(FieldType::from(word)).filter(FieldType::is_known)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }
}

#[cfg(test)]
#[cfg(feature = "host")]
mod tests {
    use super::*;
    use serde_json::json;

    fn display(value: Value) -> Display {
        serde_json::from_value(value).expect("an object")
    }

    #[test]
    fn unknown_view_is_ignored_and_kept() {
        let sent = json!({ "preferredView": "hologram", "language": "rust" });
        let display = display(sent.clone());
        assert_eq!(display.preferred_view(), None);
        assert_eq!(display.language(), Some("rust"));
        assert_eq!(serde_json::to_value(&display).expect("serialises"), sent);
    }

    #[test]
    fn hint_of_the_wrong_type_counts_as_absent() {
        let display = display(json!({ "collapsed": "yes", "maxHeight": -1, "fieldTypes": [] }));
        assert_eq!(
            (
                display.collapsed(),
                display.max_height(),
                display.field_type("a")
            ),
            (None, None, None)
        );
    }
}

//! Kinds `text`, `markdown`, `code` and `link`.

use crate::builder::setters;
use crate::outcome::Typed;
use serde::{Deserialize, Serialize};

/// Plain text.
pub type Text = Typed<TextData>;

/// The data of kind `text`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TextData {
    /// The text.
    pub content: String,
}

impl Text {
    /// Creates a plain text.
    pub fn new(content: impl Into<String>) -> Self {
        Self::of(TextData {
            content: content.into(),
        })
    }
}

/// Markdown text. Renderers never pass raw HTML in it through.
pub type Markdown = Typed<MarkdownData>;

/// The data of kind `markdown`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MarkdownData {
    /// The text, in CommonMark.
    pub content: String,
}

impl Markdown {
    /// Creates a Markdown text.
    pub fn new(content: impl Into<String>) -> Self {
        Self::of(MarkdownData {
            content: content.into(),
        })
    }
}

/// Source code.
pub type Code = Typed<CodeData>;

/// The data of kind `code`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CodeData {
    /// The code.
    pub content: String,
    /// The language, such as `rust`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The path of its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl Code {
    /// Creates source code. An empty language means that it is unknown.
    pub fn new(language: impl Into<String>, content: impl Into<String>) -> Self {
        Self::of(CodeData {
            content: content.into(),
            language: Some(language.into()).filter(|language| !language.is_empty()),
            path: None,
        })
    }

    /// Sets the path of its file.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.data.path = Some(path.into());
        self
    }
}

/// A link.
pub type Link = Typed<LinkData>;

/// The data of kind `link`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkData {
    /// The URL.
    pub url: String,
    /// The text of the link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A description of the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl Link {
    /// Creates a link whose text is its URL.
    pub fn new(url: impl Into<String>) -> Self {
        Self::of(LinkData {
            url: url.into(),
            ..LinkData::default()
        })
    }

    setters! {
        /// Sets the text of the link.
        title => data.title: String;
        /// Sets a description of the target.
        description => data.description: String;
    }
}

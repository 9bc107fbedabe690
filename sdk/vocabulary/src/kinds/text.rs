//! Kinds that are mostly one text: `text`, `markdown`, `code`, and `link`.

use crate::outcome::{KindData, Typed};
use serde::{Deserialize, Serialize};

/// Running text.
pub type Text = Typed<TextData>;

/// The data of kind `text`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TextData {
    /// The text.
    pub content: String,
}

impl KindData for TextData {
    const KIND: &'static str = "text";
}

impl Text {
    /// Text as it is.
    pub fn new(content: impl Into<String>) -> Self {
        Self::of(TextData {
            content: content.into(),
        })
    }
}

/// Text with Markdown in it; raw HTML inside is never drawn.
pub type Markdown = Typed<MarkdownData>;

/// The data of kind `markdown`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MarkdownData {
    /// The text, CommonMark.
    pub content: String,
}

impl KindData for MarkdownData {
    const KIND: &'static str = "markdown";
}

impl Markdown {
    /// Markdown as it is.
    pub fn new(content: impl Into<String>) -> Self {
        Self::of(MarkdownData {
            content: content.into(),
        })
    }
}

/// Code in some language.
pub type Code = Typed<CodeData>;

/// The data of kind `code`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CodeData {
    /// The code.
    pub content: String,
    /// What it is written in, such as `rust`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The file it is from, or belongs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl KindData for CodeData {
    const KIND: &'static str = "code";
}

impl Code {
    /// Code in a language, in the order of a Markdown fence; `""` where the language is unknown.
    pub fn new(language: impl Into<String>, content: impl Into<String>) -> Self {
        Self::of(CodeData {
            content: content.into(),
            language: Some(language.into()).filter(|language| !language.is_empty()),
            path: None,
        })
    }

    /// The file it is from, or belongs in.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.data.path = Some(path.into());
        self
    }
}

/// An address to follow.
pub type Link = Typed<LinkData>;

/// The data of kind `link`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkData {
    /// The address.
    pub url: String,
    /// What to show in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What one finds there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl KindData for LinkData {
    const KIND: &'static str = "link";
}

impl Link {
    /// A link that shows its address.
    pub fn new(url: impl Into<String>) -> Self {
        Self::of(LinkData {
            url: url.into(),
            ..LinkData::default()
        })
    }

    /// What to show in place of the address.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.data.title = Some(title.into());
        self
    }

    /// What one finds there.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.data.description = Some(description.into());
        self
    }
}

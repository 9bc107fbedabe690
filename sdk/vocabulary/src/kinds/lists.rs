//! Kinds that are a sequence of short things: `facts`, `list` and `log`.

use super::row::Unwritable;
use crate::display::FieldType;
use crate::outcome::{KindData, Typed};
use crate::word::words;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is known of one thing: labels and values, in order.
pub type Facts = Typed<FactsData>;

/// The data of kind `facts`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FactsData {
    /// The facts, in order.
    pub facts: Vec<Fact>,
    #[serde(skip_deserializing, skip_serializing_if = "Unwritable::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    unwritable: Unwritable,
}

impl KindData for FactsData {
    const KIND: &'static str = "facts";
}

/// One label and its value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    /// What it is about.
    pub label: String,
    /// What is the case.
    pub value: Value,
    /// How the value is meant.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub fact_type: Option<FieldType>,
}

impl Facts {
    /// No facts yet, for [`fact`](Self::fact).
    #[must_use]
    pub fn new() -> Self {
        Self::of(FactsData::default())
    }

    /// Adds a fact.
    #[must_use]
    pub fn fact(mut self, label: impl Into<String>, value: impl Serialize) -> Self {
        let value = self.data.unwritable.value(value);
        self.data.facts.push(Fact {
            label: label.into(),
            value,
            fact_type: None,
        });
        self
    }
}

impl Default for Facts {
    fn default() -> Self {
        Self::new()
    }
}

/// Items below each other, with bullets or numbers.
pub type List = Typed<ListData>;

/// The data of kind `list`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListData {
    /// The items, in order.
    pub items: Vec<ListItem>,
    /// Whether they are numbered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ordered: bool,
}

impl KindData for ListData {
    const KIND: &'static str = "list";
}

/// One item of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListItem {
    /// What the item says; `title` is read as well.
    #[serde(alias = "title")]
    pub text: String,
    /// What goes below it, smaller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Where it leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl List {
    /// A list with bullets.
    pub fn new<I>(items: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let mut list = Self::of(ListData::default());
        for item in items {
            list = list.item(ListItem {
                text: item.into(),
                ..ListItem::default()
            });
        }
        list
    }

    /// Numbers in place of bullets.
    #[must_use]
    pub fn ordered(mut self) -> Self {
        self.data.ordered = true;
        self
    }

    /// Adds an item.
    #[must_use]
    pub fn item(mut self, item: ListItem) -> Self {
        self.data.items.push(item);
        self
    }
}

/// Lines of a log.
pub type Log = Typed<LogData>;

/// The data of kind `log`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LogData {
    /// The lines, oldest first.
    pub lines: Vec<LogLine>,
}

impl KindData for LogData {
    const KIND: &'static str = "log";
}

/// One line of a log.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LogLine {
    /// When it was written, ISO 8601.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// How much it matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// What it says.
    pub text: String,
}

words! {
    /// How much a line of a log matters.
    pub enum Level {
        /// Every step.
        Trace = "trace",
        /// For whoever looks for a fault.
        Debug = "debug",
        /// The course of things.
        Info = "info",
        /// Something that may turn out bad.
        Warn = "warn",
        /// Something that went wrong.
        Error = "error",
    }
}

impl Log {
    /// A log of plain lines.
    pub fn new<I>(lines: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let lines = lines.into_iter().map(|text| LogLine {
            text: text.into(),
            ..LogLine::default()
        });
        Self::of(LogData {
            lines: lines.collect(),
        })
    }

    /// Adds a line.
    #[must_use]
    pub fn line(mut self, line: LogLine) -> Self {
        self.data.lines.push(line);
        self
    }
}

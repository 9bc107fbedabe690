//! Kinds `facts`, `list` and `log`.

use super::row::Unwritable;
use crate::display::FieldType;
use crate::outcome::Typed;
use crate::word::words;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Facts about one thing: labels and values.
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

/// A label and its value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    /// The label.
    pub label: String,
    /// The value.
    pub value: Value,
    /// The format of the value.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub fact_type: Option<FieldType>,
}

impl Facts {
    /// Creates an empty list of facts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
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

/// A list with bullets or numbers.
pub type List = Typed<ListData>;

/// The data of kind `list`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListData {
    /// The items, in order.
    pub items: Vec<ListItem>,
    /// Whether the items are numbered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ordered: bool,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListItem {
    /// The text; `title` is accepted as well.
    #[serde(alias = "title")]
    pub text: String,
    /// The text below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The target of the item's link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl List {
    /// Creates a list with bullets.
    pub fn new(items: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut list = Self::default();
        for item in items {
            list = list.item(ListItem {
                text: item.into(),
                ..ListItem::default()
            });
        }
        list
    }

    /// Numbers the items.
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

/// A line of a log.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LogLine {
    /// The time, in ISO 8601.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// The text.
    pub text: String,
}

words! {
    /// The level of a line.
    pub enum Level {
        /// Trace.
        Trace = "trace",
        /// Debugging information.
        Debug = "debug",
        /// Information.
        Info = "info",
        /// A possible problem.
        Warn = "warn",
        /// An error.
        Error = "error",
    }
}

impl Log {
    /// Creates a log of lines without time and level.
    pub fn new(lines: impl IntoIterator<Item = impl Into<String>>) -> Self {
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

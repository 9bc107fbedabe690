//! Names of plugins and tools.
//!
//! A tool is named by its plugin and its own name. Records, rules and commands write the two with
//! a dot (`weather.forecast`); language models accept no dot in a function name, so requests to
//! them write two underscores (`weather__forecast`).

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// The separator of the form that language models are sent.
const WIRE_SEPARATOR: &str = "__";

/// Reports whether `word` can name a plugin, a tool or a secret: `^[a-z][a-z0-9_]{0,30}$` without
/// `__`, which separates plugin and tool in [`FunctionName::wire`].
#[must_use]
pub fn is_id(word: &str) -> bool {
    word.len() <= 31 && is_segment(word) && !word.contains(WIRE_SEPARATOR)
}

/// Reports whether `word` is a lower-case ASCII letter followed by such letters, digits and `_`.
pub(crate) fn is_segment(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_lowercase())
        && bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// The full name of a tool: the id of its plugin and its own name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionName {
    plugin: String,
    tool: String,
}

impl FunctionName {
    /// Joins a plugin's id and a tool's name.
    ///
    /// # Errors
    /// When one of the two is not an [id](is_id).
    pub fn new(
        plugin: impl Into<String>,
        tool: impl Into<String>,
    ) -> Result<Self, FunctionNameError> {
        let (plugin, tool) = (plugin.into(), tool.into());
        if is_id(&plugin) && is_id(&tool) {
            Ok(Self { plugin, tool })
        } else {
            Err(FunctionNameError)
        }
    }

    /// Parses the form that language models are sent: `weather__forecast`.
    ///
    /// # Errors
    /// When `name` does not consist of two [ids](is_id) joined by `__`.
    pub fn from_wire(name: &str) -> Result<Self, FunctionNameError> {
        // The last separator, because an id can end in `_` but not begin with it: `a___b` is the
        // tool `b` of the plugin `a_`.
        let (plugin, tool) = name.rsplit_once(WIRE_SEPARATOR).ok_or(FunctionNameError)?;
        Self::new(plugin, tool)
    }

    /// Returns the form that language models are sent: `weather__forecast`.
    #[must_use]
    pub fn wire(&self) -> String {
        format!("{}{WIRE_SEPARATOR}{}", self.plugin, self.tool)
    }

    /// Returns the plugin's id.
    #[must_use]
    pub fn plugin(&self) -> &str {
        &self.plugin
    }

    /// Returns the tool's name within its plugin.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }
}

/// The error of parsing a [`FunctionName`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionNameError;

impl fmt::Display for FunctionNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the name of a plugin and a tool; write it as `weather.forecast`")
    }
}

impl std::error::Error for FunctionNameError {}

impl FromStr for FunctionName {
    type Err = FunctionNameError;

    /// Parses the form of records: `weather.forecast`.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let (plugin, tool) = name.split_once('.').ok_or(FunctionNameError)?;
        Self::new(plugin, tool)
    }
}

impl fmt::Display for FunctionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.plugin, self.tool)
    }
}

impl Serialize for FunctionName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for FunctionName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = <Cow<'de, str>>::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_short_lower_case_words_without_a_double_underscore() {
        let longest = "a".repeat(31);
        for word in ["a", "weather", "open_meteo2", "a_", longest.as_str()] {
            assert!(is_id(word), "{word}");
        }
        let too_long = "a".repeat(32);
        for word in [
            "",
            "A",
            "1a",
            "_a",
            "a__b",
            "a-b",
            "a.b",
            "a b",
            "é",
            "а",
            "a\n",
            too_long.as_str(),
        ] {
            assert!(!is_id(word), "{word:?}");
        }
    }

    #[test]
    fn both_forms_are_parsed_into_the_same_parts() {
        for (record, wire) in [
            ("weather.forecast", "weather__forecast"),
            ("a_.b_", "a___b_"),
            ("open_meteo.next_day", "open_meteo__next_day"),
        ] {
            let name: FunctionName = record.parse().expect("a record form");
            assert_eq!(FunctionName::from_wire(wire), Ok(name.clone()));
            assert_eq!(
                (name.to_string(), name.wire()),
                (record.into(), wire.into())
            );
            assert_eq!(record, format!("{}.{}", name.plugin(), name.tool()));
        }
    }

    #[test]
    fn names_that_are_not_two_ids_are_refused() {
        for name in [
            "", ".", "weather", "weather.", ".now", "a.b.c", "A.b", "a__b.c",
        ] {
            assert_eq!(
                name.parse::<FunctionName>(),
                Err(FunctionNameError),
                "{name}"
            );
        }
        for name in [
            "",
            "__",
            "weather",
            "weather_now",
            "a__b__c",
            "a__",
            "__b",
            "a.b",
        ] {
            assert_eq!(
                FunctionName::from_wire(name),
                Err(FunctionNameError),
                "{name}"
            );
        }
    }

    #[test]
    fn json_is_the_record_form() {
        let name = FunctionName::new("weather", "forecast").expect("two ids");
        let json = serde_json::to_string(&name).expect("serialises");
        assert_eq!(json, r#""weather.forecast""#);
        assert_eq!(serde_json::from_str::<FunctionName>(&json).ok(), Some(name));
        assert!(serde_json::from_str::<FunctionName>(r#""weather""#).is_err());
    }
}

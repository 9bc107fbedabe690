//! Kinds of results: open, dotted, lower-case names such as `table` or `acme.timeline`.
//!
//! A plugin can invent a kind, and a host that does not know it still shows the result. Kinds
//! without a dot belong to this vocabulary.

use crate::escape::escape_short;
use crate::function::is_segment;
pub use crate::kinds::WELL_KNOWN;
use std::fmt;

/// A valid kind: `^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct Kind(String);

fn is_kind(word: &str) -> bool {
    word.split('.').all(is_segment)
}

impl Kind {
    /// Parses a kind.
    ///
    /// # Errors
    /// When `word` does not match the pattern.
    pub fn parse(word: &str) -> Result<Self, KindError> {
        if is_kind(word) {
            Ok(Self(word.to_owned()))
        } else {
            Err(KindError(word.to_owned()))
        }
    }

    /// Returns the kind as a string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The error of parsing a [`Kind`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindError(String);

impl fmt::Display for KindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a kind: use lower-case words of letters, digits and `_`, joined by dots, such as `table` or `acme.timeline`",
            escape_short(&self.0, 60)
        )
    }
}

impl std::error::Error for KindError {}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> serde::Deserialize<'de> for Kind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::parse(&word).map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Kind {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Kind".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "pattern": "^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$",
            "examples": WELL_KNOWN,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_and_dotted_names_are_kinds() {
        for word in ["text", "file_content", "acme.timeline", "a1.b_2.c", "x"] {
            assert!(Kind::parse(word).is_ok(), "{word}");
        }
    }

    #[test]
    fn anything_off_the_pattern_is_refused() {
        for word in [
            "",
            "Text",
            "1text",
            "file-content",
            "two words",
            "a@b",
            ".text",
            "text.",
            "a..b",
            "a.1b",
            "a._b",
            "_a",
            "tëxt",
            "text\n",
        ] {
            assert!(Kind::parse(word).is_err(), "{word:?}");
        }
    }

    #[test]
    fn error_shows_the_word_without_control_characters() {
        let message = Kind::parse("a\u{1b}[2J")
            .expect_err("has an escape")
            .to_string();
        assert!(!message.contains('\u{1b}'), "{message:?}");
    }
}

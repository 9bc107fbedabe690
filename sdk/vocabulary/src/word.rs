//! Open words: a string of which we know some values and keep the others.
//!
//! A vocabulary that must be able to grow cannot refuse a word only because it is new. `words!`
//! makes an enum of the known ones with a case [`Other`] for the rest, so that a `match` names
//! every known word and an unknown one survives a round trip letter by letter.
//!
//! [`Other`]: crate::display::View::Other

/// Declares an open word: an enum of known words and `Other(String)`.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $case:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        ///
        /// An open word: one that is not listed here is kept as [`Other`](Self::Other).
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$doc])* $case,)+
            /// A word this version does not know, as it was written.
            Other(String),
        }

        impl $name {
            /// The known words, in the order of the vocabulary.
            pub const KNOWN: &'static [&'static str] = &[$($word),+];

            /// The word as it is written in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$case => $word,)+
                    Self::Other(word) => word,
                }
            }

            /// Whether this version knows the word.
            #[must_use]
            pub fn is_known(&self) -> bool {
                !matches!(self, Self::Other(_))
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $($word => Self::$case,)+
                    other => Self::Other(other.to_owned()),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Ok(Self::from(&*<std::borrow::Cow<'de, str>>::deserialize(deserializer)?))
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                // Open on purpose: the known words are offered, others are not refused.
                schemars::json_schema!({ "type": "string", "examples": Self::KNOWN })
            }
        }
    };
}

pub(crate) use words;

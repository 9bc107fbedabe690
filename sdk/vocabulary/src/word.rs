//! Open words: enums of known strings that keep unknown strings as they are.
//!
//! The vocabulary grows, so a reader must not refuse a word only because a newer version added
//! it. `words!` declares an enum with one case per known word and a last case that holds any
//! other word, so that unknown words survive a round trip unchanged.

/// Declares an open word: an enum of the known words and `Other(String)`.
///
/// Where `other` is itself a known word, `else Name` after the enum names the case for unknown
/// words.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($cases:tt)+ }) => {
        $crate::word::words! { $(#[$meta])* pub enum $name { $($cases)+ } else Other }
    };
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $case:ident = $word:literal,)+ } else $unknown:ident) => {
        $(#[$meta])*
        ///
        #[doc = concat!("An open word: an unlisted word is kept as [`", stringify!($unknown), "`](Self::", stringify!($unknown), ").")]
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$doc])* $case,)+
            /// A word this version does not know, as it was written.
            $unknown(String),
        }

        impl $name {
            /// The known words, in the order of the vocabulary.
            pub const KNOWN: &'static [&'static str] = &[$($word),+];

            /// Returns the word as it is written in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$case => $word,)+
                    Self::$unknown(word) => word,
                }
            }

            /// Reports whether this version knows the word.
            #[must_use]
            pub fn is_known(&self) -> bool {
                !matches!(self, Self::$unknown(_))
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $($word => Self::$case,)+
                    other => Self::$unknown(other.to_owned()),
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = std::convert::Infallible;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                Ok(Self::from(word))
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
                // The known words are examples, not an `enum`: a schema must accept new words too.
                schemars::json_schema!({ "type": "string", "examples": Self::KNOWN })
            }
        }
    };
}

pub(crate) use words;

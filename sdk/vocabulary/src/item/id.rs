//! Names that the host mints. Each is a string and nothing can be read from it, save an output's,
//! which says when it was made.

use super::Timestamp;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {
        $(
            $(#[$doc])*
            #[derive(
                Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
            )]
            #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
            #[serde(transparent)]
            pub struct $name(String);

            impl $name {
                /// The id as it is written.
                #[must_use]
                pub fn as_str(&self) -> &str {
                    &self.0
                }
            }

            impl From<&str> for $name {
                fn from(id: &str) -> Self {
                    Self(id.to_owned())
                }
            }

            impl From<String> for $name {
                fn from(id: String) -> Self {
                    Self(id)
                }
            }

            impl std::fmt::Display for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str(&self.0)
                }
            }
        )+
    };
}

ids! {
    /// Which session.
    SessionId;
    /// Which turn.
    TurnId;
    /// Which call of a tool.
    CallId;
    /// Which item of the record.
    ItemId;
    /// Which ask or approval waits for a person.
    RequestId;
}

impl From<CallId> for ItemId {
    /// The tool item of a call has the call's id.
    fn from(call: CallId) -> Self {
        Self(call.0)
    }
}

/// The id of an output made at this moment: `out_<millis>_<6 base-36 characters>`.
///
/// `random` is the caller's, as is the clock: it decides the last six characters.
#[must_use]
pub fn output_id(at: Timestamp, random: u64) -> ItemId {
    let mut rest = random;
    let tail: String = std::iter::repeat_with(|| {
        let digit = (rest % 36) as u32;
        rest /= 36;
        char::from_digit(digit, 36).unwrap_or('0')
    })
    .take(6)
    .collect();
    ItemId(format!("out_{}_{tail}", at.millis().max(0)))
}

/// Whether `text` has the form of an output's id. Nothing else may reach a store.
#[must_use]
pub fn is_output_id(text: &str) -> bool {
    let Some((millis, tail)) = text
        .strip_prefix("out_")
        .and_then(|rest| rest.split_once('_'))
    else {
        return false;
    };
    // Fifteen digits are enough for the year 9999.
    (1..=15).contains(&millis.len())
        && millis.bytes().all(|b| b.is_ascii_digit())
        && tail.len() == 6
        && tail
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_exact_form_is_an_output_id() {
        assert!(is_output_id("out_1763257955123_a1b2c3"));
        for wrong in [
            "",
            "out_",
            "out_1_",
            "out__a1b2c3",
            "out_1_a1b2c",
            "out_1_a1b2c34",
            "out_1_A1b2c3",
            "out_1_a1b/c3",
            "out_1_a1b2c3/",
            "out_../../x",
            "out_1_%2e%2e",
            "out_1_a1b2c3\n",
            "OUT_1_a1b2c3",
            "out_9999999999999999_a1b2c3",
            "out_1_é12345",
        ] {
            assert!(!is_output_id(wrong), "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn every_minted_output_id_has_the_form(at in any::<i64>(), random in any::<u64>()) {
            let id = output_id(Timestamp::from_millis(at), random);
            prop_assert!(is_output_id(id.as_str()), "{}", id);
        }
    }
}

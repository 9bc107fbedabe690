//! Ids that the host mints. They are opaque strings; only the id of an output has a fixed form,
//! which contains its time of creation.

use super::Timestamp;
use crate::builder::from_each;

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
                /// Returns the id as a string.
                #[must_use]
                pub fn as_str(&self) -> &str {
                    &self.0
                }
            }

            from_each!($name: &str, String; id => Self(id.into()));

            impl std::fmt::Display for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str(&self.0)
                }
            }
        )+
    };
}

ids! {
    /// The id of a session.
    SessionId;
    /// The id of a turn.
    TurnId;
    /// The id of a tool call.
    CallId;
    /// The id of an item.
    ItemId;
    /// The id of a question or an approval request.
    RequestId;
}

impl From<CallId> for ItemId {
    /// The tool item of a call has the call's id.
    fn from(call: CallId) -> Self {
        Self(call.0)
    }
}

/// Makes the id of an output: `out_<millis>_<6 base-36 characters>`. The caller supplies time and
/// randomness.
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

/// Reports whether `text` has the form of an output's id. A store accepts no other id.
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

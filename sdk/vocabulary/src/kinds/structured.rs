//! Kind `structured`, and kinds that a plugin defines.

use crate::kind::Kind;
use crate::outcome::{IntoOutcome, Outcome, Typed, outcome};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Any data, with a summary and hints.
///
/// A tool that needs neither returns the value itself.
pub type Structured<T = Value> = Typed<StructuredData<T>>;

/// The data of kind `structured`: the value itself.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct StructuredData<T = Value>(
    /// The value.
    pub T,
);

impl<T: Serialize> Structured<T> {
    /// Creates a result from any value.
    pub fn new(value: T) -> Self {
        Self::of(StructuredData(value))
    }
}

/// A result of a kind that the plugin defines, such as `acme.timeline`.
///
/// A host that does not know the kind follows the hints and shows the summary.
pub type Custom<T> = Typed<CustomData<T>>;

/// A kind and its data.
// Does not implement `KindData`: the kind is known only at run time.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomData<T> {
    kind: String,
    data: T,
}

impl<T: Serialize> Custom<T> {
    /// Creates a result. `into_outcome` reports an invalid kind.
    pub fn new(kind: impl Into<String>, data: T) -> Self {
        Self::of(CustomData {
            kind: kind.into(),
            data,
        })
    }
}

impl<T: Serialize> IntoOutcome for Custom<T> {
    fn into_outcome(self) -> serde_json::Result<Outcome> {
        let kind = Kind::parse(&self.data.kind).map_err(serde::ser::Error::custom)?;
        outcome(kind.as_str(), &self.data.data, self.hints)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::View;

    #[test]
    fn custom_kind_travels_with_its_hints() {
        let outcome = Custom::new("acme.timeline", [1, 2])
            .summary("two")
            .prefer(View::Tree)
            .into_outcome()
            .expect("a valid kind");
        assert_eq!(
            (outcome.kind.as_str(), outcome.data.as_str()),
            ("acme.timeline", "[1,2]")
        );
        assert_eq!(outcome.summary.as_deref(), Some("two"));
        assert_eq!(
            outcome.more.as_deref(),
            Some(r#"{"display":{"preferredView":"tree"}}"#)
        );
    }

    #[test]
    fn kind_off_the_pattern_is_reported_when_the_result_is_written() {
        let error = Custom::new("Acme Timeline", 1).into_outcome();
        let message = error.expect_err("upper case").to_string();
        assert!(message.contains("Acme Timeline"), "{message}");
    }

    #[test]
    fn structured_is_the_value_itself() {
        let outcome = Structured::new(vec![1]).summary("one").into_outcome();
        assert_eq!(outcome.expect("serialises").data, "[1]");
    }
}

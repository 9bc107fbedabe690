//! The published JSON Schemas (2020-12), for clients and plugins in other languages.
//!
//! The schemas are derived from the types, so they cannot differ from the code.

use crate::event::Event;
use crate::event::frame::Frame;
use crate::item::Item;
use crate::question::Question;
use crate::result::SemanticResult;
use crate::widget::WidgetType;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

/// Returns every schema with its published name.
#[must_use]
pub fn all() -> Vec<(String, Value)> {
    let mut all = vec![
        ("result".to_owned(), of::<SemanticResult>()),
        ("view".to_owned(), crate::component::schema()),
        ("widget-type".to_owned(), of::<WidgetType>()),
        ("question".to_owned(), of::<Question>()),
        ("item".to_owned(), of::<Item>()),
        ("event".to_owned(), of::<Event>()),
        ("frame".to_owned(), of::<Frame>()),
    ];
    all.extend(kinds().map(|(kind, schema)| (format!("kind-{kind}"), schema)));
    all
}

/// Returns the schema of the data of each well-known kind.
pub fn kinds() -> impl Iterator<Item = (&'static str, Value)> {
    crate::kinds::schemas().into_iter()
}

pub(crate) fn of<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<T>()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::WELL_KNOWN;

    #[test]
    fn every_well_known_kind_has_a_schema() {
        let kinds: Vec<&str> = kinds().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, WELL_KNOWN);
    }

    #[test]
    fn every_schema_is_an_object_with_a_dialect() {
        for (name, schema) in all() {
            let dialect = schema.get("$schema").and_then(Value::as_str);
            assert_eq!(
                dialect,
                Some("https://json-schema.org/draft/2020-12/schema"),
                "{name}"
            );
        }
    }

    #[test]
    fn date_times_say_so() {
        // The published schema says date-time, not date.
        let item = of::<Item>().to_string();
        assert!(item.contains(r#""format":"date-time""#), "{item}");
    }
}

//! Parses the arguments of a tool call as a model wrote them, leniently but without guessing.

use crate::plugin::description::Tool;
use footlight_vocabulary::json::{self, Limits};
use serde_json::Value;

/// Parses arguments. An empty text is `{}`, a code fence is removed, and an object inside a string
/// is unwrapped.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let text = without_code_fence(text.trim());
    if text.is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    let value = json::parse(text, Limits::default()).map_err(|error| error.to_string())?;
    match value {
        Value::Object(_) => Ok(value),
        Value::String(inside) => match json::parse(&inside, Limits::default()) {
            Ok(value @ Value::Object(_)) => Ok(value),
            _ => Err("it is a string".to_owned()),
        },
        Value::Null => Ok(Value::Object(serde_json::Map::new())),
        _ => Err("it is no object".to_owned()),
    }
}

fn without_code_fence(text: &str) -> &str {
    let inside = text
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"));
    let Some(inside) = inside else {
        return text;
    };
    // The first line can name the language.
    match inside.split_once('\n') {
        Some((language, rest)) if !language.contains('{') => rest.trim(),
        _ => inside.trim(),
    }
}

/// Coerces members of an input that does not fit the schema, where nothing is lost: a number or
/// boolean in a string, or a single value instead of a list and vice versa.
pub(super) fn coerced(tool: Option<&Tool>, input: Value) -> Value {
    let Some(tool) = tool.filter(|tool| tool.check(&input).is_err()) else {
        return input;
    };
    let mut better = input.clone();
    let properties = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    if let (Value::Object(members), Some(properties)) = (&mut better, properties) {
        for (name, value) in members.iter_mut() {
            let wanted = properties.get(name).and_then(|schema| schema.get("type"));
            if let Some(wanted) = wanted.and_then(Value::as_str) {
                coerce(value, wanted);
            }
        }
    }
    if tool.check(&better).is_ok() {
        better
    } else {
        input
    }
}

fn coerce(value: &mut Value, wanted: &str) {
    let right = match (&*value, wanted) {
        (Value::String(text), "integer") => text.trim().parse::<i64>().ok().map(Value::from),
        (Value::String(text), "number") => {
            let number: Option<serde_json::Number> = text.trim().parse().ok();
            number.map(Value::Number)
        }
        (Value::String(text), "boolean") => text.trim().parse::<bool>().ok().map(Value::from),
        (Value::Number(number), "string") => Some(Value::String(number.to_string())),
        (Value::Array(items), wanted) if wanted != "array" && items.len() == 1 => {
            items.first().cloned()
        }
        (single, "array") if !single.is_array() && !single.is_null() => {
            Some(Value::Array(vec![single.clone()]))
        }
        _ => None,
    };
    if let Some(right) = right {
        *value = right;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn what_models_write_around_an_object_is_taken_off() {
        let city = json!({ "city": "Oslo" });
        for text in [
            r#"{"city":"Oslo"}"#,
            "```json\n{\"city\":\"Oslo\"}\n```",
            "```{\"city\":\"Oslo\"}```",
            r#""{\"city\":\"Oslo\"}""#,
        ] {
            assert_eq!(read(text).as_ref(), Ok(&city), "{text}");
        }
        for text in ["", "  ", "null"] {
            assert_eq!(read(text), Ok(json!({})), "{text}");
        }
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for text in [
            "{",
            "[1]",
            "3",
            r#""Oslo""#,
            r#"{"a":1,"a":2}"#,
            "{\"city\":\"Os",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_what_loses_nothing_is_put_right() {
        let right = |value: Value, wanted: &str| {
            let mut value = value;
            coerce(&mut value, wanted);
            value
        };
        assert_eq!(right(json!("3"), "integer"), json!(3));
        assert_eq!(right(json!("3.5"), "integer"), json!("3.5"));
        assert_eq!(right(json!("3.5"), "number"), json!(3.5));
        assert_eq!(right(json!("true"), "boolean"), json!(true));
        assert_eq!(right(json!("yes"), "boolean"), json!("yes"));
        assert_eq!(right(json!(["Oslo"]), "string"), json!("Oslo"));
        assert_eq!(
            right(json!(["Oslo", "Rome"]), "string"),
            json!(["Oslo", "Rome"])
        );
        assert_eq!(right(json!("Oslo"), "array"), json!(["Oslo"]));
    }

    proptest! {
        #[test]
        fn whatever_a_model_writes_is_read_or_refused(text in ".{0,80}") {
            if let Ok(value) = read(&text) {
                prop_assert!(value.is_object());
            }
        }
    }
}

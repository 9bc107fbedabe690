//! Check of one value against its field.
//!
//! Error texts continue "the answer to `x` ...". They omit the value of a secret and cut any other
//! to sixty characters.

pub(crate) use crate::item::timestamp::is_date;

use super::{MAX_TEXT, SEPARATOR};
use crate::escape::escape_short;
use crate::question::{Choice, Control, Field, MAX_OPTIONS};
use serde_json::{Number, Value};
use std::cmp::Ordering;

/// Returns the value for the answer, or `None` if the field was left empty.
pub(crate) fn value(field: &Field, given: Option<&Value>) -> Result<Option<Value>, String> {
    match given {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.is_empty() => Ok(None),
        Some(given) => match &field.control {
            Control::Text | Control::Textarea | Control::Secret => text(field, given),
            Control::Number => numeric(field, given).map(Some),
            Control::Date => date(field, given).map(Some),
            _ if field.is_multiple() => several(field, given),
            _ => one(field, given).map(|one| one.map(Value::String)),
        },
    }
}

/// Returns the error text for a required field that was left empty.
pub(crate) fn missing(field: &Field) -> String {
    let wanted = match &field.control {
        Control::Number => "give a number".into(),
        Control::Date => "give a day written YYYY-MM-DD".into(),
        Control::Text | Control::Textarea | Control::Secret => "give some text".into(),
        _ if field.is_multiple() => format!("choose at least one of {}", choosable(field)),
        _ => format!("choose one of {}", choosable(field)),
    };
    format!("is missing; {wanted}")
}

fn text(field: &Field, given: &Value) -> Result<Option<Value>, String> {
    let Value::String(text) = given else {
        return Err("is not text; give a string".into());
    };
    // A password can consist of white space; for any other field that is no answer.
    if field.control != Control::Secret && text.trim().is_empty() {
        return Ok(None);
    }
    not_too_long(text)?;
    let characters = text.chars().count() as u64;
    let bound = |bound: &Option<Value>| bound.as_ref().and_then(Value::as_u64);
    if let Some(min) = bound(&field.min)
        && characters < min
    {
        return Err(format!("has {characters} characters; give at least {min}"));
    }
    if let Some(max) = bound(&field.max)
        && characters > max
    {
        return Err(format!("has {characters} characters; give at most {max}"));
    }
    Ok(Some(given.clone()))
}

fn not_too_long(text: &str) -> Result<(), String> {
    if text.len() > MAX_TEXT {
        return Err(format!("has {} bytes; give at most {MAX_TEXT}", text.len()));
    }
    Ok(())
}

fn numeric(field: &Field, given: &Value) -> Result<Value, String> {
    let Some(number) = number(given) else {
        let given = shown(given);
        return Err(format!("is {given}; give a number such as 12 or 3.5"));
    };
    if field.integer == Some(true) && !(number.is_i64() || number.is_u64()) {
        return Err(format!("is {number}; give a whole number"));
    }
    let value = Value::Number(number);
    within(field, &value)?;
    Ok(value)
}

/// Reads a JSON number, or a string that contains one. `3.0` is the integer 3.
pub(crate) fn number(given: &Value) -> Option<Number> {
    let number = match given {
        Value::Number(number) => number.clone(),
        // JSON's grammar has no leading `+`, no hexadecimal digits and no infinity.
        Value::String(text) if text.len() <= 64 => serde_json::from_str(text.trim()).ok()?,
        _ => return None,
    };
    let float = number.as_f64().filter(|float| float.is_finite())?;
    // Above 2^53 a float no longer identifies one integer.
    if number.is_f64() && float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0 {
        return Some(Number::from(float as i64));
    }
    Some(number)
}

fn date(field: &Field, given: &Value) -> Result<Value, String> {
    let Some(day) = given.as_str().map(str::trim).filter(|day| is_date(day)) else {
        let given = shown(given);
        return Err(format!(
            "is {given}; give a day that exists, written YYYY-MM-DD"
        ));
    };
    let value = Value::from(day);
    within(field, &value)?;
    Ok(value)
}

fn within(field: &Field, value: &Value) -> Result<(), String> {
    if let Some(min) = &field.min
        && compare(value, min).is_some_and(Ordering::is_lt)
    {
        return Err(format!("is {}; give at least {}", shown(value), shown(min)));
    }
    if let Some(max) = &field.max
        && compare(value, max).is_some_and(Ordering::is_gt)
    {
        return Err(format!("is {}; give at most {}", shown(value), shown(max)));
    }
    Ok(())
}

/// Compares two numbers, or two days, whose order is that of their text.
pub(crate) fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (Value::Number(a), Value::Number(b)) => match (a.as_i128(), b.as_i128()) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
        },
        _ => None,
    }
}

fn one(field: &Field, given: &Value) -> Result<Option<String>, String> {
    let text = match given {
        // An option can begin or end with white space; free text is trimmed.
        Value::String(text) if find(field, text).is_some() => text.clone(),
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(yes) if field.control == Control::Confirm => {
            // Only if an option is "yes" or "no": `true` must not press "Cancel".
            let word = if *yes { "yes" } else { "no" };
            let mut choices = field.choices().iter();
            match choices.find(|choice| choice.value.eq_ignore_ascii_case(word)) {
                Some(choice) => choice.value.clone(),
                None => return Err(not_offered(field, given)),
            }
        }
        _ => return Err(not_offered(field, given)),
    };
    if text.is_empty() {
        return Ok(None);
    }
    match find(field, &text) {
        Some(choice) if choice.disabled == Some(true) => {
            let (text, options) = (quoted(&text), choosable(field));
            Err(format!(
                "is {text}, which cannot be chosen now; choose one of {options}"
            ))
        }
        None if field.other == Some(true) => not_too_long(&text).map(|()| Some(text)),
        None => Err(not_offered(field, given)),
        Some(_) => Ok(Some(text)),
    }
}

fn several(field: &Field, given: &Value) -> Result<Option<Value>, String> {
    let parts = match given {
        Value::Array(given) if given.len() > MAX_OPTIONS => {
            let count = given.len();
            return Err(format!("has {count} values; give at most {MAX_OPTIONS}"));
        }
        Value::Array(given) => given.clone(),
        Value::String(text) => split(field, text)?,
        other => vec![other.clone()],
    };
    let mut chosen: Vec<String> = Vec::new();
    for part in &parts {
        match one(field, part)? {
            Some(text) if !chosen.contains(&text) => chosen.push(text),
            _ => {}
        }
    }
    // In the order of the options, free text last.
    let place = |text: &String| {
        let mut choices = field.choices().iter();
        choices
            .position(|choice| choice.value == *text)
            .unwrap_or(usize::MAX)
    };
    chosen.sort_by_key(place);
    Ok((!chosen.is_empty()).then(|| chosen.into()))
}

/// Splits options joined with the separator, if that is possible in one way only.
fn split(field: &Field, text: &str) -> Result<Vec<Value>, String> {
    let whole = vec![Value::from(text)];
    let choices = field.choices().iter();
    let longest = choices.map(|choice| choice.value.len() + SEPARATOR.len());
    if text.len() > longest.sum() {
        return Ok(whole);
    }
    // For each offset where an option can end: the number of ways to reach it, saturating, and the
    // last option of one of them.
    let mut reached = vec![(0u8, ""); text.len() + 1];
    for start in 0..text.len() {
        let ways = if start == 0 { 1 } else { reached[start].0 };
        let from = match start {
            0 => Some(text),
            _ if ways > 0 => text[start..].strip_prefix(SEPARATOR),
            _ => None,
        };
        let Some(rest) = from else { continue };
        for choice in field.choices() {
            if rest.starts_with(&choice.value) {
                let end = text.len() - rest.len() + choice.value.len();
                reached[end].0 = reached[end].0.saturating_add(ways);
                reached[end].1 = &choice.value;
            }
        }
    }
    match reached[text.len()].0 {
        0 => Ok(whole),
        1 => {
            let mut parts = Vec::new();
            let mut end = text.len();
            while end > 0 {
                let value = reached[end].1;
                parts.push(Value::from(value));
                end = (end - value.len()).saturating_sub(SEPARATOR.len());
            }
            Ok(parts)
        }
        _ => Err(format!(
            "is {}, which can be read in several ways; give an array of options",
            quoted(text)
        )),
    }
}

fn find<'a>(field: &'a Field, text: &str) -> Option<&'a Choice> {
    field.choices().iter().find(|choice| choice.value == text)
}

fn not_offered(field: &Field, given: &Value) -> String {
    let own = match field.other {
        Some(true) => ", or give text of your own",
        _ => "",
    };
    let (given, options) = (shown(given), choosable(field));
    format!("is {given}, which is not an option; choose one of {options}{own}")
}

/// Lists the options that can be chosen.
fn choosable(field: &Field) -> String {
    let choices = field.choices().iter();
    let open = choices.filter(|choice| choice.disabled != Some(true));
    let named: Vec<_> = open.map(|choice| quoted(&choice.value)).collect();
    named.join(", ")
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
        plain => plain.to_string(),
    }
}

/// Quotes untrusted text for a message. The text cannot end its own quotation.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", escape_short(text, 60).replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(field: &Field, given: Value) -> Result<Option<Value>, String> {
        value(field, Some(&given))
    }

    fn accepts(field: &Field, given: Value, answer: Value) {
        assert_eq!(check(field, given), Ok(Some(answer)));
    }

    fn refuses(field: &Field, given: Value) -> String {
        check(field, given).expect_err("does not fit")
    }

    #[test]
    fn value_that_was_not_offered_is_refused() {
        let field = Field::select("f").options(["a", "b"]);
        assert_eq!(
            refuses(&field, json!("c")),
            r#"is "c", which is not an option; choose one of "a", "b""#
        );
        refuses(&field, json!(["a"]));
        refuses(&field, json!(true));
        refuses(&Field::checkbox("f").options(["a"]), json!(["a", "c"]));
    }

    #[test]
    fn free_text_is_accepted_where_allowed_and_trimmed() {
        let field = Field::radio("f").options(["a"]).other(true);
        accepts(&field, json!("  mine "), json!("mine"));
        assert_eq!(check(&field, json!("  ")), Ok(None));
        refuses(&field, json!({}));
        let spaced = Field::radio("f").options([" a", "a"]).other(true);
        accepts(&spaced, json!(" a"), json!(" a"));
        accepts(&spaced, json!("a "), json!("a"));
        let many = Field::checkbox("f").options(["a", "b"]).other(true);
        accepts(&many, json!(["x, y", "b", "b"]), json!(["b", "x, y"]));
    }

    #[test]
    fn disabled_option_cannot_be_chosen_even_as_free_text() {
        let options = [Choice::new("a").disabled(true), Choice::new("b")];
        let field = Field::select("f").options(options).other(true);
        assert!(refuses(&field, json!("a")).contains("cannot be chosen"));
    }

    #[test]
    fn joined_options_are_read_where_that_is_unambiguous() {
        let plain = Field::checkbox("f").options(["a", "b", "c"]);
        accepts(&plain, json!("c, a"), json!(["a", "c"]));
        accepts(&plain, json!("b"), json!(["b"]));
        refuses(&plain, json!("a,b"));
        refuses(&plain, json!("a, d"));
        let commas = Field::checkbox("f").options(["a", "b", "a, b", "Oslo, Norway"]);
        accepts(
            &commas,
            json!("Oslo, Norway, a"),
            json!(["a", "Oslo, Norway"]),
        );
        assert!(refuses(&commas, json!("a, b")).contains("array"));
        accepts(&commas, json!(["a, b"]), json!(["a, b"]));
    }

    #[test]
    fn yes_and_no_may_be_true_and_false() {
        let field = Field::confirm("f").options(["Yes", "No"]);
        accepts(&field, json!(true), json!("Yes"));
        accepts(&field, json!(false), json!("No"));
        accepts(&field, json!("No"), json!("No"));
        refuses(
            &Field::confirm("f").options(["Cancel", "Send"]),
            json!(true),
        );
    }

    #[test]
    fn numbers_are_numbers_within_their_bounds() {
        let field = Field::number("f").min(1).max(14);
        accepts(&field, json!(3.5), json!(3.5));
        accepts(&field, json!(" 12 "), json!(12));
        accepts(&field, json!("3.0"), json!(3));
        for wrong in [
            json!("twelve"),
            json!("0x3"),
            json!("1e999"),
            json!([3]),
            json!(true),
        ] {
            assert!(refuses(&field, wrong).contains("give a number"));
        }
        assert_eq!(refuses(&field, json!(15)), "is 15; give at most 14");
        assert_eq!(refuses(&field, json!("0")), "is 0; give at least 1");
        let whole = Field::number("f").integer(true);
        accepts(&whole, json!(3.0), json!(3));
        refuses(&whole, json!(3.5));
        let huge = Field::number("f").max(u64::MAX - 1);
        refuses(&huge, json!(u64::MAX));
    }

    #[test]
    fn days_must_exist_and_lie_within_their_bounds() {
        let field = Field::date("f").min("2024-02-01").max("2024-02-29");
        accepts(&field, json!("2024-02-29"), json!("2024-02-29"));
        for wrong in [
            "2023-02-29",
            "2024-2-1",
            "29.02.2024",
            "2024-02-29T00:00:00Z",
            "2024-03-01",
        ] {
            refuses(&field, json!(wrong));
        }
    }

    #[test]
    fn text_is_kept_as_typed_within_its_length() {
        let field = Field::text("f").min(2).max(3).pattern("^never run$");
        accepts(&field, json!(" é"), json!(" é"));
        refuses(&field, json!("a"));
        refuses(&field, json!("abcd"));
        refuses(&field, json!(12));
        refuses(&Field::textarea("f"), json!("a".repeat(MAX_TEXT + 1)));
        accepts(&Field::secret("f"), json!(" "), json!(" "));
    }

    #[test]
    fn quotes_are_escaped_and_cut() {
        assert_eq!(quoted("a\u{1b}\"\n"), r#""a\u{1b}\"\n""#);
        assert_eq!(quoted(&"é".repeat(61)), format!("\"{}…\"", "é".repeat(60)));
        let field = Field::select("f").options(["a"]);
        assert!(refuses(&field, json!("z".repeat(10_000))).len() < 200);
    }
}

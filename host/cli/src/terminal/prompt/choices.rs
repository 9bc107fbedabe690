//! Interprets what is typed where a question has options, and explains it where it is none of them.
//!
//! `Question::check` alone decides what is valid. This module finds the option that is meant, and says
//! what is wrong in the words on the screen: labels, and never the values behind them.

use crate::suggest::listed;
use footlight_render::filter;
use footlight_vocabulary::answer::AnswerError;
use footlight_vocabulary::question::{Choice, Control, Field, Question};
use serde_json::{Map, Value};

/// How many options an explanation names.
const MAX_NAMED: usize = 8;

/// What typed text means.
#[derive(Debug, PartialEq)]
enum Meaning<'a> {
    One(&'a Choice),
    /// The beginning of the names of several options.
    Several(Vec<&'a Choice>),
    None,
}

/// Interprets typed text as a value.
pub(super) fn chosen(field: &Field, text: &str) -> Value {
    if !field.control.has_options() {
        return text.into();
    }
    if !field.is_multiple() {
        return pick(field, text).into();
    }
    // The name of an option may contain a comma.
    if named(field, text).is_some() {
        return Value::Array(vec![pick(field, text).into()]);
    }
    let parts = text.split(',').filter(|part| !part.trim().is_empty());
    parts.map(|part| Value::from(pick(field, part))).collect()
}

/// Returns the value of the option that is meant, else the text itself.
fn pick(field: &Field, text: &str) -> String {
    match meaning(field, text) {
        Meaning::One(choice) => choice.value.clone(),
        Meaning::Several(_) | Meaning::None => text.trim().to_owned(),
    }
}

/// Finds an option by its value, its label, its number or the beginning of its name.
fn meaning<'a>(field: &'a Field, text: &str) -> Meaning<'a> {
    if let Some(choice) = named(field, text) {
        return Meaning::One(choice);
    }
    let choices = field.choices();
    let text = text.trim();
    let number = text.parse::<usize>().ok().filter(|_| is_numbered(field));
    if let Some(choice) = number.and_then(|number| choices.get(number.checked_sub(1)?)) {
        return Meaning::One(choice);
    }
    // Where any text is an answer, the beginning of a name is one of its own.
    if text.is_empty() || field.other == Some(true) {
        return Meaning::None;
    }
    let begun = |name: &str| name.trim().to_lowercase().starts_with(&text.to_lowercase());
    let by_label = choices.iter().filter(|choice| begun(choice.shown()));
    let mut found: Vec<&Choice> = by_label.collect();
    if found.is_empty() {
        let by_value = choices.iter().filter(|choice| begun(&choice.value));
        found = by_value.collect();
    }
    match found.as_slice() {
        [] => Meaning::None,
        [only] => Meaning::One(only),
        _ => Meaning::Several(found),
    }
}

/// Finds an option by its whole name.
fn named<'a>(field: &'a Field, text: &str) -> Option<&'a Choice> {
    let choices = || field.choices().iter();
    let text = text.trim();
    let alike = |known: &str| known.trim().to_lowercase() == text.to_lowercase();
    choices()
        .find(|choice| choice.value.trim() == text)
        .or_else(|| choices().find(|choice| choice.shown().trim() == text))
        .or_else(|| choices().find(|choice| alike(&choice.value) || alike(choice.shown())))
}

/// Reports whether options are numbered: not if one is a number itself, nor for Yes and No.
pub(super) fn is_numbered(field: &Field) -> bool {
    let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
    let odd = |choice: &Choice| is_number(&choice.value) || is_number(choice.shown());
    field.control != Control::Confirm && !field.choices().iter().any(odd)
}

/// Returns why a value is invalid.
pub(super) fn problem(field: &Field, value: &Value) -> Option<String> {
    let alone = Question::new("").field(field.clone());
    let given = Map::from_iter([(field.name.clone(), value.clone())]);
    let error = alone.check(Value::Object(given)).err()?;
    let problem = match &error {
        _ if field.control.has_options() => option_problem(field, value),
        AnswerError::Field { problem, .. } => {
            let label = field.label.as_ref().unwrap_or(&field.name);
            Some(format!("the answer to \"{label}\" {problem}"))
        }
        AnswerError::NotByField(_) | AnswerError::UnknownField { .. } => None,
    };
    let problem = problem.unwrap_or_else(|| error.to_string());
    Some(filter::line(&problem, 600))
}

/// Says which of the chosen options is none; none if something else is wrong.
fn option_problem(field: &Field, value: &Value) -> Option<String> {
    let texts: Vec<&str> = match value {
        Value::Array(values) => values.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect(),
    };
    if texts.iter().all(|text| text.trim().is_empty()) {
        let some = if field.is_multiple() { "at least " } else { "" };
        return Some(format!("choose {some}one of {}", labels(field.choices())));
    }
    let problem = |text: &&str| match meaning(field, text) {
        Meaning::One(choice) if choice.disabled == Some(true) => {
            let shown = choice.shown();
            let open = labels(field.choices());
            Some(format!(
                "\"{shown}\" cannot be chosen now; choose one of {open}"
            ))
        }
        Meaning::Several(found) => {
            let found = found.into_iter();
            let many = listed(found.map(|choice| quoted(choice.shown())), MAX_NAMED);
            Some(format!(
                "\"{text}\" begins the names of several options: {many}"
            ))
        }
        Meaning::None if field.other != Some(true) => {
            let all = labels(field.choices());
            Some(format!("\"{text}\" is none of the options {all}"))
        }
        Meaning::One(_) | Meaning::None => None,
    };
    texts.iter().find_map(problem)
}

/// Lists the labels of the options that can be chosen.
fn labels(choices: &[Choice]) -> String {
    let open = choices.iter();
    let open = open.filter(|choice| choice.disabled != Some(true));
    listed(open.map(|choice| quoted(choice.shown())), MAX_NAMED)
}

fn quoted(label: &str) -> String {
    format!("\"{}\"", filter::line(label, 60))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn towns() -> Field {
        Field::select("place").label("Town").options([
            Choice::new("s-ma").label("Springfield, MA"),
            Choice::new("s-il").label("Springfield, IL"),
            Choice::new("oslo").label("Oslo"),
            Choice::new("closed").label("Bergen").disabled(true),
        ])
    }

    #[test]
    fn an_option_is_found_by_its_number_and_by_a_beginning_that_is_its_own() {
        let towns = towns();
        for (text, value) in [
            ("3", "oslo"),
            ("o", "oslo"),
            (" OS ", "oslo"),
            ("springfield, i", "s-il"),
            ("s-m", "s-ma"),
            ("Springfield, MA", "s-ma"),
            // None of them, and too many of them.
            ("5", "5"),
            ("Spr", "Spr"),
            ("", ""),
        ] {
            assert_eq!(chosen(&towns, text), value, "{text:?}");
        }
        let own = towns.other(true);
        assert_eq!(chosen(&own, "Os"), "Os", "a town of this name");
        assert_eq!(chosen(&own, "oslo"), "oslo");
        let many = Field::checkbox("c").options(["Apples", "Pears", "Apricots"]);
        assert_eq!(chosen(&many, "p, ap, 1"), json!(["Pears", "ap", "Apples"]));
    }

    #[test]
    fn a_whole_name_is_meant_before_the_beginning_of_another() {
        let field = Field::select("n").options(["10", "1", "100"]);
        assert_eq!(chosen(&field, "1"), "1");
        assert_eq!(chosen(&field, "10"), "10");
        let field = Field::select("n").options(["Yes", "Yes, and always"]);
        assert_eq!(chosen(&field, "yes"), "Yes");
    }

    #[test]
    fn what_is_wrong_is_said_in_labels() {
        let towns = towns();
        for (text, expected) in [
            (
                "Rome",
                r#""Rome" is none of the options "Springfield, MA", "Springfield, IL", "Oslo""#,
            ),
            (
                "spr",
                r#""spr" begins the names of several options: "Springfield, MA", "Springfield, IL""#,
            ),
            (
                "berg",
                r#""Bergen" cannot be chosen now; choose one of "Springfield, MA", "Springfield, IL", "Oslo""#,
            ),
            (
                "",
                r#"choose one of "Springfield, MA", "Springfield, IL", "Oslo""#,
            ),
        ] {
            let value = chosen(&towns, text);
            assert_eq!(problem(&towns, &value).as_deref(), Some(expected), "{text}");
        }
        let days = Field::number("n").label("How many days?").max(14);
        assert_eq!(
            problem(&days, &json!("15")).as_deref(),
            Some(r#"the answer to "How many days?" is 15; give at most 14"#)
        );
        let many = Field::select("n").options((0..100).map(|n| format!("option {n}")));
        let said = problem(&many, &json!("x")).expect("is none");
        assert!(said.ends_with(r#""option 7" and 92 more"#), "{said}");
    }

    #[test]
    fn hostile_labels_stay_on_one_line() {
        let field = Field::select("n").options(["a\u{1b}[2J\nb", "c"]);
        let said = problem(&field, &json!("x")).expect("is none");
        assert!(!said.contains(char::is_control), "{said:?}");
    }
}

//! What a question from outside must be, and what is made of it.

use super::*;
use crate::item::tests::arbitrary::{any_json, any_object};
use proptest::prelude::*;

fn parse(fields: Value) -> Question {
    Question::parse("Well?", fields).expect("a question")
}

fn refusal(fields: Value) -> String {
    Question::parse("Well?", fields)
        .expect_err("not a question")
        .to_string()
}

fn written(question: &Question) -> Value {
    serde_json::to_value(&question.fields).expect("serialises")
}

#[test]
fn blank_prompt_is_refused_with_the_promised_message() {
    for prompt in ["", " \n\t", "\u{a0}"] {
        let error = Question::parse(prompt, Value::Null).expect_err("blank");
        assert_eq!(
            error.to_string(),
            "'prompt' (or 'text') is required for ask action"
        );
    }
}

#[test]
fn question_without_fields_is_yes_or_no() {
    for none in [Value::Null, json!([])] {
        assert_eq!(
            written(&parse(none)),
            json!([{ "name": "answer", "type": "confirm", "options": ["Yes", "No"] }])
        );
    }
}

#[test]
fn confirm_keeps_the_options_it_has() {
    let own = json!([{ "name": "a", "type": "confirm", "options": ["Send", "Stop"] }]);
    assert_eq!(written(&parse(own.clone())), own);
    let none = parse(json!([{ "type": "confirm", "options": [], "multiple": true }]));
    assert_eq!(none.fields[0].choices().len(), 2);
    assert_eq!(none.fields[0].multiple, None);
}

#[test]
fn lists_without_options_are_refused() {
    for control in ["buttons", "select", "radio", "checkbox"] {
        for options in [json!([]), Value::Null] {
            let message = refusal(json!([{ "type": control, "options": options }]));
            assert_eq!(message, "field \"answer\" needs `options`");
        }
    }
}

#[test]
fn unknown_control_is_refused_and_the_known_ones_are_named() {
    let message = refusal(json!([{ "type": "slider" }]));
    assert!(message.contains("\"slider\""), "{message}");
    for word in Control::KNOWN {
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn fields_without_a_name_are_given_one() {
    let question = parse(
        json!([{ "type": "text" }, { "name": "field1", "type": "text" }, { "type": "date" }]),
    );
    let names: Vec<_> = question.fields.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["field1_", "field1", "field3"]);
    assert_eq!(parse(json!([{ "type": "text" }])).fields[0].name, "answer");
}

#[test]
fn names_are_unique_and_plain() {
    assert!(
        refusal(json!([{ "name": "a", "type": "text" }, { "name": "a", "type": "text" }]))
            .contains("another field")
    );
    assert!(refusal(json!([{ "name": "a b", "type": "text" }])).contains("letters"));
    assert!(is_field_name("address.street-1") && is_field_name("_x"));
    assert!(!is_field_name("1a") && !is_field_name("") && !is_field_name(&"a".repeat(65)));
}

#[test]
fn sizes_are_bounded() {
    assert_eq!(
        Question::parse(&"a".repeat(MAX_PROMPT + 1), Value::Null),
        Err(QuestionError::LongPrompt(MAX_PROMPT + 1))
    );
    let many = vec![json!({ "type": "text" }); MAX_FIELDS + 1];
    assert!(refusal(many.into()).contains("at most 20"));
    let options: Vec<_> = (0..=MAX_OPTIONS).map(|n| n.to_string()).collect();
    assert!(refusal(json!([{ "type": "select", "options": options }])).contains("201"));
}

#[test]
fn options_must_be_distinct_and_choosable() {
    let select = |options: Value| json!([{ "type": "select", "options": options }]);
    assert!(refusal(select(json!(["a", { "label": "a" }]))).contains("twice"));
    assert!(refusal(select(json!([" "]))).contains("blank"));
    assert!(refusal(select(json!([{ "value": "a", "disabled": true }]))).contains("no option"));
}

#[test]
fn default_must_be_an_answer_to_the_field() {
    let message = refusal(json!([{ "type": "select", "options": ["a"], "default": "b" }]));
    assert!(message.contains("`default`"), "{message}");
    let many = parse(json!([{ "type": "checkbox", "options": ["a", "b"], "default": "b" }]));
    assert_eq!(many.fields[0].default, Some(json!(["b"])));
    let secret = refusal(json!([{ "type": "secret", "default": "hunter2" }]));
    assert!(!secret.contains("hunter2"), "{secret}");
}

#[test]
fn bounds_must_fit_the_control_and_each_other() {
    assert!(refusal(json!([{ "type": "number", "min": 3, "max": 2 }])).contains("above"));
    assert!(
        refusal(json!([{ "type": "date", "min": "2026-02-02", "max": "2026-02-01" }]))
            .contains("above")
    );
    assert!(refusal(json!([{ "type": "date", "min": "2026-02-30" }])).contains("YYYY-MM-DD"));
    assert!(refusal(json!([{ "type": "text", "max": "x" }])).contains("characters"));
    assert!(refusal(json!([{ "type": "select", "options": ["a"], "min": 1 }])).contains("cannot"));
}

#[test]
fn wrong_member_is_named() {
    let message = refusal(json!([{ "type": "text", "label": 3 }]));
    assert!(message.contains("`label`"), "{message}");
    let message = refusal(json!([{ "type": "select", "options": [{}] }]));
    assert!(message.contains("`options`"), "{message}");
}

#[test]
fn text_replaces_a_missing_prompt_of_the_model() {
    let prompt = |input: Value| Question::from_model(input).map(|question| question.prompt);
    assert_eq!(prompt(json!({ "text": "T" })), Ok("T".into()));
    assert_eq!(
        prompt(json!({ "text": "T", "prompt": "P" })),
        Ok("P".into())
    );
    assert_eq!(
        prompt(json!({ "text": "T", "prompt": " " })),
        Ok("T".into())
    );
    assert_eq!(prompt(json!({ "prompt": 3 })), Err(QuestionError::NoPrompt));
    assert_eq!(prompt(json!([])), Err(QuestionError::NoPrompt));
    let asked = Question::from_model(json!({ "prompt": "P", "widgets": [{ "type": "text" }] }));
    assert_eq!(asked.expect("a question").fields[0].control, Control::Text);
}

proptest! {
    #[test]
    fn reading_never_panics_and_what_it_accepts_is_accepted_again(
        fields in prop::collection::vec(any_object(), 0..4),
        whole in any_json(),
    ) {
        let _ = Question::from_model(whole.clone());
        let _ = Question::parse("p", whole);
        if let Ok(question) = Question::parse("p", fields.into()) {
            prop_assert_eq!(Question::parse("p", written(&question)), Ok(question));
        }
    }
}

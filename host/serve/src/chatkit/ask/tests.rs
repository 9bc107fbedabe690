//! Tests of what a form's values answer.

use super::*;
use footlight_vocabulary::question::Field;

fn question(fields: impl IntoIterator<Item = Field>) -> Question {
    let fields: Vec<Field> = fields.into_iter().collect();
    Question::parse("Well?", json!(fields)).expect("a question")
}

fn given(question: &Question, payload: Value) -> Option<Value> {
    let payload = payload.as_object().expect("an object");
    answer(question, None, payload)
}

#[test]
fn each_control_is_read_from_its_own_component() {
    let question = question([
        Field::select("city").options(["Oslo", "Bergen"]),
        Field::checkbox("plays").options(["a", "b", "c"]),
        Field::radio("seat").options(["box"]).other(true),
        Field::number("n"),
        Field::text("name").required(false),
        Field::secret("pin"),
    ]);
    let payload = json!({ "f0": "1", "f1_0": true, "f1_1": false, "f1_2": true, "f2": "0",
        "f2_other": "roof", "f3": "12", "f4": "", "f5": "1234", "city": "Paris", "extra": 1 });
    let answer = given(&question, payload).expect("an answer");
    assert_eq!(
        answer,
        json!({ "city": "Bergen", "plays": ["a", "c"], "seat": "roof", "n": "12", "pin": "1234" })
    );
    assert!(question.check(answer).is_ok());
}

#[test]
fn an_option_that_is_not_there_is_no_answer() {
    let question = question([Field::confirm("sure")]);
    assert_eq!(
        answer(&question, Some(0), &Map::new()),
        Some(json!({ "sure": "Yes" }))
    );
    assert_eq!(answer(&question, Some(2), &Map::new()), None);
    for wrong in ["7", "-1", "Yes", "0x0"] {
        assert_eq!(given(&question, json!({ "f0": wrong })), None, "{wrong}");
    }
}

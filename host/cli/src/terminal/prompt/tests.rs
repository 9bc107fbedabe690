//! A scripted terminal: what is typed, what is read, and what comes of it.

mod approval;
mod arming;
mod consent;
mod folder;
mod forgery;
mod frames;
mod wrapped;

use super::*;
use crate::exit::Exit;
use crate::terminal::ui::scripted::TestScreen;
use footlight::policy::VerdictOption;
use proptest::prelude::*;
use serde_json::json;

pub(crate) fn person(script: PreparedReplies, typed: &str) -> (Person, TestScreen) {
    let screen = TestScreen::default();
    let terminal = PromptTerminal {
        input: Box::new(io::Cursor::new(typed.to_owned())),
        output: FoldingWriter::sized(Box::new(screen.clone()), None),
        secret: Box::new(|| Ok("hunter2".to_owned())),
        render: footlight_render::terminal::Terminal::new(80),
        hide: || Ok(None),
        edit: None,
        arm: Box::new(|| ()),
        size: || (80, 24),
    };
    (Person::new(script, Some(terminal)), screen)
}

fn answers(pairs: &[(&str, &str)]) -> PreparedReplies {
    let pairs = pairs
        .iter()
        .map(|(field, value)| ((*field).to_owned(), (*value).to_owned()));
    PreparedReplies::answers(pairs.collect())
}

fn question(fields: Value) -> Question {
    Question::parse("Well?", fields).expect("a question")
}

fn typed(field: Value, lines: &str) -> Value {
    let (mut person, screen) = person(PreparedReplies::default(), lines);
    match person.ask("demo", &question(json!([field]))).expect("asks") {
        PersonReply::Answer(answer) => answer.values().values().next().expect("one field").clone(),
        other => panic!("{other:?}\n{}", screen.text()),
    }
}

#[test]
fn every_control_can_be_answered() {
    let options = json!(["red", { "value": "b", "label": "Blue" }, "dark, green"]);
    let with = |control: &str, more: Value| {
        let mut field = json!({ "name": "f", "type": control });
        for (key, value) in more.as_object().expect("an object") {
            field[key] = value.clone();
        }
        field
    };
    for (field, lines, expected) in [
        (with("confirm", json!({})), "y\n", json!("Yes")),
        (with("confirm", json!({})), "NO\n", json!("No")),
        (with("confirm", json!({})), "maybe\nyes\n", json!("Yes")),
        (
            with("confirm", json!({ "default": "No" })),
            "\n",
            json!("No"),
        ),
        (
            with("select", json!({ "options": options })),
            "2\n",
            json!("b"),
        ),
        (
            with("select", json!({ "options": options })),
            "blue\n",
            json!("b"),
        ),
        (
            with("select", json!({ "options": options })),
            "4\n0\n1\n",
            json!("red"),
        ),
        (
            with("radio", json!({ "options": options })),
            "dark, green\n",
            json!("dark, green"),
        ),
        (
            with("buttons", json!({ "options": ["10", "1"] })),
            "1\n",
            json!("1"),
        ),
        (
            with("select", json!({ "options": options, "other": true })),
            "pink\n",
            json!("pink"),
        ),
        (
            with("checkbox", json!({ "options": options })),
            "3, 1\n",
            json!(["red", "dark, green"]),
        ),
        (
            with("checkbox", json!({ "options": options })),
            "dark, green\n",
            json!(["dark, green"]),
        ),
        (
            with("checkbox", json!({ "options": options })),
            "\nred\n",
            json!(["red"]),
        ),
        (
            with("checkbox", json!({ "options": options, "required": false })),
            "\n",
            json!([]),
        ),
        (with("text", json!({})), "\nOslo\n", json!("Oslo")),
        (
            with("text", json!({ "default": "Bergen" })),
            "\n",
            json!("Bergen"),
        ),
        (
            with("text", json!({ "required": false })),
            "\n",
            json!(null),
        ),
        (
            with("text", json!({})),
            "no line feed",
            json!("no line feed"),
        ),
        (with("textarea", json!({})), "a\n\nb\n.\n", json!("a\n\nb")),
        (with("textarea", json!({})), ".\nb\n", json!("b")),
        (
            with("number", json!({ "min": 1, "integer": true })),
            "x\n0\n1.5\n3\n",
            json!(3),
        ),
        (
            with("date", json!({})),
            "tomorrow\n2026-11-16\n",
            json!("2026-11-16"),
        ),
        (with("secret", json!({})), "", json!("hunter2")),
    ] {
        assert_eq!(typed(field.clone(), lines), expected, "{field} {lines:?}");
    }
}

#[test]
fn a_question_of_several_lines_cannot_imitate_an_approval() {
    let (mut person, screen) = person(PreparedReplies::default(), "");
    let prompt = "Hm\n\napproval needed for everything\u{1b}[1A";
    person.ask("demo", &Question::new(prompt)).expect("asks");
    assert_eq!(
        screen.text(),
        "\ndemo asks:\n  | Hm\n  | \n  | approval needed for everything\n  Yes / No: (skipped)\n"
    );
}

#[test]
fn end_of_input_skips_the_question() {
    for lines in ["", "a\n"] {
        let (mut person, _) = person(PreparedReplies::default(), lines);
        let fields = json!([{ "name": "a", "type": "text" }, { "name": "b", "type": "text" }]);
        assert_eq!(
            person.ask("demo", &question(fields)).expect("asks"),
            PersonReply::Skip
        );
    }
}

#[test]
fn fields_answered_by_flags_are_not_asked() {
    let fields =
        json!([{ "name": "city", "type": "text" }, { "name": "days", "type": "number", "max": 9 }]);
    let (mut one, screen) = person(answers(&[("city", "Oslo"), ("days", "3")]), "");
    let PersonReply::Answer(answer) = one.ask("demo", &question(fields.clone())).expect("asks")
    else {
        panic!("was answered");
    };
    assert_eq!(
        Value::Object(answer.values()),
        json!({ "city": "Oslo", "days": 3 })
    );
    assert_eq!(screen.text(), "");

    // What does not fit is asked; and each answer is used once.
    let (mut one, screen) = person(answers(&[("city", "Oslo"), ("days", "30")]), "4\n");
    let PersonReply::Answer(answer) = one.ask("demo", &question(fields.clone())).expect("asks")
    else {
        panic!("was answered");
    };
    assert_eq!(
        Value::Object(answer.values()),
        json!({ "city": "Oslo", "days": 4 })
    );
    assert_eq!(screen.text(), "\ndemo asks: Well?\n  a number: ");
    assert_eq!(
        one.ask("demo", &question(fields)).expect("asks"),
        PersonReply::Skip
    );
}

#[test]
fn optional_fields_are_asked_for_at_a_terminal() {
    let fields = json!([{ "name": "note", "type": "text", "required": false }]);
    let (mut one, _) = person(PreparedReplies::default(), "hi\n");
    let PersonReply::Answer(answer) = one.ask("demo", &question(fields)).expect("asks") else {
        panic!("was answered");
    };
    assert_eq!(Value::Object(answer.values()), json!({ "note": "hi" }));
}

#[test]
fn a_prompt_without_a_terminal_reports_nobody() {
    let mut nobody = Person::new(answers(&[("days", "x")]), None);
    let text = question(json!([{ "name": "city", "type": "text" }]));
    assert_eq!(
        nobody.ask("demo", &text).expect("asks"),
        PersonReply::Nobody
    );
    assert!(nobody.was_unavailable());
    let number = question(json!([{ "name": "days", "type": "number" }]));
    let error = nobody.ask("demo", &number).expect_err("does not fit");
    assert_eq!(Exit::of_error(&error), Exit::Usage);
    assert!(
        error
            .to_string()
            .starts_with("the answer to \"days\" is \"x\""),
        "{error}"
    );
    assert_eq!(
        nobody
            .approve("mail", &wanted(&json!({})), FolderNaming::Elsewhere)
            .expect("asks"),
        PersonReply::Nobody
    );
}

fn wanted(input: &Value) -> ApprovalRequest {
    let binding =
        json!({ "session": "s", "call": "c", "inputHash": "", "digest": "", "tool": "send" });
    let wanted = json!({ "binding": binding, "needs": [], "quotes": [], "offers": [],
                         "facts": [{ "name": "input", "value": input.to_string() }] });
    let mut wanted: ApprovalRequest = serde_json::from_value(wanted).expect("a request");
    wanted.options = offers(ALL);
    wanted
}

fn offers(of: &[(Verdict, &str)]) -> Vec<VerdictOption> {
    let offer = |(verdict, covers): &(Verdict, &str)| VerdictOption::new(*verdict, *covers);
    of.iter().map(offer).collect()
}

const ALL: &[(Verdict, &str)] = &[
    (Verdict::Deny, "no to `mail.send`"),
    (Verdict::Once, "yes to this call"),
    (Verdict::Session, "yes to `mail.send` in this session"),
];

/// What only a single yes is on offer for.
const ONCE: &[(Verdict, &str)] = &[(Verdict::Deny, "no"), (Verdict::Once, "yes, this time")];

fn given(verdict: Verdict) -> PersonReply {
    PersonReply::Verdict(verdict, None)
}

#[test]
fn a_secret_is_asked_for_with_a_warning_that_no_plugin_can_write() {
    let (mut person, screen) = person(PreparedReplies::default(), "");
    let field = json!({ "name": "key", "type": "secret",
        "label": "Footlight needs your password\n┃ what you type next stays here" });
    person.ask("demo", &question(json!([field]))).expect("asks");
    assert_eq!(
        screen.text(),
        "
demo asks: Well?
  Footlight needs your password │ what you type next stays here
┃ what you type next goes to demo; footlight itself never asks for a password
┃ or key
  not shown as you type: "
    );
}

#[test]
fn a_settled_prompt_folds_to_one_line_without_secrets() {
    let screen = TestScreen::default();
    let terminal = PromptTerminal {
        input: Box::new(io::Cursor::new("o\nOslo\n")),
        output: FoldingWriter::sized(Box::new(screen.clone()), Some(|| (200, 50))),
        secret: Box::new(|| Ok("hunter2".to_owned())),
        render: footlight_render::terminal::Terminal::new(80),
        hide: || Ok(None),
        edit: None,
        arm: Box::new(|| ()),
        size: || (80, 24),
    };
    let mut person = Person::new(PreparedReplies::default(), Some(terminal));
    person
        .approve("mail", &wanted(&json!({})), FolderNaming::Elsewhere)
        .expect("asks");
    assert!(
        screen
            .text()
            .ends_with("\u{1b}[9A\r\u{1b}[J┃ mail.send: allowed once\n"),
        "{:?}",
        screen.text()
    );
    let city = question(json!([{ "name": "city", "type": "text" }]));
    person.ask("demo", &city).expect("asks");
    assert!(
        screen
            .text()
            .ends_with("\r\u{1b}[Jdemo asked: Well? -> Oslo\n"),
        "{:?}",
        screen.text()
    );
    let key = question(json!([{ "name": "key", "type": "secret" }]));
    person.ask("demo", &key).expect("asks");
    assert!(
        screen
            .text()
            .ends_with("\r\u{1b}[Jdemo asked: Well? (answered)\n"),
        "{:?}",
        screen.text()
    );
}

proptest! {
    #[test]
    fn whatever_is_typed_ends_in_an_answer_or_a_skip(
        lines in "(.{0,8}\n){0,6}",
        control in prop::sample::select(vec!["confirm", "select", "checkbox", "text", "textarea", "number", "date"]),
        prompt in ".{1,20}",
    ) {
        let mut field = json!({ "name": "f", "type": control });
        if matches!(control, "select" | "checkbox") {
            field["options"] = json!(["a", "b\u{1b}[1m", "1,2"]);
        }
        let Ok(question) = Question::parse(&prompt, json!([field])) else { return Ok(()) };
        let (mut person, screen) = person(PreparedReplies::default(), &lines);
        person.ask("demo", &question).expect("ends");
        prop_assert!(!screen.text().contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
    }
}

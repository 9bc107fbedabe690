//! Scripts: read, taken in order, matched, streamed.

mod recorded;

use super::*;
use crate::model::{
    Delta, Finished, Message, ModelPart, Part, Reason, Request, Tokens, ToolCall, ToolResult,
    ToolSpec,
};
use futures_util::FutureExt as _;
use proptest::prelude::*;
use serde_json::json;

fn text(text: &str) -> Vec<Part> {
    let text = text.to_owned();
    vec![Part::Text { text }]
}

fn person(said: &str) -> Message {
    let content = text(said);
    Message::Person { content }
}

fn model(said: &str) -> Message {
    let text = said.to_owned();
    Message::Model {
        parts: vec![ModelPart::Text { text }],
    }
}

fn results(said: &str) -> Message {
    let content = text(said);
    let (call, name) = ("1".to_owned(), "a__b".to_owned());
    Message::Results {
        results: vec![ToolResult {
            call,
            name,
            content,
            is_error: false,
        }],
    }
}

fn request(messages: Vec<Message>) -> Request {
    Request {
        messages: messages.into(),
        may_call: true,
        ..Request::default()
    }
}

fn script(yaml: &str) -> Script {
    Script::parse("test.yaml", yaml).expect("a script")
}

type Deltas = Vec<Result<Delta, ModelError>>;

/// Everything a step streams, if it never waits.
fn streamed(mut step: Step) -> Deltas {
    let mut deltas = Vec::new();
    while let Some(Some(delta)) = step.next().now_or_never() {
        deltas.push(delta);
    }
    deltas
}

fn played(script: &Script, messages: Vec<Message>) -> Deltas {
    streamed(script.step(request(messages)))
}

fn finished(deltas: Deltas) -> Finished {
    match deltas.into_iter().last() {
        Some(Ok(Delta::Finished(finished))) => finished,
        other => panic!("not finished: {other:?}"),
    }
}

/// What is said in answer to these messages, or the error.
fn says(script: &Script, messages: Vec<Message>) -> String {
    match played(script, messages).pop() {
        Some(Ok(Delta::Finished(finished))) => match finished.parts.first() {
            Some(ModelPart::Text { text }) => text.clone(),
            other => format!("{other:?}"),
        },
        Some(Err(error)) => error.to_string(),
        other => format!("{other:?}"),
    }
}

#[test]
fn reasoning_is_streamed_first_and_is_no_part_of_the_answer() {
    let script = script("steps: [{ reasoning: [Hm, '...'], text: Yes. }]");
    let deltas = played(&script, vec![person("?")]);
    let expected = [
        Delta::Reasoning("Hm".to_owned()),
        Delta::Reasoning("...".to_owned()),
        Delta::Text("Yes.".to_owned()),
        Delta::Finished(Finished::text("Yes.")),
    ];
    assert_eq!(deltas, expected.map(Ok));
}

#[test]
fn a_step_streams_its_pieces_its_calls_and_what_it_cost() {
    let script = script(
        r#"
steps:
  - text: ["Let me", " look."]
    calls:
      - tool: weather.forecast
        input: { city: Oslo, days: 3, when: 2026-05-04, home: yes }
      - tool: weather__compare
        arguments: '{"cities": ['
    finish: length
    usage: { input: 12, output: 3, cache_read: 4 }
"#,
    );
    let deltas = played(&script, vec![person("hi")]);
    assert_eq!(deltas[0], Ok(Delta::Text("Let me".to_owned())));
    assert_eq!(deltas[1], Ok(Delta::Text(" look.".to_owned())));
    assert_eq!(
        deltas[2],
        Ok(Delta::Calling("weather__forecast".to_owned()))
    );
    assert_eq!(deltas[3], Ok(Delta::Calling("weather__compare".to_owned())));
    let finished = finished(deltas);
    let call =
        |id: &str, name: &str, arguments: &str| ModelPart::Call(ToolCall::new(id, name, arguments));
    let input = json!({ "city": "Oslo", "days": 3, "when": "2026-05-04", "home": "yes" });
    assert_eq!(
        finished,
        Finished {
            parts: vec![
                ModelPart::Text {
                    text: "Let me look.".to_owned()
                },
                call("script-1-1", "weather__forecast", &input.to_string()),
                call("script-1-2", "weather__compare", "{\"cities\": ["),
            ],
            reason: Reason::Length,
            usage: Tokens {
                input: 12,
                output: 3,
                cache_read: 4,
                ..Tokens::default()
            },
        }
    );
}

#[test]
fn a_tool_that_is_offered_with_a_dot_keeps_it() {
    let script = script("steps: [{ calls: [{ tool: a.b }] }]");
    let mut request = request(vec![person("hi")]);
    request.tools.push(ToolSpec {
        name: "a.b".to_owned(),
        description: String::new(),
        input_schema: json!({}),
        examples: Vec::new(),
    });
    let parts = finished(streamed(script.step(request))).parts;
    assert!(
        matches!(&parts[0], ModelPart::Call(call) if call.name == "a.b" && call.arguments == "{}")
    );
}

#[test]
fn steps_are_taken_in_order_and_running_out_is_said() {
    let script = script("steps: [{ text: one }, { text: two }]");
    assert_eq!(script.name(), "script:test.yaml");
    let mut messages = vec![person("a")];
    assert_eq!(says(&script, messages.clone()), "one");
    messages.extend([model("one"), results("r")]);
    // The position comes from the messages, so another process says the same.
    assert_eq!(says(&script.clone(), messages.clone()), "two");
    messages.extend([model("two"), person("b")]);
    assert_eq!(
        says(&script, messages),
        "`script:test.yaml` has run out: its 2 steps in order were taken and no `when` matches; add a step"
    );
}

#[test]
fn a_step_that_failed_is_not_taken_again_in_the_next_turn() {
    let script = script("steps: [{ error: busy }, { text: two }]");
    assert_eq!(
        says(&script, vec![person("a")]),
        "the scripted model is busy; try again later"
    );
    assert_eq!(says(&script, vec![person("a"), person("b")]), "two");
    // A session sends prompts without an answer between them as one message.
    let both = Message::Person {
        content: ["a", "b"].map(text).concat(),
    };
    assert_eq!(says(&script, vec![both]), "two");
    // A turn that was given up before the model was asked takes nothing.
    let other = self::script("steps: [{ text: one }]");
    assert_eq!(says(&other, vec![person("a"), person("b")]), "one");
}

#[test]
fn a_press_takes_no_step() {
    let press = || {
        let mut call = ToolCall::new("act_1", "todo__done", "{}");
        call.pressed = true;
        let parts = vec![ModelPart::Call(call)];
        [
            person("[action:todo.done]"),
            Message::Model { parts },
            results("done"),
        ]
    };
    let script = script("steps: [{ text: one }, { error: busy }, { text: three }]");
    let mut messages = press().to_vec();
    messages.push(person("a"));
    assert_eq!(says(&script, messages.clone()), "one");
    messages.push(model("one"));
    messages.extend(press());
    messages.extend(press());
    messages.push(person("b"));
    let busy = "the scripted model is busy; try again later";
    assert_eq!(says(&script, messages.clone()), busy);
    // The step that failed is taken, with a press or without.
    messages.extend(press());
    messages.push(person("c"));
    assert_eq!(says(&script, messages), "three");
}

#[test]
fn a_step_with_when_is_taken_whenever_it_matches_and_counts_for_nothing() {
    let script = script(
        r#"
steps:
  - text: first
  - when: { user_contains: rain }
    text: wet
  - when: { user_contains: rain, tool_result_contains: sun }
    text: dry
  - when: { turn: 3 }
    text: third
  - text: second
"#,
    );
    assert_eq!(says(&script, vec![person("will it rain?")]), "wet");
    // Its own results do not bring it back.
    let mut messages = vec![person("will it rain?"), model("wet"), results("clouds")];
    assert_eq!(says(&script, messages.clone()), "first");
    messages[2] = results("sunny");
    assert_eq!(says(&script, messages.clone()), "dry");
    messages.extend([model("dry"), person("go on"), model("first"), results("r")]);
    assert_eq!(says(&script, messages.clone()), "second");
    messages.extend([model("second"), person("more")]);
    assert_eq!(says(&script, messages), "third");
}

#[test]
fn every_scripted_error_has_the_kind_of_its_name() {
    for (word, kind) in [
        ("busy", ModelErrorKind::Busy(None)),
        ("unreachable", ModelErrorKind::Unreachable),
        ("cut", ModelErrorKind::Unreachable),
        ("garbled", ModelErrorKind::Garbled),
        ("too_long", ModelErrorKind::TooLong),
        ("refused", ModelErrorKind::Refused),
        ("key", ModelErrorKind::Key),
    ] {
        let script = script(&format!("steps: [{{ error: {word} }}]"));
        let deltas = played(&script, vec![person("a")]);
        let Some(Err(error)) = deltas.last() else {
            panic!("{word}");
        };
        assert_eq!(error.kind, kind);
    }
}

#[test]
fn a_cut_comes_in_the_middle() {
    let script = script("steps: [{ text: [a, b], calls: [{ tool: x.y }], error: cut }]");
    let deltas = played(&script, vec![person("a")]);
    assert_eq!(deltas.len(), 4);
    assert_eq!(deltas[2], Ok(Delta::Calling("x__y".to_owned())));
    assert!(deltas[3].is_err());
}

#[tokio::test(start_paused = true)]
async fn a_delay_passes_before_anything_is_said() {
    let script = script("steps: [{ text: late, delay: 1500ms }]");
    let mut step = script.step(request(vec![person("a")]));
    let before = tokio::time::Instant::now();
    let next = step.next().await;
    assert_eq!(next, Some(Ok(Delta::Text("late".to_owned()))));
    assert_eq!(before.elapsed().as_millis(), 1500);
}

#[test]
fn what_is_wrong_is_refused_with_its_line() {
    for (yaml, problem) in [
        ("steps:\n  - text: a\n  - wehn: {}\n", "line 3"),
        (
            "steps:\n  - text: a\n    calls:\n      - tol: x\n",
            "line 4",
        ),
        ("steps:\n  - text: a\n    when: { usr: x }\n", "line 3"),
        ("steps:\n  - error: bussy\n", "line 2"),
        (
            "steps:\n  - text: a\n    delay: soon\n",
            "`soon` is no delay; write `50ms` or `2s`",
        ),
        ("steps:\n  - text: a\n    text: b\n", "line 3"),
        ("steps: [{}]", "step 1 is empty"),
        (
            "steps: [{ text: a, when: {} }]",
            "step 1 has an empty `when`",
        ),
        (
            "steps: [{ error: busy, finish: length }]",
            "both `error` and `finish`",
        ),
        (
            "steps: [{ calls: [{ tool: x, input: {}, arguments: '' }] }]",
            "both `input` and `arguments`",
        ),
        (
            "steps: [{ calls: [{ tool: x, input: { a: .inf } }] }]",
            "line 1",
        ),
        ("step: []", "line 1"),
        ("steps: 3", "line 1"),
        ("steps: [{ text: a, delay: 9999s }]", "at most 600s"),
    ] {
        let error = Script::parse("x.yaml", yaml).expect_err(yaml).to_string();
        assert!(
            error.starts_with("the script `x.yaml` cannot be used: "),
            "{error}"
        );
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn a_file_is_read_and_a_missing_one_is_named() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "steps: [{ text: hi }]").expect("written");
    let script = Script::load(file.path()).expect("a script");
    assert_eq!(script.steps[0].text, ["hi"]);
    let error = Script::load(file.path().with_extension("missing")).expect_err("none");
    assert!(error.to_string().contains(".missing` cannot be used"));
    let large = format!("steps: [{{ text: a }}] #{}", " ".repeat(Script::MAX_BYTES));
    std::fs::write(file.path(), large).expect("written");
    let error = Script::load(file.path()).expect_err("too large");
    assert!(error.to_string().contains("larger than"));
}

#[test]
fn a_bomb_of_aliases_is_refused() {
    let mut yaml = "steps:\n  - text: &a0 [x, x]\n".to_owned();
    for at in 1..30 {
        yaml.push_str(&format!(
            "  - calls: &a{at} [*a{0}, *a{0}, *a{0}, *a{0}]\n",
            at - 1
        ));
    }
    assert!(Script::parse("bomb.yaml", &yaml).is_err());
}

proptest! {
    #[test]
    fn any_text_is_a_script_or_refused(text in prop_oneof![
        "\\PC{0,200}",
        "(steps|text|calls|when|[:\\-&*!|>{}\\[\\],\"' \n]){0,60}",
    ]) {
        let _ = Script::parse("any.yaml", &text);
    }
}

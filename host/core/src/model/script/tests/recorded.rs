//! Scripts made from what a model said.

use super::*;

#[test]
fn what_was_recorded_is_written_readably() {
    let call = ToolCall::new("x", "weather__forecast", r#"{"city":"Oslo"}"#);
    let finished = Finished {
        parts: vec![
            ModelPart::Text {
                text: "Let me look.".to_owned(),
            },
            ModelPart::Call(call),
        ],
        reason: Reason::Filtered,
        usage: Tokens {
            input: 7,
            output: 2,
            ..Tokens::default()
        },
    };
    assert_eq!(
        Script::write([(&request(vec![person("hi")]), &finished)]),
        r#"steps:
  # turn 1
  - text: "Let me look."
    calls:
      - tool: "weather.forecast"
        input: {"city":"Oslo"}
    finish: filtered
    usage: { input: 7, cache_read: 0, cache_write: 0, output: 2, reasoning: 0 }
"#
    );
    assert_eq!(Script::write([]), "steps: []\n");
}

fn any_finished() -> impl Strategy<Value = Finished> {
    let any_text = || {
        prop_oneof![
            "\\PC{0,20}",
            ".{0,20}",
            any::<String>(),
            Just("null".to_owned()),
            Just("- a: b # c\n...\n---\t".to_owned()),
            Just("\u{feff}\u{85}\u{2028}\u{7f}\u{ffff}".to_owned())
        ]
    };
    let input = proptest::collection::vec(
        (
            any_text(),
            prop_oneof![
                any_text().prop_map(serde_json::Value::from),
                any::<i64>().prop_map(serde_json::Value::from),
                any::<u64>().prop_map(serde_json::Value::from),
                any::<f64>().prop_map(serde_json::Value::from),
                any::<bool>().prop_map(serde_json::Value::from),
                Just(json!([null, { "a": [] }])),
            ],
        ),
        0..4,
    );
    let input = input
        .prop_map(|members| serde_json::Value::Object(members.into_iter().collect()).to_string());
    let arguments = prop_oneof![input, any_text()];
    let name = prop_oneof![
        Just("a__b".to_owned()),
        Just("a.b__c".to_owned()),
        "[a-z_]{0,9}"
    ];
    let call = (name, arguments)
        .prop_map(|(name, arguments)| ModelPart::Call(ToolCall::new("", name, arguments)));
    let reason = prop_oneof![
        Just(Reason::Stop),
        Just(Reason::Length),
        Just(Reason::Filtered)
    ];
    let usage = any::<(u64, u64)>();
    (
        any_text(),
        proptest::collection::vec(call, 0..3),
        reason,
        usage,
    )
        .prop_map(|(text, calls, reason, (input, output))| {
            let text = (!text.is_empty()).then_some(ModelPart::Text { text });
            let usage = Tokens {
                input,
                output,
                ..Tokens::default()
            };
            Finished {
                parts: text.into_iter().chain(calls).collect(),
                reason,
                usage,
            }
        })
}

/// The same with what a script does not keep made alike: ids, and the spelling of an input.
fn comparable(mut finished: Finished) -> Finished {
    for part in &mut finished.parts {
        if let ModelPart::Call(call) = part {
            call.id.clear();
            if let Ok(input @ serde_json::Value::Object(_)) = serde_json::from_str(&call.arguments)
            {
                call.arguments = input.to_string();
            }
        }
    }
    finished
}

proptest! {
    #[test]
    fn what_was_recorded_is_said_again(steps in proptest::collection::vec(any_finished(), 0..4)) {
        let sent = request(vec![person("hi")]);
        let yaml = Script::write(steps.iter().map(|step| (&sent, step)));
        let script = Script::parse("recorded.yaml", &yaml);
        let script = script.map_err(|error| TestCaseError::fail(format!("{error}\n{yaml}")))?;
        let mut messages = vec![person("hi")];
        for step in steps {
            let again = finished(played(&script, messages.clone()));
            prop_assert_eq!(comparable(again), comparable(step), "{}", yaml);
            messages.push(model("x"));
            messages.push(results("y"));
        }
    }
}

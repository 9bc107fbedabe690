//! Messages.

use super::*;

/// Events as this wire names them: twice.
fn stream(data: &[Value]) -> String {
    let named = data.iter().map(|data| {
        let name = data["type"].as_str().expect("each has a type");
        format!("event: {name}\ndata: {data}\n\n")
    });
    named.collect()
}

fn start(at: u64, block: Value) -> Value {
    json!({ "type": "content_block_start", "index": at, "content_block": block })
}

fn delta(at: u64, delta: Value) -> Value {
    json!({ "type": "content_block_delta", "index": at, "delta": delta })
}

fn stop(at: u64) -> Value {
    json!({ "type": "content_block_stop", "index": at })
}

fn end(reason: &str) -> Vec<Value> {
    vec![
        json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 30 } }),
        json!({ "type": "message_stop" }),
    ]
}

fn begin() -> Value {
    json!({ "type": "message_start", "message": { "id": "msg", "role": "assistant", "content": [], "usage": {
        "input_tokens": 3, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 100, "output_tokens": 1 } } })
}

fn thinking() -> Vec<Value> {
    vec![
        start(
            0,
            json!({ "type": "thinking", "thinking": "", "signature": "" }),
        ),
        delta(
            0,
            json!({ "type": "thinking_delta", "thinking": "The person " }),
        ),
        delta(
            0,
            json!({ "type": "thinking_delta", "thinking": "asks \"twice\"." }),
        ),
        delta(
            0,
            json!({ "type": "signature_delta", "signature": "EqQBsig==" }),
        ),
        stop(0),
    ]
}

fn two_calls() -> Vec<Value> {
    vec![
        start(
            2,
            json!({ "type": "tool_use", "id": "toolu_a", "name": "forecast", "input": {} }),
        ),
        delta(2, json!({ "type": "input_json_delta", "partial_json": "" })),
        delta(
            2,
            json!({ "type": "input_json_delta", "partial_json": "{\"city\": " }),
        ),
        delta(
            2,
            json!({ "type": "input_json_delta", "partial_json": "\"Oslo\"}" }),
        ),
        stop(2),
        start(
            3,
            json!({ "type": "tool_use", "id": "toolu_b", "name": "map", "input": {} }),
        ),
        stop(3),
    ]
}

fn whole() -> String {
    let mut data = vec![begin(), json!({ "type": "ping" })];
    data.extend(thinking());
    data.extend([
        start(1, json!({ "type": "text", "text": "" })),
        delta(1, json!({ "type": "text_delta", "text": "Let me " })),
        delta(1, json!({ "type": "text_delta", "text": "see." })),
        delta(1, json!({ "type": "novelty_delta", "x": 1 })),
        stop(1),
    ]);
    data.extend(two_calls());
    data.push(json!({ "type": "novelty" }));
    data.extend(end("tool_use"));
    stream(&data)
}

#[test]
fn a_streamed_answer_is_read_with_its_counts() {
    let finished = finished(&whole(), "anthropic");
    assert_eq!(finished.parts[1], said("Let me see."));
    assert_eq!(
        calls(&finished),
        [
            ("toolu_a", "forecast", r#"{"city": "Oslo"}"#),
            ("toolu_b", "map", "{}")
        ]
    );
    let usage = finished.usage;
    assert_eq!(
        (
            usage.input,
            usage.cache_read,
            usage.cache_write,
            usage.output
        ),
        (108, 100, 5, 30)
    );
    let deltas = read(&whole(), "anthropic").expect("it is whole");
    assert_eq!(deltas[0], Delta::Reasoning("The person ".to_owned()));
}

#[test]
fn thinking_goes_back_first_and_with_its_signature() {
    let parts = finished(&whole(), "anthropic").parts;
    let request = round(
        parts,
        vec![
            returned("toolu_a", vec![words("sun")]),
            returned("toolu_b", vec![picture()]),
        ],
    );
    let content = body(&request, "anthropic")["messages"][1]["content"].clone();
    assert_eq!(
        content[0],
        json!({ "type": "thinking", "thinking": "The person asks \"twice\".", "signature": "EqQBsig==" })
    );
    assert_eq!(content[2]["input"], json!({ "city": "Oslo" }));
}

#[test]
fn thinking_that_came_whole_goes_back_byte_for_byte() {
    let sealed = r#"{"type":"redacted_thinking",  "data":"Em\/wK=","n":1.00000000000000000001}"#;
    let plain = r#"{"signature":"sig","type":"thinking","thinking":"hm\u002e"}"#;
    let answer = format!(
        r#"{{"type":"message","role":"assistant","content":[{plain},{sealed},{{"type":"tool_use","id":"a","name":"map","input":{{ "n": 1.0 }}}}],"stop_reason":"tool_use"}}"#
    );
    let parts = finished(&answer, "anthropic").parts;
    let sent = bytes(
        &round(parts, vec![returned("a", vec![words("x")])]),
        "anthropic",
    );
    assert!(sent.contains(&format!("{plain},{sealed}")), "{sent}");
    assert!(sent.contains(r#""input":{ "n": 1.0 }"#), "{sent}");
}

#[test]
fn thinking_that_was_cut_off_is_not_kept() {
    let mut data = thinking();
    data.truncate(3);
    data.extend(end("max_tokens"));
    let finished = finished(&stream(&data), "anthropic");
    assert_eq!((finished.parts.len(), finished.reason), (0, Reason::Length));
}

#[test]
fn a_call_that_was_cut_off_has_no_stop_and_is_marked() {
    let mut data = vec![begin()];
    data.extend(two_calls().into_iter().take(3));
    data.extend(end("max_tokens"));
    let finished = finished(&stream(&data), "anthropic");
    assert_eq!(finished.reason, Reason::Length);
    assert_eq!(calls(&finished), [("toolu_a", "forecast", "{\"city\": ")]);
    // And it can be sent back: arguments that are no object are shown as they were written.
    let request = round(finished.parts, Vec::new());
    let content = body(&request, "anthropic")["messages"][1]["content"].clone();
    assert_eq!(content[0]["input"], json!({ "arguments": "{\"city\":" }));
}

#[test]
fn a_refusal_is_a_filter() {
    let finished = finished(&stream(&end("refusal")), "anthropic");
    assert_eq!(finished.reason, Reason::Filtered);
}

#[test]
fn an_answer_without_its_end_is_an_error() {
    let mut data = vec![begin()];
    data.extend(thinking());
    let error = read(&stream(&data), "anthropic").expect_err("it has no end");
    assert_eq!(error.kind, ModelErrorKind::Unreachable);
}

#[test]
fn every_call_is_answered_in_the_next_message() {
    // One result is missing, one is empty, one is nobody's.
    let request = round(
        vec![
            ModelPart::Call(call("a", "map", "{}")),
            ModelPart::Call(call("b", "map", "{}")),
            ModelPart::Call(call("c", "map", "")),
        ],
        vec![
            ToolResult {
                is_error: true,
                ..returned("c", vec![words("no"), picture()])
            },
            returned("x", vec![words("whose?")]),
            returned("a", vec![words("  ")]),
        ],
    );
    let mut request = request;
    std::sync::Arc::make_mut(&mut request.messages).push(person("go on"));
    let messages = body(&request, "anthropic")["messages"].clone();
    assert_eq!(messages.as_array().expect("messages").len(), 3);
    let content = messages[2]["content"].as_array().expect("blocks");
    let ids: Vec<_> = content
        .iter()
        .map(|block| block["tool_use_id"].as_str())
        .collect();
    assert_eq!(ids, [Some("a"), Some("b"), Some("c"), None]);
    assert_eq!(content[0]["content"][0]["text"], "(empty result)");
    assert_eq!(content[1]["is_error"], true);
    // Pictures may stand in a result here.
    assert_eq!(content[2]["content"][1]["type"], "image");
    assert_eq!(content[2]["is_error"], true);
    assert_eq!(content[0].get("is_error"), None);
    assert_eq!(content[3]["text"], "go on");
}

/// A body without its cache marks, and where they stood.
fn unmarked(value: &mut Value, marks: &mut usize) {
    match value {
        Value::Object(fields) => {
            *marks += usize::from(fields.shift_remove("cache_control").is_some());
            fields.values_mut().for_each(|value| unmarked(value, marks));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| unmarked(value, marks)),
        _ => {}
    }
}

#[test]
fn cache_marks_are_four_at_most_and_what_was_sent_before_is_sent_again() {
    let mut request = asked();
    request.system = "be brief".to_owned();
    let mut before: Option<Value> = None;
    for n in 0..6 {
        let mut sent = body(&request, "anthropic");
        let mut marks = 0;
        assert_eq!(sent["tools"][1]["cache_control"]["type"], "ephemeral");
        assert_eq!(sent["system"][0]["cache_control"]["type"], "ephemeral");
        unmarked(&mut sent, &mut marks);
        assert_eq!(marks, if n == 0 { 3 } else { 4 });
        if let Some(before) = before {
            assert_eq!(
                (&before["tools"], &before["system"]),
                (&sent["tools"], &sent["system"])
            );
            let old = before["messages"].as_array().expect("messages");
            assert_eq!(
                old[..],
                sent["messages"].as_array().expect("messages")[..old.len()]
            );
        }
        before = Some(sent);
        // The model's ids repeat, and still nothing that was sent changes.
        std::sync::Arc::make_mut(&mut request.messages).push(Message::Model {
            parts: vec![ModelPart::Call(call("same", "map", "{}"))],
        });
        std::sync::Arc::make_mut(&mut request.messages).push(Message::Results {
            results: vec![returned("same", vec![words("ok")])],
        });
    }
    assert_eq!(
        bytes(&request, "anthropic"),
        bytes(&request.clone(), "anthropic")
    );
}

#[test]
fn no_time_and_no_id_stands_in_the_prefix() {
    let first = Request {
        cache_key: Some("one".to_owned()),
        ..asked()
    };
    let second = Request {
        cache_key: Some("two".to_owned()),
        ..asked()
    };
    assert_eq!(bytes(&first, "anthropic"), bytes(&second, "anthropic"));
}

#[test]
fn an_error_in_the_stream_is_told() {
    let error = |kind: &str| {
        let event = json!({ "type": "error", "error": { "type": kind, "message": "x" } });
        read(&stream(&[begin(), event]), "anthropic")
            .expect_err("it failed")
            .kind
    };
    assert_eq!(error("overloaded_error"), ModelErrorKind::Busy(None));
    assert_eq!(error("api_error"), ModelErrorKind::Unreachable);
    assert_eq!(error("invalid_request_error"), ModelErrorKind::Refused);
}

#[test]
fn tools_stay_named_when_none_may_be_called() {
    let request = Request {
        may_call: false,
        ..asked()
    };
    let sent = body(&request, "anthropic");
    assert_eq!(sent["tool_choice"], json!({ "type": "none" }));
    assert_eq!(sent["tools"].as_array().map(Vec::len), Some(2));
    assert_eq!(sent["max_tokens"], 32_000);
}

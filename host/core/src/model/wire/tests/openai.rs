//! Responses.

use super::*;

fn added(at: u64, item: Value) -> Value {
    json!({ "type": "response.output_item.added", "output_index": at, "item": item })
}

fn done(at: u64, item: Value) -> Value {
    json!({ "type": "response.output_item.done", "output_index": at, "item": item })
}

fn delta(kind: &str, at: u64, delta: &str) -> Value {
    json!({ "type": format!("response.{kind}.delta"), "output_index": at, "delta": delta })
}

fn completed() -> Value {
    json!({ "type": "response.completed", "response": { "status": "completed", "output": [], "usage": {
        "input_tokens": 20, "input_tokens_details": { "cached_tokens": 16 },
        "output_tokens": 9, "output_tokens_details": { "reasoning_tokens": 4 },
    } } })
}

fn message(text: &str) -> Value {
    json!({ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": text }] })
}

fn function(id: &str, arguments: &str) -> Value {
    json!({ "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": "map", "arguments": arguments })
}

#[test]
fn a_streamed_answer_is_read_with_its_counts() {
    let answer = events(&[
        json!({ "type": "response.created", "response": { "id": "r" } }),
        added(0, json!({ "type": "reasoning", "summary": [] })),
        delta("reasoning_summary_text", 0, "hm"),
        done(
            0,
            json!({ "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA" }),
        ),
        added(1, message("")),
        delta("output_text", 1, "Let me "),
        delta("output_text", 1, "see."),
        done(1, message("Let me see.")),
        added(2, function("a", "")),
        added(3, function("b", "")),
        delta("function_call_arguments", 3, "{\"city\":"),
        delta("function_call_arguments", 2, "{}"),
        delta("function_call_arguments", 3, "\"Rome\"}"),
        done(3, function("b", "{\"city\":\"Rome\"}")),
        done(2, function("a", "{}")),
        json!({ "type": "response.novelty.invented", "surprise": [1, 2] }),
        completed(),
    ]);
    let deltas = read(&answer, "openai").expect("it is whole");
    assert_eq!(deltas[0], Delta::Reasoning("hm".to_owned()));
    assert!(deltas.contains(&Delta::Calling("map".to_owned())));
    let finished = finished(&answer, "openai");
    assert!(matches!(&finished.parts[0], ModelPart::Opaque { wire, .. } if wire == "openai"));
    assert_eq!(finished.parts[1], said("Let me see."));
    assert_eq!(
        calls(&finished),
        [("a", "map", "{}"), ("b", "map", "{\"city\":\"Rome\"}")]
    );
    assert_eq!(
        (
            finished.usage.input,
            finished.usage.cache_read,
            finished.usage.output,
            finished.usage.reasoning
        ),
        (20, 16, 9, 4)
    );
}

#[test]
fn nothing_is_stored_and_reasoning_goes_back_before_its_call_byte_for_byte() {
    let item = r#"{"type": "reasoning","summary":[],"id":"rs_1",  "encrypted_content":"gA\/A=","n":1.00000000000000000001}"#;
    let answer = format!(
        "data: {{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{item}}}\n\n{}",
        events(&[done(1, function("a", "{}")), completed()])
    );
    let parts = finished(&answer, "openai").parts;
    let request = round(parts, vec![returned("a", vec![words("x")])]);
    let body = body(&request, "openai");
    assert_eq!(body["store"], false);
    assert_eq!(body["include"], json!(["reasoning.encrypted_content"]));
    assert_eq!(body["prompt_cache_key"], "session-1");
    let kinds: Vec<_> = body["input"]
        .as_array()
        .expect("input")
        .iter()
        .map(|item| item["type"].as_str().expect("a type"))
        .collect();
    assert_eq!(
        kinds,
        [
            "message",
            "reasoning",
            "function_call",
            "function_call_output"
        ]
    );
    assert!(bytes(&request, "openai").contains(item));
}

#[test]
fn reasoning_that_led_to_nothing_is_not_sent_back() {
    // It is refused without the item that follows it.
    let item = json!({ "type": "reasoning", "id": "rs_1", "encrypted_content": "gAAA" });
    let cut = json!({ "type": "response.incomplete", "response": {
        "status": "incomplete", "incomplete_details": { "reason": "max_output_tokens" } } });
    let finished = finished(&events(&[done(0, item), cut]), "openai");
    assert_eq!(finished.reason, Reason::Length);
    assert_eq!(finished.parts.len(), 1);
    let request = round(finished.parts, Vec::new());
    assert!(!bytes(&request, "openai").contains("rs_1"));
}

#[test]
fn reasoning_that_was_neither_stored_nor_encrypted_is_not_kept() {
    // It would be refused as an item that is not found.
    let item =
        json!({ "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": null });
    let answer = events(&[done(0, item), done(1, message("Hello")), completed()]);
    assert_eq!(finished(&answer, "openai").parts, [said("Hello")]);
}

#[test]
fn a_model_that_does_not_reason_is_not_asked_for_it() {
    let sent = encode(&asked(), &profile("openai"), "gpt-4o");
    let body: Value = serde_json::from_slice(&sent.body).expect("a body is JSON");
    assert_eq!(body.get("include"), None);
    assert_eq!(body["tools"][0]["strict"], false);
}

#[test]
fn pictures_stand_in_the_output_of_a_call() {
    let request = round(
        vec![
            ModelPart::Call(call("a", "map", "{}")),
            ModelPart::Call(call("b", "map", "{}")),
        ],
        vec![
            returned("a", vec![words("north"), picture()]),
            ToolResult {
                is_error: true,
                ..returned("b", vec![words("no such city")])
            },
        ],
    );
    let input = body(&request, "openai")["input"].clone();
    assert_eq!(
        input[3]["output"],
        json!([
            { "type": "input_text", "text": "north" },
            { "type": "input_image", "image_url": "data:image/png;base64,AAAA" },
        ])
    );
    assert_eq!(input[4]["call_id"], "b");
    assert_eq!(input[4]["output"][0]["text"], "error:");
}

#[test]
fn an_answer_that_was_cut_off_says_so() {
    let cut = |reason: &str| {
        json!({ "type": "response.incomplete", "response": {
        "status": "incomplete", "incomplete_details": { "reason": reason } } })
    };
    let begun = [
        added(0, function("a", "")),
        delta("function_call_arguments", 0, "{\"ci"),
    ];
    for (reason, expected) in [
        ("max_output_tokens", Reason::Length),
        ("content_filter", Reason::Filtered),
    ] {
        let answer = events(&[begun[0].clone(), begun[1].clone(), cut(reason)]);
        let finished = finished(&answer, "openai");
        assert_eq!(finished.reason, expected);
        assert_eq!(calls(&finished), [("a", "map", "{\"ci")]);
    }
    let error = read(&events(&begun), "openai").expect_err("it has no end");
    assert_eq!(error.kind, ModelErrorKind::Unreachable);
}

#[test]
fn an_answer_that_is_not_streamed_is_read_too() {
    let answer = json!({ "id": "r", "object": "response", "status": "completed", "error": null, "output": [
        { "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA" },
        { "type": "message", "content": [{ "type": "refusal", "refusal": "I will not." }] },
        function("a", "{}"),
        { "type": "web_search_call", "id": "ws" },
    ] });
    let finished = finished(&answer.to_string(), "openai");
    assert_eq!(finished.parts[1], said("I will not."));
    assert_eq!(calls(&finished), [("a", "map", "{}")]);
    assert_eq!(finished.parts.len(), 3);
}

#[test]
fn the_end_alone_tells_all() {
    // A gateway that only sends the last event.
    let end = json!({ "type": "response.completed", "response": {
        "status": "completed", "output": [message("Hello"), function("a", "{}")] } });
    let finished = finished(&events(&[end]), "openai");
    assert_eq!(finished.parts[0], said("Hello"));
    assert_eq!(calls(&finished), [("a", "map", "{}")]);
}

#[test]
fn an_error_in_the_stream_is_told() {
    let busy = json!({ "type": "error", "code": "rate_limit_exceeded", "message": "slow down" });
    let failed = json!({ "type": "response.failed", "response": { "status": "failed",
        "error": { "code": "server_error", "message": "oh no" } } });
    let kind = |event: Value| {
        read(&events(&[event]), "openai")
            .expect_err("it failed")
            .kind
    };
    assert_eq!(kind(busy), ModelErrorKind::Busy(None));
    assert_eq!(kind(failed), ModelErrorKind::Unreachable);
}

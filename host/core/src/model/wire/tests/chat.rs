//! Chat Completions.

use super::*;

fn chunk(delta: Value) -> Value {
    json!({ "id": "c1", "object": "chat.completion.chunk", "choices": [{ "index": 0, "delta": delta }] })
}

pub(super) fn end(reason: &str) -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

pub(super) fn piece(call: Value) -> Value {
    chunk(json!({ "tool_calls": [call] }))
}

pub(super) fn stream(data: &[Value]) -> String {
    format!("{}data: [DONE]\n\n", events(data))
}

#[test]
fn a_streamed_answer_is_read_with_its_counts() {
    let usage = json!({ "choices": [], "usage": {
        "prompt_tokens": 12, "completion_tokens": 5,
        "prompt_tokens_details": { "cached_tokens": 8 },
        "completion_tokens_details": { "reasoning_tokens": 3 },
    } });
    let answer = stream(&[
        chunk(json!({ "role": "assistant", "content": "" })),
        chunk(json!({ "reasoning_content": "hm" })),
        chunk(json!({ "content": "Hel" })),
        chunk(json!({ "content": "lo", "novelty": { "a": 1 } })),
        end("stop"),
        usage,
        json!({ "choices": [], "usage": { "prompt_tokens": 0, "completion_tokens": 0 } }),
    ]);
    let deltas = read(&answer, "chat").expect("it is whole");
    assert_eq!(deltas[0], Delta::Reasoning("hm".to_owned()));
    let finished = finished(&answer, "chat");
    assert_eq!(finished.parts, [said("Hello")]);
    assert_eq!(finished.reason, Reason::Stop);
    assert_eq!(
        (
            finished.usage.input,
            finished.usage.cache_read,
            finished.usage.output,
            finished.usage.reasoning
        ),
        (12, 8, 5, 3)
    );
}

#[test]
fn calls_count_although_the_model_merely_stopped() {
    let answer = stream(&[
        piece(json!({ "index": 0, "id": "a", "function": { "name": "map", "arguments": "{}" } })),
        end("stop"),
    ]);
    let finished = finished(&answer, "chat");
    assert_eq!(calls(&finished), [("a", "map", "{}")]);
    assert_eq!(finished.reason, Reason::Stop);
}

#[test]
fn an_answer_that_was_cut_off_says_so() {
    let begun = piece(
        json!({ "index": 0, "id": "a", "function": { "name": "map", "arguments": "{\"ci" } }),
    );
    for (reason, expected) in [
        ("length", Reason::Length),
        ("content_filter", Reason::Filtered),
    ] {
        let finished = finished(&stream(&[begun.clone(), end(reason)]), "chat");
        assert_eq!(finished.reason, expected);
        assert_eq!(calls(&finished), [("a", "map", "{\"ci")]);
    }
}

#[test]
fn an_answer_without_its_end_is_an_error() {
    let begun = events(&[chunk(json!({ "content": "Hel" }))]);
    for answer in ["", "\n\n", ": ping\n\n", begun.as_str()] {
        let error = read(answer, "chat").expect_err("it has no end");
        assert_eq!(error.kind, ModelErrorKind::Unreachable, "{answer}");
    }
    // But the mark at the very end may be missing.
    assert_eq!(
        finished(&(begun + &events(&[end("stop")])), "chat").parts,
        [said("Hel")]
    );
}

#[test]
fn nothing_follows_the_end() {
    let late = events(&[
        chunk(json!({ "content": "more" })),
        json!({ "error": "late" }),
    ]);
    let answer = stream(&[chunk(json!({ "content": "all" })), end("stop")]) + &late;
    assert_eq!(finished(&answer, "chat").parts, [said("all")]);
}

#[test]
fn an_answer_that_is_not_streamed_is_read_too() {
    let answer = json!({
        "object": "chat.completion",
        "choices": [{ "index": 0, "finish_reason": "tool_calls", "message": {
            "role": "assistant", "content": [{ "type": "text", "text": "Let me see." }],
            "tool_calls": [
                { "id": "a", "type": "function", "function": { "name": "map", "arguments": { "city": "Oslo" } } },
                { "id": "b", "type": "function", "function": { "name": "map", "arguments": "{}" } },
            ],
        } }],
        "usage": { "prompt_tokens": 1, "completion_tokens": 2 },
    });
    let finished = finished(&format!("\n {answer:#}"), "chat");
    assert_eq!(finished.parts[0], said("Let me see."));
    assert_eq!(calls(&finished)[1], ("b", "map", "{}"));
    let written: Value = serde_json::from_str(calls(&finished)[0].2).expect("it is JSON");
    assert_eq!(written, json!({ "city": "Oslo" }));
    assert_eq!(finished.usage.output, 2);
}

#[test]
fn an_answer_that_cannot_be_parsed_is_garbled() {
    for answer in ["data: {not json\n\n", "{\"choices\": [", "data: 7\n\n"] {
        let error = read(answer, "chat").expect_err("it is nonsense");
        assert_eq!(error.kind, ModelErrorKind::Garbled, "{answer}");
    }
}

#[test]
fn pictures_of_results_follow_all_results_in_one_message() {
    let request = round(
        vec![
            ModelPart::Call(call("a", "map", "{}")),
            ModelPart::Call(call("b", "map", "{}")),
        ],
        vec![
            returned("a", vec![picture(), words("north")]),
            returned("b", vec![picture()]),
        ],
    );
    let body = body(&request, "chat");
    let roles: Vec<_> = body["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .map(|m| m["role"].as_str().expect("a role"))
        .collect();
    assert_eq!(
        roles,
        ["system", "user", "assistant", "tool", "tool", "user"]
    );
    assert_eq!(body["messages"][3]["content"], "north");
    let shown = body["messages"][5]["content"].as_array().expect("parts");
    let kinds: Vec<_> = shown.iter().map(|part| part["type"].as_str()).collect();
    assert_eq!(kinds, ["text", "image_url", "text", "image_url"].map(Some));
    assert_eq!(shown[1]["image_url"]["url"], "data:image/png;base64,AAAA");
}

#[test]
fn a_model_without_images_reads_a_line_for_each() {
    let mut blind = profile("chat");
    blind.quirks.images = false;
    let request = round(
        vec![ModelPart::Call(call("a", "map", "{}"))],
        vec![returned("a", vec![picture()])],
    );
    let sent = String::from_utf8(encode(&request, &blind, "m").body).expect("JSON is text");
    assert!(
        !sent.contains("AAAA") && sent.contains("image/png, left out"),
        "{sent}"
    );
}

#[test]
fn a_signature_stays_on_its_call_byte_for_byte() {
    // The number would lose digits, and the order of keys would change, on the way
    // through a value.
    let extra = r#"{"google": {"thought_signature":"c2ln\/",  "n":1.00000000000000000001}}"#;
    let answer = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":0,\"id\":\"a\",\"extra_content\":{extra},\
         \"function\":{{\"name\":\"map\",\"arguments\":\"{{}}\"}}}},{{\"index\":1,\"id\":\"b\",\
         \"function\":{{\"name\":\"map\",\"arguments\":\"{{}}\"}}}}]}}}}]}}\n\n{}data: [DONE]\n\n",
        events(&[end("tool_calls")])
    );
    let parts = finished(&answer, "gemini").parts;
    let ModelPart::Call(first) = &parts[0] else {
        panic!("no call: {parts:?}")
    };
    assert_eq!(first.opaque.as_deref(), Some(extra));
    let request = round(
        parts,
        vec![
            returned("a", vec![words("x")]),
            returned("b", vec![words("y")]),
        ],
    );
    assert!(bytes(&request, "gemini").contains(&format!("\"extra_content\":{extra}")));
    let body = body(&request, "gemini");
    assert_eq!(
        body["messages"][2]["tool_calls"][1].get("extra_content"),
        None
    );
    assert_eq!(body["messages"][3]["name"], "map");
    // Nobody else is bothered with it, or keeps it.
    assert!(!bytes(&request, "ollama").contains("extra_content"));
    let other = finished(&answer, "ollama").parts;
    assert!(matches!(&other[0], ModelPart::Call(call) if call.opaque.is_none()));
}

#[test]
fn a_call_of_another_model_gets_the_signature_that_stands_for_none() {
    let request = round(
        vec![
            ModelPart::Call(call("a", "map", "{}")),
            ModelPart::Call(call("b", "map", "{}")),
        ],
        vec![
            returned("a", vec![words("x")]),
            returned("b", vec![words("y")]),
        ],
    );
    let calls = body(&request, "gemini")["messages"][2]["tool_calls"].clone();
    assert_eq!(
        calls[0]["extra_content"]["google"]["thought_signature"],
        "skip_thought_signature_validator"
    );
    assert_eq!(calls[1].get("extra_content"), None);
}

#[test]
fn reasoning_goes_back_to_the_profile_that_wants_it() {
    let answer = stream(&[
        chunk(json!({ "reasoning_content": "first " })),
        chunk(json!({ "reasoning_content": "second" })),
        piece(json!({ "index": 0, "id": "a", "function": { "name": "map", "arguments": "{}" } })),
        end("tool_calls"),
    ]);
    let parts = finished(&answer, "llama.cpp").parts;
    let request = round(parts, vec![returned("a", vec![words("x")])]);
    assert_eq!(
        body(&request, "llama.cpp")["messages"][2]["reasoning_content"],
        "first second"
    );
    for other in ["ollama", "openrouter", "anthropic", "openai"] {
        assert!(!bytes(&request, other).contains("first second"), "{other}");
    }
    assert!(matches!(
        finished(&answer, "chat").parts[0],
        ModelPart::Call(_)
    ));
}

#[test]
fn details_of_reasoning_are_joined_and_what_is_encrypted_is_kept() {
    let sealed = json!({ "type": "reasoning.encrypted", "data": "xyz", "id": "r1" });
    let detail = |detail: Value| chunk(json!({ "reasoning_details": [detail] }));
    let answer = stream(&[
        detail(json!({ "type": "reasoning.text", "text": "a", "index": 0 })),
        detail(json!({ "type": "reasoning.text", "text": "b", "index": 0, "signature": null })),
        detail(json!({ "type": "reasoning.text", "text": "", "index": 0, "signature": "s" })),
        detail(sealed.clone()),
        detail(json!({ "type": "reasoning.text", "text": "c", "index": 1 })),
        chunk(json!({ "content": "done" })),
        end("stop"),
    ]);
    let parts = finished(&answer, "openrouter").parts;
    let request = round(parts, Vec::new());
    assert_eq!(
        body(&request, "openrouter")["messages"][2]["reasoning_details"],
        json!([
            { "type": "reasoning.text", "text": "ab", "index": 0, "signature": "s" },
            sealed,
            { "type": "reasoning.text", "text": "c", "index": 1 },
        ])
    );
}

#[test]
fn tools_stay_named_when_none_may_be_called() {
    let mut request = asked();
    request.may_call = false;
    let sent = body(&request, "chat");
    assert_eq!(sent["tool_choice"], "none");
    assert_eq!(sent["tools"][1]["function"]["name"], "map");
    assert_eq!(body(&asked(), "chat").get("tool_choice"), None);
}

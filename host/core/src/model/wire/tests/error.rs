//! Errors of providers, as they word them.

use super::*;
use proptest::prelude::*;
use std::time::Duration;

fn kind(status: u16, body: &Value) -> ModelError {
    let body = body.to_string();
    error_response(&profile("openai"), status, &body, None)
}

fn error(code: &str, message: &str) -> Value {
    json!({ "error": { "type": "invalid_request_error", "code": code, "message": message } })
}

#[test]
fn each_kind_of_error_is_recognised() {
    let google = json!([{ "error": { "code": 400, "status": "INVALID_ARGUMENT",
        "message": "API key not valid. Please pass a valid API key." } }]);
    let anthropic = json!({ "type": "error", "error": { "type": "invalid_request_error",
        "message": "prompt is too long: 210000 tokens > 200000 maximum" } });
    let table = [
        (401, error("invalid_api_key", "no"), ModelErrorKind::Key),
        (403, json!({}), ModelErrorKind::Key),
        (400, google, ModelErrorKind::Key),
        (
            429,
            error("rate_limit_exceeded", "slow"),
            ModelErrorKind::Busy(None),
        ),
        (
            529,
            json!({ "error": { "type": "overloaded_error" } }),
            ModelErrorKind::Busy(None),
        ),
        (
            429,
            error("insufficient_quota", "pay"),
            ModelErrorKind::Refused,
        ),
        (
            400,
            error("context_length_exceeded", "long"),
            ModelErrorKind::TooLong,
        ),
        (400, anthropic, ModelErrorKind::TooLong),
        (
            400,
            json!({ "error": "This model's maximum context length is 4096" }),
            ModelErrorKind::TooLong,
        ),
        (413, json!("what?"), ModelErrorKind::TooLong),
        (500, json!(null), ModelErrorKind::Unreachable),
        (404, error("model_not_found", "no"), ModelErrorKind::Refused),
    ];
    for (status, body, expected) in table {
        assert_eq!(kind(status, &body).kind, expected, "{status} {body}");
    }
}

#[test]
fn a_sentence_names_the_remedy_and_not_the_provider_s_words() {
    let message = kind(401, &error("invalid_api_key", "Incorrect key: sk-abc")).message;
    assert_eq!(
        message,
        "`openai` does not accept the key; set `OPENAI_API_KEY` to a valid one (http 401, `invalid_api_key`)"
    );
    let wait = Some(Duration::from_secs(90));
    let message = error_response(&profile("openai"), 429, "", wait).message;
    assert!(message.contains("90 seconds"), "{message}");
}

#[test]
fn a_page_or_foreign_json_is_not_taken_for_an_answer() {
    let page = "<!doctype html><title>Log in</title>";
    let other = r#"{"detail":"no such path"}"#;
    for name in ["openai", "chat", "anthropic"] {
        assert_eq!(
            read(page, name).expect_err("a page").kind,
            ModelErrorKind::Garbled
        );
        let kind = read(other, name).expect_err("no answer").kind;
        assert!(
            matches!(kind, ModelErrorKind::Garbled | ModelErrorKind::Refused),
            "{name}: {kind:?}"
        );
    }
}

/// JSON made of the words that the wires know, in places where they do not belong.
fn odd() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        proptest::sample::select(&KINDS[..]).prop_map(Value::from),
        ".{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((proptest::sample::select(&KEYS[..]), inner), 0..6)
                .prop_map(|fields| fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
        ]
    })
}

const KINDS: [&str; 20] = [
    "response.output_item.added",
    "response.output_item.done",
    "response.output_text.delta",
    "response.function_call_arguments.delta",
    "response.completed",
    "response.incomplete",
    "message_start",
    "content_block_start",
    "content_block_delta",
    "message_delta",
    "message_stop",
    "tool_use",
    "text",
    "thinking",
    "text_delta",
    "input_json_delta",
    "function_call",
    "message",
    "reasoning",
    "stop",
];
const KEYS: [&str; 24] = [
    "type",
    "choices",
    "delta",
    "message",
    "content",
    "tool_calls",
    "function",
    "name",
    "arguments",
    "index",
    "id",
    "finish_reason",
    "usage",
    "output_index",
    "item",
    "response",
    "output",
    "content_block",
    "text",
    "partial_json",
    "stop_reason",
    "call_id",
    "input",
    "signature",
];

proptest! {
    #[test]
    fn odd_events_are_read_without_harm(
        data in proptest::collection::vec((proptest::sample::select(&KINDS[..]), odd()), 0..6),
    ) {
        let mut data: Vec<Value> = data
            .into_iter()
            .map(|(kind, mut value)| {
                if let Value::Object(fields) = &mut value {
                    fields.insert("type".to_owned(), kind.into());
                }
                value
            })
            .collect();
        for name in ["openai", "chat", "ollama", "anthropic"] {
            for _ in 0..=data.len() {
                let mut decoder = Decoder::new(&asked(), &profile(name));
                let read = decoder.push(events(&data).as_bytes());
                let _ = read.and_then(|_| decoder.end());
                // The first odd event is often the last that is read.
                if !data.is_empty() {
                    data.rotate_left(1);
                }
            }
        }
    }

    #[test]
    fn what_a_provider_says_is_not_repeated(
        secret in "[a-z]{3,8} [a-z]{3,8}",
        status in 400..600_u16,
    ) {
        let bodies = [
            json!({ "error": { "message": secret, "code": secret, "type": secret } }),
            json!({ "error": secret, "message": secret }),
            json!(secret),
        ];
        for body in bodies {
            prop_assert!(!kind(status, &body).message.contains(&secret));
        }
    }

    #[test]
    fn any_answer_is_read_without_harm(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        brace in any::<bool>(),
    ) {
        for name in ["openai", "chat", "ollama", "anthropic"] {
            let mut decoder = Decoder::new(&asked(), &profile(name));
            let head: &[u8] = if brace { b"{" } else { b"data: " };
            let read = decoder.push(head).and_then(|_| decoder.push(&bytes));
            let _ = read.and_then(|_| decoder.end());
        }
    }
}

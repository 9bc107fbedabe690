//! Any request gives a body that its wire takes.

use super::*;
use proptest::prelude::*;
use std::collections::HashSet;

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![4 => "[a-z ü\\n]{0,8}".prop_map(|text| words(&text)), 1 => Just(picture())]
}

fn spoken() -> impl Strategy<Value = ModelPart> {
    let opaque = prop_oneof![
        Just(r#"{"type":"reasoning","id":"rs"}"#),
        Just(r#"{"reasoning_content":"hm"}"#),
        Just("not json"),
    ];
    let wire = prop_oneof![Just("openai"), Just("chat"), Just("anthropic")];
    let id = prop_oneof![
        Just(""),
        Just("a"),
        Just("a"),
        Just("call_1"),
        Just("strange id!")
    ];
    let arguments = prop_oneof![
        Just(""),
        Just("{}"),
        Just("{\"a\":1}"),
        Just("[1]"),
        Just("{\"a"),
        Just("7")
    ];
    prop_oneof![
        "[a-z \\n]{0,8}".prop_map(|text| said(&text)),
        (id, arguments).prop_map(|(id, arguments)| ModelPart::Call(call(id, "map", arguments))),
        (wire, opaque).prop_map(|(wire, part)| ModelPart::Opaque {
            wire: wire.to_owned(),
            part: part.to_owned(),
        }),
    ]
}

/// A model's message with a result for each of its calls, as the loop writes it.
fn response() -> impl Strategy<Value = Vec<Message>> {
    let contents = proptest::collection::vec(proptest::collection::vec(part(), 0..3), 8);
    (proptest::collection::vec(spoken(), 0..5), contents).prop_map(|(parts, contents)| {
        let calls = parts.iter().filter_map(|part| match part {
            ModelPart::Call(call) => Some(call.id.clone()),
            _ => None,
        });
        let results: Vec<_> = calls
            .zip(contents)
            .map(|(id, content)| returned(&id, content))
            .collect();
        let mut messages = vec![Message::Model { parts }];
        if !results.is_empty() {
            messages.push(Message::Results { results });
        }
        messages
    })
}

/// Messages in an order that the loop would never write.
fn loose() -> impl Strategy<Value = Vec<Message>> {
    let result = prop_oneof![Just("a"), Just("z"), Just("")];
    prop_oneof![
        proptest::collection::vec(part(), 0..3).prop_map(|content| Message::Person { content }),
        proptest::collection::vec(spoken(), 0..4).prop_map(|parts| Message::Model { parts }),
        proptest::collection::vec(result, 0..3).prop_map(|ids| Message::Results {
            results: ids.into_iter().map(|id| returned(id, Vec::new())).collect(),
        }),
    ]
    .prop_map(|message| vec![message])
}

fn request() -> impl Strategy<Value = Request> {
    let turn = prop_oneof![
        2 => "[a-z]{1,8}".prop_map(|text| vec![person(&text)]),
        4 => response(),
        1 => loose(),
    ];
    let tools = proptest::bool::ANY;
    (proptest::collection::vec(turn, 0..8), tools, any::<bool>()).prop_map(
        |(turns, tools, may_call)| Request {
            messages: turns.concat().into(),
            tools: if tools {
                vec![tool("forecast"), tool("map")]
            } else {
                Vec::new()
            },
            may_call,
            ..Request::default()
        },
    )
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn is_object(arguments: &str) -> bool {
    serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object())
}

/// Tool messages stand directly after their calls, one each and in order; roles alternate.
fn takes_chat(body: &Value) -> Result<(), String> {
    let mut open: Vec<String> = Vec::new();
    let mut ids = HashSet::new();
    let mut last = "assistant";
    for message in list(&body["messages"]) {
        let role = text(message, "role");
        if role == "tool" {
            let first = if open.is_empty() {
                None
            } else {
                Some(open.remove(0))
            };
            if first.as_deref() != message["tool_call_id"].as_str()
                || text(message, "content").is_empty()
            {
                return Err(format!("a result out of place: {message}"));
            }
            last = "tool";
            continue;
        }
        let alternates = matches!(
            (last, role),
            ("assistant" | "tool", "user") | ("user" | "tool", "assistant")
        );
        if !open.is_empty() || !alternates {
            return Err(format!("{role} after {last} with {open:?} open"));
        }
        for call in list(&message["tool_calls"]) {
            if !ids.insert(text(call, "id").to_owned())
                || !is_object(text(&call["function"], "arguments"))
            {
                return Err(format!("a call that is refused: {call}"));
            }
            open.push(text(call, "id").to_owned());
        }
        if message["content"].is_null() && open.is_empty() || message["content"] == "" {
            return Err(format!("an empty message: {message}"));
        }
        last = role;
    }
    if open.is_empty() {
        Ok(())
    } else {
        Err(format!("left open: {open:?}"))
    }
}

/// Roles alternate from the person on; results stand first, one for each call, in order.
fn takes_anthropic(body: &Value) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut ids = HashSet::new();
    for (at, message) in list(&body["messages"]).iter().enumerate() {
        let role = text(message, "role");
        let content = list(&message["content"]);
        if role != ["user", "assistant"][at % 2] || content.is_empty() {
            return Err(format!("{role} at {at}"));
        }
        let results = content
            .iter()
            .take_while(|block| block["type"] == "tool_result");
        let results: Vec<_> = results.map(|block| text(block, "tool_use_id")).collect();
        if results != open
            || content[open.len()..]
                .iter()
                .any(|block| block["type"] == "tool_result")
        {
            return Err(format!("{results:?} for {open:?}"));
        }
        open.clear();
        for block in content {
            if block["type"] == "text" && text(block, "text").trim().is_empty() {
                return Err("an empty text".to_owned());
            }
            if block["type"] == "tool_use" {
                if !block["input"].is_object() || !ids.insert(text(block, "id")) {
                    return Err(format!("a call that is refused: {block}"));
                }
                open.push(text(block, "id"));
            }
        }
    }
    let mut marks = 0;
    count_marks(body, &mut marks);
    if open.is_empty() && marks <= 4 {
        Ok(())
    } else {
        Err(format!("{open:?} open, {marks} marks"))
    }
}

fn count_marks(value: &Value, marks: &mut usize) {
    match value {
        Value::Object(fields) => {
            *marks += usize::from(fields.contains_key("cache_control"));
            fields.values().for_each(|value| count_marks(value, marks));
        }
        Value::Array(values) => values.iter().for_each(|value| count_marks(value, marks)),
        _ => {}
    }
}

/// Each call has its output later on, before anything else is said; ids stand once.
fn takes_openai(body: &Value) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut ids = HashSet::new();
    let mut reasoning = false;
    for item in list(&body["input"]) {
        match text(item, "type") {
            "function_call" => {
                if !ids.insert(text(item, "call_id")) || !is_object(text(item, "arguments")) {
                    return Err(format!("a call that is refused: {item}"));
                }
                open.push(text(item, "call_id"));
            }
            "function_call_output" => {
                let first = if open.is_empty() { "" } else { open.remove(0) };
                let answers = first == text(item, "call_id") && !reasoning;
                answers
                    .then_some(())
                    .ok_or(format!("out of place: {item}"))?;
            }
            "message" if item["role"] == "user" && (!open.is_empty() || reasoning) => {
                return Err(format!("{open:?} open before {item}"));
            }
            _ => {}
        }
        reasoning = item["type"] == "reasoning";
    }
    if open.is_empty() && !reasoning {
        Ok(())
    } else {
        Err(format!("left open: {open:?}"))
    }
}

proptest! {
    #[test]
    fn any_request_gives_a_body_that_its_wire_takes(request in request()) {
        for (name, takes) in [
            ("chat", takes_chat as fn(&Value) -> Result<(), String>),
            ("gemini", takes_chat),
            ("openai", takes_openai),
            ("anthropic", takes_anthropic),
        ] {
            let body = body(&request, name);
            prop_assert_eq!(takes(&body), Ok(()), "{}: {:#}", name, body);
            prop_assert_eq!(list(&body["tools"]).len(), request.tools.len());
        }
    }

    #[test]
    fn what_was_sent_is_sent_again_when_more_is_said(request in request()) {
        // The cache of a provider holds only then.
        let mut longer = request.clone();
        std::sync::Arc::make_mut(&mut longer.messages).push(Message::Model { parts: vec![said("and")] });
        std::sync::Arc::make_mut(&mut longer.messages).push(person("more"));
        let before = body(&request, "openai");
        let after = body(&longer, "openai");
        let old = list(&before["input"]);
        prop_assert_eq!(old, &list(&after["input"])[..old.len()]);
    }
}

#[test]
fn nothing_said_at_all_is_still_a_request() {
    let nothing = Request::default();
    assert_eq!(takes_chat(&body(&nothing, "chat")), Ok(()));
    assert_eq!(takes_anthropic(&body(&nothing, "anthropic")), Ok(()));
    assert_eq!(list(&body(&nothing, "openai")["input"]).len(), 1);
}

#[test]
fn a_key_never_stands_in_a_request_and_headers_are_the_profile_s() {
    let sent = encode(&asked(), &profile("anthropic"), "m");
    assert_eq!((sent.method, sent.path), ("POST", "/messages"));
    let has = |name: &str| sent.headers.iter().any(|(header, _)| header == name);
    assert!(has("anthropic-version") && has("content-type"));
    assert!(!has("x-api-key") && !has("authorization"));
}

//! Calls printed as text.

use super::*;
use crate::model::wire::printed_calls::PrintedCalls;
use proptest::prelude::*;

fn answer(text: &str) -> String {
    let mut data: Vec<Value> = text
        .as_bytes()
        .utf8_chunks()
        .flat_map(|chunk| chunk.valid().chars().collect::<Vec<_>>())
        .map(|c| json!({ "choices": [{ "delta": { "content": c.to_string() } }] }))
        .collect();
    data.push(json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] }));
    events(&data)
}

fn taken(text: &str) -> (String, Vec<(String, String)>) {
    let finished = finished(&answer(text), "llama.cpp");
    let mut said = String::new();
    let mut made = Vec::new();
    for part in finished.parts {
        match part {
            ModelPart::Text { text } => said.push_str(&text),
            ModelPart::Call(call) => made.push((call.name, call.arguments)),
            ModelPart::Opaque { .. } => {}
        }
    }
    (said, made)
}

#[test]
fn a_printed_call_is_taken_for_one() {
    // The type of the argument is wrong: that is for the schema to say.
    let fenced =
        "```json\n{\"name\": \"forecast\", \"arguments\": {\"city\": [\"Paris\", \"Tokyo\"]}}\n```";
    let (said, made) = taken(fenced);
    assert_eq!(said, "");
    assert_eq!(
        made,
        [(
            "forecast".to_owned(),
            "{\"city\": [\"Paris\", \"Tokyo\"]}".to_owned()
        )]
    );
    for text in [
        "{\"name\": \"map\", \"arguments\": {}}",
        "  \n{\"name\":\"map\",\"parameters\":{}}",
        "<tool_call>\n{\"name\": \"map\", \"arguments\": {}}\n</tool_call>",
        "<tool_call>{\"arguments\": \"{}\", \"name\": \"map\"}",
        "```\n{\"type\":\"function\",\"function\":{\"name\":\"map\",\"arguments\":\"{}\"}}\n```\n",
        "[{\"name\": \"map\", \"arguments\": {}}]",
    ] {
        let (said, made) = taken(text);
        assert_eq!(made, [("map".to_owned(), "{}".to_owned())], "{text}");
        assert_eq!(said.trim(), "", "{text}");
    }
}

#[test]
fn several_calls_and_words_before_them_are_told_apart() {
    let text = "I will look.\n<tool_call>\n{\"name\":\"map\",\"arguments\":{\"a\":1}}\n</tool_call>\n\
                <tool_call>\n{\"name\":\"forecast\",\"arguments\":{}}\n</tool_call>";
    let (said, made) = taken(text);
    assert_eq!(said, "I will look.\n");
    assert_eq!(made.len(), 2);
    assert_eq!(made[1].0, "forecast");
}

#[test]
fn text_that_is_no_call_stays_text() {
    for text in [
        "Braces { \"name\": \"map\" } in a line.",
        "{\"name\": \"unknown\", \"arguments\": {}}",
        "{\"name\": \"map\", \"arguments\": {}} is how one would call it.",
        "```json\n{\"name\": \"Ada\"}\n```",
        "```python\nprint({\"name\": \"map\", \"arguments\": {}})\n```",
        "<b>bold</b> `code` [1, 2] {}",
        "{\"name\": \"map\", \"arguments\": {",
        "",
    ] {
        assert_eq!(taken(text), (text.to_owned(), Vec::new()));
    }
}

#[test]
fn only_a_profile_that_asks_for_it_takes_text_for_calls() {
    let text = "{\"name\": \"map\", \"arguments\": {}}";
    assert_eq!(finished(&answer(text), "chat").parts, [said(text)]);
}

#[test]
fn nothing_is_taken_for_a_call_when_none_may_be_made() {
    let text = "{\"name\": \"map\", \"arguments\": {}}";
    let request = Request {
        may_call: false,
        ..asked()
    };
    let mut decoder = Decoder::new(&request, &profile("ollama"));
    let deltas = decoder.push(format!("{}data: [DONE]\n\n", answer(text)).as_bytes());
    let deltas = deltas.expect("it is whole");
    let Some(Delta::Finished(finished)) = deltas.last() else {
        panic!("no end")
    };
    assert_eq!(finished.parts, [said(text)]);
}

#[test]
fn ordinary_text_is_not_held_back() {
    let mut leaks = PrintedCalls::new(["map".to_owned()].into());
    assert_eq!(leaks.push("Hello.\n"), "Hello.\n");
    assert_eq!(leaks.push("```"), "");
    assert_eq!(leaks.push("rust\nlet"), "```rust\nlet");
    assert_eq!(leaks.push(" x = 1;\n```\n{\"na"), " x = 1;\n");
    assert_eq!(leaks.push("tion\": 1}"), "```\n{\"nation\": 1}");
}

proptest! {
    #[test]
    fn what_is_let_go_and_what_is_held_is_what_came(
        pieces in proptest::collection::vec(prop_oneof![
            "[a-z\\n {}\\[\"`<>:,ü]{0,10}",
            Just("```json\n".to_owned()),
            Just("<tool_call>".to_owned()),
            Just("{\"name\": \"map\", \"arguments\": {}}".to_owned()),
        ], 0..20),
    ) {
        let mut leaks = PrintedCalls::new(["map".to_owned()].into());
        let mut out = String::new();
        for piece in &pieces {
            out.push_str(&leaks.push(piece));
        }
        let (rest, calls) = leaks.end(false);
        prop_assert!(calls.is_empty());
        out.push_str(&rest);
        prop_assert_eq!(out, pieces.concat());
    }
}

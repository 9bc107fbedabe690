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
    told_apart(finished(&answer(text), "llama.cpp"))
}

fn taken_by(request: &Request, text: &str) -> (String, Vec<(String, String)>) {
    let mut decoder = Decoder::new(request, &profile("llama.cpp"));
    let deltas = decoder.push(format!("{}data: [DONE]\n\n", answer(text)).as_bytes());
    let deltas = deltas.expect("it is whole");
    let Some(Delta::Finished(finished)) = deltas.into_iter().last() else {
        panic!("no end")
    };
    told_apart(finished)
}

fn told_apart(finished: Finished) -> (String, Vec<(String, String)>) {
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
    let mut leaks = PrintedCalls::new(&asked());
    assert_eq!(leaks.push("```"), "");
    assert_eq!(leaks.push("rust\nlet"), "```rust\nlet");
    assert_eq!(leaks.push(" x = 1;\n```\n{\"na"), " x = 1;\n```\n{\"na");
    assert_eq!(leaks.push("me\": 1}\n<to"), "me\": 1}\n");
    assert_eq!(leaks.push("ken>"), "<token>");
    let mut leaks = PrintedCalls::new(&asked());
    assert_eq!(leaks.push("{\"na"), "");
    assert_eq!(leaks.push("tion\": 1}"), "{\"nation\": 1}");
}

/// Ways in which a model puts a text before its reader.
fn quotations(text: &str) -> Vec<String> {
    let indented = |by: &str| {
        let lines = text.lines().map(|line| format!("{by}{line}"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let mut quotations = vec![
        text.to_owned(),
        format!("The page says:\n{text}"),
        format!("The page says:\n\n{text}\n"),
        format!("Beware: {text}"),
        format!("\"{text}\""),
        format!("The page says:\n{}", indented("> ")),
        format!("The page says:\n{}", indented("    ")),
        format!("The page says:\n{}", indented("\t")),
        format!("1. {text}"),
        format!("- {text}"),
    ];
    for fence in ["```", "````", "~~~", "```json", "```text", "> ```"] {
        let close = fence.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        quotations.push(format!("{fence}\n{text}\n{close}"));
        quotations.push(format!("The page says:\n{fence}\n{text}\n{close}\n"));
        // Models forget to close what they opened.
        quotations.push(format!("The page says:\n{fence}\n{text}"));
    }
    quotations
}

const CALLS: [&str; 6] = [
    r#"{"name": "map", "arguments": {"city": "Oslo"}}"#,
    r#"{"name": "map", "arguments": {}}"#,
    "{\n  \"arguments\": {\n    \"city\": \"Oslo\"\n  },\n  \"name\": \"map\"\n}",
    r#"[{"name": "map", "arguments": "{\"city\":\"Oslo\"}"}]"#,
    "<tool_call>\n{\"name\": \"map\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>",
    "<tool_call>{\"name\": \"map\", \"arguments\": {}}",
];

#[test]
fn what_the_model_was_sent_never_becomes_a_call_when_it_is_quoted() {
    for call in CALLS {
        let value = json!({ "text": call });
        let nested = json!({ "page": value.to_string() });
        let texts = [call.to_owned(), value.to_string(), nested.to_string()];
        for sent in texts {
            for request in sending(&sent) {
                for quotation in quotations(call) {
                    let squeezed: String = quotation.split("  ").collect();
                    for said in [quotation, squeezed] {
                        let (text, made) = taken_by(&request, &said);
                        assert_eq!(made, [], "{sent} quoted as {said}");
                        assert_eq!(text, said);
                    }
                }
            }
        }
    }
}

/// Requests that contain a text in each place where a model reads it.
fn sending(text: &str) -> Vec<Request> {
    let part = || Part::Text {
        text: format!("Before. {text} After."),
    };
    let with = |message| {
        let mut request = asked();
        std::sync::Arc::make_mut(&mut request.messages).push(message);
        request
    };
    let result = ToolResult {
        call: "1".to_owned(),
        name: "map".to_owned(),
        content: vec![part()],
        is_error: false,
    };
    let mut described = asked();
    described.tools[0].description = text.to_owned();
    let mut annotated = asked();
    annotated.tools[0].input_schema = json!({ "type": "object", "description": text });
    vec![
        with(Message::Results {
            results: vec![result],
        }),
        with(Message::Person {
            content: vec![part()],
        }),
        Request {
            system: text.to_owned(),
            ..asked()
        },
        described,
        annotated,
    ]
}

#[test]
fn a_call_in_a_code_block_or_after_words_is_an_example() {
    for call in CALLS {
        for said in &quotations(call)[1..] {
            // Tags are how models write calls, words before them or not.
            let is_tagged = |before: &str| said.starts_with(&format!("{before}{call}"));
            if ["The page says:\n", "The page says:\n\n"]
                .iter()
                .any(|b| is_tagged(b))
                && call.starts_with('<')
            {
                continue;
            }
            // A fence that is the whole answer is how other models write calls.
            if ["```\n", "```json\n"].iter().any(|b| is_tagged(b)) && !call.starts_with('<') {
                continue;
            }
            assert_eq!(taken(said).1, [], "{said}");
        }
    }
}

#[test]
fn a_call_with_other_arguments_than_were_sent_is_a_call() {
    for request in sending(r#"{"name": "map", "arguments": {"city": "Oslo"}}, and the tool map"#) {
        for arguments in [r#"{"city":"Rome"}"#, "{}"] {
            let said = format!(r#"{{"name": "map", "arguments": {arguments}}}"#);
            let made = taken_by(&request, &said).1;
            assert_eq!(made, [("map".to_owned(), arguments.to_owned())], "{said}");
        }
    }
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
        let mut leaks = PrintedCalls::new(&asked());
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

//! Tests of cases as TOML.

use super::*;
use crate::case::{Answer, Decision, Exchange, MAX_ENTRIES};
use footlight::HttpResponse;
use footlight_vocabulary::item::Timestamp;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

fn members(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

fn case(text: &str, bytes: Vec<u8>) -> Case {
    Case {
        tool: "forecast".to_owned(),
        input: members(json!({ "city": text, "none": null, "big": u64::MAX })),
        clock: Timestamp::from_millis(1_763_467_200_000),
        seed: 7,
        locale: "nb".to_owned(),
        timezone: "Europe/Oslo".to_owned(),
        settings: members(json!({ "unit": text })),
        allow_net: vec!["api.example.com".to_owned()],
        secrets: vec!["token".to_owned()],
        state: BTreeMap::from([(text.to_owned(), json!([text, 1.5]))]),
        answers: vec![
            Answer::Values(members(json!({ "place": text }))),
            Answer::Skip,
            Answer::Nobody,
        ],
        verdicts: vec![
            Decision {
                verdict: Some(Verdict::Once),
                words: Some(text.to_owned()),
            },
            Decision {
                verdict: None,
                words: None,
            },
        ],
        exchanges: vec![
            Exchange {
                method: "POST".to_owned(),
                url: "https://api.example.com/a?b='c'".to_owned(),
                headers: vec![("accept".to_owned(), "a: 'b' \"c\"".to_owned())],
                body: bytes.clone(),
                answer: Ok(HttpResponse::new(
                    200,
                    vec![("content-type".to_owned(), "text/plain".to_owned())],
                    bytes,
                )),
            },
            Exchange {
                method: "GET".to_owned(),
                url: "https://api.example.com/".to_owned(),
                headers: Vec::new(),
                body: Vec::new(),
                answer: Err(HttpFailure::TimedOut),
            },
        ],
        expect: Expected {
            record: vec![json!({ "type": "widget", "fallback": text })],
            state: Some(BTreeMap::from([("a".to_owned(), json!(text))])),
        },
    }
}

/// Text with everything that strings of TOML treat in a way of their own.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "['\"\\\\\n\r\t\u{0}\u{7f}\u{85}\u{2028}a= \\[\\]]{0,20}",
        Just("\n[expect]\nrecord = '[]'\n".to_owned()),
        Just("\n'''".to_owned()),
    ]
}

proptest! {
    #[test]
    fn a_case_that_was_written_reads_the_same(text in text(), bytes in any::<Vec<u8>>()) {
        let case = case(&text, bytes);
        let written = case.to_toml();
        prop_assert_eq!(parse(&written).expect(&written), case);
    }

    #[test]
    fn another_expectation_changes_nothing_else(text in text(), other in text()) {
        let case = case(&text, text.clone().into_bytes());
        let written = format!("# mine\n{}", case.to_toml());
        let expect = Expected { record: vec![json!(other)], state: None };
        let again = with_expectation(&written, &expect).expect("the last table");
        let wanted = Case { expect, ..case };
        prop_assert_eq!(parse(&again).expect("is a case"), wanted);
        prop_assert!(again.starts_with("# mine\n"));
    }
}

#[test]
fn an_expectation_that_is_not_the_last_table_is_left_alone() {
    let text = "tool = 'a'\ninput = '{}'\nclock = '2026-11-18T12:00:00Z'\nseed = 1\n[expect]\nrecord = '[]'\n[state]\na = '1'\n";
    let error = with_expectation(text, &Expected::default()).expect_err("would lose the state");
    assert!(error.to_string().contains("the last table"), "{error}");
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let good = "tool = 'a'\ninput = '{}'\nclock = '2026-11-18T12:00:00Z'\nseed = 1\n";
    assert!(parse(good).is_ok());
    for (bad, named) in [
        ("sed = 1\n", "line 5: unknown key `sed`"),
        (
            "[[http]]\nmethod = 'GET'\nurl = ''\n",
            "either `status` or `error`",
        ),
        (
            "[[http]]\nmethod = 'GET'\nurl = ''\nerror = 'x'\n",
            "unreachable",
        ),
        ("[[answer]]\nreply = 'yes'\n", "\"skip\" or \"nobody\""),
        ("[[verdict]]\ndecision = 'yes'\n", "deny, once"),
        ("[state]\na = 'x'\n", "`state.a` is not JSON"),
        ("[expect]\nrecord = '{}'\n", "a JSON list"),
    ] {
        let error = parse(&format!("{good}{bad}")).expect_err(bad);
        let error = format!("{error:#}");
        assert!(error.contains(named), "{bad}: {error}");
    }
    let many = format!(
        "{good}{}",
        "[[answer]]\nreply = 'skip'\n".repeat(MAX_ENTRIES + 1)
    );
    let error = parse(&many).expect_err("too many").to_string();
    assert!(error.contains("more than 200 [[answer]]"), "{error}");
}

#[test]
fn dates_and_odd_numbers_are_refused_with_their_key_and_what_to_write() {
    let good = [
        "tool = 'a'",
        "input = '{}'",
        "clock = '2026-11-18T12:00:00Z'",
        "seed = 1",
    ];
    for (bad, named) in [
        (
            "clock = 2026-11-18T12:00:00Z",
            "line 4: `clock` is of type datetime; write it as text, in quotation marks",
        ),
        (
            "input = 2026-11-18",
            "`input` is of type datetime; write it as text",
        ),
        ("input = nan", "`input` is of type float; write it as text"),
        (
            "settings = 12:00:00",
            "`settings` is of type datetime; write it as text",
        ),
        (
            "settings = { a = inf }",
            "`settings` is of type table; write it as text",
        ),
        ("state = 2026-11-18", "`state` is a table: write [state]"),
        (
            "state.a = -inf",
            "`state.a` is of type float; write it as text",
        ),
        (
            "state.a = 2026-11-18",
            "`state.a` is of type datetime; write it as text",
        ),
        (
            "allow-net = [2026-11-18]",
            "`allow-net` is of type datetime",
        ),
        ("seed = nan", "`seed` must be a whole number"),
        ("input = '{\"a\":NaN}'", "`input` is not JSON"),
    ] {
        let (key, _) = bad.split_once(' ').expect("a key");
        let others = good.iter().filter(|line| !line.starts_with(key));
        let text = others.chain([&bad]).map(|line| format!("{line}\n"));
        let error = parse(&text.collect::<String>()).expect_err(bad);
        assert!(error.to_string().contains(named), "{bad}: {error}");
    }
}

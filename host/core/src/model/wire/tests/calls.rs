//! Pieces of calls in Chat Completions, however hostile.

use super::chat::{end, piece, stream};
use super::*;
use crate::model::wire::budget::Budget;
use crate::model::wire::calls::{Calls, Fragment, settle};
use proptest::prelude::*;
use std::collections::HashSet;

/// The calls that these pieces come to.
fn made(pieces: &[Value]) -> Vec<(String, String, String)> {
    let mut data: Vec<Value> = pieces.iter().cloned().map(piece).collect();
    data.push(end("tool_calls"));
    let finished = finished(&stream(&data), "chat");
    let calls = calls(&finished);
    let own = |(id, name, arguments): (&str, &str, &str)| {
        (id.to_owned(), name.to_owned(), arguments.to_owned())
    };
    calls.into_iter().map(own).collect()
}

fn expect(calls: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    let own = |&(id, name, arguments): &(&str, &str, &str)| {
        (id.to_owned(), name.to_owned(), arguments.to_owned())
    };
    calls.iter().map(own).collect()
}

#[test]
fn calls_side_by_side_are_kept_apart_by_their_index() {
    let calls = made(&[
        json!({ "index": 0, "id": "a", "type": "function", "function": { "name": "forecast", "arguments": "" } }),
        json!({ "index": 0, "function": { "arguments": "{\"city\":" } }),
        json!({ "index": 1, "id": "b", "function": { "name": "forecast", "arguments": "{\"city\"" } }),
        json!({ "index": 0, "function": { "arguments": "\"Oslo\"}" } }),
        json!({ "index": 1, "function": { "arguments": ":\"Rome\"}" } }),
    ]);
    assert_eq!(
        calls,
        expect(&[
            ("a", "forecast", r#"{"city":"Oslo"}"#),
            ("b", "forecast", r#"{"city":"Rome"}"#)
        ])
    );
}

#[test]
fn calls_without_an_index_are_told_apart_by_id_or_by_order() {
    let by_id = made(&[
        json!({ "id": "a", "function": { "name": "forecast", "arguments": "{\"city\":" } }),
        json!({ "function": { "arguments": "\"Oslo\"}" } }),
        json!({ "id": "b", "function": { "name": "forecast", "arguments": "{" } }),
        json!({ "id": "b", "function": { "arguments": "}" } }),
    ]);
    assert_eq!(
        by_id,
        expect(&[
            ("a", "forecast", r#"{"city":"Oslo"}"#),
            ("b", "forecast", "{}")
        ])
    );
    let by_order = made(&[
        json!({ "function": { "name": "forecast", "arguments": "{\"city\":\"}\"}" } }),
        json!({ "function": { "name": "forecast", "arguments": "{}" } }),
        json!({ "function": { "name": "map" } }),
    ]);
    assert_eq!(
        by_order,
        expect(&[
            ("call_1", "forecast", r#"{"city":"}"}"#),
            ("call_2", "forecast", "{}"),
            ("call_3", "map", "")
        ])
    );
}

#[test]
fn an_index_that_is_always_zero_does_not_merge_calls() {
    let calls = made(&[
        json!({ "index": 0, "id": "a", "function": { "name": "forecast", "arguments": "{\"city\":\"Oslo\"}" } }),
        json!({ "index": 0, "id": "b", "function": { "name": "forecast", "arguments": "{\"city\":" } }),
        json!({ "index": 0, "function": { "arguments": "\"Rome\"}" } }),
        json!({ "index": 0, "id": "", "function": { "name": "map", "arguments": "{}" } }),
    ]);
    assert_eq!(
        calls,
        expect(&[
            ("a", "forecast", r#"{"city":"Oslo"}"#),
            ("b", "forecast", r#"{"city":"Rome"}"#),
            ("call_1", "map", "{}"),
        ])
    );
    let bare = made(&[
        json!({ "index": 0, "id": "a", "function": { "name": "map" } }),
        json!({ "index": 0, "id": "b", "function": { "name": "map" } }),
    ]);
    assert_eq!(bare, expect(&[("a", "map", ""), ("b", "map", "")]));
}

#[test]
fn a_name_or_id_that_is_repeated_with_each_piece_opens_nothing() {
    let calls = made(&[
        json!({ "index": 0, "id": "a", "function": { "name": "forecast", "arguments": "" } }),
        json!({ "index": 0, "id": "a", "function": { "name": "forecast", "arguments": "{\"city\":" } }),
        json!({ "index": 0, "id": "a", "function": { "name": "forecast", "arguments": "\"Oslo\"}" } }),
        json!({ "index": 0, "id": "a", "function": { "name": "forecast", "arguments": "" } }),
        json!({ "index": 0, "id": "a", "function": { "name": "forecast", "arguments": "\n" } }),
    ]);
    assert_eq!(calls, expect(&[("a", "forecast", "{\"city\":\"Oslo\"}\n")]));
}

#[test]
fn a_hostile_index_costs_nothing_and_calls_are_counted() {
    let calls = made(&[
        json!({ "index": 4_000_000_000_u64, "id": "a", "function": { "name": "map", "arguments": "{" } }),
        json!({ "index": -1, "id": "b", "function": { "name": "map", "arguments": "{}" } }),
        json!({ "index": "zero", "id": "c", "function": { "name": "map", "arguments": "{}" } }),
        json!({ "index": 4_000_000_000_u64, "function": { "arguments": "}" } }),
    ]);
    assert_eq!(
        calls,
        expect(&[("a", "map", "{}"), ("b", "map", "{}"), ("c", "map", "{}")])
    );
    let many: Vec<Value> = (0..129)
        .map(|n| piece(json!({ "index": n, "id": format!("c{n}"), "function": { "name": "map" } })))
        .collect();
    assert!(read(&stream(&many[..128]), "chat").is_ok());
    let error = read(&stream(&many), "chat").expect_err("it is one too many");
    assert_eq!(error.kind, ModelErrorKind::Garbled);
}

#[test]
fn arguments_may_be_as_long_as_said_and_no_longer() {
    let piece = |long: usize| {
        piece(
            json!({ "index": 0, "id": "a", "function": { "name": "map", "arguments": "x".repeat(long) } }),
        )
    };
    let half = 1 << 19;
    assert!(read(&stream(&[piece(half), piece(half)]), "chat").is_ok());
    let error = read(&stream(&[piece(half), piece(half), piece(1)]), "chat");
    assert_eq!(
        error.expect_err("it is too long").kind,
        ModelErrorKind::Garbled
    );
}

fn any_piece() -> impl Strategy<Value = Fragment> {
    let index = prop_oneof![Just(None), (0..3_u64).prop_map(Some), Just(Some(u64::MAX))];
    let id = prop_oneof![3 => Just(""), 1 => Just("a"), 1 => Just("b")];
    let name = prop_oneof![3 => Just(""), 1 => Just("map"), 1 => Just("forecast")];
    let arguments = prop_oneof![Just(""), Just("{"), Just("}"), Just("{}"), Just("\"\\\"")];
    (index, id, name, arguments).prop_map(|(index, id, name, arguments)| Fragment {
        index,
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
        opaque: None,
    })
}

proptest! {
    #[test]
    fn no_piece_is_lost_and_each_call_has_an_id_of_its_own(
        pieces in proptest::collection::vec(any_piece(), 0..60),
    ) {
        let mut budget = Budget::default();
        let mut calls = Calls::default();
        let mut long = 0;
        for piece in pieces {
            long += piece.arguments.len();
            calls.add(piece, &mut budget).expect("it is little");
        }
        let calls = calls.finish();
        prop_assert_eq!(calls.iter().map(|call| call.arguments.len()).sum::<usize>(), long);
        let mut parts: Vec<_> = calls.into_iter().map(ModelPart::Call).collect();
        settle(&mut parts);
        let mut ids = HashSet::new();
        for part in &parts {
            if let ModelPart::Call(call) = part {
                prop_assert!(!call.id.is_empty() && !call.name.is_empty());
                prop_assert!(ids.insert(call.id.clone()), "{} twice", call.id);
            }
        }
    }

    #[test]
    fn calls_with_index_and_id_are_never_mixed_up(
        cuts in proptest::collection::vec((0..4_usize, 1..5_usize), 0..60),
    ) {
        // Four calls whose pieces come in any order between them.
        let texts: Vec<String> = (0..4).map(|n| format!("{{\"n\":{n},\"text\":\"{}\"}}", "x".repeat(n))).collect();
        let mut upto = [0_usize; 4];
        let mut budget = Budget::default();
        let mut calls = Calls::default();
        let all = (0..4).map(|n| (n, usize::MAX));
        for (n, long) in (0..4).map(|n| (n, 0)).chain(cuts).chain(all) {
            let first = upto[n] == 0 && long == 0;
            let end = upto[n].saturating_add(long).min(texts[n].len());
            let piece = Fragment {
                index: Some(n as u64),
                id: if first { format!("id{n}") } else { String::new() },
                name: if first { "map".to_owned() } else { String::new() },
                arguments: texts[n][upto[n]..end].to_owned(),
                opaque: None,
            };
            upto[n] = end;
            calls.add(piece, &mut budget).expect("it is little");
        }
        let written: Vec<_> = calls.finish().into_iter().map(|call| call.arguments).collect();
        prop_assert_eq!(written, texts);
    }
}

//! Reading strictly and writing canonically, by table and by property.

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn canon(text: &str) -> String {
    canonical(&parse(text, Limits::default()).expect("valid"))
}

#[test]
fn numbers_have_one_form() {
    for (text, form) in [
        ("1.0", "1"),
        ("-0.0", "0"),
        ("-0", "0"),
        ("1e2", "100"),
        ("-1.50", "-1.5"),
        ("18446744073709551615", "18446744073709551615"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9007199254740991.0", "9007199254740991"),
        ("9007199254740993", "9007199254740993"),
        ("1e300", "1e+300"),
    ] {
        assert_eq!(canon(text), form, "{text}");
    }
}

#[test]
fn keys_are_sorted_and_white_space_is_removed() {
    assert_eq!(
        canon(" { \"b\" : [ 1 , {} ] , \"a\\u0062\" : \"\\/\" , \"Z\" : null } "),
        r#"{"Z":null,"ab":"/","b":[1,{}]}"#
    );
}

#[test]
fn duplicate_is_named_with_its_place_even_when_spelt_differently() {
    let error = parse("{\"a\": 1,\n \"\\u0061\": 2}", Limits::default());
    let error = error.expect_err("has `a` twice");
    assert_eq!(error.to_string(), "key `a` twice at line 2, column 9");
}

#[test]
fn duplicate_key_is_shown_escaped_and_short() {
    let key = format!("\\u001b{}", "x".repeat(500));
    let text = format!(r#"{{"{key}":1,"{key}":2}}"#);
    let error = parse(&text, Limits::default()).expect_err("twice");
    let message = error.to_string();
    assert!(
        !message.contains('\u{1b}') && message.len() < 100,
        "{message}"
    );
}

#[test]
fn depth_is_exact_at_its_limit() {
    for limit in [0, 1, 2, 64, 127] {
        let limits = Limits {
            depth: limit,
            ..Limits::default()
        };
        for depth in limit.saturating_sub(1)..=limit + 1 {
            for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
                let inner = if open == "[" || depth == 0 { "" } else { "1" };
                let scalar = if depth == 0 { "1" } else { inner };
                let text = format!("{}{scalar}{}", open.repeat(depth), close.repeat(depth));
                assert_eq!(
                    parse(&text, limits).is_ok(),
                    depth <= limit,
                    "{depth} of {limit}"
                );
            }
        }
    }
}

#[test]
fn too_deep_nesting_has_its_own_error() {
    let limits = Limits {
        depth: 1,
        ..Limits::default()
    };
    let error = parse("[[]]", limits).expect_err("two levels");
    assert!(
        matches!(error, JsonError::TooDeep { limit: 1, .. }),
        "{error}"
    );
}

#[test]
fn size_is_checked_before_anything_else() {
    let limits = Limits {
        bytes: 3,
        ..Limits::default()
    };
    assert!(parse("[1]", limits).is_ok());
    assert_eq!(
        parse("?{!]", limits),
        Err(JsonError::TooLarge { bytes: 4, limit: 3 })
    );
}

#[test]
fn invalid_json_is_refused_with_its_position() {
    for text in [
        "",
        "{",
        "[1,]",
        "1 2",
        "nul",
        "\"\u{1}\"",
        "01",
        "NaN",
        "1e999",
    ] {
        let error = parse(text, Limits::default()).expect_err(text);
        assert!(matches!(error, JsonError::Syntax { .. }), "{text}: {error}");
    }
    let error = parse("{\n  \"a\" 1}", Limits::default()).expect_err("no colon");
    assert_eq!(error.to_string(), "expected `:` at line 2, column 7");
}

#[test]
fn decimals_are_read_exactly_behind_strings_that_look_like_numbers() {
    let text =
        r#"{"1.5":"-2\"3","a":[1,"4e5\\"],"b":0.3068926675264341,"c":-122.9164000000000000001}"#;
    let value = parse(text, Limits::default()).expect("valid");
    assert_eq!(value["b"], json!(0.306_892_667_526_434_1_f64));
    assert_eq!(value["c"].as_f64(), "-122.9164000000000000001".parse().ok());
}

#[test]
fn very_deep_value_is_written_without_overflow() {
    let mut value = Value::Null;
    for _ in 0..200_000 {
        value = Value::Array(vec![value]);
    }
    assert_eq!(canonical(&value).len(), 400_004);
    // Dropping it would overflow, in serde_json.
    std::mem::forget(value);
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-1e6..1e6f64).prop_map(Value::from),
        any::<i32>().prop_map(|n| Value::from(f64::from(n))),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Whole floats as integers, which is all that the canonical form changes.
fn integral(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(integral).collect(),
        Value::Object(members) => {
            let members = members
                .into_iter()
                .map(|(key, value)| (key, integral(value)));
            Value::Object(members.collect())
        }
        Value::Number(number) if number.is_f64() => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 2f64.powi(53) => {
                Value::from(float as i64)
            }
            _ => Value::Number(number),
        },
        other => other,
    }
}

/// The value as text with its keys in the opposite order.
fn backwards(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(backwards).collect();
            format!("[ {} ]", items.join(" ,\n"))
        }
        Value::Object(members) => {
            let member =
                |(key, value): (&String, &Value)| format!("{} : {}", json!(key), backwards(value));
            let members: Vec<_> = members.iter().rev().map(member).collect();
            format!("{{ {} }}", members.join(" , "))
        }
        leaf => leaf.to_string(),
    }
}

proptest! {
    #[test]
    fn value_survives_its_canonical_form(value in any_value()) {
        let read = parse(&canonical(&value), Limits::default());
        prop_assert_eq!(read, Ok(integral(value)));
    }

    #[test]
    fn canonical_form_of_a_canonical_form_is_itself(value in any_value()) {
        let once = canon(&value.to_string());
        prop_assert_eq!(canon(&once), once);
    }

    #[test]
    fn text_is_escaped_as_serde_json_does(
        text in prop::collection::vec(prop_oneof![4 => any::<char>(), 1 => Just('"'), 1 => Just('\\'), 2 => prop::char::range('\0', ' '), 8 => prop::char::range('a', 'z')], 0..200)
    ) {
        let text = String::from_iter(text);
        prop_assert_eq!(canonical(&Value::from(&*text)), serde_json::to_string(&text).expect("text is written"));
    }

    #[test]
    fn any_decimal_has_a_stable_form(text in "-?[1-9][0-9]{0,24}(\\.[0-9]{1,24})?(e-?[0-9]{1,2})?") {
        let once = canon(&text);
        prop_assert_eq!(canon(&once), once);
    }

    #[test]
    fn order_of_keys_and_white_space_do_not_matter(value in any_value()) {
        prop_assert_eq!(canon(&backwards(&value)), canonical(&value));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[\\[\\]{}\",:0-9eE.a\\\\-]{0,40}") {
        let _ = parse(&text, Limits::default());
    }

    #[test]
    fn duplicate_is_refused_at_any_depth(
        path in prop::collection::vec(any::<bool>(), 0..20),
        key in "[a-z]{1,8}",
    ) {
        let mut text = format!(r#"{{"{key}":1,"z0":[],"{key}":2}}"#);
        for array in path {
            text = if array { format!("[0,{text}]") } else { format!(r#"{{"k":{text}}}"#) };
        }
        let refused = matches!(
            parse(&text, Limits::default()),
            Err(JsonError::DuplicateKey { key: named, .. }) if named == key
        );
        prop_assert!(refused);
    }
}

#[test]
fn members_keep_their_order_and_the_canonical_form_sorts_them() {
    let text = r#"{"zebra":1,"ant":{"y":2,"x":3},"mole":[{"b":4,"a":5}]}"#;
    let value = parse(text, Limits::default()).expect("parses");
    assert_eq!(value.to_string(), text);
    let sorted = r#"{"ant":{"x":3,"y":2},"mole":[{"a":5,"b":4}],"zebra":1}"#;
    assert_eq!(canonical(&value), sorted);
}

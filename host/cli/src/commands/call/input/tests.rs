//! A table of what can be typed and what it means.

use super::*;
use crate::exit::Exit;
use anyhow::anyhow;
use proptest::prelude::*;
use serde_json::json;

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "days": { "type": "integer" },
            "rain": { "type": "number" },
            "wet": { "type": "boolean" },
            "tags": { "type": "array", "items": { "type": "string" } },
            "sizes": { "type": "array", "items": { "type": "integer" } },
            "grid": { "type": "array", "items": { "type": "array", "items": { "type": "integer" } } },
            "maybe": { "type": ["integer", "null"] },
            "note": { "type": ["string", "null"] },
            "either": { "anyOf": [{ "type": "integer" }, { "type": "string" }] },
            "level": { "enum": [1, 2, 3] },
            "any": true,
            "a.b": { "type": "integer" },
            "place": { "$ref": "#/$defs/Place" },
            "labels": { "type": "object", "additionalProperties": { "type": "integer" } },
        },
        "additionalProperties": false,
        "$defs": { "Place": { "type": "object", "properties": {
            "city": { "type": "string" },
            "at": { "type": "object", "properties": { "lat": { "type": "number" } } },
        } } },
    })
}

fn words(text: &[&str]) -> Vec<String> {
    text.iter().map(|word| (*word).to_owned()).collect()
}

fn read(origin: Origin<'_>) -> Result<String> {
    match origin {
        Origin::Stdin => Ok(r#"{"name":"stdin"}"#.into()),
        Origin::File("in.json") => Ok("\n{\"name\": \"file\", \"days\": 1}\n".into()),
        Origin::File("list.json") => Ok("[1]".into()),
        Origin::File(other) => Err(anyhow!("there is no file `{other}`")),
    }
}

fn made(text: &[&str]) -> Result<Value> {
    parse_input(&words(text), &schema(), &mut read).map(Value::Object)
}

#[test]
fn arguments_become_values_of_the_schemas_types() {
    for (text, expected) in [
        (&[][..], json!({})),
        (&["name=Ada"], json!({ "name": "Ada" })),
        (&["name="], json!({ "name": "" })),
        (&["name=3"], json!({ "name": "3" })),
        (&["name=a=b"], json!({ "name": "a=b" })),
        (&["name={x}"], json!({ "name": "{x}" })),
        (&["name=@x"], json!({ "name": "@x" })),
        (
            &["days=3", "rain=0.5", "wet=true"],
            json!({ "days": 3, "rain": 0.5, "wet": true }),
        ),
        (&["days=-3"], json!({ "days": -3 })),
        (&["rain=3"], json!({ "rain": 3 })),
        (&["days=18446744073709551615"], json!({ "days": u64::MAX })),
        (&["tags=a"], json!({ "tags": ["a"] })),
        (&["tags=a,b"], json!({ "tags": ["a,b"] })),
        (
            &["tags=a", "name=x", "tags=b"],
            json!({ "tags": ["a", "b"], "name": "x" }),
        ),
        (
            &[r#"tags=["a","b"]"#, "tags=c"],
            json!({ "tags": ["a", "b", "c"] }),
        ),
        (&["tags=[a"], json!({ "tags": ["[a"] })),
        (&["tags="], json!({ "tags": [] })),
        (&["sizes=1", "sizes=2"], json!({ "sizes": [1, 2] })),
        (&["grid=[[1],[2]]"], json!({ "grid": [[1], [2]] })),
        (&["grid=1"], json!({ "grid": [[1]] })),
        (&["maybe=null"], json!({ "maybe": null })),
        (&["maybe=4"], json!({ "maybe": 4 })),
        (&["note=null"], json!({ "note": "null" })),
        (&["note:=null"], json!({ "note": null })),
        (&["either=4"], json!({ "either": "4" })),
        (&["either:=4"], json!({ "either": 4 })),
        (&["level=2"], json!({ "level": 2 })),
        (&["any=4"], json!({ "any": "4" })),
        (&[r#"any:={"x":[1]}"#], json!({ "any": { "x": [1] } })),
        (&["a.b=1"], json!({ "a.b": 1 })),
        (
            &["place.city=Oslo", "place.at.lat=59.9"],
            json!({ "place": { "city": "Oslo", "at": { "lat": 59.9 } } }),
        ),
        (
            &[r#"place={"city":"Oslo"}"#],
            json!({ "place": { "city": "Oslo" } }),
        ),
        (
            &["labels.x=1", "labels.y=2"],
            json!({ "labels": { "x": 1, "y": 2 } }),
        ),
        (&[r#"{"days": 3}"#], json!({ "days": 3 })),
        (&[r#"{"unknown": 3}"#], json!({ "unknown": 3 })),
        (&["@in.json"], json!({ "name": "file", "days": 1 })),
        (
            &["@in.json", "days=7"],
            json!({ "name": "file", "days": 7 }),
        ),
        (&["-"], json!({ "name": "stdin" })),
        (
            &["-", "wet=false"],
            json!({ "name": "stdin", "wet": false }),
        ),
    ] {
        let value = made(text).unwrap_or_else(|error| panic!("{text:?}: {error:#}"));
        assert_eq!(value, expected, "{text:?}");
    }
}

#[test]
fn invalid_arguments_are_usage_errors_that_name_the_argument() {
    for (text, expected) in [
        (
            &["dyas=3"][..],
            "there is no argument `dyas`; did you mean `days`?; known are `name`, `days`",
        ),
        (
            &["place.ctiy=x"],
            "there is no argument `place.ctiy`; did you mean `city`?; known are `city`, `at`",
        ),
        (&["=3"], "there is no argument ``; known are"),
        (&["place.=3"], "there is no argument `place.`"),
        (
            &["days=three"],
            "`days` is `three`; it must be whole number",
        ),
        (&["days=3.5"], "`days` is `3.5`; it must be whole number"),
        (&["days=+3"], "`days` is `+3`"),
        (&["wet=yes"], "`wet` is `yes`; it must be true or false"),
        (&["sizes=x"], "`sizes` is `x`; it must be whole number"),
        (
            &["place=Oslo"],
            "`place` is `Oslo`; it must be object with city, at; write its members as `place.member=value`, or JSON",
        ),
        (&["days=3", "days=4"], "`days` is given twice"),
        (&["name=a", "name=b"], "`name` is given twice"),
        (
            &["any=a", "any.b=c"],
            "`any.b` is given twice, or both whole and in parts",
        ),
        (
            &["verbose"],
            "`verbose` is not an argument; write `key=value`",
        ),
        (&["name=x", "-"], "`-` is not an argument"),
        (&["days:=x"], "`days:=` needs JSON: "),
        (&["{\"a\":1"], "the input is not JSON: "),
        (&["{\"a\":1,\"a\":2}"], "the input is not JSON: "),
        (
            &["@list.json"],
            "the input in `list.json` is a list; a tool's input is an object",
        ),
    ] {
        let error = made(text).expect_err("makes no sense");
        let message = format!("{error:#}");
        assert!(message.starts_with(expected), "{text:?}: {message}");
        assert_eq!(Exit::of_error(&error), Exit::Usage, "{message}");
    }
}

#[test]
fn an_unreadable_file_is_not_a_usage_error() {
    let error = made(&["@nowhere"]).expect_err("is not there");
    assert_eq!(error.to_string(), "there is no file `nowhere`");
    assert_eq!(Exit::of_error(&error), Exit::Error);
}

#[test]
fn a_tool_without_arguments_says_so() {
    let nothing = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    let error = parse_input(&words(&["a=1"]), &nothing, &mut read).expect_err("takes none");
    assert_eq!(
        error.to_string(),
        "there is no argument `a`; the tool takes none"
    );
}

#[test]
fn without_a_schema_every_value_is_text() {
    let made =
        parse_input(&words(&["a=1", "b.c=x"]), &json!({}), &mut read).expect("anything goes");
    assert_eq!(Value::Object(made), json!({ "a": "1", "b": { "c": "x" } }));
}

#[test]
fn the_tool_name_is_optional_if_there_is_one_tool() {
    let check = |tools: &[&'static str], text: &[&str]| {
        let words = words(text);
        choose_tool(tools, &words)
            .map(|(tool, rest)| (tool.to_owned(), rest.join(" ")))
            .map_err(|error| error.to_string())
    };
    let one = &["greet"][..];
    let two = &["add", "list"][..];
    let ok = |tool: &str, rest: &str| Ok((tool.to_owned(), rest.to_owned()));
    assert_eq!(check(one, &[]), ok("greet", ""));
    assert_eq!(check(one, &["greet", "name=Ada"]), ok("greet", "name=Ada"));
    assert_eq!(check(one, &["name=Ada"]), ok("greet", "name=Ada"));
    assert_eq!(check(one, &["{}"]), ok("greet", "{}"));
    assert_eq!(check(one, &["@f", "a=b"]), ok("greet", "@f a=b"));
    assert_eq!(check(one, &["-"]), ok("greet", "-"));
    assert_eq!(check(two, &["list"]), ok("list", ""));
    for (tools, text, expected) in [
        (
            one,
            &["gret"][..],
            "there is no tool `gret`; did you mean `greet`?; this plugin has `greet`",
        ),
        (
            two,
            &["remove"],
            "there is no tool `remove`; this plugin has `add`, `list`",
        ),
        (two, &[], "which tool? this plugin has `add`, `list`; write"),
        (two, &["a=b"], "which tool?"),
        (&[], &[], "which tool? this plugin has none"),
    ] {
        let error = check(tools, text).expect_err("is unclear");
        assert!(error.starts_with(expected), "{text:?}: {error}");
    }
}

#[test]
fn a_member_is_given_whole_or_in_parts_and_never_both_in_any_order() {
    let paths = ["a", "a.b", "a.b.c", "a.d", "e", "e.b", "ab"];
    let contains = |whole: &str, part: &str| part.starts_with(&format!("{whole}."));
    for first in paths {
        for second in paths {
            for forms in [
                ["=1", "=2"],
                [":={}", "=2"],
                ["=1", ":={}"],
                [":={}", ":={\"x\":1}"],
            ] {
                let words = words(&[
                    &format!("{first}{}", forms[0]),
                    &format!("{second}{}", forms[1]),
                ]);
                let is_refused =
                    first == second || contains(first, second) || contains(second, first);
                match parse_input(&words, &json!({}), &mut read) {
                    Ok(_) => assert!(!is_refused, "{words:?}"),
                    Err(error) => {
                        assert!(is_refused, "{words:?}: {error}");
                        assert_eq!(Exit::of_error(&error), Exit::Usage);
                        assert!(error.to_string().contains("is given twice"), "{error}");
                    }
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn no_words_panic(text in prop::collection::vec(
        prop_oneof!["[a-z.:=@{}\\[\\]\",0-9-]{0,12}", ".{0,12}",
            ("(name|days|tags|place|place.at|any|a.b|labels)", "(=|:=|.x=)", ".{0,6}")
                .prop_map(|(a, b, c)| format!("{a}{b}{c}"))],
        0..5,
    )) {
        let _ = parse_input(&text, &schema(), &mut read);
        let _ = choose_tool(&["a", "days"], &text);
    }

    #[test]
    fn any_schema_is_survived(keys in prop::collection::vec(prop::sample::select(vec![
        "type", "properties", "items", "$ref", "anyOf", "enum", "a", "#", "#/a", "object", "array",
        "additionalProperties",
    ]), 0..12)) {
        let schema = keys.chunks(2).fold(json!("#"), |inner, chunk| match chunk {
            [a, b] => json!({ *a: inner, *b: [inner] }),
            [a, ..] => json!({ *a: { "a": inner } }),
            [] => inner,
        });
        let _ = parse_input(&words(&["a=1", "a.a=2", "a:=[]"]), &schema, &mut read);
        let _ = SchemaNode::new(&schema).lines();
    }

    #[test]
    fn text_arrives_as_it_was_written(text in ".{0,30}") {
        let made = parse_input(&[format!("name={text}")], &schema(), &mut read).expect("is text");
        prop_assert_eq!(&made["name"], &Value::from(text));
    }
}

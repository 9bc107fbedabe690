//! Each format with texts that have it and texts that do not.

use super::*;
use crate::validation::{BoundedValidator, SchemaBudget};
use serde_json::{Value, json};

/// A format, texts that have it, and texts that do not.
type Row = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

#[rustfmt::skip]
const TABLE: &[Row] = &[
    ("date", &["2024-02-29", "0001-01-01"], &["", "2023-02-29", "2026-13-01", "tomorrow", "2026-5-4", "2026-05-04T00:00:00Z"]),
    ("date-time", &["2026-05-04t09:30:00.25+02:00"], &["2026-05-04", "2026-05-04 09:30:00Z", "2026-05-04T09:30:00", "2026-05-04T25:00:00Z"]),
    ("time", &["23:59:60Z", "00:00:00-01:30"], &["9:30", "09:30:00", "24:00:00Z", "12:60:00Z"]),
    ("duration", &["P3W", "P1Y2M3DT4H5M6S"], &["1h", "P", "PT", "P1Y2W"]),
    ("email", &["a.b+c@example.co.uk"], &["ada", "ada@", "@example.com", "a b@example.com", "Ada <ada@example.com>"]),
    ("hostname", &["localhost", "a-b.example"], &["-a.example", "a..b", "a_b.example", "example.com/", "https://example.com"]),
    ("ipv4", &["0.0.0.0", "255.255.255.255"], &["256.0.0.1", "1.2.3", "01.2.3.4", "::1"]),
    ("ipv6", &["::", "::ffff:192.0.2.1"], &["1::2::3", "192.0.2.1", "[::1]", "12345::"]),
    ("uri", &["mailto:ada@example.com", "urn:isbn:0451450523"], &["/page", "example.com", "https://exa mple.com", "https://example.com/å"]),
    ("uri-reference", &["", "a/b", "#top"], &["a b", "\\\\host", "%zz"]),
    ("uri-template", &["/a/{b}{?c*}"], &["/a/{b", "/{}", "}"]),
    ("iri", &["https://example.com/å"], &["/å", "https://exa mple.com"]),
    ("iri-reference", &["å"], &["å å"]),
    ("uuid", &["00000000-0000-0000-0000-000000000000"], &["1b4e28ba2fa141d2883f0016d3cca427", "{1b4e28ba-2fa1-41d2-883f-0016d3cca427}", "x"]),
    ("json-pointer", &["", "/a~1b"], &["a", "/a~2"]),
    ("relative-json-pointer", &["0#"], &["/a", "-1"]),
];

fn check(format: &str, value: &Value) -> Result<(), Vec<String>> {
    let schema = json!({ "format": format });
    let validator = BoundedValidator::new(&schema, &mut SchemaBudget::default());
    let validator = validator.expect("a schema");
    assert_eq!(
        validator.fits(&schema, value),
        validator.check(&schema, value).is_ok(),
        "{format} {value}"
    );
    validator.check(&schema, value)
}

#[test]
fn each_format_admits_its_texts_and_no_others() {
    let names: Vec<&str> = TABLE.iter().map(|(name, ..)| *name).collect();
    let listed: Vec<&str> = formats().iter().map(|format| format.name).collect();
    assert_eq!(names, listed, "the table has every format that is checked");
    for ((name, good, bad), format) in TABLE.iter().zip(formats()) {
        for text in good.iter().chain([&format.example]) {
            assert_eq!(check(name, &json!(text)), Ok(()), "{name} {text:?}");
        }
        for text in *bad {
            let wrong = check(name, &json!(text)).expect_err(name);
            let expected = format!(
                "does not have the format `{name}`, such as {:?}",
                format.example
            );
            assert!(wrong[0].ends_with(&expected), "{wrong:?}");
        }
        // A format says nothing of what is not a text.
        assert_eq!(check(name, &json!(7)), Ok(()), "{name}");
    }
}

#[test]
fn a_format_that_is_not_listed_is_a_remark() {
    for name in [
        "regex",
        "idn-email",
        "idn-hostname",
        "uint8",
        "password",
        "",
        "Date",
    ] {
        assert_eq!(check(name, &json!("((((")), Ok(()), "{name}");
    }
}

#[test]
fn a_violation_names_the_place_the_format_and_an_example() {
    let schema =
        json!({ "properties": { "day": { "type": ["string", "null"], "format": "date" } } });
    let validator = BoundedValidator::new(&schema, &mut SchemaBudget::default()).expect("a schema");
    assert_eq!(validator.check(&schema, &json!({ "day": null })), Ok(()));
    assert_eq!(
        validator.check(&schema, &json!({ "day": "on Monday" })),
        Err(vec![
            r#"/day: "on Monday" does not have the format `date`, such as "2026-05-04""#.to_owned()
        ])
    );
}

//! Tests of single lines and of exact JSON.

use super::*;
use proptest::prelude::*;
use serde_json::json;

#[test]
fn a_line_is_one_line_and_no_longer_than_said() {
    assert_eq!(line("a\n  b\tc", 10), "a b c");
    assert_eq!(line("abcdef", 6), "abcdef");
    assert_eq!(line("abcdefg", 6), "abcde…");
    assert_eq!(line("abcdefg", 0), "…");
    assert_eq!(clean_line("a\n\tb"), "a  b");
}

#[test]
fn a_value_under_decision_is_escaped_and_not_cleaned() {
    let value = json!("a\u{202e}b\u{e0041}\u{1b}[1mc\u{fe0f}é");
    let shown = exact(&value);
    assert_eq!(shown, r#""a\u202eb\udb40\udc41\u001b[1mc\ufe0fé""#);
    let read: Value = serde_json::from_str(&shown).expect("is still JSON");
    assert_eq!(read, value);
}

proptest! {
    #[test]
    fn a_line_of_anything_is_one_short_line(text in "[\\PC\n\t\r\u{1b}\u{200d}\u{202e}\u{fe0f}]{0,40}") {
        let line = line(&text, 20);
        prop_assert!(!line.contains(['\n', '\t']) && line.chars().count() <= 20);
        prop_assert!(!line.contains(is_forbidden));
        prop_assert!(!clean_line(&text).contains(['\n', '\t']));
    }

    #[test]
    fn exact_json_reads_back_as_it_was(text in any::<String>()) {
        let value = json!({ "a": text });
        let read: Value = serde_json::from_str(&exact(&value)).expect("is JSON");
        prop_assert_eq!(&read, &value);
        let line = json_line(&value);
        prop_assert!(!line.contains(char::is_control));
        let read: Value = serde_json::from_str(&line).expect("is JSON");
        prop_assert_eq!(read, value);
    }
}

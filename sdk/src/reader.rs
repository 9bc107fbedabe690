//! A small JSON reader for common argument types: strings, numbers, booleans, and lists and options
//! of them.
//!
//! Most tools take no other arguments, and serde's error reporting would make up a quarter of a small
//! plugin. The host has already checked the input against the schema, so this reader only has to
//! take it apart.
//!
//! Invariant: the reader never panics, and what it accepts it reads as serde_json does.

/// A type that is read without serde and whose schema the macros know.
pub trait Plain: Sized {
    /// Parses a value from JSON text.
    fn read(json: &str) -> Option<Self>;
}

impl Plain for String {
    fn read(json: &str) -> Option<Self> {
        text(json)
    }
}

impl Plain for bool {
    fn read(json: &str) -> Option<Self> {
        json.parse().ok()
    }
}

macro_rules! numbers {
    ($($number:ty)+) => {
        $(impl Plain for $number {
            fn read(json: &str) -> Option<Self> {
                // Rust also parses `+1`, `inf` and `NaN`, which are not JSON.
                json.starts_with(|first: char| first == '-' || first.is_ascii_digit()).then(|| json.parse().ok())?
            }
        })+
    };
}

numbers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 }

impl<T: Plain> Plain for Option<T> {
    fn read(json: &str) -> Option<Self> {
        if json == "null" {
            Some(None)
        } else {
            T::read(json).map(Some)
        }
    }
}

impl<T: Plain> Plain for Vec<T> {
    fn read(json: &str) -> Option<Self> {
        let inside = json.strip_prefix('[')?.strip_suffix(']')?;
        parts(inside, b',').map(T::read).collect()
    }
}

/// Splits an object into its names and its values, which remain JSON text.
pub(crate) fn members(json: &str) -> Option<Vec<(String, &str)>> {
    let inside = json.trim().strip_prefix('{')?.strip_suffix('}')?;
    parts(inside, b',')
        .map(|part| {
            let (name, value) = part.split_at_checked(end_of_part(part, b':'))?;
            Some((text(name.trim())?, value.get(1..)?.trim()))
        })
        .collect()
}

/// Splits text at separators outside strings and brackets.
fn parts(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let mut rest = (!text.trim().is_empty()).then_some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = end_of_part(text, separator);
        // The separator is ASCII, so both indices are character boundaries.
        rest = text.get(end + 1..);
        text.get(..end).map(str::trim)
    })
}

/// Returns the index of the first separator outside strings and brackets, or the text's length.
fn end_of_part(text: &str, separator: u8) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            // Inputs consist mostly of strings, so a separate tight loop skips them.
            b'"' => at = end_of_string(bytes, at + 1),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            byte if *byte == separator && depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Returns the index of the quote that closes the string whose content starts at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => break,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

/// Parses a JSON string.
fn text(json: &str) -> Option<String> {
    let mut rest = json.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(rest.len());
    while let Some((plain, escaped)) = rest.split_once('\\') {
        text.push_str(plain);
        let mut after = escaped.chars();
        text.push(escape(&mut after)?);
        rest = after.as_str();
    }
    text.push_str(rest);
    Some(text)
}

/// Parses the escape sequence after a backslash.
fn escape(rest: &mut std::str::Chars<'_>) -> Option<char> {
    Some(match rest.next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'u' => {
            let unit = code_unit(rest)?;
            let code = match unit {
                // A high surrogate: the low one follows as another escape.
                0xd800..0xdc00 if rest.next()? == '\\' && rest.next()? == 'u' => {
                    0x10000
                        + ((unit - 0xd800) << 10)
                        + code_unit(rest)?
                            .checked_sub(0xdc00)
                            .filter(|low| *low < 0x400)?
                }
                unit => unit,
            };
            char::from_u32(code)?
        }
        plain @ ('"' | '\\' | '/') => plain,
        _ => return None,
    })
}

fn code_unit(rest: &mut std::str::Chars<'_>) -> Option<u32> {
    (0..4).try_fold(0, |unit, _| Some(unit * 16 + rest.next()?.to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_object_is_split_into_its_members(object in prop::collection::btree_map(any::<String>(), json(), 0..6)) {
            for text in [serde_json::to_string(&object), serde_json::to_string_pretty(&object)] {
                let text = text.expect("serialises");
                let members = members(&text).expect("an object");
                let read: std::collections::BTreeMap<String, Value> = members
                    .into_iter()
                    .map(|(name, value)| (name, serde_json::from_str(value).expect("JSON")))
                    .collect();
                prop_assert_eq!(&read, &object);
            }
        }

        #[test]
        fn any_string_reads_back_with_or_without_escapes(text in any::<String>()) {
            let written = serde_json::to_string(&text).expect("serialises");
            prop_assert_eq!(String::read(&written).expect("a string"), text.clone());
            let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            prop_assert_eq!(String::read(&format!("\"{units}\"")).expect("a string"), text);
        }

        #[test]
        fn the_reader_agrees_with_serde_on_what_both_accept(json in "[-+0-9a-zA-Z.\\[\\]{}\",:\\\\ ]{0,24}") {
            // The reader may accept what serde refuses: the host has checked the input already.
            if let (Some(ours), Ok(theirs)) = (Vec::<String>::read(&json), serde_json::from_str::<Vec<String>>(&json)) {
                prop_assert_eq!(ours, theirs);
            }
            if let (Some(ours), Ok(theirs)) = (i64::read(&json), serde_json::from_str::<i64>(&json)) {
                prop_assert_eq!(ours, theirs);
            }
            if let (Some(ours), Ok(theirs)) = (f64::read(&json), serde_json::from_str::<f64>(&json)) {
                prop_assert_eq!(ours, theirs);
            }
        }
    }

    #[test]
    fn half_a_surrogate_pair_is_refused() {
        for json in [
            r#""\ud800""#,
            r#""\ud800x""#,
            r#""\ud800\u0041""#,
            r#""\udc00""#,
            r#""\u12""#,
        ] {
            assert_eq!(String::read(json), None, "{json}");
        }
    }

    #[test]
    fn numbers_that_only_rust_writes_are_refused() {
        assert_eq!(f64::read("NaN"), None);
        assert_eq!(f64::read("inf"), None);
        assert_eq!(i64::read("+1"), None);
        assert_eq!(u8::read("256"), None);
        assert_eq!(Vec::<u8>::read("[ 1 , 2 ]"), Some(vec![1, 2]));
        assert_eq!(Vec::<u8>::read("[]"), Some(vec![]));
    }
}

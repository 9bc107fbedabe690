//! Tests of what the filter keeps and removes.

use super::*;
use proptest::prelude::*;
use serde_json::json;

#[test]
fn nothing_a_terminal_obeys_is_left() {
    for (text, expected) in [
        ("plain äöü 你好\n\tnext", "plain äöü 你好\n\tnext"),
        ("\u{1b}[31mred\u{1b}[0m", "red"),
        ("a\u{1b}[2J\u{1b}[Hb", "ab"),
        ("a\u{1b}]0;title\u{7}b", "ab"),
        (
            "a\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\b",
            "alinkb",
        ),
        ("a\u{1b}]52;c;AAAA\u{9c}b", "ab"),
        ("a\u{1b}P1$r\u{1b}\\b", "ab"),
        ("a\u{1b}_Gf=24;AAAA\u{1b}\\b", "ab"),
        ("a\u{9b}31mb", "ab"),
        ("a\u{9d}0;t\u{7}b", "ab"),
        ("a\u{1b}(0b\u{1b}cd", "abd"),
        ("\u{1b}", ""),
        ("\u{1b}[", ""),
        ("a\u{1b}]never closed\nb", "a\nb"),
        ("a\u{1b}]x\u{1b}[31mb", "ab"),
        ("a\u{8}\u{7}\u{0}\u{7f}\u{c}b", "ab"),
        ("safe\rrm -rf", "safe\nrm -rf"),
        ("a\r\nb\r\r\nc", "a\nb\n\nc"),
        ("a\u{2028}b\u{2029}c\u{85}d", "a\nb\ncd"),
        ("\u{202e}txt.exe\u{202c}\u{2066}x\u{2069}", "txt.exex"),
        ("a\u{200e}\u{200f}\u{61c}b", "ab"),
        ("a\u{e0041}\u{e007f}\u{e0100}b", "ab"),
        ("a\u{200b}\u{feff}\u{2060}\u{ad}b", "ab"),
        ("a\u{fffe}\u{fdd0}\u{10ffff}b", "ab"),
    ] {
        assert_eq!(clean(text), expected, "{text:?}");
    }
}

#[test]
fn joiners_and_selectors_stay_where_they_mean_something() {
    for text in [
        "👨\u{200d}👩\u{200d}👧",
        "❤\u{fe0f}\u{200d}🔥",
        "می\u{200c}خواهم",
        "ශ්\u{200d}රී",
        "1\u{fe0f}\u{20e3}",
    ] {
        assert_eq!(clean(text), text);
    }
    assert_eq!(clean("pay\u{200d}pal\u{200c}"), "paypal");
    assert_eq!(clean("☎\u{fe0f}\u{fe0f}\u{fe0e}"), "☎\u{fe0f}");
    assert_eq!(clean("a\u{fe0f}b\u{fe01}\u{fe0e}"), "ab");
    // Scripts that need neither cannot carry bits in them.
    assert_eq!(clean("п\u{200d}р\u{200c}и"), "при");
    assert_eq!(clean("日\u{fe0f}本\u{fe0e}"), "日本");
}

#[test]
fn a_letter_has_at_most_eight_marks() {
    let zalgo = format!("a{}b", "\u{301}".repeat(50));
    assert_eq!(clean(&zalgo), format!("a{}b", "\u{301}".repeat(8)));
}

/// The test would not finish if the work were quadratic.
#[test]
fn unterminated_sequences_take_linear_time() {
    for opening in ["\u{1b}]", "\u{9d}", "\u{1b}[", "\u{90}", "\u{1b}P\n"] {
        let text = opening.repeat(500_000);
        assert!(!clean(&text).contains(is_forbidden));
    }
}

/// Strings that consist mostly of characters the filter handles.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => prop::sample::select(ODD.to_vec()).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

const ODD: [&str; 34] = [
    "\u{1b}",
    "[",
    "]",
    "\\",
    ";",
    "m",
    "0;1",
    "\u{7}",
    "\u{9b}",
    "\u{9c}",
    "\u{9d}",
    "\u{90}",
    "\r",
    "\n",
    "\t",
    "\u{200d}",
    "\u{200c}",
    "\u{fe0f}",
    "\u{fe0e}",
    "\u{fe01}",
    "\u{301}",
    "👩",
    "a",
    "ä",
    "ක්",
    "\u{202e}",
    "\u{2068}",
    "\u{e0041}",
    "\u{85}",
    "\u{2028}",
    "P",
    " ",
    "1",
    "\u{20e3}",
];

/// Checks every property of [`clean`] for one string.
fn check(text: &str) -> Result<(), String> {
    let once = clean(text);
    if once.contains(is_forbidden) {
        return Err(format!("forbidden: {text:?} -> {once:?}"));
    }
    if once.contains('\r') || once.contains('\u{1b}') {
        return Err(format!("control: {text:?} -> {once:?}"));
    }
    if clean(&once) != once {
        return Err(format!("twice: {text:?} -> {once:?}"));
    }
    if once.len() > text.len() {
        return Err(format!("longer: {text:?} -> {once:?}"));
    }
    let mut marks = 0;
    let mut selectors = 0;
    for c in once.chars() {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        selectors = if matches!(c, '\u{fe0e}' | '\u{fe0f}') {
            selectors + 1
        } else {
            0
        };
        if marks > MAX_MARKS || selectors > 1 {
            return Err(format!("piled up: {text:?} -> {once:?}"));
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn nothing_forbidden_gets_through_and_twice_is_once(text in hostile()) {
        prop_assert_eq!(check(&text), Ok(()));
    }

    #[test]
    fn ordinary_text_is_borrowed(text in "[ -~à-ÿλжあ一-龥\n\t]{0,60}") {
        prop_assert!(matches!(clean(&text), Cow::Borrowed(kept) if kept == text));
    }

    #[test]
    fn json_is_filtered_in_its_keys_and_values(key in hostile(), text in hostile()) {
        let value = clean_value(&json!({ key: [&text, 1, null, { "b": &text }] }));
        let mut open = vec![&value];
        while let Some(value) = open.pop() {
            match value {
                Value::String(text) => prop_assert_eq!(check(text), Ok(())),
                Value::Array(values) => open.extend(values),
                Value::Object(members) => {
                    for (key, value) in members {
                        prop_assert!(!key.contains(is_forbidden));
                        open.push(value);
                    }
                }
                _ => {}
            }
        }
    }
}

/// The number of strings to test; set `FOOTLIGHT_STRINGS=10000000` for a thorough run.
fn strings() -> u64 {
    let wanted = std::env::var("FOOTLIGHT_STRINGS").ok();
    wanted.map_or(50_000, |wanted| wanted.parse().expect("a number"))
}

#[test]
fn many_random_hostile_strings_become_harmless() {
    // Xorshift with a fixed seed makes failures reproducible.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut text = String::new();
    for _ in 0..strings() {
        text.clear();
        for _ in 0..next() % 24 {
            let n = next();
            let scalar = u32::try_from((n >> 8) % 0x11_0000).expect("below U+110000");
            match (n % 8, char::from_u32(scalar)) {
                (0, Some(c)) => text.push(c),
                (1, _) => text.push(char::from((n >> 8) as u8)),
                _ => text.push_str(ODD[(n >> 8) as usize % ODD.len()]),
            }
        }
        assert_eq!(check(&text), Ok(()));
    }
}

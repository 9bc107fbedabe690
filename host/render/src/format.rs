//! Formats values for people: numbers, sizes, dates, addresses and paths.
//!
//! Invariant: formatting never hides a value. A value that does not match its declared type is
//! shown unchanged.

use crate::view::{Address, Inline, Span, Style, Tone};
use footlight_vocabulary::display::FieldType;
use serde_json::Value;

/// How many digits of a digest are shown where there is little room.
const DIGEST_DIGITS: usize = 12;

/// Returns the first digits of a digest.
pub(crate) fn short_digest(digest: &str) -> String {
    digest.chars().take(DIGEST_DIGITS).collect()
}

/// Groups the digits of numbers with five digits or more: `12,345.5`. Years are not grouped.
pub(crate) fn grouped(number: &str) -> String {
    let (sign, digits) = match number.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", number),
    };
    let (whole, rest) = digits.split_at(digits.find(['.', 'e', 'E']).unwrap_or(digits.len()));
    if whole.len() < 5 || !whole.bytes().all(|b| b.is_ascii_digit()) {
        return number.to_owned();
    }
    let mut out = String::from(sign);
    for (n, digit) in whole.char_indices() {
        if n > 0 && (whole.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

/// Returns how many decimals a plain number has; none of anything else, such as one with an exponent.
/// `3.0` is the whole number 3.
pub(crate) fn decimals_of(number: &str) -> Option<usize> {
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    if whole.is_empty() || !is_digits(whole) || !is_digits(decimals) {
        return None;
    }
    Some(if decimals == "0" { 0 } else { decimals.len() })
}

/// Adds zeros to a formatted number until it has this many decimals. Other text stays as it is.
pub(crate) fn with_decimals(number: &str, decimals: usize) -> String {
    let own = number.split_once('.').map_or(0, |(_, own)| own.len());
    if own >= decimals || decimals_of(&number.replace(',', "")).is_none() {
        return number.to_owned();
    }
    let point = if number.contains('.') { "" } else { "." };
    format!("{number}{point}{}", "0".repeat(decimals - own))
}

/// Formats an amount of money: with two decimals, or more if it has more.
fn money(number: &str) -> String {
    match decimals_of(number) {
        Some(_) => {
            let number = number.strip_suffix(".0").unwrap_or(number);
            with_decimals(&grouped(number), 2)
        }
        None => number.to_owned(),
    }
}

/// Formats a number with at most `digits` decimals, without trailing zeros.
pub(crate) fn decimals(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

/// Formats a value of a chart exactly; very large and very small values use an exponent.
pub(crate) fn exact(value: f64) -> String {
    if value.abs() >= 1e15 || (value != 0.0 && value.abs() < 1e-6) {
        return format!("{value:e}");
    }
    grouped(&value.to_string())
}

/// Formats a size in decimal units, as file managers do: `512 bytes`, `1.5 KB`, `20 MB`.
pub(crate) fn size(bytes: u64) -> String {
    if bytes < 1000 {
        return format!("{bytes} {}", if bytes == 1 { "byte" } else { "bytes" });
    }
    let mut tenths = bytes / 100;
    let mut unit = "KB";
    for next in ["MB", "GB", "TB", "PB", "EB"] {
        if tenths < 10_000 {
            break;
        }
        tenths /= 1000;
        unit = next;
    }
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} {unit}"),
        (whole, _) if whole >= 100 => format!("{whole} {unit}"),
        (whole, tenth) => format!("{whole}.{tenth} {unit}"),
    }
}

/// Formats a duration: `850 ms`, `2.4 s`, `3 min 20 s`.
pub(crate) fn duration(millis: u64) -> String {
    match millis {
        0..1000 => format!("{millis} ms"),
        1000..60_000 => format!("{}.{} s", millis / 1000, millis % 1000 / 100),
        _ => format!("{} min {} s", millis / 60_000, millis % 60_000 / 1000),
    }
}

/// Formats an ISO 8601 date or time as `2026-11-16` or `2026-11-16 05:06 UTC`; `None` if the text
/// is neither.
///
/// The original time zone is kept, because the reader's is unknown here.
pub(crate) fn date(text: &str) -> Option<String> {
    let text = text.trim();
    let day = text.get(..10)?;
    let fits = |text: &str, pattern: &str| {
        let shape = |b: u8| if b.is_ascii_digit() { b'0' } else { b };
        text.bytes().map(shape).eq(pattern.bytes())
    };
    let within = |text: &str, most: u32| text.parse().is_ok_and(|n: u32| n <= most);
    if !fits(day, "0000-00-00") || !within(&day[5..7], 12) || !within(&day[8..10], 31) {
        return None;
    }
    let rest = match text.get(10..)? {
        "" => return Some(day.to_owned()),
        rest => rest.strip_prefix(['T', 't', ' '])?,
    };
    let time = rest.get(..5)?;
    if !fits(time, "00:00") || !within(&time[..2], 24) || !within(&time[3..], 59) {
        return None;
    }
    let mut rest = &rest[5..];
    if let Some(seconds) = rest.strip_prefix(':') {
        rest = seconds.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    }
    let zone = match rest.trim() {
        "" => String::new(),
        "Z" | "z" | "+00:00" => " UTC".to_owned(),
        zone if fits(&zone.replacen('-', "+", 1), "+00:00") => format!(" UTC{zone}"),
        _ => return None,
    };
    Some(format!("{day} {time}{zone}"))
}

/// Formats a leaf according to its type. Lists and objects become compact JSON, which the caller
/// has shortened before.
pub(crate) fn value(value: &Value, kind: Option<&FieldType>) -> Inline {
    let text = match value {
        Value::Null => return Inline::default(),
        Value::String(text) => text.clone(),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) => {
            let digits = number.to_string();
            let digits = digits.strip_suffix(".0").unwrap_or(&digits);
            match kind {
                Some(FieldType::Number) => grouped(digits),
                Some(FieldType::Money) => money(digits),
                Some(FieldType::Date) => epoch(number).unwrap_or_else(|| digits.to_owned()),
                _ => digits.to_owned(),
            }
        }
        Value::Array(_) | Value::Object(_) => value.to_string(),
    };
    let span = match kind {
        Some(FieldType::Date) if value.is_string() => Span::plain(date(&text).unwrap_or(text)),
        Some(FieldType::Url) => return link(&text),
        Some(FieldType::Path) => Span::code(text),
        Some(FieldType::Number) if value.is_string() => Span::plain(grouped(&text)),
        Some(FieldType::Money) if value.is_string() => Span::plain(money(&text)),
        Some(FieldType::Boolean) => match text.as_str() {
            "true" => Span::styled("yes", Style::toned(Tone::Success)),
            "false" => Span::muted("no"),
            _ => Span::plain(text),
        },
        _ => Span::plain(text),
    };
    span.into()
}

/// Formats a URL as a link, if it may be followed.
pub(crate) fn link(text: &str) -> Inline {
    Span {
        link: Address::parse(text),
        ..Span::plain(text)
    }
    .into()
}

/// Formats seconds or milliseconds since 1970.
fn epoch(number: &serde_json::Number) -> Option<String> {
    let n = number.as_i64()?;
    let millis = match n {
        100_000_000..100_000_000_000 => n * 1000,
        100_000_000_000..=253_402_300_799_999 => n,
        _ => return None,
    };
    date(&footlight_vocabulary::item::Timestamp::from_millis(millis).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_grouped_from_five_digits_on() {
        for (given, read) in [
            ("2026", "2026"),
            ("12345", "12,345"),
            ("-1234567.25", "-1,234,567.25"),
            ("1e30", "1e30"),
            ("x", "x"),
        ] {
            assert_eq!(grouped(given), read);
        }
    }

    #[test]
    fn money_has_two_decimals_and_never_fewer_than_it_was_given() {
        let read = |v| value(&v, Some(&FieldType::Money)).to_text();
        for (given, expected) in [
            (json!(12.5), "12.50"),
            (json!(3), "3.00"),
            (json!(-0.5), "-0.50"),
            (json!(1234567.1), "1,234,567.10"),
            (json!(9007199254740993_u64), "9,007,199,254,740,993.00"),
            (json!("12.50"), "12.50"),
            (json!("7"), "7.00"),
            (json!(0.125), "0.125"),
            (json!("about 5"), "about 5"),
            (json!(1e300), "1e+300"),
            (json!(null), ""),
        ] {
            assert_eq!(read(given.clone()), expected, "{given}");
        }
    }

    #[test]
    fn only_plain_numbers_get_decimals() {
        for (given, expected) in [
            ("3", "3.00"),
            ("3.5", "3.50"),
            ("12,345", "12,345.00"),
            ("3.25", "3.25"),
            ("3.0", "3.00"),
            ("1e30", "1e30"),
            ("", ""),
            ("-", "-"),
            ("1.2.3", "1.2.3"),
        ] {
            assert_eq!(with_decimals(given, 2), expected);
        }
        assert_eq!(decimals_of("3.0"), Some(0));
        assert_eq!(decimals_of("3.10"), Some(2));
    }

    #[test]
    fn sizes_and_durations_are_short() {
        for (bytes, read) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1500, "1.5 KB"),
            (20_000_000, "20 MB"),
            (u64::MAX, "18.4 EB"),
        ] {
            assert_eq!(size(bytes), read);
        }
        for (millis, read) in [(5, "5 ms"), (2450, "2.4 s"), (200_000, "3 min 20 s")] {
            assert_eq!(duration(millis), read);
        }
    }

    #[test]
    fn dates_lose_their_seconds_and_keep_their_zone() {
        for (given, read) in [
            ("2026-11-16", Some("2026-11-16")),
            ("2026-11-16T05:06:07.123Z", Some("2026-11-16 05:06 UTC")),
            ("2026-11-16T05:06+01:00", Some("2026-11-16 05:06 UTC+01:00")),
            ("2026-11-16 05:06", Some("2026-11-16 05:06")),
            ("2026-13-16", None),
            ("yesterday", None),
            ("2026-11-16T99:00", None),
            ("", None),
            ("２０２６-11-16", None),
        ] {
            assert_eq!(date(given).as_deref(), read, "{given}");
        }
    }

    #[test]
    fn a_field_is_formatted_by_its_type() {
        let read = |v, kind| value(&v, Some(&kind)).to_text();
        assert_eq!(read(json!(1234567), FieldType::Number), "1,234,567");
        assert_eq!(
            read(json!("2026-11-16T05:06:07Z"), FieldType::Date),
            "2026-11-16 05:06 UTC"
        );
        assert_eq!(
            read(json!(1_794_805_567), FieldType::Date),
            "2026-11-16 05:06 UTC"
        );
        assert_eq!(read(json!(true), FieldType::Boolean), "yes");
        assert_eq!(value(&json!(true), None).to_text(), "true");
        assert!(
            value(&json!("/etc/hosts"), Some(&FieldType::Path)).spans[0]
                .style
                .code
        );
        let url = value(&json!("https://example.org/x"), Some(&FieldType::Url));
        assert_eq!(
            url.spans[0].link.as_ref().map(Address::host),
            Some("example.org")
        );
        let hostile = value(&json!("javascript:alert(1)"), Some(&FieldType::Url));
        assert_eq!(
            (hostile.spans[0].link.as_ref(), hostile.to_text().as_str()),
            (None, "javascript:alert(1)")
        );
        // A value that does not match its type is shown unchanged.
        assert_eq!(read(json!("soon"), FieldType::Date), "soon");
        assert_eq!(read(json!({"a":1}), FieldType::Number), r#"{"a":1}"#);
        assert_eq!(read(json!(null), FieldType::Number), "");
    }
}

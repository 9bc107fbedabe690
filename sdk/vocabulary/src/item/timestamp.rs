//! Timestamps to the millisecond, written as RFC 3339 date-times in UTC.
//!
//! Invariant: nothing here reads a clock.

use crate::calendar;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

const DAY: i64 = 86_400_000;
/// 0000-01-01T00:00:00.000Z
const FIRST: i64 = -719_528 * DAY;
/// 9999-12-31T23:59:59.999Z
const LAST: i64 = 2_932_897 * DAY - 1;

/// Milliseconds since 1970 in UTC, from year 0 to year 9999, the range of RFC 3339.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Makes a timestamp from milliseconds since 1970, clamped to the range of RFC 3339.
    #[must_use]
    pub fn from_millis(millis: i64) -> Self {
        Self(millis.clamp(FIRST, LAST))
    }

    /// Returns the milliseconds since 1970.
    #[must_use]
    pub fn millis(self) -> i64 {
        self.0
    }
}

/// The form of every timestamp: years have four digits.
const FORM: &[u8; 24] = b"0000-00-00T00:00:00.000Z";

impl Timestamp {
    /// Writes the date-time into `text`. A session writes dozens in each turn, and formatting them costs much
    /// more than their digits.
    fn write(self, text: &mut [u8; FORM.len()]) -> &str {
        *text = *FORM;
        let (year, month, day) = calendar::date(self.0.div_euclid(DAY));
        let rest = self.0.rem_euclid(DAY);
        for (place, number) in [
            (0..4, year),
            (5..7, month),
            (8..10, day),
            (11..13, rest / 3_600_000),
            (14..16, rest / 60_000 % 60),
            (17..19, rest / 1000 % 60),
            (20..23, rest % 1000),
        ] {
            let mut left = number;
            for digit in text[place].iter_mut().rev() {
                *digit = b"0123456789"[left.rem_euclid(10) as usize];
                left /= 10;
            }
        }
        std::str::from_utf8(text).expect("digits are ASCII")
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.write(&mut [0; FORM.len()]))
    }
}

/// The error of parsing a [`Timestamp`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a full date-time; write it as `2026-11-16T01:52:35.123Z`")]
pub struct TimestampError;

impl FromStr for Timestamp {
    type Err = TimestampError;

    /// Parses an RFC 3339 date-time with any offset. Digits beyond milliseconds are dropped.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or(TimestampError)
    }
}

fn parse(text: &str) -> Option<Timestamp> {
    let (date, time) = text.split_at_checked(10)?;
    let (year, month, day) = parse_date(date)?;
    let time = time.strip_prefix(['T', 't'])?;
    let (clock, mut rest) = time.split_at_checked(8)?;
    let hour = digits(clock.get(0..2)?)?;
    let minute = digits(clock.get(3..5)?)?;
    let second = digits(clock.get(6..8)?)?;
    let colons = clock.as_bytes()[2] == b':' && clock.as_bytes()[5] == b':';
    if !colons || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let mut fraction = 0;
    if let Some(after) = rest.strip_prefix('.') {
        let end = after.find(|c: char| !c.is_ascii_digit())?;
        let (decimals, zone) = after.split_at(end);
        let shown = decimals.get(..3).unwrap_or(decimals);
        fraction = digits(shown)? * [100, 10, 1][shown.len() - 1];
        rest = zone;
    }
    let offset = match rest {
        "Z" | "z" => 0,
        _ => {
            let sign = match rest.as_bytes().first()? {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let (hours, minutes) = (digits(rest.get(1..3)?)?, digits(rest.get(4..)?)?);
            if rest.len() != 6 || rest.as_bytes()[3] != b':' || hours > 23 || minutes > 59 {
                return None;
            }
            sign * (hours * 60 + minutes)
        }
    };
    let minutes = calendar::days(year, month, day) * 1440 + hour * 60 + minute - offset;
    // A leap second occurs only at the end of a day in UTC and counts as the next second.
    if second == 60 && minutes.rem_euclid(1440) != 1439 {
        return None;
    }
    let millis = minutes * 60_000 + second * 1000 + fraction;
    (FIRST..=LAST)
        .contains(&millis)
        .then_some(Timestamp(millis))
}

/// Reports whether `text` is an existing day, written `YYYY-MM-DD`.
pub(crate) fn is_date(text: &str) -> bool {
    parse_date(text).is_some()
}

fn parse_date(text: &str) -> Option<(i64, i64, i64)> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let year = digits(text.get(0..4)?)?;
    let month = digits(text.get(5..7)?)?;
    let day = digits(text.get(8..10)?)?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=longest).contains(&day).then_some((year, month, day))
}

/// Parses digits only: `str::parse` would accept a sign.
fn digits(text: &str) -> Option<i64> {
    if text.bytes().all(|b| b.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.write(&mut [0; FORM.len()]))
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Timestamp {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "date-time" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn millis(text: &str) -> Option<i64> {
        text.parse().ok().map(Timestamp::millis)
    }

    #[test]
    fn moment_is_written_as_a_full_date_time() {
        assert_eq!(Timestamp::default().to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(
            Timestamp::from_millis(951_782_400_007).to_string(),
            "2000-02-29T00:00:00.007Z"
        );
        assert_eq!(
            Timestamp::from_millis(-1).to_string(),
            "1969-12-31T23:59:59.999Z"
        );
    }

    #[test]
    fn range_is_that_of_rfc_3339() {
        assert_eq!(
            Timestamp::from_millis(i64::MIN).to_string(),
            "0000-01-01T00:00:00.000Z"
        );
        assert_eq!(
            Timestamp::from_millis(i64::MAX).to_string(),
            "9999-12-31T23:59:59.999Z"
        );
        assert_eq!(millis("0000-01-01T00:00:00+00:01"), None);
    }

    #[test]
    fn offsets_fractions_and_small_letters_are_read() {
        let moment = millis("2026-11-16T01:52:35.120Z");
        assert!(moment.is_some());
        for same in [
            "2026-11-16t01:52:35.12z",
            "2026-11-16T02:52:35.120+01:00",
            "2026-11-15T19:22:35.1209999-06:30",
            "2026-11-16T01:52:35.12-00:00",
        ] {
            assert_eq!(millis(same), moment, "{same}");
        }
        assert_eq!(
            millis("1990-12-31T15:59:60-08:00"),
            millis("1991-01-01T00:00:00Z")
        );
    }

    #[test]
    fn anything_else_is_refused() {
        for wrong in [
            "",
            "2026-11-16",
            "2026-11-16T01:52:35",
            "2026-11-16 01:52:35Z",
            "2026-11-16T01:52Z",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-11-16T24:00:00Z",
            "2026-11-16T01:60:00Z",
            "2026-11-16T01:52:60Z",
            "2026-11-16T01:52:35.Z",
            "2026-11-16T01:52:35.1",
            "2026-11-16T01:52:35+1:00",
            "2026-11-16T01:52:35+01:00 ",
            "2026-11-16T01:52:35+0100",
            "2026-11-16T01:52:35Z ",
            "+026-11-16T01:52:35Z",
            "2026-11-16T01:52:3éZ",
            "2026-11-1éT01:52:35Z",
        ] {
            assert_eq!(millis(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn days_that_do_not_exist_are_not_dates() {
        for day in ["2024-02-29", "2000-02-29", "2026-12-31", "0000-01-01"] {
            assert!(is_date(day), "{day}");
        }
        for day in [
            "2023-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-00-10",
            "2026-1-01",
            "26-01-01",
        ] {
            assert!(!is_date(day), "{day}");
        }
    }

    proptest! {
        #[test]
        fn every_moment_survives_writing_and_reading(at in FIRST..=LAST) {
            prop_assert_eq!(millis(&Timestamp::from_millis(at).to_string()), Some(at));
        }

        #[test]
        fn moments_are_written_in_their_order(a in FIRST..=LAST, b in FIRST..=LAST) {
            let text = |at| Timestamp::from_millis(at).to_string();
            prop_assert_eq!(text(a).cmp(&text(b)), a.cmp(&b));
        }

        #[test]
        fn reading_never_panics(text in any::<String>(), near in "[0-9TtZz:.+é-]{0,30}") {
            let _ = millis(&text);
            let _ = millis(&near);
        }
    }
}

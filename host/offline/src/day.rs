//! Calendar days, in the calendar of ISO 8601. Nothing here reads a clock.

use footlight_vocabulary::calendar;
use std::fmt;

/// 9999-12-31, the last day of a four-digit year.
const LAST: i64 = 2_932_896;

/// A day, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Day(i64);

impl Day {
    /// Returns the day with this count from 1970-01-01, up to the end of the year 9999.
    pub(super) fn new(days: i64) -> Option<Self> {
        (0..=LAST).contains(&days).then_some(Self(days))
    }

    /// Returns the day of a date, if the date exists.
    pub(super) fn of(year: i64, month: i64, day: i64) -> Option<Self> {
        if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) {
            return None;
        }
        let found = Self::new(calendar::days(year, month, day))?;
        (found.date() == (year, month, day)).then_some(found)
    }

    /// Parses `YYYY-MM-DD`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let is_shaped = text.len() == 10
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !is_shaped {
            return None;
        }
        let part = |from: usize, to: usize| text[from..to].parse().ok();
        Self::of(part(0, 4)?, part(5, 7)?, part(8, 10)?)
    }

    /// Returns the day that is `days` later.
    pub(super) fn after(self, days: i64) -> Option<Self> {
        self.0.checked_add(days).and_then(Self::new)
    }

    /// Returns the first day from this one on with this weekday; Monday is 0.
    pub(super) fn coming(self, weekday: i64) -> Option<Self> {
        // 1970-01-01 was a Thursday.
        let own = (self.0 + 3).rem_euclid(7);
        self.after((weekday - own).rem_euclid(7))
    }

    /// Returns the first day from this one on with this month and day of the month.
    pub(super) fn coming_date(self, month: i64, day: i64) -> Option<Self> {
        let (year, ..) = self.date();
        // Within nine years there is always a leap day.
        (year..year + 9)
            .filter_map(|year| Self::of(year, month, day))
            .find(|found| *found >= self)
    }

    /// Returns year, month and day of the month.
    fn date(self) -> (i64, i64, i64) {
        calendar::date(self.0)
    }
}

/// As `YYYY-MM-DD`.
impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

/// Returns the weekday that a lower-case word names; Monday is 0.
pub(super) fn weekday(word: &str) -> Option<i64> {
    const NAMES: &str = "monday tuesday wednesday thursday friday saturday sunday";
    let at = NAMES.split(' ').position(|name| name == word)?;
    i64::try_from(at).ok()
}

/// Returns the month that a lower-case word names; January is 1. Whether `may` is a month depends
/// on the words around it, which the caller checks.
pub(super) fn month(word: &str) -> Option<i64> {
    const NAMES: &str = "january february march april may june july august september october \
        november december";
    let is_named = |name: &str| name == word || (word.len() == 3 && name.starts_with(word));
    let at = NAMES.split(' ').position(is_named)?;
    i64::try_from(at + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn day(text: &str) -> Day {
        Day::read(text).expect("a day")
    }

    #[test]
    fn dates_that_do_not_exist_are_no_days() {
        for text in [
            "2026-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "26-04-30",
            "2026-4-30",
            "2026-04-3é",
            "1969-12-31",
        ] {
            assert_eq!(Day::read(text), None, "{text}");
        }
        assert_eq!(day("2028-02-29").to_string(), "2028-02-29");
        assert_eq!(day("1970-01-01"), Day(0));
        assert_eq!(day("9999-12-31"), Day(LAST));
    }

    #[test]
    fn a_weekday_is_the_next_one_that_comes_or_today() {
        let wednesday = day("2026-03-11");
        let coming = |word| weekday(word).and_then(|at| wednesday.coming(at));
        assert_eq!(coming("wednesday"), Some(wednesday));
        assert_eq!(coming("thursday"), Some(day("2026-03-12")));
        assert_eq!(coming("tuesday"), Some(day("2026-03-17")));
    }

    #[test]
    fn a_date_without_a_year_is_the_next_one_that_comes() {
        let today = day("2026-03-11");
        assert_eq!(today.coming_date(5, 4), Some(day("2026-05-04")));
        assert_eq!(today.coming_date(3, 10), Some(day("2027-03-10")));
        assert_eq!(today.coming_date(2, 29), Some(day("2028-02-29")));
        assert_eq!(today.coming_date(2, 30), None);
    }

    proptest! {
        #[test]
        fn every_day_is_read_back_as_it_was_written(count in 0..=LAST) {
            let written = Day(count).to_string();
            prop_assert_eq!(Day::read(&written), Some(Day(count)));
        }
    }
}

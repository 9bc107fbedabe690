//! Calendar days, in the calendar of ISO 8601. Nothing here reads a clock.

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
    pub(super) fn of(year: i64, month: u32, day: u32) -> Option<Self> {
        if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) {
            return None;
        }
        let found = Self::new(count(year, month, day))?;
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
        let part = |from: usize, to: usize| text[from..to].parse::<u32>().ok();
        Self::of(part(0, 4)?.into(), part(5, 7)?, part(8, 10)?)
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
    pub(super) fn coming_date(self, month: u32, day: u32) -> Option<Self> {
        let (year, ..) = self.date();
        // Within nine years there is always a leap day.
        (year..year + 9)
            .filter_map(|year| Self::of(year, month, day))
            .find(|found| *found >= self)
    }

    /// Returns year, month and day of the month.
    fn date(self) -> (i64, u32, u32) {
        let shifted = self.0 + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 {
            shifted_month + 3
        } else {
            shifted_month - 9
        };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        let small = |number: i64| u32::try_from(number).unwrap_or(0);
        (year, small(month), small(day))
    }
}

fn count(year: i64, month: u32, day: u32) -> i64 {
    let (month, day) = (i64::from(month), i64::from(day));
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    let of_era = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    era * 146_097 + of_era - 719_468
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
pub(super) fn month(word: &str) -> Option<u32> {
    const NAMES: &str = "january february march april may june july august september october \
        november december";
    let is_named = |name: &str| name == word || (word.len() == 3 && name.starts_with(word));
    let at = NAMES.split(' ').position(is_named)?;
    u32::try_from(at + 1).ok()
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

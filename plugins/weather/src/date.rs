//! Calendar dates, as far as a forecast needs them.
//!
//! A calendar crate would be larger than the rest of the plugin. Dates are in UTC, because a plugin
//! knows the name of the person's time zone but not its offset.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// Days from 1 March of the year 0, where [`Date::civil`] starts counting, to 1 January 1970.
const EPOCH: u64 = 719_468;

/// Days in 400 years, after which the calendar repeats.
const DAYS_PER_ERA: u64 = 146_097;

/// A date, as the number of days since 1 January 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date(u64);

impl Date {
    /// Returns the date this many days after 1 January 1970.
    pub(crate) const fn since_epoch(days: u64) -> Self {
        Self(days)
    }

    /// Returns today's date in UTC. The only function that reads a clock.
    pub(crate) fn today() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        // For a wrong clock that is before 1970, any date will do.
        Self::since_epoch(now.map_or(0, |since| since.as_secs() / SECONDS_PER_DAY))
    }

    /// Parses a date in ISO 8601 format. Returns `None` for a date that does not exist.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '-').map(|part| part.parse::<u64>().ok());
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) {
            return None;
        }
        // Years that begin in March, as in `civil`.
        let (year, month) = match month {
            3.. => (year, month - 3),
            _ => (year - 1, month + 9),
        };
        let day = (153 * month + 2) / 5 + day.checked_sub(1)?;
        let days = 365 * year + year / 4 - year / 100 + year / 400 + day;
        let date = Self(days.checked_sub(EPOCH)?);
        (date.to_string() == text).then_some(date)
    }

    /// Returns the date this many days later.
    pub(crate) const fn plus(self, days: u64) -> Self {
        Self(self.0 + days)
    }

    /// Returns the number of days since 1 January 1970.
    pub(crate) const fn days(self) -> u64 {
        self.0
    }

    /// Returns the weekday, in three letters.
    pub(crate) fn weekday(self) -> &'static str {
        // 1 January 1970 was a Thursday.
        ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][(self.0 % 7) as usize]
    }

    /// Returns the year, month and day; month and day start at 1.
    ///
    /// The computation uses years that begin in March. A leap day is then the last day of its year,
    /// and the lengths of the months repeat as 31 30 31 30 31, which is 153 days in five months.
    pub(crate) fn civil(self) -> (u64, u64, u64) {
        let days = self.0 + EPOCH;
        let (era, day) = (days / DAYS_PER_ERA, days % DAYS_PER_ERA);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let year = era * 400 + year;
        if month < 10 {
            (year, month + 3, day)
        } else {
            (year + 1, month - 9, day)
        }
    }
}

/// Formats the date as in ISO 8601, such as `2026-02-28`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_the_date_and_weekday_of_the_calendar() {
        for (days, date, weekday) in [
            (0, "1970-01-01", "Thu"),
            (58, "1970-02-28", "Sat"),
            (59, "1970-03-01", "Sun"),
            (364, "1970-12-31", "Thu"),
            (789, "1972-02-29", "Tue"),
            (11_016, "2000-02-29", "Tue"),
            (11_017, "2000-03-01", "Wed"),
            (19_781, "2024-02-28", "Wed"),
            (19_782, "2024-02-29", "Thu"),
            (19_783, "2024-03-01", "Fri"),
            (20_088, "2024-12-31", "Tue"),
            (20_089, "2025-01-01", "Wed"),
            (47_540, "2100-02-28", "Sun"),
            (47_541, "2100-03-01", "Mon"),
        ] {
            let day = Date::since_epoch(days);
            assert_eq!((day.to_string().as_str(), day.weekday()), (date, weekday));
        }
    }

    #[test]
    fn every_day_of_four_centuries_follows_the_one_before() {
        let is_leap = |year: u64| {
            if year.is_multiple_of(100) {
                year.is_multiple_of(400)
            } else {
                year.is_multiple_of(4)
            }
        };
        let mut expected = (1970, 1, 1);
        for days in 0..DAYS_PER_ERA {
            assert_eq!(Date::since_epoch(days).civil(), expected);
            let (year, month, day) = expected;
            let length = match month {
                2 if is_leap(year) => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            expected = match (month, day) {
                (12, 31) => (year + 1, 1, 1),
                (_, last) if last == length => (year, month + 1, 1),
                _ => (year, month, day + 1),
            };
        }
    }

    #[test]
    fn today_is_not_long_ago() {
        assert!(Date::today() > Date::since_epoch(20_000));
    }
}

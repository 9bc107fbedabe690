//! Parses days as people write them.
//!
//! A weekday is the next one, today included; `next Friday` is the first after today. A
//! date without a year is the next such date. `4/5/2026` is ambiguous and not parsed.

use crate::day::{Day, month, weekday};
use crate::prompt::{Kind, Token, tokens};
use crate::words;

/// The seconds of a day.
const DAY: f64 = 86_400.0;

/// Returns the day that a whole text names.
pub(crate) fn day_in(text: &str, today: Day) -> Option<Day> {
    let found = tokens(text);
    let from = found
        .iter()
        .position(|token| !matches!(token.lower.as_str(), "on" | "by"))?;
    let (day, length) = day_at(&found, from, today)?;
    (from + length == found.len()).then_some(day)
}

/// Returns the day that the tokens at `at` name, and how many tokens that takes.
pub(super) fn day_at(tokens: &[Token], at: usize, today: Day) -> Option<(Day, usize)> {
    let token = tokens.get(at)?;
    let word = |ahead: usize| tokens.get(at + ahead).map_or("", |token| &token.lower);
    match token.kind {
        Kind::Day(day) => return Some((day, 1)),
        Kind::Number(_) => return dated(tokens, at, today),
        Kind::Word => {}
        _ => return None,
    }
    match word(0) {
        "today" | "tonight" => return Some((today, 1)),
        "tomorrow" => return Some((today.after(1)?, 1)),
        "day" if word(1) == "after" && word(2) == "tomorrow" => return Some((today.after(2)?, 3)),
        "next" if word(1) == "week" => return Some((today.after(7)?, 2)),
        "next" => return Some((today.after(1)?.coming(weekday(word(1))?)?, 2)),
        "this" => return Some((today.coming(weekday(word(1))?)?, 2)),
        "in" => return ahead(tokens, at, today),
        _ => {}
    }
    match weekday(word(0)) {
        Some(weekday) => Some((today.coming(weekday)?, 1)),
        None => dated(tokens, at, today),
    }
}

/// `in two weeks`, `in a day`.
fn ahead(tokens: &[Token], at: usize, today: Day) -> Option<(Day, usize)> {
    let count = tokens.get(at + 1)?;
    let unit = tokens.get(at + 2)?;
    let count = match count.lower.as_str() {
        "a" | "an" => 1.0,
        _ => count.number()?,
    };
    let seconds = words::unit(&unit.stem).filter(|seconds| *seconds >= DAY)?;
    Some((today.after(whole(count * seconds / DAY)?)?, 3))
}

/// `4 May`, `4th of May 2026`, `May 4`, `May 4th, 2026`.
fn dated(tokens: &[Token], at: usize, today: Day) -> Option<(Day, usize)> {
    let mut next = at;
    let mut take = |is: &dyn Fn(&Token) -> bool| -> Option<usize> {
        tokens.get(next).filter(|token| is(token))?;
        next += 1;
        Some(next - 1)
    };
    let number = |token: &Token| matches!(token.kind, Kind::Number(_));
    let named = |token: &Token| token.kind == Kind::Word && month(&token.lower).is_some();
    let (day, of) = if number(tokens.get(at)?) {
        let day = take(&number)?;
        take(&is_ordinal);
        take(&|token| token.lower == "of");
        (day, take(&named)?)
    } else {
        let of = take(&named)?;
        let day = take(&number)?;
        take(&is_ordinal);
        (day, of)
    };
    let count = whole(tokens[day].number()?)?;
    let of = month(&tokens[of].lower)?;
    let year = tokens.get(next).filter(|token| number(token));
    let year = year.and_then(|token| whole(token.number()?));
    match year.filter(|year| (1970..=9999).contains(year)) {
        Some(year) => Some((Day::of(year, of, count)?, next + 1 - at)),
        None => Some((today.coming_date(of, count)?, next - at)),
    }
}

fn is_ordinal(token: &Token) -> bool {
    matches!(token.lower.as_str(), "st" | "nd" | "rd" | "th")
}

/// Returns a number as an integer, if it is one and small.
#[expect(
    clippy::cast_possible_truncation,
    reason = "it is whole and small enough to be exact"
)]
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 1e9).then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_people_say_them() {
        let today = Day::read("2026-03-11").expect("a Wednesday");
        for (said, day) in [
            ("2026-05-04", "2026-05-04"),
            ("today", "2026-03-11"),
            ("Tomorrow", "2026-03-12"),
            ("day after tomorrow", "2026-03-13"),
            ("on Friday", "2026-03-13"),
            ("wednesday", "2026-03-11"),
            ("next Wednesday", "2026-03-18"),
            ("this sunday", "2026-03-15"),
            ("next week", "2026-03-18"),
            ("in two weeks", "2026-03-25"),
            ("in a day", "2026-03-12"),
            ("in 10 days", "2026-03-21"),
            ("4 May", "2026-05-04"),
            ("4th of May 2027", "2027-05-04"),
            ("May 4", "2026-05-04"),
            ("Mar 1st", "2027-03-01"),
            ("february 29", "2028-02-29"),
        ] {
            let read = day_in(said, today).map(|day| day.to_string());
            assert_eq!(read.as_deref(), Some(day), "{said}");
        }
        for said in [
            "",
            "on",
            "may",
            "4/5/2026",
            "31 February",
            "in 1.5 days",
            "in 9999999999 days",
            "tomorrow or so",
            "in two months",
            "soon",
            "99 99",
        ] {
            assert_eq!(day_in(said, today), None, "{said}");
        }
    }
}

//! Checks `promises/table.md`, which states every promise with the tests that prove it: no number is missing, and no
//! named test has been renamed or deleted. A promise that this repository does not make says why in place of a test.
//!
//! `results` and `widgets` hold the tests of promises that belong to no other file.

mod results;
mod widgets;

use std::collections::BTreeSet;
use std::path::Path;

const TABLE: &str = include_str!("promises/table.md");

/// One row of the table.
struct Row {
    number: &'static str,
    proved_by: &'static str,
}

impl Row {
    /// The named tests, as (file, function).
    fn tests(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let quoted = self.proved_by.split('`').skip(1).step_by(2);
        quoted.filter_map(|name| name.split_once("::"))
    }

    /// Why the promise is not made here, if it is not.
    fn not_ours(&self) -> Option<&'static str> {
        self.proved_by.strip_prefix("not ours:").map(str::trim)
    }
}

/// Reports whether a text is a sentence of some words.
fn is_reason(text: &str) -> bool {
    text.ends_with('.') && text.split_whitespace().count() >= 5
}

fn rows() -> Vec<Row> {
    let rows = TABLE.lines().filter(|line| line.starts_with("| ")).skip(2);
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [number, promise, proved_by] = cells[..] else {
            panic!("three cells: {line}");
        };
        assert!(
            promise.starts_with(|first: char| first.is_uppercase() || first == '`')
                && promise.ends_with('.'),
            "{number} is not a full sentence: {promise}"
        );
        Row { number, proved_by }
    };
    rows.map(row).collect()
}

/// Reports whether `source` has a test function `name`: `#[test]` or `#[tokio::test]`, possibly with other attributes,
/// directly above it.
pub(crate) fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let is_it = |line: &str| {
        let line = line.strip_prefix("async ").unwrap_or(line);
        let rest = line
            .strip_prefix("fn ")
            .and_then(|line| line.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with('('))
    };
    let is_test = |at: usize| {
        let above = lines[..at]
            .iter()
            .rev()
            .take_while(|line| line.starts_with("#["));
        let mut above = above.copied();
        above.any(|line| line == "#[test]" || line.starts_with("#[tokio::test"))
    };
    let mut found = lines.iter().enumerate().filter(|(_, line)| is_it(line));
    found.any(|(at, _)| is_test(at))
}

#[test]
fn every_number_appears_once_and_in_order() {
    let found: Vec<&str> = rows().iter().map(|row| row.number).collect();
    let of = |letter: char| {
        let found = found
            .iter()
            .filter(move |number| number.starts_with(letter));
        found.copied().collect::<Vec<_>>()
    };
    let complete = |letter: char, numbers: &mut dyn Iterator<Item = u32>| {
        let expected: Vec<_> = numbers.map(|n| format!("{letter}-{n:02}")).collect();
        assert_eq!(of(letter), expected);
    };
    complete('W', &mut (1..=52));
    complete('A', &mut (1..=68));
    complete('R', &mut (1..=56));
    complete('K', &mut (1..=46));
    // Nobody plans O-36.
    complete('O', &mut (1..=38).filter(|n| *n != 36));
    complete('X', &mut (1..=11));
    let mut in_order = Vec::new();
    for letter in "WARKOX".chars() {
        let numbers = of(letter);
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
        in_order.extend(numbers);
    }
    assert_eq!(found, in_order);
}

#[test]
fn every_named_test_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("tests/ is in the workspace");
    let mut missing = BTreeSet::new();
    for row in rows() {
        if let Some(reason) = row.not_ours() {
            assert!(
                is_reason(reason),
                "{} gives no reason: {reason}",
                row.number
            );
            assert_eq!(row.tests().count(), 0, "{} names a test", row.number);
            continue;
        }
        assert_ne!(row.tests().count(), 0, "{} names no test", row.number);
        for (file, name) in row.tests() {
            let source = std::fs::read_to_string(root.join(file)).unwrap_or_default();
            if !has_test(&source, name) {
                missing.insert(format!("{file}::{name}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn only_functions_with_a_test_attribute_count_as_tests() {
    let source = "fn helper() {}\n#[tokio::test(start_paused = true)]\nasync fn waits() {}\n#[test]\n#[cfg(unix)]\nfn runs() {}";
    assert!(has_test(source, "waits") && has_test(source, "runs"));
    assert!(!has_test(source, "helper") && !has_test(source, "run"));
}

#[test]
fn a_promise_that_is_not_made_needs_a_reason() {
    assert!(is_reason("No tool of this repository runs commands."));
    for text in ["", ".", "Later.", "Because it is not done yet"] {
        assert!(!is_reason(text), "{text}");
    }
}

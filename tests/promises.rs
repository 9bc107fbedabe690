//! Every promise has a test: `promises/table.md` maps the numbers of the requirements to the tests that
//! show them.
//!
//! `results` and `widgets` have those that belong to no other file. Here the table is compared with the sources: a
//! number that is missing, and a test that was renamed or lost, fail.

mod results;
mod widgets;

use std::collections::BTreeSet;
use std::path::Path;

const TABLE: &str = include_str!("promises/table.md");

/// A row of the table.
struct Row {
    number: &'static str,
    shown_by: &'static str,
}

impl Row {
    /// The tests it names, as file and function.
    fn tests(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let quoted = self.shown_by.split('`').skip(1).step_by(2);
        quoted.filter_map(|name| name.split_once("::"))
    }
}

fn rows() -> Vec<Row> {
    let rows = TABLE.lines().filter(|line| line.starts_with("| ")).skip(2);
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [number, promise, shown_by] = cells[..] else {
            panic!("three cells: {line}");
        };
        assert!(!promise.is_empty(), "{number} promises nothing");
        Row { number, shown_by }
    };
    rows.map(row).collect()
}

/// Whether a source has a test of this name: an attribute that ends in `test]`, perhaps others, and the
/// function.
fn has_test(source: &str, name: &str) -> bool {
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
fn every_number_stands_in_the_table_once() {
    let numbers = |letter: char, all: &mut dyn Iterator<Item = u32>| -> Vec<String> {
        all.map(|n| format!("{letter}-{n:02}")).collect()
    };
    let mut expected = numbers('W', &mut (1..=47).chain(50..=52));
    expected.extend(numbers('A', &mut (1..=63)));
    expected.extend(numbers('R', &mut (1..=56)));
    let found: Vec<&str> = rows().iter().map(|row| row.number).collect();
    assert_eq!(found, expected);
}

#[test]
fn every_test_that_the_table_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace");
    let mut missing = BTreeSet::new();
    for row in rows() {
        assert_ne!(row.tests().count(), 0, "{} is shown by nothing", row.number);
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
fn only_a_test_counts_as_one() {
    let source = "fn helper() {}\n#[tokio::test(start_paused = true)]\nasync fn waits() {}\n#[test]\n#[cfg(unix)]\nfn runs() {}";
    assert!(has_test(source, "waits") && has_test(source, "runs"));
    assert!(!has_test(source, "helper") && !has_test(source, "run"));
}

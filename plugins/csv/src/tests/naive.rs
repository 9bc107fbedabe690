//! Properties: the streaming reader and the tools against implementations that hold everything in
//! memory.

use super::reading::read;
use super::*;
use crate::tools::groups::{self, Measure};
use crate::tools::{Query, order};
use crate::value::Key;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Parses CSV the obvious way, character by character.
fn parsed(content: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let (mut row, mut value) = (Vec::new(), String::new());
    let (mut is_quoted, mut is_started) = (false, false);
    let mut chars = content.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                value.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            '"' if value.is_empty() => (is_quoted, is_started) = (true, true),
            ',' if !is_quoted => {
                row.push(std::mem::take(&mut value));
                is_started = true;
            }
            '\n' if !is_quoted => {
                if is_started || !value.is_empty() {
                    row.push(std::mem::take(&mut value));
                    rows.push(std::mem::take(&mut row));
                }
                is_started = false;
            }
            c => value.push(c),
        }
    }
    if is_started || !value.is_empty() {
        row.push(value);
        rows.push(row);
    }
    rows
}

fn written(rows: &[Vec<String>]) -> String {
    let value = |value: &String| match value.contains(['"', ',', '\n']) || value.is_empty() {
        true => format!("\"{}\"", value.replace('"', "\"\"")),
        false => value.clone(),
    };
    let row = |row: &Vec<String>| row.iter().map(value).collect::<Vec<_>>().join(",") + "\n";
    rows.iter().map(row).collect()
}

fn tables() -> impl Strategy<Value = Vec<Vec<String>>> {
    let value = prop_oneof![
        "[a-c]{0,2}",
        (-9_i32..9).prop_map(|n| n.to_string()),
        (0_u8..9).prop_map(|n| format!("{n}.5")),
        "[a,\"\nä]{0,4}",
    ];
    prop::collection::vec(prop::collection::vec(value, 3), 0..20)
}

fn source<'a>(stage: &'a Stage, rows: &[Vec<String>]) -> Source<'a> {
    // The open file outlives its folder.
    Sample::new(format!("a,b,c\n{}", written(rows))).source(stage)
}

fn query(limit: usize) -> Query {
    Query {
        limit,
        ..Query::default()
    }
}

/// The text of a cell, as the file has it.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![Just(b','), Just(b'\n'), Just(b'"'), Just(b'{'), any::<u8>()];
    prop::collection::vec(byte, 1..80)
}

proptest! {
    #[test]
    fn any_text_is_read_as_the_naive_parser_reads_it(
        content in "[ab,\"\n]{0,40}", piece in 1_usize..9,
    ) {
        let content = format!("a,b,c\n{content}");
        let expected: Vec<Vec<String>> = parsed(&content).into_iter().skip(1).collect();
        let (_, rows, _) = read(content.as_bytes(), piece);
        prop_assert_eq!(rows.len(), expected.len());
        for (row, expected) in rows.iter().zip(&expected) {
            for (at, value) in row.iter().enumerate() {
                prop_assert_eq!(value, expected.get(at).map_or("", String::as_str));
            }
        }
    }

    #[test]
    fn any_bytes_are_read_the_same_in_pieces_of_any_size(content in bytes(), piece in 1_usize..9) {
        let content = [b"a,b\n".as_slice(), &content].concat();
        let whole = read(&content, 1 << 16);
        prop_assert_eq!(read(&content, piece), whole);
    }

    #[test]
    fn what_was_written_is_read_back(rows in tables(), piece in 1_usize..9) {
        let content = format!("a,b,c\n{}", written(&rows));
        prop_assert_eq!(read(content.as_bytes(), piece).1, rows);
    }

    #[test]
    fn the_kept_rows_are_the_first_of_all_sorted_rows(rows in tables(), descending: bool) {
        let stage = testing::stage();
        let table = order::run(&query(7), source(&stage, &rows), "b", descending);
        let mut expected = rows.clone();
        expected.sort_by(|one, other| Key::of(&one[1]).compare(&Key::of(&other[1]), descending));
        expected.truncate(7);
        let listed = table.expect("rows").data.rows;
        let listed = listed.iter().map(|row| ["a", "b", "c"].map(|key| cell(&row[key])).to_vec());
        prop_assert_eq!(listed.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn groups_have_the_rows_and_sums_of_a_naive_loop(rows in tables()) {
        let stage = testing::stage();
        let source = source(&stage, &rows);
        let table = groups::run(&stage, &query(200), source, "a", Measure::Count, Some("b"));
        let table = table.expect("groups");
        let mut expected: BTreeMap<String, (u64, f64)> = BTreeMap::new();
        for row in &rows {
            let name = if row[0].is_empty() { "(empty)" } else { &row[0] };
            let group = expected.entry(name.to_owned()).or_default();
            group.0 += 1;
            group.1 += row[1].parse::<f64>().unwrap_or(0.0);
        }
        prop_assert_eq!(table.len(), expected.len());
        for row in &table.data.rows {
            let (count, sum) = expected[&cell(&row["a"])];
            prop_assert_eq!(&row["rows"], &Value::from(count));
            prop_assert_eq!(cell(&row["sum"]).parse::<f64>().unwrap_or(0.0), sum);
        }
    }
}

//! Benchmarks rendering against parsing the same data as JSON: `cargo bench -p footlight-render`.
//!
//! All cases run in one process, because machines are shared: compare the ratios. The benchmark
//! prints a target and does not enforce it.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "../../../tests/benches/calls/timing.rs"]
mod timing;

use footlight_render::html::Html;
use footlight_render::lower::{Limits, Lower};
use footlight_render::markdown::markdown;
use footlight_render::markup::to_html;
use footlight_render::terminal::{Colour, Terminal};
use footlight_render::view::View;
use footlight_vocabulary::normalise::normalise;
use footlight_vocabulary::result::SemanticResult;
use serde_json::{Value, json};
use std::hint::black_box;
use timing::{Samples, head, row};

/// The number of samples per case.
const ROUNDS: usize = 15;

/// For [`memory`]: the numbers of rows, and the argument that makes this program draw once.
const ROWS: [&str; 3] = ["1000", "10000", "100000"];
const PEAK: &str = "peak";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, rows, surface] = words.as_slice()
        && word == PEAK
    {
        return peak(rows, surface);
    }
    // `cargo bench -p footlight-render -- diff` measures only cases with `diff` in their name.
    let word = words.into_iter().find(|word| !word.starts_with('-'));
    let word = word.unwrap_or_default();
    println!("target: each under 100,000 us");
    for (name, value) in cases() {
        if name.contains(&word) {
            measure(name, &value);
        }
    }
    if "memory".contains(&word) {
        memory();
    }
}

/// Large values of every kind.
fn cases() -> Vec<(&'static str, Value)> {
    let paragraph = "Some *words* with `code`, a [link](https://example.org/x) and **more**.\n\n- one\n- two\n\n";
    let source = "fn main() { let greeting = \"hello\"; println!(\"{greeting}\"); } // a line\n";
    let line = |n: usize, word: &str| format!("{word} {n}\n");
    let original: String = (0..10_000).map(|n| line(n, "line")).collect();
    let modified = |n| line(n, if n % 3 == 0 { "changed" } else { "line" });
    let modified: String = (0..10_000).map(modified).collect();
    let text = |content: String| json!({ "kind": "text", "data": { "content": content } });
    vec![
        ("10,000-row table", table(10_000)),
        ("100,000-row table", table(100_000)),
        (
            "1 MB Markdown",
            json!({ "kind": "markdown", "data": { "content": paragraph.repeat(1_000_000 / paragraph.len()) } }),
        ),
        (
            "10,000-line diff",
            json!({ "kind": "diff", "data": { "path": "a.txt", "original": original, "modified": modified } }),
        ),
        (
            "30 KB code",
            json!({ "kind": "code", "data": { "content": source.repeat(30_000 / source.len()), "language": "rust" } }),
        ),
        (
            "5 MB string",
            text("words and words ".repeat(5_000_000 / 16)),
        ),
        ("5 MB string without spaces", text("x".repeat(5_000_000))),
        (
            "5 MB string of CJK",
            text("今日は晴れです。".repeat(5_000_000 / 24)),
        ),
    ]
}

fn table(rows: usize) -> Value {
    let row = |n: usize| json!({ "id": n, "name": format!("Person number {n}"), "city": "København", "note": "some words about it", "score": n * 7 });
    let rows: Vec<Value> = (0..rows).map(row).collect();
    let columns = json!([{ "key": "id" }, { "key": "name" }, { "key": "city" }, { "key": "note" }, { "key": "score", "type": "number" }]);
    json!({ "kind": "table", "data": { "columns": columns, "rows": rows } })
}

/// The default limits, and none: the default ones truncate most of the data before it is drawn.
fn limits() -> [(&'static str, Limits); 2] {
    let all = Limits {
        text: usize::MAX,
        lines: usize::MAX,
        rows: usize::MAX,
        ..Limits::default()
    };
    [("cut", Limits::default()), ("whole", all)]
}

type Draw = fn(&View) -> usize;

/// Each surface, as a function that returns the number of bytes drawn.
const SURFACES: [(&str, Draw); 3] = [
    ("terminal", |view| {
        let mut terminal = Terminal::new(80);
        terminal.colour = Colour::True;
        terminal.links = true;
        terminal.draw(view).text.len()
    }),
    ("HTML", |view| to_html(&Html::default().draw(view)).len()),
    ("Markdown", |view| markdown(view).len()),
];

fn measure(name: &str, value: &Value) {
    let text = value.to_string();
    head(&format!("{name}, {} KB of JSON", text.len() / 1000));
    let mut parsed = Samples::default();
    parsed.take(ROUNDS, || {
        black_box(serde_json::from_str::<Value>(&text).expect("is JSON"));
    });
    row("reading the JSON", &parsed, None);
    let result = read(value.clone());
    for (which, limits) in limits() {
        // Drawing 100,000 rows without limits is not a realistic case.
        if which == "whole" && name.starts_with("100,000") {
            continue;
        }
        let lower = Lower::default().within(limits);
        let mut lowered = Samples::default();
        lowered.take(ROUNDS, || {
            let _ = black_box(lower.result(&result));
        });
        row(&format!("{which}: lowered"), &lowered, Some(&parsed));
        for (surface, draw) in SURFACES {
            let mut samples = Samples::default();
            let mut bytes = 0;
            samples.take(ROUNDS, || bytes = draw(&lower.result(&result)));
            let name = format!("{which}: lowered and drawn, {surface}, {} KB", bytes / 1000);
            row(&name, &samples, Some(&parsed));
        }
    }
}

fn read(value: Value) -> SemanticResult {
    normalise(value).expect("a result")
}

/// Measures the peak memory of drawing beyond the data itself. Each case runs in its own process:
/// the allocator would reuse the memory of an earlier one.
fn memory() {
    println!("\nmemory at its peak while a table is drawn, beyond the data");
    let this = std::env::current_exe().expect("this program");
    for rows in ROWS {
        for (surface, _) in SURFACES {
            let ran = std::process::Command::new(&this)
                .args([PEAK, rows, surface])
                .output();
            let said = ran.expect("this program runs").stdout;
            print!(
                "  {rows:>7} rows, {surface:<9} {}",
                String::from_utf8_lossy(&said)
            );
        }
    }
}

/// Draws once and prints the peak memory.
fn peak(rows: &str, surface: &str) {
    let result = read(table(rows.parse().expect("a number")));
    let (_, draw) = SURFACES
        .into_iter()
        .find(|(name, _)| *name == surface)
        .expect("a surface");
    // Resets the peak to the current memory (Linux); elsewhere the program prints 0.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = status("VmRSS:");
    let bytes = draw(&Lower::default().result(&result));
    let more = status("VmHWM:").saturating_sub(before);
    println!("{:>7} KB drawn, {more:>7} KB more", bytes / 1000);
}

/// Reads a value of `/proc/self/status` in kilobytes; 0 if it is not available.
fn status(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    kilobytes
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

//! How long large things take to draw for a terminal:
//! `cargo run --release --example terminal_speed [WORD]`, with a word only what has it in its name.
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use footlight_render::lower::{Limits, Lower};
use footlight_render::terminal::{Colour, Terminal};
use footlight_render::view::View;
use footlight_vocabulary::normalise::normalise;
use serde_json::{Value, json};
use std::time::Instant;

fn main() {
    // With the ordinary limits most of this would be cut before it is drawn.
    let all = Limits {
        text: usize::MAX,
        lines: usize::MAX,
        rows: usize::MAX,
        ..Limits::default()
    };
    for (which, limits) in [("whole", all), ("cut", Limits::default())] {
        println!("{which}: lowering, drawing, both (best of 5, in ms)");
        let word = std::env::args().nth(1).unwrap_or_default();
        for (name, value) in cases().into_iter().filter(|(name, _)| name.contains(&word)) {
            measure(name, value, limits.clone());
        }
    }
}

fn cases() -> Vec<(&'static str, Value)> {
    let rows: Vec<Value> = (0..10_000)
        .map(|n| json!({ "id": n, "name": format!("Person number {n}"), "city": "København", "note": "some words about it", "score": n * 7 }))
        .collect();
    let paragraph = "Some *words* with `code`, a [link](https://example.org/x) and **more**.\n\n- one\n- two\n\n";
    let original: String = (0..10_000).map(|n| format!("line {n}\n")).collect();
    let modified: String = (0..10_000)
        .map(|n| {
            if n % 3 == 0 {
                format!("changed {n}\n")
            } else {
                format!("line {n}\n")
            }
        })
        .collect();
    vec![
        (
            "10,000-row table",
            json!({ "kind": "table", "data": { "columns": [
            { "key": "id" }, { "key": "name" }, { "key": "city" }, { "key": "note" }, { "key": "score", "type": "number" } ], "rows": rows } }),
        ),
        (
            "1 MB Markdown",
            json!({ "kind": "markdown", "data": { "content": paragraph.repeat(1_000_000 / paragraph.len()) } }),
        ),
        (
            "10,000-line diff",
            json!({ "kind": "diff", "data": { "path": "a.txt", "original": original, "modified": modified } }),
        ),
        (
            "5 MB string",
            json!({ "kind": "text", "data": { "content": "words and words ".repeat(5_000_000 / 16) } }),
        ),
        (
            "5 MB string without spaces",
            json!({ "kind": "text", "data": { "content": "x".repeat(5_000_000) } }),
        ),
        (
            "5 MB of CJK",
            json!({ "kind": "text", "data": { "content": "今日は晴れです。".repeat(5_000_000 / 24) } }),
        ),
    ]
}

fn measure(name: &str, value: Value, limits: Limits) {
    let result = normalise(value).expect("a result");
    let lower = Lower::default().within(limits);
    let mut terminal = Terminal::new(80);
    terminal.colour = Colour::True;
    terminal.links = true;
    let millis = |start: Instant| start.elapsed().as_secs_f64() * 1000.0;
    let mut best = (f64::INFINITY, f64::INFINITY);
    let mut size = 0;
    for _ in 0..5 {
        let start = Instant::now();
        let view: View = lower.result(&result);
        best.0 = best.0.min(millis(start));
        let start = Instant::now();
        size = terminal.draw(&view).text.len();
        best.1 = best.1.min(millis(start));
    }
    println!(
        "{name:28} {:8.1} {:8.1} {:8.1}   {size:>9} bytes",
        best.0,
        best.1,
        best.0 + best.1
    );
}

//! How much memory an export takes, with an allocator that counts. A program of its own: it has one allocator,
//! and tests beside each other would count each other's memory.

#![forbid(unsafe_code)]

use footlight_render::lower::{Limits, Lower};
use footlight_render::markdown::markdown;
use footlight_render::page::Page;
use footlight_vocabulary::normalise::normalise;
use peak_alloc::PeakAlloc;
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The limits of an export, which leave out nothing but what is too much for any screen.
fn everything() -> Limits {
    let mut limits = Limits::default();
    (limits.text, limits.lines, limits.cell) = (usize::MAX, usize::MAX, usize::MAX);
    limits
}

/// Two texts, of lines that repeat these words this often.
fn texts(lines: usize, times: usize, old: &str, new: &str) -> Value {
    let text = |word: &str| format!("{}\n", word.repeat(times)).repeat(lines);
    json!({ "path": "a", "original": text(old), "modified": text(new) })
}

/// Texts that differ in every line, with lines of this many bytes.
fn all_changed(lines: usize, bytes: usize) -> Value {
    texts(lines, bytes, "a", "b")
}

/// A hunk of lines that all begin with `mark`.
fn hunk(mark: &str, lines: usize, bytes: usize) -> Value {
    let line = format!("{mark}{}", "x".repeat(bytes));
    let hunk = json!({
        "oldStart": 1, "oldLines": lines, "newStart": 1, "newLines": lines,
        "lines": vec![line; lines],
    });
    json!({ "path": "a", "hunks": [hunk] })
}

/// Every ninth line differs, so that there are as many regions as their context allows.
fn scattered(lines: usize) -> Value {
    let text = |with: &str| -> String {
        (0..lines)
            .map(|n| {
                if n % 9 == 0 {
                    format!("{with}\n")
                } else {
                    "s\n".to_owned()
                }
            })
            .collect()
    };
    json!({ "path": "a", "original": text("a"), "modified": text("b") })
}

#[test]
fn an_exported_diff_takes_memory_in_proportion_to_its_size() {
    let cases = [
        (
            "lines of one character, all the same",
            texts(100_000, 1, "a", "a"),
        ),
        (
            "empty lines that get a character",
            texts(20_000, 1, "", "b"),
        ),
        (
            "a file of empty lines is added",
            texts(40_000, 1, "", "").as_object().map_or(
                Value::Null,
                |texts| json!({ "path": "a", "isNew": true, "modified": texts["modified"] }),
            ),
        ),
        (
            "lines of one character, all changed",
            all_changed(20_000, 1),
        ),
        (
            "lines of one character, more than are drawn",
            all_changed(200_000, 1),
        ),
        ("ordinary lines, all changed", all_changed(20_000, 40)),
        ("long lines, all changed", all_changed(20, 100_000)),
        ("two lines of a megabyte", all_changed(1, 1 << 20)),
        (
            "lines of one character, scattered changes",
            scattered(10_000),
        ),
        ("an added hunk of one-character lines", hunk("+", 40_000, 1)),
        ("a hunk in which nothing changed", hunk(" ", 40_000, 1)),
        ("a hunk of empty lines", hunk("-", 40_000, 0)),
        ("a hunk of long lines", hunk("+", 20, 100_000)),
    ];
    for (name, data) in cases {
        let json = data.to_string();
        let (size, lines) = (
            json.len(),
            json.matches("\\n").count() + json.matches("\",").count(),
        );
        let result = normalise(json!({ "kind": "diff", "data": data })).expect("a result");
        let lower = Lower::default().within(everything());
        let page = || Page::new("a").views([&lower.result(&result)]).into_html();
        let text = || markdown(&lower.result(&result));
        for (form, draw) in [("HTML", &page as &dyn Fn() -> String), ("Markdown", &text)] {
            ALLOCATOR.reset_peak_usage();
            let before = ALLOCATOR.current_usage();
            let drawn = draw();
            let peak = ALLOCATOR.peak_usage() - before;
            // What is drawn, which is copied while it grows, and a fixed amount for each line.
            let most = 5 * drawn.len() + 2 * size + 112 * lines + (64 << 10);
            let (drawn, times) = (drawn.len(), peak as f64 / size as f64);
            assert!(
                peak <= most,
                "{name}, {form}: {peak} bytes for {drawn} drawn of {size}, {times:.0} times"
            );
        }
    }
}

//! Drawings of everything that can be drawn in a terminal: snapshots of representative samples,
//! and properties of all of them.

#[path = "terminal/samples.rs"]
mod samples;

use footlight_render::filter::is_forbidden;
use footlight_render::terminal::{Colour, Terminal};
use footlight_render::view::View;
use unicode_width::UnicodeWidthStr;

/// The samples that have snapshots: at least one for each view.
const REVIEWED: &[&str] = &[
    "text",
    "markdown",
    "code",
    "diff",
    "table",
    "wide table",
    "tree",
    "remote image",
    "facts",
    "list",
    "log",
    "hints",
    "chart bar",
    "chart line",
    "chart pie",
    "card",
    "form",
    "list view",
    "progress",
    "call",
    "call failed",
    "ask open",
    "ask answered",
    "output",
    "notice",
    "widget fallback",
];

/// The other samples, with text that must be visible.
const VISIBLE: &[(&str, &[&str])] = &[
    (
        "file",
        &["src/greet.py", "1  import sys", "4  def greet(name"],
    ),
    (
        "files",
        &["/work", "src/", "Cargo.toml", "1.2 KB", "latest@"],
    ),
    ("image", &["[image PNG 1x1, ", ": a grey pixel]"]),
    (
        "link",
        &[
            "The manual <https://example.org/read/me>",
            "All there is to know.",
        ],
    ),
    ("folded", &["Only this line", "3 more lines (folded)"]),
    ("unknown kind", &["09:00", "start", "17:00", "end"]),
    ("chart bars below zero", &["high", "low", "-8", "16"]),
    ("chart stacked bars", &["rain", "sun", "39"]),
    ("chart area", &["rain", "36", "Mon", "Sun"]),
    ("chart scatter", &["The week", "high", "16", "-2"]),
    (
        "rows",
        &[
            "A message whose subject",
            "ann@example.org",
            "[new]",
            "Total",
            "1,234.00",
            "[1] Open",
            "Tea",
            "3.50",
        ],
    ),
    ("buttons", &["[1] Save", "[ Delete ] (off)", "[ Send ]"]),
    ("call running", &["weather.forecast", "running"]),
    ("call waiting", &["weather.forecast", "needs you"]),
    (
        "ask skipped",
        &["Which environment shall it go to?", "skipped"],
    ),
    (
        "link styles",
        &[
            "the docs <https://example.org/docs>",
            "https://example.org/ or\nann@example.org.",
        ],
    ),
];

fn coloured(width: usize) -> Terminal {
    let mut terminal = Terminal::new(width);
    terminal.colour = Colour::Sixteen;
    terminal.links = true;
    terminal
}

fn ascii(width: usize) -> Terminal {
    let mut terminal = Terminal::new(width);
    terminal.unicode = false;
    terminal
}

fn plain(width: usize) -> Terminal {
    let mut terminal = coloured(width);
    terminal.plain = true;
    terminal
}

/// Draws a view and makes escape sequences visible.
fn shown(view: &View, terminal: &Terminal) -> String {
    terminal
        .draw(view)
        .text
        .replace("\u{1b}\\", "»")
        .replace("\u{1b}]8;;", "«")
        .replace("\u{1b}[", "␛")
        .replace(['\u{2068}', '\u{2069}'], "¦")
}

/// Removes SGR sequences.
fn without_styles(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or("").to_owned();
    let rest = parts.map(|part| part.split_once('m').expect("an SGR sequence").1);
    first + &rest.collect::<String>()
}

#[test]
fn representative_views_read_well() {
    for (name, view) in samples::all() {
        if REVIEWED.contains(&name) {
            let wide = shown(&view, &Terminal::new(80));
            let colours = shown(&view, &coloured(80));
            let narrow = shown(&view, &Terminal::new(40));
            let card = format!("{wide}\n--- 40 columns\n{narrow}\n--- colours\n{colours}");
            insta::assert_snapshot!(name.replace(' ', "_"), card);
        }
        if matches!(name, "card" | "chart line") {
            let card = format!(
                "{}\n--- plain\n{}",
                shown(&view, &ascii(60)),
                shown(&view, &plain(60))
            );
            insta::assert_snapshot!(format!("{}_ascii", name.replace(' ', "_")), card);
        }
    }
}

#[test]
fn every_sample_has_a_snapshot_or_shows_its_text() {
    for (name, view) in samples::all() {
        let row = VISIBLE.iter().find(|(known, _)| *known == name);
        assert!(row.is_some() != REVIEWED.contains(&name), "{name}");
        let text = Terminal::new(80).draw(&view).text;
        for words in row.map_or(&[][..], |(_, words)| words) {
            assert!(text.contains(words), "{words:?} of {name}: {text}");
        }
    }
}

#[test]
fn no_line_is_too_wide_and_no_control_character_is_left() {
    for (name, view) in samples::all() {
        for width in [20, 33, 40, 60, 80, 120, 200] {
            for terminal in [Terminal::new(width), ascii(width), plain(width)] {
                let text = terminal.draw(&view).text;
                for line in text.replace(['\u{2068}', '\u{2069}'], "").lines() {
                    assert!(line.width() <= width, "{name} at {width}: {line:?}");
                    assert!(!line.contains(is_forbidden), "{name} at {width}: {line:?}");
                }
            }
        }
    }
}

#[test]
fn colours_change_only_styles_and_symbols() {
    for (name, view) in samples::all() {
        for width in [40, 80] {
            let mut coloured = coloured(width);
            coloured.links = false;
            let coloured = without_styles(&coloured.draw(&view).text);
            let bare = Terminal::new(width).draw(&view).text;
            let words = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect();
            let (coloured, bare): (String, String) = (words(&coloured), words(&bare));
            assert_eq!(coloured, bare, "{name} at {width}");
        }
    }
}

#[test]
fn ascii_is_ascii_and_plain_text_has_no_frames_and_no_escapes() {
    for (name, view) in samples::all() {
        let drawn = ascii(60).draw(&view).text;
        // Two samples contain text that is not ASCII.
        if !matches!(name, "text" | "table") {
            assert!(drawn.is_ascii(), "{name}: {drawn}");
        }
        let drawn = plain(60).draw(&view).text;
        assert!(!drawn.contains(['\u{1b}', '╭']), "{name}: {drawn}");
    }
}

#[test]
fn the_command_of_the_caller_precedes_the_id_of_an_output() {
    let (_, view) = samples::all()
        .into_iter()
        .find(|(name, _)| *name == "output")
        .expect("a sample");
    let mut terminal = Terminal::new(80);
    terminal.output_command = Some("fetch".to_owned());
    let text = terminal.draw(&view).text;
    assert!(text.contains("fetch out_1700000000000_abc123"), "{text}");
}

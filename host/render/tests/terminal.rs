//! Snapshots of terminal output: 80 columns with and without colours, and 40 columns.

#[path = "terminal/samples.rs"]
mod samples;

use footlight_render::terminal::{Colour, Terminal};
use footlight_render::view::View;

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

fn coloured(width: usize) -> Terminal {
    let mut terminal = Terminal::new(width);
    terminal.colour = Colour::Sixteen;
    terminal.links = true;
    terminal
}

#[test]
fn every_view_reads_well() {
    for (name, view) in samples::all() {
        let wide = shown(&view, &Terminal::new(80));
        let colours = shown(&view, &coloured(80));
        let narrow = shown(&view, &Terminal::new(40));
        let card = format!("{wide}\n--- 40 columns\n{narrow}\n--- colours\n{colours}");
        insta::assert_snapshot!(name.replace(' ', "_"), card);
    }
}

/// Less common modes: ASCII only, and without frames.
#[test]
fn ascii_and_plain_read_well_too() {
    let mut ascii = Terminal::new(60);
    ascii.unicode = false;
    let mut plain = Terminal::new(60);
    plain.plain = true;
    plain.colour = Colour::True;
    plain.links = true;
    let named = ["card", "chart line", "tree", "markdown", "ask open", "call"];
    for (name, view) in samples::all() {
        let drawn = ascii.draw(&view).text;
        if !matches!(name, "text" | "table") {
            assert!(drawn.is_ascii(), "{name}: {drawn}");
        }
        if named.contains(&name) {
            let card = format!("{drawn}\n--- plain\n{}", shown(&view, &plain));
            insta::assert_snapshot!(format!("{}_ascii", name.replace(' ', "_")), card);
        }
    }
}

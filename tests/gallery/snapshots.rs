//! Drawings of the gallery for a person to review: a representative tool for each kind of drawing. `surfaces` checks all
//! the others.

use super::{EVERY, Gallery};
use footlight_render::html::Html;
use footlight_render::markdown::markdown_all;
use footlight_render::markup::to_html;
use footlight_render::terminal::{Colour, Terminal};
use footlight_render::view::View;
use std::path::Path;

/// Tools whose drawing of ordinary data is reviewed on every surface.
const ORDINARY: &[&str] = &[
    "ask_all",
    "card",
    "diff",
    "dim",
    "figures",
    "inputs",
    "markdown",
    "outputs",
    "structured",
    "table",
];

/// Tools whose drawing of all other data is reviewed on a terminal.
const OTHERS: &[&str] = &["ask_text", "card", "list", "table", "text"];

/// A longer drawing is kept without its middle.
const MAX_LINES: usize = 40;

fn settings(folder: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("../snapshots/gallery/{folder}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

/// Draws views one below the other and makes escape sequences visible.
fn drawn(views: &[View], terminal: &Terminal) -> String {
    let mut terminal = terminal.clone();
    let mut drawings = Vec::new();
    for view in views {
        let drawing = terminal.draw(view);
        terminal.last_action += drawing.actions.len();
        if !drawing.is_empty() {
            drawings.push(drawing.text);
        }
    }
    drawings
        .join("\n")
        .replace("\u{1b}\\", "»")
        .replace("\u{1b}]8;;", "«")
        .replace("\u{1b}[", "␛")
        .replace(['\u{2068}', '\u{2069}'], "¦")
}

fn in_colour(width: usize) -> Terminal {
    let mut terminal = Terminal::new(width);
    terminal.colour = Colour::Sixteen;
    terminal.links = true;
    terminal
}

/// Leaves out the middle of a long drawing.
fn shortened(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() <= MAX_LINES {
        return text.to_owned();
    }
    let (head, tail) = (&lines[..12], &lines[lines.len() - 12..]);
    let left = lines.len() - 24;
    format!(
        "{}\n[… {left} more lines here …]\n{}\n",
        head.join("\n"),
        tail.join("\n")
    )
}

#[tokio::test]
async fn ordinary_data_reads_well_on_every_surface() {
    let gallery = Gallery::open().await;
    for tool in ORDINARY {
        let views = gallery.views(&gallery.play(tool, "ordinary").await);
        let terminal = format!(
            "{}\n--- 40 columns\n{}\n--- colours\n{}",
            drawn(&views, &Terminal::new(80)),
            drawn(&views, &Terminal::new(40)),
            drawn(&views, &in_colour(80)),
        );
        settings("terminal").bind(|| insta::assert_snapshot!(*tool, terminal));
        // One element to a line, so that a change shows where it is.
        let html = to_html(&Html::default().draw_all(&views)).replace("><", ">\n<");
        settings("html").bind(|| insta::assert_snapshot!(*tool, html));
        settings("markdown").bind(|| insta::assert_snapshot!(*tool, markdown_all(&views)));
    }
}

#[tokio::test]
async fn other_data_can_be_read_on_a_terminal() {
    let gallery = Gallery::open().await;
    let terminal = Terminal::new(80);
    for tool in OTHERS {
        let mut card = String::new();
        for with in EVERY.into_iter().filter(|with| *with != "ordinary") {
            let views = gallery.views(&gallery.play(tool, with).await);
            let drawing = drawn(&views, &terminal);
            card.push_str(&format!("--- {with}\n{}\n", shortened(&drawing)));
        }
        settings("others").bind(|| insta::assert_snapshot!(*tool, card));
    }
}

#[test]
fn every_snapshot_is_used() {
    for (folder, tools) in [
        ("terminal", ORDINARY),
        ("html", ORDINARY),
        ("markdown", ORDINARY),
        ("others", OTHERS),
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("snapshots/gallery")
            .join(folder);
        for entry in std::fs::read_dir(folder).expect("a folder of snapshots") {
            let path = entry.expect("an entry").path();
            let tool = path.file_stem().unwrap_or_default().to_string_lossy();
            assert!(tools.contains(&&*tool), "{} is unused", path.display());
        }
    }
}

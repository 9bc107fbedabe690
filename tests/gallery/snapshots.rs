//! What the gallery looks like, to be read by a person.

use super::{EVERY, Gallery};
use footlight_render::html::Html;
use footlight_render::markdown::markdown_all;
use footlight_render::markup::to_html;
use footlight_render::terminal::{Colour, Terminal};
use footlight_render::view::View;
use std::collections::BTreeSet;
use std::path::Path;

/// The most lines of a drawing that are kept; of a longer one its beginning and its end.
const MOST_LINES: usize = 40;

fn settings(folder: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("../snapshots/gallery/{folder}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

/// The drawing of one view below the other, with escape sequences made visible.
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

/// A long drawing without its middle, and a very long line without its end.
fn shortened(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() <= MOST_LINES {
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
    for tool in gallery.tools() {
        let views = gallery.views(&gallery.play(&tool, "ordinary").await);
        let terminal = format!(
            "{}\n--- 40 columns\n{}\n--- colours\n{}",
            drawn(&views, &Terminal::new(80)),
            drawn(&views, &Terminal::new(40)),
            drawn(&views, &in_colour(80)),
        );
        settings("terminal").bind(|| insta::assert_snapshot!(tool.as_str(), terminal));
        // One element to a line, so that a change shows where it is.
        let html = to_html(&Html::default().draw_all(&views)).replace("><", ">\n<");
        settings("html").bind(|| insta::assert_snapshot!(tool.as_str(), html));
        settings("markdown").bind(|| insta::assert_snapshot!(tool.as_str(), markdown_all(&views)));
    }
}

/// Where other data says something that these do not: a second way to ask or to draw the same.
const ALIKE: &[&str] = &[
    "as_code",
    "as_diff",
    "as_markdown",
    "as_table",
    "as_text",
    "as_tree",
    "areas",
    "ask_all",
    "ask_checkbox",
    "ask_confirm",
    "ask_date",
    "ask_number",
    "ask_radio",
    "ask_secret",
    "ask_textarea",
    "bytes",
    "collapsed",
    "dim",
    "file",
    "free",
    "hidden",
    "language",
    "lines",
    "max_height",
    "numbered",
    "points",
    "remote_image",
    "unfitting",
    "unknown",
];

#[tokio::test]
async fn other_data_stays_within_the_terminal_and_can_be_read() {
    let gallery = Gallery::open().await;
    let terminal = Terminal::new(80);
    for tool in gallery.tools() {
        let mut card = String::new();
        for with in EVERY.into_iter().filter(|with| *with != "ordinary") {
            let views = gallery.views(&gallery.play(&tool, with).await);
            let drawing = drawn(&views, &terminal);
            card.push_str(&format!("--- {with}\n{}\n", shortened(&drawing)));
        }
        if !ALIKE.contains(&tool.as_str()) {
            settings("others").bind(|| insta::assert_snapshot!(tool.as_str(), card));
        }
    }
}

#[tokio::test]
async fn no_snapshot_is_left_of_a_tool_that_is_gone() {
    let tools: BTreeSet<String> = Gallery::open().await.tools().into_iter().collect();
    for folder in ["terminal", "html", "markdown", "others"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("snapshots/gallery")
            .join(folder);
        for entry in std::fs::read_dir(folder).expect("a folder of snapshots") {
            let name = entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8");
            let tool = name.split('.').next().unwrap_or_default();
            assert!(tools.contains(tool), "{name} is of no tool");
        }
    }
}

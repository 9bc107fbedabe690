//! Draws every tool of the gallery with every kind of data on every surface, and checks what must hold for all of them.

use super::{EVERY, Gallery};
use footlight_render::filter::clean;
use footlight_render::html::Html;
use footlight_render::markdown::markdown_all;
use footlight_render::markup::to_html;
use footlight_render::terminal::{Colour, Terminal};
use footlight_render::view::{Address, View};
use std::collections::BTreeSet;

/// Words that each tool shows of ordinary data, on every surface and at every width.
const SHOWN: &[(&str, &str)] = &[
    ("areas", "Stalls Circle 210 -12 Mon Fri"),
    (
        "as_code",
        "gallery.thing curtain const ACTS: println Hamlet",
    ),
    ("as_diff", "gallery.thing -2,11 Seagull students lights"),
    ("as_image", "gallery.thing"),
    (
        "as_markdown",
        "gallery.thing Doors rehearsed println programme",
    ),
    ("as_raw", "gallery.thing address firstNight soldOut rows"),
    ("as_table", "firstNight soldOut 348 Twelfth 622 Godot"),
    ("as_text", "gallery.thing alternate. Doors"),
    ("as_tree", "gallery.thing address below nothing 348"),
    (
        "ask_all",
        "tonight Plays recommended hesitates. Godot Seats Day sure Yes Ada",
    ),
    ("ask_buttons", "tonight Hamlet Seagull Twelfth Godot play0"),
    (
        "ask_checkbox",
        "tonight Plays recommended Seagull Godot play0",
    ),
    ("ask_confirm", "tonight sure Yes Tickets Told:"),
    ("ask_date", "tonight Day 2026-11-16"),
    ("ask_number", "tonight Seats Told:"),
    ("ask_radio", "tonight recommended Seagull Godot play0"),
    ("ask_secret", "tonight Password Told characters."),
    ("ask_select", "tonight recommended Seagull Godot play0"),
    ("ask_text", "tonight name ticket. Ada"),
    ("ask_textarea", "tonight review Ada"),
    ("bars", "Stalls Circle Mon 120 65.5 -12 150"),
    ("basic", "Hamlet Seagull Twelfth Godot"),
    ("buttons", "primary danger outline Agree Godot"),
    ("bytes", "Hamlet.bin Size 343 bytes"),
    ("card", "Hamlet Act Fall Prompt mail Take"),
    ("code", "Hamlet.rs curtain const ACTS: println"),
    ("collapsed", "evening words"),
    ("declared", "Hamlet sale 2026-01-01, 211 sold"),
    ("diff", "season.toml -2,11 autumn Seagull students lights"),
    ("dim", "allowed once Hamlet 19:30 dark."),
    ("facts", "Hamlet 211 2026-01-01 theatre.example"),
    ("field_types", "firstNight 348 yes Twelfth 2026-04-04"),
    (
        "figures",
        "Monday 65.5 -12 Stalls Seats 622 Rehearsals theatre.example",
    ),
    ("file", "Hamlet.rs curtain const ACTS: println"),
    (
        "folder",
        "Modified props latest Hamlet.txt 348 2026-04-04 listed.",
    ),
    ("free", "curtain alternate. Doors"),
    ("hidden", ""),
    ("hunks", "season.toml -3,3 Seagull 211 -43,3 Twelfth"),
    ("image", "image"),
    ("inputs", "name mail curtain Twelfth Stalls Circle Send"),
    ("language", "gallery.thing const ACTS: println Hamlet"),
    ("layout", "Tonight 19:30 Godot Stage opens seven."),
    ("lines", "Stalls Circle 210 -12 Mon Fri"),
    ("link", "programme theatre.example when."),
    ("list", "Hamlet 211 Seagull 485 Godot"),
    ("list_view", "season Hamlet 2026-02-02 Twelfth"),
    ("live", "Rehearsal Rehearsed: Hamlet. Godot."),
    ("log", "standing lights, sound orange curtain"),
    (
        "malformed",
        "widget malformed children string, number curtain",
    ),
    (
        "markdown",
        "curtain exact Doors rehearsed println programme",
    ),
    ("max_height", "season, twice firstNight Hamlet 211 false"),
    ("misfit", "gallery.thing alternate. Doors"),
    ("numbered", "Hamlet Seagull Twelfth Godot"),
    (
        "outputs",
        "stored. Hamlet.txt 103 19:30 Hamlet.png 343 terminal Hamlet.bin",
    ),
    ("pie", "Mon 120 180 210 Fri 150"),
    ("points", "Stalls Circle 210 -12 Mon Fri"),
    ("remote_image", "curtain, street theatre.example"),
    ("strike", "allowed once empty. gone."),
    ("structured", "address below nothing Hamlet 348"),
    ("table", "First Hamlet 211 yes Twelfth 485 Godot 2026-04-04"),
    ("text", "curtain alternate. Doors"),
    ("unfitting", "words: curtain"),
    ("unknown", "theatre address firstNight soldOut rows"),
    ("unknown_component", "Hamlet curtain"),
    ("words", "Twelfth secondary danger exact Doors rehearsed"),
];

/// A kind of terminal.
fn terminal(width: usize, colour: Colour) -> Terminal {
    let mut terminal = Terminal::new(width);
    terminal.colour = colour;
    terminal.links = colour != Colour::None;
    terminal
}

/// Draws views one below the other and checks each drawing.
fn checked(views: &[View], terminal: &Terminal, width: usize, what: &str) -> String {
    let mut text = String::new();
    for view in views {
        let drawing = terminal.draw(view);
        // No title, icon, clipboard or mode: nothing but styles and links.
        assert_eq!(foreign(&drawing.text), None, "{what}");
        let lines = drawing.text.lines().count();
        assert_eq!(drawing.rows(width), lines, "{what}: a line is too wide");
        text.push_str(&drawing.text);
        text.push('\n');
    }
    text
}

/// Returns the beginning of the first control sequence in a drawing that is neither a style nor a link to the web.
fn foreign(drawing: &str) -> Option<String> {
    let mut rest = drawing;
    while let Some(at) = rest.find(|c: char| c.is_control() && c != '\n') {
        let found = &rest[at..];
        let style = found.strip_prefix("\u{1b}[").and_then(|style| {
            let end = style.find(|c: char| !c.is_ascii_digit() && c != ';')?;
            style[end..].strip_prefix('m')
        });
        let link = found.strip_prefix("\u{1b}]8;;").and_then(|link| {
            let (address, after) = link.split_once("\u{1b}\\")?;
            (address.is_empty() || Address::parse(address).is_some()).then_some(after)
        });
        match style.or(link) {
            Some(after) => rest = after,
            None => return Some(found.chars().take(20).collect()),
        }
    }
    None
}

/// What an HTML parser finds in a fragment.
#[derive(Debug, Default)]
struct Page {
    /// The names of elements and of their attributes, as `a` and `a[href]`.
    names: BTreeSet<String>,
    /// Addresses that must not be loaded or followed.
    bad_addresses: Vec<String>,
    text: String,
}

impl Page {
    fn parse(html: &str) -> Self {
        let parsed = scraper::Html::parse_fragment(html);
        let mut page = Self {
            text: parsed.root_element().text().collect::<Vec<_>>().join(" "),
            ..Self::default()
        };
        let nodes = parsed
            .tree
            .nodes()
            .filter_map(|node| node.value().as_element());
        for element in nodes {
            page.names.insert(element.name().to_owned());
            for (attribute, value) in element.attrs() {
                page.names
                    .insert(format!("{}[{attribute}]", element.name()));
                let own = value.starts_with("/api/outputs/out_");
                let is_safe = match attribute {
                    "href" => own || Address::parse(value).is_some(),
                    "src" => own || value.starts_with("data:image/png;base64,"),
                    _ => true,
                };
                if !is_safe {
                    page.bad_addresses.push(value.to_owned());
                }
            }
        }
        page
    }
}

/// Without white space and without the characters that Markdown is written and escaped with.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !"*_`|\\".contains(*c))
        .collect()
}

#[tokio::test]
async fn every_tool_with_every_kind_of_data_is_drawn_safely_on_every_surface() {
    let gallery = Gallery::open().await;
    let tools = gallery.tools();
    let listed: Vec<&str> = SHOWN.iter().map(|(tool, _)| *tool).collect();
    let mut sorted = tools.clone();
    sorted.sort();
    assert_eq!(sorted, listed, "each tool has a line in SHOWN");
    let (mut usual, mut hostile) = (BTreeSet::new(), BTreeSet::new());
    for tool in &tools {
        for with in EVERY {
            let what = format!("{tool} with {with}");
            let views = gallery.views(&gallery.play(tool, with).await);
            let drawn = [
                checked(&views, &terminal(80, Colour::None), 80, &what),
                checked(&views, &terminal(40, Colour::None), 40, &what),
            ];
            checked(&views, &terminal(80, Colour::Sixteen), 80, &what);
            checked(&views, &terminal(80, Colour::True), 80, &what);
            let markdown = markdown_all(&views);
            assert_eq!(clean(&markdown), markdown, "{what}");
            let mut text = String::new();
            for html in [
                Html::default(),
                Html::default().inert(),
                Html::default().split(),
            ] {
                let html = to_html(&html.draw_all(&views));
                assert_eq!(clean(&html), html, "{what}");
                let page = Page::parse(&html);
                assert_eq!(page.bad_addresses, [""; 0], "{what}");
                match with {
                    "hostile" => hostile.extend(page.names),
                    _ => usual.extend(page.names),
                }
                text = page.text;
            }
            let [wide, narrow] = drawn;
            let surfaces = [wide, narrow, text, markdown].map(|text| letters(&text));
            if tool != "hidden" {
                assert!(
                    surfaces.iter().all(|text| !text.is_empty()),
                    "{what} is blank"
                );
            }
            if with == "ordinary" {
                let (_, words) = SHOWN
                    .iter()
                    .find(|(of, _)| of == tool)
                    .expect("a line in SHOWN");
                for (text, word) in surfaces
                    .iter()
                    .flat_map(|text| words.split(' ').map(move |word| (text, word)))
                {
                    assert!(
                        text.contains(&letters(word)),
                        "{what} shows no {word}: {text}"
                    );
                }
            }
        }
    }
    // The renderers' own tests check the list of what a page may hold. Here: a guest's data adds nothing to it.
    let added: Vec<_> = hostile.difference(&usual).collect();
    assert!(added.is_empty(), "{added:?}");
}

#[test]
fn control_sequences_and_addresses_are_recognised() {
    for text in [
        "\u{1b}]0;t\u{7}",
        "\u{9b}2J",
        "\u{1b}[2J",
        "a\rb",
        "\u{1b}]8;;file:///x\u{1b}\\",
    ] {
        assert!(foreign(text).is_some(), "{text:?}");
    }
    assert_eq!(foreign("\u{1b}[1;31mred\u{1b}[0m\n"), None);
    for html in ["<a href=javascript:x>", "<img src=//x>"] {
        assert!(!Page::parse(html).bad_addresses.is_empty(), "{html}");
    }
    let page = Page::parse("<p onclick=x><script></script>");
    let found: Vec<&str> = page.names.iter().map(String::as_str).collect();
    assert_eq!(found, ["body", "html", "p", "p[onclick]", "script"]);
}

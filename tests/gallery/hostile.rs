//! What a malicious plugin shows does nothing: not to a terminal, not to a page.
//!
//! The renderers' own tests attack each view; these go the whole way, from a guest's bytes through
//! the host and its record.

use super::Gallery;
use footlight_render::filter::clean;
use footlight_render::html::Html;
use footlight_render::markdown::markdown_all;
use footlight_render::markup::{Flag, Keyword, Number, Tag, TextAttr, to_html};
use footlight_render::terminal::{Colour, Terminal};
use footlight_render::view::Address;
use std::num::NonZero;

const COLUMNS: NonZero<u16> = NonZero::new(80).expect("is not 0");
const ROWS: NonZero<u16> = NonZero::new(2_000).expect("is not 0");

/// The first thing in a drawing that is neither text, nor a style, nor a link to the web.
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

#[tokio::test]
async fn hostile_data_leaves_the_terminal_as_it_was() {
    let gallery = Gallery::open().await;
    let above = "footlight wants your approval";
    for tool in gallery.tools() {
        let views = gallery.views(&gallery.play(&tool, "hostile").await);
        for colour in [Colour::None, Colour::Sixteen, Colour::True] {
            let mut terminal = Terminal::new(80);
            terminal.colour = colour;
            terminal.links = colour != Colour::None;
            let mut parser = vt100::Parser::new(ROWS, COLUMNS, 0);
            parser.process(format!("{above}\r\n").as_bytes());
            let mut rows = 1;
            for view in &views {
                let drawing = terminal.draw(view);
                // No title, no icon, no clipboard, no mode: nothing but styles and links.
                assert_eq!(foreign(&drawing.text), None, "{tool}");
                parser.process(drawing.text.replace('\n', "\r\n").as_bytes());
                rows += drawing.rows(80);
            }
            let screen = parser.screen();
            let rows = u16::try_from(rows).expect("fits on the screen");
            assert_eq!(screen.cursor_position(), (rows, 0), "{tool}");
            assert_eq!(
                screen.contents_between(0, 0, 0, 80).trim_end(),
                above,
                "{tool}"
            );
            assert!(
                !screen.hide_cursor() && !screen.alternate_screen(),
                "{tool}"
            );
            assert!(
                !screen.bracketed_paste() && !screen.application_keypad(),
                "{tool}"
            );
            assert_eq!(
                screen.mouse_protocol_mode(),
                vt100::MouseProtocolMode::None,
                "{tool}"
            );
            assert_eq!(screen.fgcolor(), vt100::Color::Default, "{tool}");
            assert!(
                !screen.bold() && !screen.inverse() && !screen.underline(),
                "{tool}"
            );
        }
    }
}

/// What in some HTML is not on the renderers' list of what may be there.
fn forbidden(html: &str) -> Vec<String> {
    let named = [
        "class", "name", "href", "rel", "target", "src", "d", "points", "viewBox",
    ];
    let known = |attribute: &str| {
        named.contains(&attribute)
            || Keyword::ALL.iter().any(|word| word.name() == attribute)
            || TextAttr::ALL.iter().any(|words| words.name() == attribute)
            || Flag::ALL.iter().any(|flag| flag.name() == attribute)
            || Number::ALL.iter().any(|number| number.name() == attribute)
    };
    let mut found = Vec::new();
    let parsed = scraper::Html::parse_fragment(html);
    let elements = parsed
        .tree
        .nodes()
        .filter_map(|node| node.value().as_element());
    for element in elements.filter(|element| !["html", "body"].contains(&element.name())) {
        if !Tag::ALL.iter().any(|tag| tag.name() == element.name()) {
            found.push(element.name().to_owned());
        }
        for (attribute, value) in element.attrs() {
            let own = value.starts_with("/api/outputs/out_");
            let leads = match attribute {
                "href" => own || Address::parse(value).is_some(),
                "src" => own || value.starts_with("data:image/png;base64,"),
                _ => true,
            };
            if !known(attribute) || !leads {
                found.push(format!("{attribute}={value:?}"));
            }
        }
    }
    found
}

#[tokio::test]
async fn hostile_data_stays_text_on_a_page_and_in_markdown() {
    let gallery = Gallery::open().await;
    for tool in gallery.tools() {
        let views = gallery.views(&gallery.play(&tool, "hostile").await);
        for html in [
            Html::default(),
            Html::default().inert(),
            Html::default().split(),
        ] {
            let drawn = to_html(&html.draw_all(&views));
            assert_eq!(forbidden(&drawn), Vec::<String>::new(), "{tool}");
            assert_eq!(clean(&drawn), drawn, "{tool}");
        }
        let written = markdown_all(&views);
        assert_eq!(clean(&written), written, "{tool}");
    }
}

#[test]
fn what_must_not_be_there_is_found() {
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
    for html in [
        "<script></script>",
        "<p onclick=x>",
        "<a href=javascript:x>",
        "<img src=//x>",
    ] {
        assert!(!forbidden(html).is_empty(), "{html}");
    }
    assert_eq!(forbidden("<p class=fl-text>x</p>"), [""; 0]);
}

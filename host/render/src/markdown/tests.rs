//! Round-trip tests: the parser that reads Markdown for views reads the output back.

use super::*;
use crate::view::{Address, Cell, Column, Content, Inline, ListItem, Span, Style, Table};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, TagEnd};

/// Returns the text of Markdown with normalised white space, and whether it contains HTML.
fn read(markdown: &str) -> (String, bool) {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut text = String::new();
    let mut html = false;
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Text(piece) | Event::Code(piece) => text.push_str(&piece),
            Event::Html(_) | Event::InlineHtml(_) => html = true,
            Event::SoftBreak | Event::HardBreak | Event::Rule => text.push(' '),
            Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::TableCell
                | TagEnd::CodeBlock
                | TagEnd::BlockQuote(_),
            ) => text.push(' '),
            _ => {}
        }
    }
    (folded(&text), html)
}

fn folded(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Strings with characters that have a meaning in Markdown.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "#",
            "# ",
            "1.",
            "12) ",
            "- ",
            "+ ",
            "* ",
            "> ",
            "`",
            "``",
            "```",
            "~~~",
            "*",
            "**",
            "_",
            "__",
            "~~",
            "|",
            "\\",
            "\\|",
            "[",
            "]",
            "(",
            ")",
            "](",
            "[x](javascript:y)",
            "![a](b)",
            "<b>",
            "</p>",
            "<!-- x -->",
            "&amp;",
            "&#60;",
            "<http://x.y>",
            "\n",
            "\n\n",
            "\n---\n",
            "===",
            "---",
            "| - |",
            ":-",
            "    ",
            "\t",
            " ",
            "a",
            "Wort",
            "x_y",
            "é",
            "漢",
            "🙂",
            "[^1]",
            "[x]: y",
            "- [ ] ",
            "\u{1b}[31m",
            "\u{202e}",
            "$x$",
            "http://a.b",
            "…",
            "\u{a0}",
        ])
        .prop_map(str::to_owned),
        "[ -~]{0,6}",
    ];
    proptest::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

fn span() -> impl Strategy<Value = Span> {
    let style = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(bold, italic, strike, code)| Style {
            bold,
            italic,
            strike,
            code,
            ..Style::default()
        },
    );
    let link = proptest::option::weighted(0.2, Just("https://example.org/a(b)?c=1&lang;=2"));
    (hostile(), style, link).prop_map(|(text, style, link)| Span {
        text,
        style,
        link: link.and_then(Address::parse),
        math: None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn a_paragraph_reads_back_as_its_text(spans in proptest::collection::vec(span(), 0..4), lines in any::<bool>()) {
        let inline = Inline { spans };
        let role = if lines { Role::Lines } else { Role::Body };
        let written = markdown(&View::Text(Text::new(role, inline.clone())));
        let (text, html) = read(&written);
        prop_assert!(!html, "{written:?}");
        // A block of code has no links.
        let fence = written.lines().next().unwrap_or_default();
        let expected = match lines && fence.len() > 2 && fence.bytes().all(|byte| byte == b'`') {
            true => clean(&inline.to_text()).into_owned(),
            false => inline_text(&inline),
        };
        prop_assert_eq!(without_spaces(&text), without_spaces(&expected), "{:?}", written);
    }

    #[test]
    fn a_headline_is_one_line_and_reads_back(text in hostile(), level in 1..7_u8) {
        let written = markdown(&View::Text(Text::new(Role::Heading(level), Inline::plain(text.as_str()))));
        let (read, html) = read(&written);
        prop_assert!(!html && !written.contains('\n'), "{written:?}");
        prop_assert_eq!(read, folded(&text), "{:?}", written);
    }

    #[test]
    fn code_reads_back_letter_by_letter(text in hostile(), language in hostile()) {
        let view = View::Code(Code { text: text.clone(), language: Some(language), path: None, cut: None });
        let written = markdown(&view);
        let mut code = String::new();
        let mut blocks = 0;
        for event in Parser::new(&written) {
            match event {
                Event::Text(piece) => code.push_str(&piece),
                Event::Start(pulldown_cmark::Tag::CodeBlock(_)) => blocks += 1,
                _ => {}
            }
        }
        prop_assert_eq!(blocks, 1, "{:?}", written);
        let expected = clean(&text);
        prop_assert_eq!(code.trim_end_matches('\n'), expected.trim_end_matches('\n'), "{:?}", written);
    }

    #[test]
    fn a_table_keeps_its_cells(cells in proptest::collection::vec((hostile(), any::<bool>()), 6)) {
        let content = |(text, code): &(String, bool)| {
            Content::Inline(Span::styled(text.as_str(), Style { code: *code, ..Style::default() }).into())
        };
        let row = |cells: &[(String, bool)]| cells.iter().map(|cell| Cell::new(content(cell))).collect();
        let table = Table {
            columns: cells[..2].iter().map(|cell| Column { header: content(cell), align: Default::default() }).collect(),
            has_header: true,
            rows: vec![row(&cells[2..4]), row(&cells[4..])],
            more_rows: None,
            more_columns: None,
        };
        let written = markdown(&View::Table(table));
        prop_assert_eq!(written.lines().count(), 4, "{:?}", written);
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        let mut found = vec![String::new()];
        for event in Parser::new_ext(&written, options) {
            match event {
                Event::Text(piece) | Event::Code(piece) => found.last_mut().expect("one at least").push_str(&piece),
                Event::End(TagEnd::TableCell) => found.push(String::new()),
                Event::Html(_) | Event::InlineHtml(_) => prop_assert!(false, "{written:?}"),
                _ => {}
            }
        }
        found.pop();
        let found: Vec<String> = found.iter().map(|cell| folded(cell)).collect();
        let expected: Vec<String> = cells.iter().map(|(text, _)| folded(text)).collect();
        prop_assert_eq!(found, expected, "{:?}", written);
    }

    #[test]
    fn a_list_in_a_quote_keeps_its_items(texts in proptest::collection::vec(hostile(), 1..4), ordered in any::<bool>()) {
        let items = texts.iter().map(|text| ListItem {
            detail: Some(Inline::plain(text.as_str())),
            ..ListItem::new(Content::plain(text.as_str()))
        });
        let list = View::List(List { start: ordered.then_some(7), items: items.collect(), cut: None });
        let written = markdown(&View::Quote(vec![list.clone(), list]));
        let (text, html) = read(&written);
        prop_assert!(!html, "{written:?}");
        let once: Vec<String> = texts.iter().flat_map(|text| [folded(text), folded(text)]).collect();
        let expected = [once.clone(), once].concat().concat();
        prop_assert_eq!(without_spaces(&text), without_spaces(&expected), "{:?}", written);
    }
}

/// The text as a reader sees it, with the hosts of links.
fn inline_text(inline: &Inline) -> String {
    let spans = inline.spans_and_link_ends().into_iter();
    let texts = spans.map(|(span, end)| {
        let host = end.and_then(|end| end.host());
        clean(&span.text).into_owned() + &host.unwrap_or_default()
    });
    texts.collect()
}

/// Markers may add or remove spaces, but never other characters.
fn without_spaces(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn two_lists_in_a_row_stay_two() {
    let list = |text: &str| {
        View::List(List {
            start: None,
            items: vec![ListItem::new(Content::plain(text))],
            cut: None,
        })
    };
    assert_eq!(
        markdown_all(&[list("a"), list("b"), list("c")]),
        "- a\n\n+ b\n\n- c"
    );
}

#[test]
fn a_fence_is_longer_than_any_backtick_run_inside() {
    let code = Code {
        text: "````\nx\n````".to_owned(),
        language: Some("m`d\n".to_owned()),
        path: None,
        cut: None,
    };
    assert_eq!(markdown(&View::Code(code)), "`````md\n````\nx\n````\n`````");
}

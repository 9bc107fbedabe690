//! Known attacks and their outcome: on the filter, on lines and cells, on links and images, on
//! Markdown.

use super::allow_list::violations;
use footlight_render::filter::{clean, is_forbidden};
use footlight_render::html::Html;
use footlight_render::lower::Lower;
use footlight_render::markdown::markdown;
use footlight_render::markup::to_html;
use footlight_render::terminal::{Colour, Terminal};
use footlight_render::view::View;
use serde_json::{Value, json};

fn result(value: Value) -> View {
    Lower::default().result(&serde_json::from_value(value).expect("a result"))
}

fn markdown_kind(content: &str) -> View {
    result(json!({"kind": "markdown", "data": {"content": content}}))
}

fn coloured(width: usize) -> Terminal {
    let mut terminal = Terminal::new(width);
    terminal.colour = Colour::True;
    terminal.links = true;
    terminal
}

/// Characters that affect their neighbours or the line.
const NASTY: &[&str] = &[
    "\u{301}", // a combining mark without a base
    "\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "\u{fe0f}",                                 // a variation selector without a base
    "👨\u{200d}👩\u{200d}👧\u{200d}👦\u{200d}", // an emoji sequence with a trailing joiner
    "\u{1f1e9}\u{1f1ea}\u{1f1e9}",              // an odd number of regional indicators
    "\u{1f3fb}\u{1f3fb}",                       // skin tones without a base
    "क्\u{200d}ष",
    "\u{1100}\u{1161}\u{11a8}\u{1100}",     // decomposed Hangul
    "\u{2028}x\u{2029}y\u{85}z\u{b}\u{c}",  // other line terminators
    "\u{e0067}\u{e0062}\u{e007f}",          // tag characters
    "\u{2066}a\u{2067}b\u{2068}c\u{202e}d", // unclosed isolates
    "\u{2069}\u{2069}\u{202c}",             // unopened terminators
    "a\tb\t\tc",
    "漢\t字",
    "ｗｉｄｅ",
    "\u{fdfd}", // a single, very wide character
    "\u{a0}\u{2003}\u{3000}",
    "\u{34f}\u{115f}\u{3164}\u{ffa0}", // invisible characters
    "\u{1b}[1;31mred\u{1b}[0m",
    "\u{9b}31mred",
    "\u{1b}]8;id=1;https://evil.example\u{7}x\u{1b}]8;;\u{7}",
    "\u{1b}]8;;javascript:x\u{1b}\\y",
    "שלום (abc) 123",
];

#[test]
fn nothing_in_a_cell_reaches_another_cell_or_another_line() {
    for nasty in NASTY {
        let rows = json!([{"a": nasty, "b": "end"}, {"a": format!("{nasty}{nasty}"), "b": "end"}]);
        let view = result(
            json!({"kind": "table", "data": {"columns": [{"key": "a"}, {"key": "b"}], "rows": rows}}),
        );
        for width in [20, 40, 80] {
            for terminal in [Terminal::new(width), coloured(width)] {
                let drawing = terminal.draw(&view);
                assert_eq!(
                    drawing.rows(width),
                    drawing.text.lines().count(),
                    "{nasty:?}"
                );
                // Isolates are closed on the line on which they are opened.
                for line in drawing.text.lines() {
                    let mut open = 0_i32;
                    for c in line.chars() {
                        open += i32::from(c == '\u{2068}') - i32::from(c == '\u{2069}');
                        assert!((0..=1).contains(&open), "{nasty:?}: {line:?}");
                        assert!(
                            matches!(c, '\u{2068}' | '\u{2069}' | '\u{1b}') || !is_forbidden(c),
                            "{nasty:?}: {line:?}"
                        );
                    }
                    assert_eq!(open, 0, "{nasty:?}: {line:?}");
                }
                assert_eq!(drawing.text.matches("end").count(), 2, "{nasty:?}");
                assert!(!drawing.text.contains("\u{1b}]8"), "no link was sent");
            }
        }
        assert_eq!(markdown(&view).lines().count(), 4, "{nasty:?}");
        assert_eq!(
            violations(&to_html(&Html::default().draw(&view))),
            Vec::<String>::new()
        );
    }
}

#[test]
fn joining_filtered_strings_is_harmless() {
    // Concatenating two filtered strings is harmless.
    for one in NASTY {
        for other in NASTY {
            let joined = format!("{}{}", clean(one), clean(other));
            assert!(!joined.contains(is_forbidden), "{one:?} {other:?}");
            let again = clean(&joined);
            assert!(again.len() <= joined.len() && clean(&again) == again);
        }
    }
}

#[test]
fn colours_are_taken_from_logs_and_from_nothing_else() {
    let red = "\u{1b}[31mred\u{1b}[0m";
    for (kind, data) in [
        ("code", json!({"content": red, "language": "rust"})),
        (
            "diff",
            json!({"path": "a", "original": "", "modified": format!("{red}\n")}),
        ),
        ("text", json!({"content": red})),
        ("list", json!({"items": [{"text": red}]})),
    ] {
        let text = coloured(80)
            .draw(&result(json!({"kind": kind, "data": data})))
            .text;
        assert!(
            text.contains("red") && !text.contains("\u{1b}[31mred"),
            "{kind}: {text:?}"
        );
    }
    let log = result(
        json!({"kind": "log", "data": {"lines": [{"text": red}, {"text": "\u{1b}[8mhidden\u{1b}[5mblinks"}]}}),
    );
    let text = coloured(80).draw(&log).text;
    assert!(text.contains("\u{1b}[31mred\u{1b}[0m"), "{text:?}");
    // We never emit concealed or blinking text.
    assert!(text.contains("hiddenblinks"), "{text:?}");
    assert!(!text.contains("[8m") && !text.contains("[5m"), "{text:?}");
}

#[test]
fn a_picture_is_what_its_bytes_say() {
    let html = |content: &str| to_html(&Html::default().draw(&markdown_kind(content)));
    for address in [
        "data:image/png;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+", // SVG labelled as PNG
        "data:image/png;base64,PGh0bWw+",
        "data:image/svg+xml;base64,iVBORw0KGgo=",
        "data:image/png,<svg onload=alert(1)>",
        "data:image/png;charset=x;base64,",
        "data:;base64,iVBORw0KGgo",
        "DATA:image/png;base64,PHN2Zz4=",
        "https://evil.example/track.png",
        "//evil.example/track.png",
        "/api/outputs/../../secrets",
        "/api/outputs/out_1_aaaaaa?x",
        "blob:https://x/y",
    ] {
        let drawn = html(&format!("![alt]({address})"));
        assert!(!drawn.contains("<img"), "{address}: {drawn}");
        assert!(drawn.contains("alt"), "{address}: {drawn}");
    }
}

#[test]
fn a_link_that_is_shown_is_the_link_that_is_followed() {
    for address in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        "&#106;avascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "https://user:pass@bank.example/",
        "https://bank.example@evil.example/",
        "https://bаnk.example/", // a Cyrillic letter
        "https:\\\\evil.example",
        "http://",
    ] {
        let view = markdown_kind(&format!("[words](<{address}>) and <{address}>"));
        let html = to_html(&Html::default().draw(&view));
        assert!(!html.contains("href"), "{address}: {html}");
        assert!(
            !coloured(80).draw(&view).text.contains("\u{1b}]8"),
            "{address}"
        );
    }
    // The text of a link may lie, but the host beside it is correct.
    for words in [
        "https://bank.example",
        "evil.example.bank.example",
        "https://bank.example/evil.example",
        "my bank (evil.example is fine)",
    ] {
        let lie = markdown_kind(&format!("[{words}](https://evil.example/x) evil.example"));
        let text = coloured(80).draw(&lie).text;
        assert!(text.contains(" (evil.example)"), "{text:?}");
        let text = Terminal::new(80).draw(&lie).text;
        assert!(text.contains(" <https://evil.example/x>"), "{text:?}");
    }
    for words in [
        "evil.example",
        "https://evil.example/",
        "https://evil.example/x",
    ] {
        let honest = markdown_kind(&format!("[{words}](https://evil.example/x)"));
        let text = coloured(80).draw(&honest).text;
        assert!(!text.contains('('), "{text:?}");
    }
    let lie = markdown_kind("[https://bank.example](https://evil.example/x)");
    let text = coloured(80).draw(&lie).text;
    assert!(text.contains("(evil.example)"), "{text:?}");
    assert!(
        text.contains("\u{1b}]8;;https://evil.example/x\u{1b}\\"),
        "{text:?}"
    );
}

/// Views with a link in every place that can have one.
fn linked(words: &str, address: &str) -> Vec<View> {
    let (first, rest) = words.split_at(words.len() / 2);
    vec![
        markdown_kind(&format!("before [{words}](<{address}>) after")),
        markdown_kind(&format!("[**{first}**{rest}](<{address}>)")),
        markdown_kind(&format!(
            "[{first}*{rest}*](<{address}>)[*\u{200b}*](<{address}>)"
        )),
        markdown_kind(&format!("# [{words}](<{address}>)")),
        markdown_kind(&format!("* [{words}](<{address}>)\n* x")),
        markdown_kind(&format!("> [{words}](<{address}>)")),
        markdown_kind(&format!("| a |\n| --- |\n| [{words}](<{address}>) |")),
        markdown_kind(&format!("![{words}](<{address}>)")),
        result(json!({"kind": "link", "data": {"url": address, "title": words}})),
        result(json!({"kind": "list", "data": {"items": [{"text": words, "url": address}]}})),
    ]
}

/// Returns what a reader of a page sees.
fn visible(view: &View) -> String {
    let html = to_html(&Html::default().draw(view));
    let page = scraper::Html::parse_fragment(&html);
    page.root_element().text().collect()
}

#[test]
fn every_surface_shows_the_host_of_a_link_in_every_place() {
    let lies = [
        "my bank",
        "https://bank.example/x",
        "bank.example",
        "ann@bank.example",
    ];
    for (address, host) in [
        ("https://evil.example/bank.example", "evil.example"),
        ("http://evil.example:8080/", "evil.example:8080"),
        ("https://xn--bnk-7na.example/", "xn--bnk-7na.example"),
        (
            "https://bank.example.evil.example/",
            "bank.example.evil.example",
        ),
        ("mailto:eve@evil.example", "eve@evil.example"),
    ] {
        for (n, view) in lies
            .iter()
            .flat_map(|words| linked(words, address))
            .enumerate()
        {
            let html = to_html(&Html::default().draw(&view));
            if !html.contains("href") {
                // A picture that cannot be fetched is its text alone.
                continue;
            }
            let unescaped = markdown(&view).replace('\\', "");
            for (surface, text) in [
                ("HTML", visible(&view)),
                ("Markdown", unescaped),
                ("a terminal", coloured(200).draw(&view).text),
                (
                    "a terminal without links",
                    Terminal::new(200).draw(&view).text,
                ),
            ] {
                let bare = address.trim_start_matches("mailto:");
                let named = [
                    format!("({host})"),
                    format!(" at {host}"),
                    format!("<{bare}>"),
                ];
                assert!(
                    named.iter().any(|named| text.contains(named)),
                    "{n} on {surface}: {text:?}"
                );
            }
        }
    }
    // An address says where it leads.
    for view in linked("https://good.example/x", "https://good.example/x")
        .iter()
        .take(7)
    {
        assert!(!visible(view).contains('('), "{}", visible(view));
        assert!(
            !markdown(view).replace('\\', "").contains(" (good"),
            "{}",
            markdown(view)
        );
    }
}

/// The test would not finish if the work were quadratic.
#[test]
fn hard_markdown_is_parsed_and_drawn_in_time() {
    let most = 200_000;
    for pattern in [
        "a**b",
        "**a *b ",
        "_a __b ",
        "[a](b",
        "[a][",
        "[[",
        "![[",
        "](",
        "`a``",
        "<a",
        "<!--",
        "<?",
        "&amp",
        "\\",
        "a\n> ",
        "> - ",
        "* * ",
        "- a\n  ",
        "1. a\n   1. ",
        "|",
        "|a|\n|-|\n",
        "| a | b |\n",
        "~~a ~",
        "https://a.b/(",
        "[a](http://b) ",
        "[a](http://b)|",
        "[^a]",
        "[a]: b\n",
        "# a\n",
        "a\n===\n",
        "a\n---\n",
        "```\n",
        "    a\n",
        "\u{301}",
        "a\t",
        "漢",
        "\u{1b}[",
        "*_~`",
    ] {
        let text = pattern.repeat(most / pattern.len());
        let view = markdown_kind(&text);
        for drawn in [
            to_html(&Html::default().draw(&view)),
            markdown(&view),
            coloured(80).draw(&view).text,
        ] {
            assert!(
                drawn.len() < 4_000_000,
                "{pattern:?}: {} bytes",
                drawn.len()
            );
        }
    }
}

#[test]
fn a_table_of_markdown_has_limits_like_any_other() {
    let bars = |cell: &str| cell.repeat(20_000);
    let wide = format!("{}\n{}\n{}", bars("|a"), bars("|-"), "|b\n".repeat(4_000));
    let view = markdown_kind(&wide);
    let html = to_html(&Html::default().draw(&view));
    for (drawn, most) in [
        (html.as_str(), 200_000),
        (&markdown(&view), 400_000),
        (&coloured(80).draw(&view).text, 400_000),
    ] {
        assert!(drawn.len() < most, "{} bytes", drawn.len());
        assert!(drawn.contains("19,940 more columns"));
    }
    let tall = markdown_kind(&format!("|a|\n|-|\n{}", "|b|\n".repeat(4_000)));
    assert!(markdown(&tall).contains("3000 more rows"));
    // The cells of a short row keep their positions.
    let short = to_html(&Html::default().draw(&markdown_kind("|a|b|c|\n|-|-|-|\n||x|\n|y|")));
    let rows: Vec<&str> = short.split("<tr>").skip(2).collect();
    assert_eq!(
        (
            rows[0].matches("<td").count(),
            rows[1].matches("<td").count()
        ),
        (2, 1),
        "{short}"
    );
}

#[test]
fn names_of_fields_and_actions_cannot_reach_the_forms_own_properties() {
    let tree = json!({"type": "Card", "asForm": true, "children": [
        {"type": "Input", "name": "action"}, {"type": "Input", "name": "submit\" formaction=\"x"},
        {"type": "Button", "label": "Go", "onClickAction": {"type": "go", "payload": "secret"}}]});
    let html = to_html(&Html::default().draw(&Lower::default().component(&tree)));
    assert_eq!(violations(&html), Vec::<String>::new());
    assert!(html.contains("name=\"f:action\"") && !html.contains("name=\"action\""));
    assert!(!html.contains("secret"));
}

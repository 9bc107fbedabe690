//! Nothing a plugin sends becomes markup: HTML read back by a browser's parser has only the
//! elements and attributes of the allow-list, and addresses that may be followed.

use super::fixtures::{self, HOSTILE};
use footlight_render::filter::clean;
use footlight_render::html::Html;
use footlight_render::lower::Lower;
use footlight_render::markdown::markdown;
use footlight_render::markup::{Flag, Number, Tag, Word, Words, to_html, to_json};
use footlight_render::page::Page;
use footlight_render::view::{Address, View};
use footlight_vocabulary::result::SemanticResult;
use proptest::prelude::*;
use scraper::{Html as Parsed, Node};
use serde_json::{Value, json};

/// What is wrong with some HTML; nothing if it is safe.
pub(crate) fn wrong(html: &str) -> Vec<String> {
    let mut names: Vec<&str> = vec![
        "class", "name", "href", "rel", "target", "src", "d", "points", "viewBox",
    ];
    names.extend(Word::ALL.iter().map(|name| name.name()));
    names.extend(Words::ALL.iter().map(|name| name.name()));
    names.extend(Flag::ALL.iter().map(|name| name.name()));
    names.extend(Number::ALL.iter().map(|name| name.name()));
    let mut found = Vec::new();
    let mut say = |what: String| found.push(what);
    let parsed = Parsed::parse_fragment(html);
    for node in parsed.tree.nodes() {
        match node.value() {
            Node::Element(element) => {
                let name = element.name();
                if !["html", "body"].contains(&name)
                    && !Tag::ALL.iter().any(|tag| tag.name() == name)
                {
                    say(format!("element {name}"));
                }
                for (attribute, value) in element.attrs() {
                    if !names.contains(&attribute) {
                        say(format!("attribute {attribute} of {name}"));
                    }
                    let own = value
                        .strip_prefix("/api/outputs/")
                        .is_some_and(footlight_vocabulary::item::is_output_id);
                    let safe = match attribute {
                        "href" => own || Address::parse(value).is_some(),
                        "src" => own || value.starts_with("data:image/png;base64,"),
                        "class" => value.split(' ').all(|class| {
                            let ours = class.starts_with("fl-") || class.starts_with("hl-");
                            ours && class
                                .bytes()
                                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
                        }),
                        "name" => value.starts_with("f:"),
                        _ => true,
                    };
                    if !safe {
                        say(format!("{attribute}={value:?}"));
                    }
                    if clean(value) != value {
                        say(format!("{attribute} is not clean: {value:?}"));
                    }
                }
            }
            Node::Text(text) if clean(text) != **text => {
                say(format!("text is not clean: {text:?}"))
            }
            Node::Comment(_) | Node::Doctype(_) | Node::ProcessingInstruction(_) => {
                say("a comment".to_owned())
            }
            _ => {}
        }
    }
    found
}

/// The text of HTML as a browser sees it.
fn text_of(html: &str) -> String {
    Parsed::parse_fragment(html).root_element().text().collect()
}

#[test]
fn every_fixture_is_within_the_allow_list() {
    // R-16
    for (name, given) in fixtures::all() {
        for (how, given) in [("", given.clone()), ("hostile ", given.hostile())] {
            let view = given.view();
            for html in [
                Html::default(),
                Html::default().inert(),
                Html::default().split(),
            ] {
                let drawn = to_html(&html.draw(&view));
                assert_eq!(wrong(&drawn), Vec::<String>::new(), "{how}{name}");
            }
        }
    }
}

#[test]
fn a_hostile_string_is_still_there_to_be_read() {
    let view = View::text(HOSTILE);
    let shown = text_of(&to_html(&Html::default().draw(&view)));
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(letters(&shown), letters(&clean(HOSTILE)));
}

#[test]
fn html_and_json_are_the_same_tree() {
    fn built(node: &Value) -> String {
        match node {
            Value::String(text) => text.clone(),
            node => node["children"]
                .as_array()
                .map_or(String::new(), |list| list.iter().map(built).collect()),
        }
    }
    for (name, given) in fixtures::all() {
        let nodes = Html::default().draw(&given.hostile().view());
        let json = to_json(&nodes);
        let text: String = json.as_array().expect("a list").iter().map(built).collect();
        assert_eq!(text_of(&to_html(&nodes)), text, "{name}");
    }
}

#[test]
fn no_markdown_of_a_fixture_has_html_in_it() {
    for (name, given) in fixtures::all() {
        for given in [given.clone(), given.hostile()] {
            let written = markdown(&given.view());
            let options = pulldown_cmark::Options::ENABLE_TABLES
                | pulldown_cmark::Options::ENABLE_STRIKETHROUGH;
            for event in pulldown_cmark::Parser::new_ext(&written, options) {
                use pulldown_cmark::{Event, Tag};
                match event {
                    Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Image { .. }) => {
                        panic!("{name}: {event:?} in {written}")
                    }
                    Event::Start(Tag::Link { dest_url, .. }) => {
                        assert!(Address::parse(&dest_url).is_some(), "{name}: {dest_url}");
                    }
                    _ => {}
                }
            }
            assert_eq!(clean(&written), written.as_str(), "{name}");
        }
    }
}

#[test]
fn an_export_loads_and_runs_nothing() {
    let views: Vec<View> = fixtures::all()
        .iter()
        .map(|(_, given)| given.hostile().view())
        .collect();
    let file = Page::new(HOSTILE)
        .said(HOSTILE)
        .heading(HOSTILE)
        .views(&views)
        .into_html();
    let document = Parsed::parse_document(&file);
    let count = |selector: &str| {
        let selector = scraper::Selector::parse(selector).expect("a selector");
        document.select(&selector).count()
    };
    assert_eq!(
        count(
            "script, iframe, link, object, embed, form, base, img[src^=http], [onclick], [style]"
        ),
        0
    );
    assert_eq!(
        (
            count("style"),
            count("meta[http-equiv]"),
            count("head > title")
        ),
        (1, 1, 1)
    );
    assert_eq!(count("button:not([disabled]), a[href^='/']"), 0);
    let body = file
        .split_once("<body>")
        .expect("a body")
        .1
        .split_once("</body>")
        .expect("its end")
        .0;
    assert_eq!(wrong(body.trim()), Vec::<String>::new());
}

/// Any JSON, with words in it that mean something to us.
fn anything() -> impl Strategy<Value = Value> {
    let word = proptest::sample::select(vec![
        HOSTILE,
        "",
        "x",
        "rows",
        "Card",
        "Text",
        "table",
        "javascript:alert(1)",
        "https://example.org",
        "2026-11-16",
        "true",
        "line",
        "base64",
        "\u{0}",
        "data:image/png;base64,AAAA",
        "/api/outputs/out_1_aaaaaa",
        "```",
        "\u{1b}[31m",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    let key = proptest::sample::select(vec![
        "content",
        "columns",
        "rows",
        "key",
        "label",
        "type",
        "align",
        "path",
        "entries",
        "name",
        "size",
        "modified",
        "url",
        "base64",
        "alt",
        "facts",
        "value",
        "items",
        "text",
        "detail",
        "lines",
        "time",
        "level",
        "x",
        "series",
        "title",
        "original",
        "modified",
        "hunks",
        "oldStart",
        "oldLines",
        "newStart",
        "newLines",
        "isNew",
        "children",
        "data",
        "kind",
        "status",
        "options",
        "fieldName",
        "src",
        "max",
        "color",
        "language",
        "encoding",
        "truncated",
        "__proto__",
    ]);
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            proptest::collection::vec((key.clone(), inner), 0..6).prop_map(|members| members
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()),
        ]
    })
}

/// JSON in the shape of a known kind's data, more or less.
fn nearly(kind: &str, any: &Value, other: &Value) -> Value {
    match kind {
        "text" | "markdown" | "code" => json!({"content": any, "language": other}),
        "table" => json!({"columns": [{"key": "k", "label": other}], "rows": [any, {"k": any}]}),
        "diff" => json!({"path": "p", "original": any, "modified": other}),
        "chart" => {
            json!({"type": "bar", "x": {"key": "k"}, "series": [{"key": "v"}], "rows": [{"k": other, "v": any}]})
        }
        "facts" => json!({"facts": [{"label": "l", "value": any, "type": other}]}),
        "list" => json!({"items": [{"text": "t", "detail": other, "url": any}]}),
        "log" => json!({"lines": [{"text": "t", "time": other, "level": any}]}),
        "image" => json!({"url": any, "base64": other}),
        "link" => json!({"url": any, "title": other}),
        "file_list" => json!({"path": any, "entries": [{"name": "n", "type": other, "size": any}]}),
        "file_content" => json!({"path": other, "content": any, "size": any}),
        _ => any.clone(),
    }
}

const KINDS: &[&str] = &[
    "text",
    "markdown",
    "code",
    "diff",
    "file_content",
    "file_list",
    "table",
    "image",
    "structured",
    "chart",
    "facts",
    "list",
    "log",
    "link",
    "acme.other",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_json_in_any_kind_draws_and_stays_text(
        kind in proptest::sample::select(KINDS), any in anything(), other in anything(), shaped in any::<bool>(),
        display in anything(), mime in proptest::option::of("(text/(plain|markdown|html)|image/(png|svg\\+xml)|application/json|\\PC{0,8})"),
        summary in proptest::option::of("\\PC{0,20}"),
    ) {
        // R-16, R-33
        let data = if shaped { nearly(kind, &any, &other) } else { any };
        let mut result = json!({"kind": kind, "data": data, "display": display});
        if let Some(mime) = mime {
            result["mimeType"] = mime.into();
        }
        if let Some(summary) = summary {
            result["summary"] = summary.into();
        }
        let result: SemanticResult = serde_json::from_value(result).expect("a result");
        let view = Lower::default().result(&result);
        let html = to_html(&Html::default().draw(&view));
        prop_assert_eq!(wrong(&html), Vec::<String>::new(), "{}", html);
        let written = markdown(&view);
        prop_assert_eq!(clean(&written), written.as_str());
    }

    #[test]
    fn any_json_as_a_component_draws_and_stays_text(
        kind in proptest::sample::select(footlight_vocabulary::component::COMPONENTS.iter().map(|spec| spec.name).collect::<Vec<_>>()),
        props in proptest::collection::btree_map(
            proptest::sample::select(vec!["value", "label", "name", "options", "src", "alt", "color", "status", "children", "data",
                "series", "xAxis", "max", "size", "confirm", "onClickAction", "fieldName", "editable", "limit", "colSpan"]),
            anything(), 0..6),
    ) {
        // K: a tree that cannot be shown is a notice, never a failure.
        let mut node = json!({"type": kind});
        for (name, value) in props {
            node[name] = value;
        }
        let tree = json!({"type": "Card", "children": [node]});
        let view = Lower::default().component(&tree);
        let html = to_html(&Html::default().draw(&view));
        prop_assert_eq!(wrong(&html), Vec::<String>::new(), "{}", html);
        let _ = markdown(&view);
    }
}

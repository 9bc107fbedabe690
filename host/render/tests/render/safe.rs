//! No string of a plugin becomes markup: parsed by an HTML parser, the output contains only
//! allow-listed elements and attributes, and addresses that may be followed.

use super::fixtures::{self, HOSTILE};
use footlight_render::filter::clean;
use footlight_render::html::Html;
use footlight_render::markdown::markdown;
use footlight_render::markup::{Flag, Keyword, Number, Tag, TextAttr, to_html, to_json};
use footlight_render::page::Page;
use footlight_render::view::{Address, View};
use scraper::{Html as Parsed, Node};
use serde_json::Value;

/// Returns the violations of the allow-list in some HTML; empty if it is safe.
pub(crate) fn wrong(html: &str) -> Vec<String> {
    let mut names: Vec<&str> = vec![
        "class", "name", "href", "rel", "target", "src", "d", "points", "viewBox",
    ];
    names.extend(Keyword::ALL.iter().map(|name| name.name()));
    names.extend(TextAttr::ALL.iter().map(|name| name.name()));
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

/// Returns the text of HTML as a browser displays it.
fn text_of(html: &str) -> String {
    Parsed::parse_fragment(html).root_element().text().collect()
}

#[test]
fn every_fixture_is_within_the_allow_list() {
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

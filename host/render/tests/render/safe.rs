//! No string of a plugin becomes markup: parsed by an HTML parser, the output contains only
//! allow-listed elements and attributes, and addresses that may be followed.

use super::allow_list::violations;
use super::fixtures::{self, HOSTILE};
use footlight_render::filter::clean;
use footlight_render::html::Html;
use footlight_render::markdown::markdown;
use footlight_render::markup::{to_html, to_json};
use footlight_render::page::Page;
use footlight_render::view::{Address, View};
use scraper::Html as Parsed;
use serde_json::Value;

/// Returns the text of HTML as a browser displays it.
fn text_of(html: &str) -> String {
    Parsed::parse_fragment(html).root_element().text().collect()
}

#[test]
fn every_fixture_is_within_the_allow_list() {
    for (name, given) in fixtures::all() {
        for (how, given) in [("", given.clone()), ("hostile ", given.hostile())] {
            let view = given.view();
            for html in [Html::default(), Html::default().inert()] {
                let drawn = to_html(&html.draw(&view));
                assert_eq!(violations(&drawn), Vec::<String>::new(), "{how}{name}");
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
    assert_eq!(violations(body.trim()), Vec::<String>::new());
}

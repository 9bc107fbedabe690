//! Tests of accessibility and of the hints that reach the page.

use super::fixtures::{self, Given};
use footlight_render::html::Html;
use footlight_render::markup::to_html;
use scraper::{ElementRef, Html as Parsed, Selector};

fn parsed(name: &str) -> Parsed {
    Parsed::parse_fragment(&to_html(
        &Html::default().draw(&fixtures::named(name).view()),
    ))
}

fn all<'a>(page: &'a Parsed, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).expect("a selector"))
        .collect()
}

#[test]
fn every_head_of_a_column_has_its_scope() {
    for (name, given) in fixtures::all() {
        let page = Parsed::parse_fragment(&to_html(&Html::default().draw(&given.view())));
        let heads = all(&page, "th");
        assert!(
            heads.iter().all(|head| head.attr("scope") == Some("col")),
            "{name}"
        );
    }
    assert_eq!(all(&parsed("table"), "th").len(), 5);
}

#[test]
fn a_chart_has_a_title_and_its_numbers() {
    for name in [
        "chart_bar",
        "chart_line",
        "chart_area",
        "chart_scatter",
        "chart_pie",
        "component_chart",
    ] {
        let page = parsed(name);
        let svg = all(&page, "svg");
        assert_eq!(svg.len(), 1, "{name}");
        assert_eq!(svg[0].attr("role"), Some("img"), "{name}");
        assert!(
            svg[0]
                .attr("aria-label")
                .is_some_and(|label| !label.is_empty()),
            "{name}"
        );
        assert!(!all(&page, "svg > title").is_empty(), "{name}");
        assert!(!all(&page, "details table td").is_empty(), "{name}");
    }
}

#[test]
fn every_field_and_button_and_picture_has_a_name() {
    for (name, given) in fixtures::all() {
        let page = Parsed::parse_fragment(&to_html(&Html::default().draw(&given.view())));
        for control in all(&page, "input, select, textarea") {
            let labelled = control
                .ancestors()
                .filter_map(ElementRef::wrap)
                .any(|above| above.value().name() == "label");
            assert!(
                labelled || control.attr("aria-label").is_some(),
                "{name}: {}",
                control.html()
            );
        }
        for button in all(&page, "button") {
            let text: String = button.text().collect();
            assert!(
                !text.trim().is_empty() || button.attr("aria-label").is_some(),
                "{name}: {}",
                button.html()
            );
        }
        for image in all(&page, "img") {
            assert!(
                image.attr("alt").is_some_and(|alt| !alt.is_empty()),
                "{name}"
            );
        }
    }
}

#[test]
fn the_hints_reach_the_page() {
    let page = parsed("table");
    let result = all(&page, "[data-kind=table]")[0];
    assert_eq!(result.attr("data-priority"), Some("2"));
    assert_eq!(all(&page, "[data-max-height='12']").len(), 1);
    let page = parsed("collapsed");
    assert_eq!(all(&page, "details.fl-result:not([open])").len(), 1);
    assert_eq!(
        all(&parsed("code"), "code[data-language=rust] .hl-keyword").len(),
        1
    );
}

#[test]
fn a_tree_folds() {
    assert!(all(&parsed("structured"), ".fl-tree details[open] > summary").len() >= 2);
}

#[test]
fn what_can_be_pressed_carries_its_place_and_never_its_payload() {
    let page = parsed("card");
    let paths: Vec<_> = all(&page, "[data-press]")
        .iter()
        .filter_map(|button| button.attr("data-press"))
        .collect();
    assert_eq!(paths, ["confirm.action", "cancel.action"]);
    assert!(!page.html().contains("secret"));
    let numbers: Vec<_> = all(&page, "[data-number]")
        .iter()
        .filter_map(|button| button.attr("data-number"))
        .collect();
    assert_eq!(numbers, ["1", "2"]);
}

#[test]
fn a_secret_is_never_filled_in() {
    for name in ["form", "question_fields"] {
        let page = parsed(name);
        let secrets = all(&page, "input[type=password]");
        assert_eq!(secrets.len(), 1, "{name}");
        assert_eq!(secrets[0].attr("value"), None, "{name}");
    }
}

#[test]
fn a_hidden_result_draws_nothing_at_all() {
    assert_eq!(
        to_html(&Html::default().draw(&fixtures::named("hidden").view())),
        ""
    );
}

#[test]
fn highlighting_stops_when_its_budget_is_used_up() {
    let code = |n: usize| {
        let text = format!("let x = {n};\n").repeat(2_000);
        let result =
            serde_json::json!({"kind": "code", "data": {"content": text, "language": "rust"}});
        Given::Result(result).view()
    };
    let views = [code(1), code(2), code(3), code(4)];
    let page = Parsed::parse_fragment(&to_html(&Html::default().draw_all(&views)));
    let coloured = all(&page, "code")
        .iter()
        .filter(|code| code.html().contains("hl-keyword"))
        .count();
    assert_eq!((all(&page, "code").len(), coloured), (4, 2));
}

#[test]
fn a_picture_stands_in_the_text_and_code_has_its_colours() {
    let given = Given::Result(serde_json::json!({"kind": "markdown", "data": {"content":
        format!("Look:\n\n![a dot](data:image/png;base64,{})\n\n```rust\nlet x = 1;\n```", fixtures::PNG)}}));
    let page = Parsed::parse_fragment(&to_html(&Html::default().draw(&given.view())));
    let pictures = all(&page, "img[alt='a dot']");
    assert_eq!(pictures.len(), 1);
    let source = pictures[0].attr("src");
    assert!(source.is_some_and(|source| source.starts_with("data:image/png;base64,")));
    let coloured = all(&page, "code .hl-keyword");
    assert_eq!(coloured[0].inner_html(), "let");
}

//! Behaviour that is promised for results and widgets on every surface.
//!
//! `tests/promises/table.md` refers to these tests; the behaviour of a single surface is tested
//! beside it.

use super::fixtures::{self, PNG};
use footlight_render::html::Html;
use footlight_render::lower::{Lower, WidgetRef};
use footlight_render::markdown::markdown;
use footlight_render::markup::to_html;
use footlight_render::registry::Registry;
use footlight_render::terminal::Terminal;
use footlight_render::view::View;
use footlight_vocabulary::component::COMPONENTS;
use footlight_vocabulary::item::Item;
use footlight_vocabulary::normalise::normalise;
use footlight_vocabulary::result::SemanticResult;
use serde_json::{Value, json};

/// Renders a view on each surface: terminal, HTML, Markdown.
pub(crate) fn everywhere(view: &View) -> [(&'static str, String); 3] {
    [
        ("terminal", Terminal::new(80).draw(view).text),
        ("HTML", to_html(&Html::default().draw(view))),
        ("Markdown", markdown(view)),
    ]
}

fn read(value: Value) -> SemanticResult {
    serde_json::from_value(value).expect("a result")
}

fn result(value: Value) -> View {
    Lower::default().result(&read(value))
}

fn item(content: Value) -> Item {
    let mut item = json!({"id": "x_1", "position": {"turn": 1, "step": 1, "call": 1, "n": 0}, "start": "2026-11-16T05:06:07.000Z"});
    let members = content.as_object().expect("an object").clone();
    item.as_object_mut().expect("an object").extend(members);
    serde_json::from_value(item).expect("an item")
}

#[test]
fn the_summary_is_on_every_surface_whatever_the_kind() {
    let kinds = ["table", "facts", "acme.x", "structured", "chart", "image"];
    for kind in kinds {
        for data in [Value::Null, json!({"a": 1}), json!([])] {
            let view = result(json!({"kind": kind, "data": data, "summary": "Three ships"}));
            for (surface, text) in everywhere(&view) {
                assert!(text.contains("Three ships"), "{kind} on {surface}: {text}");
            }
        }
    }
}

#[test]
fn a_picture_is_words_where_there_are_only_words() {
    for data in [
        json!({"base64": PNG, "alt": "a hill"}),
        json!({"url": format!("data:image/png;base64,{PNG}"), "alt": "a hill"}),
    ] {
        let view = result(json!({"kind": "image", "mimeType": "image/png", "data": data}));
        for (surface, text) in everywhere(&view) {
            assert!(text.contains("a hill"), "{surface}: {text}");
            assert_eq!(text.contains("iVBORw0KGgo"), surface == "HTML", "{text}");
        }
    }
    let far = json!({"kind": "image", "mimeType": "image/png", "data": {"url": "https://example.org/hill.png"}});
    for (surface, text) in everywhere(&result(far)) {
        assert!(
            text.contains("https://example.org/hill.png"),
            "{surface}: {text}"
        );
        assert!(!text.contains("<img"), "nothing is loaded: {text}");
    }
}

#[test]
fn the_same_result_is_drawn_by_every_surface_in_its_own_way() {
    let table = json!({"kind": "table", "data": {"columns": [{"key": "city", "label": "City"}, {"key": "rain", "align": "right"}],
        "rows": [{"city": "Oslo", "rain": 3}, {"city": "Bergen"}]}});
    let [terminal, html, markdown] = everywhere(&result(table)).map(|(_, text)| text);
    assert_eq!(
        terminal,
        "City    rain\n──────  ────\nOslo       3\nBergen\n"
    );
    assert_eq!(
        markdown,
        "| City | rain |\n| --- | --: |\n| Oslo | 3 |\n| Bergen | |"
    );
    assert!(html.contains("<th class=\"fl-align-start\" scope=\"col\" dir=\"auto\">City</th>"));
    assert!(html.contains("<td class=\"fl-align-end\" dir=\"auto\">3</td>"));
}

#[test]
fn what_is_long_is_cut_with_an_exact_count_on_every_surface() {
    for (data, count) in [
        (
            json!({"kind": "table", "data": {"columns": [{"key": "n"}], "rows": vec![json!({"n": 1}); 1_234]}}),
            "234 more rows",
        ),
        (
            json!({"kind": "text", "data": {"content": "x\n".repeat(5_007)}}),
            "7 more lines",
        ),
        (
            json!({"kind": "list", "data": {"items": vec![json!({"text": "x"}); 1_001]}}),
            "1 more item",
        ),
        (
            json!({"kind": "acme.x", "data": vec![0; 2_100], "display": {"preferredView": "tree"}}),
            "100 more values",
        ),
    ] {
        for (surface, text) in everywhere(&result(data)) {
            assert!(text.contains(count), "{count} on {surface}");
        }
    }
    // Only the drawing is truncated: the result itself is unchanged.
    let whole = read(json!({"kind": "text", "data": {"content": "x".repeat(300_000)}}));
    let before = whole.clone();
    let _ = Lower::default().result(&whole);
    assert_eq!(whole, before);
}

#[test]
fn a_hundred_thousand_rows_take_no_more_than_two_thousand() {
    let sizes = |rows: usize| {
        let row = |n: usize| json!({"n": n, "name": "always as long"});
        let rows: Vec<Value> = (0..rows).map(row).collect();
        let columns = json!([{"key": "n"}, {"key": "name"}]);
        let view = result(json!({"kind": "table", "data": {"columns": columns, "rows": rows}}));
        let size = format!("{view:?}").len();
        (
            size,
            everywhere(&view).map(|(surface, text)| (surface, text.len())),
        )
    };
    let ((small, few), (large, many)) = (sizes(2_000), sizes(100_000));
    // The outputs differ only in `1,000 more rows` and `98,000 more rows`.
    assert!(large - small < 8, "{small} {large}");
    for ((surface, few), (_, many)) in few.into_iter().zip(many) {
        assert!(many - few < 8, "{surface}: {few} {many}");
    }
}

#[test]
fn a_summary_is_said_in_the_readers_language_where_its_key_is_known() {
    let mut registry = Registry::default();
    registry.summaries(|key, data| match key {
        "ships" => Some(format!("{} Schiffe", data["count"])),
        _ => None,
    });
    let lower = Lower::default().with(&registry);
    let caption = |lower: &Lower<'_>, sent: &Value| match lower.result(&read(sent.clone())) {
        View::Frame(frame) => frame.caption,
        other => panic!("not framed: {other:?}"),
    };
    let ships = |kind: &str, key: &str| json!({"kind": kind, "data": {"count": 3}, "summary": "3 ships", "summaryKey": key});
    for kind in ["acme.fleet", "structured"] {
        let known = ships(kind, "ships");
        assert_eq!(caption(&lower, &known).as_deref(), Some("3 Schiffe"));
        let unknown = ships(kind, "boats");
        assert_eq!(caption(&lower, &unknown).as_deref(), Some("3 ships"));
        assert_eq!(
            caption(&Lower::default(), &known).as_deref(),
            Some("3 ships")
        );
    }
    // Without a summary, the key is sufficient.
    let bare = json!({"kind": "structured", "data": {"count": 1}, "summaryKey": "ships"});
    assert_eq!(caption(&lower, &bare).as_deref(), Some("1 Schiffe"));
}

#[test]
fn several_results_in_one_are_drawn_one_by_one_on_every_surface() {
    let both = json!({"kind": "structured", "data": [
        {"kind": "table", "data": {"columns": [{"key": "a", "label": "Alpha"}], "rows": [{"a": 1}]}},
        {"kind": "markdown", "data": {"content": "*Beta*"}},
        {"kind": "text", "data": {"content": "Gamma"}, "display": {"preferredView": "hidden"}}]});
    for (surface, text) in everywhere(&result(both)) {
        assert!(
            text.contains("Alpha") && text.contains("Beta"),
            "{surface}: {text}"
        );
        assert!(
            !text.contains("Gamma") && !text.contains("\"kind\""),
            "{surface}: {text}"
        );
    }
}

#[test]
fn results_of_older_tools_are_drawn_like_those_of_newer_ones() {
    let old_and_new = [
        (
            json!({"kind": "diff", "path": "a", "original": "x\n", "modified": "y\n"}),
            json!({"kind": "diff", "data": {"path": "a", "original": "x\n", "modified": "y\n"}}),
        ),
        (
            json!("words"),
            json!({"kind": "text", "data": {"content": "words"}}),
        ),
        (
            json!({"a": 1}),
            json!({"kind": "structured", "data": {"a": 1}}),
        ),
    ];
    for (old, new) in old_and_new {
        let old = normalise(old).expect("a result");
        assert_eq!(Lower::default().result(&old), result(new));
    }
}

#[test]
fn a_widget_is_drawn_by_its_renderer_its_view_or_its_fallback_and_is_never_blank() {
    let mut registry = Registry::default();
    registry.widget("clock", |data| data["time"].as_str().map(View::text));
    let view = json!({"type": "Card", "children": [{"type": "Text", "value": "from its view"}]});
    let broken = json!({"type": "Card", "children": 7});
    for (widget, data, view, invalid_data, expected) in [
        ("clock", json!({"time": "noon"}), Some(&view), false, "noon"),
        (
            "clock",
            json!({"time": "noon"}),
            Some(&view),
            true,
            "in words",
        ),
        ("clock", json!(7), Some(&view), false, "from its view"),
        ("clock", json!(7), None, false, "in words"),
        ("unheard", json!({}), Some(&view), false, "from its view"),
        ("unheard", json!({}), Some(&view), true, "in words"),
        ("unheard", json!({}), Some(&broken), false, "in words"),
        ("unheard", json!({}), None, false, "in words"),
    ] {
        let drawn = Lower::default().with(&registry).widget(WidgetRef {
            from: Some("zeit"),
            widget,
            data: &data,
            fallback: "in words",
            view,
            invalid_data,
        });
        for (surface, text) in everywhere(&drawn) {
            for words in ["noon", "from its view", "in words"] {
                assert_eq!(
                    text.contains(words),
                    words == expected,
                    "{widget} {data} on {surface}: {text}"
                );
            }
        }
    }
    let nothing = Lower::default().widget(WidgetRef {
        from: None,
        widget: "unheard",
        data: &Value::Null,
        fallback: " \n",
        view: None,
        invalid_data: false,
    });
    for (surface, text) in everywhere(&nothing) {
        assert!(text.contains("unheard"), "{surface}: {text}");
    }
}

#[test]
fn a_record_without_its_widgets_is_still_a_whole_answer() {
    let items = [
        item(
            json!({"type": "tool", "id": "call_1", "function": "weather.now", "input": {"city": "Oslo"},
            "result": {"type": "success", "output": {"kind": "text", "data": {"content": "3 mm of rain"}}}}),
        ),
        item(
            json!({"type": "widget", "id": "wid_1", "call": "call_1", "widget": "w", "data": null, "fallback": "a picture of rain"}),
        ),
        item(json!({"type": "text", "id": "txt_1", "text": "Take an umbrella."})),
    ];
    let ignoring: Vec<Item> = items
        .into_iter()
        .filter(|item| item.id.as_str() != "wid_1")
        .collect();
    let views = Lower::default().items(&ignoring);
    assert_eq!(views.len(), 2);
    for (surface, text) in everywhere(&View::column(views)) {
        for words in ["3 mm of rain", "Take an umbrella."] {
            assert!(text.contains(words), "{surface}: {text}");
        }
    }
}

#[test]
fn an_unknown_type_of_item_is_never_an_empty_place() {
    for (content, words) in [
        (
            json!({"type": "hologram", "fallback": "a ship in blue"}),
            "a ship in blue",
        ),
        (
            json!({"type": "hologram", "text": "a ship in blue"}),
            "a ship in blue",
        ),
        (json!({"type": "hologram", "depth": 7}), "hologram"),
        (json!({"type": "hologram", "fallback": ""}), "hologram"),
    ] {
        for (surface, text) in everywhere(&Lower::default().item(&item(content))) {
            assert!(text.contains(words), "{surface}: {text}");
        }
    }
}

/// Returns a component of this type with visible content.
fn filled(kind: &str) -> Value {
    let text = json!({"type": "Text", "value": "Seen"});
    let mut node = json!({"type": kind, "value": "Seen", "label": "Seen", "alt": "Seen", "name": "Seen",
        "options": [{"value": "v", "label": "Seen"}], "src": "https://example.org/x.png", "fieldName": "f",
        "data": [{"a": "Seen", "b": 1}], "series": [{"type": "bar", "dataKey": "b"}], "xAxis": "a"});
    node["children"] = match kind {
        "ListView" => json!([{"type": "ListViewItem", "children": [text]}]),
        "Table" => {
            json!([{"type": "Table.Row", "children": [{"type": "Table.Cell", "children": [text]}]}])
        }
        "Table.Row" => json!([{"type": "Table.Cell", "children": [text]}]),
        "Transition" => text,
        _ => json!([text]),
    };
    if kind == "Progress" {
        node["value"] = json!(1);
    }
    if kind == "Icon" {
        node["name"] = json!("check");
    }
    node
}

#[test]
fn every_component_is_drawn_on_every_surface() {
    for spec in COMPONENTS {
        let tree = json!({"type": "Basic", "children": [filled(spec.name)]});
        let view = Lower::default().component(&tree);
        for (surface, text) in everywhere(&view) {
            let words = match (spec.name, surface) {
                ("Icon", "HTML") => "aria-label=\"check\"",
                ("Icon", _) => "✓",
                ("Divider", "terminal") => "───",
                ("Divider", "HTML") => "<hr",
                ("Divider", _) => "---",
                // A spacer has no visible content.
                ("Spacer", "HTML") => "fl-space",
                ("Spacer", _) => "",
                _ => "Seen",
            };
            assert!(text.contains(words), "{} on {surface}: {text}", spec.name);
        }
    }
}

#[test]
fn every_kind_has_a_fixture_and_something_to_see_on_every_surface() {
    let fixtures = fixtures::all();
    for kind in footlight_vocabulary::kind::WELL_KNOWN {
        let mut of_kind = fixtures.iter().filter(
            |(_, given)| matches!(given, fixtures::Given::Result(value) if value["kind"] == *kind),
        );
        let (name, given) = of_kind.next().unwrap_or_else(|| panic!("no {kind}"));
        for (surface, text) in everywhere(&given.view()) {
            assert!(!text.trim().is_empty(), "{name} on {surface}");
        }
    }
}

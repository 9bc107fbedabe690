//! Tests of the tools on a scripted stage, which makes the same checks as a host.

use crate::asks;
use crate::data::{Show, With, hostile};
use crate::{FootlightPlugin, components, controls};
use footlight_sdk::display::View;
use footlight_sdk::question::Control;
use footlight_sdk::testing::{self, Stage, Value, json};
use footlight_sdk::ui::ROOTS;
use footlight_sdk::{Outcome, ToolDescription};
use std::collections::BTreeSet;

const EVERY: [With; 8] = [
    With::Ordinary,
    With::Empty,
    With::Huge,
    With::Wide,
    With::Rtl,
    With::Cjk,
    With::Emoji,
    With::Hostile,
];

fn tools() -> Vec<ToolDescription> {
    testing::describe::<FootlightPlugin>().tools
}

/// Returns the tools that the model can call, except `malformed`, which has its own test.
fn drawing() -> Vec<String> {
    let own = tools().into_iter().filter(|tool| !is_pressed(tool));
    own.map(|tool| tool.name)
        .filter(|name| name != "malformed")
        .collect()
}

fn is_pressed(tool: &ToolDescription) -> bool {
    tool.traits.contains(r#""audience":["user"]"#)
}

/// Returns a stage that answers what this tool asks.
fn stage(tool: &str, with: With) -> Stage {
    let stage = testing::stage();
    let prompt = asks::prompt(with);
    match tool {
        "ask_buttons" | "ask_select" | "ask_radio" | "ask_checkbox" => {
            stage.answers(&prompt, "play0")
        }
        "ask_confirm" => stage.answers(&prompt, "Yes"),
        "ask_number" => stage.answers(&prompt, 3),
        "ask_date" => stage.answers(&prompt, "2026-11-16"),
        "ask_all" => stage.answers(
            &prompt,
            json!({ "play": ["play0"], "name": "Ada", "seats": 2, "sure": "Yes" }),
        ),
        ask if ask.starts_with("ask_") => stage.answers(&prompt, "Ada"),
        "dim" => stage.approves("gallery.dim"),
        // Its data does not fit the declared type, on purpose.
        "unfitting" => stage.unchecked(),
        _ => stage,
    }
}

fn play(tool: &str, with: With) -> (Stage, Outcome) {
    let stage = stage(tool, with);
    let mut input = json!({ "with": with_word(with) });
    if tool == "live" {
        input["pause"] = 0.into();
    }
    let outcome = testing::run::<FootlightPlugin>(&stage, tool, &input.to_string());
    (
        stage,
        outcome.unwrap_or_else(|failure| panic!("{tool} with {with:?}: {failure:?}")),
    )
}

fn with_word(with: With) -> String {
    format!("{with:?}").to_lowercase()
}

#[test]
fn every_tool_works_with_every_kind_of_data() {
    for tool in drawing() {
        for with in EVERY {
            play(&tool, with).0.finish();
        }
    }
}

#[test]
fn every_tool_says_how_to_get_it_and_takes_the_same_argument() {
    for tool in tools() {
        assert!(tool.traits.contains("examples"), "{}", tool.name);
        let schema: Value = serde_json::from_str(&tool.input_schema).expect("JSON");
        let takes = &schema["properties"]["with"];
        assert_eq!(
            takes["default"] == "ordinary",
            !is_pressed(&tool),
            "{}",
            tool.name
        );
    }
}

#[test]
fn every_kind_of_result_is_returned() {
    let kinds: BTreeSet<String> = drawing()
        .iter()
        .map(|tool| play(tool, With::Ordinary).1.kind)
        .collect();
    for kind in [
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
    ] {
        assert!(kinds.contains(kind), "{kind}");
    }
    assert!(kinds.iter().any(|kind| kind.starts_with("gallery.")));
}

#[test]
fn every_hint_is_given() {
    let more: String = drawing()
        .iter()
        .filter_map(|tool| play(tool, With::Ordinary).1.more)
        .collect();
    for view in View::KNOWN {
        assert!(
            more.contains(&format!(r#""preferredView":"{view}""#)),
            "{view}"
        );
    }
    for hint in [
        "language",
        "collapsed",
        "maxHeight",
        "priority",
        "fieldTypes",
    ] {
        assert!(more.contains(&format!("\"{hint}\":")), "{hint}");
    }
}

#[test]
fn every_control_is_asked_with() {
    let mut controls = BTreeSet::new();
    for tool in drawing() {
        for question in play(&tool, With::Ordinary).0.asked() {
            controls.extend(
                question
                    .fields
                    .iter()
                    .map(|field| field.control.to_string()),
            );
        }
    }
    assert_eq!(
        controls.iter().map(String::as_str).collect::<BTreeSet<_>>(),
        Control::KNOWN.iter().copied().collect()
    );
}

/// Collects the types of all components below `node`.
fn types(node: &Value, found: &mut BTreeSet<String>) {
    match node {
        Value::Array(nodes) => nodes.iter().for_each(|node| types(node, found)),
        Value::Object(members) => {
            // An action and a series also have a `type`, but are not components.
            if let Some(kind) = members.get("type").and_then(Value::as_str)
                && kind.starts_with(|first: char| first.is_ascii_uppercase())
            {
                found.insert(kind.to_owned());
            }
            members.values().for_each(|node| types(node, found));
        }
        _ => {}
    }
}

#[test]
fn every_component_is_in_some_view() {
    let mut found = BTreeSet::new();
    let mut roots = BTreeSet::new();
    for tool in drawing() {
        for shown in play(&tool, With::Ordinary).0.shown() {
            let view = shown.view.unwrap_or_default();
            roots.extend(view["type"].as_str().map(str::to_owned));
            types(&view, &mut found);
        }
    }
    assert_eq!(roots.len(), ROOTS.len());
    let wanted = "Badge Basic Box Button Caption Card Chart Checkbox Col DatePicker Divider Form Icon \
        Image Input Label ListView ListViewItem Markdown Progress RadioGroup Row Select Spacer Table \
        Table.Cell Table.Row Text Textarea Title Transition";
    found.remove("Acme.Map");
    assert_eq!(
        found.into_iter().collect::<Vec<_>>().join(" "),
        wanted.split_whitespace().collect::<Vec<_>>().join(" ")
    );
}

#[test]
fn every_output_is_stored() {
    let outputs = play("outputs", With::Ordinary).0.outputs();
    let kinds: Vec<_> = outputs.iter().map(|output| output.kind.as_str()).collect();
    assert_eq!(kinds, ["file", "image", "terminal", "raw"]);
    assert_eq!(outputs[3].content.len(), 64);
}

#[test]
fn every_press_reaches_a_tool_for_the_person() {
    let pressed: BTreeSet<String> = drawing()
        .iter()
        .flat_map(|tool| play(tool, With::Ordinary).0.shown())
        .flat_map(|shown| shown.actions())
        .map(|(tool, _)| tool)
        .collect();
    let for_people: BTreeSet<String> = tools()
        .into_iter()
        .filter(is_pressed)
        .map(|tool| tool.name)
        .collect();
    assert_eq!(pressed, for_people);
}

#[test]
fn a_press_shows_a_new_card_or_fails_after_one_or_shows_nothing() {
    let stage = testing::stage();
    controls::next_act(&stage, 2).expect("goes on");
    assert_eq!(stage.shown()[0].data["act"], 2);
    assert!(controls::fall(&stage).is_err());
    assert_eq!(stage.shown().len(), 2);
    let note = controls::note("louder".into(), Some(true));
    assert_eq!(note.data.content, "\"louder\" is noted and sent.");
}

#[test]
fn a_live_widget_reports_each_step_and_ends_full() {
    let (stage, _) = play("live", With::Ordinary);
    assert_eq!(stage.progress_reports().len(), 8);
    assert_eq!(stage.shown()[0].data, json!({ "done": 4, "total": 4 }));
}

#[test]
fn a_malformed_view_fails_on_the_scripted_stage() {
    let failure = components::malformed(
        &testing::stage(),
        Show {
            with: With::Ordinary,
        },
    )
    .expect_err("refused");
    assert!(
        failure.message().contains("must be a string"),
        "{failure:?}"
    );
}

#[test]
fn the_approval_request_names_its_subject() {
    let (stage, _) = play("dim", With::Ordinary);
    assert_eq!(stage.approval_requests()[0].subject, "Hamlet");
}

#[test]
fn hostile_data_is_hostile() {
    let all = hostile::ATTACKS.concat();
    for sign in [
        '\u{1b}',
        '\u{7}',
        '\u{9b}',
        '\u{202e}',
        '\u{e0041}',
        '\u{200b}',
        '<',
    ] {
        assert!(all.contains(sign), "{sign:?}");
    }
    assert!(hostile::MARKDOWN.contains("javascript:") && hostile::SVG.contains("<script"));
}

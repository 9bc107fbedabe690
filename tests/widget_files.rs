//! Widget files as tools: what a host shows is what ChatKit's own package makes of the same file.

use footlight::vocabulary::failure::FailureCode;
use footlight::vocabulary::item::{Content, Widget};
use footlight::{CallOutcome, Host};
use footlight_tests::scripted_call::{Script, builder, follow};
use footlight_tests::{plugins, programs};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

async fn host() -> Host {
    let host = builder().build().expect("builds");
    host.load(plugins::WIDGET).await.expect("loads");
    host
}

async fn call(host: &Host, tool: &str, input: Value) -> CallOutcome {
    let call = host.call(&format!("{}.{tool}", plugin(host)), input);
    follow(host, call, Script::default()).await.ended
}

/// Returns the id that the host gave the plugin, which has no manifest.
fn plugin(host: &Host) -> String {
    let plugins = host.plugins();
    plugins.first().expect("is loaded").id().to_owned()
}

fn widgets(outcome: &CallOutcome) -> Vec<&Widget> {
    let items = outcome.items.iter();
    items
        .filter_map(|item| match &item.content {
            Content::Widget(widget) => Some(widget),
            _ => None,
        })
        .collect()
}

fn flight(delay: u32, open: bool) -> Value {
    json!({ "number": "SK 417", "from": "Oslo", "to": "Rome", "delay": delay, "open": open })
}

#[tokio::test]
async fn a_widget_file_is_a_tool_whose_card_the_person_sees() {
    let host = host().await;
    let outcome = call(&host, "flight", flight(20, true)).await;
    let returned = outcome.result.as_ref().expect("succeeds");
    assert_eq!(returned.data, json!({ "displayed": true }));
    let shown = widgets(&outcome);
    assert_eq!(shown.len(), 1);
    assert!(shown[0].fallback.contains("20 min late"));
    let view = shown[0].view.as_ref().expect("has a view");
    assert_eq!(view["children"][2]["onClickAction"]["type"], "board");
}

#[tokio::test]
async fn an_input_that_the_schema_of_the_file_refuses_shows_nothing() {
    let host = host().await;
    for input in [
        json!({}),
        json!({ "day": "today", "items": [] }),
        json!({ "day": "2026-05-04", "items": [7] }),
    ] {
        let outcome = call(&host, "agenda", input).await;
        let failure = outcome.result.as_ref().expect_err("does not fit");
        assert_eq!(failure.code, FailureCode::InvalidInput);
        assert!(widgets(&outcome).is_empty());
    }
}

#[tokio::test]
async fn a_filled_widget_file_is_what_chatkit_makes_of_it() {
    let remedy = "see .ci/run for the packages that it needs";
    let Some(python) = programs::program("chatkit-python", remedy) else {
        return;
    };
    let item = |title: &str, minutes: Value| json!({ "id": "a", "title": title, "minutes": minutes, "place": "Hall 2" });
    let hostile = "\"},{\"type\":\"Image\" </script> {{ 7 * 7 }} {% endfor %} \u{202e}\u{2028} é \u{1F600} \\u0041 '&<>\n\t";
    let bare = json!({ "id": "b", "title": "", "minutes": 0.1 });
    let agenda = |items: Value| json!({ "day": "2026-05-04", "items": items });
    let cases = [
        ("flight", flight(0, false)),
        ("flight", flight(20, true)),
        (
            "flight",
            json!({ "number": hostile, "from": hostile, "to": "", "delay": 1, "open": true }),
        ),
        ("agenda", agenda(json!([]))),
        (
            "agenda",
            agenda(json!([
                item("Opening", json!(30)),
                bare,
                item(hostile, json!(1e3))
            ])),
        ),
    ];
    let host = host().await;
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("widget-guest/widgets");
    let (mut asked, mut ours) = (Vec::new(), Vec::new());
    for (tool, input) in cases {
        let outcome = call(&host, tool, input.clone()).await;
        let shown = widgets(&outcome);
        ours.push(
            shown
                .first()
                .and_then(|shown| shown.view.clone())
                .unwrap_or_default(),
        );
        asked.push(json!({ "file": files.join(tool).with_extension("widget"), "input": input }));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let list = folder.path().join("cases.json");
    std::fs::write(&list, Value::from(asked).to_string()).expect("writable");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("widget_files/build.py");
    let built = Command::new(python).arg(script).arg(list).output();
    let built = built.expect("runs");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let theirs: Vec<Value> = serde_json::from_slice(&built.stdout).expect("trees");
    assert_eq!(ours, theirs);
}

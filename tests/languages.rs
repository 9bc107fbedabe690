//! The same plugin in Rust, Python and JavaScript: equal inputs give equal records, drawn alike on every surface.
//!
//! Needs `componentize-py` from PyPI and `@bytecodealliance/componentize-js` from npm.

use crate::gallery::timeless;
use footlight::vocabulary::item::{Content, Item, Verdict};
use footlight::{CallOutcome, Host};
use footlight_render::html::Html;
use footlight_render::lower::Lower;
use footlight_render::markdown::markdown_all;
use footlight_render::markup::to_html;
use footlight_render::terminal::Terminal;
use footlight_tests::languages::Language;
use footlight_tests::plugins;
use footlight_tests::scripted_call::{Script, builder, follow};
use serde_json::{Value, json};
use std::path::Path;

/// Each tool with an input, the answers and what the model reads.
fn calls() -> Vec<(&'static str, Value, Vec<Value>)> {
    vec![
        ("text", json!({ "name": "Åse" }), vec![]),
        ("table", json!({ "days": 3 }), vec![]),
        ("table", json!({ "days": 0 }), vec![]),
        ("chart", json!({ "days": 3 }), vec![]),
        ("card", json!({ "title": "Rain" }), vec![]),
        (
            "ask",
            json!({}),
            vec![json!({ "city": "Oslo", "days": 4 }), json!("Yes")],
        ),
        // Skipped: the error of the stage becomes a failure.
        ("ask", json!({}), vec![]),
        ("approval", json!({ "subject": "a letter" }), vec![]),
        ("state", json!({ "by": 2 }), vec![]),
        ("state", json!({ "by": 3 }), vec![]),
        ("output", json!({ "title": "rain.csv" }), vec![]),
        ("fail", json!({ "why": "the service is down" }), vec![]),
    ]
}

/// What a call leaves: its items, its failure, and what three surfaces draw of it.
#[derive(Debug, PartialEq)]
struct Left {
    items: Vec<Item>,
    failure: Option<String>,
    terminal: String,
    markdown: String,
    html: String,
}

async fn play(component: &Path) -> Vec<Left> {
    let host: Host = builder().build().expect("builds");
    host.load(component).await.expect("loads");
    let mut left = Vec::new();
    for (tool, input, answers) in calls() {
        let call = host.call(&format!("sampler.{tool}"), input);
        let script = Script {
            answers,
            verdicts: vec![Verdict::Once],
            ..Script::default()
        };
        left.push(drawn(follow(&host, call, script).await.ended));
    }
    left
}

fn drawn(ended: CallOutcome) -> Left {
    let items = ended.items.into_iter().enumerate();
    let mut items: Vec<Item> = items.map(|(n, item)| timeless(n, item)).collect();
    for item in &mut items {
        if let Content::Tool(tool) = &mut item.content {
            // The ids of requests are random.
            tool.verdicts
                .iter_mut()
                .for_each(|receipt| receipt.request = None);
        }
    }
    let views = Lower::default().items(&items);
    Left {
        failure: ended.result.err().map(|failure| format!("{failure:?}")),
        terminal: views
            .iter()
            .map(|view| Terminal::new(80).draw(view).text)
            .collect(),
        markdown: markdown_all(&views),
        html: to_html(&Html::default().draw_all(&views)),
        items,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_plugin_leaves_the_same_record_in_every_language() {
    let rust = play(Path::new(plugins::SAMPLER)).await;
    let shown = |left: &Left| left.terminal.clone();
    assert!(
        shown(&rust[0]).contains("Hello, Åse! ☂"),
        "{}",
        shown(&rust[0])
    );
    for language in [Language::Python, Language::JavaScript] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let Some(component) = language.build(folder.path()) else {
            continue;
        };
        let other = play(&component).await;
        for ((rust, other), (tool, input, _)) in rust.iter().zip(&other).zip(calls()) {
            assert_eq!(other, rust, "{tool} {input} in {language:?}");
        }
    }
}

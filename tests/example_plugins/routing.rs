//! The router without a language model leads every example to its tool.

use footlight::model::{Delta, Message, Model, ModelPart, Part, Request, ToolSpec};
use footlight::session::Settings;
use footlight_offline::Offline;
use footlight_tests::plugins;
use footlight_tests::scripted_session::{Person, Scripted, host, says, turn};
use serde_json::{Value, json};

/// The tools of a plugin, as a model is sent them.
async fn tools(plugin: &str) -> Vec<ToolSpec> {
    let host = host(&[plugin]).await;
    let model = Scripted::new([says("nothing")]);
    let session = host.session(Settings::new(model.clone()).attended()).await;
    turn(&session.expect("a session"), "anything", Person::default()).await;
    model.sent()[0].tools.clone()
}

/// The call that the router makes of a prompt, without its question for what is missing.
async fn routed(tools: &[ToolSpec], prompt: &str) -> Option<(String, Value)> {
    let text = prompt.to_owned();
    let message = Message::Person {
        content: vec![Part::Text { text }],
    };
    let mut request = Request::new(vec![message]);
    request.tools = tools.to_vec();
    request.may_call = true;
    let mut step = Offline::default().step(request);
    let finished = loop {
        let delta = step.next().await.expect("an answer");
        if let Delta::Finished(finished) = delta.expect("no error") {
            break finished;
        }
    };
    finished.parts.iter().find_map(|part| match part {
        ModelPart::Call(call) => {
            let input = serde_json::from_str(&call.arguments).expect("JSON");
            Some((call.name.clone(), input))
        }
        _ => None,
    })
}

#[tokio::test]
async fn every_example_leads_to_its_tool() {
    let mut wrong = Vec::new();
    for plugin in [
        plugins::FILES,
        plugins::CSV,
        plugins::EMBED,
        plugins::WEATHER,
    ] {
        let tools = tools(plugin).await;
        for tool in &tools {
            for example in &tool.examples {
                let routed = routed(&tools, example).await;
                let name = routed.as_ref().map(|(name, _)| name.as_str());
                // A required value that no example can have is asked for.
                let expected = match tool.name.as_str() {
                    "csv__filter" => "footlight__ask",
                    name => name,
                };
                if name != Some(expected) {
                    wrong.push(format!("{example}: {} and not {routed:?}", tool.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn prompts_fill_the_arguments() {
    for (plugin, prompt, tool, input) in [
        (
            plugins::FILES,
            "Which files mention wasmtime?",
            "files__search",
            json!({ "pattern": "wasmtime" }),
        ),
        (
            plugins::FILES,
            "which files mention tokio",
            "files__search",
            json!({ "pattern": "tokio" }),
        ),
        (
            plugins::FILES,
            "Show me \"src/main.rs\"",
            "files__show",
            json!({ "path": "src/main.rs" }),
        ),
        (
            plugins::FILES,
            "List the files in src",
            "files__list",
            json!({ "folder": "src" }),
        ),
        (
            plugins::CSV,
            "Group \"sales.csv\" by region",
            "csv__group",
            json!({ "path": "sales.csv", "by": "region" }),
        ),
        (
            plugins::CSV,
            "Sort \"sales.csv\" by price",
            "csv__sort",
            json!({ "path": "sales.csv", "by": "price" }),
        ),
        (
            plugins::EMBED,
            "Play https://vimeo.com/76979871",
            "embed__embed_media",
            json!({ "url": "https://vimeo.com/76979871" }),
        ),
    ] {
        let routed = routed(&tools(plugin).await, prompt).await;
        assert_eq!(routed, Some((tool.to_owned(), input)), "{prompt}");
    }
}

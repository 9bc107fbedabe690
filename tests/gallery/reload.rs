//! What was drawn while a session ran is what its store draws later, without the plugin.

use super::{EVERY, Gallery, answer};
use footlight::session::Settings;
use footlight::store::{SqliteStore, Store};
use footlight::vocabulary::event::EventBody;
use footlight::vocabulary::item::{Content, Item, Record, Verdict};
use footlight_render::lower::Lower;
use footlight_render::markdown::markdown_all;
use footlight_render::terminal::Terminal;
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{Person, Scripted, calls, says, turn};
use serde_json::json;
use std::sync::Arc;

/// Draws the items of a session on a terminal and as Markdown.
fn drawn(items: &[Item]) -> (String, String) {
    let views = Lower::default().items(items);
    let terminal = Terminal::new(80);
    let text = views.iter().map(|view| terminal.draw(view).text).collect();
    (text, markdown_all(&views))
}

#[tokio::test]
async fn what_the_live_stream_draws_of_any_tool_is_what_a_reopened_store_draws() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut tools = Gallery::open().await.tools();
    tools.push("card".to_owned());
    let mut live = Vec::new();
    {
        let store = SqliteStore::open(folder.path()).expect("opens");
        let host = builder().store(Arc::new(store)).build().expect("builds");
        host.load(plugins::GALLERY).await.expect("loads");
        for tool in &tools {
            // One kind of data for each tool, all kinds among the tools.
            let with = EVERY[live.len() % EVERY.len()];
            let mut input = match tool.as_str() {
                "card" => json!({}),
                _ => json!({ "with": with }),
            };
            if tool == "live" {
                input["pause"] = 1.into();
            }
            let name = format!("gallery__{tool}");
            let model = Scripted::new([calls([(&*name, input)]), says("Done.")]);
            let session = host.session(Settings::new(model).attended()).await;
            let session = session.expect("a session");
            let person = Person {
                answers: vec![answer(tool)],
                verdicts: vec![Verdict::Once],
            };
            let followed = turn(&session, tool, person).await;
            let log = followed.log();
            let is_end = |what: &EventBody| matches!(what, EventBody::TurnFinished { .. });
            assert!(log.last().is_some_and(|event| is_end(&event.what)));
            let record: Record = log.iter().map(|event| &event.what).collect();
            live.push((tool, session.id().clone(), record.into_items()));
        }
    }
    let store = SqliteStore::open(folder.path()).expect("opens again");
    let mut invalid = 0;
    for (tool, id, items) in live {
        let stored = store.open(&id).await.expect("it is there").items;
        assert_eq!(drawn(&stored), drawn(&items), "{tool}");
        assert_eq!(stored, items, "{tool}");
        let is_invalid =
            |item: &&Item| matches!(&item.content, Content::Widget(shown) if shown.invalid_data);
        invalid += stored.iter().filter(is_invalid).count();
        if tool == "unfitting" {
            let (text, markdown) = drawn(&stored);
            for text in [text, markdown] {
                assert!(text.contains("in words"), "{text}");
                assert!(!text.contains("seats sold"), "{text}");
            }
        }
    }
    assert_eq!(invalid, 1, "only `unfitting` does not fit its schema");
}

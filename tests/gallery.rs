//! Everything a plugin can show, through the real host and onto every surface.
//!
//! `plugins/gallery` has one tool for each thing that can be shown, and each tool takes several kinds of data. `surfaces`
//! checks what must hold for every drawing, `snapshots` keeps a representative set for a person to review, and
//! `browser.rs` opens the same drawings in a browser.

mod hostile;
mod people;
mod reload;
mod snapshots;
mod surfaces;
mod widgets;

use footlight::vocabulary::event::EventBody;
use footlight::vocabulary::item::AskState;
use footlight::vocabulary::item::{CallId, Content, Item, ItemId, Timestamp, Verdict};
use footlight::{CallEvent, Host};
use footlight_render::lower::Lower;
use footlight_render::view::View;
use footlight_tests::plugins;
use footlight_tests::scripted_call::{Followed, Script, builder, follow};
use serde_json::{Value, json};

/// Every kind of data that the tools take.
pub(crate) const EVERY: [&str; 8] = [
    "ordinary", "empty", "huge", "wide", "rtl", "cjk", "emoji", "hostile",
];

/// The gallery on a host.
pub(crate) struct Gallery {
    host: Host,
}

impl Gallery {
    pub(crate) async fn open() -> Self {
        let host = builder().build().expect("builds");
        host.load(plugins::GALLERY).await.expect("loads");
        Self { host }
    }

    /// Returns the tools that draw. The others are reached by an action.
    pub(crate) fn tools(&self) -> Vec<String> {
        let plugin = self.host.plugin("gallery").expect("loaded");
        let takes_data = plugin
            .tools()
            .iter()
            .filter(|tool| tool.input_schema["properties"].get("with").is_some());
        takes_data.map(|tool| tool.name.clone()).collect()
    }

    /// Calls a tool with a kind of data and answers whatever it asks.
    pub(crate) async fn play(&self, tool: &str, with: &str) -> Played {
        let mut input = json!({ "with": with });
        if tool == "live" {
            input["pause"] = 0.into();
        }
        let call = self.host.call(&format!("gallery.{tool}"), input);
        let script = Script {
            answers: answer(tool).into_iter().collect(),
            verdicts: vec![Verdict::Once],
            ..Script::default()
        };
        let followed = follow(&self.host, call, script).await;
        let failed = followed.ended.result.as_ref().err();
        assert!(failed.is_none(), "{tool} with {with}: {failed:?}");
        Played(followed)
    }

    /// Returns what a surface draws of a call: each question while it is open, then the record.
    pub(crate) fn views(&self, played: &Played) -> Vec<View> {
        let lower = Lower::default();
        let mut views: Vec<View> = played
            .open_questions()
            .iter()
            .map(|item| lower.item_from(item, Some("gallery")))
            .collect();
        views.extend(lower.items(&played.record()));
        views
    }
}

/// A finished call.
pub(crate) struct Played(pub(crate) Followed);

impl Played {
    /// Returns the questions as they were before they were answered.
    fn open_questions(&self) -> Vec<Item> {
        let open = self.0.events.iter().filter_map(|event| match event {
            CallEvent::Event(EventBody::Put { item, .. }) => match &item.content {
                Content::Ask(ask) if ask.state == AskState::Open => Some((**item).clone()),
                _ => None,
            },
            _ => None,
        });
        open.enumerate()
            .map(|(n, item)| timeless(n, item))
            .collect()
    }

    /// Returns the items in order.
    pub(crate) fn record(&self) -> Vec<Item> {
        let items = self.0.ended.items.iter().cloned();
        items
            .enumerate()
            .map(|(n, item)| timeless(n, item))
            .collect()
    }
}

/// Replaces what differs from one run to the next: ids and times.
pub(crate) fn timeless(n: usize, mut item: Item) -> Item {
    let at = Timestamp::from_millis(1_794_857_400_000);
    item.start = at;
    item.end = item.end.map(|_| at);
    item.id = ItemId::from(format!("item_{n}").as_str());
    let call = || CallId::from("item_0");
    match &mut item.content {
        Content::Widget(widget) => widget.call = call(),
        Content::Ask(ask) => ask.call = call(),
        Content::Output(output) => {
            item.id = ItemId::from(format!("out_1_aaaaa{n}").as_str());
            output.call = call();
            output.expires = at;
        }
        Content::Tool(tool) => {
            for receipt in tool.verdict.iter_mut().chain(&mut tool.verdicts) {
                receipt.at = at;
            }
        }
        _ => {}
    }
    item
}

/// Returns the answer to the question of this tool.
fn answer(tool: &str) -> Option<Value> {
    Some(match tool {
        "ask_buttons" | "ask_select" | "ask_radio" => json!("play0"),
        "ask_checkbox" => json!(["play0"]),
        "ask_confirm" => json!("Yes"),
        "ask_number" => json!(3),
        "ask_date" => json!("2026-11-16"),
        "ask_text" | "ask_textarea" | "ask_secret" => json!("Ada"),
        "ask_all" => json!({ "play": ["play0"], "name": "Ada", "seats": 2, "sure": "Yes" }),
        _ => return None,
    })
}

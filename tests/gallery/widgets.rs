//! Declared, live and malformed widgets.

use super::{Gallery, Played};
use footlight::CallEvent;
use footlight::vocabulary::event::EventBody;
use footlight::vocabulary::item::Content;
use footlight_render::lower::Lower;
use footlight_render::terminal::Terminal;
use footlight_tests::scripted_call::{Script, follow};
use serde_json::json;

/// Returns what a terminal shows of a call.
async fn terminal(gallery: &Gallery, tool: &str) -> String {
    let views = gallery.views(&gallery.play(tool, "ordinary").await);
    let terminal = Terminal::new(80);
    views.iter().map(|view| terminal.draw(view).text).collect()
}

#[tokio::test]
async fn a_declared_type_is_listed_and_its_data_decides_what_is_drawn() {
    let gallery = Gallery::open().await;
    let plugin = gallery.host.plugin("gallery").expect("loaded");
    let types: Vec<&str> = plugin.widgets().iter().map(|one| &*one.name).collect();
    assert_eq!(types, ["gallery-play"]);
    let fits = terminal(&gallery, "declared").await;
    assert!(fits.contains("211 seats sold"), "{fits}");
    let other = terminal(&gallery, "unfitting").await;
    assert!(other.contains("A play, in words:"), "{other}");
    assert!(!other.contains("seats sold"), "{other}");
}

#[tokio::test]
async fn a_type_that_nobody_knows_is_drawn_from_its_fallback() {
    let gallery = Gallery::open().await;
    let drawn = terminal(&gallery, "free").await;
    assert!(drawn.contains("The curtain rises"), "{drawn}");
}

#[tokio::test]
async fn a_malformed_view_costs_a_notice_and_the_fallback_is_drawn() {
    let gallery = Gallery::open().await;
    let drawn = terminal(&gallery, "malformed").await;
    assert!(drawn.contains("The curtain rises"), "{drawn}");
    assert!(drawn.contains("malformed view"), "{drawn}");
}

#[tokio::test]
async fn a_live_widget_is_redrawn_in_place_with_progress_between() {
    let gallery = Gallery::open().await;
    // The guest pauses between changes, so that none is coalesced.
    let call = gallery.host.call("gallery.live", json!({ "pause": 1 }));
    let played = Played(follow(&gallery.host, call, Script::default()).await);
    let mut drawings: Vec<String> = Vec::new();
    let mut revisions = Vec::new();
    let mut progress = 0;
    for event in &played.0.events {
        match event {
            CallEvent::Event(EventBody::Put { item, .. })
                if matches!(item.content, Content::Widget(_)) =>
            {
                revisions.push(item.rev);
                let view = Lower::default().item_from(item, Some("gallery"));
                drawings.push(Terminal::new(80).draw(&view).text);
            }
            CallEvent::Event(EventBody::Progress { .. }) => progress += 1,
            _ => {}
        }
    }
    assert!(
        revisions.is_sorted() && revisions.len() >= 9,
        "{revisions:?}"
    );
    assert!(progress > 0);
    assert!(drawings[0].contains("0/4"), "{}", drawings[0]);
    assert!(
        drawings.windows(2).all(|two| two[0] != two[1]),
        "{drawings:#?}"
    );
    assert_eq!(played.record().len(), 2, "one tool, one widget");
}

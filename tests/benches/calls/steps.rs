//! Measures the host's own time per step, with a scripted model, a store in memory and a growing history.
//! A turn has two steps: a call and a final text.

use super::timing::{Samples, head, row};
use footlight::session::{Session, Settings};
use footlight_tests::scripted_session::{Scripted, calls, says};
use serde_json::json;
use std::path::Path;
use tokio::runtime::Runtime;

/// Turns that are measured at each length of the history.
const TURNS: usize = 20;

pub(super) fn measure(cache: &Path) {
    let runtime = super::runtime();
    let mut rows = Vec::new();
    for items in [10, 100, 1_000, 4_000] {
        let session = session(&runtime, cache, items);
        let mut samples = Samples::default();
        for _ in 0..TURNS {
            samples.take(1, || turn(&runtime, &session));
        }
        rows.push((items, samples));
    }
    head("a turn of two steps, scripted model, store in memory");
    let first = rows.first().map(|(_, samples)| samples.clone());
    for (items, samples) in &rows {
        let what = match items {
            1_000 => format!("{items} items of history (target 2,000)"),
            _ => format!("{items} items of history"),
        };
        row(&what, samples, first.as_ref());
    }
}

/// Returns a session that has `items` items already.
fn session(runtime: &Runtime, cache: &Path, items: usize) -> Session {
    let host = super::host(runtime, super::builder(cache));
    let turns = items / 2 + TURNS;
    let model = Scripted::new(
        (0..turns).flat_map(|_| [calls([("bench__nothing", json!({}))]), says("done")]),
    )
    .forgetful();
    let session = runtime.block_on(host.session(Settings::new(model)));
    let session = session.expect("a session");
    (0..items / 2).for_each(|_| turn(runtime, &session));
    session
}

fn turn(runtime: &Runtime, session: &Session) {
    let finished = runtime.block_on(async {
        let turn = session.turn("Go").expect("no other turn goes on");
        turn.finish().await
    });
    finished.expect("the store works");
}

//! What a stranger can make the disk grow by, measured in a store on disk.

use footlight::session::Settings;
use footlight::store::{Bucket, Quota, SqliteStore, Store};
use footlight::vocabulary::event::EventBody;
use footlight::vocabulary::item::{Content, Record};
use footlight::{Host, LOCAL_PERSON};
use footlight_tests::folder_size::folder_size;
use footlight_tests::plugins;
use footlight_tests::scripted_session::{Person, Scripted, calls, follow, says};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const MIB: u64 = 1 << 20;

async fn host(folder: &Path, lifetime: Duration) -> Host {
    let store = SqliteStore::open(folder).expect("opens");
    let builder = Host::builder().store(Arc::new(store));
    let host = builder.output_lifetime(lifetime).build().expect("builds");
    host.load(plugins::ROGUE).await.expect("loads");
    host
}

const HOUR: Duration = Duration::from_secs(3600);

/// Runs one call in a session of its own. Returns the most that the folder had meanwhile, and what
/// it has after the store is closed.
async fn run(folder: &Path, tool: &str, input: Value) -> (u64, u64) {
    let host = host(folder, HOUR).await;
    let model = Scripted::new([calls([(tool, input)]), says("Done.")]);
    let session = host.session(Settings::new(model)).await.expect("a session");
    let turn = session.turn("Go").expect("begins");
    let mut most = 0;
    let followed = {
        let mut following = std::pin::pin!(follow(&session, turn, Person::default()));
        loop {
            tokio::select! {
                followed = &mut following => break followed.expect("the store works"),
                () = tokio::time::sleep(Duration::from_millis(50)) => most = most.max(folder_size(folder)),
            }
        }
    };
    most = most.max(folder_size(folder));
    // The log is gap-free, and gives the record that the person saw.
    let log = host.store().log(session.id(), 0, usize::MAX).await;
    let log = log.expect("gap-free");
    let record: Record = log.iter().map(|event| &event.what).collect();
    assert_eq!(record.items(), followed.items);
    let puts = log
        .iter()
        .filter(|event| matches!(event.what, EventBody::Put { .. }));
    assert_eq!(puts.count(), record.items().len(), "one body for each item");
    drop((session, host));
    // The driver of the turn may close the store a moment later.
    let is_open = || {
        let files = fs::read_dir(folder).expect("a folder").flatten();
        let mut names = files.map(|file| file.file_name());
        names.any(|name| name.to_string_lossy().ends_with("-wal"))
    };
    let mut tries = 0;
    while is_open() {
        tries += 1;
        assert!(tries < 200, "the store is not closed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    (most, folder_size(folder))
}

/// Until the guest is stopped, or until it returns.
#[tokio::test(flavor = "multi_thread")]
async fn no_way_of_changing_widgets_fills_the_disk() {
    for how in ["one", "each", "new"] {
        for (count, bytes) in [(1_000_000, 250_000), (60, 250_000), (100_000, 10)] {
            let folder = tempfile::tempdir().expect("a folder");
            let input = json!({ "how": how, "count": count, "bytes": bytes });
            let (most, left) = run(folder.path(), "rogue__flood_changes", input).await;
            // The log, the items, the write-ahead log of both, and the reserve of the store.
            assert!(most < 48 * MIB, "{how} {count} {bytes}: {most}");
            // The widgets themselves have four mebibytes at most.
            assert!(left < 16 * MIB, "{how} {count} {bytes}: {left}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_state_is_recorded_however_often_it_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let host = host(folder.path(), HOUR).await;
    let input = json!({ "how": "each", "count": 100 });
    let call = calls([("rogue__flood_changes", input)]);
    let model = Scripted::new([call, says("Done.")]);
    let session = host.session(Settings::new(model)).await.expect("a session");
    let turn = session.turn("Go").expect("begins");
    let followed = follow(&session, turn, Person::default()).await;
    let items = followed.expect("the store works").items;
    let last = items.iter().filter_map(|item| match &item.content {
        Content::Widget(widget) => widget.data.as_str()?.trim_start_matches('0').parse().ok(),
        _ => None,
    });
    let last: Vec<u32> = last.collect();
    assert_eq!(last, Vec::from_iter((96..100).chain(84..96)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_without_a_session_leaves_no_state_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = {
        drop(host(folder.path(), HOUR).await);
        folder_size(folder.path())
    };
    for _ in 0..3 {
        let host = host(folder.path(), HOUR).await;
        let ended = host.call("rogue.flood_values", json!({})).finish().await;
        let taken = ended.result.expect("it succeeds").data["taken"].clone();
        assert!(taken.as_u64() > Some(50), "{taken}");
        // Another call of the same host has it, as long as the host lives.
        let again = host.call("rogue.flood_values", json!({})).finish().await;
        let again = again.result.expect("it succeeds").data["taken"].clone();
        assert_eq!(again, taken, "the bucket is as full as it was");
        let bucket = Bucket::of_session(LOCAL_PERSON, "rogue", host.session_id());
        let keys = host.store().state_keys(&bucket, "").await;
        assert_eq!(keys, Ok(Vec::new()));
    }
    let after = folder_size(folder.path());
    assert!(after < before + MIB, "{before}, then {after}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_state_of_a_session_is_deleted_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    run(folder.path(), "rogue__flood_values", json!({})).await;
    let before = folder_size(folder.path());
    let store = SqliteStore::open(folder.path()).expect("opens");
    for row in store.sessions(9).await.expect("listed") {
        store.delete(&row.id).await.expect("deleted");
    }
    drop(store);
    let left = folder_size(folder.path());
    assert!(left + 3 * MIB < before, "{before}, then {left}");
}

/// Stores small and large outputs.
async fn store_outputs(host: &Host) {
    for bytes in [10, 100_000] {
        let input = json!({ "count": 3, "bytes": bytes });
        let ended = host.call("rogue.flood_outputs", input).finish().await;
        assert!(ended.result.is_ok(), "{:?}", ended.result);
    }
}

/// The files of content in a store.
fn contents(folder: &Path) -> u64 {
    folder_size(&folder.join("blobs"))
}

#[tokio::test]
async fn a_host_in_use_deletes_outputs_that_have_expired() {
    let folder = tempfile::tempdir().expect("a folder");
    let host = host(folder.path(), Duration::from_millis(1)).await;
    store_outputs(&host).await;
    assert!(contents(folder.path()) >= 100_000);
    let sessions = host.store().sessions(9).await.expect("listed");
    assert_eq!(sessions.len(), 1, "the outputs have a session");
    // The host does nothing for an hour.
    tokio::time::pause();
    tokio::time::advance(HOUR).await;
    tokio::time::resume();
    for _ in 0..500 {
        if host.store().sessions(9).await.expect("listed").is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(contents(folder.path()), 0);
    assert_eq!(host.store().sessions(9).await, Ok(Vec::new()));
    // It can store more.
    store_outputs(&host).await;
    assert_eq!(host.store().sessions(9).await.map(|rows| rows.len()), Ok(1));
}

#[tokio::test]
async fn opening_a_host_deletes_what_expired_while_there_was_none() {
    let folder = tempfile::tempdir().expect("a folder");
    {
        let host = host(folder.path(), Duration::from_millis(1)).await;
        store_outputs(&host).await;
    }
    assert!(contents(folder.path()) >= 100_000);
    let host = host(folder.path(), HOUR).await;
    for _ in 0..500 {
        if host.store().sessions(9).await.expect("listed").is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(contents(folder.path()), 0);
}

#[tokio::test]
async fn each_limit_on_outputs_is_told_to_the_person_in_bytes() {
    let quota = Quota::new;
    let most = Quota::default();
    let play = |content: &str| {
        let operations = json!([{ "op": "output", "content": content }]).to_string();
        ("op__play", json!({ "operations": operations }))
    };
    for (quota, (tool, input), words) in [
        (
            quota(9, 99, 99),
            play("0123456789"),
            "10 bytes is too large: 9 are allowed",
        ),
        (
            quota(99, 9, 99),
            play("0123456789"),
            "10 bytes: a session may hold 9",
        ),
        (
            quota(99, 99, 9),
            play("0123456789"),
            "10 bytes: all sessions together may hold 9",
        ),
        (
            most,
            ("rogue__flood_output", json!({})),
            "one call may have 16777216 bytes",
        ),
        (
            most,
            ("rogue__flood_outputs", json!({})),
            "one call may store 100",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::with_quota(folder.path(), quota).expect("opens");
        let host = Host::builder().store(Arc::new(store)).build();
        let host = host.expect("builds");
        for plugin in [plugins::OP, plugins::ROGUE] {
            host.load(plugin).await.expect("loads");
        }
        let model = Scripted::new([calls([(tool, input)]), says("Done.")]);
        let session = host.session(Settings::new(model)).await.expect("a session");
        let turn = session.turn("Go").expect("begins");
        let ended = turn.finish().await.expect("the store works");
        let told = ended.items.iter().filter(|item| {
            matches!(&item.content, Content::Notice(notice)
                if notice.text.contains("is not stored") && notice.text.contains(words))
        });
        assert_eq!(told.count(), 1, "{words}: {:?}", ended.items);
    }
}

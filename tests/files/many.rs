//! Very many files: open at once by all calls of a host, and in one folder.

use super::*;
use footlight::policy::Rules;
use footlight::vocabulary::item::{RequestId, Verdict};
use footlight::{Call, CallEvent};

/// Files that all calls of a host can have open at once.
const OPEN_FILES_OF_HOST: u64 = 512;

/// Files that each call opens, fewer than one call can have open.
const OF_ONE_CALL: u64 = 40;

/// Runs a call until its guest waits for approval of an action. Nobody binds further folders.
async fn until_it_waits(host: &Host, call: &mut Call) -> RequestId {
    loop {
        match call.next().await.expect("it waits") {
            CallEvent::Approval { id, ask, .. } if ask.folder.is_some() => {
                host.decide(&id, Verdict::Deny, None)
                    .expect("it is pending");
            }
            CallEvent::Approval { id, .. } => return id,
            CallEvent::Finished(ended) => panic!("it ended: {:?}", ended.result),
            _ => {}
        }
    }
}

/// Returns how many files a call could open.
fn opened(ended: &CallOutcome) -> u64 {
    let met = met(ended).remove(0);
    let count = met.trim_start_matches("ok: ").split(' ').next();
    let count = count.and_then(|count| count.parse().ok());
    count.unwrap_or_else(|| panic!("a number: {met}"))
}

#[tokio::test]
async fn all_calls_of_a_host_together_have_only_so_many_files_open() {
    let scene = Scene::new();
    scene.write("inside/a.txt", "alpha");
    let rules = Rules::from(vec![binding("/data", &scene.path("inside"), false)]);
    let host = builder().rules(rules).build().expect("builds");
    host.load(plugins::PROBE).await.expect("loads");
    let steps = json!([
        { "op": "std.keep", "path": "/data/a.txt", "n": OF_ONE_CALL },
        { "op": "approve" },
    ]);
    let start = || host.call("probe.perform", json!({ "steps": steps.to_string() }));
    // Each call waits for a person with its files open.
    let mut waiting = Vec::new();
    for _ in 0..=OPEN_FILES_OF_HOST / OF_ONE_CALL {
        let mut call = start();
        let id = until_it_waits(&host, &mut call).await;
        waiting.push((id, call));
    }
    let mut counts = Vec::new();
    for (id, mut call) in waiting {
        host.decide(&id, Verdict::Once, None).expect("it waits");
        let ended = loop {
            if let Some(CallEvent::Finished(ended)) = call.next().await {
                break ended;
            }
        };
        counts.push(opened(&ended));
    }
    let (last, others) = counts.split_last().expect("several calls");
    assert!(
        others.iter().all(|count| *count == OF_ONE_CALL),
        "{counts:?}"
    );
    assert!(*last < OF_ONE_CALL, "{counts:?}");
    assert!(
        counts.iter().sum::<u64>() <= OPEN_FILES_OF_HOST,
        "{counts:?}"
    );

    // All were closed with their calls.
    let mut call = start();
    let id = until_it_waits(&host, &mut call).await;
    let script = Script::default();
    host.decide(&id, Verdict::Once, None).expect("it waits");
    assert_eq!(
        opened(&follow(&host, call, script).await.ended),
        OF_ONE_CALL
    );
}

/// The time of the guest is limited, and its memory, and the host holds a few entries at a time (see
/// `a_large_folder_is_listed_in_parts` in the host).
#[tokio::test]
async fn a_folder_with_very_many_entries_is_listed_within_the_limits_of_a_call() {
    const ENTRIES: usize = 200_000;
    let scene = Scene::new();
    let folder = scene.path("inside");
    for n in 0..ENTRIES {
        std::fs::File::create(folder.join(n.to_string())).expect("creates");
    }
    let host = data(&scene, false).await;
    let counted = one(&host, json!({ "op": "std.count", "path": "/data" })).await;
    assert_eq!(counted, format!("ok: {ENTRIES}"));
}

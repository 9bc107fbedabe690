//! Concurrent calls, and what happens when the instance pool is full.

use super::host;
use footlight::vocabulary::event::EventBody;
use footlight::vocabulary::failure::FailureCode;
use footlight::{Call, CallEvent, Host, WaitingLimits};
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_run_concurrently() {
    let host = host().await;
    let calls: Vec<_> = (0..64)
        .map(|n| {
            let host = host.clone();
            tokio::spawn(async move {
                host.call("hello.greet", json!({ "name": n.to_string() }))
                    .finish()
                    .await
            })
        })
        .collect();
    for (n, call) in calls.into_iter().enumerate() {
        let ended = call.await.expect("no panic");
        // More calls than the pool has slots for: they queue, and none is lost.
        let said = ended.result.expect("waits for its place").data;
        assert_eq!(said["content"], Value::from(format!("Hello, {n}!")));
    }
}

/// Returns a host with one slot, which a guest that runs until it is cancelled has taken. Nobody can sleep apart
/// from those that compute.
async fn full() -> (Host, Call) {
    let mut waiting = WaitingLimits::default();
    waiting.total = 1;
    let host = builder().calls(1).waiting(waiting).build().expect("builds");
    for path in [plugins::HELLO, plugins::ROGUE] {
        host.load(path).await.expect("loads");
    }
    let mut computing = host.call("rogue.heed_cancel", json!({}));
    loop {
        let event = computing.next().await.expect("it computes");
        if matches!(event, CallEvent::Event(EventBody::Progress { .. })) {
            return (host, computing);
        }
    }
}

#[tokio::test]
async fn a_call_without_a_slot_fails_in_time_and_works_once_there_is_one() {
    let (host, computing) = full().await;
    let greet = || host.call("hello.greet", json!({ "name": "Ada" })).finish();
    // With time paused, the clock advances to the next timer at once.
    tokio::time::pause();
    let failure = greet().await.result.expect_err("no room");
    assert_eq!(
        (failure.code.as_str(), failure.fault),
        ("unavailable", Some(footlight::Fault::Busy))
    );
    assert!(failure.message.contains("no room"), "{}", failure.message);

    tokio::time::resume();
    computing.cancel();
    let (greeted, _) = tokio::join!(greet(), computing.finish());
    assert!(greeted.result.is_ok(), "{:?}", greeted.result);
}

#[tokio::test]
async fn a_call_that_queues_for_its_slot_can_be_cancelled() {
    let (host, _computing) = full().await;
    let call = host.call("hello.greet", json!({ "name": "Ada" }));
    let canceller = call.canceller();
    let (ended, ()) = tokio::join!(call.finish(), async { canceller.cancel() });
    assert_eq!(
        ended.result.expect_err("cancelled").code,
        FailureCode::Cancelled
    );
}

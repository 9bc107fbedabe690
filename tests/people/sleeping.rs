//! Guests that sleep: they hold up nobody who computes, and keep nobody from asking.

use super::waiting::{greet, host_with, refused, until_it_waits_or_ends};
use super::*;
use footlight::vocabulary::failure::FailureCode;
use footlight::{CallOutcome, Fault, WaitingScope};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Starts calls of a guest that sleeps for twenty seconds, and returns once all that can sleep do.
async fn asleep(host: &Host, count: usize) -> JoinSet<CallOutcome> {
    let mut calls = JoinSet::new();
    for _ in 0..count {
        let call = host.call("rogue.sleep", json!({ "seconds": 20 }));
        calls.spawn(call.finish());
    }
    // Time is paused: it passes only when every call waits for something.
    tokio::time::sleep(Duration::from_millis(1)).await;
    calls
}

/// Waits for all calls, which succeed.
async fn assert_succeed(calls: JoinSet<CallOutcome>) {
    for ended in calls.join_all().await {
        assert!(ended.result.is_ok(), "{:?}", ended.result);
    }
}

#[tokio::test]
async fn sleeping_guests_do_not_hold_up_other_calls() {
    let host = host_with(2, [64, 64, 64]).await;
    tokio::time::pause();
    let sleeping = asleep(&host, 30).await;
    let before = Instant::now();
    greet(&host).await;
    assert_eq!(before.elapsed(), Duration::ZERO, "it did not queue");
    // All of them wake at once, and end on the two slots.
    assert_succeed(sleeping).await;
    greet(&host).await;
}

#[tokio::test]
async fn guests_can_still_ask_while_many_sleep() {
    // Two of six sleep in places of waiting guests, the others in their own slots.
    let host = host_with(8, [4, 4, 4]).await;
    tokio::time::pause();
    let sleeping = asleep(&host, 6).await;
    let mut waiting = Vec::new();
    for _ in 0..2 {
        let mut call = host.call("rogue.ask_secret", json!({}));
        until_it_waits_or_ends(&mut call).await.expect("it waits");
        waiting.push(call);
    }
    let ended = host.call("rogue.ask_secret", json!({})).finish().await;
    let (scope, limit) = (WaitingScope::Session, 4);
    let fault = Fault::TooManyWaiting { scope, limit };
    assert_eq!(refused(ended), (FailureCode::Limit, Some(fault)));
    greet(&host).await;
    // Places that questions have taken are not for sleeping guests, who sleep all the same.
    assert_succeed(sleeping).await;
    assert_succeed(asleep(&host, 6).await).await;
}

#[tokio::test]
async fn a_sleeping_guest_that_is_cancelled_or_dropped_frees_what_it_held() {
    let host = host_with(1, [4, 4, 4]).await;
    tokio::time::pause();
    for _ in 0..5 {
        let mut calls = asleep(&host, 2).await;
        calls.abort_all();
        while calls.join_next().await.is_some() {}
        let call = host.call("rogue.sleep", json!({ "seconds": 20 }));
        let canceller = call.canceller();
        let call = tokio::spawn(call.finish());
        tokio::time::sleep(Duration::from_millis(1)).await;
        canceller.cancel();
        let ended = call.await.expect("no panic");
        let failure = ended.result.expect_err("cancelled");
        assert_eq!(failure.code, FailureCode::Cancelled);
        let before = Instant::now();
        greet(&host).await;
        assert_eq!(before.elapsed(), Duration::ZERO, "nothing is held");
    }
}

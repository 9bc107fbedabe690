//! Calls that wait for people: they hold up nobody, and one person cannot use up the room of others.

use super::*;
use footlight::vocabulary::failure::FailureCode;
use footlight::{Call, CallEvent, CallOutcome, Fault, WaitingLimits, WaitingScope};
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{Person, turn};

pub(super) async fn host_with(calls: u32, limits: [u32; 3]) -> Host {
    let mut waiting = WaitingLimits::default();
    [waiting.per_session, waiting.per_person, waiting.total] = limits;
    let host = builder()
        .calls(calls)
        .waiting(waiting)
        .build()
        .expect("builds");
    for path in PLUGINS {
        host.load(path).await.expect("loads");
    }
    host
}

/// Returns the ways in which a running guest waits for a person.
fn waits() -> [(&'static str, Value); 3] {
    let forecast = json!({ "city": "Springfield", "days": 1 });
    [
        ("weather.forecast", forecast),
        ("rogue.ask_secret", json!({})),
        ("rogue.approve_hidden", json!({})),
    ]
}

/// Runs a call until it waits or has ended.
pub(super) async fn until_it_waits_or_ends(call: &mut Call) -> Result<RequestId, CallOutcome> {
    loop {
        match call.next().await.expect("a call ends with how it ended") {
            CallEvent::Asked { id, .. } | CallEvent::Approval { id, .. } => return Ok(id),
            CallEvent::Finished(outcome) => return Err(*outcome),
            _ => {}
        }
    }
}

pub(super) async fn greet(host: &Host) {
    let ended = host
        .call("hello.greet", json!({ "name": "Ada" }))
        .finish()
        .await;
    assert!(ended.result.is_ok(), "{:?}", ended.result);
}

pub(super) fn refused(outcome: CallOutcome) -> (FailureCode, Option<Fault>) {
    let failure = outcome.result.expect_err("it cannot wait");
    let advice = failure.advice.unwrap_or_default();
    assert!(advice.contains("reply to one of them"), "{advice}");
    (failure.code, failure.fault)
}

#[tokio::test]
async fn unanswered_questions_do_not_hold_up_other_calls() {
    // Far more questions than calls that can run at once.
    for (tool, input) in waits() {
        let host = host_with(2, [64, 64, 64]).await;
        let mut waiting = Vec::new();
        for _ in 0..64 {
            let mut call = host.call(tool, input.clone());
            let id = until_it_waits_or_ends(&mut call).await.expect("it waits");
            waiting.push((call, id));
        }
        // With time paused, a call that queued would fail at once.
        tokio::time::pause();
        greet(&host).await;
        let bob = host.session(settings([
            calls([("hello__greet", json!({ "name": "Bob" }))]),
            says("Done."),
        ]));
        let bob = bob.await.expect("a session");
        let followed = turn(&bob, "Greet me", Person::default()).await;
        assert_eq!(followed.types(), ["tool", "text"]);
        tokio::time::resume();
        // Every one of them gets its reply, and continues on the two slots.
        for (_, id) in &waiting {
            let replied = host
                .answer(id, Asked::ByPlugin.answer())
                .or_else(|_| host.decide(id, Verdict::Once, None));
            replied.expect("it waits");
        }
        for (call, _) in waiting {
            let ended = call.finish().await;
            assert!(ended.result.is_ok(), "{tool}: {:?}", ended.result);
        }
        greet(&host).await;
    }
}

#[tokio::test]
async fn a_call_over_the_limit_of_waiting_calls_fails_at_once_and_others_work() {
    for (tool, input) in waits() {
        let host = host_with(2, [3, 9, 9]).await;
        let mut waiting = Vec::new();
        for _ in 0..3 {
            let mut call = host.call(tool, input.clone());
            until_it_waits_or_ends(&mut call).await.expect("it waits");
            waiting.push(call);
        }
        // More often than the circuit breaker allows a plugin that faults.
        for _ in 0..5 {
            let ended = host.call(tool, input.clone()).finish().await;
            let pending = ended
                .items
                .iter()
                .any(|item| matches!(item.content, Content::Ask(_)));
            assert!(!pending, "{tool}: nobody was asked");
            let (scope, limit) = (WaitingScope::Session, 3);
            let fault = Fault::TooManyWaiting { scope, limit };
            assert_eq!(refused(ended), (FailureCode::Limit, Some(fault)), "{tool}");
        }
        greet(&host).await;
        // Each way to stop waiting makes room: dropping the call, cancelling it, a reply.
        drop(waiting.pop());
        let mut call = host.call(tool, input.clone());
        until_it_waits_or_ends(&mut call)
            .await
            .expect("there is room");
        call.cancel();
        call.finish().await;
        let mut call = host.call(tool, input.clone());
        let id = until_it_waits_or_ends(&mut call)
            .await
            .expect("there is room");
        host.expire(&id).expect("it waits");
        call.finish().await;
        let mut call = host.call(tool, input.clone());
        until_it_waits_or_ends(&mut call)
            .await
            .expect("there is room");
    }
}

/// Starts a session of a person, in which a plugin asks. Returns the code of the call if it cannot.
async fn asks(host: &Host, person: &str) -> Result<(Session, Turn), FailureCode> {
    let settings = settings([Asked::ByPlugin.call(), says("Done.")]).person(person);
    let session = host.session(settings).await.expect("a session");
    let mut turn = session.turn("Go").expect("begins");
    while let Some(update) = turn.next().await {
        if let Update::Pending(_) = update.expect("the store works") {
            return Ok((session, turn));
        }
    }
    match &session.items()[0].content {
        Content::Tool(tool) => match &tool.result {
            CallResult::Error { code, .. } => Err(code.clone().expect("a code")),
            result => panic!("{result:?}"),
        },
        content => panic!("{content:?}"),
    }
}

#[tokio::test]
async fn one_person_with_many_sessions_leaves_room_for_others() {
    let host = host_with(2, [9, 4, 7]).await;
    let mut ada = Vec::new();
    for _ in 0..4 {
        ada.push(asks(&host, "ada").await.expect("she can wait"));
    }
    assert_eq!(asks(&host, "ada").await.err(), Some(FailureCode::Limit));
    let mut bob = Vec::new();
    for _ in 0..3 {
        bob.push(asks(&host, "bob").await.expect("he is not affected"));
    }
    // The host is full, which is not the fault of whoever comes next.
    assert_eq!(
        asks(&host, "eve").await.err(),
        Some(FailureCode::Unavailable)
    );
    greet(&host).await;
    let (session, turn) = ada.pop().expect("four");
    session.cancel();
    turn.finish().await.expect("the store works");
    let eve = asks(&host, "eve").await;
    drop(eve.expect("there is room again"));
}

#[tokio::test]
async fn a_guest_with_a_reply_computes_again_only_when_there_is_room() {
    // Whoever sleeps keeps the only slot: the one place is for the guest that asks.
    let host = host_with(1, [9, 9, 1]).await;
    let mut asking = host.call("rogue.ask_then_compute", json!({}));
    let id = until_it_waits_or_ends(&mut asking).await.expect("it waits");
    let mut other = host.call("rogue.heed_cancel", json!({}));
    // The only slot is taken once the guest reports progress.
    while !matches!(
        other.next().await,
        Some(CallEvent::Event(
            footlight::vocabulary::event::EventBody::Progress { .. }
        ))
    ) {}
    host.answer(&id, json!("Yes")).expect("it waits");
    let canceller = other.canceller();
    let (asked, cancelled) = tokio::join!(asking.finish(), async {
        let mut other = std::pin::pin!(other.finish());
        for _ in 0..50 {
            let soon = std::time::Duration::from_millis(2);
            assert!(
                tokio::time::timeout(soon, &mut other).await.is_err(),
                "it runs"
            );
        }
        canceller.cancel();
        other.await
    });
    assert_eq!(
        cancelled.result.expect_err("cancelled").code,
        FailureCode::Cancelled
    );
    assert!(asked.result.is_ok(), "{:?}", asked.result);
}

//! What a person and a model read of a call that nobody could answer or that the host stopped.

use super::newest;
use footlight::CallEvent;
use footlight::session::{Settings, Update};
use footlight::store::RequestKind;
use footlight::vocabulary::event::EventBody;
use footlight::vocabulary::failure::FailureCode;
use footlight::vocabulary::item::{CallResult, Content, Item, Level, Verdict};
use footlight_tests::plugins;
use footlight_tests::scripted_call;
use footlight_tests::scripted_session::{Person, Scripted, calls, host, turn};
use serde_json::json;

#[tokio::test]
async fn the_models_own_question_gets_the_settled_sentence_when_nobody_is_there() {
    const SENTENCE: &str = "nobody can be asked: no terminal or page is connected";
    let ask = || calls([("footlight__ask", json!({ "prompt": "Which?" }))]);
    let no_person = |items: &[Item]| {
        let results = items.iter().filter_map(|item| match &item.content {
            Content::Tool(tool) => Some(tool.result.clone()),
            _ => None,
        });
        let results: Vec<CallResult> = results.collect();
        assert!(
            matches!(&results[..], [CallResult::Error { code: Some(FailureCode::NoPerson), error, .. }] if error == SENTENCE),
            "{results:?}"
        );
    };
    // A session that nobody attends.
    let host = host(&[plugins::HELLO]).await;
    let model = Scripted::new([ask()]);
    let session = host
        .session(Settings::new(model.clone()))
        .await
        .expect("a session");
    let followed = turn(&session, "Go", Person::default()).await;
    no_person(&followed.items);
    assert!(newest(&model.sent()[1]).ends_with(SENTENCE));
    // A session whose surface finds out that nobody is there.
    let model = Scripted::new([ask()]);
    let settings = Settings::new(model.clone()).attended();
    let session = host.session(settings.clone()).await.expect("a session");
    let other = host.session(settings).await.expect("a session");
    let mut turn = session.turn("Go").expect("starts");
    while let Some(update) = turn.next().await {
        match update.expect("the store works") {
            Update::Pending(request) => {
                assert_eq!(request.kind, RequestKind::Ask);
                let foreign = other.no_person(&request.id).await;
                assert!(foreign.is_err(), "only the session's own requests");
                session.no_person(&request.id).await.expect("is settled");
                let again = session.no_person(&request.id).await;
                assert!(again.is_err(), "once");
            }
            Update::Event(event) if matches!(event.what, EventBody::TurnFinished { .. }) => break,
            _ => {}
        }
    }
    no_person(&session.items());
    assert!(newest(&model.sent()[1]).ends_with(SENTENCE));
}

/// Returns the texts of the notices about stopped calls.
fn stopped(items: &[Item]) -> Vec<String> {
    let notices = items.iter().filter_map(|item| match &item.content {
        Content::Notice(notice) if notice.level == Level::Danger => Some(notice.text.clone()),
        _ => None,
    });
    notices.collect()
}

#[tokio::test]
async fn a_fault_says_the_same_in_a_session_as_in_a_call() {
    for (tool, says_so) in [
        ("panic", "the rogue panicked on purpose"),
        ("exit_badly", "it tried to end the process"),
        ("recurse", "nested too deeply"),
        ("grow", "`memory` in plugin.toml"),
    ] {
        let host = host(&[plugins::ROGUE]).await;
        let called = host.call(&format!("rogue.{tool}"), json!({}));
        let called = scripted_call::follow(&host, called, scripted_call::Script::default()).await;
        let expected = stopped(&called.ended.items);
        assert_eq!(expected.len(), 1, "{tool}: {:?}", called.ended.items);
        assert!(expected[0].contains(says_so), "{tool}: {expected:?}");
        let shown = called.events.iter().filter(|event| {
            matches!(event, CallEvent::Event(EventBody::Put { item, .. }) if matches!(item.content, Content::Notice(_)))
        });
        assert_eq!(shown.count(), 1, "{tool}: whoever follows the call sees it");
        let model = Scripted::new([calls([(format!("rogue__{tool}").as_str(), json!({}))])]);
        let session = host
            .session(Settings::new(model.clone()))
            .await
            .expect("a session");
        let followed = turn(&session, "Go", Person::default()).await;
        assert_eq!(stopped(&followed.items), expected, "{tool}");
        // The person's words are not the model's.
        let read = newest(&model.sent()[1]);
        assert!(!read.contains(says_so), "{tool}: {read}");
    }
}

#[tokio::test]
async fn a_call_that_was_told_a_secret_leaves_no_trace_of_it() {
    let person = || Person {
        answers: vec![Some(json!({ "password": "Hunter2!" }))],
        verdicts: vec![Verdict::Once; 4],
    };
    for how in ["panic", "exit", "kind", "data"] {
        let host = host(&[plugins::ROGUE]).await;
        let called = host.call("rogue.betray_secret", json!({ "how": how }));
        let script = scripted_call::Script {
            answers: vec![json!({ "password": "Hunter2!" })],
            ..scripted_call::Script::default()
        };
        let called = scripted_call::follow(&host, called, script).await;
        let ended = format!("{:?}", called.ended);
        assert!(called.ended.result.is_err(), "{how}: {ended}");
        assert!(!ended.contains("Hunter2!"), "{how}: {ended}");
        assert!(
            ended.contains("before the secret"),
            "{how}: what came before is kept"
        );
        let model = Scripted::new([calls([("rogue__betray_secret", json!({ "how": how }))])]);
        let settings = Settings::new(model.clone()).attended();
        let session = host.session(settings).await.expect("a session");
        let followed = turn(&session, "Go", person()).await;
        let log = format!("{:?} {:?}", followed.updates, model.sent());
        assert!(!log.contains("Hunter2!"), "{how}: {log}");
        assert_eq!(
            stopped(&followed.items).len(),
            1,
            "{how}: the remedy is there"
        );
    }
}

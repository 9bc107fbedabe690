//! What the gallery asks of a person: approvals that can be durable, and actions.

use super::Gallery;
use footlight::CallEvent;
use footlight::policy::{ApprovalRequest, Caller};
use footlight::vocabulary::item::Verdict;
use footlight_tests::scripted_call::{Script, follow};
use serde_json::{Value, json};

/// Returns the approval request of the tool `dim`.
async fn approval_request(with: &str) -> ApprovalRequest {
    let played = Gallery::open().await.play("dim", with).await;
    let asked = played.0.events.into_iter().find_map(|event| match event {
        CallEvent::Approval { ask, .. } => Some(*ask),
        _ => None,
    });
    asked.expect("an approval request")
}

fn offers(ask: &ApprovalRequest) -> Vec<Verdict> {
    ask.options.iter().map(|offer| offer.verdict).collect()
}

#[tokio::test]
async fn a_harmless_action_with_a_readable_subject_can_be_allowed_for_good() {
    let ask = approval_request("ordinary").await;
    let all = [
        Verdict::Deny,
        Verdict::Once,
        Verdict::Session,
        Verdict::Always,
    ];
    assert_eq!(offers(&ask), all);
    let lasting = ask.options.last().expect("four offers");
    assert!(
        lasting.covers.contains("\"Hamlet\" and nothing else"),
        "{}",
        lasting.covers
    );
    assert!(lasting.rule.is_some());
}

#[tokio::test]
async fn what_cannot_be_read_can_be_allowed_once_at_most() {
    for with in ["hostile", "empty"] {
        assert_eq!(
            offers(&approval_request(with).await),
            [Verdict::Deny, Verdict::Once],
            "{with}"
        );
    }
}

#[tokio::test]
async fn a_yes_for_the_session_is_not_asked_for_again() {
    let gallery = Gallery::open().await;
    let script = Script {
        verdicts: vec![Verdict::Session],
        ..Script::default()
    };
    for (round, asked) in [(1, 1), (2, 0)] {
        let call = gallery.host.call("gallery.dim", json!({}));
        let followed = follow(&gallery.host, call, script.clone()).await;
        assert!(followed.ended.result.is_ok());
        let approvals = followed
            .events
            .iter()
            .filter(|event| matches!(event, CallEvent::Approval { .. }));
        assert_eq!(approvals.count(), asked, "round {round}");
    }
}

#[tokio::test]
async fn what_is_pressed_is_for_the_person_and_not_for_the_model() {
    let gallery = Gallery::open().await;
    let play = |caller, tool: &str, input: Value| {
        let call = gallery
            .host
            .call_as(caller, &format!("gallery.{tool}"), input);
        async { call.finish().await }
    };
    let denied = play(Caller::Model, "next_act", json!({ "act": 2 })).await;
    assert_eq!(
        denied.result.expect_err("not for the model").code.as_str(),
        "denied"
    );

    // An action that shows a new card, one that fails after showing one, one that shows nothing.
    let next = play(Caller::Person, "next_act", json!({ "act": 2 })).await;
    assert!(next.result.is_ok());
    assert_eq!(types(&next.items), ["tool", "widget"]);
    let fall = play(Caller::Person, "fall", json!({})).await;
    assert_eq!(fall.result.expect_err("falls").code.as_str(), "unavailable");
    assert_eq!(types(&fall.items), ["tool"], "the card is withdrawn");
    let note = play(
        Caller::Person,
        "note",
        json!({ "words": "louder", "mail": true }),
    )
    .await;
    assert!(note.result.is_ok());
    assert_eq!(types(&note.items), ["tool"]);
}

fn types(items: &[footlight::vocabulary::item::Item]) -> Vec<&str> {
    items.iter().map(|item| item.content.type_name()).collect()
}

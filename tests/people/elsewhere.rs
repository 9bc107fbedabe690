//! Answers from elsewhere: the live session takes what it waits for, secrets among it, and otherwise the
//! store does.

use super::*;
use footlight_tests::scripted_session::second_host;

fn result(items: &[footlight::vocabulary::item::Item]) -> String {
    let tool = items.iter().find_map(|item| match &item.content {
        Content::Tool(tool) => Some(format!("{:?}", tool.result)),
        _ => None,
    });
    tool.expect("a call")
}

#[tokio::test]
async fn a_person_gives_a_secret_to_the_session_that_waits_on_this_host() {
    let host = host(&[plugins::ROGUE]).await;
    let (session, turn, request) = asking(&host, Asked::ForSecret).await;
    let person = host.person(session.person());
    let answered = person.answer(&request.id, json!("open sesame")).await;
    answered.expect("it fits");
    let ended = turn.finish().await.expect("it ends");
    assert!(
        result(&ended.items).contains("11 characters"),
        "{:?}",
        ended.items
    );
    let stored = host.store().request(&request.id).await;
    let reply = stored.expect("the store works").expect("there").reply;
    assert!(
        matches!(reply, Some(Reply::Answer { value: None, .. })),
        "{reply:?}"
    );
}

#[tokio::test]
async fn a_secret_that_another_host_waits_for_is_refused_and_can_still_be_given_there() {
    let here = host(&[plugins::ROGUE]).await;
    let (session, turn, request) = asking(&here, Asked::ForSecret).await;
    let there = second_host(&here, &[plugins::ROGUE]).await;
    let person = there.person(session.person());
    let refused = person.answer(&request.id, json!("open sesame")).await;
    assert!(matches!(refused, Err(SettleError::Secret)), "{refused:?}");
    // Also if the session is open there.
    let opened = there.resume(session.id(), settings([])).await;
    let opened = opened.expect("it is there");
    let by_session = opened.answer(&request.id, json!("open sesame")).await;
    let by_person = person.answer(&request.id, json!("open sesame")).await;
    for refused in [by_session, by_person] {
        assert!(matches!(refused, Err(SettleError::Secret)), "{refused:?}");
    }
    assert!(is_pending(&here, &request.id).await);
    let answered = session.answer(&request.id, json!("open sesame")).await;
    answered.expect("the first that counts");
    let ended = turn.finish().await.expect("it ends");
    assert!(result(&ended.items).contains("11 characters"));
}

#[tokio::test]
async fn an_answer_and_a_verdict_reach_a_session_on_another_host_through_the_store() {
    let here = host(&[plugins::ROGUE, plugins::GALLERY, plugins::WEATHER]).await;
    let there = second_host(&here, &[]).await;
    for asked in [Asked::ByModel, Asked::ByPlugin, Asked::ForApproval] {
        let (session, turn, request) = asking(&here, asked).await;
        let person = there.person(session.person());
        let settled = match asked {
            Asked::ForApproval => person.decide(&request.id, Verdict::Once, None).await,
            _ => person.skip(&request.id).await,
        };
        settled.unwrap_or_else(|error| panic!("{asked:?}: {error}"));
        turn.finish().await.expect("it ends");
        assert!(!is_pending(&here, &request.id).await, "{asked:?}");
    }
}

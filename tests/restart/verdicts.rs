//! Verdicts that were accepted while the process of their call died.

use super::*;
use footlight::store::{Reply, SettleOutcome};

#[test]
fn a_verdict_that_came_while_the_process_died_is_used_or_reported() {
    for (tool, input, is_used) in [
        // Runs again, because it says that it only reads and has done nothing yet.
        ("rogue__act_while_reading", json!({ "approve": true }), true),
        ("todo__clear", json!({ "what": "everything" }), false),
    ] {
        for verdict in [Verdict::Once, Verdict::Deny] {
            let store = store();
            let requesting = [
                calls([("todo__add", json!({ "title": "milk" }))]),
                calls([(tool, input.clone())]),
            ];
            let (id, request) = process(&store, async |host| {
                let settings = Settings::new(Scripted::new(requesting)).attended();
                let session = host.session(settings).await.expect("a session");
                let request = until_it_waits(&session, "Go").await;
                (session.id().clone(), request)
            });
            process(&store, async |host| {
                let reply = Reply::Verdict {
                    read_only: false,
                    verdict,
                    words: None,
                    folder: None,
                    by: Some("Ada".to_owned()),
                    at: Default::default(),
                };
                let settled = host.store().settle(&request, reply).await;
                assert_eq!(settled, Ok(SettleOutcome::Accepted));
                let model = Scripted::new([says("Well.")]);
                let settings = Settings::new(model.clone()).attended();
                let session = host.resume(&id, settings).await.expect("it is there");
                let turn = session.resume().expect("it goes on");
                let person = Person {
                    answers: vec![Some(json!("Yes"))],
                    ..Person::default()
                };
                let followed = follow(&session, turn, person).await;
                let followed = followed.expect("the store works");
                let asked_again = |update: &Update| matches!(update, Update::Pending(pending) if pending.id == request);
                assert!(!followed.updates.iter().any(asked_again), "{tool}");
                let result = results(&followed.items).remove(1).1;
                let notices = followed
                    .items
                    .iter()
                    .filter(|item| item.content.type_name() == "notice");
                let told = serde_json::to_string(&*model.sent()[0].messages).expect("JSON");
                if is_used {
                    let succeeded = matches!(result, CallResult::Success { .. });
                    assert_eq!(succeeded, verdict == Verdict::Once, "{result:?}");
                    assert_eq!(notices.count(), 0);
                    return;
                }
                assert!(
                    told.contains("the verdict may not have been used"),
                    "{told}"
                );
                assert_eq!(notices.count(), 1);
                assert!(
                    matches!(&result, CallResult::Error { code: Some(FailureCode::Interrupted), details: Some(details), .. }
                        if details["unusedVerdicts"] == json!([request])),
                    "{result:?}"
                );
            });
        }
    }
}

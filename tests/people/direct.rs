//! Calls that an embedder makes for a person, outside of any session.

use super::apart::{host_over, on_each_store};
use super::*;
use footlight::vocabulary::failure::FailureCode;
use footlight::{CallEvent, LOCAL_PERSON};
use footlight_tests::scripted_call::{self, Followed, Script, builder};
use std::collections::BTreeSet;

const PEOPLE: [&str; 3] = ["ada", "bob", LOCAL_PERSON];

/// Makes one call for a person.
async fn call(host: &Host, person: &str, tool: &str, input: Value) -> Followed {
    let call = host.person(person).call(tool, input).await;
    scripted_call::follow(host, call.expect("the store works"), Script::default()).await
}

#[tokio::test]
async fn a_call_without_a_session_reaches_the_state_of_its_person_and_no_other() {
    on_each_store(async |store| {
        let host = host_over(&store).await;
        for person in PEOPLE {
            let title = format!("for {person}");
            let added = call(&host, person, "todo.add", json!({ "title": title })).await;
            assert!(added.ended.result.is_ok(), "{:?}", added.ended.result);
        }
        // Also in another process.
        for host in [&host, &host_over(&store).await] {
            for person in PEOPLE {
                let listed = call(host, person, "todo.list", json!({ "filter": "all" })).await;
                let listed = format!("{:?}", listed.ended.result.expect("it lists"));
                for other in PEOPLE {
                    let title = format!("for {other}");
                    assert_eq!(
                        listed.contains(&title),
                        other == person,
                        "{person}: {listed}"
                    );
                }
            }
        }
        // The local person's calls are those of the host.
        let listed = host.call("todo.list", json!({ "filter": "all" }));
        let listed = scripted_call::follow(&host, listed, Script::default()).await;
        assert!(format!("{:?}", listed.ended.result).contains("for local"));
    })
    .await;
}

#[tokio::test]
async fn the_rules_of_a_person_apply_to_calls_without_a_session() {
    let host = builder().attended(false).build().expect("builds");
    host.load(plugins::GALLERY).await.expect("loads");
    let free = serde_json::from_value(json!({ "level": "full", "rules": [] })).expect("valid");
    host.person("ada").set_rules(free);
    for (person, runs) in [("ada", true), ("bob", false), (LOCAL_PERSON, false)] {
        let struck = call(&host, person, "gallery.strike", json!({})).await;
        let code = struck
            .ended
            .result
            .map(drop)
            .map_err(|failure| failure.code);
        let expected = match runs {
            true => Ok(()),
            false => Err(FailureCode::NoPerson),
        };
        assert_eq!(code, expected, "{person}");
    }
}

#[tokio::test]
async fn what_one_person_grants_for_the_session_does_not_serve_another() {
    let host = builder().build().expect("builds");
    host.load(plugins::GALLERY).await.expect("loads");
    let dim = async |person: &str| {
        let call = host.person(person).call("gallery.dim", json!({})).await;
        let script = Script {
            verdicts: vec![Verdict::Session],
            ..Script::default()
        };
        let followed = scripted_call::follow(&host, call.expect("the store works"), script).await;
        let asked = |event: &&CallEvent| matches!(event, CallEvent::Approval { .. });
        followed.events.iter().filter(asked).count()
    };
    for person in PEOPLE {
        assert_eq!(dim(person).await, 1, "{person} is asked");
        assert_eq!(dim(person).await, 0, "{person} is asked once");
        assert_eq!(host.person(person).grants().len(), 1);
    }
    let sessions: BTreeSet<_> = host
        .grants()
        .into_iter()
        .map(|grant| grant.session)
        .collect();
    assert_eq!(
        sessions.len(),
        PEOPLE.len(),
        "each has a session of their own"
    );
}

#[tokio::test]
async fn a_folder_is_offered_to_one_person_and_shown_to_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("it exists");
    let folder = folder.to_str().expect("Unicode");
    let host = builder().build().expect("builds");
    host.load(plugins::PROBE).await.expect("loads");
    host.person("ada").offer_folder("probe", "/data", folder);
    for person in PEOPLE {
        let followed = call(&host, person, "probe.peek", json!({ "steps": "[]" })).await;
        let offers: Vec<_> = followed
            .events
            .iter()
            .filter_map(|event| match event {
                CallEvent::Approval { ask, .. } => ask.folder.as_ref()?.offered.clone(),
                _ => None,
            })
            .collect();
        let expected: &[&str] = if person == "ada" { &[folder] } else { &[] };
        assert_eq!(offers, expected, "{person}");
        let seen = format!("{:?}", followed.events);
        assert_eq!(seen.contains(folder), person == "ada", "{person}");
    }
}

//! Plugins that are replaced or unloaded while others run.

use super::observed::ObserverLog;
use crate::attackers::{Attacker, Tool};
use footlight::session::{Session, Settings};
use footlight::store::{MemoryStore, Reply, RequestRow};
use footlight::vocabulary::failure::FailureCode;
use footlight::vocabulary::item::{CallResult, Content, Item, Verdict};
use footlight::{CallEvent, Digest, Host, LoadError, Turn, Update};
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{Answer, Person, Scripted, calls, follow, says};
use serde_json::json;
use std::sync::Arc;

fn read(path: &str) -> Vec<u8> {
    std::fs::read(path).expect("built")
}

/// Returns another component that does the same.
fn other(path: &str) -> Vec<u8> {
    let mut component = read(path);
    // A custom section that nobody reads.
    component.extend([0, 2, 1, b'x']);
    component
}

async fn host(log: &Arc<ObserverLog>, paths: &[&str]) -> Host {
    let builder = builder().store(Arc::new(MemoryStore::default()));
    let host = builder.observer(log.clone()).build().expect("builds");
    for path in paths {
        host.load(path).await.expect("loads");
    }
    host
}

async fn session(host: &Host, answers: impl IntoIterator<Item = Answer>) -> Session {
    let settings = Settings::new(Scripted::new(answers)).attended();
    host.session(settings).await.expect("a session")
}

async fn until_it_waits(turn: &mut Turn) -> RequestRow {
    loop {
        let update = turn.next().await.expect("it goes on").expect("no error");
        if let Update::Pending(request) = update {
            return *request;
        }
    }
}

fn released(log: &ObserverLog) -> Vec<String> {
    let mut told = log.take();
    told.retain(|line| line.starts_with("released"));
    told
}

fn code(item: &Item) -> Option<FailureCode> {
    match &item.content {
        Content::Tool(tool) => match &tool.result {
            CallResult::Error { code, .. } => code.clone(),
            _ => None,
        },
        _ => None,
    }
}

#[tokio::test]
async fn a_running_call_finishes_with_its_component_which_is_then_released() {
    let log = Arc::default();
    let host = host(&log, &[plugins::WEATHER, plugins::HELLO]).await;
    let old = host.plugin("weather").expect("loaded").digest();
    let input = json!({ "city": "Springfield", "days": 1 });
    let mut call = host.call("weather.forecast", input.clone());
    let asked = loop {
        match call.next().await.expect("it asks") {
            CallEvent::Asked { id, .. } => break id,
            _ => continue,
        }
    };
    let new = host.replace(&other(plugins::WEATHER), "weather").await;
    let new = new.expect("replaced").digest();
    assert_ne!(new, old);
    assert_eq!(host.plugin("weather").expect("loaded").digest(), new);
    assert!(released(&log).is_empty(), "its call runs");
    host.skip(&asked).expect("it waits");
    call.finish().await;
    assert_eq!(released(&log), ["released weather"]);

    // The same component again changes nothing.
    let again = host.replace(&other(plugins::WEATHER), "weather").await;
    assert_eq!(again.expect("loaded").digest(), new);
    assert!(released(&log).is_empty());
    let next = host.call("weather.forecast", json!({ "city": "Oslo" }));
    assert!(next.finish().await.result.is_ok());
}

#[tokio::test]
async fn a_running_turn_sees_the_new_tools_at_its_next_step() {
    let component = |names: &[&str]| {
        let tools = names.iter().map(|name| Tool::named(*name)).collect();
        let attacker = Attacker {
            tools,
            ..Attacker::default()
        };
        attacker.component()
    };
    let log = Arc::default();
    let host = host(&log, &[plugins::GALLERY]).await;
    let loaded = host.load_bytes(&component(&["list"]), "shelf").await;
    loaded.expect("loads");
    let model = Scripted::new([calls([("gallery__strike", json!({}))]), says("So.")]);
    let settings = Settings::new(model.clone()).attended();
    let session = host.session(settings).await.expect("a session");
    let mut turn = session.turn("Strike").expect("begins");
    let request = until_it_waits(&mut turn).await;
    let replaced = host.replace(&component(&["list", "sort"]), "shelf").await;
    replaced.expect("replaced");
    let decided = session.decide(&request.id, Verdict::Once, None).await;
    decided.expect("it waits");
    turn.finish().await.expect("it ends");
    let offered: Vec<Vec<String>> = model
        .sent()
        .into_iter()
        .map(|request| {
            let names = request.tools.into_iter().map(|tool| tool.name);
            names.filter(|name| name.starts_with("shelf")).collect()
        })
        .collect();
    assert_eq!(
        offered,
        [vec!["shelf__list"], vec!["shelf__list", "shelf__sort"]]
    );
}

#[tokio::test]
async fn a_verdict_on_the_old_component_does_not_count_for_the_new_one() {
    // While nobody runs the session, the person says yes to the old component, or has not decided.
    for decided in [true, false] {
        let log = Arc::default();
        let host = host(&log, &[plugins::GALLERY]).await;
        let strike = calls([("gallery__strike", json!({}))]);
        let session = session(&host, [strike, says("So.")]).await;
        let mut turn = session.turn("Strike").expect("begins");
        let request = until_it_waits(&mut turn).await;
        session.suspend().await.expect("the store works");
        if decided {
            let yes = session.decide(&request.id, Verdict::Once, None).await;
            yes.expect("it waits");
        }
        let replaced = host.replace(&other(plugins::GALLERY), "gallery").await;
        replaced.expect("replaced");
        log.take();
        let turn = session.resume().expect("it goes on");
        let person = Person {
            verdicts: vec![Verdict::Once],
            ..Person::default()
        };
        let followed = follow(&session, turn, person).await.expect("it ends");
        let asked = followed.updates.iter().find_map(|update| match update {
            Update::Pending(request) => Some(request),
            _ => None,
        });
        let told = log.take();
        if decided {
            assert!(asked.is_none(), "nobody is asked twice under one id");
            assert_eq!(code(&followed.items[0]), Some(FailureCode::Denied));
        } else {
            let asked = asked.expect("asked anew");
            assert_eq!(asked.id, request.id);
            assert_ne!(asked.binding, request.binding);
            assert!(
                told.contains(&"asks Approval new=true".to_owned()),
                "{told:?}"
            );
            assert_eq!(code(&followed.items[0]), None);
        }
        let stored = host.store().request(&request.id).await;
        let reply = stored.expect("the store works").expect("there").reply;
        assert!(matches!(reply, Some(Reply::Verdict { .. })), "{reply:?}");
    }
}

#[tokio::test]
async fn calls_of_an_unloaded_plugin_fail_and_others_go_on() {
    let log = Arc::default();
    let host = host(&log, &[plugins::HELLO, plugins::GALLERY]).await;
    let step = calls([
        ("gallery__strike", json!({})),
        ("hello__greet", json!({ "name": "Ada" })),
    ]);
    let again = calls([("hello__greet", json!({ "name": "Bob" }))]);
    let session = session(&host, [step, again, says("So.")]).await;
    let mut turn = session.turn("Strike").expect("begins");
    let request = until_it_waits(&mut turn).await;
    assert!(host.unload("hello"));
    assert_eq!(released(&log), ["released hello"], "no call of it runs");
    assert!(!host.unload("hello"), "once");
    let decided = session.decide(&request.id, Verdict::Once, None).await;
    decided.expect("it waits");
    let ended = turn.finish().await.expect("it ends");
    let tools = ended
        .items
        .iter()
        .filter(|item| item.content.type_name() == "tool");
    let codes: Vec<Option<FailureCode>> = tools.map(code).collect();
    assert_eq!(
        codes,
        [
            None,
            // The model had called it before, and calls it again.
            Some(FailureCode::Unavailable),
            Some(FailureCode::InvalidInput)
        ]
    );
    let direct = host.call("hello.greet", json!({ "name": "Ada" }));
    let failure = direct.finish().await.result.expect_err("unloaded");
    assert_eq!(failure.code, FailureCode::Unavailable);
    host.load(plugins::HELLO).await.expect("loads again");
    let direct = host.call("hello.greet", json!({ "name": "Ada" }));
    assert!(direct.finish().await.result.is_ok());
}

#[tokio::test]
async fn a_replacement_that_is_pinned_elsewhere_or_broken_leaves_the_old_one() {
    let hello = Digest::of(&read(plugins::HELLO));
    let host = builder().pin("hello", hello).build().expect("builds");
    host.load(plugins::HELLO).await.expect("loads");
    let pinned = host.replace(&other(plugins::HELLO), "hello").await;
    assert!(
        matches!(pinned, Err(LoadError::NotPinned { .. })),
        "{pinned:?}"
    );
    let broken = host.replace(b"no component", "hello").await;
    assert!(matches!(broken, Err(LoadError::Invalid(_))), "{broken:?}");
    assert_eq!(host.plugin("hello").expect("loaded").digest(), hello);
    assert!(host.unload("hello"));
    let pinned = host.load_bytes(&other(plugins::HELLO), "hello").await;
    assert!(
        matches!(pinned, Err(LoadError::NotPinned { .. })),
        "{pinned:?}"
    );
    // Without a plugin under its id, a replacement is loaded.
    let loaded = host.replace(&read(plugins::HELLO), "hello").await;
    assert_eq!(loaded.expect("loads").digest(), hello);
}

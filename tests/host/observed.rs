//! What an observer of a host is told, and how often.

use footlight::session::Settings;
use footlight::store::{MemoryStore, Reply, Store};
use footlight::vocabulary::item::Verdict;
use footlight::{Host, Observed, Observer, Update};
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{Person, Scripted, calls, follow, says, turn};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// ObserverLog what it is told, a line each, and which methods of the store were called.
#[derive(Default)]
pub(super) struct ObserverLog {
    lines: Mutex<Vec<String>>,
    stored: Mutex<BTreeSet<&'static str>>,
}

impl ObserverLog {
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.lines.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Observer for ObserverLog {
    fn observe(&self, event: &Observed<'_>) {
        let line = match event {
            Observed::TurnStarted {
                person, resumed, ..
            } => format!("turn of {person} resumed={resumed}"),
            Observed::TurnEnded { status, .. } => format!("turn ended {status:?}"),
            Observed::Step { model, .. } => format!("step of {model}"),
            Observed::CallEnded {
                function, failure, ..
            } => format!("call {function} {failure:?}"),
            Observed::RequestOpened {
                request, is_new, ..
            } => format!("asks {:?} new={is_new}", request.kind),
            Observed::RequestSettled { reply, .. } => match reply {
                Reply::Verdict { verdict, .. } => format!("settled {verdict:?}"),
                Reply::Withdrawn { .. } => "withdrawn".to_owned(),
                other => format!("settled {other:?}"),
            },
            Observed::PluginReleased { plugin, .. } => format!("released {plugin}"),
            Observed::Stored {
                operation, failed, ..
            } => {
                assert!(!failed, "{operation}");
                let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
                stored.insert(operation);
                return;
            }
            _ => return,
        };
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push(line);
    }
}

async fn host(store: &Arc<dyn Store>, log: &Arc<ObserverLog>) -> Host {
    let observer: Arc<dyn Observer> = log.clone();
    let builder = builder().store(Arc::clone(store)).observer(observer);
    let host = builder.build().expect("builds");
    for path in [plugins::HELLO, plugins::GALLERY] {
        host.load(path).await.expect("loads");
    }
    host
}

fn striking() -> Settings {
    let answers = [
        calls([
            ("gallery__strike", json!({})),
            ("hello__greet", json!({ "name": "Ada" })),
            ("hello__wave", json!({})),
        ]),
        says("Struck."),
    ];
    Settings::new(Scripted::new(answers)).attended()
}

#[tokio::test]
async fn an_observer_is_told_of_each_turn_step_call_and_request_once() {
    let (store, log): (Arc<dyn Store>, _) = (Arc::new(MemoryStore::default()), Arc::default());
    let host = host(&store, &log).await;
    let session = host.session(striking().person("ada")).await;
    let session = session.expect("a session");
    let verdicts = vec![Verdict::Once];
    let answers = Vec::new();
    turn(&session, "Strike the set", Person { answers, verdicts }).await;
    assert_eq!(
        log.take(),
        [
            "turn of ada resumed=false",
            "call hello.wave Some(InvalidInput)",
            "step of scripted",
            "asks Approval new=true",
            "settled Once",
            "call gallery.strike None",
            "call hello.greet None",
            "step of scripted",
            "turn ended Some(Done)",
        ]
    );
    let stored = log.stored.lock().unwrap_or_else(PoisonError::into_inner);
    for operation in ["create", "open", "claim", "commit", "request", "release"] {
        assert!(stored.contains(operation), "{operation}: {stored:?}");
    }
}

#[tokio::test]
async fn a_request_is_new_once_and_pending_again_after_an_interruption() {
    let (store, log): (Arc<dyn Store>, _) = (Arc::new(MemoryStore::default()), Arc::default());
    let first = host(&store, &log).await;
    let session = first.session(striking()).await.expect("a session");
    let mut running = session.turn("Strike the set").expect("begins");
    while let Some(update) = running.next().await {
        if let Update::Pending(_) = update.expect("the store works") {
            break;
        }
    }
    session.suspend().await.expect("the store works");
    assert_eq!(
        log.take()[2..],
        [
            "step of scripted",
            "asks Approval new=true",
            "turn ended None"
        ]
    );

    let second = host(&store, &log).await;
    let settings = Settings::new(Scripted::new([says("Struck.")])).attended();
    let session = second.resume(session.id(), settings).await.expect("there");
    let running = session.resume().expect("it goes on");
    let person = Person {
        verdicts: vec![Verdict::Once],
        ..Person::default()
    };
    let followed = follow(&session, running, person).await;
    followed.expect("the store works");
    let told = log.take();
    assert_eq!(
        told[..3],
        [
            "turn of local resumed=true",
            "asks Approval new=false",
            "settled Once"
        ]
    );
    assert_eq!(
        told.last().map(String::as_str),
        Some("turn ended Some(Done)")
    );
}

#[tokio::test]
async fn a_request_whose_call_ends_is_withdrawn() {
    let (store, log): (Arc<dyn Store>, _) = (Arc::new(MemoryStore::default()), Arc::default());
    let host = host(&store, &log).await;
    for ask in ["gallery__strike", "footlight__ask"] {
        let input = json!({ "prompt": "Go on?" });
        let input = if ask == "footlight__ask" {
            input
        } else {
            json!({})
        };
        let model = Scripted::new([calls([(ask, input)])]);
        let session = host.session(Settings::new(model).attended()).await;
        let session = session.expect("a session");
        let mut running = session.turn("Go").expect("begins");
        while let Some(update) = running.next().await {
            if let Update::Pending(_) = update.expect("the store works") {
                session.cancel();
            }
        }
        let told = log.take();
        let withdrawn = told.iter().filter(|line| *line == "withdrawn").count();
        assert_eq!(withdrawn, 1, "{told:?}");
        let failed = told.iter().filter(|line| line.ends_with("Some(Cancelled)"));
        assert_eq!(failed.count(), 2, "the call and the turn: {told:?}");
    }
}

#[tokio::test]
async fn calls_outside_of_sessions_are_reported_and_an_observer_that_panics_harms_nothing() {
    struct Panics;
    impl Observer for Panics {
        fn observe(&self, _: &Observed<'_>) {
            panic!("on purpose");
        }
    }
    let (store, log): (Arc<dyn Store>, _) = (Arc::new(MemoryStore::default()), Arc::default());
    let host = host(&store, &log).await;
    host.add_observer(Arc::new(Panics));
    for function in ["hello.greet", "hello.wave"] {
        let call = host.call(function, json!({ "name": "Ada" }));
        call.finish().await;
    }
    let late = Arc::new(ObserverLog::default());
    host.add_observer(late.clone());
    let model = Scripted::new([says("Hello.")]);
    let session = host.session(Settings::new(model)).await;
    let session = session.expect("a session");
    turn(&session, "Hello", Person::default()).await;
    assert_eq!(
        log.take()[..2],
        [
            "call hello.greet None",
            "call hello.wave Some(InvalidInput)"
        ]
    );
    assert_eq!(
        late.take(),
        [
            "turn of local resumed=false",
            "step of scripted",
            "turn ended Some(Done)"
        ],
        "from now on"
    );
}

//! The spans of the library: every record of a call says which session, turn, call and function it is of.

use footlight::policy::Traits;
use footlight::session::Settings;
use footlight::{Failure, NativeTool};
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{Person, Scripted, calls, says, turn};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use tracing_core::span::Current;

type Fields = BTreeMap<String, String>;

/// Collects every record with the fields of the spans around it. All tasks run on one thread.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Collected>>);

#[derive(Default)]
struct Collected {
    spans: Vec<(&'static Metadata<'static>, Fields)>,
    entered: Vec<Id>,
    records: Vec<Fields>,
}

impl Collector {
    fn lock(&self) -> MutexGuard<'_, Collected> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Collected {
    fn fields(&self, id: Option<&Id>) -> Fields {
        id.map_or_else(Fields::new, |id| self.span(id).1.clone())
    }

    fn span(&self, id: &Id) -> &(&'static Metadata<'static>, Fields) {
        &self.spans[usize::try_from(id.into_u64()).expect("small") - 1]
    }
}

/// Reads the fields of a span or a record.
struct Read<'a>(&'a mut Fields);

impl Visit for Read<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.to_string(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.to_string(), value.to_owned());
    }
}

impl Subscriber for Collector {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut all = self.lock();
        let parent = match span.is_contextual() {
            true => all.entered.last().cloned(),
            false => span.parent().cloned(),
        };
        let mut fields = all.fields(parent.as_ref());
        span.record(&mut Read(&mut fields));
        all.spans.push((span.metadata(), fields));
        Id::from_u64(all.spans.len() as u64)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut all = self.lock();
        let mut fields = all.fields(all.entered.last());
        event.record(&mut Read(&mut fields));
        all.records.push(fields);
    }

    fn enter(&self, id: &Id) {
        self.lock().entered.push(id.clone());
    }

    fn exit(&self, id: &Id) {
        let mut all = self.lock();
        let at = all.entered.iter().rposition(|entered| entered == id);
        at.map(|at| all.entered.remove(at));
    }

    fn current_span(&self) -> Current {
        let all = self.lock();
        match all.entered.last() {
            Some(id) => Current::new(id.clone(), all.span(id).0),
            None => Current::none(),
        }
    }
}

#[tokio::test]
async fn every_record_of_a_call_names_its_session_turn_call_and_function() {
    const PRIVATE: &str = "a private matter";
    let collector = Collector::default();
    let _collecting = tracing::subscriber::set_default(collector.clone());
    let reads = Traits {
        read_only: true,
        ..Traits::default()
    };
    let note = NativeTool::new("clock", "tick", "Ticks.").input(json!({ "type": "object" }));
    let host = builder().tool(note, reads, |_| async {
        tracing::info!("tick");
        Ok::<_, Failure>("tock")
    });
    let host = host.build().expect("builds");
    for path in [plugins::HELLO, plugins::ROGUE] {
        host.load(path).await.expect("loads");
    }
    let answers = [
        // Concurrently, as tasks of their own.
        calls([
            ("hello__greet", json!({ "name": PRIVATE })),
            ("clock__tick", json!({ "note": PRIVATE })),
        ]),
        calls([
            ("rogue__flood_log", json!({ "count": 3 })),
            ("rogue__recurse", json!({})),
        ]),
        says("Over."),
    ];
    let session = host.session(Settings::new(Scripted::new(answers))).await;
    let session = session.expect("a session");
    turn(&session, PRIVATE, Person::default()).await;
    let outside = host.call("clock.tick", json!({})).finish().await;

    let all = collector.lock();
    let of = |function: &str| -> Vec<&Fields> {
        let is_of = |fields: &&Fields| fields.get("function").is_some_and(|is| is == function);
        all.records.iter().filter(is_of).collect()
    };
    for (function, least) in [
        ("hello.greet", 1),
        ("clock.tick", 2),
        ("rogue.flood_log", 4),
        ("rogue.recurse", 2),
    ] {
        assert!(
            of(function).len() >= least,
            "{function}: {:?}",
            of(function)
        );
    }
    let mut in_turn = 0;
    for fields in &all.records {
        let has = |name: &str| fields.contains_key(name);
        assert_eq!(has("call"), has("function"), "{fields:?}");
        assert!(!has("call") || has("session"), "{fields:?}");
        if fields.get("session").map(String::as_str) == Some(session.id().as_str()) {
            in_turn += 1;
            assert!(has("turn"), "{fields:?}");
            assert!(has("step") || !has("call"), "{fields:?}");
        }
    }
    assert!(in_turn >= 9, "{:?}", all.records);
    let is_outside = |fields: &&Fields| {
        fields
            .get("call")
            .is_some_and(|it| *it == outside.call.as_str())
    };
    assert_eq!(
        all.records.iter().filter(is_outside).count(),
        2,
        "tick, and its end"
    );
    // What people and models say is in no record and no span.
    let spans = all.spans.iter().map(|(_, fields)| fields);
    for fields in all.records.iter().chain(spans) {
        let is_private = |value: &String| value.contains(PRIVATE);
        assert!(!fields.values().any(is_private), "{fields:?}");
    }
}

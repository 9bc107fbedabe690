//! Cancelling a call: nothing acts any more, and the call ends as cancelled whatever the guest does.

use footlight::vocabulary::event::EventBody;
use footlight::vocabulary::failure::FailureCode;
use footlight::vocabulary::item::{CallResult, Content, Item, Verdict};
use footlight::{CallEvent, Host};
use footlight_tests::plugins;
use footlight_tests::scripted_call::{Followed, Script, builder, follow};
use serde_json::{Value, json};
use std::path::Path;
use wit_parser::{Function, Resolve, Type, TypeDefKind, WorldItem, WorldKey};

/// The functions that answer as before, because they change nothing that anybody sees. Progress is
/// here because its function has no error: a report is dropped.
const ANSWERED: [&str; 12] = [
    "stage.[method]stage.call-id",
    "stage.[method]stage.session",
    "stage.[method]stage.person",
    "stage.[method]stage.locale",
    "stage.[method]stage.timezone",
    "stage.[method]stage.is-cancelled",
    "display-widget.[method]shown.id",
    "state.session",
    "state.person",
    "progress.report",
    "log.write",
    "config.settings",
];

/// Returns every function that a plugin can import, with the answer that a cancelled call gets: the
/// first of these that the contract has for the function. `None` if the function cannot fail.
fn functions() -> Vec<(String, Option<&'static str>)> {
    let mut resolve = Resolve::default();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    let (package, _) = resolve.push_path(root).expect("the contract parses");
    let world = resolve.packages[package].worlds["imports"];
    let mut found = Vec::new();
    for (key, item) in &resolve.worlds[world].imports {
        let (WorldKey::Interface(_), WorldItem::Interface { id, .. }) = (key, item) else {
            panic!("an import is an interface: {key:?}");
        };
        let interface = &resolve.interfaces[*id];
        let name = interface.name.as_deref().expect("a name");
        for function in interface.functions.values() {
            let answer = answer(&resolve, function);
            found.push((format!("{name}.{}", function.name), answer));
        }
    }
    found
}

fn answer(resolve: &Resolve, function: &Function) -> Option<&'static str> {
    let of = |id: &Type| match id {
        Type::Id(id) => Some(&resolve.types[*id].kind),
        _ => None,
    };
    let TypeDefKind::Result(result) = of(function.result.as_ref()?)? else {
        return None;
    };
    let mut error = of(result.err.as_ref().expect("an error has a type"));
    while let Some(TypeDefKind::Type(alias)) = error {
        error = of(alias);
    }
    let Some(TypeDefKind::Variant(error)) = error else {
        panic!("an error is a variant: {error:?}");
    };
    let has = |name: &str| error.cases.iter().any(|case| case.name == name);
    Some(match () {
        () if has("cancelled") => "Cancelled",
        () if has("gone") => "Gone",
        () if has("other") => "Other(\"the call was cancelled\")",
        () => panic!("`{}` cannot say that the call was cancelled", function.name),
    })
}

async fn host() -> Host {
    let host = builder().build().expect("builds");
    host.load(plugins::ROGUE).await.expect("loads");
    host
}

/// Calls a tool of `rogue` and cancels it at its first progress.
async fn cancelled(host: &Host, tool: &str, input: Value) -> Followed {
    let script = Script {
        answers: vec![json!("Yes"); 9],
        verdicts: vec![Verdict::Once; 9],
        cancels: true,
        ..Script::default()
    };
    follow(host, host.call(&format!("rogue.{tool}"), input), script).await
}

/// Checks that a call ended as cancelled and that nothing is left of it.
fn assert_withdrawn(followed: &Followed, what: &str) {
    let ended = &followed.ended;
    let failure = ended.result.as_ref().expect_err(what);
    assert_eq!(failure.code, FailureCode::Cancelled, "{what}: {failure:?}");
    assert!(
        matches!(&ended.items[0].content, Content::Tool(tool)
            if matches!(&tool.result, CallResult::Error { code: Some(FailureCode::Cancelled), .. })),
        "{what}: {:?}",
        ended.items
    );
    // Where a guest had to be stopped, the host says so.
    let shown = |item: &&Item| !matches!(item.content, Content::Tool(_) | Content::Notice(_));
    assert_eq!(ended.items.iter().find(shown), None, "{what}");
}

#[tokio::test]
async fn after_a_cancellation_every_function_of_the_contract_that_can_fail_does() {
    let functions = functions();
    assert!(functions.len() >= 25, "{functions:?}");
    let host = host().await;
    for (function, expected) in functions {
        let input = json!({ "function": function });
        let followed = cancelled(&host, "act_when_cancelled", input).await;
        assert_withdrawn(&followed, &function);
        let line = format!("{function} = ");
        let log = &followed.ended.log;
        let answer = log.iter().find_map(|said| said.split_once(&line));
        let (_, answer) = answer.unwrap_or_else(|| panic!("{function}: {log:?}"));
        match expected {
            Some(error) => assert!(
                answer.starts_with("Err(") && answer.contains(error),
                "{function} answers {answer}, not {error}"
            ),
            None => assert!(
                ANSWERED.contains(&&*function),
                "{function} cannot fail: what does it do after a cancellation?"
            ),
        }
        // The guest reports once, before it is cancelled.
        let is_progress =
            |event: &&CallEvent| matches!(event, CallEvent::Event(EventBody::Progress { .. }));
        let reports = followed.events.iter().filter(is_progress).count();
        assert_eq!(reports, 1, "{function}");
        let is_asked = |event: &CallEvent| {
            matches!(event, CallEvent::Asked { .. } | CallEvent::Approval { .. })
        };
        assert!(!followed.events.iter().any(is_asked), "{function}");
        let kept = host.call("rogue.read_leftovers", json!({})).finish().await;
        let kept = kept.result.expect("reads").data["content"].clone();
        assert_eq!(kept, "before", "{function} wrote");
    }
}

#[tokio::test]
async fn a_guest_that_succeeds_or_panics_after_a_cancellation_is_cancelled() {
    let host = host().await;
    for tool in [
        "tidy_up",
        "heed_cancel",
        "ignore_cancel",
        "panic_when_cancelled",
    ] {
        // More often than the faults that suspend a plugin.
        for _ in 0..(if tool == "panic_when_cancelled" { 5 } else { 1 }) {
            assert_withdrawn(&cancelled(&host, tool, json!({})).await, tool);
        }
    }
    let canary = host.call("rogue.canary", json!({})).finish().await;
    assert!(canary.result.is_ok(), "a cancelled call is nobody's fault");
}

//! The host as an embedder uses it: load plugins, call tools, follow calls, settle what is pending.

mod cache;
mod compiler;
mod identity;
mod native;
mod observed;
mod replaced;
mod settings;
mod slots;
mod spans;
mod watched;

use footlight::policy::Caller;
use footlight::vocabulary::event::EventBody;
use footlight::vocabulary::item::{AskState, CallResult, Content, Verdict};
use footlight::{CallEvent, Host, LoadError};
use footlight_tests::plugins;
use footlight_tests::scripted_call::{Script, builder, follow};
use serde_json::json;

async fn host() -> Host {
    // Every call is replayed from its journal and must have the same result.
    let host = builder().replay_check(true).build().expect("builds");
    for path in [plugins::HELLO, plugins::WEATHER, plugins::TODO] {
        host.load(path).await.expect("loads");
    }
    host
}

#[tokio::test]
async fn a_call_is_ten_lines_away() {
    let host = host().await;
    let ended = host
        .call("hello.greet", json!({ "name": "Ada" }))
        .finish()
        .await;
    assert_eq!(
        ended.result.expect("no failure").data,
        json!({ "content": "Hello, Ada!" })
    );
    assert_eq!(ended.model, json!({ "content": "Hello, Ada!" }));
}

#[tokio::test]
async fn items_follow_their_call_directly() {
    let host = host().await;
    let call = host.call(
        "weather.compare",
        json!({ "cities": ["Oslo", "Rome"], "days": 2 }),
    );
    let ended = follow(&host, call, Script::default()).await.ended;
    let types: Vec<&str> = ended
        .items
        .iter()
        .map(|item| item.content.type_name())
        .collect();
    assert_eq!(types, ["tool", "widget", "widget", "widget"]);
    assert!(ended.items.is_sorted_by_key(|item| item.position));
}

#[tokio::test]
async fn the_stream_gives_the_record() {
    let host = host().await;
    let call = host.call("weather.forecast", json!({ "city": "Oslo" }));
    let followed = follow(&host, call, Script::default()).await;
    let changes = followed.events.iter().filter_map(|event| match event {
        CallEvent::Event(event) => Some(event),
        _ => None,
    });
    let record: footlight::vocabulary::item::Record = changes.collect();
    assert_eq!(record.into_items(), followed.ended.items);
}

#[tokio::test]
async fn unknown_tools_and_bad_inputs_are_failures_that_say_what_is_wrong() {
    let host = host().await;
    for (function, input, says) in [
        ("hello.wave", json!({}), "there is no tool `hello.wave`"),
        ("greet", json!({}), "there is no tool `greet`"),
        ("hello.greet", json!({}), "\"name\" is a required property"),
        ("hello.greet", json!({ "name": 7 }), "/name"),
        (
            "hello.greet",
            json!({ "name": "Ada", "loud": true }),
            "loud",
        ),
        ("hello.greet", json!(["Ada"]), "object"),
    ] {
        let ended = host.call(function, input).finish().await;
        let failure = ended.result.expect_err(function);
        assert_eq!(failure.code.as_str(), "invalid-input", "{function}");
        assert!(
            failure.message.contains(says),
            "{} does not say {says}",
            failure.message
        );
        assert_eq!(ended.items.len(), 1, "the call shows no widget");
    }
}

#[tokio::test]
async fn an_ask_waits_and_its_answer_is_recorded() {
    let host = host().await;
    let call = host.call("weather.forecast", json!({ "city": "Springfield" }));
    let script = Script {
        answers: vec![json!("Springfield, MA")],
        ..Script::default()
    };
    let ended = follow(&host, call, script).await.ended;
    assert!(ended.result.is_ok());
    let Content::Ask(ask) = &ended.items[1].content else {
        panic!("an ask first: {:?}", ended.items)
    };
    assert_eq!(
        (ask.state.clone(), ask.response.as_deref()),
        (AskState::Answered, Some("Springfield, MA"))
    );
}

#[tokio::test]
async fn an_answer_that_does_not_fit_can_be_given_again_and_the_first_that_fits_counts() {
    let host = host().await;
    let mut call = host.call("weather.forecast", json!({ "city": "Springfield" }));
    let id = loop {
        if let CallEvent::Asked { id, .. } = call.next().await.expect("an ask") {
            break id;
        }
    };
    assert!(host.answer(&id, json!("Atlantis")).is_err());
    host.answer(&id, json!("Springfield, MA")).expect("fits");
    assert!(
        host.answer(&id, json!("Springfield, IL")).is_err(),
        "settled already"
    );
    assert!(
        host.answer(&"call_0_a1".to_owned().into(), json!("x"))
            .is_err(),
        "unknown"
    );
    assert!(call.finish().await.result.is_ok());
}

#[tokio::test]
async fn nobody_to_ask_fails_at_once() {
    let host = builder().attended(false).build().expect("builds");
    host.load(plugins::WEATHER).await.expect("loads");
    let failure = host
        .call("weather.forecast", json!({ "city": "Springfield" }))
        .finish()
        .await
        .result;
    let failure = failure.expect_err("nobody is there");
    assert_eq!((failure.code.as_str(), failure.fault), ("no-person", None));
    assert!(
        failure.message.contains("no terminal or page is connected"),
        "{}",
        failure.message
    );
}

#[tokio::test]
async fn approval_is_requested_and_a_denied_call_changes_nothing() {
    let host = host().await;
    let added = host
        .call("todo.add", json!({ "title": "Milk" }))
        .finish()
        .await;
    assert!(added.result.is_ok());

    let clear = || host.call("todo.clear", json!({ "what": "everything" }));
    let denied = follow(&host, clear(), Script::default()).await.ended;
    assert_eq!(denied.result.expect_err("denied").code.as_str(), "denied");
    assert_eq!(denied.items.len(), 1);
    let listed = host
        .call("todo.list", json!({}))
        .finish()
        .await
        .result
        .expect("lists");
    assert_eq!(
        listed.data["rows"].as_array().map(Vec::len),
        Some(1),
        "nothing was deleted"
    );

    let granted = Script {
        verdicts: vec![Verdict::Once],
        ..Script::default()
    };
    let cleared = follow(&host, clear(), granted).await.ended;
    assert!(cleared.result.is_ok(), "{:?}", cleared.result);
    let Content::Tool(tool) = &cleared.items[0].content else {
        panic!("the tool first")
    };
    // The tool requests its own approval, so nobody was asked about the call.
    assert_eq!(tool.verdict, None);
    let [receipt] = &tool.verdicts[..] else {
        panic!("one verdict: {tool:?}");
    };
    assert_eq!(receipt.decision, Verdict::Once);
    assert_eq!(receipt.details, Some(json!(["Milk"])));
}

#[tokio::test]
async fn a_failed_call_takes_its_widgets_with_it() {
    let host = host().await;
    let call = host.call("weather.compare", json!({ "cities": ["Oslo", "Nowhere"] }));
    let followed = follow(&host, call, Script::default()).await;
    assert!(followed.ended.result.is_err());
    assert!(matches!(
        &followed.ended.items[..],
        [item] if matches!(&item.content, Content::Tool(tool) if matches!(tool.result, CallResult::Error { .. }))
    ));
}

#[tokio::test]
async fn a_tool_for_people_is_out_of_the_models_reach() {
    let host = host().await;
    let ended = host
        .call_as(Caller::Model, "todo.toggle", json!({ "id": 1 }))
        .finish()
        .await;
    assert_eq!(
        ended.result.expect_err("not for the model").code.as_str(),
        "denied"
    );
}

#[tokio::test]
async fn state_is_the_plugins_own_and_stays_between_calls() {
    let host = host().await;
    for title in ["Milk", "Eggs"] {
        host.call("todo.add", json!({ "title": title }))
            .finish()
            .await
            .result
            .expect("adds");
    }
    let listed = host
        .call("todo.list", json!({}))
        .finish()
        .await
        .result
        .expect("lists");
    assert_eq!(listed.data["rows"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn two_plugins_cannot_have_one_id_and_loading_twice_is_loading_once() {
    let host = host().await;
    let again = host.load(plugins::HELLO).await.expect("the same one");
    assert_eq!(
        again.digest(),
        host.plugin("hello").expect("loaded").digest()
    );
    let mut other = std::fs::read(plugins::HELLO).expect("built");
    // An empty custom section at the end: another component with the same manifest.
    other.extend([0, 2, 1, b'x']);
    assert!(
        matches!(host.load_bytes(&other, "hello").await, Err(LoadError::DuplicateId(id)) if id == "hello")
    );
}

#[tokio::test]
async fn dropping_a_call_ends_it_and_its_question() {
    let host = host().await;
    let mut call = host.call("weather.forecast", json!({ "city": "Springfield" }));
    let id = loop {
        if let CallEvent::Asked { id, .. } = call.next().await.expect("an ask") {
            break id;
        }
    };
    drop(call);
    assert!(
        host.answer(&id, json!("Springfield, MA")).is_err(),
        "nothing waits any more"
    );
    assert!(
        host.call("hello.greet", json!({ "name": "Ada" }))
            .finish()
            .await
            .result
            .is_ok()
    );
}

#[tokio::test]
async fn cancelling_while_a_person_is_asked_ends_the_call_at_once() {
    let host = host().await;
    let mut call = host.call("weather.forecast", json!({ "city": "Springfield" }));
    while !matches!(call.next().await, Some(CallEvent::Asked { .. })) {}
    call.cancel();
    let ended = tokio::time::timeout(std::time::Duration::from_secs(1), call.finish())
        .await
        .expect("at once");
    assert_eq!(
        ended.result.expect_err("cancelled").code.as_str(),
        "cancelled"
    );
}

#[tokio::test]
async fn a_call_that_was_cancelled_before_it_ran_does_not_run() {
    let host = host().await;
    let call = host.call("todo.add", json!({ "title": "Milk" }));
    call.cancel();
    let ended = call.finish().await;
    assert_eq!(
        ended.result.expect_err("cancelled").code.as_str(),
        "cancelled"
    );
    let listed = host.call("todo.list", json!({})).finish().await.result;
    let rows = listed.expect("lists").data["rows"].as_array().map(Vec::len);
    assert_eq!(rows, Some(0), "nothing was added");
}

#[tokio::test]
async fn a_denied_request_is_not_asked_again() {
    let host = builder().build().expect("builds");
    host.load(plugins::ROGUE).await.expect("loads");
    let call = host.call("rogue.flood_approvals", json!({}));
    let followed = follow(&host, call, Script::default()).await;
    let asked = followed.events.iter();
    let asked = asked.filter(|event| matches!(event, CallEvent::Approval { .. }));
    assert_eq!(asked.count(), 1, "the same is not asked again");
    assert_eq!(
        followed.ended.result.expect("goes on").data["refusals"],
        json!(50)
    );
}

#[tokio::test]
async fn of_two_components_with_one_id_only_one_is_loaded() {
    let host = builder().build().expect("builds");
    let one = std::fs::read(plugins::HELLO).expect("built");
    let mut other = one.clone();
    other.extend([0, 2, 1, b'x']);
    let (first, second) = tokio::join!(
        host.load_bytes(&one, "hello"),
        host.load_bytes(&other, "hello")
    );
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
}

#[tokio::test]
async fn outputs_of_a_failed_call_are_removed() {
    let host = builder().build().expect("builds");
    host.load(plugins::ROGUE).await.expect("loads");
    for (tool, input) in [
        ("rogue.fail_halfway", json!({ "by": "failure" })),
        ("rogue.fail_halfway", json!({ "by": "panic" })),
    ] {
        let followed = follow(&host, host.call(tool, input), Script::default()).await;
        assert!(followed.ended.result.is_err());
        let stored = followed.events.iter().filter_map(|event| match event {
            CallEvent::Event(EventBody::Put { item, .. }) => {
                matches!(item.content, Content::Output(_)).then(|| item.id.clone())
            }
            _ => None,
        });
        for id in stored {
            let person = host.person(footlight::LOCAL_PERSON);
            let kept = person.output(host.session_id(), &id).await;
            assert_eq!(kept.expect("the store works"), None);
        }
    }
}

#[tokio::test]
async fn a_secret_reaches_the_plugin_and_nothing_else() {
    // A call that was given a secret is not replayed: nothing of it is kept.
    let host = builder().replay_check(true).build().expect("builds");
    host.load(plugins::ROGUE).await.expect("loads");
    let call = host.call("rogue.ask_secret", json!({}));
    let script = Script {
        answers: vec![json!("hunter2")],
        ..Script::default()
    };
    let followed = follow(&host, call, script).await;
    let result = followed.ended.result.as_ref().expect("answers");
    assert_eq!(result.data["content"], "7 characters");
    assert!(!format!("{followed:?}").contains("hunter2"));
}

#[tokio::test]
async fn a_plugin_that_is_stopped_repeatedly_is_not_called_until_it_is_readmitted() {
    let host = builder().build().expect("builds");
    for path in [plugins::ROGUE, plugins::HELLO] {
        host.load(path).await.expect("loads");
    }
    let call = async |tool: &str| host.call(tool, json!({})).finish().await.result;
    for _ in 0..3 {
        let failure = call("rogue.panic").await.expect_err("panics");
        assert_eq!(failure.fault, Some(footlight::Fault::Panic));
    }
    let failure = call("rogue.canary").await.expect_err("suspended");
    assert_eq!(
        (failure.code.as_str(), failure.fault),
        ("unavailable", None)
    );
    assert!(failure.message.contains("suspended"), "{}", failure.message);
    assert!(
        failure.advice.is_some(),
        "a person can do something about it"
    );
    let greeted = host.call("hello.greet", json!({ "name": "Ada" }));
    assert!(greeted.finish().await.result.is_ok(), "others are not");

    assert!(host.readmit("rogue") && !host.readmit("rogue"));
    assert!(call("rogue.canary").await.is_ok());
}

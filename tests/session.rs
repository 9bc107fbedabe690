//! The completion loop: from a prompt to the final text, what is recorded, and what the model is sent.

mod limits;
mod people;
mod reasoning;

use footlight::model::{
    Finished, Message, ModelError, ModelErrorKind, ModelPart, Part, Reason, Request,
};
use footlight::session::{Session, Settings, TurnError, TurnLimits, Update};
use footlight::store::{Reply, RequestKind, SettleOutcome};
use footlight::vocabulary::event::{EventBody, Status};
use footlight::vocabulary::failure::FailureCode;
use footlight::vocabulary::item::{AskState, CallResult, Content, Item, Record, Verdict};
use footlight_tests::plugins;
use footlight_tests::scripted_session::{
    Answer, Followed, Person, Scripted, calls, host, says, turn, writes,
};
use serde_json::{Value, json};
use std::time::Duration;

const ALL: [&str; 4] = [
    plugins::HELLO,
    plugins::WEATHER,
    plugins::TODO,
    plugins::ROGUE,
];

async fn session(model: &Scripted) -> Session {
    let settings = Settings::new(model.clone()).attended();
    host(&ALL).await.session(settings).await.expect("a session")
}

/// Runs one turn of a new session.
async fn talk(
    answers: impl IntoIterator<Item = Answer>,
    person: Person,
) -> (Followed, Vec<Request>) {
    let model = Scripted::new(answers);
    let session = session(&model).await;
    let followed = turn(&session, "Go", person).await;
    (followed, model.sent())
}

fn tools(items: &[Item]) -> Vec<(&str, &CallResult)> {
    let contents = items.iter().map(|item| &item.content);
    contents
        .filter_map(|content| match content {
            Content::Tool(tool) => Some((tool.function.as_str(), &tool.result)),
            _ => None,
        })
        .collect()
}

fn code(result: &CallResult) -> Option<&str> {
    match result {
        CallResult::Error { code, .. } => code.as_ref().map(FailureCode::as_str),
        _ => None,
    }
}

/// Returns the results of its calls that the model was sent in the last request.
fn read(request: &Request) -> Vec<(bool, String)> {
    let Some(Message::Results { results }) = request.messages.last() else {
        return Vec::new();
    };
    let text = |part: &Part| match part {
        Part::Text { text } => text.clone(),
        _ => "[image]".to_owned(),
    };
    let result = |result: &footlight::model::ToolResult| {
        (result.is_error, result.content.iter().map(text).collect())
    };
    results.iter().map(result).collect()
}

#[tokio::test]
async fn a_prompt_leads_to_a_call_and_a_final_text() {
    let forecast = calls([("weather__forecast", json!({ "city": "Oslo", "days": 2 }))]);
    let (followed, sent) = talk([forecast, says("It rains.")], Person::default()).await;
    assert_eq!(followed.status, Status::Done);
    assert_eq!(followed.types(), ["tool", "widget", "text"]);
    assert_eq!(sent.len(), 2);
    let results = read(&sent[1]);
    assert_eq!(results.len(), 1, "each result is sent once");
    assert!(
        !results[0].0 && results[0].1.contains("rows"),
        "{results:?}"
    );
}

#[tokio::test]
async fn calls_are_in_the_models_order_each_followed_by_its_widgets() {
    let both = calls([
        (
            "weather__compare",
            json!({ "cities": ["Oslo", "Rome"], "days": 1 }),
        ),
        ("hello__greet", json!({ "name": "Ada" })),
        ("weather__forecast", json!({ "city": "Rome", "days": 1 })),
    ]);
    let (followed, _) = talk([both], Person::default()).await;
    let types = [
        "tool", "widget", "widget", "widget", "tool", "tool", "widget", "text",
    ];
    assert_eq!(followed.types(), types);
    assert!(followed.items.is_sorted_by_key(|item| item.position));
    let names: Vec<&str> = tools(&followed.items)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(
        names,
        ["weather.compare", "hello.greet", "weather.forecast"]
    );
}

#[tokio::test]
async fn the_model_is_never_sent_widgets_outputs_or_questions() {
    let model = Scripted::new([
        calls([("weather__forecast", json!({ "city": "Oslo", "days": 1 }))]),
        says("Done."),
        calls([("todo__edit", json!({ "task": "1" }))]),
    ]);
    let session = session(&model).await;
    turn(&session, "The weather?", Person::default()).await;
    turn(&session, "Thanks. And now?", Person::default()).await;
    let shown: Vec<String> = session
        .items()
        .iter()
        .filter_map(|item| match &item.content {
            Content::Widget(widget) => Some(widget.fallback.clone()),
            _ => None,
        })
        .collect();
    assert!(!shown.is_empty());
    for request in model.sent() {
        let messages = serde_json::to_string(&*request.messages).expect("JSON");
        for trace in ["weather-forecast", "fallback", "widget"] {
            assert!(!messages.contains(trace), "{trace}: {messages}");
        }
        for fallback in &shown {
            let written = serde_json::to_string(fallback).expect("JSON");
            assert!(!messages.contains(written.trim_matches('"')), "{fallback}");
        }
    }
}

#[tokio::test]
async fn a_failed_call_loses_its_widgets_and_other_calls_keep_theirs() {
    for by in ["failure", "panic", "trap", "exit"] {
        let both = calls([
            ("weather__forecast", json!({ "city": "Oslo", "days": 1 })),
            ("rogue__fail_halfway", json!({ "by": by })),
        ]);
        let (followed, sent) = talk([both], Person::default()).await;
        // The person is told why the host stopped a call.
        let notice = (by != "failure").then_some("notice");
        let types = ["tool", "widget", "tool"].into_iter().chain(notice);
        let types: Vec<&str> = types.chain(["text"]).collect();
        assert_eq!(followed.types(), types, "{by}");
        assert!(matches!(
            tools(&followed.items)[1].1,
            CallResult::Error { .. }
        ));
        assert!(read(&sent[1])[1].0, "the model is told that it failed");
        // A widget of which the person saw something was removed; others were not recorded at all.
        let log = followed.log();
        let shown = log.iter().filter_map(|event| match &event.what {
            EventBody::Put { item, .. } if matches!(item.content, Content::Widget(_)) => {
                Some(item.id.clone())
            }
            _ => None,
        });
        for id in shown {
            let removal = EventBody::Remove { id: id.clone() };
            let was_removed = log.iter().any(|event| event.what == removal);
            let stays = followed.items.iter().any(|item| item.id == id);
            assert!(was_removed != stays, "{by}: {id}");
        }
    }
}

#[tokio::test]
async fn a_call_that_cannot_run_fails_and_shows_nothing() {
    // An unknown tool, unparsable arguments, and arguments that do not fit the schema.
    let wrong = writes([
        ("weather__forcast", "{}".to_owned()),
        ("weather__forecast", "{\"city\": \"Os".to_owned()),
        ("weather__forecast", "{\"city\": 7}".to_owned()),
        ("todo__toggle", "{\"id\": 1}".to_owned()),
    ]);
    let (followed, sent) = talk([wrong], Person::default()).await;
    assert_eq!(followed.types(), ["tool", "tool", "tool", "tool", "text"]);
    for (function, result) in tools(&followed.items) {
        assert_eq!(
            code(result),
            Some("invalid-input"),
            "{function}: {result:?}"
        );
    }
    let told = read(&sent[1]);
    assert!(told.iter().all(|(is_error, _)| *is_error));
    assert!(
        told[0].1.contains("there are: weather__forecast"),
        "{}",
        told[0].1
    );
    assert!(
        told[3].1.contains("no tool"),
        "a tool for the person is not the model's: {told:?}"
    );
}

#[tokio::test]
async fn arguments_are_read_kindly_and_what_runs_is_what_is_recorded() {
    let kindly = writes([(
        "weather__forecast",
        "```json\n{\"city\":[\"Oslo\"],\"days\":\"2\"}\n```".to_owned(),
    )]);
    let (followed, _) = talk([kindly], Person::default()).await;
    let Content::Tool(tool) = &followed.items[0].content else {
        panic!("a tool comes first");
    };
    assert_eq!(tool.input, json!({ "city": "Oslo", "days": 2 }));
    assert!(matches!(tool.result, CallResult::Success { .. }));
}

#[tokio::test]
async fn a_model_that_calls_wrongly_again_and_again_is_stopped() {
    let wrong = || writes([("weather__forecast", "{}".to_owned())]);
    let (followed, sent) = talk([wrong(), wrong(), wrong(), wrong()], Person::default()).await;
    assert_eq!(followed.status, Status::Error);
    assert_eq!(sent.len(), 3, "two mistakes are forgiven");
    assert_eq!(followed.types().last(), Some(&"text"), "it says why");
}

#[tokio::test]
async fn the_same_call_with_the_same_result_is_not_run_for_ever() {
    let same = || calls([("hello__greet", json!({ "name": "Ada" }))]);
    let (followed, sent) = talk([same(), same(), same(), same()], Person::default()).await;
    let results = tools(&followed.items);
    assert!(
        results[..3]
            .iter()
            .all(|(_, result)| matches!(result, CallResult::Success { .. }))
    );
    assert_eq!(code(results[3].1), Some("invalid-input"));
    assert!(read(&sent[4])[0].1.contains("three times"));
}

#[tokio::test]
async fn an_answer_that_was_cut_off_runs_nothing() {
    for reason in [Reason::Length, Reason::Filtered] {
        let Answer::Says(mut cut) = calls([("todo__add", json!({ "title": "milk" }))]) else {
            unreachable!("it says something");
        };
        cut.reason = reason;
        let (followed, sent) = talk([Answer::Says(cut)], Person::default()).await;
        assert_eq!(followed.types(), ["tool", "text"]);
        assert!(read(&sent[1])[0].1.contains("cut off"));
    }
}

#[tokio::test]
async fn a_turn_ends_at_its_limit_of_steps_and_says_so() {
    let model = Scripted::new(
        (0..9).map(|n| calls([("hello__greet", json!({ "name": format!("Ada {n}") }))])),
    );
    let mut settings = Settings::new(model.clone()).attended();
    settings.limits = {
        let mut bounds = TurnLimits::default();
        bounds.steps = 3;
        bounds
    };
    let session = host(&ALL).await.session(settings).await.expect("a session");
    let followed = turn(&session, "Go", Person::default()).await;
    assert_eq!(followed.status, Status::Limit);
    assert_eq!(tools(&followed.items).len(), 3);
    let sent = model.sent();
    assert_eq!(sent.len(), 4, "three steps and a last word");
    assert!(!sent[3].may_call, "which may call nothing");
    let Some(Content::Text(text)) = followed.items.last().map(|item| &item.content) else {
        panic!("the last item is a text: {:?}", followed.types());
    };
    assert!(text.text.contains("limit"), "{}", text.text);
}

#[tokio::test]
async fn a_result_too_long_for_the_model_is_cut_and_can_be_read_on() {
    let long = "line\n".repeat(20_000);
    let model = Scripted::new([calls([("hello__greet", json!({ "name": long }))])]);
    let session = session(&model).await;
    let followed = turn(&session, "Go", Person::default()).await;
    let sent = model.sent();
    let told = &read(&sent[1])[0].1;
    assert!(
        told.len() < 40 << 10 && told.contains("[cut here:"),
        "{}",
        told.len()
    );
    let (_, CallResult::Success { output }) = tools(&followed.items)[0] else {
        panic!("it succeeds");
    };
    assert!(
        output.to_string().len() > 90_000,
        "the record has all of it"
    );
    let names: Vec<&str> = sent[1]
        .tools
        .iter()
        .map(|tool| tool.name.as_str())
        .collect();
    assert!(names.contains(&"footlight__result"), "{names:?}");
    assert!(
        !sent[0]
            .tools
            .iter()
            .any(|tool| tool.name == "footlight__result")
    );
}

#[tokio::test]
async fn the_stream_the_log_and_a_reopened_session_give_the_same_record() {
    let model = Scripted::new([
        calls([(
            "weather__compare",
            json!({ "cities": ["Oslo", "Rome"], "days": 1 }),
        )]),
        says("There."),
    ]);
    let host = host(&ALL).await;
    let settings = Settings::new(model).attended();
    let session = host.session(settings.clone()).await.expect("a session");
    let followed = turn(&session, "Compare", Person::default()).await;
    let log = followed.log();
    let seqs: Vec<u64> = log.iter().filter_map(|event| event.seq).collect();
    assert_eq!(
        seqs,
        (1..=log.len() as u64).collect::<Vec<_>>(),
        "gap-free, in order, once"
    );
    let streamed: Record = log.iter().map(|event| &event.what).collect();
    assert_eq!(streamed.items(), followed.items);
    // What was replaced during the turn is a tombstone in the log, and nothing else differs.
    let stored = host.store().log(session.id(), 0, 1_000).await;
    let stored = stored.expect("a log");
    assert_eq!(stored.len(), log.len());
    let mut tombstones = 0;
    for (stored, mut streamed) in stored.iter().zip(log.clone()) {
        if let EventBody::Tombstone { .. } = &stored.what {
            streamed.what = streamed.what.tombstone().expect("it was a put");
            tombstones += 1;
        }
        assert_eq!(*stored, streamed);
    }
    assert!(tombstones > 0, "the call's own item was replaced");
    let logged: Record = stored.iter().map(|event| &event.what).collect();
    assert_eq!(logged.items(), followed.items);
    let again = host
        .resume(session.id(), settings)
        .await
        .expect("it is there");
    assert_eq!(again.items(), followed.items);
}

/// Checks that every call of a message is answered in the next one, in order.
fn answered(messages: &[Message]) {
    for (n, message) in messages.iter().enumerate() {
        let Message::Model { parts } = message else {
            continue;
        };
        let calls: Vec<&str> = parts
            .iter()
            .filter_map(|part| match part {
                ModelPart::Call(call) => Some(call.id.as_str()),
                _ => None,
            })
            .collect();
        if calls.is_empty() {
            continue;
        }
        let Some(Message::Results { results }) = messages.get(n + 1) else {
            panic!("a call without an answer: {messages:?}");
        };
        let results: Vec<&str> = results.iter().map(|result| result.call.as_str()).collect();
        assert_eq!(calls, results);
    }
}

#[tokio::test]
async fn a_model_that_fails_ends_the_turn_with_a_notice_and_the_session_lives() {
    let failure = ModelError::new(
        ModelErrorKind::Unreachable,
        "the model cannot be reached; check the network",
    );
    let model = Scripted::new([Answer::Fails(failure), says("Back.")]);
    let session = session(&model).await;
    let followed = turn(&session, "Hello?", Person::default()).await;
    assert_eq!((followed.status, followed.items.len()), (Status::Error, 1));
    assert_eq!(followed.items[0].content.type_name(), "notice");
    let followed = turn(&session, "Hello?", Person::default()).await;
    assert_eq!(followed.status, Status::Done);
    let Some(Message::Person { content }) = model.sent()[1].messages.first().cloned() else {
        panic!("the person speaks first");
    };
    assert_eq!(content.len(), 2, "both prompts reach it, as one message");
}

#[tokio::test]
async fn what_the_model_can_no_longer_read_is_summed_up_and_kept() {
    let long = "x".repeat(3_000);
    let steps = (0..8).map(|n| calls([("hello__greet", json!({ "name": format!("{n} {long}") }))]));
    let model = Scripted::new(steps.chain([says("over")])).window(4_000);
    let session = session(&model).await;
    let followed = turn(&session, "Greet them all", Person::default()).await;
    assert_eq!(followed.status, Status::Done);
    let sent = model.sent();
    let asked = |request: &Request| {
        serde_json::to_string(&*request.messages)
            .is_ok_and(|json| json.contains("Sum up what was said"))
    };
    assert!(sent.iter().any(asked), "it is asked for a summary");
    sent.iter().for_each(|request| answered(&request.messages));
    assert!(
        tools(&followed.items).len() >= 6,
        "the record has everything"
    );
}

#[tokio::test]
async fn pictures_reach_the_model_and_reasoning_goes_back_unread() {
    let opaque = ModelPart::Opaque {
        wire: "anthropic".to_owned(),
        part: r#"{"type":"thinking",  "signature":"a\u0041"}"#.to_owned(),
    };
    let Answer::Says(Finished { mut parts, .. }) =
        calls([("hello__greet", json!({ "name": "Ada" }))])
    else {
        unreachable!("it says something");
    };
    parts.insert(0, opaque.clone());
    let thoughtful = Answer::Says(Finished::new(parts));
    let (_, sent) = talk([thoughtful], Person::default()).await;
    let Message::Model { parts } = &sent[1].messages[1] else {
        panic!("the model's own words come second");
    };
    assert_eq!(parts[0], opaque, "byte for byte");
}

#[tokio::test]
async fn state_belongs_to_the_session_or_the_person_and_lasts_as_long() {
    let model = Scripted::new([
        calls([("todo__add", json!({ "title": "milk" }))]),
        says("Noted."),
        calls([("todo__list", json!({}))]),
    ]);
    let host = host(&ALL).await;
    let settings = Settings::new(model.clone()).attended();
    let first = host.session(settings.clone()).await.expect("a session");
    turn(&first, "Add milk", Person::default()).await;
    let second = host.session(settings).await.expect("another");
    turn(&second, "What is on my list?", Person::default()).await;
    assert!(
        read(&model.sent()[3])[0].1.contains("milk"),
        "the list is the person's"
    );
    assert_eq!(
        tools(&second.items()).len(),
        1,
        "the record is the session's"
    );
}

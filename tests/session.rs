//! The completion loop: from a prompt to the last word, what is recorded, and what the model is sent.

use footlight::model::{Finished, Message, ModelError, Part, Reason, Request, Spoken, Trouble};
use footlight::session::{Bounds, NotBegun, Session, Settings, Update};
use footlight::store::{PendingKind, Reply, Settled};
use footlight::vocabulary::event::{Happening, Status};
use footlight::vocabulary::item::{AskState, CallResult, Content, Item, Record, Verdict};
use footlight_tests::plugins;
use footlight_tests::talk::{Answer, Followed, Person, Scripted, calls, host, says, turn, writes};
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

/// One turn of one session.
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
        CallResult::Error { code, .. } => code.as_deref(),
        _ => None,
    }
}

/// What the model read of its calls in the last request.
fn read(request: &Request) -> Vec<(bool, String)> {
    let Some(Message::Results { results }) = request.messages.last() else {
        return Vec::new();
    };
    let text = |part: &Part| match part {
        Part::Text { text } => text.clone(),
        Part::Image { .. } => "[image]".to_owned(),
    };
    let result = |result: &footlight::model::Returned| {
        (result.is_error, result.content.iter().map(text).collect())
    };
    results.iter().map(result).collect()
}

#[tokio::test]
async fn a_prompt_leads_to_a_call_and_a_last_word() {
    // W-01, W-08, W-10, W-12, W-30
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
async fn calls_stand_in_the_models_order_each_with_what_it_showed() {
    // W-09, W-11, W-14, W-28
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
async fn the_model_never_hears_of_widgets_outputs_or_asks() {
    // W-29, W-31, X-02, O-02
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
        let messages = serde_json::to_string(&request.messages).expect("JSON");
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
async fn what_a_call_showed_goes_when_it_fails_and_what_others_showed_stays() {
    // W-16, W-17, W-32
    for by in ["failure", "panic", "trap", "exit"] {
        let both = calls([
            ("weather__forecast", json!({ "city": "Oslo", "days": 1 })),
            ("rogue__leave", json!({ "by": by })),
        ]);
        let (followed, sent) = talk([both], Person::default()).await;
        assert_eq!(followed.types(), ["tool", "widget", "tool", "text"], "{by}");
        assert!(matches!(
            tools(&followed.items)[1].1,
            CallResult::Error { .. }
        ));
        assert!(read(&sent[1])[1].0, "the model is told that it failed");
        let removed = |event: &footlight::vocabulary::event::Event| {
            matches!(event.what, Happening::Remove { .. })
        };
        assert!(
            followed.log().iter().any(removed),
            "{by}: the widget was withdrawn"
        );
    }
}

#[tokio::test]
async fn what_cannot_run_is_answered_and_shows_nothing() {
    // W-18: unknown tool, unparsable arguments, schema failure
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
async fn a_turn_ends_after_so_many_steps_and_says_so() {
    // W-52
    let model = Scripted::new(
        (0..9).map(|n| calls([("hello__greet", json!({ "name": format!("Ada {n}") }))])),
    );
    let mut settings = Settings::new(model.clone()).attended();
    settings.bounds = {
        let mut bounds = Bounds::default();
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
    // R-32, R-50
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
    // W-33, W-35, W-36, W-37, X-01
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
    let streamed: Record = log.iter().filter_map(|event| event.what.change()).collect();
    assert_eq!(streamed.items(), followed.items);
    assert_eq!(
        host.store()
            .log(session.id(), 0, 1_000)
            .await
            .expect("a log"),
        log
    );
    let again = host
        .resume(session.id(), settings)
        .await
        .expect("it is there");
    assert_eq!(again.items(), followed.items);
}

#[tokio::test]
async fn a_tool_that_needs_leave_shows_nothing_before_it_has_it() {
    // W-20, W-21, A-41, A-48, A-62
    let model = Scripted::new([
        calls([("todo__add", json!({ "title": "milk" }))]),
        calls([
            ("todo__clear", json!({ "what": "everything" })),
            ("todo__list", json!({})),
        ]),
    ]);
    let session = session(&model).await;
    let person = Person {
        verdicts: vec![Verdict::Once, Verdict::Once],
        ..Person::default()
    };
    let followed = turn(&session, "Clear my list", person).await;
    let results = tools(&followed.items);
    assert!(
        matches!(results[1].1, CallResult::Success { .. }),
        "{results:?}"
    );
    let waits = followed
        .updates
        .iter()
        .position(|update| matches!(update, Update::Waits(_)));
    let before = &followed.updates[..waits.expect("it asks")];
    let asked_for = before.iter().filter_map(|update| match update {
        Update::Event(event) => match &event.what {
            Happening::Put { item, .. } => Some(item),
            _ => None,
        },
        _ => None,
    });
    let widgets =
        asked_for.filter(|item| item.position.step == 2 && item.content.type_name() == "widget");
    assert_eq!(widgets.count(), 0);
    let Some(Update::Waits(request)) = followed
        .updates
        .iter()
        .find(|update| matches!(update, Update::Waits(_)))
    else {
        panic!("it asks");
    };
    assert_eq!(request.kind, PendingKind::Approval);
    assert!(
        request.body.to_string().contains("everything"),
        "the real input is shown (A-63)"
    );
    let receipt = followed.items.iter().find_map(|item| match &item.content {
        Content::Tool(tool) if tool.function == "todo.clear" => tool.verdict.clone(),
        _ => None,
    });
    assert_eq!(receipt.map(|receipt| receipt.decision), Some(Verdict::Once));
}

#[tokio::test]
async fn a_no_runs_nothing_and_the_model_hears_of_it() {
    // W-24, A-42
    let model = Scripted::new([
        calls([("todo__add", json!({ "title": "milk" }))]),
        calls([("todo__clear", json!({ "what": "everything" }))]),
        calls([("todo__list", json!({}))]),
    ]);
    let session = session(&model).await;
    let followed = turn(&session, "Clear my list", Person::default()).await;
    let results = tools(&followed.items);
    assert_eq!(code(results[1].1), Some("denied"));
    let sent = model.sent();
    assert!(
        read(&sent[2])[0].1.contains("Rejected by user"),
        "{:?}",
        read(&sent[2])
    );
    assert!(read(&sent[3])[0].1.contains("milk"), "nothing was deleted");
}

#[tokio::test]
async fn the_first_verdict_counts_and_unknown_ids_harm_nothing() {
    // W-51, A-21, A-22, A-50
    let model = Scripted::new([
        calls([("todo__add", json!({ "title": "milk" }))]),
        calls([("todo__clear", json!({ "what": "everything" }))]),
    ]);
    let session = session(&model).await;
    let mut turn = session.turn("Clear").expect("begins");
    let mut seen = 0;
    while let Some(update) = turn.next().await {
        match update.expect("the store works") {
            Update::Waits(request) => {
                seen += 1;
                session
                    .decide(&"nobody".into(), Verdict::Once, None)
                    .await
                    .expect_err("unknown");
                session
                    .decide(&request.id, Verdict::Deny, Some("not now".to_owned()))
                    .await
                    .expect("the first");
                session
                    .decide(&request.id, Verdict::Once, None)
                    .await
                    .expect_err("the second");
                session
                    .answer(&request.id, json!("yes"))
                    .await
                    .expect_err("no question");
            }
            Update::Event(event) if matches!(event.what, Happening::TurnFinished { .. }) => break,
            _ => {}
        }
    }
    assert_eq!(seen, 1);
    assert_eq!(code(tools(&session.items())[1].1), Some("denied"));
}

#[tokio::test]
async fn a_plugin_asks_and_goes_on_with_the_answer() {
    // A-12, A-13, A-17, A-25, A-31
    let model = Scripted::new([calls([(
        "weather__forecast",
        json!({ "city": "Springfield", "days": 1 }),
    )])]);
    let session = session(&model).await;
    let mut turn = session.turn("Springfield?").expect("begins");
    let mut answered = None;
    while let Some(update) = turn.next().await {
        match update.expect("the store works") {
            Update::Waits(request) => {
                let field = &request.body["fields"][0];
                let option = &field["options"][0];
                let choice = option
                    .get("value")
                    .or(option.get("label"))
                    .unwrap_or(option)
                    .clone();
                session.answer(&request.id, choice).await.expect("it fits");
                answered = Some(request.id.clone());
            }
            Update::Event(event) if matches!(event.what, Happening::TurnFinished { .. }) => break,
            _ => {}
        }
    }
    let id = answered.expect("it asks");
    let items = session.items();
    assert!(
        matches!(tools(&items)[0].1, CallResult::Success { .. }),
        "{items:?}"
    );
    let ask = items.iter().find_map(|item| match &item.content {
        Content::Ask(ask) if item.id.as_str() == id.as_str() => Some(ask),
        _ => None,
    });
    let ask = ask.expect("the ask stays in the record");
    assert_eq!(ask.state, AskState::Answered);
    assert!(ask.response.is_some());
}

#[tokio::test]
async fn the_model_asks_the_person_itself() {
    // A-01, A-05, A-10, A-35
    let ask = || calls([("footlight__ask", json!({ "prompt": "Sure?" }))]);
    let person = |answer: Option<Value>| Person {
        answers: vec![answer],
        ..Person::default()
    };
    let (followed, sent) = talk([ask()], person(Some(json!("Yes")))).await;
    assert_eq!(followed.types(), ["tool", "ask", "text"]);
    assert_eq!(read(&sent[1]), [(false, "Yes".to_owned())]);
    let (_, sent) = talk([ask()], person(None)).await;
    let told = read(&sent[1]);
    assert!(
        told[0].0 && told[0].1.contains("chose not to answer"),
        "{told:?}"
    );
}

#[tokio::test]
async fn a_question_without_words_is_refused_and_nothing_waits() {
    // A-03, A-04, A-08
    for input in [
        json!({}),
        json!({ "prompt": "  " }),
        json!({ "prompt": "?", "widgets": [{ "type": "select" }] }),
    ] {
        let (followed, sent) = talk(
            [calls([("footlight__ask", input.clone())])],
            Person::default(),
        )
        .await;
        assert!(read(&sent[1])[0].0, "{input}");
        assert!(
            !followed
                .updates
                .iter()
                .any(|update| matches!(update, Update::Waits(_)))
        );
    }
}

#[tokio::test]
async fn nobody_to_ask_is_an_answer_and_never_a_yes() {
    // A-18, A-29
    let model = Scripted::new([
        calls([("todo__add", json!({ "title": "milk" }))]),
        calls([
            ("todo__clear", json!({ "what": "everything" })),
            ("weather__forecast", json!({ "city": "Springfield" })),
            ("footlight__ask", json!({ "prompt": "Sure?" })),
        ]),
    ]);
    let host = host(&ALL).await;
    let session = host
        .session(Settings::new(model.clone()))
        .await
        .expect("a session");
    let followed = turn(&session, "Go", Person::default()).await;
    assert_eq!(followed.status, Status::Done);
    assert!(
        !followed
            .updates
            .iter()
            .any(|update| matches!(update, Update::Waits(_)))
    );
    let sent = model.sent();
    let told = read(&sent[2]);
    assert!(told.iter().all(|(is_error, _)| *is_error), "{told:?}");
    assert!(sent[0].system.contains("Nobody can be asked"));
    assert!(
        !sent[0]
            .tools
            .iter()
            .any(|tool| tool.name == "footlight__ask")
    );
}

#[tokio::test]
async fn nobody_waits_for_ever_where_there_is_an_end_to_patience() {
    // W-50, A-68
    let model = Scripted::new([
        calls([("footlight__ask", json!({ "prompt": "Sure?" }))]),
        calls([("todo__add", json!({ "title": "milk" }))]),
        calls([("todo__clear", json!({ "what": "everything" }))]),
    ]);
    let mut settings = Settings::new(model.clone()).attended();
    settings.patience = Some(Duration::from_millis(20));
    let host = host(&ALL).await;
    let session = host.session(settings).await.expect("a session");
    let mut turn = session.turn("Go").expect("begins");
    let mut waited = Vec::new();
    while let Some(update) = turn.next().await {
        match update.expect("the store works") {
            Update::Waits(request) => waited.push(request.id),
            Update::Event(event) if matches!(event.what, Happening::TurnFinished { .. }) => break,
            _ => {}
        }
    }
    assert_eq!(waited.len(), 2);
    for id in &waited {
        let reply = Reply::Skip {
            by: None,
            at: Default::default(),
        };
        let late = host
            .store()
            .settle(id, reply)
            .await
            .expect("the store works");
        assert!(
            matches!(late, Settled::Before(Reply::Expired { .. })),
            "{late:?}"
        );
    }
    let sent = model.sent();
    assert!(read(&sent[1])[0].1.contains("in time"));
    assert!(read(&sent[3])[0].1.contains("in time"));
}

#[tokio::test]
async fn cancelling_works_while_the_model_speaks_and_keeps_what_was_said() {
    // X-06
    let model = Scripted::new([Answer::Hangs("Well, ".to_owned()), says("Hello again.")]);
    let session = session(&model).await;
    let mut turn = session.turn("Hello").expect("begins");
    assert!(matches!(session.turn("And?"), Err(NotBegun::Busy)));
    let mut status = None;
    while let Some(update) = turn.next().await {
        if let Update::Event(event) = update.expect("the store works") {
            match event.what {
                Happening::TextDelta { .. } => turn.cancel(),
                Happening::TurnFinished { status: how, .. } => {
                    status = Some(how);
                    break;
                }
                _ => {}
            }
        }
    }
    assert_eq!(status, Some(Status::Cancelled));
    let words = |item: &Item| matches!(&item.content, Content::Text(text) if text.text == "Well, ");
    assert!(session.items().iter().any(words));
    let followed = footlight_tests::talk::turn(&session, "Still there?", Person::default()).await;
    assert_eq!(followed.status, Status::Done);
}

#[tokio::test]
async fn cancelling_works_while_a_person_is_waited_for_and_leaves_nothing_waiting() {
    // A-19, A-49, X-06
    for tool in ["footlight__ask", "weather__forecast", "todo__clear"] {
        let model = Scripted::new([
            calls([("todo__add", json!({ "title": "milk" }))]),
            calls([
                (
                    tool,
                    json!({ "prompt": "Sure?", "city": "Springfield", "what": "everything" }),
                ),
                ("hello__greet", json!({ "name": "Ada" })),
            ]),
        ]);
        // Inputs are strict: each tool gets only what it knows.
        let input = match tool {
            "footlight__ask" => json!({ "prompt": "Sure?" }),
            "weather__forecast" => json!({ "city": "Springfield" }),
            _ => json!({ "what": "everything" }),
        };
        drop(model);
        let model = Scripted::new([
            calls([("todo__add", json!({ "title": "milk" }))]),
            calls([(tool, input), ("hello__greet", json!({ "name": "Ada" }))]),
        ]);
        let host = host(&ALL).await;
        let session = host
            .session(Settings::new(model.clone()).attended())
            .await
            .expect("a session");
        let mut turn = session.turn("Go").expect("begins");
        let mut status = None;
        while let Some(update) = turn.next().await {
            match update.expect("the store works") {
                Update::Waits(_) => session.cancel(),
                Update::Event(event) => {
                    if let Happening::TurnFinished { status: how, .. } = event.what {
                        status = Some(how);
                        break;
                    }
                }
                _ => {}
            }
        }
        assert_eq!(status, Some(Status::Cancelled), "{tool}");
        assert!(
            host.store()
                .pending()
                .await
                .expect("the store works")
                .is_empty(),
            "{tool}"
        );
        let items = session.items();
        let open = items.iter().filter(|item| match &item.content {
            Content::Tool(tool) => matches!(tool.result, CallResult::Pending { .. }),
            Content::Ask(ask) => ask.state == AskState::Open,
            _ => false,
        });
        assert_eq!(open.count(), 0, "{tool}: {items:?}");
        footlight_tests::talk::turn(&session, "Still there?", Person::default()).await;
        let last = model.sent().pop().expect("it was asked");
        answered(&last.messages);
    }
}

/// Every call of every message is answered by the next, in its order.
fn answered(messages: &[Message]) {
    for (n, message) in messages.iter().enumerate() {
        let Message::Model { parts } = message else {
            continue;
        };
        let calls: Vec<&str> = parts
            .iter()
            .filter_map(|part| match part {
                Spoken::Call(call) => Some(call.id.as_str()),
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
    let failure = ModelError {
        trouble: Trouble::Unreachable,
        message: "the model cannot be reached; check the network".to_owned(),
    };
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
        serde_json::to_string(&request.messages)
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
    let opaque = Spoken::Opaque {
        wire: "anthropic".to_owned(),
        part: r#"{"type":"thinking",  "signature":"a\u0041"}"#.to_owned(),
    };
    let Answer::Says(Finished { mut parts, .. }) =
        calls([("hello__greet", json!({ "name": "Ada" }))])
    else {
        unreachable!("it says something");
    };
    parts.insert(0, opaque.clone());
    let thoughtful = Answer::Says(Finished {
        parts,
        ..Finished::default()
    });
    let (_, sent) = talk([thoughtful], Person::default()).await;
    let Message::Model { parts } = &sent[1].messages[1] else {
        panic!("the model's own words come second");
    };
    assert_eq!(parts[0], opaque, "byte for byte");
}

#[tokio::test]
async fn state_is_the_sessions_or_the_persons_and_lasts_as_long() {
    // X-07
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

//! Questions in a session: who receives them, who can answer, and what does not count as an answer.

use super::{session, waits};
use footlight::session::{self, Session, Settings, SettleError, Turn, Update, Updates};
use footlight::store::{Reply, RequestRow};
use footlight::vocabulary::event::{EventBody, Status};
use footlight::vocabulary::item::{Ask, AskState, CallResult, Content, Item};
use footlight_tests::plugins;
use footlight_tests::scripted_session::{Person, Scripted, calls, host, says, turn};
use serde_json::{Value, json};
use std::time::Duration;

fn asks(input: Value) -> Vec<footlight_tests::scripted_session::Answer> {
    vec![calls([("footlight__ask", input)]), says("Good.")]
}

/// Returns the first question of a record and the call it belongs to.
fn asked(items: &[Item]) -> (&Ask, &CallResult) {
    let ask = items.iter().find_map(|item| match &item.content {
        Content::Ask(ask) => Some(ask),
        _ => None,
    });
    let ask = ask.expect("a question");
    let result = items.iter().find_map(|item| match &item.content {
        Content::Tool(tool) if item.id.as_str() == ask.call.as_str() => Some(&tool.result),
        _ => None,
    });
    (ask, result.expect("its call"))
}

fn text(result: &CallResult) -> &str {
    match result {
        CallResult::Success { output } => output["data"]["content"].as_str().unwrap_or_default(),
        _ => "",
    }
}

async fn hears(updates: &mut Updates, wanted: impl Fn(&Update) -> bool) -> Update {
    while let Some(update) = updates.next().await {
        let update = update.expect("the store works");
        if wanted(&update) {
            return update;
        }
    }
    panic!("it is told");
}

fn is_over(update: &Update) -> bool {
    matches!(update, Update::Event(event) if matches!(event.what, EventBody::TurnFinished { .. }))
}

#[tokio::test]
async fn every_subscriber_receives_a_question_and_learns_that_it_is_settled() {
    let host = host(&[]).await;
    let widgets = json!([{ "type": "select", "name": "city", "options": ["Oslo", "Rome"] }]);
    let question = json!({ "prompt": "Where to?", "widgets": widgets });
    let session = session(&host, asks(question)).await;
    let mut others = [session.follow(), session.follow()];
    let mut turn = session.turn("Ask me").expect("begins");
    let request = waits(&mut turn).await;
    assert_eq!(request.body["prompt"], "Where to?");
    assert_eq!(
        request.body["fields"][0]["options"],
        json!(["Oslo", "Rome"])
    );
    for other in &mut others {
        let heard = hears(other, |update| matches!(update, Update::Pending(_))).await;
        assert_eq!(heard, Update::Pending(Box::new(request.clone())));
    }
    // A late subscriber receives it and finds it in the store and in the record.
    let mut latecomer = session.follow();
    let heard = hears(&mut latecomer, |_| true).await;
    assert_eq!(heard, Update::Pending(Box::new(request.clone())));
    let late = host.store().open(session.id()).await.expect("it is there");
    assert_eq!(late.pending, std::slice::from_ref(&request));
    assert_eq!(asked(&late.items).0.state, AskState::Open);
    // Another client answers through the store, without this session.
    let answered = session::answer(&**host.store(), &request.id, json!("Rome"), None).await;
    answered.expect("it fits");
    for other in &mut others {
        let settled = |update: &Update| matches!(update, Update::Settled(..));
        let Update::Settled(id, Reply::Answer { value, .. }) = hears(other, settled).await else {
            panic!("an answer");
        };
        assert_eq!((id, value), (request.id.clone(), Some(json!("Rome"))));
        hears(other, is_over).await;
    }
    hears(&mut latecomer, is_over).await;
    let again = host.store().pending().await.expect("the store works");
    assert!(again.is_empty(), "and nobody is told of what is settled");
    let items = session.items();
    let (ask, result) = asked(&items);
    assert_eq!(ask.response.as_deref(), Some("Rome"));
    assert_eq!(text(result), "Rome");
    // A session that is opened later has the question and its answer.
    let late = host.store().open(session.id()).await.expect("it is there");
    assert_eq!(late.items, items);
    assert_eq!(asked(&late.items).0.state, AskState::Answered);
}

#[tokio::test]
async fn a_question_stays_open_while_no_client_is_connected() {
    let host = host(&[]).await;
    let session = session(&host, asks(json!({ "prompt": "Sure?" }))).await;
    let mut turn = session.turn("Ask me").expect("begins");
    let request = waits(&mut turn).await;
    drop(turn);
    let waiting = host.store().pending().await.expect("the store works");
    assert_eq!(waiting.len(), 1);
    let mut back = session.follow();
    let answered = session.answer(&request.id, json!("Yes")).await;
    answered.expect("it still waits");
    hears(&mut back, is_over).await;
    assert_eq!(text(asked(&session.items()).1), "Yes");
}

/// Starts two conversations in each of which a plugin asks.
async fn two_that_ask(host: &footlight::Host) -> [(Session, Turn, RequestRow); 2] {
    let start = async || {
        let answers = vec![calls([(
            "weather__forecast",
            json!({ "city": "Springfield", "days": 1 }),
        )])];
        let session = session(host, answers).await;
        let mut turn = session.turn("Springfield?").expect("begins");
        let request = waits(&mut turn).await;
        (session, turn, request)
    };
    [start().await, start().await]
}

#[tokio::test]
async fn two_questions_are_answered_by_their_ids_in_any_order_and_stay_with_their_calls() {
    let host = host(&[plugins::WEATHER]).await;
    let asking = two_that_ask(&host).await;
    assert_ne!(asking[0].2.id, asking[1].2.id);
    let options = &asking[0].2.body["fields"][0]["options"];
    let value = |at: usize| {
        let option = &options[at];
        option.get("value").unwrap_or(option).clone()
    };
    let chosen = [value(0), value(1)];
    assert_ne!(chosen[0], chosen[1]);
    for (at, (session, turn, request)) in asking.into_iter().enumerate().rev() {
        assert_eq!(request.session, *session.id());
        let answered = session.answer(&request.id, chosen[at].clone()).await;
        answered.expect("it fits");
        let finished = turn.finish().await.expect("the store works");
        let (ask, result) = asked(&finished.items);
        assert_eq!(ask.call, request.call);
        let given = ask
            .values
            .as_ref()
            .and_then(|values| values.values().next());
        assert_eq!(given, Some(&chosen[at]));
        assert!(matches!(result, CallResult::Success { .. }), "{result:?}");
    }
}

#[tokio::test]
async fn of_several_calls_that_can_ask_only_one_runs_at_a_time() {
    let host = host(&[plugins::WEATHER, plugins::HELLO]).await;
    let both = calls([
        (
            "weather__forecast",
            json!({ "city": "Springfield", "days": 1 }),
        ),
        ("hello__greet", json!({ "name": "Ada" })),
        (
            "weather__show_forecast",
            json!({ "city": "Springfield", "days": 1 }),
        ),
    ]);
    let session = session(&host, vec![both]).await;
    let mut turn = session.turn("Springfield?").expect("begins");
    let queued = |session: &Session| {
        let items = session.items();
        let waits = items.iter().filter(|item| match &item.content {
            Content::Tool(tool) => matches!(&tool.result, CallResult::Pending { reason } if reason.as_str() == "queued"),
            _ => false,
        });
        waits.count()
    };
    for behind in [2, 0] {
        let request = waits(&mut turn).await;
        let waiting = host.store().pending().await.expect("the store works");
        assert_eq!(waiting, std::slice::from_ref(&request), "one at a time");
        assert_eq!(queued(&session), behind);
        session.skip(&request.id).await.expect("it waits");
    }
    turn.finish().await.expect("the store works");
}

#[tokio::test]
async fn a_call_may_wait_for_a_person_longer_than_its_time_limit() {
    // The same plugin with a time limit of one second instead of twelve. The test is about real time, so it
    // has to pass.
    let mut component = std::fs::read(plugins::ROGUE).expect("built by build.rs");
    let (usual, short) = (br#"wall-time = "12s""#, br#"wall-time = "1s" "#);
    let places: Vec<usize> = (0..component.len() - usual.len())
        .filter(|at| component[*at..].starts_with(usual))
        .collect();
    for at in places {
        component[at..at + usual.len()].copy_from_slice(short);
    }
    let host = host(&[]).await;
    let loaded = host.load_bytes(&component, "rogue").await;
    let wall = loaded.expect("loads").manifest().limits.wall_time;
    assert_eq!(wall, Duration::from_secs(1));
    let asking = calls([("rogue__ask_then_compute", json!({}))]);
    let session = session(&host, vec![asking]).await;
    let mut turn = session.turn("Go").expect("begins");
    let request = waits(&mut turn).await;
    tokio::time::sleep(wall + wall / 4).await;
    let answered = session.answer(&request.id, json!("Yes")).await;
    answered.expect("it still waits");
    let finished = turn.finish().await.expect("the store works");
    let (_, result) = asked(&finished.items);
    assert!(matches!(result, CallResult::Success { .. }), "{result:?}");
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_refused_and_can_be_given_again() {
    let host = host(&[]).await;
    let question = json!({ "prompt": "Your order?", "widgets": [
        { "type": "radio", "name": "size", "options": ["small", { "label": "large", "recommended": true }] },
        { "type": "checkbox", "name": "with", "options": ["milk", "salt, pepper"] },
    ] });
    let session = session(&host, asks(question)).await;
    let mut turn = session.turn("Ask me").expect("begins");
    let request = waits(&mut turn).await;
    let fields = request.body["fields"].as_array().map(Vec::len);
    assert_eq!(fields, Some(2), "all are shown");
    for wrong in [
        json!({}),
        json!({ "size": "", "with": ["milk"] }),
        json!({ "size": "huge", "with": ["milk"] }),
        json!({ "size": "small", "with": [] }),
        json!({ "size": "small", "with": ["milk", "honey"] }),
        json!("small"),
    ] {
        let refused = session.answer(&request.id, wrong.clone()).await;
        assert!(
            matches!(refused, Err(SettleError::InvalidAnswer(_))),
            "{wrong}: {refused:?}"
        );
    }
    let right = json!({ "size": "large", "with": ["milk", "salt, pepper"] });
    let answered = session.answer(&request.id, right.clone()).await;
    answered.expect("it still waits");
    let finished = turn.finish().await.expect("the store works");
    let (ask, result) = asked(&finished.items);
    assert_eq!(text(result), "size: large\nwith: milk, salt, pepper");
    assert_eq!(
        ask.values.clone().map(Value::Object),
        Some(right),
        "and apart"
    );
}

#[tokio::test]
async fn an_abandoned_question_is_read_back_as_cancelled() {
    let host = host(&[]).await;
    let session = session(&host, asks(json!({ "prompt": "Sure?" }))).await;
    let mut turn = session.turn("Ask me").expect("begins");
    let request = waits(&mut turn).await;
    session.cancel();
    let finished = turn.finish().await.expect("the store works");
    assert_eq!(finished.status, Status::Cancelled);
    let settings = Settings::new(Scripted::new([])).attended();
    let again = host.resume(session.id(), settings).await;
    let again = again.expect("it is there");
    assert_eq!(asked(&again.items()).0.state, AskState::Cancelled);
    let late = again.answer(&request.id, json!("Yes")).await;
    assert!(
        matches!(late, Err(SettleError::Settled(Reply::Withdrawn { .. }))),
        "{late:?}"
    );
}

#[tokio::test]
async fn a_skipped_question_is_not_an_answer_and_the_turn_continues() {
    // Not even where an option has the same text.
    let host = host(&[]).await;
    let question = json!({ "prompt": "Go on?", "widgets": [
        { "type": "buttons", "options": ["Skip", "Go"] },
    ] });
    let session = session(&host, asks(question)).await;
    let followed = turn(&session, "Ask me", Person::default()).await;
    assert_eq!(followed.status, Status::Done);
    let (ask, result) = asked(&followed.items);
    assert_eq!((&ask.state, &ask.response), (&AskState::Skipped, &None));
    assert!(matches!(result, CallResult::Error { .. }), "{result:?}");
}

#[tokio::test]
async fn a_model_cannot_ask_for_a_secret() {
    // The model would read the answer, and what it reads is stored.
    let host = host(&[]).await;
    let question = json!({ "prompt": "Password?", "widgets": [{ "type": "secret" }] });
    let session = session(&host, asks(question)).await;
    let followed = turn(&session, "Ask me", Person::default()).await;
    assert_eq!(followed.types(), ["tool", "text"]);
    let waits = |update: &Update| matches!(update, Update::Pending(_));
    assert!(!followed.updates.iter().any(waits), "nobody is asked");
}

//! Questions and approvals as cards, and streams that are closed.

use super::*;
use crate::gallery::EVERY;
use footlight::store::{SqliteStore, Store};
use footlight_tests::scripted_session::{Answer, process};
use std::path::Path;

/// Reads a stream until a card can be pressed, and the client may not cancel any more.
async fn until_asked(stream: &mut front_end::EventStream) -> Vec<Value> {
    stream
        .until(|event| event["stream_options"]["allow_cancel"] == false)
        .await
}

/// Returns the text of a call's result, which follows what the call has shown.
fn result_in(events: &[Value]) -> &str {
    let result = last_item(events, "widget");
    let id = result["id"].as_str().expect("an id");
    assert!(id.ends_with("_result"), "{events:#?}");
    result["copy_text"].as_str().expect("a text")
}

/// Each control, what is pressed, what is filled in, and what the plugin was told.
const CONTROLS: [(&str, &str, &str, &str); 10] = [
    ("ask_buttons", "The Seagull", "{}", "Told: \"play1\""),
    ("ask_confirm", "Yes", "{}", "Told: \"Yes\""),
    ("ask_select", "Answer", r#"{"f0":"1"}"#, "Told: \"play1\""),
    (
        "ask_radio",
        "Answer",
        r#"{"f0_other":"Lear"}"#,
        "Told: \"Lear\"",
    ),
    (
        "ask_checkbox",
        "Answer",
        r#"{"f0_0":true,"f0_1":false,"f0_3":true}"#,
        "Told: [\"play0\",\"play3\"]",
    ),
    ("ask_text", "Answer", r#"{"f0":"Ada"}"#, "Told: \"Ada\""),
    (
        "ask_textarea",
        "Answer",
        r#"{"f0":"Fine.\nLong."}"#,
        "Told: \"Fine.nLong.\"",
    ),
    ("ask_number", "Answer", r#"{"f0":"4"}"#, "Told: 4"),
    (
        "ask_date",
        "Answer",
        r#"{"f0":"2026-03-04"}"#,
        "Told: \"2026-03-04\"",
    ),
    (
        "ask_secret",
        "Answer",
        r#"{"f0":"hunter2"}"#,
        "Told 7 characters.",
    ),
];

#[tokio::test]
async fn each_control_of_a_question_is_answered_by_its_card() {
    for (tool, button, values, told) in CONTROLS {
        let running = calling(&format!("gallery__{tool}"), json!({})).await;
        let front = FrontEnd::new(&running);
        let mut stream = front.open(create(tool)).await;
        let asked = until_asked(&mut stream).await;
        let thread = thread_of(&asked);
        let card = last_item(&asked, "widget").clone();
        let action = action_labelled(&card["widget"], button);
        assert_eq!(action["streaming"], false, "{tool}");
        let values: Value = serde_json::from_str(values).expect("JSON");
        let settled = front
            .press_sync(&thread, &card, pressed(action, values))
            .await;
        assert!(
            settled["widget"].to_string().contains("answered"),
            "{settled}"
        );
        let rest = front.rest(stream).await;
        let replaced = rest
            .iter()
            .find(|event| event["type"] == "thread.item.replaced");
        assert_eq!(replaced.expect("replaced")["item"], settled, "{tool}");
        let result = result_in(&rest);
        // It is Markdown, in which some characters are escaped.
        assert_eq!(result.replace('\\', ""), told, "{tool}");
        let items = front.items(&thread).await;
        let listed = items
            .iter()
            .find(|it| it["id"] == card["id"])
            .expect("the card");
        assert_eq!(listed, &settled, "{tool}: read-only from then on");
        let all = serde_json::to_string(&(&asked, &rest, &items)).expect("JSON");
        assert!(!all.contains("hunter2"), "a secret is not recorded");
        running.stop().await;
        front.check();
    }
}

#[tokio::test]
async fn a_card_is_valid_whatever_a_plugin_asks() {
    let controls = CONTROLS.map(|(tool, ..)| tool);
    for (tools, button) in [
        (&[&controls[..], &["ask_all"]].concat(), "Skip"),
        (&vec!["dim", "strike"], "Deny"),
    ] {
        let cases = tools
            .iter()
            .flat_map(|tool| EVERY.map(|with| (*tool, with)));
        let cases: Vec<_> = cases.collect();
        let answers = cases.iter().flat_map(|(tool, with)| {
            let name = format!("gallery__{tool}");
            [calls([(&*name, json!({ "with": with }))]), says("Done.")]
        });
        let running = Running::start(answers.collect::<Vec<_>>()).await;
        let front = FrontEnd::new(&running);
        for (tool, with) in cases {
            let mut stream = front.open(create(tool)).await;
            let asked = until_asked(&mut stream).await;
            let (thread, card) = (thread_of(&asked), last_item(&asked, "widget").clone());
            let action = pressed(action_labelled(&card["widget"], button), json!({}));
            let settled = front.press_sync(&thread, &card, action).await;
            assert_eq!(settled["id"], card["id"], "{tool} {with}");
            front.rest(stream).await;
        }
        running.stop().await;
        front.check();
    }
}

#[tokio::test]
async fn a_form_with_several_fields_is_answered_or_skipped_once() {
    let running = calling("gallery__ask_all", json!({})).await;
    let front = FrontEnd::new(&running);
    let mut stream = front.open(create("all")).await;
    let asked = until_asked(&mut stream).await;
    let (thread, card) = (thread_of(&asked), last_item(&asked, "widget").clone());
    let answer = action_labelled(&card["widget"], "Answer");
    let request = |action: Value| {
        front_end::action_request("threads.sync_custom_action", &thread, &card, action)
    };
    // What does not fit is refused, and the question stays open.
    for values in [
        json!({}),
        json!({ "f0_0": true, "f1": "Ada", "f2": "no", "f4": "0" }),
    ] {
        let refused = front
            .refused(request(pressed(answer.clone(), values)))
            .await;
        assert_eq!(refused, (400, "invalid".to_owned()));
    }
    let values = json!({ "f0_0": true, "f1": "Ada", "f2": "3", "f3": "", "f4": "0" });
    front
        .press_sync(&thread, &card, pressed(answer, values))
        .await;
    let skip = pressed(action_labelled(&card["widget"], "Skip"), json!({}));
    assert_eq!(
        front.refused(request(skip)).await,
        (409, "conflict".to_owned())
    );
    let rest = front.rest(stream).await;
    assert_eq!(result_in(&rest), "3 seats for Ada.");
    let options: Vec<_> = rest
        .iter()
        .filter(|it| it["type"] == "stream_options")
        .collect();
    assert_eq!(
        options[0]["stream_options"]["allow_cancel"], true,
        "nothing waits any more"
    );
    running.stop().await;
    front.check();
}

#[tokio::test]
async fn an_approval_is_given_or_denied_by_its_card() {
    for (tool, button, verdict, runs) in [
        ("gallery__strike", "Approve once", "approved once", true),
        ("gallery__strike", "Deny", "denied", false),
        (
            "gallery__dim",
            "This session",
            "approved for this session",
            true,
        ),
    ] {
        let running = calling(tool, json!({})).await;
        let front = FrontEnd::new(&running);
        let mut stream = front.open(create(tool)).await;
        let asked = until_asked(&mut stream).await;
        let (thread, card) = (thread_of(&asked), last_item(&asked, "widget").clone());
        let words = card["widget"].to_string();
        let facts = words.find("\"fact0\"").expect("facts");
        assert!(
            words.find("quote0").is_none_or(|quote| facts < quote),
            "facts come first"
        );
        let listed = front.items(&thread).await;
        assert!(
            listed.contains(&card),
            "it is there after a reload: {listed:#?}"
        );

        // Somebody who may not approve sees no button, and the action does not help.
        let action = pressed(action_labelled(&card["widget"], button), json!({}));
        let user = FrontEnd::of(running.client(&running.user));
        let seen = user.items(&thread).await;
        let seen = seen
            .iter()
            .find(|it| it["id"] == card["id"])
            .expect("the card");
        assert!(!seen.to_string().contains("onClickAction"), "{seen}");
        for kind in ["threads.sync_custom_action", "threads.custom_action"] {
            let request = front_end::action_request(kind, &thread, &card, action.clone());
            match kind {
                "threads.custom_action" => {
                    let events = user.stream(request).await;
                    assert_eq!(kinds(&events), ["error"]);
                }
                _ => assert_eq!(user.refused(request).await, (403, "forbidden".to_owned())),
            }
        }
        user.check();
        let settled = front.press_sync(&thread, &card, action).await;
        assert!(settled["widget"].to_string().contains(verdict), "{settled}");
        assert!(!settled["widget"].to_string().contains("onClickAction"));
        let rest = front.rest(stream).await;
        let replaced = rest
            .iter()
            .find(|event| event["type"] == "thread.item.replaced");
        assert_eq!(replaced.expect("replaced")["item"], settled);
        let call = last_item(&rest, "workflow")["workflow"]["tasks"][0].clone();
        assert_eq!(call["status_indicator"] == "complete", runs, "{call}");
        let items = front.items(&thread).await;
        let listed = items
            .iter()
            .find(|it| it["id"] == card["id"])
            .expect("the card");
        assert_eq!(listed["widget"], settled["widget"]);
        running.stop().await;
        front.check();
    }
}

/// Runs what happens in one process: a server of its own, whose tasks end with it.
fn in_process<T>(
    folder: &Path,
    answers: impl IntoIterator<Item = Answer>,
    life: impl AsyncFnOnce(FrontEnd) -> (FrontEnd, T),
) -> T {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(folder).expect("opens"));
    process(&store, &[plugins::GALLERY], async |host| {
        let running = Running::over(host, answers).await;
        let (front, ended) = life(FrontEnd::new(&running)).await;
        running.stop().await;
        front.check();
        ended
    })
}

#[test]
fn an_approval_that_waits_is_given_by_its_card_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let answers = [calls([("gallery__strike", json!({}))])];
    let asked = in_process(folder.path(), answers, async |front| {
        let mut stream = front.open(create("strike")).await;
        let asked = until_asked(&mut stream).await;
        front.close(stream);
        (front, asked)
    });
    in_process(folder.path(), [says("It is gone.")], async |front| {
        let thread = thread_of(&asked);
        let items = front.items(&thread).await;
        let card = items.iter().find(|it| it["type"] == "widget");
        let card = card.expect("the card").clone();
        assert_eq!(&card, last_item(&asked, "widget"));
        // With the request that is answered with a stream, the client also sees what follows.
        let yes = pressed(action_labelled(&card["widget"], "Approve once"), json!({}));
        let events = front.press(&thread, &card, yes).await;
        let begun = ["stream_options", "thread.item.replaced widget"];
        assert_eq!(kinds(&events)[..2], begun);
        let said = last_item(&events, "assistant_message");
        assert_eq!(said["content"][0]["text"], "It is gone.");
        (front, ())
    });
}

#[tokio::test]
async fn a_closed_stream_cancels_only_while_nobody_is_waited_for() {
    let running = Running::start([Answer::Hangs("One moment".to_owned()), says("Hello.")]).await;
    let front = FrontEnd::new(&running);
    let mut stream = front.open(create("hang")).await;
    let events = stream
        .until(|event| event["update"]["delta"] == "One moment")
        .await;
    let thread = thread_of(&events);
    let mut live = running
        .client(&running.ada)
        .follow(&format!("/api/sessions/{thread}/events?after=0"))
        .await;
    front.close(stream);
    let seen = live.until("turn_finished").await;
    let (_, end) = seen.last().expect("an end");
    assert_eq!(end["status"], "cancelled");
    // What the person has seen is kept, and the thread goes on.
    let items = front.items(&thread).await;
    assert_eq!(items[1]["content"][0]["text"], "One moment");
    front.stream(say(&thread, "again")).await;
    running.stop().await;
    front.check();

    let running = calling("gallery__strike", json!({})).await;
    let front = FrontEnd::new(&running);
    let mut stream = front.open(create("strike")).await;
    let asked = until_asked(&mut stream).await;
    let (thread, card) = (thread_of(&asked), last_item(&asked, "widget").clone());
    let mut live = running
        .client(&running.ada)
        .follow(&format!("/api/sessions/{thread}/events?after=0"))
        .await;
    front.close(stream);
    let deny = pressed(action_labelled(&card["widget"], "Deny"), json!({}));
    front.press_sync(&thread, &card, deny).await;
    let seen = live.until("turn_finished").await;
    assert_eq!(seen.last().expect("an end").1["status"], "done");
    running.stop().await;
    front.check();
}

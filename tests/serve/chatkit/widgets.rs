//! Widgets: trees that the official types accept, live ones, and presses in them.

use super::*;
use crate::attackers::{Answer as Returns, Attacker, Tool};
use crate::gallery::EVERY;
use footlight::model::{Finished, ModelPart, ToolCall};
use front_end::action_request;

#[tokio::test]
async fn a_live_widget_is_sent_as_what_has_changed() {
    // Changes that come faster than ten a second are joined.
    let running = calling("gallery__live", json!({ "pause": 150 })).await;
    let front = FrontEnd::new(&running);
    let events = front.stream(create("live")).await;
    let seen = kinds(&events);
    let added = seen.iter().position(|it| it == "thread.item.added widget");
    let added = added.unwrap_or_else(|| panic!("a widget is added: {seen:#?}"));
    let done = seen.iter().position(|it| it == "thread.item.done widget");
    assert!(done.is_some_and(|done| done > added), "{seen:#?}");
    assert!(seen.contains(&"progress_update".to_owned()), "{seen:#?}");
    assert!(seen.contains(&"thread.item.added workflow".to_owned()));
    assert!(seen.contains(&"thread.item.done workflow".to_owned()));

    let updated = |it: &String| it.starts_with("thread.item.updated widget.");
    assert!(seen.iter().any(updated), "{seen:#?}");

    // Whoever applies the updates has the widget that is stored.
    let id = &events[added]["item"]["id"];
    let mut tree = events[added]["item"]["widget"].clone();
    for event in &events[added..done.expect("done")] {
        if &event["item_id"] != id {
            continue;
        }
        let update = &event["update"];
        match update["type"].as_str() {
            Some("widget.root.updated") => tree = update["widget"].clone(),
            Some("widget.streaming_text.value_delta") => {
                let children = tree["children"].as_array_mut().expect("a list");
                let mut texts = children
                    .iter_mut()
                    .filter(|it| it["id"] == update["component_id"]);
                let value = &mut texts.next().expect("a text")["value"];
                let delta = update["delta"].as_str().expect("a delta");
                *value = format!("{}{delta}", value.as_str().expect("a text")).into();
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(tree, events[done.expect("done")]["item"]["widget"]);
    let items = front.items(&thread_of(&events)).await;
    assert!(items.iter().any(|it| it["widget"] == tree), "{items:#?}");
    running.stop().await;
    front.check();
}

#[tokio::test]
async fn whatever_a_plugin_shows_is_valid_for_the_official_types() {
    let gallery = crate::gallery::Gallery::open().await;
    // What asks is answered by cards, in another test.
    let tools = gallery.tools().into_iter();
    let tools: Vec<String> = tools
        .filter(|it| !it.starts_with("ask_") && it != "dim" && it != "strike")
        .collect();
    assert!(tools.len() > 40, "{tools:?}");
    let call = |(n, tool): (usize, &String), with: &str| {
        let mut input = json!({ "with": with });
        if tool == "live" {
            input["pause"] = 0.into();
        }
        let name = format!("gallery__{tool}");
        ModelPart::Call(ToolCall::new(format!("m{n}"), name, input.to_string()))
    };
    let mut answers = Vec::new();
    for with in EVERY {
        for tools in tools.chunks(8) {
            let calls = tools.iter().enumerate().map(|tool| call(tool, with));
            answers.push(Answer::Says(Finished::new(calls.collect())));
            answers.push(says("Done."));
        }
    }
    let turns = answers.len() / 2;
    let running = Running::start(answers).await;
    let front = FrontEnd::new(&running);
    let mut widgets = 0;
    for turn in 0..turns {
        let events = front.stream(create(&turn.to_string())).await;
        let shown = events
            .iter()
            .filter(|event| event["item"]["type"] == "widget");
        widgets += shown.count();
        let errors = events.iter().filter(|event| event["type"] == "error");
        assert_eq!(errors.count(), 0, "{turn}: {events:#?}");
        // What was streamed is what is read later.
        let listed = front.items(&thread_of(&events)).await;
        let done = events
            .iter()
            .filter(|event| event["type"] == "thread.item.done");
        let mut done: Vec<&Value> = done.map(|event| &event["item"]).collect();
        let mut listed: Vec<&Value> = listed.iter().collect();
        for items in [&mut done, &mut listed] {
            items.sort_by_key(|item| item["id"].to_string());
        }
        assert_eq!(done, listed, "{turn}");
    }
    assert!(widgets > tools.len() * EVERY.len() / 2, "{widgets}");
    running.stop().await;
    front.check();
}

#[tokio::test]
async fn a_widget_without_a_tree_is_a_card_with_its_words() {
    for (tool, words) in [
        ("free", ""),
        ("unfitting", "A play, in words"),
        ("malformed", ""),
    ] {
        let running = calling(&format!("gallery__{tool}"), json!({ "with": "ordinary" })).await;
        let front = FrontEnd::new(&running);
        let events = front.stream(create(tool)).await;
        let widget = &last_item(&events, "widget")["widget"];
        assert_eq!(
            widget["children"].as_array().map(Vec::len),
            Some(1),
            "{tool}: {widget}"
        );
        let text = widget["children"][0]["value"].as_str().expect("a text");
        assert!(!text.is_empty() && text.contains(words), "{tool}: {text}");
        let has_notice = events.iter().any(|event| event["type"] == "notice");
        assert_eq!(has_notice, tool == "malformed", "{tool}: {events:#?}");
        running.stop().await;
        front.check();
    }
}

#[tokio::test]
async fn a_tree_that_a_tool_returns_is_a_widget_with_its_text_to_copy() {
    let tree =
        json!({ "type": "Card", "children": [{ "type": "Text", "value": "Three flights" }] });
    let returned = json!({ "structured_content": tree, "copy_text": "Copied" });
    let component = Attacker {
        tools: vec![Tool::named("attack")],
        answer: Returns::Outcome("structured".into(), returned.to_string(), None, None),
        ..Attacker::default()
    };
    let host = builder().build().expect("builds");
    let loaded = host.load_bytes(&component.component(), "p0").await;
    loaded.expect("it is well formed");
    let running = Running::over(host, [calls([("p0__attack", json!({}))]), says("Done.")]).await;
    let front = FrontEnd::new(&running);
    let events = front.stream(create("flights")).await;
    let items = front.items(&thread_of(&events)).await;
    let shown: Vec<_> = items.iter().filter(|it| it["type"] == "widget").collect();
    assert_eq!(shown.len(), 1, "the tree is the result: {items:#?}");
    assert_eq!(shown[0]["copy_text"], "Copied");
    assert_eq!(shown[0]["widget"]["children"][0]["value"], "Three flights");
    running.stop().await;
    front.check();
}

#[tokio::test]
async fn a_press_replaces_its_widget_and_a_stale_one_is_told() {
    let answers = [
        calls([("gallery__card", json!({}))]),
        says("Done."),
        says("The second act is on."),
        says("Somebody fell."),
    ];
    let running = Running::start(answers).await;
    let front = FrontEnd::new(&running);
    let events = front.stream(create("card")).await;
    let thread = thread_of(&events);
    let card = last_item(&events, "widget").clone();
    let next = pressed(action_labelled(&card["widget"], "Go on"), json!({}));
    let events = front.press(&thread, &card, next.clone()).await;
    assert_eq!(events[0]["type"], "stream_options");
    let replaced = events
        .iter()
        .find(|event| event["type"] == "thread.item.replaced");
    let replaced = &replaced.unwrap_or_else(|| panic!("replaced: {events:#?}"))["item"];
    assert_eq!(
        (&replaced["id"], &replaced["created_at"]),
        (&card["id"], &card["created_at"])
    );
    assert!(
        replaced["widget"].to_string().contains("Act 2 of 5"),
        "{replaced}"
    );

    // The model answers in the same turn.
    let said = &last_item(&events, "assistant_message")["content"][0]["text"];
    assert_eq!(said, "The second act is on.");

    // The card that was there before is not there any more: the person is told, and sees the new one.
    let stale = front.press(&thread, &card, next).await;
    assert_eq!(kinds(&stale), ["thread.item.replaced widget", "error"]);
    assert_eq!(&stale[0]["item"], replaced);
    assert_eq!(stale[1]["allow_retry"], false);
    let fall = pressed(action_labelled(&replaced["widget"], "Fall"), json!({}));
    let failed = front.press(&thread, replaced, fall).await;
    let task = &last_item(&failed, "workflow")["workflow"]["tasks"][0];
    assert_eq!(task["status_indicator"], "none");
    let reason = task["content"].as_str().expect("a reason");
    assert!(reason.contains("fell off the stage"), "{reason}");
    let said = &last_item(&failed, "assistant_message")["content"][0]["text"];
    assert_eq!(said, "Somebody fell.");
    let items = front.items(&thread).await;
    let after = items
        .iter()
        .find(|it| it["id"] == card["id"])
        .expect("the card");
    assert!(
        after["widget"].to_string().contains("Act 2 of 5"),
        "a failed press changes nothing"
    );
    // Without the model, the person is told that it failed.
    let fall = pressed(action_labelled(&after["widget"], "Fall"), json!({}));
    let request = action_request("threads.sync_custom_action", &thread, after, fall);
    assert_eq!(front.refused(request).await, (409, "conflict".to_owned()));
    running.stop().await;
    front.check();
}

#[tokio::test]
async fn a_form_is_submitted_with_its_values_and_asks_no_model() {
    let running = calling("gallery__card", json!({})).await;
    let front = FrontEnd::new(&running);
    let events = front.stream(create("card")).await;
    let thread = thread_of(&events);
    let card = last_item(&events, "widget").clone();
    let note = action_labelled(&card["widget"], "Take a note");
    let values = json!({ "words": "Exit, pursued by a bear", "mail": true, "rights": "all" });
    let updated = front
        .press_sync(&thread, &card, pressed(note, values))
        .await;
    assert_eq!(updated["id"], card["id"]);
    let form = &updated["widget"]["children"][3];
    assert_eq!(
        form["children"][0]["defaultValue"],
        "Exit, pursued by a bear"
    );
    assert_eq!(form["children"][1]["defaultChecked"], true);
    let items = front.items(&thread).await;
    let texts = items.iter().filter(|it| it["type"] == "assistant_message");
    assert_eq!(texts.count(), 1, "no model was asked: {items:#?}");
    let mut result = items
        .iter()
        .filter(|it| it["id"].as_str().is_some_and(|id| id.ends_with("_result")));
    let result = result.next_back().expect("a result").to_string();
    assert!(result.contains("is noted and sent"), "{result}");
    running.stop().await;
    front.check();
}

#[tokio::test]
async fn an_action_that_no_widget_of_the_thread_has_runs_nothing() {
    let running = calling("gallery__card", json!({})).await;
    let front = FrontEnd::new(&running);
    let events = front.stream(create("card")).await;
    let thread = thread_of(&events);
    let card = last_item(&events, "widget").clone();
    let id = card["id"].as_str().expect("an id");
    let other = last_item(&events, "assistant_message").clone();
    let token = |token: &str| json!({ "type": "press", "payload": { "token": token } });
    let good = pressed(action_labelled(&card["widget"], "Go on"), json!({}));
    for (item, action, code) in [
        (
            &card,
            json!({ "type": "submit", "payload": good["payload"] }),
            "invalid",
        ),
        (&card, json!({ "type": "press" }), "invalid"),
        (&card, token("nonsense"), "invalid"),
        (
            &card,
            token("widget itm_0 0 children[2].children[0].onClickAction"),
            "invalid",
        ),
        (&other, good.clone(), "invalid"),
        (
            &json!({}),
            token(&format!("widget {id} 0 nowhere")),
            "invalid",
        ),
        (&json!({}), token("widget itm_0 0 nowhere"), "conflict"),
        (&json!({}), token("skip itm_0"), "not_found"),
        (&json!({}), token("decide call_0_v1 once"), "not_found"),
    ] {
        let request = action_request("threads.sync_custom_action", &thread, item, action);
        assert_eq!(front.refused(request.clone()).await.1, code, "{request}");
    }
    let before = front.items(&thread).await;
    assert_eq!(
        before.iter().filter(|it| it["type"] == "workflow").count(),
        1
    );
    running.stop().await;
    front.check();
}

#[tokio::test]
async fn a_press_is_streamed_while_its_call_runs() {
    let running = calling("gallery__card", json!({})).await;
    let front = FrontEnd::new(&running);
    let events = front.stream(create("card")).await;
    let thread = thread_of(&events);
    let card = last_item(&events, "widget").clone();
    let whisper = pressed(action_labelled(&card["widget"], "Prompt"), json!({}));
    let request = action_request("threads.custom_action", &thread, &card, whisper);
    let mut stream = front.open(request).await;
    let asks = |event: &Value| event["stream_options"]["allow_cancel"] == false;
    let events = stream.until(asks).await;
    let call = events.iter().find(|it| it["type"] == "thread.item.added");
    let task = &call.expect("a call")["item"]["workflow"]["tasks"][0];
    assert_eq!(
        (&task["title"], &task["status_indicator"]),
        (&json!("gallery.prompt"), &json!("loading"))
    );
    let replaced = events
        .iter()
        .find(|it| it["type"] == "thread.item.replaced");
    assert_eq!(replaced.expect("a new card")["item"]["id"], card["id"]);
    let question = last_item(&events, "widget").clone();
    let yes = pressed(action_labelled(&question["widget"], "Yes"), json!({}));
    front.press_sync(&thread, &question, yes).await;
    let rest = front.rest(stream).await;
    let task = &last_item(&rest, "workflow")["workflow"]["tasks"][0];
    assert_eq!(task["status_indicator"], "complete");
    last_item(&rest, "assistant_message");
    running.stop().await;
    front.check();
}

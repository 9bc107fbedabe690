//! Threads: messages, pages, titles, feedback, and who may see them.

use super::*;
use footlight::model::{ModelError, ModelErrorKind};
use footlight::store::Bucket;

/// The order of frames and members of the official server, from its transcript.
#[tokio::test]
async fn a_message_is_answered_with_the_events_of_the_official_server() {
    let running = Running::start([says("Hello *you*."), says("Again.")]).await;
    let front = FrontEnd::new(&running);
    let events = front.stream(create("hi")).await;
    let part = |what: &str| format!("thread.item.updated assistant_message.content_part.{what}");
    let written = [
        "thread.item.added assistant_message".to_owned(),
        part("added"),
        part("text_delta"),
        part("done"),
        "thread.item.done assistant_message".to_owned(),
    ];
    let begun = [
        "thread.created",
        "thread.item.done user_message",
        "stream_options",
        "thread.updated",
    ];
    let expected: Vec<String> = begun
        .map(str::to_owned)
        .into_iter()
        .chain(written.clone())
        .collect();
    assert_eq!(kinds(&events), expected);
    let thread = thread_of(&events);
    let created = &events[0]["thread"];
    assert_eq!(created["status"], json!({ "type": "active" }));
    assert_eq!(created["metadata"], json!({}));
    assert_eq!(created["items"], json!({ "data": [], "has_more": false }));
    assert_eq!(created.get("title"), None);
    assert_eq!(events[3]["thread"]["title"], "hi");
    let message = &events[1]["item"];
    assert_eq!(message["thread_id"], thread.as_str());
    assert_eq!(
        message["content"],
        json!([{ "type": "input_text", "text": "hi" }])
    );
    assert_eq!(
        (&message["attachments"], &message["inference_options"]),
        (&json!([]), &json!({}))
    );
    assert_eq!(events[2]["stream_options"], json!({ "allow_cancel": true }));
    let answer = last_item(&events, "assistant_message");
    assert_eq!(
        answer["content"],
        json!([{ "type": "output_text", "text": "Hello *you*.", "annotations": [] }])
    );

    let again = front.stream(say(&thread, "and now?")).await;
    let expected: Vec<String> = begun[1..3]
        .iter()
        .map(|it| (*it).to_owned())
        .chain(written)
        .collect();
    assert_eq!(kinds(&again), expected);

    // What was streamed is what is read later, under the same ids.
    let items = front.items(&thread).await;
    let streamed: Vec<&Value> = events
        .iter()
        .chain(&again)
        .filter(|it| it["type"] == "thread.item.done")
        .map(|it| &it["item"])
        .collect();
    assert_eq!(items.iter().collect::<Vec<_>>(), streamed);
    running.stop().await;
    front.check();
}

#[tokio::test]
async fn threads_and_items_are_listed_in_pages_both_ways() {
    let running = Running::start((0..5).map(|n| says(&n.to_string()))).await;
    let front = FrontEnd::new(&running);
    let mut threads = Vec::new();
    for n in 0..3 {
        threads.push(thread_of(&front.stream(create(&n.to_string())).await));
    }
    for words in ["four", "five"] {
        front.stream(say(&threads[2], words)).await;
    }
    let items = front.items(&threads[2]).await;
    assert_eq!(items.len(), 6);
    for (kind, list, params, all) in [
        ("threads", "threads.list", json!({}), threads.clone()),
        (
            "items",
            "items.list",
            json!({ "thread_id": threads[2] }),
            items
                .iter()
                .map(|it| it["id"].as_str().expect("an id").to_owned())
                .collect(),
        ),
    ] {
        for order in ["asc", "desc"] {
            let mut expected = all.clone();
            if order == "desc" {
                expected.reverse();
            }
            let (mut found, mut after) = (Vec::new(), Value::Null);
            loop {
                let mut params = params.clone();
                params["limit"] = 2.into();
                params["order"] = order.into();
                params["after"] = after;
                let page = front
                    .json(kind, json!({ "type": list, "params": params }))
                    .await;
                let data = page["data"].as_array().expect("a list").clone();
                assert!((1..=2).contains(&data.len()));
                found.extend(
                    data.iter()
                        .map(|it| it["id"].as_str().expect("an id").to_owned()),
                );
                match page["has_more"] == true {
                    true => assert_eq!(page["after"], found.last().expect("one").as_str()),
                    false => {
                        assert_eq!(page.get("after"), None);
                        break;
                    }
                }
                after = page["after"].clone();
            }
            assert_eq!(found, expected, "{list} {order}");
        }
    }
    let whole = front
        .json("thread", about("threads.get_by_id", &threads[2]))
        .await;
    assert_eq!(whole["items"]["data"].as_array(), Some(&items));
    assert_eq!(whole["title"], "2");
    let params = json!({ "thread_id": threads[2], "after": "turn_0" });
    let lost = front
        .refused(json!({ "type": "items.list", "params": params }))
        .await;
    assert_eq!(lost, (404, "not_found".to_owned()));
    running.stop().await;
    front.check();
}

#[tokio::test]
async fn a_thread_is_renamed_judged_and_deleted() {
    let host = builder().build().expect("builds");
    let store = Arc::clone(host.store());
    let running = Running::over(host, [says("Hello.")]).await;
    let front = FrontEnd::new(&running);
    let events = front.stream(create("hi")).await;
    let thread = thread_of(&events);
    let params = json!({ "thread_id": thread, "title": "New" });
    let renamed = front
        .json(
            "thread",
            json!({ "type": "threads.update", "params": params }),
        )
        .await;
    assert_eq!(renamed["title"], "New");

    let item = last_item(&events, "assistant_message")["id"].clone();
    let judge = |ids: Value, kind: &str| {
        let params = json!({ "thread_id": thread, "item_ids": ids, "kind": kind });
        json!({ "type": "items.feedback", "params": params })
    };
    for kind in ["positive", "negative"] {
        front.json("void", judge(json!([item]), kind)).await;
    }
    let bucket = Bucket::of_session("ada", "chatkit.feedback", &thread.as_str().into());
    let kept = store.state(&bucket, item.as_str().expect("an id")).await;
    assert_eq!(
        kept.expect("the store works").as_deref(),
        Some("\"negative\"")
    );
    for (request, code) in [
        (judge(json!([item, "itm_0"]), "positive"), "not_found"),
        (judge(json!([item]), "great"), "invalid"),
        (judge(vec![item.clone(); 101].into(), "positive"), "invalid"),
    ] {
        assert_eq!(front.refused(request).await.1, code);
    }
    let params = json!({ "thread_id": thread, "title": " " });
    let blank = front
        .refused(json!({ "type": "threads.update", "params": params }))
        .await;
    assert_eq!(blank.1, "invalid");

    front.json("void", about("threads.delete", &thread)).await;
    let gone = front.refused(about("threads.get_by_id", &thread)).await;
    assert_eq!(gone, (404, "not_found".to_owned()));
    let kept = store.state(&bucket, item.as_str().expect("an id")).await;
    assert_eq!(
        kept.expect("the store works"),
        None,
        "it is deleted with the thread"
    );
    running.stop().await;
    front.check();
}

#[tokio::test]
async fn a_model_that_fails_is_an_error_that_can_be_retried() {
    let error = ModelError::new(ModelErrorKind::Unreachable, "the model does not answer");
    let failing = footlight_tests::scripted_session::Answer::Fails(error);
    let running = Running::start([failing, says("Hello.")]).await;
    let front = FrontEnd::new(&running);
    let events = front.stream(create("hi")).await;
    let error = events
        .iter()
        .find(|event| event["type"] == "error")
        .expect("an error");
    assert_eq!(
        (&error["code"], &error["allow_retry"]),
        (&json!("stream.error"), &json!(true))
    );
    // The thread can be talked to afterwards.
    let again = front.stream(say(&thread_of(&events), "once more")).await;
    assert_eq!(
        last_item(&again, "assistant_message")["content"][0]["text"],
        "Hello."
    );
    running.stop().await;
    front.check();
}

#[tokio::test]
async fn a_message_that_is_answered_again_keeps_its_id_and_loses_what_followed() {
    let answers = ["One.", "Two.", "Three.", "Four."].map(says);
    let running = Running::start(answers).await;
    let front = FrontEnd::new(&running);
    let first = front.stream(create("count")).await;
    let thread = thread_of(&first);
    let message = first[1]["item"].clone();
    let second = front.stream(say(&thread, "and on")).await;
    let params = json!({ "thread_id": thread, "item_id": message["id"] });
    let retry = json!({ "type": "threads.retry_after_item", "params": params });
    // Twice: the second time it is a retry of a retry.
    for said in ["Three.", "Four."] {
        let events = front.stream(retry.clone()).await;
        assert_eq!(events[0]["type"], "stream_options");
        assert!(!kinds(&events).contains(&"thread.item.done user_message".to_owned()));
        let removed = events
            .iter()
            .filter(|it| it["type"] == "thread.item.removed");
        let removed: Vec<&Value> = removed.map(|it| &it["item_id"]).collect();
        if said == "Three." {
            let gone = [
                &second[0],
                second.last().expect("one"),
                first.last().expect("one"),
            ];
            for item in gone {
                assert!(
                    removed.contains(&&item["item"]["id"]),
                    "{item}: {removed:?}"
                );
            }
        }
        assert_eq!(
            last_item(&events, "assistant_message")["content"][0]["text"],
            said
        );
        let items = front.items(&thread).await;
        assert_eq!(items.len(), 2, "{items:#?}");
        assert_eq!(items[0]["id"], message["id"]);
        assert_eq!(items[1]["content"][0]["text"], said);
    }
    for wrong in [json!("turn_0"), second[0]["item"]["id"].clone()] {
        let mut request = retry.clone();
        request["params"]["item_id"] = wrong;
        assert_eq!(front.refused(request).await, (404, "not_found".to_owned()));
    }
    running.stop().await;
    front.check();
}

#[tokio::test]
async fn what_is_not_there_foreign_or_malformed_is_refused() {
    let running = Running::start([says("Hello.")]).await;
    let front = FrontEnd::new(&running);
    let thread = thread_of(&front.stream(create("hi")).await);
    let bob = FrontEnd::of(running.client(&running.bob));
    let token = json!({ "type": "press", "payload": { "token": "widget itm_1 0 x" } });
    let requests = |thread: &str| {
        let with = |more: Value| {
            let mut params = json!({ "thread_id": thread });
            let more = more.as_object().expect("an object").clone();
            params.as_object_mut().expect("an object").extend(more);
            params
        };
        [
            ("threads.get_by_id", with(json!({}))),
            (
                "threads.add_user_message",
                with(json!({ "input": message("hi") })),
            ),
            (
                "threads.add_client_tool_output",
                with(json!({ "result": 1 })),
            ),
            (
                "threads.add_structured_input",
                with(json!({ "item_id": "si_1", "input": {} })),
            ),
            (
                "threads.retry_after_item",
                with(json!({ "item_id": "turn_0" })),
            ),
            ("threads.custom_action", with(json!({ "action": token }))),
            (
                "threads.sync_custom_action",
                with(json!({ "action": token })),
            ),
            ("threads.update", with(json!({ "title": "Mine" }))),
            ("threads.delete", with(json!({}))),
            ("items.list", with(json!({}))),
            (
                "items.feedback",
                with(json!({ "item_ids": [], "kind": "positive" })),
            ),
        ]
        .map(|(kind, params)| json!({ "type": kind, "params": params }))
    };
    for (foreign, unknown) in requests(&thread).into_iter().zip(requests("ses_0")) {
        let not_found = (404, "not_found".to_owned());
        assert_eq!(bob.refused(foreign.clone()).await, not_found, "{foreign}");
        assert_eq!(bob.refused(unknown.clone()).await, not_found, "{unknown}");
    }
    for request in requests("../x") {
        assert_eq!(front.refused(request).await.0, 404);
    }
    assert_eq!(
        bob.json("threads", json!({ "type": "threads.list", "params": {} }))
            .await["data"],
        json!([])
    );

    let mut with_file = create("hi");
    with_file["params"]["input"]["attachments"] = json!(["file_1"]);
    let mut with_model = create("hi");
    with_model["params"]["input"]["inference_options"] = json!({ "model": "other" });
    let attachment = json!({ "name": "a", "size": 1, "mime_type": "text/plain" });
    let speech = json!({ "audio_base64": "", "mime_type": "audio/webm" });
    for (request, status, code) in [
        (with_file, 501, "unsupported"),
        (with_model, 501, "unsupported"),
        (
            json!({ "type": "attachments.create", "params": attachment }),
            501,
            "unsupported",
        ),
        (
            json!({ "type": "attachments.delete", "params": { "attachment_id": "a" } }),
            501,
            "unsupported",
        ),
        (
            json!({ "type": "input.transcribe", "params": speech }),
            501,
            "unsupported",
        ),
        (requests(&thread)[2].clone(), 501, "unsupported"),
        (requests(&thread)[3].clone(), 501, "unsupported"),
        (create(" "), 400, "invalid"),
        (create(&"x".repeat(300 << 10)), 413, "too_large"),
        (json!({}), 400, "invalid"),
        (json!({ "type": "threads.list" }), 400, "invalid"),
        (
            json!({ "type": "threads.burn", "params": {} }),
            400,
            "invalid",
        ),
        (
            json!({ "type": "threads.list", "params": { "limit": -1 } }),
            400,
            "invalid",
        ),
        (
            json!({ "type": "threads.list", "params": { "order": "up" } }),
            400,
            "invalid",
        ),
    ] {
        assert_eq!(
            front.refused(request.clone()).await,
            (status, code.to_owned()),
            "{request}"
        );
    }
    running.stop().await;
    front.check();
}

#[tokio::test]
async fn a_front_end_names_the_key_of_its_domain_if_one_is_required() {
    let host = builder().build().expect("builds");
    let running = Running::with(host, Scripted::new([]), |server| {
        server.chatkit_domain_key("dk_1")
    })
    .await;
    let list = json!({ "type": "threads.list", "params": {} }).to_string();
    for path in ["/chatkit", "/api/chatkit"] {
        for (headers, status) in [
            (vec![], 403),
            (vec!["X-ChatKit-Domain-Key: dk_2"], 403),
            (
                vec!["X-ChatKit-Domain-Key: dk_1", "X-ChatKit-Domain-Key: dk_1"],
                403,
            ),
            (vec!["X-ChatKit-Domain-Key: dk_1"], 200),
        ] {
            let client = running.client(&running.ada);
            let client = headers
                .iter()
                .fold(client, |client, header| client.with(*header));
            assert_eq!(client.post(path, &list).await.status, status, "{headers:?}");
            // The key alone is nobody's.
            let nobody = Client::new(running.address, None);
            let nobody = headers
                .iter()
                .fold(nobody, |client, header| client.with(*header));
            assert_eq!(nobody.post(path, &list).await.status, 401);
        }
    }
    running.stop().await;
}

#[tokio::test]
async fn reasoning_is_a_workflow_with_a_thought() {
    let error = ModelError::new(ModelErrorKind::Refused, "no");
    let running = Running::start([
        reasons(
            "First **one**, then ![x](https://evil.example/).",
            says("Done."),
        ),
        reasons("In vain.", Answer::Fails(error)),
    ])
    .await;
    let front = FrontEnd::new(&running);
    let events = front.stream(create("think")).await;
    let seen = kinds(&events);
    let at = |what: &str| {
        seen.iter()
            .position(|it| it == what)
            .unwrap_or_else(|| panic!("{what}: {seen:#?}"))
    };
    let added = at("thread.item.added workflow");
    assert!(added < at("thread.item.updated workflow.task.updated"));
    assert!(
        at("thread.item.updated workflow.task.updated") < at("thread.item.added assistant_message")
    );
    assert_eq!(
        events[added]["item"]["workflow"]["tasks"][0]["status_indicator"],
        "loading"
    );
    let workflow = &last_item(&events, "workflow")["workflow"];
    assert_eq!(workflow["type"], "reasoning");
    assert_eq!(workflow["summary"], json!({ "duration": 0 }));
    let task = &workflow["tasks"][0];
    assert_eq!(
        (&task["type"], &task["status_indicator"]),
        (&json!("thought"), &json!("complete"))
    );
    let content = task["content"].as_str().expect("text");
    assert!(content.starts_with("First **one**, then "), "{content}");
    assert!(!content.contains("!["), "{content}");

    // What is read later is in the same order, and a step that failed leaves nothing.
    let thread = thread_of(&events);
    let events = front.stream(say(&thread, "again")).await;
    let seen = kinds(&events);
    let removed = seen
        .iter()
        .filter(|it| it.starts_with("thread.item.removed"));
    assert_eq!(removed.count(), 1, "{seen:#?}");
    let items = front.items(&thread).await;
    let types: Vec<&str> = items
        .iter()
        .filter_map(|item| item["type"].as_str())
        .collect();
    assert_eq!(
        types[..3],
        ["user_message", "workflow", "assistant_message"]
    );
    running.stop().await;
    front.check();
}

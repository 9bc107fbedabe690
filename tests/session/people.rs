//! A session and the person: approvals, questions, nobody to ask, and cancelling.

use super::*;

async fn session_with_gallery(model: &Scripted) -> Session {
    let plugins = [&ALL[..], &[plugins::GALLERY]].concat();
    let settings = Settings::new(model.clone()).attended();
    let session = host(&plugins).await.session(settings).await;
    session.expect("a session")
}

#[tokio::test]
async fn a_tool_that_needs_approval_shows_nothing_before_it_is_approved() {
    let model = Scripted::new([
        calls([("todo__add", json!({ "title": "milk" }))]),
        calls([
            ("gallery__strike", json!({ "with": "cjk" })),
            ("todo__list", json!({})),
        ]),
    ]);
    let session = session_with_gallery(&model).await;
    let person = Person {
        verdicts: vec![Verdict::Once],
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
        .position(|update| matches!(update, Update::Pending(_)));
    let before = &followed.updates[..waits.expect("it asks")];
    let asked_for = before.iter().filter_map(|update| match update {
        Update::Event(event) => match &event.what {
            EventBody::Put { item, .. } => Some(item),
            _ => None,
        },
        _ => None,
    });
    let widgets =
        asked_for.filter(|item| item.position.step == 2 && item.content.type_name() == "widget");
    assert_eq!(widgets.count(), 0);
    let Some(Update::Pending(request)) = followed
        .updates
        .iter()
        .find(|update| matches!(update, Update::Pending(_)))
    else {
        panic!("it asks");
    };
    assert_eq!(request.kind, RequestKind::Approval);
    assert!(
        request.body.to_string().contains("cjk"),
        "the real input is shown"
    );
    let receipt = followed.items.iter().find_map(|item| match &item.content {
        Content::Tool(tool) if tool.function == "gallery.strike" => tool.verdict.clone(),
        _ => None,
    });
    assert_eq!(receipt.map(|receipt| receipt.decision), Some(Verdict::Once));
}

#[tokio::test]
async fn a_denied_call_does_not_run_and_the_model_is_told() {
    // One is asked about before it runs, the other requests approval while it runs.
    for (tool, input, told) in [
        ("gallery__strike", json!({}), "Rejected by user"),
        (
            "todo__clear",
            json!({ "what": "everything" }),
            "the person said no",
        ),
    ] {
        let model = Scripted::new([
            calls([("todo__add", json!({ "title": "milk" }))]),
            calls([(tool, input)]),
            calls([("todo__list", json!({}))]),
        ]);
        let session = session_with_gallery(&model).await;
        let followed = turn(&session, "Clear everything", Person::default()).await;
        let results = tools(&followed.items);
        assert_eq!(code(results[1].1), Some("denied"));
        let widgets = followed
            .items
            .iter()
            .filter(|item| item.position.step == 2 && item.content.type_name() == "widget");
        assert_eq!(widgets.count(), 0, "{tool}");
        let sent = model.sent();
        assert!(read(&sent[2])[0].1.contains(told), "{:?}", read(&sent[2]));
        assert!(read(&sent[3])[0].1.contains("milk"), "nothing was deleted");
    }
}

#[tokio::test]
async fn the_first_verdict_counts_and_unknown_ids_harm_nothing() {
    let model = Scripted::new([
        calls([("todo__add", json!({ "title": "milk" }))]),
        calls([("todo__clear", json!({ "what": "everything" }))]),
    ]);
    let session = session(&model).await;
    let mut turn = session.turn("Clear").expect("begins");
    let mut seen = 0;
    while let Some(update) = turn.next().await {
        match update.expect("the store works") {
            Update::Pending(request) => {
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
            Update::Event(event) if matches!(event.what, EventBody::TurnFinished { .. }) => break,
            _ => {}
        }
    }
    assert_eq!(seen, 1);
    assert_eq!(code(tools(&session.items())[1].1), Some("denied"));
}

#[tokio::test]
async fn a_plugin_asks_and_continues_with_the_answer() {
    let model = Scripted::new([calls([(
        "weather__forecast",
        json!({ "city": "Springfield", "days": 1 }),
    )])]);
    let session = session(&model).await;
    let mut turn = session.turn("Springfield?").expect("begins");
    let mut answered = None;
    while let Some(update) = turn.next().await {
        match update.expect("the store works") {
            Update::Pending(request) => {
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
            Update::Event(event) if matches!(event.what, EventBody::TurnFinished { .. }) => break,
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
                .any(|update| matches!(update, Update::Pending(_)))
        );
    }
}

#[tokio::test]
async fn nobody_to_ask_is_a_failure_and_never_an_approval() {
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
            .any(|update| matches!(update, Update::Pending(_)))
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
async fn approvals_and_questions_expire_after_their_timeout() {
    let model = Scripted::new([
        calls([("footlight__ask", json!({ "prompt": "Sure?" }))]),
        calls([("todo__add", json!({ "title": "milk" }))]),
        calls([("todo__clear", json!({ "what": "everything" }))]),
    ]);
    let mut settings = Settings::new(model.clone()).attended();
    settings.reply_timeout = Some(Duration::from_millis(20));
    let host = host(&ALL).await;
    let session = host.session(settings).await.expect("a session");
    let mut turn = session.turn("Go").expect("begins");
    let mut waited = Vec::new();
    while let Some(update) = turn.next().await {
        match update.expect("the store works") {
            Update::Pending(request) => waited.push(request.id),
            Update::Event(event) if matches!(event.what, EventBody::TurnFinished { .. }) => break,
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
            matches!(late, SettleOutcome::AlreadySettled(Reply::Expired { .. })),
            "{late:?}"
        );
    }
    let sent = model.sent();
    assert!(read(&sent[1])[0].1.contains("in time"));
    assert!(read(&sent[3])[0].1.contains("in time"));
}

#[tokio::test]
async fn cancelling_works_while_the_model_speaks_and_keeps_what_was_said() {
    let model = Scripted::new([Answer::Hangs("Well, ".to_owned()), says("Hello again.")]);
    let session = session(&model).await;
    let mut turn = session.turn("Hello").expect("begins");
    assert!(matches!(session.turn("And?"), Err(TurnError::Busy)));
    let mut status = None;
    while let Some(update) = turn.next().await {
        if let Update::Event(event) = update.expect("the store works") {
            match event.what {
                EventBody::TextDelta { .. } => turn.cancel(),
                EventBody::TurnFinished { status: how, .. } => {
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
    let followed =
        footlight_tests::scripted_session::turn(&session, "Still there?", Person::default()).await;
    assert_eq!(followed.status, Status::Done);
}

#[tokio::test]
async fn cancelling_works_while_a_request_is_pending_and_nothing_stays_pending() {
    for tool in ["footlight__ask", "weather__forecast", "todo__clear"] {
        // Schemas are strict: each tool gets only the members it declares.
        let input = match tool {
            "footlight__ask" => json!({ "prompt": "Sure?" }),
            "weather__forecast" => json!({ "city": "Springfield" }),
            _ => json!({ "what": "everything" }),
        };
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
                Update::Pending(_) => session.cancel(),
                Update::Event(event) => {
                    if let EventBody::TurnFinished { status: how, .. } = event.what {
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
        footlight_tests::scripted_session::turn(&session, "Still there?", Person::default()).await;
        let last = model.sent().pop().expect("it was asked");
        answered(&last.messages);
    }
}

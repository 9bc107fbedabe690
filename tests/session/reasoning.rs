//! Reasoning of the model: streamed, kept for the person, and never sent to a model.

use super::ALL;
use footlight::model::{Delta, Finished, ModelError, ModelErrorKind, Script};
use footlight::session::{Settings, Update};
use footlight::vocabulary::event::{Event, EventBody, Status};
use footlight::vocabulary::item::{Content, Item, Position, Reasoning};
use footlight_tests::scripted_session::{
    Answer, Followed, Person, Scripted, calls, host, reasons, says, second_host, turn,
};
use serde_json::json;

const WORDS: &str = "The person gniht suolucidir wants a greeting.";

fn reasoning(items: &[Item]) -> Vec<(&Item, &Reasoning)> {
    let found = items.iter().filter_map(|item| match &item.content {
        Content::Reasoning(reasoning) => Some((item, reasoning)),
        _ => None,
    });
    found.collect()
}

fn events(followed: &Followed) -> Vec<&Event> {
    let events = followed.updates.iter().filter_map(|update| match update {
        Update::Event(event) => Some(&**event),
        _ => None,
    });
    events.collect()
}

#[tokio::test]
async fn reasoning_is_streamed_kept_before_the_text_and_never_sent() {
    let pieces = vec!["First, ".to_owned(), WORDS.to_owned()];
    let model = Scripted::new([
        Answer::Reasons(
            pieces,
            Box::new(calls([("hello__greet", json!({ "name": "Ada" }))])),
        ),
        reasons("Now say so.", says("I greeted Ada.")),
        says("Yes."),
    ]);
    let first = host(&ALL).await;
    let settings = Settings::new(model.clone()).attended();
    let session = first.session(settings.clone()).await.expect("a session");
    let followed = turn(&session, "Greet Ada", Person::default()).await;
    assert_eq!(followed.types(), ["reasoning", "tool", "reasoning", "text"]);
    let kept = reasoning(&followed.items);
    assert_eq!(kept[0].1.text, format!("First, {WORDS}"));
    let positions = followed.items.iter().map(|item| item.position);
    let positions: Vec<_> = positions
        .map(|Position { step, call, n, .. }| (step, call, n))
        .collect();
    assert_eq!(positions, [(1, 0, 0), (1, 1, 0), (2, 0, 0), (2, 0, 1)]);
    assert!(
        kept.iter()
            .all(|(item, _)| item.end.is_some_and(|end| end >= item.start))
    );

    // The stream has the pieces, then the end, then the item, before anything else of the step.
    let own = events(&followed)
        .into_iter()
        .filter_map(|event| match &event.what {
            EventBody::ReasoningDelta {
                item, delta, end, ..
            } if *item == kept[0].0.id => Some((delta.clone(), end.is_some())),
            EventBody::Put { item, .. } if item.id == kept[0].0.id => {
                Some(("put".to_owned(), true))
            }
            EventBody::Put { item, .. } if matches!(item.content, Content::Tool(_)) => {
                Some(("call".to_owned(), true))
            }
            _ => None,
        });
    let own: Vec<_> = own.take(4).collect();
    let (mut streamed, mut rest) = (String::new(), Vec::new());
    for (words, ended) in own {
        match words.as_str() {
            "put" | "call" => rest.push(words),
            words => {
                assert!(rest.is_empty());
                streamed.push_str(words);
                assert!(!ended || streamed.len() == kept[0].1.text.len());
            }
        }
    }
    assert_eq!(streamed, kept[0].1.text);
    assert_eq!(rest.first().map(String::as_str), Some("put"));

    // Another process reads the same, and neither model was sent any of it.
    let second = second_host(&first, &ALL).await;
    drop(session);
    let session = second
        .resume(&first_id(&followed), settings)
        .await
        .expect("resumes");
    assert_eq!(session.items(), followed.items);
    turn(&session, "Did you?", Person::default()).await;
    let sent = model.sent();
    assert_eq!(sent.len(), 3);
    assert!(!format!("{sent:?}").contains("suolucidir"), "{sent:?}");
}

fn first_id(followed: &Followed) -> footlight::vocabulary::item::SessionId {
    events(followed)[0].session.clone()
}

#[tokio::test]
async fn what_was_reasoned_until_the_person_stopped_it_is_kept() {
    for (answer, types) in [
        (Answer::Hangs(String::new()), vec!["reasoning"]),
        (Answer::Hangs("Half".to_owned()), vec!["reasoning", "text"]),
    ] {
        let model = Scripted::new([reasons(WORDS, answer), says("Fine.")]);
        let settings = Settings::new(model.clone()).attended();
        let session = host(&ALL).await.session(settings).await.expect("a session");
        let mut going = session.turn("Think").expect("begins");
        let status = loop {
            let update = going
                .next()
                .await
                .expect("it ends")
                .expect("the store works");
            let Update::Event(event) = update else {
                continue;
            };
            match event.what {
                EventBody::ReasoningDelta { end: None, .. } if types.len() == 1 => session.cancel(),
                EventBody::TextDelta { .. } => session.cancel(),
                EventBody::TurnFinished { status, .. } => break status,
                _ => {}
            }
        };
        assert_eq!(status, Status::Cancelled);
        let items = session.items();
        let kept: Vec<&str> = items.iter().map(|item| item.content.type_name()).collect();
        assert_eq!(kept, types);
        assert_eq!(reasoning(&items)[0].1.text, WORDS);
        assert!(items.iter().all(|item| item.end.is_some()));
        let next = turn(&session, "Go on", Person::default()).await;
        assert_eq!(next.status, Status::Done);
        assert!(!format!("{:?}", model.sent()).contains("suolucidir"));
    }
}

#[tokio::test]
async fn the_reasoning_of_a_step_that_fails_ends_and_is_not_kept() {
    let error = ModelError::new(ModelErrorKind::Refused, "no");
    let model = Scripted::new([reasons(WORDS, Answer::Fails(error))]);
    let session = host(&ALL).await;
    let session = session
        .session(Settings::new(model).attended())
        .await
        .expect("a session");
    let followed = turn(&session, "Think", Person::default()).await;
    assert_eq!(followed.status, Status::Error);
    assert_eq!(reasoning(&followed.items).len(), 0);
    let ended = events(&followed)
        .into_iter()
        .filter(|event| matches!(&event.what, EventBody::ReasoningDelta { end: Some(_), .. }));
    assert_eq!(ended.count(), 1);
}

#[tokio::test]
async fn reasoning_between_pieces_of_text_is_one_item() {
    struct Stutters;
    impl footlight::model::Model for Stutters {
        fn name(&self) -> &str {
            "stutters"
        }

        fn step(&self, _: footlight::model::Request) -> footlight::model::Step {
            footlight::model::Step::from_fn(|deltas| async move {
                deltas.reasoning("One. ");
                deltas.text("So ");
                deltas.send(Delta::Reasoning("Two.".to_owned()));
                deltas.text("be it.");
                Ok(Finished::text("So be it."))
            })
        }
    }
    let session = host(&ALL).await;
    let session = session
        .session(Settings::new(Stutters).attended())
        .await
        .expect("a session");
    let followed = turn(&session, "Think", Person::default()).await;
    assert_eq!(followed.types(), ["reasoning", "text"]);
    assert_eq!(reasoning(&followed.items)[0].1.text, "One. Two.");
}

#[tokio::test]
async fn a_script_reasons_and_takes_its_time() {
    let yaml =
        "steps:\n  - reasoning: [\"Let me \", \"see.\"]\n    delay: 300ms\n    text: Seen.\n";
    let script = Script::parse("thinks", yaml).expect("a script");
    let session = host(&ALL).await;
    let session = session
        .session(Settings::new(script).attended())
        .await
        .expect("a session");
    let followed = turn(&session, "Look", Person::default()).await;
    let kept = reasoning(&followed.items);
    assert_eq!(kept[0].1.text, "Let me see.");
    let took = kept[0].0.end.expect("it ended").millis() - kept[0].0.start.millis();
    assert!((250..5_000).contains(&took), "{took} ms");
}

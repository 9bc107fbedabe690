//! A session in which everything happens: text, reasoning, concurrent calls, failures, verdicts, questions,
//! actions with and without an answer, a retry, cancelled turns, a model that fails, and a summary.

use footlight::Host;
use footlight::model::{Finished, ModelError, ModelErrorKind, ModelPart, ToolCall};
use footlight::session::{Press, Session, Settings, Turn, Update};
use footlight::store::{RequestKind, Snapshot};
use footlight::vocabulary::component::find_actions;
use footlight::vocabulary::event::{EventBody, Status};
use footlight::vocabulary::item::{Content, Verdict};
use footlight_tests::plugins;
use footlight_tests::scripted_session::{
    Answer, Person, Scripted, calls, host, reasons, says, writes,
};
use serde_json::{Map, json};
use std::sync::LazyLock;

/// The stored rows of that session.
pub(super) struct EventfulSession {
    /// The rows at the end.
    pub(super) whole: Snapshot,
    /// The rows whenever something was published.
    pub(super) moments: Vec<Snapshot>,
}

pub(super) static SESSION: LazyLock<EventfulSession> = LazyLock::new(|| {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(record())
});

/// An answer with text, calls whose ids repeat or are missing, and parts that only one wire has.
fn strange() -> Answer {
    let call = |id: &str| {
        let input = json!({ "name": id }).to_string();
        ModelPart::Call(ToolCall::new(id, "hello__greet", input))
    };
    let opaque = ModelPart::Opaque {
        wire: "anthropic".to_owned(),
        part: json!({ "type": "thinking", "thinking": "hm", "signature": "s" }).to_string(),
    };
    let words = ModelPart::Text {
        text: " \n".to_owned(),
    };
    let parts = vec![opaque, words, call("same"), call("same"), call("")];
    Answer::Says(Finished::new(parts))
}

fn fails(kind: ModelErrorKind) -> Answer {
    Answer::Fails(ModelError::new(kind, "the model is unwell"))
}

fn script() -> Vec<Answer> {
    let ask = |prompt: &str| calls([("footlight__ask", json!({ "prompt": prompt }))]);
    vec![
        // Concurrent calls, with widgets.
        calls([
            (
                "weather__compare",
                json!({ "cities": ["Oslo", "Rome"], "days": 1 }),
            ),
            ("hello__greet", json!({ "name": "Ada" })),
            (
                "weather__show_forecast",
                json!({ "city": "Rome", "days": 1 }),
            ),
        ]),
        reasons("Both gniht suolucidir are sunny.", says("There.")),
        // A prompt that runs again.
        calls([("hello__greet", json!({ "name": "Nobody" }))]),
        says("Nonsense."),
        says("Sense."),
        // Every kind of failure, and an output for the person.
        writes([
            ("weather__forcast", "{}".to_owned()),
            ("weather__forecast", "{\"city\": \"Os".to_owned()),
            ("hello__greet", "{\"name\": 7}".to_owned()),
            ("rogue__fail_halfway", "{\"by\": \"panic\"}".to_owned()),
            ("rogue__hostile", "{\"place\": \"title\"}".to_owned()),
        ]),
        reasons("What gniht suolucidir is this?", strange()),
        says("Sorry."),
        // Approvals, denied and given.
        calls([
            ("todo__add", json!({ "title": "milk" })),
            ("todo__add", json!({ "title": "bread" })),
            ("todo__clear", json!({ "what": "everything" })),
            ("todo__done", json!({ "task": "2" })),
            ("todo__clear", json!({ "what": "done" })),
        ]),
        says("As you wish."),
        // The press is answered.
        calls([("todo__list", json!({}))]),
        says("One is left."),
        // Questions of the model and of plugins.
        ask("Shall I?"),
        ask("Really?"),
        calls([
            (
                "weather__forecast",
                json!({ "city": "Springfield", "days": 1 }),
            ),
            ("todo__edit", json!({ "task": "1" })),
        ]),
        Answer::Says(Finished::default()),
        // Cancelled while a question is open.
        calls([
            ("hello__greet", json!({ "name": "Eve" })),
            ("todo__edit", json!({ "task": "1" })),
            ("weather__forecast", json!({ "city": "Oslo" })),
        ]),
        // Cancelled while the model is streaming.
        reasons(
            "A gniht suolucidir: half.",
            Answer::Hangs("Half a ".to_owned()),
        ),
        fails(ModelErrorKind::Unreachable),
        // Too long for the context window: the session is compacted and continues.
        fails(ModelErrorKind::TooLong),
        says("In short: the person likes milk."),
        calls([("todo__list", json!({}))]),
        says("Milk."),
    ]
}

async fn record() -> EventfulSession {
    let all = [
        plugins::HELLO,
        plugins::WEATHER,
        plugins::TODO,
        plugins::ROGUE,
    ];
    let host = host(&all).await;
    let settings = Settings::new(Scripted::new(script())).attended();
    let session = host.session(settings).await.expect("a session");
    let mut moments = Vec::new();
    let nobody = Person::default;
    let decides = Person {
        verdicts: vec![Verdict::Deny, Verdict::Once],
        ..nobody()
    };
    let answers = Person {
        answers: vec![
            Some(json!("Yes")),
            None,
            None,
            Some(json!({ "title": "oat milk" })),
        ],
        ..nobody()
    };
    for (prompt, person, status) in [
        ("Compare Oslo and Rome", Some(nobody()), Status::Done),
        ("", Some(nobody()), Status::Done),
        ("Clear my list", Some(decides), Status::Done),
        ("Ask me", Some(answers), Status::Done),
        ("Stop while you ask", None, Status::Cancelled),
        ("Stop while you speak", None, Status::Cancelled),
        ("Hello?", Some(nobody()), Status::Error),
        ("What do I like?", Some(nobody()), Status::Done),
    ] {
        let turn = session.turn(prompt).expect("begins");
        let ended = watch(&host, &session, turn, person, &mut moments).await;
        assert_eq!(ended, status, "{prompt}");
        if prompt == "Compare Oslo and Rome" {
            let turn = session.turn("Talk").expect("begins");
            let id = turn.id().clone();
            let ended = watch(&host, &session, turn, Some(nobody()), &mut moments).await;
            assert_eq!(ended, Status::Done);
            let turn = session.retry(&id).expect("it can run again");
            let ended = watch(&host, &session, turn, Some(nobody()), &mut moments).await;
            assert_eq!(ended, Status::Done);
        }
        // If there is a card, press it.
        if let Some(press) = pressable(&session) {
            let turn = match prompt {
                "Clear my list" => session.press_and_answer(press),
                _ => session.press(press),
            };
            let turn = turn.expect("it can be pressed");
            let ended = watch(&host, &session, turn, Some(nobody()), &mut moments).await;
            assert_eq!(ended, Status::Done);
        }
    }
    let whole = moments.last().expect("turns").clone();
    EventfulSession { whole, moments }
}

/// Returns the first action of the last card.
fn pressable(session: &Session) -> Option<Press> {
    session.items().iter().rev().find_map(|item| {
        let Content::Widget(widget) = &item.content else {
            return None;
        };
        let action = find_actions(widget.view.as_ref()?).into_iter().next()?;
        Some(Press {
            item: item.id.clone(),
            rev: item.rev,
            path: action.path,
            values: Map::new(),
        })
    })
}

/// Drives a turn and reads the store after each event. Without a person, cancels it as soon as it waits or streams.
async fn watch(
    host: &Host,
    session: &Session,
    mut turn: Turn,
    person: Option<Person>,
    moments: &mut Vec<Snapshot>,
) -> Status {
    let cancels = person.is_none();
    let person = person.unwrap_or_default();
    let (mut answers, mut verdicts) = (person.answers.into_iter(), person.verdicts.into_iter());
    loop {
        let update = turn.next().await.expect("a turn ends with how it ended");
        moments.push(host.store().open(session.id()).await.expect("it is there"));
        match update.expect("the store works") {
            Update::Pending(_) if cancels => session.cancel(),
            Update::Pending(request) if request.kind == RequestKind::Approval => {
                let verdict = verdicts.next().expect("a verdict for each");
                let taken = session.decide(&request.id, verdict, None).await;
                taken.expect("it is on offer");
            }
            Update::Pending(request) => {
                let taken = match answers.next().expect("an answer for each") {
                    Some(answer) => session.answer(&request.id, answer).await,
                    None => session.skip(&request.id).await,
                };
                taken.expect("the answer fits");
            }
            Update::Event(event) => match event.what {
                EventBody::TextDelta { .. } if cancels => session.cancel(),
                EventBody::TurnFinished { status, .. } => return status,
                _ => {}
            },
            _ => {}
        }
    }
}

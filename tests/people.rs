//! Several people on one host: what one of them does leaves the others alone.
//!
//! `apart` is about two people, `direct` about calls for a person outside of sessions,
//! `elsewhere` about answers that do not come from the session itself, `settings` about
//! what each session sets for itself, `taint` about untrusted content in a session, `shared` about one
//! session with several handles, `followers` about those who read a session, `waiting` about calls that
//! wait for people, `sleeping` about calls that sleep.

mod apart;
mod direct;
mod elsewhere;
mod followers;
mod settings;
mod shared;
mod sleeping;
mod taint;
mod waiting;

use footlight::Host;
use footlight::session::{self, Session, Settings, SettleError, Turn, Update};
use footlight::store::{Reply, RequestKind, RequestRow};
use footlight::vocabulary::item::{CallResult, Content, RequestId, Verdict};
use footlight_tests::plugins;
use footlight_tests::scripted_session::{Answer, Scripted, calls, host, says};
use serde_json::{Value, json};

/// What a person is asked for, by the call that asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    ByModel,
    ByPlugin,
    ForSecret,
    ForApproval,
}

const ASKED: [Asked; 4] = [
    Asked::ByModel,
    Asked::ByPlugin,
    Asked::ForSecret,
    Asked::ForApproval,
];

impl Asked {
    fn call(self) -> Answer {
        match self {
            Self::ByModel => calls([("footlight__ask", json!({ "prompt": "Sure?" }))]),
            Self::ByPlugin => {
                let input = json!({ "city": "Springfield", "days": 1 });
                calls([("weather__forecast", input)])
            }
            Self::ForSecret => calls([("rogue__ask_secret", json!({}))]),
            Self::ForApproval => calls([("gallery__strike", json!({}))]),
        }
    }

    fn answer(self) -> Value {
        match self {
            Self::ByModel | Self::ForApproval => json!("Yes"),
            Self::ByPlugin => json!("Springfield, MA"),
            Self::ForSecret => json!("hunter2"),
        }
    }
}

/// What a person does about a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Answer,
    Skip,
    Decide,
}

const VERBS: [Verb; 3] = [Verb::Answer, Verb::Skip, Verb::Decide];

impl Verb {
    /// Replies through a session.
    async fn reply(
        self,
        session: &Session,
        asked: Asked,
        id: &RequestId,
    ) -> Result<(), SettleError> {
        match self {
            Self::Answer => session.answer(id, asked.answer()).await,
            Self::Skip => session.skip(id).await,
            Self::Decide => session.decide(id, Verdict::Once, None).await,
        }
    }

    /// Replies as an administrator.
    async fn administer(
        self,
        host: &Host,
        asked: Asked,
        id: &RequestId,
    ) -> Result<(), SettleError> {
        let store = &**host.store();
        match self {
            Self::Answer => session::answer(store, id, asked.answer(), None).await,
            Self::Skip => session::skip(store, id, None).await,
            Self::Decide => session::decide(store, id, Verdict::Once, None, None).await,
        }
    }

    fn fits(self, asked: Asked) -> bool {
        (self == Self::Decide) == (asked == Asked::ForApproval)
    }
}

const PLUGINS: [&str; 4] = [
    plugins::HELLO,
    plugins::WEATHER,
    plugins::GALLERY,
    plugins::ROGUE,
];

fn settings(answers: impl IntoIterator<Item = Answer>) -> Settings {
    Settings::new(Scripted::new(answers)).attended()
}

/// Drives a turn until something is pending.
async fn until_it_waits(turn: &mut Turn) -> RequestRow {
    while let Some(update) = turn.next().await {
        if let Update::Pending(request) = update.expect("the store works") {
            return *request;
        }
    }
    panic!("it waits for a person");
}

/// Starts a session whose person is asked.
async fn asking(host: &Host, asked: Asked) -> (Session, Turn, RequestRow) {
    let settings = settings([asked.call(), says("Done.")]);
    let session = host.session(settings).await.expect("a session");
    let mut turn = session.turn("Go").expect("begins");
    let request = until_it_waits(&mut turn).await;
    (session, turn, request)
}

async fn is_pending(host: &Host, id: &RequestId) -> bool {
    let request = host.store().request(id).await.expect("the store works");
    request.expect("it is kept").reply.is_none()
}

#[tokio::test]
async fn a_session_settles_its_own_requests_and_no_others() {
    let host = host(&PLUGINS).await;
    for asked in ASKED {
        for verb in VERBS {
            let what = format!("{verb:?} of {asked:?}");
            let (ada, ada_turn, own) = asking(&host, asked).await;
            let (bob, bob_turn, others) = asking(&host, asked).await;
            let refused = |result: Result<(), SettleError>| {
                assert!(
                    matches!(result, Err(SettleError::Unknown)),
                    "{what}: {result:?}"
                );
            };
            refused(verb.reply(&ada, asked, &others.id).await);
            refused(verb.reply(&ada, asked, &"call_1_a1".into()).await);
            assert!(is_pending(&host, &others.id).await, "{what}");
            let mine = verb.reply(&ada, asked, &own.id).await;
            match verb.fits(asked) {
                true => mine.expect("it fits"),
                false => {
                    let wrong = match asked {
                        Asked::ForApproval => RequestKind::Approval,
                        _ => RequestKind::Ask,
                    };
                    assert!(
                        matches!(&mine, Err(SettleError::WrongKind(kind)) if *kind == wrong),
                        "{what}: {mine:?}"
                    );
                    assert!(is_pending(&host, &own.id).await, "{what}");
                    ada.cancel();
                }
            }
            ada_turn.finish().await.expect("the store works");
            let settled = verb.reply(&ada, asked, &own.id).await;
            assert!(
                matches!(settled, Err(SettleError::Settled(_))),
                "{what}: {settled:?}"
            );
            refused(verb.reply(&bob, asked, &own.id).await);
            // An administrator settles requests of every session, but has no secret to give.
            let is_secret = (verb, asked) == (Verb::Answer, Asked::ForSecret);
            match verb.administer(&host, asked, &others.id).await {
                Ok(()) => assert!(verb.fits(asked) && !is_secret, "{what}"),
                Err(SettleError::Secret) if is_secret => bob.cancel(),
                Err(SettleError::WrongKind(_)) if !verb.fits(asked) => bob.cancel(),
                Err(error) => panic!("{what}: {error:?}"),
            }
            bob_turn.finish().await.expect("the store works");
        }
    }
}

#[tokio::test]
async fn one_person_cannot_approve_the_deletion_of_another() {
    let host = host(&[plugins::GALLERY]).await;
    let (ada, ada_turn, request) = asking(&host, Asked::ForApproval).await;
    let bob = host.session(settings([])).await.expect("a session");
    for verdict in [Verdict::Once, Verdict::Session, Verdict::Deny] {
        let refused = bob.decide(&request.id, verdict, None).await;
        assert!(matches!(refused, Err(SettleError::Unknown)), "{refused:?}");
    }
    ada.decide(&request.id, Verdict::Deny, None)
        .await
        .expect("it is hers");
    let outcome = ada_turn.finish().await.expect("the store works");
    assert!(matches!(&outcome.items[0].content, Content::Tool(tool)
        if matches!(tool.result, CallResult::Error { .. })));
}

#[tokio::test]
async fn of_two_answers_with_secrets_the_call_gets_the_one_that_was_accepted() {
    let host = host(&[plugins::ROGUE]).await;
    for round in 0..20 {
        let (session, turn, request) = asking(&host, Asked::ForSecret).await;
        let other = host
            .resume(session.id(), settings([]))
            .await
            .expect("opens");
        let (short, long) = (json!("hunter2"), json!("correct horse battery"));
        let (first, second) = match round % 2 {
            0 => tokio::join!(
                session.answer(&request.id, short),
                other.answer(&request.id, long)
            ),
            _ => {
                let (second, first) = tokio::join!(
                    other.answer(&request.id, long),
                    session.answer(&request.id, short)
                );
                (first, second)
            }
        };
        let length = match (first, second) {
            (Ok(()), Err(SettleError::Settled(Reply::Answer { value: None, .. }))) => 7,
            (Err(SettleError::Settled(Reply::Answer { value: None, .. })), Ok(())) => 21,
            both => panic!("one is accepted: {both:?}"),
        };
        let outcome = turn.finish().await.expect("the store works");
        let Content::Tool(tool) = &outcome.items[0].content else {
            panic!("a call: {outcome:?}");
        };
        let CallResult::Success { output } = &tool.result else {
            panic!("{:?}", tool.result);
        };
        let expected = format!("{length} characters");
        assert!(
            output.to_string().contains(&expected),
            "{output}, not {expected}"
        );
    }
}

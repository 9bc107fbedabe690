//! Those who follow a session: a turn ends, and a follower that does not read costs nobody anything.

use super::*;
use footlight::model::{Finished, Model, Request, Step};
use footlight::session::FollowError;
use footlight::vocabulary::event::{Event, EventBody, Status};
use footlight::vocabulary::item::Item;
use footlight_tests::scripted_session::{Person, follow, turn};
use std::time::Duration;

fn is_end(update: &Update) -> bool {
    matches!(update, Update::Event(event) if matches!(event.what, EventBody::TurnFinished { .. }))
}

#[tokio::test]
async fn a_turn_returns_none_after_its_own_end_also_while_the_next_one_runs() {
    let host = host(&[plugins::HELLO]).await;
    let greet = || calls([("hello__greet", json!({ "name": "Ada" }))]);
    let answers = [greet(), says("One."), greet(), says("Two.")];
    let session = host.session(settings(answers)).await.expect("a session");
    let mut first = session.turn("Go").expect("begins");
    let mut ends = 0;
    while let Some(update) = first.next().await {
        let update = update.expect("the store works");
        ends += usize::from(is_end(&update));
    }
    assert_eq!(ends, 1);
    let second = session.turn("Again").expect("begins");
    let id = second.id().clone();
    let second = follow(&session, second, Person::default())
        .await
        .expect("works");
    let of_others = |update: &&Update| matches!(update, Update::Event(event) if event.turn != id);
    assert_eq!(second.updates.iter().filter(of_others).count(), 0);
    assert!(
        first.next().await.is_none(),
        "the second turn is not the first one's"
    );
    let outcome = first.finish().await.expect("it has ended");
    assert_eq!((outcome.status, outcome.items.len()), (Status::Done, 2));
}

#[tokio::test]
async fn a_turn_ends_also_with_an_error_of_the_store_or_a_panic_of_the_model() {
    struct Panics;
    impl Model for Panics {
        fn name(&self) -> &str {
            "panics"
        }
        fn step(&self, _: Request) -> Step {
            panic!("on purpose")
        }
    }
    let host = host(&[]).await;
    let session = host
        .session(Settings::new(Panics))
        .await
        .expect("a session");
    let mut turn = session.turn("Go").expect("begins");
    let mut last = None;
    while let Some(update) = turn.next().await {
        last = Some(update);
    }
    assert!(matches!(last, Some(Err(FollowError::Store(_)))), "{last:?}");
    turn.finish().await.expect_err("it did not finish");
    assert!(!session.is_running());
    // Another handle, with a model that works, continues.
    let other = host
        .resume(session.id(), settings([says("Hello.")]))
        .await
        .expect("opens");
    let outcome = other
        .resume()
        .expect("goes on")
        .finish()
        .await
        .expect("works");
    assert_eq!(outcome.status, Status::Done);

    host.store()
        .delete(session.id())
        .await
        .expect("nobody uses it");
    let mut turn = session.turn("Go").expect("it knows no better");
    assert!(matches!(
        turn.next().await,
        Some(Err(FollowError::Store(_)))
    ));
    assert!(turn.next().await.is_none());
}

/// A model that shows many small steps of text before its answer.
struct Talkative(usize);

const WORD: &str = "word ";

impl Model for Talkative {
    fn name(&self) -> &str {
        "talkative"
    }
    fn step(&self, _: Request) -> Step {
        let count = self.0;
        Step::from_fn(move |deltas| async move {
            for _ in 0..count {
                deltas.text(WORD);
            }
            Ok(Finished::text(WORD.repeat(count)))
        })
    }
}

#[tokio::test]
async fn text_that_was_not_read_for_long_is_read_whole() {
    let host = host(&[]).await;
    let count = 20_000;
    let session = host
        .session(Settings::new(Talkative(count)))
        .await
        .expect("a session");
    let mut idle = session.follow();
    let mut unread = session.turn("Talk").expect("begins");
    while session.is_running() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let mut text = String::new();
    while let Some(update) = unread.next().await {
        if let Update::Event(event) = update.expect("it is not disconnected")
            && let EventBody::TextDelta { delta, .. } = event.what
        {
            text.push_str(&delta);
        }
    }
    assert_eq!(text, WORD.repeat(count));
    assert!(matches!(idle.next().await, Some(Ok(_))));
}

/// A session with a turn of more stored events than a follower can be behind.
async fn long_turn(host: &Host) -> (Session, Turn) {
    // Each call is another one: a model that repeats a call is stopped.
    let step = |step: usize| {
        calls(
            [0, 1, 2, 3, 4, 5, 6, 7]
                .map(|n| ("hello__greet", json!({ "name": format!("{step}.{n}") }))),
        )
    };
    let mut settings = settings((0..100).map(step).chain([says("Done.")]));
    (settings.limits.steps, settings.limits.calls) = (1_000, 1_000);
    let session = host.session(settings).await.expect("a session");
    let turn = session.turn("Greet").expect("begins");
    (session, turn)
}

async fn until_it_ends(session: &Session) {
    while session.is_running() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Checks that every stored event was read, in order and once. What has no effect any more is a
/// tombstone in the log once its turn has ended.
fn assert_same(read: Vec<Event>, log: &[Event]) {
    let stored = |(mut event, logged): (Event, &Event)| {
        if let EventBody::Tombstone { .. } = logged.what {
            event.what = event.what.tombstone().unwrap_or(event.what);
        }
        event
    };
    assert_eq!(read.len(), log.len());
    let read: Vec<Event> = read.into_iter().zip(log).map(stored).collect();
    assert_eq!(read, log);
}

#[tokio::test]
async fn a_turn_that_is_not_read_is_disconnected_and_catches_up_from_the_log() {
    let host = host(&[plugins::HELLO]).await;
    let (session, mut turn) = long_turn(&host).await;
    until_it_ends(&session).await;
    let log = host
        .store()
        .log(session.id(), 0, usize::MAX)
        .await
        .expect("a log");
    assert!(log.len() > 1_200, "{}", log.len());
    let mut read: Vec<Event> = Vec::new();
    let lagged = loop {
        match turn.next().await.expect("it does not end silently") {
            Ok(Update::Event(event)) if event.seq.is_some() => read.push(*event),
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    let seq = read
        .last()
        .and_then(|event| event.seq)
        .expect("some were read");
    assert_eq!(lagged, FollowError::Lagged { seq });
    assert!(turn.next().await.is_none(), "it is disconnected");
    read.extend(turn.catch_up().await.expect("the store works"));
    assert_same(read, &log);
    assert!(turn.next().await.is_none(), "the turn has ended");
    let outcome = turn.finish().await.expect("it has ended");
    assert_eq!((outcome.status, outcome.items.len()), (Status::Done, 801));
}

#[tokio::test]
async fn a_turn_that_catches_up_while_it_runs_misses_nothing_and_reads_nothing_twice() {
    let host = host(&[plugins::HELLO]).await;
    let (session, mut turn) = long_turn(&host).await;
    let mut read: Vec<Event> = Vec::new();
    let mut times = 0;
    loop {
        match turn.next().await {
            Some(Ok(Update::Event(event))) if event.seq.is_some() => read.push(*event),
            Some(Ok(_)) => {}
            Some(Err(FollowError::Lagged { .. })) => {
                times += 1;
                read.extend(turn.catch_up().await.expect("the store works"));
            }
            Some(Err(error)) => panic!("{error}"),
            None => break,
        }
        if times == 0 {
            // Reads too slowly at first.
            let behind = async || host.store().log(session.id(), 0, usize::MAX).await;
            while session.is_running() && behind().await.expect("a log").len() < read.len() + 1_100
            {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    }
    assert_eq!(times, 1);
    let log = host
        .store()
        .log(session.id(), 0, usize::MAX)
        .await
        .expect("a log");
    assert_same(read, &log);
}

#[tokio::test]
async fn finish_needs_no_reading_however_long_the_turn() {
    let host = host(&[plugins::HELLO]).await;
    let (session, turn) = long_turn(&host).await;
    until_it_ends(&session).await;
    let outcome = turn.finish().await.expect("the store works");
    let tools = |item: &&Item| matches!(item.content, Content::Tool(_));
    assert_eq!(outcome.items.iter().filter(tools).count(), 800);
}

#[tokio::test]
async fn an_idle_follower_does_not_hold_up_the_turn_or_other_followers() {
    let host = host(&[plugins::HELLO]).await;
    let (session, long) = long_turn(&host).await;
    let mut idle = session.follow();
    let followed = follow(&session, long, Person::default())
        .await
        .expect("it reads");
    assert_eq!(
        followed.log().len(),
        followed
            .log()
            .last()
            .and_then(|event| event.seq)
            .expect("a log") as usize
    );
    let mut last = None;
    while let Some(update) = idle.next().await {
        last = Some(update);
    }
    assert!(
        matches!(last, Some(Err(FollowError::Lagged { .. }))),
        "{last:?}"
    );
    // The next turn has nothing to do with it.
    let next = turn(&session, "And now?", Person::default()).await;
    assert_eq!(next.status, Status::Done);
}

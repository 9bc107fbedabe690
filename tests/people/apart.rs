//! Two people with the same plugins: what belongs to one is out of the other's reach, in memory and on
//! disk.

use super::*;
use footlight::LOCAL_PERSON;
use footlight::policy::{Pattern, Rule, Rules, Target};
use footlight::session::{PressError, ResumeError};
use footlight::store::{MemoryStore, SqliteStore, Store};
use footlight::vocabulary::item::{Item, ItemId, SessionId};
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{Person as Replies, press, turn};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns a host over a store, like a process that has just started.
pub(super) async fn host_over(store: &Arc<dyn Store>) -> Host {
    let host = builder().store(Arc::clone(store)).build().expect("builds");
    for path in PLUGINS.iter().chain(&[plugins::TODO]) {
        host.load(path).await.expect("loads");
    }
    host
}

/// Runs a test on each kind of store.
pub(super) async fn on_each_store(test: impl AsyncFn(Arc<dyn Store>)) {
    test(Arc::new(MemoryStore::default())).await;
    let folder = tempfile::tempdir().expect("a folder");
    test(Arc::new(SqliteStore::open(folder.path()).expect("opens"))).await;
}

/// Starts a session of a person.
async fn session_of(
    host: &Host,
    person: &str,
    answers: impl IntoIterator<Item = Answer>,
) -> Session {
    let session = host.session(settings(answers).person(person)).await;
    session.expect("a session")
}

/// Makes one call in a session of its own and returns its result.
async fn call_of(host: &Host, person: &str, tool: &str, input: Value) -> CallResult {
    let session = session_of(host, person, [calls([(tool, input)])]).await;
    turn(&session, "Go", Replies::default()).await;
    first_result(&session)
}

pub(super) fn first_result(session: &Session) -> CallResult {
    let items = session.items();
    match items.first().map(|item| &item.content) {
        Some(Content::Tool(tool)) => tool.result.clone(),
        other => panic!("a call: {other:?}"),
    }
}

pub(super) fn output(result: &CallResult) -> &Value {
    match result {
        CallResult::Success { output } => output,
        other => panic!("it succeeds: {other:?}"),
    }
}

fn items_of(session: &Session, of_type: &str) -> Vec<Item> {
    let mut items = session.items();
    items.retain(|item| item.content.type_name() == of_type);
    items
}

const PEOPLE: [(&str, &str); 3] = [("ada", "milk"), ("bob", "honey"), (LOCAL_PERSON, "tea")];

#[tokio::test]
async fn nobody_sees_the_list_of_another_also_after_a_restart() {
    on_each_store(async |store| {
        let first = host_over(&store).await;
        for (person, title) in PEOPLE {
            let added = call_of(&first, person, "todo__add", json!({ "title": title })).await;
            assert!(matches!(added, CallResult::Success { .. }), "{added:?}");
        }
        for host in [first, host_over(&store).await] {
            for (person, title) in PEOPLE {
                let listed = call_of(&host, person, "todo__list", json!({})).await;
                let rows = output(&listed)["data"]["rows"].clone();
                let titles = rows.as_array().expect("rows").iter();
                let titles: Vec<_> = titles.map(|row| row["title"].clone()).collect();
                assert_eq!(titles, [title], "{person}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_plugin_tells_people_apart_and_cannot_find_out_who_they_are() {
    let identities = async |store: &Arc<dyn Store>, person: &str| {
        let host = host_over(store).await;
        let seen = call_of(&host, person, "rogue__identities", json!({})).await;
        let seen = output(&seen)["data"].clone();
        let text = |member: &str| seen[member].as_str().expect("a text").to_owned();
        (text("person"), text("session"))
    };
    let other: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let elsewhere = identities(&other, "ada").await.0;
    on_each_store(async |store| {
        let mut people = BTreeSet::new();
        for (person, _) in PEOPLE {
            let (first, second) = (
                identities(&store, person).await,
                identities(&store, person).await,
            );
            assert_eq!(first.0, second.0, "{person} is the same after a restart");
            assert_ne!(first.1, second.1, "in another session");
            people.insert(first.0);
        }
        assert_eq!(people.len(), PEOPLE.len());
        // Whoever guesses a name cannot check the guess: the same name is another alias elsewhere.
        assert!(!people.contains(&elsewhere));
        for guess in ["ada", "rogue\0ada", "ada\0rogue", "person\0ada"] {
            let digest = footlight::Digest::of(guess.as_bytes()).to_string();
            assert!(!people.iter().any(|alias| digest.starts_with(alias)));
        }
    })
    .await;
}

#[tokio::test]
async fn an_output_is_read_by_the_person_of_its_session_and_nobody_else() {
    on_each_store(async |store| {
        let host = host_over(&store).await;
        let session = session_of(&host, "ada", [calls([("gallery__outputs", json!({}))])]).await;
        turn(&session, "Go", Replies::default()).await;
        let outputs = items_of(&session, "output");
        assert_eq!(outputs.len(), 4);
        for item in outputs {
            let read = async |person: &str, session: &SessionId, id: &ItemId| {
                let person = host.person(person);
                person.output(session, id).await.expect("the store works")
            };
            assert!(read("ada", session.id(), &item.id).await.is_some());
            for stranger in ["bob", LOCAL_PERSON, "", "Ada"] {
                assert_eq!(read(stranger, session.id(), &item.id).await, None);
            }
            let of_bob = session_of(&host, "bob", []).await;
            assert_eq!(read("bob", of_bob.id(), &item.id).await, None);
            assert_eq!(read("ada", &"ses_0".into(), &item.id).await, None);
            assert_eq!(
                read("ada", session.id(), &ItemId::from("out_1")).await,
                None
            );
        }
    })
    .await;
}

#[tokio::test]
async fn what_waits_for_one_person_is_listed_and_settled_by_no_other() {
    on_each_store(async |store| {
        let host = host_over(&store).await;
        for asked in ASKED {
            let answers = [asked.call(), says("Done.")];
            let session = session_of(&host, "ada", answers).await;
            let mut turn = session.turn("Go").expect("begins");
            let request = until_it_waits(&mut turn).await;
            let (ada, bob) = (host.person("ada"), host.person("bob"));
            assert_eq!(bob.pending().await, Ok(Vec::new()));
            assert_eq!(bob.sessions(None, 9).await, Ok(Vec::new()));
            let of_bob = session_of(&host, "bob", []).await;
            for verb in VERBS {
                let replied = match verb {
                    Verb::Answer => bob.answer(&request.id, asked.answer()).await,
                    Verb::Skip => bob.skip(&request.id).await,
                    Verb::Decide => bob.decide(&request.id, Verdict::Once, None).await,
                };
                let through_session = verb.reply(&of_bob, asked, &request.id).await;
                for refused in [replied, through_session] {
                    assert!(
                        matches!(refused, Err(SettleError::Unknown)),
                        "{asked:?} {verb:?}: {refused:?}"
                    );
                }
            }
            assert!(is_pending(&host, &request.id).await);
            host.store()
                .delete(of_bob.id())
                .await
                .expect("nobody uses it");
            // The person replies from elsewhere, without the session, also with a secret.
            assert_eq!(ada.pending().await, Ok(vec![request.clone()]));
            let id = request.id.clone();
            let elsewhere = tokio::spawn(async move {
                match asked {
                    Asked::ForApproval => ada.decide(&id, Verdict::Once, None).await,
                    _ => ada.answer(&id, asked.answer()).await,
                }
            });
            elsewhere.await.expect("no panic").expect("it is hers");
            turn.finish().await.expect("the store works");
            let result = first_result(&session);
            assert!(matches!(result, CallResult::Success { .. }), "{result:?}");
            let stored = store.request(&request.id).await.expect("works");
            let by = match stored.and_then(|stored| stored.reply) {
                Some(Reply::Answer { by, .. } | Reply::Verdict { by, .. }) => by,
                other => panic!("{asked:?}: {other:?}"),
            };
            assert_eq!(
                by.as_deref(),
                Some("ada"),
                "a receipt says whose reply it is"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn a_session_is_resumed_and_pressed_by_its_own_person_only() {
    on_each_store(async |store| {
        let host = host_over(&store).await;
        let session = session_of(&host, "ada", [calls([("todo__list", json!({}))])]).await;
        turn(&session, "Show it", Replies::default()).await;
        let card = items_of(&session, "widget").remove(0);
        let id = session.id().clone();
        let adding = || press(&card, "add", json!({ "title": "milk" }));
        for is_open in [true, false] {
            let kept = is_open.then(|| session.clone());
            for stranger in ["bob", LOCAL_PERSON, "Ada", ""] {
                let refused = host.resume(&id, settings([]).person(stranger)).await;
                let other = ResumeError::OtherPerson(id.clone());
                assert_eq!(refused.err(), Some(other), "{stranger}");
            }
            drop(kept);
        }
        // Bob has no such card, however well he knows it.
        let of_bob = session_of(&host, "bob", []).await;
        let refused = of_bob.press(adding()).err();
        assert_eq!(refused, Some(PressError::WidgetRemoved));
        drop(session);
        let again = host_over(&store).await;
        let again = again.resume(&id, settings([]).person("ada")).await;
        let again = again.expect("it is hers");
        assert_eq!(again.person(), "ada");
        let pressed = again.press(adding()).expect("it can be pressed");
        pressed.finish().await.expect("the store works");
        let other = call_of(&host, "bob", "todo__list", json!({ "filter": "all" })).await;
        assert!(!output(&other).to_string().contains("milk"), "{other:?}");
    })
    .await;
}

/// Returns whether a session asks for the approval of a destructive call, and whether the call ran.
async fn strikes(session: &Session, verdict: Verdict) -> (bool, bool) {
    let replies = Replies {
        verdicts: vec![verdict],
        ..Replies::default()
    };
    let followed = turn(session, "Strike", replies).await;
    let asked = |update: &Update| matches!(update, Update::Pending(_));
    let last = followed
        .items
        .iter()
        .rev()
        .find_map(|item| match &item.content {
            Content::Tool(tool) => Some(matches!(tool.result, CallResult::Success { .. })),
            _ => None,
        });
    (followed.updates.iter().any(asked), last.expect("a call"))
}

fn striking(times: usize) -> Vec<Answer> {
    let one = [Asked::ForApproval.call(), says("Done.")];
    one.iter().cycle().take(times * 2).cloned().collect()
}

#[tokio::test]
async fn a_grant_is_listed_used_and_revoked_by_its_own_person_only() {
    let host = host(&[plugins::GALLERY]).await;
    let ada = session_of(&host, "ada", striking(3)).await;
    let bob = session_of(&host, "bob", striking(1)).await;
    assert_eq!(strikes(&ada, Verdict::Session).await, (true, true));
    assert_eq!(strikes(&ada, Verdict::Deny).await, (false, true));
    assert_eq!(strikes(&bob, Verdict::Deny).await, (true, false));
    let [grant] = host.person("ada").grants().try_into().expect("one grant");
    assert_eq!(grant.person, "ada");
    assert_eq!(host.person("bob").grants(), []);
    assert_eq!(host.person("bob").revoke(grant.id), None);
    assert_eq!(host.grants().len(), 1);
    assert_eq!(host.person("ada").revoke(grant.id), Some(grant));
    assert_eq!(strikes(&ada, Verdict::Deny).await, (true, false));
}

/// Returns rules that deny the destructive tool.
fn denying() -> Rules {
    let strike = Pattern::parse("strike").expect("a name");
    Rules::from(vec![Rule::deny("gallery", Target::Tool(strike))])
}

#[tokio::test]
async fn the_rules_of_one_person_do_not_bind_another() {
    let host = host(&[plugins::GALLERY]).await;
    host.person("ada").set_rules(denying());
    let ada = session_of(&host, "ada", striking(2)).await;
    let bob = session_of(&host, "bob", striking(2)).await;
    assert_eq!(strikes(&ada, Verdict::Once).await, (false, false));
    assert_eq!(strikes(&bob, Verdict::Once).await, (true, true));
    // Rules of a session apply in place of the person's.
    let free = settings(striking(1)).person("ada").rules(Rules::default());
    let free = host.session(free).await.expect("a session");
    assert_eq!(strikes(&free, Verdict::Once).await, (true, true));
    let strict = settings(striking(1)).person("bob").rules(denying());
    let strict = host.session(strict).await.expect("a session");
    assert_eq!(strikes(&strict, Verdict::Once).await, (false, false));
    assert_eq!(strikes(&bob, Verdict::Once).await, (true, true));
}

#[tokio::test]
async fn rules_can_be_replaced_while_an_approval_waits() {
    let host = host(&[plugins::GALLERY]).await;
    let session = session_of(&host, "ada", striking(3)).await;
    let mut running = session.turn("Strike").expect("begins");
    let request = until_it_waits(&mut running).await;
    host.set_rules("bob", denying());
    host.set_rules("ada", denying());
    // The yes comes too late: what a rule denies stays denied.
    session
        .decide(&request.id, Verdict::Session, None)
        .await
        .expect("it waits");
    running.finish().await.expect("the store works");
    let result = first_result(&session);
    let is_denied = |code: &Option<footlight::vocabulary::failure::FailureCode>| {
        *code == Some(footlight::vocabulary::failure::FailureCode::Denied)
    };
    assert!(
        matches!(&result, CallResult::Error { code, .. } if is_denied(code)),
        "{result:?}"
    );
    assert_eq!(host.grants(), [], "nothing was granted");
    assert_eq!(strikes(&session, Verdict::Once).await, (false, false));
    host.set_rules("ada", Rules::default());
    assert_eq!(strikes(&session, Verdict::Once).await, (true, true));
}

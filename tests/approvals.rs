//! Approvals in a session: what each verdict covers, for how long, and who gave it.
//!
//! The host's policy tests check the decisions themselves; these tests check their effect in a
//! conversation. `rules` tests durable rules, `asks` questions.

mod asks;
mod rules;

use footlight::Host;
use footlight::policy::{ApprovalRequest, AskMode, Rules};
use footlight::session::{Session, Settings, Turn, Update};
use footlight::store::{MemoryStore, RequestRow, Store};
use footlight::vocabulary::item::{CallResult, Content, Receipt, Verdict};
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{
    Answer, Followed, Person, Scripted, calls, follow, host, says, turn, writes,
};
use serde_json::{Value, json};
use std::sync::Arc;

const PLUGINS: [&str; 3] = [plugins::HELLO, plugins::TODO, plugins::GALLERY];

/// A model that calls a destructive tool, which needs approval, and then says a final text.
fn striking() -> Vec<Answer> {
    vec![calls([("gallery__strike", json!({}))]), says("Struck.")]
}

async fn session(host: &Host, answers: Vec<Answer>) -> Session {
    let settings = Settings::new(Scripted::new(answers)).attended();
    host.session(settings).await.expect("a session")
}

fn says_each_time(verdict: Verdict) -> Person {
    Person {
        verdicts: vec![verdict; 4],
        ..Person::default()
    }
}

/// Returns what the person was shown for each approval of a turn.
fn shown(followed: &Followed) -> Vec<ApprovalRequest> {
    let waits = followed.updates.iter().filter_map(|update| match update {
        Update::Pending(request) => Some(approval(request)),
        _ => None,
    });
    waits.collect()
}

fn approval(request: &RequestRow) -> ApprovalRequest {
    serde_json::from_value(request.body.clone()).expect("an approval request")
}

/// Returns the calls of a session with their results and verdicts.
fn ended(session: &Session) -> Vec<(String, Result<Value, String>, Option<Receipt>)> {
    let items = session.items();
    let tool = |item: &footlight::vocabulary::item::Item| match &item.content {
        Content::Tool(tool) => {
            let result = match tool.result.clone() {
                CallResult::Success { output } => Ok(output),
                CallResult::Error { code, .. } => {
                    Err(code.map(|code| code.to_string()).unwrap_or_default())
                }
                CallResult::Pending { reason } => Err(format!("pending: {reason}")),
            };
            Some((tool.function.clone(), result, tool.verdict.clone()))
        }
        _ => None,
    };
    items.iter().filter_map(tool).collect()
}

/// Drives a turn until something is pending.
async fn waits(turn: &mut Turn) -> RequestRow {
    while let Some(update) = turn.next().await {
        if let Update::Pending(request) = update.expect("the store works") {
            return *request;
        }
    }
    panic!("it waits for a person");
}

#[tokio::test]
async fn an_approval_for_once_asks_again_and_one_for_the_session_does_not() {
    for (verdict, asked, granted) in [
        (Verdict::Once, 2, 0),
        (Verdict::Session, 1, 1),
        (Verdict::Deny, 2, 0),
    ] {
        let host = host(&PLUGINS).await;
        let session = session(&host, [striking(), striking()].concat()).await;
        let first = turn(&session, "Strike", says_each_time(verdict)).await;
        let second = turn(&session, "Again", says_each_time(verdict)).await;
        let times = shown(&first).len() + shown(&second).len();
        assert_eq!(times, asked, "{verdict:?}");
        assert_eq!(host.grants().len(), granted, "{verdict:?}");
        let may = verdict != Verdict::Deny;
        for (_, result, _) in ended(&session) {
            assert_eq!(result.is_ok(), may, "{verdict:?}: {result:?}");
        }
    }
}

#[tokio::test]
async fn a_denial_with_a_reason_gives_the_model_that_reason() {
    let host = host(&PLUGINS).await;
    let model = Scripted::new(striking());
    let settings = Settings::new(model.clone()).attended();
    let session = host.session(settings).await.expect("a session");
    let mut turn = session.turn("Strike").expect("begins");
    let request = waits(&mut turn).await;
    let words = Some("not before Friday".to_owned());
    let no = session.decide(&request.id, Verdict::Deny, words).await;
    no.expect("a no can always be said");
    turn.finish().await.expect("the store works");
    assert_eq!(ended(&session)[0].1, Err("denied".to_owned()));
    let told = serde_json::to_string(&*model.sent()[1].messages).expect("JSON");
    assert!(told.contains("not before Friday"), "{told}");
}

#[tokio::test]
async fn an_approval_for_the_session_does_not_survive_a_restart() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let start = async || {
        let host = builder().store(Arc::clone(&store)).build().expect("builds");
        host.load(plugins::GALLERY).await.expect("loads");
        host
    };
    let id = {
        let session = session(&start().await, striking()).await;
        turn(&session, "Strike", says_each_time(Verdict::Session)).await;
        session.id().clone()
    };
    let settings = Settings::new(Scripted::new(striking())).attended();
    let session = start()
        .await
        .resume(&id, settings)
        .await
        .expect("it is there");
    let followed = turn(&session, "Again", says_each_time(Verdict::Once)).await;
    assert_eq!(shown(&followed).len(), 1);
}

#[tokio::test]
async fn grants_are_listed_and_can_be_revoked() {
    let host = host(&PLUGINS).await;
    let session = session(&host, [striking(), striking()].concat()).await;
    let followed = turn(&session, "Strike", says_each_time(Verdict::Session)).await;
    let [grant] = host.grants().try_into().expect("one grant");
    assert_eq!(grant.session, *session.id());
    let offered = &shown(&followed)[0].options;
    let offered = offered
        .iter()
        .find(|offer| offer.verdict == Verdict::Session);
    assert_eq!(Some(&grant.covers), offered.map(|offer| &offer.covers));
    assert_eq!(host.revoke(grant.id), Some(grant.clone()));
    assert_eq!(host.revoke(grant.id), None);
    let followed = turn(&session, "Again", says_each_time(Verdict::Once)).await;
    assert_eq!(shown(&followed).len(), 1, "it asks again");
}

#[tokio::test]
async fn a_grant_of_one_session_does_not_apply_in_another() {
    let host = host(&PLUGINS).await;
    let first = session(&host, striking()).await;
    turn(&first, "Strike", says_each_time(Verdict::Session)).await;
    let second = session(&host, striking()).await;
    let followed = turn(&second, "Strike", Person::default()).await;
    assert_eq!(shown(&followed).len(), 1);
    assert_eq!(ended(&second)[0].1, Err("denied".to_owned()));
}

#[tokio::test]
async fn several_approvals_are_pending_at_once_and_each_is_decided_by_its_id() {
    let host = host(&PLUGINS).await;
    let (one, two) = (
        session(&host, striking()).await,
        session(&host, striking()).await,
    );
    let mut turns = (
        one.turn("Strike").expect("begins"),
        two.turn("Strike").expect("begins"),
    );
    let (first, second) = (waits(&mut turns.0).await, waits(&mut turns.1).await);
    assert_ne!(first.id, second.id);
    let waiting = host.store().pending().await.expect("the store works");
    assert_eq!(waiting.len(), 2);
    // The later one first.
    let yes = two.decide(&second.id, Verdict::Once, None).await;
    yes.expect("it is on offer");
    turns.1.finish().await.expect("the store works");
    assert!(ended(&two)[0].1.is_ok());
    let left = host.store().pending().await.expect("the store works");
    assert_eq!(left.len(), 1, "the other one still waits");
    let no = one.decide(&first.id, Verdict::Deny, None).await;
    no.expect("a no can always be said");
    turns.0.finish().await.expect("the store works");
    assert_eq!(ended(&one)[0].1, Err("denied".to_owned()));
}

#[tokio::test]
async fn a_call_that_requests_approval_twice_has_an_id_for_each_request() {
    // First the call itself, because of the mode, then what it requests while it runs.
    let mut rules = Rules::default();
    rules.ask = AskMode::Always;
    let host = builder().rules(rules).build().expect("builds");
    host.load(plugins::TODO).await.expect("loads");
    let answers = vec![
        calls([("todo__add", json!({ "title": "milk" }))]),
        calls([("todo__clear", json!({ "what": "everything" }))]),
    ];
    let session = session(&host, answers).await;
    let followed = turn(&session, "Strike", says_each_time(Verdict::Once)).await;
    let bindings: Vec<_> = shown(&followed)
        .into_iter()
        .skip(1)
        .map(|ask| (ask.binding.call, ask.binding.action))
        .collect();
    assert_eq!(bindings.len(), 2);
    assert_eq!(bindings[0].0, bindings[1].0);
    assert_eq!(bindings[1].1.as_deref(), Some("todo.clear"));
    assert!(ended(&session)[1].1.is_ok());
}

#[tokio::test]
async fn a_verdict_is_kept_with_its_call_and_the_dialog_is_not() {
    // The record keeps the verdict; the dialog that led to it is not recorded.
    for verdict in [Verdict::Once, Verdict::Session] {
        let host = host(&PLUGINS).await;
        let session = session(&host, striking()).await;
        let mut turn = session.turn("Strike").expect("begins");
        let request = waits(&mut turn).await;
        let words = Some("go ahead".to_owned());
        let given = session.decide(&request.id, verdict, words.clone()).await;
        given.expect("it is on offer");
        turn.finish().await.expect("the store works");
        let receipt = ended(&session)[0].2.clone().expect("a receipt");
        assert_eq!((receipt.decision, &receipt.reason), (verdict, &words));
        let stored = host.store().open(session.id()).await.expect("it is there");
        assert_eq!(stored.items, session.items(), "and is stored");
        let types: Vec<&str> = stored
            .items
            .iter()
            .map(|item| item.content.type_name())
            .collect();
        assert_eq!(types, ["tool", "widget", "text"]);
    }
}

#[tokio::test]
async fn a_verdict_on_a_request_of_a_running_call_is_kept_with_it_too() {
    for verdict in [Verdict::Deny, Verdict::Once, Verdict::Always] {
        let host = host(&[plugins::GALLERY]).await;
        let dims = vec![calls([("gallery__dim", json!({}))]), says("Dark.")];
        let mut settings = Settings::new(Scripted::new(dims)).attended();
        settings.by = Some("ada".to_owned());
        let session = host.session(settings).await.expect("a session");
        let person = says_each_time(verdict);
        let followed = turn(&session, "Dim the lights", person).await;
        let ask = shown(&followed).remove(0);
        let tool = followed.items.iter().find_map(|item| match &item.content {
            Content::Tool(tool) => Some(tool),
            _ => None,
        });
        let tool = tool.expect("a call");
        let [receipt] = &tool.verdicts[..] else {
            panic!("one verdict: {tool:?}");
        };
        assert_eq!(receipt.decision, verdict);
        assert_eq!(receipt.by.as_deref(), Some("ada"));
        assert_eq!(receipt.action.as_deref(), Some("gallery.dim"));
        assert_eq!(receipt.subject, ask.subject);
        assert!(receipt.details.is_some());
        assert_eq!(receipt.details, ask.details);
        assert_eq!(tool.verdict, None, "nobody was asked about the call itself");
    }
}

#[tokio::test]
async fn an_approval_request_shows_facts_of_the_call_and_no_text_of_the_model() {
    let Answer::Says(mut finished) =
        writes([("todo__clear", "{ \"what\":  \"everything\" }".to_owned())])
    else {
        unreachable!("it says something");
    };
    let claim = "This only lists what is done.";
    finished.parts.insert(
        0,
        footlight::model::ModelPart::Text {
            text: claim.to_owned(),
        },
    );
    let host = host(&PLUGINS).await;
    let adds = calls([("todo__add", json!({ "title": "milk" }))]);
    let session = session(&host, vec![adds, Answer::Says(finished)]).await;
    let mut turn = session.turn("List what is done").expect("begins");
    let request = waits(&mut turn).await;
    let ask = approval(&request);
    let fact = |name: &str| {
        let fact = ask.facts.iter().find(|fact| fact.name == name);
        fact.map(|fact| fact.value.as_str())
    };
    assert_eq!(fact("plugin"), Some("todo"));
    assert_eq!(fact("tool"), Some("clear"));
    assert_eq!(fact("input"), Some(r#"{"what":"everything"}"#));
    let digest = host.plugin("todo").expect("loaded").digest().to_string();
    assert_eq!(fact("build"), Some(digest.as_str()));
    let body = request.body.to_string();
    assert!(!body.contains(claim) && !body.contains("List what is done"));
    // The plugin's own reason is shown, attributed to the plugin, and so are its details.
    assert!(ask.quotes.iter().any(|quote| quote.by == "the plugin"));
    assert_eq!(ask.details, Some(json!(["milk"])));
    let followed = follow_on(&session, turn, &request).await;
    assert!(followed.types().contains(&"tool"));
}

/// Denies and drives the turn to its end.
async fn follow_on(session: &Session, turn: Turn, request: &RequestRow) -> Followed {
    let no = session.decide(&request.id, Verdict::Deny, None).await;
    no.expect("a no can always be said");
    let followed = follow(session, turn, Person::default()).await;
    followed.expect("the store works")
}

#[tokio::test]
async fn a_denial_is_kept_with_its_call_and_its_author() {
    for verdict in [Verdict::Deny, Verdict::Once] {
        let host = host(&PLUGINS).await;
        let session = session(&host, striking()).await;
        let mut turn = session.turn("Strike").expect("begins");
        let request = waits(&mut turn).await;
        let by = Some("ada".to_owned());
        let store = &**host.store();
        let given = footlight::session::decide(store, &request.id, verdict, None, by.clone()).await;
        given.expect("it is on offer");
        turn.finish().await.expect("the store works");
        let receipt = ended(&session)[0].2.clone().expect("a receipt");
        assert_eq!((receipt.decision, receipt.by), (verdict, by));
    }
}

#[tokio::test]
async fn a_tool_that_requests_its_own_approval_is_asked_about_once() {
    for (verdict, left) in [(Verdict::Once, 0), (Verdict::Deny, 1)] {
        let host = host(&PLUGINS).await;
        let answers = vec![
            calls([("todo__add", json!({ "title": "milk" }))]),
            calls([("todo__clear", json!({ "what": "everything" }))]),
            calls([("todo__list", json!({}))]),
        ];
        let session = session(&host, answers).await;
        let followed = turn(&session, "Clear", says_each_time(verdict)).await;
        let asks = shown(&followed);
        let [ask] = &asks[..] else {
            panic!("one deletion is one question: {asks:?}");
        };
        assert_eq!(ask.binding.action.as_deref(), Some("todo.clear"));
        let list = ended(&session)[2].1.clone().expect("it lists");
        let rows = list["data"]["rows"].as_array().map(Vec::len);
        assert_eq!(rows, Some(left), "{verdict:?}");
    }
}

#[tokio::test]
async fn a_concern_that_is_too_long_to_show_counts_as_a_failed_assessment() {
    for (subject, reason, is_shown) in [
        ("origin".to_owned(), "why".to_owned(), true),
        ("a".repeat(5 << 10), "why".to_owned(), false),
        ("origin".to_owned(), "b".repeat(20 << 10), false),
    ] {
        let host = host(&[]).await;
        rules::worried(&host, &subject, &reason).await;
        let session = session(&host, vec![calls([("git__push", json!({}))])]).await;
        let followed = turn(&session, "Push", says_each_time(Verdict::Deny)).await;
        let ask = shown(&followed).remove(0);
        assert_eq!(ask.subject.is_some(), is_shown);
        let verdicts: Vec<_> = ask.options.iter().map(|option| option.verdict).collect();
        assert_eq!(verdicts.contains(&Verdict::Session), is_shown);
        assert!(serde_json::to_string(&ask).expect("JSON").len() < 4 << 10);
    }
}

//! Durable rules in a session: levels, modes, denials, and the rule that `always` shows.

use super::{PLUGINS, ended, says_each_time, session, shown};
use crate::attackers::{Attacker, Tool, Weighed};
use footlight::Host;
use footlight::policy::{AskMode, Level, Pattern, Rule, Rules, Subject, Target};
use footlight::vocabulary::item::Verdict;
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{Person, calls, host, turn};
use serde_json::json;

/// Returns a host with the example plugins and these rules.
async fn ruled(rules: Rules) -> Host {
    let host = builder().rules(rules).build().expect("builds");
    for path in PLUGINS {
        host.load(path).await.expect("loads");
    }
    host
}

fn named(name: &str) -> Pattern {
    Pattern::parse(name).expect("a plain name")
}

/// A plugin that has a concern about every input and is not destructive, so that `always` is offered.
pub(super) async fn worried(host: &Host, subject: &str, reason: &str) {
    let attacker = Attacker {
        tools: vec![Tool {
            traits: json!({ "approval": "assess" }).to_string(),
            ..Tool::named("push")
        }],
        weighed: Weighed::Concern(subject.to_owned(), reason.to_owned()),
        ..Attacker::default()
    };
    let loaded = host.load_bytes(&attacker.component(), "git").await;
    loaded.expect("it is well formed");
}

#[tokio::test]
async fn always_shows_the_rule_that_would_last_and_writes_none() {
    let pushing = || calls([("git__push", json!({ "force": true }))]);
    let first = host(&[]).await;
    worried(&first, "origin", "It cannot be taken back.").await;
    let session_of_first = session(&first, vec![pushing(), pushing()]).await;
    let followed = turn(&session_of_first, "Push", says_each_time(Verdict::Always)).await;
    let asks = shown(&followed);
    assert_eq!(asks.len(), 1, "it covers the same again");
    let offer = asks[0].options.last().expect("offers");
    let rule = offer.rule.clone().expect("a rule");
    assert_eq!(offer.verdict, Verdict::Always);
    let digest = first.plugin("git").expect("loaded").digest().to_string();
    assert!(!offer.covers.contains(&digest), "{}", offer.covers);
    assert_eq!(rule.subject, Subject::Exactly("origin".to_owned()));
    assert_eq!(rule.target, Target::Tool(named("push")));
    assert_eq!(first.grants()[0].rule, Some(rule.clone()));
    // Storing the rule is up to the embedder.
    for (rules, asked) in [(Vec::new(), 1), (vec![rule], 0)] {
        let next = builder().rules(rules.into()).build().expect("builds");
        worried(&next, "origin", "It cannot be taken back.").await;
        let session = session(&next, vec![pushing()]).await;
        let followed = turn(&session, "Push", Person::default()).await;
        assert_eq!(shown(&followed).len(), asked);
        assert_eq!(ended(&session)[0].1.is_ok(), asked == 0);
    }
}

#[tokio::test]
async fn levels_and_modes_say_when_a_person_is_asked() {
    // (harmless, destructive), each with whether it asks and whether it runs once approved.
    const RUNS: (bool, bool) = (false, true);
    const ASKS: (bool, bool) = (true, true);
    const DENIED: (bool, bool) = (false, false);
    for (level, ask, harmless, destructive) in [
        (Level::Allowlist, AskMode::OnMiss, RUNS, ASKS),
        (Level::Allowlist, AskMode::Always, ASKS, ASKS),
        (Level::Allowlist, AskMode::Off, RUNS, DENIED),
        (Level::Full, AskMode::OnMiss, RUNS, RUNS),
        (Level::Full, AskMode::Always, ASKS, ASKS),
        (Level::Full, AskMode::Off, RUNS, RUNS),
        (Level::Deny, AskMode::OnMiss, ASKS, ASKS),
        (Level::Deny, AskMode::Always, ASKS, ASKS),
        (Level::Deny, AskMode::Off, DENIED, DENIED),
    ] {
        let mut rules = Rules::default();
        (rules.level, rules.ask) = (level, ask);
        let host = ruled(rules).await;
        let harmless_call = ("hello__greet", json!({ "name": "Ada" }));
        let destructive_call = ("gallery__strike", json!({}));
        for (call, expected) in [(harmless_call, harmless), (destructive_call, destructive)] {
            let session = session(&host, vec![calls([call])]).await;
            let followed = turn(&session, "Go", says_each_time(Verdict::Once)).await;
            let seen = (!shown(&followed).is_empty(), ended(&session)[0].1.is_ok());
            assert_eq!(seen, expected, "{level:?} {ask:?}: {:?}", ended(&session));
        }
    }
}

#[tokio::test]
async fn a_call_that_a_rule_denies_stays_denied_after_any_approval() {
    let denies = |target: Target, level: Level| {
        let mut rules = Rules::from(vec![Rule::deny("todo", target)]);
        rules.level = level;
        rules
    };
    let clear = || Target::Tool(named("clear"));
    let action = || Target::Action(named("todo.clear"));
    for (rules, asked) in [
        // The call requests its own approval, which the rule denies.
        (denies(action(), Level::Allowlist), 0),
        (denies(action(), Level::Full), 0),
        (denies(clear(), Level::Allowlist), 0),
        (denies(clear(), Level::Full), 0),
    ] {
        let host = ruled(rules).await;
        let answers = vec![
            calls([("todo__add", json!({ "title": "milk" }))]),
            calls([("todo__clear", json!({ "what": "everything" }))]),
            calls([("todo__list", json!({}))]),
        ];
        let session = session(&host, answers).await;
        let followed = turn(&session, "Clear", says_each_time(Verdict::Session)).await;
        assert_eq!(shown(&followed).len(), asked);
        let ended = ended(&session);
        assert_eq!(ended[1].1, Err("denied".to_owned()));
        let list = ended[2].1.clone().expect("it lists").to_string();
        assert!(list.contains("milk"), "nothing was deleted: {list}");
    }
}

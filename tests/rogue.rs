//! Attacks on a single call: each ends as it must, and a benign call right after it works.

use crate::attackers::{self, Attack, Ends};
use crate::rogue_cases::{self, CASES, Case, Expect, Person};
use footlight::vocabulary::item::Verdict;
use footlight::{Ended, Host, LoadError};
use footlight_tests::house::{Script, builder, follow};
use footlight_tests::plugins;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

async fn host(attended: bool) -> Host {
    let host = builder().attended(attended).build().expect("builds");
    host.load(plugins::ROGUE).await.expect("loads");
    host.load(plugins::HELLO).await.expect("loads");
    host
}

/// A benign call, which must work whatever happened before.
async fn canary(host: &Host, after: &str) {
    let ended = host
        .call("hello.greet", json!({ "name": "canary" }))
        .finish()
        .await;
    let said = ended.result.map(|result| result.data["content"].clone());
    assert_eq!(
        said.ok(),
        Some(Value::from("Hello, canary!")),
        "after {after}"
    );
}

async fn play(case: &Case) -> Ended {
    let host = host(case.person != Person::Away).await;
    let input: Value = serde_json::from_str(case.input).expect("an input is JSON");
    let call = host.call(&format!("rogue.{}", case.tool), input);
    let many = || std::iter::repeat_n((), 200);
    let script = match case.person {
        Person::Away | Person::No => Script::default(),
        Person::Yes => Script {
            answers: many().map(|()| json!("Yes")).collect(),
            verdicts: many().map(|()| Verdict::Once).collect(),
            cancels: false,
        },
        Person::Cancels => Script {
            cancels: true,
            ..Script::default()
        },
    };
    let ended = follow(&host, call, script).await.ended;
    canary(&host, case.tool).await;
    ended
}

/// Why a call did not end as it must, if it did not.
fn misses(expect: Expect, ended: &Ended) -> Option<String> {
    let data = || match &ended.result {
        Ok(result) => serde_json::to_string(&result.data).unwrap_or_default(),
        Err(_) => String::new(),
    };
    let fault = || {
        ended
            .result
            .as_ref()
            .err()
            .and_then(|failure| failure.fault.as_ref())
            .map(|fault| fault.word())
    };
    let own = |code: &str| {
        ended
            .result
            .as_ref()
            .is_err_and(|failure| failure.fault.is_none() && failure.code == code)
    };
    let met = match expect {
        Expect::Ok => ended.result.is_ok(),
        Expect::Says(words) => {
            ended.result.is_ok() && words.iter().all(|word| data().contains(word))
        }
        Expect::Lacks(words) => {
            ended.result.is_ok() && !words.iter().any(|word| data().contains(word))
        }
        Expect::Failure(code) => own(code),
        Expect::Fault(faults) => fault().is_some_and(|fault| {
            // A panic is a trap with a name.
            faults.contains(&fault) || (fault == "panic" && faults.contains(&"trap"))
        }),
        Expect::Concern => own("denied"),
        Expect::Cancelled => ended
            .result
            .as_ref()
            .is_err_and(|failure| failure.code == "cancelled"),
        Expect::OneOf(ways) => ways.iter().any(|way| misses(*way, ended).is_none()),
    };
    (!met).then(|| {
        let mut ended = format!(
            "{:?} log {:?}",
            ended.result,
            ended.log.iter().take(3).collect::<Vec<_>>()
        );
        ended.truncate(
            (0..=600.min(ended.len()))
                .rev()
                .find(|end| ended.is_char_boundary(*end))
                .unwrap_or(0),
        );
        format!("must be {expect:?}, is {ended}")
    })
}

#[test]
fn every_tool_of_rogue_has_a_case() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let host = runtime.block_on(host(false));
    let rogue = host.plugin("rogue").expect("loaded");
    let tools: BTreeSet<&str> = rogue
        .tools()
        .iter()
        .map(|tool| tool.name.as_str())
        .collect();
    assert_eq!(tools, rogue_cases::tools());
}

/// Plays cases on all cores, each with a host of its own state, and gathers what went wrong.
fn play_all(cases: Vec<&'static Case>) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let wrong: Vec<String> = runtime.block_on(async {
        let playing: Vec<_> = cases
            // Two at once: more would make the guests wait for each other and not for their limits.
            .chunks(cases.len().div_ceil(2))
            .map(|cases| {
                let cases = cases.to_vec();
                tokio::spawn(async move {
                    let mut wrong = Vec::new();
                    for case in cases {
                        let started = Instant::now();
                        let ended = play(case).await;
                        if let Some(why) = misses(case.expect, &ended) {
                            wrong.push(format!("{} {}: {why}", case.tool, case.input));
                        }
                        if started.elapsed() > Duration::from_secs(60) {
                            wrong.push(format!(
                                "{} {} took {:?}",
                                case.tool,
                                case.input,
                                started.elapsed()
                            ));
                        }
                    }
                    wrong
                })
            })
            .collect();
        let mut wrong = Vec::new();
        for cases in playing {
            wrong.extend(cases.await.expect("no panic"));
        }
        wrong
    });
    assert!(
        wrong.is_empty(),
        "{} cases went wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_attack_of_rogue_ends_as_it_must_and_a_benign_call_works_after_it() {
    play_all(CASES.iter().collect());
}

async fn meet(host: &Host, attack: &Attack) -> Option<String> {
    let loaded = host.load_bytes(&attack.component, "attacker").await;
    let sentence = loaded
        .as_ref()
        .err()
        .map(ToString::to_string)
        .unwrap_or_default();
    let run = async || host.call("attacker.attack", json!({})).finish().await;
    let says = |words: &[&str]| words.iter().all(|word| sentence.contains(word));
    let met = match attack.ends {
        // It may fail in its own words, which are the model's to read; the host had no reason to stop it.
        Ends::Fine => {
            loaded.is_ok()
                && run()
                    .await
                    .result
                    .err()
                    .is_none_or(|failure| failure.fault.is_none())
        }
        Ends::Either => {
            if loaded.is_ok() {
                run().await;
            }
            true
        }
        Ends::Refused(words) => matches!(loaded, Err(LoadError::NotAPlugin(_))) && says(words),
        Ends::Load(_) | Ends::Description(_) => loaded.is_err(),
        Ends::Concern => run()
            .await
            .result
            .is_err_and(|failure| failure.code == "denied"),
        Ends::Run(faults) => {
            let ended = run().await;
            return misses(Expect::Fault(faults), &ended).map(|why| format!("{why} ({sentence})"));
        }
    };
    (!met).then(|| format!("must end as {:?}, said {sentence:?}", attack.ends))
}

#[test]
fn every_hostile_component_ends_as_it_must_and_a_benign_call_works_after_it() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let attacks = attackers::files()
        .into_iter()
        .chain(attackers::liars())
        .chain(attackers::no_components());
    let wrong: Vec<String> = runtime.block_on(async {
        let mut wrong = Vec::new();
        for attack in attacks {
            let started = Instant::now();
            let host = builder().attended(false).build().expect("builds");
            host.load(plugins::HELLO).await.expect("loads");
            if let Some(why) = meet(&host, &attack).await {
                wrong.push(format!("{}: {why}", attack.name));
            }
            canary(&host, &attack.name).await;
            if started.elapsed() > Duration::from_secs(30) {
                wrong.push(format!("{} took {:?}", attack.name, started.elapsed()));
            }
        }
        wrong
    });
    assert!(
        wrong.is_empty(),
        "{} attacks went wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

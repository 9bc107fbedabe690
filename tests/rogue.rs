//! Attacks by a single call: each ends as it must, and a benign call right after it works.
//!
//! The same list runs three times: each attack on a host of its own, each that ends by itself with
//! its replay, and all of them on one host in random order (`FOOTLIGHT_SEED` repeats it).

use crate::attackers::{self, Attack, Ends};
use crate::rogue_cases::{self, CASES, Case, Expect, Person};
use footlight::vocabulary::item::Verdict;
use footlight::{CallOutcome, Host, HostBuilder, LoadError};
use footlight_tests::plugins;
use footlight_tests::random::Random;
use footlight_tests::scripted_call::{Script, builder, follow};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

async fn host(builder: HostBuilder) -> Host {
    let host = builder.build().expect("builds");
    host.load(plugins::ROGUE).await.expect("loads");
    host.load_bytes(&patient(), PATIENT).await.expect("loads");
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

/// The id of a second `rogue` with much more time than it computes. On a busy machine a guest that computes may
/// reach its time limit first, which says nothing about the limit on computing.
const PATIENT: &str = "patnt";

fn patient() -> Vec<u8> {
    let rogue = std::fs::read(plugins::ROGUE).expect("built");
    let rogue = disguised(rogue, "rogue", PATIENT);
    replaced(rogue, "wall-time = \"12s\"", "wall-time = \"50s\"")
}

/// Reports whether a case must end by computing for too long.
fn must_compute(expect: Expect) -> bool {
    match expect {
        Expect::Fault(faults) => faults == ["cpu"],
        Expect::OneOf(ways) => ways.iter().copied().any(must_compute),
        _ => false,
    }
}

/// Returns the id of the `rogue` that plays a case.
fn player(case: &Case) -> &'static str {
    match must_compute(case.expect) {
        true => PATIENT,
        false => "rogue",
    }
}

/// Runs a case with `rogue` under the id `plugin`, and then a benign call. Returns what went
/// wrong.
async fn play(host: &Host, plugin: &str, case: &Case) -> Option<String> {
    let input: Value = serde_json::from_str(case.input).expect("an input is JSON");
    let call = host.call(&format!("{plugin}.{}", case.tool), input);
    let many = || std::iter::repeat_n((), 200);
    let script = match case.person {
        Person::Refuses => Script::default(),
        Person::Away => Script {
            away: true,
            ..Script::default()
        },
        Person::Agrees => Script {
            answers: many().map(|()| json!("Yes")).collect(),
            verdicts: many().map(|()| Verdict::Once).collect(),
            ..Script::default()
        },
        Person::Cancels => Script {
            cancels: true,
            ..Script::default()
        },
    };
    let ended = follow(host, call, script).await.ended;
    canary(host, case.tool).await;
    misses(case.expect, &ended)
}

/// Returns why a call did not end as it must.
fn misses(expect: Expect, ended: &CallOutcome) -> Option<String> {
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
            .is_err_and(|failure| failure.fault.is_none() && failure.code.as_str() == code)
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
            // A panic is reported as a trap with a name.
            faults.contains(&fault) || (fault == "panic" && faults.contains(&"trap"))
        }),
        Expect::Concern => own("no-person"),
        Expect::Cancelled => ended
            .result
            .as_ref()
            .is_err_and(|failure| failure.code.as_str() == "cancelled"),
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
    let host = runtime.block_on(host(builder()));
    let rogue = host.plugin("rogue").expect("loaded");
    let tools: BTreeSet<&str> = rogue
        .tools()
        .iter()
        .map(|tool| tool.name.as_str())
        .collect();
    assert_eq!(tools, rogue_cases::tools());
}

/// Runs all attempts and collects what went wrong. More than a minute is wrong.
fn all<T, F>(attempts: Vec<T>, attempt: impl Fn(T) -> F + Clone + Send + 'static)
where
    T: Clone + std::fmt::Debug + Send + 'static,
    F: Future<Output = Option<String>> + Send,
{
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let wrong: Vec<String> = runtime.block_on(async {
        let doing: Vec<_> = attempts
            // Two at once: with more, guests would wait for each other instead of reaching their limits.
            .chunks(attempts.len().div_ceil(2))
            .map(|attempts| {
                let (attempts, attempt) = (attempts.to_vec(), attempt.clone());
                tokio::spawn(async move {
                    let mut wrong = Vec::new();
                    for one in attempts {
                        let (started, name) = (Instant::now(), format!("{one:?}"));
                        if let Some(why) = attempt(one).await {
                            wrong.push(format!("{name}: {why}"));
                        }
                        if started.elapsed() > Duration::from_secs(60) {
                            wrong.push(format!("{name} took {:?}", started.elapsed()));
                        }
                    }
                    wrong
                })
            })
            .collect();
        let mut wrong = Vec::new();
        for attempts in doing {
            wrong.extend(attempts.await.expect("no panic"));
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

#[test]
fn every_attack_of_rogue_ends_as_it_must_and_a_benign_call_works_after_it() {
    all(CASES.iter().collect(), async |case: &Case| {
        let attended = case.person != Person::Away;
        play(
            &host(builder().attended(attended)).await,
            player(case),
            case,
        )
        .await
    });
}

/// A call that ends by itself can be replayed; one that is stopped from outside ends at another moment
/// each time.
fn is_replayable(expect: Expect) -> bool {
    match expect {
        Expect::Fault(faults) => ["trap", "exit", "protocol"]
            .iter()
            .any(|f| faults.contains(f)),
        Expect::OneOf(ways) => ways.iter().copied().any(is_replayable),
        _ => true,
    }
}

#[test]
fn every_attack_that_ends_by_itself_is_the_same_when_it_is_replayed() {
    let cases = CASES.iter().filter(|case| is_replayable(case.expect));
    all(cases.collect(), async |case: &Case| {
        let attended = case.person != Person::Away;
        let builder = builder().attended(attended).replay_check(true);
        play(&host(builder).await, "rogue", case).await
    });
}

/// Loads a hostile component, whose id here is `id`, and calls it.
async fn meet(host: &Host, id: &str, attack: &Attack) -> Option<String> {
    let loaded = host.load_bytes(&attack.component, id).await;
    let sentence = loaded
        .as_ref()
        .err()
        .map(ToString::to_string)
        .unwrap_or_default();
    let run = async || {
        let call = host.call(&format!("{id}.attack"), json!({}));
        let away = Script {
            away: true,
            ..Script::default()
        };
        follow(host, call, away).await.ended
    };
    let says = |words: &[&str]| words.iter().all(|word| sentence.contains(word));
    let met = match attack.ends {
        // It may return its own failure for the model; the host had no reason to stop it.
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
        Ends::Refused(words) => matches!(loaded, Err(LoadError::Invalid(_))) && says(words),
        Ends::Load(_) | Ends::Description(_) => loaded.is_err(),
        Ends::Concern => run()
            .await
            .result
            .is_err_and(|failure| failure.code.as_str() == "no-person"),
        Ends::Run(faults) => {
            let ended = run().await;
            return misses(Expect::Fault(faults), &ended).map(|why| format!("{why} ({sentence})"));
        }
    };
    canary(host, &attack.name).await;
    (!met).then(|| format!("must end as {:?}, said {sentence:?}", attack.ends))
}

fn attacks() -> impl Iterator<Item = Attack> {
    attackers::files()
        .into_iter()
        .chain(attackers::liars())
        .chain(attackers::heavy())
        .chain(attackers::no_components())
}

#[test]
fn every_hostile_component_ends_as_it_must_and_a_benign_call_works_after_it() {
    all(attacks().collect(), async |attack: Attack| {
        let host = builder().attended(false).build().expect("builds");
        host.load(plugins::HELLO).await.expect("loads");
        meet(&host, "attacker", &attack).await
    });
}

/// One attack on a host.
#[derive(Debug, Clone)]
enum Attempt {
    /// A call of `rogue`, under this id.
    Call(&'static str, &'static Case),
    /// A hostile component, under this id.
    Load(String, Attack),
}

/// The id of a second `rogue` that fills its quotas, which stay full.
const GLUTTON: &str = "glutn";

/// Replaces the id in a component's manifest with one of the same length.
fn disguised(component: Vec<u8>, id: &str, as_id: &str) -> Vec<u8> {
    replaced(
        component,
        &format!("id = \"{id}\""),
        &format!("id = \"{as_id}\""),
    )
}

/// Replaces text in a component's manifest with text of the same length.
fn replaced(mut component: Vec<u8>, old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let places: Vec<usize> = (0..component.len().saturating_sub(old.len()))
        .filter(|at| component[*at..].starts_with(old.as_bytes()))
        .collect();
    for at in places {
        component[at..at + new.len()].copy_from_slice(new.as_bytes());
    }
    component
}

fn attempts() -> Vec<Attempt> {
    let fills = [
        "flood_keys",
        "flood_values",
        "flood_output",
        "flood_outputs",
    ];
    let calls = CASES.iter().map(|case| {
        let plugin = match fills.contains(&case.tool) {
            true => GLUTTON,
            false => player(case),
        };
        Attempt::Call(plugin, case)
    });
    let loads = attacks().enumerate().map(|(number, mut attack)| {
        let id = format!("att_{number:04}");
        attack.component = disguised(attack.component, "attacker", &id);
        Attempt::Load(id, attack)
    });
    calls.chain(loads).collect()
}

#[test]
fn one_host_outlives_everything_in_any_order() {
    let mut attempts = attempts();
    Random::seeded().shuffle(&mut attempts);
    let host = tokio::runtime::Runtime::new()
        .expect("a runtime")
        .block_on(async {
            let host = host(builder()).await;
            let rogue = std::fs::read(plugins::ROGUE).expect("built");
            let glutton = disguised(rogue, "rogue", GLUTTON);
            host.load_bytes(&glutton, GLUTTON).await.expect("loads");
            host
        });
    all(attempts, move |attempt| {
        let host = host.clone();
        async move {
            match attempt {
                Attempt::Call(plugin, case) => {
                    host.readmit(plugin);
                    play(&host, plugin, case).await
                }
                Attempt::Load(id, attack) => meet(&host, &id, &attack).await,
            }
        }
    });
}

//! Runs single calls with a scripted person.

use footlight::policy::{Pattern, Rule, Rules, Target};
use footlight::vocabulary::event::EventBody;
use footlight::vocabulary::item::Verdict;
use footlight::{Call, CallEvent, CallOutcome, Host, HostBuilder};
use serde_json::Value;
use std::path::PathBuf;

/// Returns a builder with a cache of compiled plugins that all tests share. `weather` is denied the
/// network, so that a test about something else meets no question about it.
pub fn builder() -> HostBuilder {
    let rules = Rules::from(vec![Rule::deny("weather", Target::Host(Pattern::ANY))]);
    Host::builder()
        .cache(PathBuf::from(env!("OUT_DIR")).join("compiled"))
        .attended(true)
        .rules(rules)
}

/// What a person does about questions and approvals.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// The answer to each question, in order; with none left, the question is skipped.
    pub answers: Vec<Value>,
    /// The verdict on each approval, in order; with none left, it is denied.
    pub verdicts: Vec<Verdict>,
    /// Whether the call is cancelled at its first progress report.
    pub cancels: bool,
    /// Whether nobody can be asked at all.
    pub away: bool,
}

/// A finished call with its events.
#[derive(Debug)]
pub struct Followed {
    /// All events, including the last one.
    pub events: Vec<CallEvent>,
    /// The end of the call or turn.
    pub ended: CallOutcome,
}

/// Drives a call to its end and replies as the script says.
///
/// # Panics
/// If a reply is refused: a test should know what it answers.
pub async fn follow(host: &Host, mut call: Call, script: Script) -> Followed {
    let (mut answers, mut verdicts) = (script.answers.into_iter(), script.verdicts.into_iter());
    let mut events = Vec::new();
    loop {
        let event = call.next().await.expect("a call ends with how it ended");
        events.push(event.clone());
        match event {
            CallEvent::Asked { id, .. } => {
                let taken = match answers.next() {
                    _ if script.away => host.no_person(&id),
                    Some(answer) => host.answer(&id, answer),
                    None => host.skip(&id),
                };
                // A cancelled call no longer accepts a reply.
                assert!(taken.is_ok() || script.cancels, "{taken:?}");
            }
            CallEvent::Approval { id, .. } => {
                let verdict = verdicts.next().unwrap_or(Verdict::Deny);
                let taken = if script.away {
                    host.no_person(&id)
                } else {
                    host.decide(&id, verdict, None)
                };
                assert!(taken.is_ok() || script.cancels, "{taken:?}");
            }
            CallEvent::Event(EventBody::Progress { .. }) if script.cancels => call.cancel(),
            CallEvent::Finished(ended) => {
                return Followed {
                    events,
                    ended: *ended,
                };
            }
            _ => {}
        }
    }
}

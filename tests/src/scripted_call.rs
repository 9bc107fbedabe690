//! A host with a person in front of it, for tests: plugins loaded, answers scripted.

use footlight::vocabulary::item::Verdict;
use footlight::{Call, Ended, Event, Host, HostBuilder};
use serde_json::Value;
use std::path::PathBuf;

/// A builder whose compiled plugins all tests share.
pub fn builder() -> HostBuilder {
    Host::builder()
        .cache(PathBuf::from(env!("OUT_DIR")).join("compiled"))
        .attended(true)
}

/// What a person does with everything that waits.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// The answer to each question, in order; with none left, the question is skipped.
    pub answers: Vec<Value>,
    /// The verdict on each request, in order; with none left, it is denied.
    pub verdicts: Vec<Verdict>,
    /// Cancels at the first progress.
    pub cancels: bool,
    /// Is not there at all: nothing is answered and nothing decided.
    pub away: bool,
}

/// A call, followed to its end.
#[derive(Debug)]
pub struct Followed {
    /// Everything that happened, the end included.
    pub events: Vec<Event>,
    /// How it ended.
    pub ended: Ended,
}

/// Follows a call and does what the script says.
///
/// # Panics
/// When an answer is refused: a test should know what it answers.
pub async fn follow(host: &Host, mut call: Call, script: Script) -> Followed {
    let (mut answers, mut verdicts) = (script.answers.into_iter(), script.verdicts.into_iter());
    let mut events = Vec::new();
    loop {
        let event = call.next().await.expect("a call ends with how it ended");
        events.push(event.clone());
        match event {
            Event::Asked { id, .. } => {
                let taken = match answers.next() {
                    _ if script.away => host.nobody(&id),
                    Some(answer) => host.answer(&id, answer),
                    None => host.skip(&id),
                };
                // What was asked may be gone once the call is cancelled.
                assert!(taken.is_ok() || script.cancels, "{taken:?}");
            }
            Event::Approval { id, .. } => {
                let verdict = verdicts.next().unwrap_or(Verdict::Deny);
                let taken = if script.away {
                    host.nobody(&id)
                } else {
                    host.decide(&id, verdict, None)
                };
                assert!(taken.is_ok() || script.cancels, "{taken:?}");
            }
            Event::Progress(_) if script.cancels => call.cancel(),
            Event::Finished(ended) => {
                return Followed {
                    events,
                    ended: *ended,
                };
            }
            _ => {}
        }
    }
}

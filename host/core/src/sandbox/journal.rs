//! The journal under every host call: what was asked, and what was answered.
//!
//! A call that is recorded can be played again: the guest is run from the start, each of its host
//! calls gets the answer that was given the first time, and no effect happens twice. That needs
//! every import to go through here, and everything it answers to be plain data.
//!
//! A secret is never kept, and neither is anything of a call that was told one: whatever it does from
//! then on may carry it. Such a call cannot be played again.
//!
//! So far the journal lives in memory and serves the check that calls *are* replayable.

use crate::call::fault::{Fault, StopError};
use crate::plugin::digest::Digest;
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

/// What doing it again would mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// The same answer every time.
    Pure,
    /// Another answer perhaps, and no harm.
    Read,
    /// A change of something that is ours.
    LocalWrite,
    /// A wait for a person or a clock.
    Wait,
}

/// One host call.
#[derive(Debug, Clone, PartialEq)]
struct JournalRow {
    class: Class,
    op: &'static str,
    request: String,
    answer: String,
}

/// The journal of one call, shared by everything that answers the guest.
#[derive(Debug, Clone, Default)]
pub(crate) struct Journal(Arc<Mutex<JournalMode>>);

#[derive(Debug, Default)]
enum JournalMode {
    /// Nothing is kept.
    #[default]
    Live,
    /// Rows are kept.
    Recording(Vec<JournalRow>),
    /// Rows are played.
    Replaying(VecDeque<JournalRow>),
    /// Rows were kept until the guest was told a secret.
    Sealed,
}

/// Content in a request, which is kept as what it comes to: enough to notice that it differs.
pub(crate) struct Hashed<'a>(pub(crate) &'a [u8]);

impl Serialize for Hashed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Digest::of(self.0))
    }
}

impl Journal {
    /// Keeps every row.
    pub(crate) fn recording() -> Self {
        Self(Arc::new(Mutex::new(JournalMode::Recording(Vec::new()))))
    }

    /// Plays what this one has recorded; nothing if it recorded nothing, or must not.
    pub(crate) fn replay(&self) -> Option<Self> {
        match &*self.lock() {
            JournalMode::Recording(rows) => {
                let rows = rows.iter().cloned().collect();
                Some(Self(Arc::new(Mutex::new(JournalMode::Replaying(rows)))))
            }
            JournalMode::Live | JournalMode::Replaying(_) | JournalMode::Sealed => None,
        }
    }

    /// Forgets everything and keeps nothing more: the guest is about to be told a secret.
    pub(crate) fn seal(&self) {
        let mode = &mut *self.lock();
        if let JournalMode::Recording(_) = mode {
            tracing::info!(
                "a secret was answered: the call is not recorded and cannot be replayed"
            );
            *mode = JournalMode::Sealed;
        }
    }

    /// How many rows are still to be played.
    pub(crate) fn remaining(&self) -> usize {
        match &*self.lock() {
            JournalMode::Replaying(rows) => rows.len(),
            JournalMode::Live | JournalMode::Recording(_) | JournalMode::Sealed => 0,
        }
    }

    /// Whether answers come from the journal.
    pub(crate) fn is_replaying(&self) -> bool {
        matches!(&*self.lock(), JournalMode::Replaying(_))
    }

    /// Does it, or answers what was answered the first time.
    pub(crate) async fn record<Q, A>(
        &self,
        class: Class,
        op: &'static str,
        request: &Q,
        effect: impl Future<Output = A>,
    ) -> wasmtime::Result<A>
    where
        Q: Serialize + ?Sized,
        A: Serialize + DeserializeOwned,
    {
        if let Some(answer) = self.replayed(op, request)? {
            return Ok(answer);
        }
        let answer = effect.await;
        self.append(class, op, request, &answer);
        Ok(answer)
    }

    /// The same for an effect that takes no time.
    pub(crate) fn record_now<Q, A>(
        &self,
        class: Class,
        op: &'static str,
        request: &Q,
        effect: impl FnOnce() -> A,
    ) -> wasmtime::Result<A>
    where
        Q: Serialize + ?Sized,
        A: Serialize + DeserializeOwned,
    {
        if let Some(answer) = self.replayed(op, request)? {
            return Ok(answer);
        }
        let answer = effect();
        self.append(class, op, request, &answer);
        Ok(answer)
    }

    fn replayed<Q, A>(&self, op: &'static str, request: &Q) -> wasmtime::Result<Option<A>>
    where
        Q: Serialize + ?Sized,
        A: DeserializeOwned,
    {
        let JournalMode::Replaying(rows) = &mut *self.lock() else {
            return Ok(None);
        };
        let diverged = |what: String| wasmtime::Error::from(StopError(Fault::Internal(what)));
        let row = rows
            .pop_front()
            .ok_or_else(|| diverged(format!("replay strayed: `{op}` was not called before")))?;
        if row.op != op || row.request != text(request) {
            return Err(diverged(format!(
                "replay strayed: `{op}` where `{}` was called before",
                row.op
            )));
        }
        serde_json::from_str(&row.answer)
            .map(Some)
            .map_err(|error| diverged(format!("the journal is unreadable: {error}")))
    }

    fn append<Q: Serialize + ?Sized, A: Serialize>(
        &self,
        class: Class,
        op: &'static str,
        request: &Q,
        answer: &A,
    ) {
        if let JournalMode::Recording(rows) = &mut *self.lock() {
            rows.push(JournalRow {
                class,
                op,
                request: text(request),
                answer: text(answer),
            });
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, JournalMode> {
        // A panic in an import ends the call; the journal is whole up to there.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn text<T: Serialize + ?Sized>(value: &T) -> String {
    // Requests and answers are plain data, which always serialises.
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(
        journal: &Journal,
        request: &impl Serialize,
        answer: &str,
    ) -> wasmtime::Result<String> {
        journal.record_now(Class::Read, "test", request, || answer.to_owned())
    }

    #[test]
    fn a_replay_answers_as_before_and_notices_what_differs() {
        let journal = Journal::recording();
        record(&journal, &Hashed(b"content"), "one").expect("live");
        let again = journal.replay().expect("recorded");
        let answer = record(&again, &Hashed(b"content"), "two").expect("the same");
        assert_eq!((answer.as_str(), again.remaining()), ("one", 0));
        let again = journal.replay().expect("recorded");
        assert!(record(&again, &Hashed(b"CONTENT"), "two").is_err());
    }

    #[test]
    fn nothing_of_a_call_that_was_told_a_secret_is_kept() {
        let journal = Journal::recording();
        record(&journal, &"before", "x").expect("live");
        journal.seal();
        record(&journal, &"hunter2", "hunter2").expect("live");
        assert!(journal.replay().is_none());
        let kept = format!("{journal:?}");
        assert!(
            !kept.contains("hunter2") && !kept.contains("before"),
            "{kept}"
        );
    }
}

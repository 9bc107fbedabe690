//! The journal of a guest's host calls: each request with its answer.
//!
//! A recorded call can be replayed: the guest runs from the start, each of its host calls gets the
//! recorded answer, and no effect happens twice. For that, every import goes through the journal and
//! answers with plain data.
//!
//! Some calls cannot be replayed, and are not recorded from the moment that is known: see
//! [`Unreplayable`].
//!
//! The journal is in memory and serves [`HostBuilder::replay_check`](crate::HostBuilder::replay_check).

use crate::call::fault::{Fault, StopError};
use crate::plugin::digest::Digest;
use crate::sync::lock;
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex};

/// What repeating a host call would mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// The same answer every time.
    Pure,
    /// Perhaps another answer, and no effect.
    Read,
    /// A change outside the host, which must not be repeated.
    Write,
    /// A change within the host.
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

/// The journal of one call. Clones share it.
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
    /// Rows were kept until the call could not be replayed any more.
    Sealed,
}

/// Why a call cannot be replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unreplayable {
    /// It was answered a secret: whatever it does afterwards may contain the secret.
    Secret,
    /// It was given folders: they change without the host, and their files are too large to keep.
    Folder,
}

impl Unreplayable {
    fn reason(self) -> &'static str {
        match self {
            Self::Secret => "a secret was answered",
            Self::Folder => "folders were given",
        }
    }
}

/// Content in a request, recorded as its digest: enough to notice a difference.
pub(crate) struct Hashed<'a>(pub(crate) &'a [u8]);

impl Serialize for Hashed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Digest::of(self.0))
    }
}

impl Journal {
    /// Returns a journal that records.
    pub(crate) fn recording() -> Self {
        Self(Arc::new(Mutex::new(JournalMode::Recording(Vec::new()))))
    }

    /// Returns a journal that replays this one, unless this one does not record or is sealed.
    pub(crate) fn replay(&self) -> Option<Self> {
        match &*lock(&self.0) {
            JournalMode::Recording(rows) => {
                let rows = rows.iter().cloned().collect();
                Some(Self(Arc::new(Mutex::new(JournalMode::Replaying(rows)))))
            }
            JournalMode::Live | JournalMode::Replaying(_) | JournalMode::Sealed => None,
        }
    }

    /// Drops all rows and records no more: the guest is about to get what cannot be replayed.
    pub(crate) fn seal(&self, why: Unreplayable) {
        let mode = &mut *lock(&self.0);
        if let JournalMode::Recording(_) = mode {
            tracing::info!(
                why = why.reason(),
                "the call is not recorded and cannot be replayed"
            );
            *mode = JournalMode::Sealed;
        }
    }

    /// Returns how many rows are left to replay.
    pub(crate) fn remaining(&self) -> usize {
        match &*lock(&self.0) {
            JournalMode::Replaying(rows) => rows.len(),
            JournalMode::Live | JournalMode::Recording(_) | JournalMode::Sealed => 0,
        }
    }

    /// Reports whether answers come from the journal.
    pub(crate) fn is_replaying(&self) -> bool {
        matches!(&*lock(&self.0), JournalMode::Replaying(_))
    }

    /// Awaits an effect and records its answer, or returns the recorded answer.
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
        self.record_unless_stopped(class, op, request, async { Ok(effect.await) })
            .await
    }

    /// Does the same as [`record`](Self::record) for an effect that can stop the guest, which is not
    /// recorded.
    pub(crate) async fn record_unless_stopped<Q, A>(
        &self,
        class: Class,
        op: &'static str,
        request: &Q,
        effect: impl Future<Output = Result<A, Fault>>,
    ) -> wasmtime::Result<A>
    where
        Q: Serialize + ?Sized,
        A: Serialize + DeserializeOwned,
    {
        if let Some(answer) = self.replayed(op, request)? {
            return Ok(answer);
        }
        let answer = effect.await.map_err(StopError)?;
        self.append(class, op, request, &answer);
        Ok(answer)
    }

    /// Does the same as [`record`](Self::record) for an effect that does not wait.
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
        let JournalMode::Replaying(rows) = &mut *lock(&self.0) else {
            return Ok(None);
        };
        let diverged = |what: String| wasmtime::Error::from(StopError(Fault::Internal(what)));
        let row = rows.pop_front().ok_or_else(|| {
            diverged(format!("the replay diverged: `{op}` was not called before"))
        })?;
        if row.op != op || row.request != text(request) {
            return Err(diverged(format!(
                "the replay diverged: `{op}` where `{}` was called before",
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
        if let JournalMode::Recording(rows) = &mut *lock(&self.0) {
            rows.push(JournalRow {
                class,
                op,
                request: text(request),
                answer: text(answer),
            });
        }
    }
}

fn text<T: Serialize + ?Sized>(value: &T) -> String {
    // Plain data always serialises.
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
        journal.seal(Unreplayable::Secret);
        record(&journal, &"hunter2", "hunter2").expect("live");
        assert!(journal.replay().is_none());
        let kept = format!("{journal:?}");
        assert!(
            !kept.contains("hunter2") && !kept.contains("before"),
            "{kept}"
        );
    }
}

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
use crate::observer::{Begun, CallTrace, HostCallOutcome};
use crate::plugin::digest::Digest;
use crate::sync::lock;
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex};

/// What repeating a host call would mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
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

/// A host call that is about to be made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Op<'a> {
    pub(crate) class: Class,
    /// The interface and the function.
    pub(crate) name: &'static str,
    /// What it is about, for observers: no body, and nothing that can be confidential.
    pub(crate) subject: [&'a str; 2],
    /// The bytes of its body, for observers.
    pub(crate) sent: Option<usize>,
}

impl Class {
    /// Returns the word for the class.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::Read => "read",
            Self::Write => "write",
            Self::LocalWrite => "local-write",
            Self::Wait => "wait",
        }
    }

    /// Returns a host call of this class.
    pub(crate) fn op<'a>(self, name: &'static str) -> Op<'a> {
        Op {
            class: self,
            name,
            subject: [""; 2],
            sent: None,
        }
    }
}

impl<'a> Op<'a> {
    /// Sets what it is about.
    pub(crate) fn about(mut self, subject: &'a str) -> Self {
        self.subject = [subject, ""];
        self
    }

    /// Sets what it is about, in two parts.
    pub(crate) fn about_both(mut self, first: &'a str, second: &'a str) -> Self {
        self.subject = [first, second];
        self
    }

    /// Sets the bytes of its body.
    pub(crate) fn sending(mut self, bytes: usize) -> Self {
        self.sent = Some(bytes);
        self
    }
}

/// The answer to a host call, as observers are told of it.
pub(crate) trait Answer {
    fn outcome(&self) -> HostCallOutcome<'_>;
}

/// One host call that was made.
#[derive(Debug, Clone, PartialEq)]
struct JournalRow {
    class: Class,
    op: &'static str,
    request: String,
    answer: String,
}

/// The journal of one call. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Journal {
    mode: Arc<Mutex<JournalMode>>,
    /// Tells observers about each host call, if one watches guests.
    trace: Option<Arc<CallTrace>>,
}

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
    fn of(mode: JournalMode) -> Self {
        Self {
            mode: Arc::new(Mutex::new(mode)),
            trace: None,
        }
    }

    /// Returns a journal that records.
    pub(crate) fn recording() -> Self {
        Self::of(JournalMode::Recording(Vec::new()))
    }

    /// Tells observers about each host call.
    pub(crate) fn with_trace(mut self, trace: Option<Arc<CallTrace>>) -> Self {
        self.trace = trace;
        self
    }

    /// Begins a host call for observers.
    pub(crate) fn begin<'a>(&'a self, op: Op<'a>) -> Option<Begun<'a>> {
        self.trace.as_ref().and_then(|trace| trace.begin(op))
    }

    /// Returns a journal that replays this one, unless this one does not record or is sealed.
    pub(crate) fn replay(&self) -> Option<Self> {
        match &*lock(&self.mode) {
            JournalMode::Recording(rows) => {
                let rows = rows.iter().cloned().collect();
                Some(Self::of(JournalMode::Replaying(rows)))
            }
            JournalMode::Live | JournalMode::Replaying(_) | JournalMode::Sealed => None,
        }
    }

    /// Drops all rows and records no more: the guest is about to get what cannot be replayed.
    pub(crate) fn seal(&self, why: Unreplayable) {
        let mode = &mut *lock(&self.mode);
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
        match &*lock(&self.mode) {
            JournalMode::Replaying(rows) => rows.len(),
            JournalMode::Live | JournalMode::Recording(_) | JournalMode::Sealed => 0,
        }
    }

    /// Reports whether answers come from the journal.
    pub(crate) fn is_replaying(&self) -> bool {
        matches!(&*lock(&self.mode), JournalMode::Replaying(_))
    }

    /// Awaits an effect and records its answer, or returns the recorded answer.
    pub(crate) async fn record<Q, A>(
        &self,
        op: Op<'_>,
        request: &Q,
        effect: impl Future<Output = A>,
    ) -> wasmtime::Result<A>
    where
        Q: Serialize + ?Sized,
        A: Serialize + DeserializeOwned + Answer,
    {
        self.record_unless_stopped(op, request, async { Ok(effect.await) })
            .await
    }

    /// Does the same as [`record`](Self::record) for an effect that can stop the guest, which is not
    /// recorded.
    pub(crate) async fn record_unless_stopped<Q, A>(
        &self,
        op: Op<'_>,
        request: &Q,
        effect: impl Future<Output = Result<A, Fault>>,
    ) -> wasmtime::Result<A>
    where
        Q: Serialize + ?Sized,
        A: Serialize + DeserializeOwned + Answer,
    {
        if let Some(answer) = self.replayed(op.name, request)? {
            return Ok(answer);
        }
        let begun = self.begin(op);
        let answer = effect.await.map_err(StopError)?;
        if let Some(begun) = begun {
            begun.end(answer.outcome());
        }
        self.append(op, request, &answer);
        Ok(answer)
    }

    /// Does the same as [`record`](Self::record) for an effect that does not wait.
    pub(crate) fn record_now<Q, A>(
        &self,
        op: Op<'_>,
        request: &Q,
        effect: impl FnOnce() -> A,
    ) -> wasmtime::Result<A>
    where
        Q: Serialize + ?Sized,
        A: Serialize + DeserializeOwned + Answer,
    {
        if let Some(answer) = self.replayed(op.name, request)? {
            return Ok(answer);
        }
        let begun = self.begin(op);
        let answer = effect();
        if let Some(begun) = begun {
            begun.end(answer.outcome());
        }
        self.append(op, request, &answer);
        Ok(answer)
    }

    fn replayed<Q, A>(&self, op: &'static str, request: &Q) -> wasmtime::Result<Option<A>>
    where
        Q: Serialize + ?Sized,
        A: DeserializeOwned,
    {
        let JournalMode::Replaying(rows) = &mut *lock(&self.mode) else {
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

    fn append<Q: Serialize + ?Sized, A: Serialize>(&self, op: Op<'_>, request: &Q, answer: &A) {
        if let JournalMode::Recording(rows) = &mut *lock(&self.mode) {
            rows.push(JournalRow {
                class: op.class,
                op: op.name,
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
        journal.record_now(Class::Read.op("test"), request, || answer.to_owned())
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

//! What running guests do, for observers that watch them: their log, and each of their host calls.
//!
//! A [`CallTrace`] belongs to one call, and exists only where an observer watches guests or their logs.
//! Without one, nothing here runs: no clock is read and nothing is allocated.
//!
//! Invariant: nothing that a guest wrote is told after it was told a secret, and no size of it either.

use super::{Observed, Observer, ObserverList, tell};
use crate::call::stage::{Stage, now};
use crate::sandbox::journal::Op;
use footlight_vocabulary::escape::cut;
use footlight_vocabulary::item::Timestamp;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// The most host calls of one call that observers are told about. A guest that reads the clock in a
/// loop makes millions.
const MAX_TRACED: u64 = 10_000;

/// The most bytes of a subject or of an error's message.
const MAX_TEXT: usize = 300;

/// The level of a message that a plugin logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogLevel {
    /// Every step.
    Trace,
    /// For whoever looks for a mistake.
    Debug,
    /// What happens.
    Info,
    /// What may be wrong.
    Warn,
    /// What went wrong.
    Error,
}

impl LogLevel {
    /// All levels, the lowest first.
    pub const ALL: [Self; 5] = [
        Self::Trace,
        Self::Debug,
        Self::Info,
        Self::Warn,
        Self::Error,
    ];

    /// Returns the word for the level.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The error for a word that is no [`LogLevel`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a level; write trace, debug, info, warn or error")]
#[non_exhaustive]
pub struct LogLevelError;

impl FromStr for LogLevel {
    type Err = LogLevelError;

    fn from_str(word: &str) -> Result<Self, LogLevelError> {
        let found = Self::ALL.into_iter().find(|level| level.as_str() == word);
        found.ok_or(LogLevelError)
    }
}

/// Where a plugin wrote a line of its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogSource {
    /// A message that the plugin logged.
    Log(LogLevel),
    /// A line that it printed to stdout.
    Stdout,
    /// A line that it printed to stderr, such as the message of a panic.
    Stderr,
}

impl LogSource {
    /// Returns the level: that of a message; `info` for stdout, and `error` for stderr.
    #[must_use]
    pub fn level(self) -> LogLevel {
        match self {
            Self::Log(level) => level,
            Self::Stdout => LogLevel::Info,
            Self::Stderr => LogLevel::Error,
        }
    }
}

/// How a host call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostCallOutcome<'a> {
    /// It answered.
    #[non_exhaustive]
    Answered {
        /// The bytes of the answer, where it has a size.
        bytes: Option<u64>,
        /// The HTTP status, if it is a response.
        status: Option<u16>,
    },
    /// It answered with an error, which the guest may handle.
    #[non_exhaustive]
    Failed {
        /// The case of the contract's error, such as `denied`.
        error: &'static str,
        /// What the guest was told, shortened.
        message: &'a str,
    },
    /// The guest was stopped before there was an answer.
    Stopped,
}

impl HostCallOutcome<'_> {
    pub(crate) fn answered(bytes: Option<usize>, status: Option<u16>) -> Self {
        let bytes = bytes.map(|bytes| bytes as u64);
        Self::Answered { bytes, status }
    }
}

/// The observers of one call, and what they are told of it.
pub(crate) struct CallTrace {
    /// Those who are told of the log.
    of_logs: ObserverList,
    /// Those who are told of host calls, too.
    of_guests: Option<ObserverList>,
    stage: Arc<Stage>,
    function: String,
    /// How many host calls have begun.
    begun: AtomicU64,
    /// Whether the guest was told a secret.
    sealed: AtomicBool,
}

impl fmt::Debug for CallTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallTrace")
            .field("function", &self.function)
            .finish_non_exhaustive()
    }
}

impl CallTrace {
    pub(super) fn new(
        of_logs: ObserverList,
        of_guests: Option<ObserverList>,
        stage: Arc<Stage>,
        function: String,
    ) -> Self {
        Self {
            of_logs,
            of_guests,
            stage,
            function,
            begun: AtomicU64::new(0),
            sealed: AtomicBool::new(false),
        }
    }

    /// Tells no text and no size from now on: the guest is about to get a secret.
    pub(crate) fn seal(&self) {
        self.sealed.store(true, Ordering::Relaxed);
    }

    fn is_sealed(&self) -> bool {
        self.sealed.load(Ordering::Relaxed)
    }

    /// Tells a line of the guest's log.
    pub(crate) fn logged(&self, source: LogSource, text: &str) {
        self.tell(&Observed::GuestLogged {
            session: &self.stage.session,
            person: &self.stage.person,
            call: &self.stage.call,
            function: &self.function,
            source,
            text,
            at: now(),
        });
    }

    /// Begins a host call, of which the end is told; none if nobody is told.
    pub(crate) fn begin<'a>(self: &'a Arc<Self>, op: Op<'a>) -> Option<Begun<'a>> {
        let observers = self.of_guests.as_deref()?;
        let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        (number <= MAX_TRACED).then(|| Begun {
            trace: self,
            observers,
            number,
            op,
            at: now(),
            since: Instant::now(),
            told: false,
        })
    }

    /// Tells what was left out, if anything was. `log_lines` and `printed_bytes` were over the limits of
    /// the log.
    pub(crate) fn finish(&self, log_lines: usize, printed_bytes: usize) {
        let host_calls = self.begun.load(Ordering::Relaxed);
        let host_calls = host_calls.saturating_sub(MAX_TRACED);
        let told_secret = self.is_sealed();
        if host_calls == 0 && log_lines == 0 && printed_bytes == 0 && !told_secret {
            return;
        }
        self.tell(&Observed::GuestTraceCut {
            session: &self.stage.session,
            person: &self.stage.person,
            call: &self.stage.call,
            function: &self.function,
            host_calls,
            log_lines: log_lines as u64,
            printed_bytes: printed_bytes as u64,
            told_secret,
        });
    }

    fn tell(&self, event: &Observed<'_>) {
        tell(&self.of_logs, event);
    }
}

/// A host call that has begun. If it is dropped before it ended, the guest was stopped.
pub(crate) struct Begun<'a> {
    trace: &'a CallTrace,
    observers: &'a [Arc<dyn Observer>],
    number: u64,
    op: Op<'a>,
    at: Timestamp,
    since: Instant,
    told: bool,
}

impl Begun<'_> {
    /// Tells how the host call ended.
    pub(crate) fn end(mut self, outcome: HostCallOutcome<'_>) {
        self.tell(outcome);
    }

    fn tell(&mut self, outcome: HostCallOutcome<'_>) {
        let took = self.since.elapsed();
        self.told = true;
        let (op, trace) = (self.op, self.trace);
        // Asked after the host call, which may have answered a secret.
        let is_sealed = trace.is_sealed();
        let mut subject = String::new();
        if !is_sealed {
            let parts = op.subject.into_iter().filter(|part| !part.is_empty());
            let parts: Vec<&str> = parts.map(|part| cut(part, MAX_TEXT)).collect();
            subject = parts.join(" ");
        }
        let outcome = match outcome {
            HostCallOutcome::Answered { status, .. } if is_sealed => HostCallOutcome::Answered {
                bytes: None,
                status,
            },
            HostCallOutcome::Failed { error, .. } if is_sealed => {
                HostCallOutcome::Failed { error, message: "" }
            }
            HostCallOutcome::Failed { error, message } => HostCallOutcome::Failed {
                error,
                message: cut(message, MAX_TEXT),
            },
            other => other,
        };
        let stage = &trace.stage;
        let told = Observed::HostCall {
            session: &stage.session,
            person: &stage.person,
            call: &stage.call,
            function: &trace.function,
            number: self.number,
            class: op.class,
            operation: op.name,
            subject: &subject,
            sent: op.sent.filter(|_| !is_sealed).map(|bytes| bytes as u64),
            outcome,
            at: self.at,
            took,
        };
        tell(self.observers, &told);
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        if !self.told {
            self.tell(HostCallOutcome::Stopped);
        }
    }
}

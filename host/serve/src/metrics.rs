//! What is counted for `GET /metrics`, in the text format of Prometheus.
//!
//! What the host does is [observed](Observer), whoever started it: the server, or the program around it.

mod histogram;

use axum::http::StatusCode;
use footlight::vocabulary::event::Status;
use footlight::{Observed, Observer};
use footlight_vocabulary::failure::FailureCode;
use histogram::Histogram;
use std::fmt::{Display, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// How turns end, as their label says. One that was suspended has not ended.
const TURN_ENDS: [&str; 6] = ["done", "error", "cancelled", "limit", "suspended", "other"];

/// How calls end.
const CALL_ENDS: [&str; 9] = [
    "success",
    "invalid-input",
    "denied",
    "unavailable",
    "cancelled",
    "interrupted",
    "limit",
    "no-person",
    "other",
];

/// The counters of a server.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Responses by the first digit of their status, from 1.
    responses: [AtomicU64; 5],
    streams: Arc<AtomicI64>,
    connections: Arc<AtomicI64>,
    turns: AtomicU64,
    turn_ends: [AtomicU64; TURN_ENDS.len()],
    call_ends: [AtomicU64; CALL_ENDS.len()],
    /// Tokens that models were sent and have written.
    tokens: [AtomicU64; 2],
    /// New requests to people.
    requests: AtomicU64,
    /// Calls that wait for a person on this host.
    waiting: AtomicI64,
    store: Histogram,
    store_failures: AtomicU64,
}

/// Counts something for as long as it lives.
pub(crate) struct Counted(Arc<AtomicI64>);

impl Counted {
    fn new(count: &Arc<AtomicI64>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn add(count: &AtomicU64, number: u64) {
    count.fetch_add(number, Ordering::Relaxed);
}

impl Observer for Metrics {
    fn observe(&self, event: &Observed<'_>) {
        match event {
            Observed::TurnStarted { .. } => add(&self.turns, 1),
            Observed::TurnEnded { status, .. } => add(&self.turn_ends[turn_end(*status)], 1),
            Observed::Step { tokens, .. } => {
                add(&self.tokens[0], tokens.input);
                add(&self.tokens[1], tokens.output);
            }
            Observed::CallEnded { failure, .. } => add(&self.call_ends[call_end(*failure)], 1),
            Observed::RequestOpened { is_new, .. } => {
                add(&self.requests, u64::from(*is_new));
                self.waiting.fetch_add(1, Ordering::Relaxed);
            }
            Observed::RequestSettled { .. } => {
                self.waiting.fetch_sub(1, Ordering::Relaxed);
            }
            Observed::Stored { took, failed, .. } => {
                self.store.add(*took);
                add(&self.store_failures, u64::from(*failed));
            }
            _ => {}
        }
    }
}

fn turn_end(status: Option<&Status>) -> usize {
    match status {
        Some(Status::Done) => 0,
        Some(Status::Error) => 1,
        Some(Status::Cancelled) => 2,
        Some(Status::Limit) => 3,
        None | Some(Status::Waiting) => 4,
        Some(_) => 5,
    }
}

fn call_end(failure: Option<&FailureCode>) -> usize {
    match failure {
        None => 0,
        Some(FailureCode::InvalidInput) => 1,
        Some(FailureCode::Denied) => 2,
        Some(FailureCode::Unavailable) => 3,
        Some(FailureCode::Cancelled) => 4,
        Some(FailureCode::Interrupted) => 5,
        Some(FailureCode::Limit) => 6,
        Some(FailureCode::NoPerson) => 7,
        Some(_) => 8,
    }
}

impl Metrics {
    pub(crate) fn count_response(&self, status: StatusCode) {
        let class = usize::from(status.as_u16() / 100).clamp(1, 5) - 1;
        add(&self.responses[class], 1);
    }

    pub(crate) fn count_stream(&self) -> Counted {
        Counted::new(&self.streams)
    }

    pub(crate) fn count_connection(&self) -> Counted {
        Counted::new(&self.connections)
    }

    /// Writes the counters, and how many requests are pending in the store.
    pub(crate) fn text(&self, pending: usize) -> String {
        let mut text = Exposition::default();
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        text.counter(
            "turns",
            "Turns that were started or resumed.",
            read(&self.turns),
        );
        text.labelled(
            "turn_ends",
            "Turns that have ended, by how.",
            "status",
            TURN_ENDS.iter().zip(self.turn_ends.iter().map(read)),
        );
        text.labelled(
            "calls",
            "Calls that have ended, by outcome.",
            "outcome",
            CALL_ENDS.iter().zip(self.call_ends.iter().map(read)),
        );
        text.labelled(
            "tokens",
            "Tokens of models, by direction.",
            "direction",
            ["input", "output"].iter().zip(self.tokens.iter().map(read)),
        );
        text.counter(
            "requests",
            "New questions and requests for approval.",
            read(&self.requests),
        );
        text.gauge(
            "waiting",
            "Calls that wait for a person.",
            self.waiting.load(Ordering::Relaxed),
        );
        text.gauge(
            "pending",
            "Stored requests that wait for a person.",
            pending,
        );
        text.counter(
            "store_failures",
            "Operations of the store that failed.",
            read(&self.store_failures),
        );
        text.gauge(
            "streams",
            "Open live streams.",
            self.streams.load(Ordering::Relaxed),
        );
        text.gauge(
            "connections",
            "Open connections.",
            self.connections.load(Ordering::Relaxed),
        );
        let classes = ["1xx", "2xx", "3xx", "4xx", "5xx"];
        text.labelled(
            "responses",
            "Responses by class of status.",
            "class",
            classes.iter().zip(self.responses.iter().map(read)),
        );
        self.store.write(
            "footlight_store_seconds",
            "Time until the store has answered.",
            &mut text.0,
        );
        text.0
    }
}

/// The text of the counters.
#[derive(Default)]
struct Exposition(String);

impl Exposition {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string never fails.
        let _ = write!(
            self.0,
            "# HELP footlight_{name} {help}\n# TYPE footlight_{name} {kind}\n"
        );
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        self.head(name, "gauge", help);
        let _ = writeln!(self.0, "footlight_{name} {value}");
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        let name = format!("{name}_total");
        self.head(&name, "counter", help);
        let _ = writeln!(self.0, "footlight_{name} {value}");
    }

    fn labelled<'a>(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        values: impl Iterator<Item = (&'a &'static str, u64)>,
    ) {
        let name = format!("{name}_total");
        self.head(&name, "counter", help);
        for (value, count) in values {
            let _ = writeln!(self.0, "footlight_{name}{{{label}=\"{value}\"}} {count}");
        }
    }
}

//! Counters for `GET /metrics`, in the text format of Prometheus.

use axum::http::StatusCode;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// The counters of a server.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Responses by the first digit of their status, from 1.
    responses: [AtomicU64; 5],
    streams: Arc<AtomicI64>,
    connections: Arc<AtomicI64>,
    pub(crate) turns: AtomicU64,
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

impl Metrics {
    pub(crate) fn count_response(&self, status: StatusCode) {
        let class = usize::from(status.as_u16() / 100).clamp(1, 5) - 1;
        self.responses[class].fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_stream(&self) -> Counted {
        Counted::new(&self.streams)
    }

    pub(crate) fn count_connection(&self) -> Counted {
        Counted::new(&self.connections)
    }

    /// Writes the counters, and how many requests wait for a person.
    pub(crate) fn text(&self, pending: usize) -> String {
        let mut text = String::new();
        let mut gauge = |name: &str, kind: &str, help: &str, value: i64| {
            let _ = write!(
                text,
                "# HELP footlight_{name} {help}\n# TYPE footlight_{name} {kind}\nfootlight_{name} {value}\n"
            );
        };
        let read = |count: &AtomicU64| i64::try_from(count.load(Ordering::Relaxed));
        let turns = read(&self.turns).unwrap_or(i64::MAX);
        gauge("turns_total", "counter", "Turns that were started.", turns);
        let waiting = i64::try_from(pending).unwrap_or(i64::MAX);
        gauge(
            "pending",
            "gauge",
            "Requests that wait for a person.",
            waiting,
        );
        let streams = self.streams.load(Ordering::Relaxed);
        gauge("streams", "gauge", "Open live streams.", streams);
        let connections = self.connections.load(Ordering::Relaxed);
        gauge("connections", "gauge", "Open connections.", connections);
        text.push_str("# HELP footlight_responses_total Responses by class of status.\n");
        text.push_str("# TYPE footlight_responses_total counter\n");
        for (at, count) in self.responses.iter().enumerate() {
            let count = count.load(Ordering::Relaxed);
            let class = at + 1;
            let _ = writeln!(
                text,
                "footlight_responses_total{{class=\"{class}xx\"}} {count}"
            );
        }
        text
    }
}

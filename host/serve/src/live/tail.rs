//! The last lines that the running calls of a session log, for the streams that ask for them.
//!
//! [`LogTails`] observes the host. A session has a tail while a stream follows it; without one, a line costs
//! a look-up. Nothing is stored: the tail is gone with the last stream, and empty when the next turn begins.
//!
//! Invariant: it has what observers are told, and so nothing that a call wrote after it was told a secret.

use super::LiveFrame;
use crate::log::LogLines;
use footlight::{LogSource, Observed, Observer};
use footlight_vocabulary::item::{CallId, SessionId};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// How many lines of a call are kept.
const MAX_LINES: usize = 8;

/// Of how many calls of a turn lines are kept.
const MAX_CALLS: usize = 16;

/// The least time between two looks of a stream at the tail.
const INTERVAL: Duration = Duration::from_millis(200);

/// The tails of the sessions that somebody follows.
#[derive(Default)]
pub(crate) struct LogTails(Mutex<HashMap<SessionId, Weak<LogTail>>>);

/// The tail of one session.
#[derive(Default)]
struct LogTail {
    calls: Mutex<VecDeque<CallTail>>,
    /// Counts the lines.
    count: watch::Sender<u64>,
}

struct CallTail {
    call: CallId,
    lines: LogLines,
    /// The count of the last line.
    last: u64,
}

impl LogTails {
    /// Follows the lines of a session from now on.
    pub(super) fn follow(&self, session: &SessionId) -> TailUpdates {
        let mut tails = lock(&self.0);
        tails.retain(|_, tail| tail.strong_count() > 0);
        let known = tails.get(session).and_then(Weak::upgrade);
        let tail = known.unwrap_or_else(|| {
            let tail = Arc::default();
            tails.insert(session.clone(), Arc::downgrade(&tail));
            tail
        });
        let count = tail.count.subscribe();
        let seen = *count.borrow();
        TailUpdates {
            seen,
            count,
            tail,
            next: Instant::now(),
            ready: VecDeque::new(),
        }
    }

    fn tail(&self, session: &SessionId) -> Option<Arc<LogTail>> {
        lock(&self.0).get(session)?.upgrade()
    }
}

impl Observer for LogTails {
    fn observe(&self, event: &Observed<'_>) {
        match event {
            Observed::GuestLogged {
                session,
                call,
                source,
                text,
                ..
            } => {
                if let Some(tail) = self.tail(session) {
                    tail.push(call, *source, text);
                }
            }
            Observed::TurnStarted { session, .. } => {
                if let Some(tail) = self.tail(session) {
                    lock(&tail.calls).clear();
                }
            }
            _ => {}
        }
    }

    fn watches_logs(&self) -> bool {
        true
    }
}

impl LogTail {
    fn push(&self, call: &CallId, source: LogSource, text: &str) {
        let mut calls = lock(&self.calls);
        let last = *self.count.borrow() + 1;
        let known = calls.iter().position(|known| known.call == *call);
        // A call that logs is the last one, so that the first is the one that has been silent for longest.
        let mut tail = known
            .and_then(|at| calls.remove(at))
            .unwrap_or_else(|| CallTail {
                call: call.clone(),
                lines: LogLines::new(MAX_LINES),
                last,
            });
        tail.lines.push(source, text);
        tail.last = last;
        calls.push_back(tail);
        if calls.len() > MAX_CALLS {
            calls.pop_front();
        }
        drop(calls);
        self.count.send_replace(last);
    }
}

/// The tail of a session, as one stream follows it.
pub(super) struct TailUpdates {
    tail: Arc<LogTail>,
    count: watch::Receiver<u64>,
    /// The count of the last line that was sent.
    seen: u64,
    /// When the tail is looked at again at the earliest.
    next: Instant,
    ready: VecDeque<LiveFrame>,
}

impl TailUpdates {
    /// Returns the lines of a call that has logged since. Nothing is lost if the future is dropped.
    pub(super) async fn next(&mut self) -> LiveFrame {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return frame;
            }
            tokio::time::sleep_until(self.next).await;
            if self.count.changed().await.is_err() {
                return std::future::pending().await;
            }
            self.next = Instant::now() + INTERVAL;
            let calls = lock(&self.tail.calls);
            let new = calls.iter().filter(|tail| tail.last > self.seen);
            self.ready = new
                .map(|tail| LiveFrame::Log {
                    call: tail.call.clone(),
                    lines: tail.lines.to_vec(),
                })
                .collect();
            self.seen = calls.back().map_or(self.seen, |tail| tail.last);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the call and the lines of a frame.
    fn read(frame: LiveFrame) -> (String, Vec<String>) {
        match frame {
            LiveFrame::Log { call, lines } => (call.to_string(), lines),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn a_stream_gets_the_last_lines_of_each_call_and_not_more_often_than_the_interval() {
        let tails = LogTails::default();
        let session = SessionId::from("s1");
        assert!(tails.tail(&session).is_none(), "nobody follows it");
        let mut updates = tails.follow(&session);
        let tail = tails.tail(&session).expect("somebody follows it");
        let log = |call: &str, text: &str| {
            tail.push(&CallId::from(call), LogSource::Stdout, text);
        };
        let start = Instant::now();
        log("c1", "one");
        let first = read(updates.next().await);
        assert_eq!(first, ("c1".to_owned(), vec!["stdout: one".to_owned()]));
        for n in 0..100 {
            log("c2", &n.to_string());
        }
        let (call, lines) = read(updates.next().await);
        assert_eq!((call.as_str(), lines.len()), ("c2", MAX_LINES));
        assert_eq!(lines.last().map(String::as_str), Some("stdout: 99"));
        assert!(start.elapsed() >= INTERVAL);
        for call in 0..MAX_CALLS + 2 {
            log(&format!("d{call}"), "line");
        }
        for n in 2..MAX_CALLS + 2 {
            assert_eq!(read(updates.next().await).0, format!("d{n}"));
        }
        let none = tokio::time::timeout(INTERVAL * 2, updates.next()).await;
        assert!(none.is_err(), "nothing is told twice");
        drop((updates, tail));
        assert!(tails.tail(&session).is_none(), "nothing is kept");
    }
}

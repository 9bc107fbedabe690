//! A store that counts its writes and kills the process at a given one.
//!
//! Everything else is passed on to the store on disk. Renewing a lease and sweeping are
//! not counted, since they depend on the clock and not on the session.

use super::child::{Line, say};
use footlight::store::{
    Batch, Bucket, BucketFullError, BucketLimits, Expected, Lease, OutputRow, Reply, RequestRow,
    SessionRow, SettleOutcome, Snapshot, SqliteStore, Store, StoreFuture,
};
use footlight::vocabulary::event::Event;
use footlight::vocabulary::item::{ItemId, RequestId, SessionId, Timestamp};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Waker};
use std::time::Duration;

/// The number of a write, from 1, and the moment in it.
pub(super) type Point = (u32, Moment);

/// The moment of the kill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Moment {
    /// Before the write.
    Before,
    /// During the write.
    During,
    /// After the write, before it is acknowledged.
    After,
}

/// A reply that was stored and has not reached the call that waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Accepted {
    Answer,
    Verdict,
}

/// The counting store.
pub(super) struct CountingStore {
    store: SqliteStore,
    writes: AtomicU32,
    dies_at: Option<Point>,
    dies_after: Option<Accepted>,
}

impl CountingStore {
    pub(super) fn new(
        store: SqliteStore,
        dies_at: Option<Point>,
        dies_after: Option<Accepted>,
    ) -> Self {
        Self {
            store,
            writes: AtomicU32::new(0),
            dies_at,
            dies_after,
        }
    }

    /// Returns the number of writes so far.
    pub(super) fn writes(&self) -> u32 {
        self.writes.load(Ordering::SeqCst)
    }

    /// Passes a write on, or kills the process at it.
    fn counted<'a, T: Send + 'a>(
        &'a self,
        write: impl FnOnce(&'a SqliteStore) -> StoreFuture<'a, T>,
    ) -> StoreFuture<'a, T> {
        let n = self.writes.fetch_add(1, Ordering::SeqCst) + 1;
        let moment = self.dies_at.filter(|(at, _)| *at == n);
        self.write_and_die(moment.map(|(_, moment)| moment), write)
    }

    /// Passes a write on, and kills the process at this moment of it.
    fn write_and_die<'a, T: Send + 'a>(
        &'a self,
        moment: Option<Moment>,
        write: impl FnOnce(&'a SqliteStore) -> StoreFuture<'a, T>,
    ) -> StoreFuture<'a, T> {
        match moment {
            None => write(&self.store),
            Some(Moment::Before) => die(),
            Some(Moment::During) => {
                // The write begins with the call, not when it is polled.
                let _answer = write(&self.store);
                die()
            }
            Some(Moment::After) => {
                let mut answer = write(&self.store);
                let mut context = Context::from_waker(Waker::noop());
                // Waited for without giving up the thread, so that no other task acts on the write. Also
                // after a write that is refused, such as a claim of an owned session.
                while answer.as_mut().poll(&mut context).is_pending() {
                    std::thread::yield_now();
                }
                die()
            }
        }
    }
}

/// Sends `SIGKILL` to this process: no destructor runs, nothing is flushed.
fn die() -> ! {
    use rustix::process::{Signal, getpid, kill_process};
    kill_process(getpid(), Signal::KILL).expect("a process may signal itself");
    loop {
        std::thread::park();
    }
}

impl Store for CountingStore {
    fn create(&self, session: SessionRow) -> StoreFuture<'_, ()> {
        self.counted(|store| store.create(session))
    }

    fn sessions(&self, limit: usize) -> StoreFuture<'_, Vec<SessionRow>> {
        self.store.sessions(limit)
    }

    fn sessions_of(
        &self,
        person: &str,
        after: Option<(Timestamp, &SessionId)>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<SessionRow>> {
        self.store.sessions_of(person, after, limit)
    }

    fn session(&self, session: &SessionId) -> StoreFuture<'_, SessionRow> {
        self.store.session(session)
    }

    fn open(&self, session: &SessionId) -> StoreFuture<'_, Snapshot> {
        self.store.open(session)
    }

    fn delete(&self, session: &SessionId) -> StoreFuture<'_, ()> {
        self.counted(|store| store.delete(session))
    }

    fn claim(&self, session: &SessionId, owner: &str, time: Duration) -> StoreFuture<'_, Lease> {
        self.counted(|store| store.claim(session, owner, time))
    }

    fn renew(&self, lease: &Lease, time: Duration) -> StoreFuture<'_, ()> {
        self.store.renew(lease, time)
    }

    fn release(&self, lease: &Lease) -> StoreFuture<'_, ()> {
        self.counted(|store| store.release(lease))
    }

    fn commit(&self, lease: &Lease, batch: Batch) -> StoreFuture<'_, Vec<Event>> {
        self.counted(|store| store.commit(lease, batch))
    }

    fn log(&self, session: &SessionId, after: u64, limit: usize) -> StoreFuture<'_, Vec<Event>> {
        self.store.log(session, after, limit)
    }

    fn pending(&self) -> StoreFuture<'_, Vec<RequestRow>> {
        self.store.pending()
    }

    fn pending_of(&self, person: &str) -> StoreFuture<'_, Vec<RequestRow>> {
        self.store.pending_of(person)
    }

    fn request(&self, id: &RequestId) -> StoreFuture<'_, Option<RequestRow>> {
        self.store.request(id)
    }

    fn settle(&self, id: &RequestId, reply: Reply) -> StoreFuture<'_, SettleOutcome> {
        let accepted = match reply {
            Reply::Answer { .. } => Some(Accepted::Answer),
            Reply::Verdict { .. } => Some(Accepted::Verdict),
            _ => None,
        };
        if accepted.is_some() && accepted == self.dies_after {
            return self.write_and_die(Some(Moment::After), |store| store.settle(id, reply));
        }
        self.counted(|store| store.settle(id, reply))
    }

    fn changed(&self) -> StoreFuture<'_, ()> {
        self.store.changed()
    }

    fn put_output(&self, output: OutputRow, content: Vec<u8>) -> StoreFuture<'_, ()> {
        self.counted(|store| store.put_output(output, content))
    }

    fn read_output(
        &self,
        session: &SessionId,
        id: &ItemId,
        offset: u64,
        length: usize,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<Vec<u8>>> {
        self.store.read_output(session, id, offset, length, now)
    }

    fn output_of(
        &self,
        person: &str,
        id: &ItemId,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<OutputRow>> {
        self.store.output_of(person, id, now)
    }

    fn outputs(
        &self,
        session: Option<&SessionId>,
        now: Timestamp,
    ) -> StoreFuture<'_, Vec<OutputRow>> {
        self.store.outputs(session, now)
    }

    fn sweep(&self, now: Timestamp) -> StoreFuture<'_, u64> {
        self.store.sweep(now)
    }

    fn state(&self, bucket: &Bucket, key: &str) -> StoreFuture<'_, Option<String>> {
        // Reported before it happens: a guest that got this far has run, whatever follows.
        say(&Line::Touches(bucket.plugin.clone(), bucket.owner.clone()));
        self.store.state(bucket, key)
    }

    fn set_state(
        &self,
        bucket: &Bucket,
        key: &str,
        value: Option<String>,
        expected: Expected,
        room: BucketLimits,
    ) -> StoreFuture<'_, Result<bool, BucketFullError>> {
        self.counted(|store| store.set_state(bucket, key, value, expected, room))
    }

    fn state_keys(&self, bucket: &Bucket, prefix: &str) -> StoreFuture<'_, Vec<String>> {
        self.store.state_keys(bucket, prefix)
    }
}

//! A store whose answers are timed for observers.

use super::{Observed, Observers};
use crate::store::{
    Batch, Bucket, BucketFullError, BucketLimits, Expected, Lease, OutputRow, Reply, RequestRow,
    SessionRow, SettleOutcome, Snapshot, Store, StoreFuture,
};
use footlight_vocabulary::event::Event;
use footlight_vocabulary::item::{ItemId, RequestId, SessionId, Timestamp};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A store that reports [`Observed::Stored`]. What is not awaited is not reported.
pub(crate) struct ObservedStore {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) observers: Arc<Observers>,
}

impl ObservedStore {
    fn timed<'a, T: 'a>(
        &'a self,
        operation: &'static str,
        start: impl FnOnce(&'a dyn Store) -> StoreFuture<'a, T>,
    ) -> StoreFuture<'a, T> {
        if self.observers.is_empty() {
            return start(&*self.store);
        }
        // The work starts here, not when the future is first polled.
        let began = Instant::now();
        let answer = start(&*self.store);
        Box::pin(async move {
            let answer = answer.await;
            self.observers.observe(&Observed::Stored {
                operation,
                took: began.elapsed(),
                failed: answer.is_err(),
            });
            answer
        })
    }
}

impl Store for ObservedStore {
    fn create(&self, session: SessionRow) -> StoreFuture<'_, ()> {
        self.timed("create", |store| store.create(session))
    }

    fn sessions(&self, limit: usize) -> StoreFuture<'_, Vec<SessionRow>> {
        self.timed("sessions", |store| store.sessions(limit))
    }

    fn sessions_of(
        &self,
        person: &str,
        after: Option<(Timestamp, &SessionId)>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<SessionRow>> {
        self.timed("sessions_of", |store| {
            store.sessions_of(person, after, limit)
        })
    }

    fn session(&self, session: &SessionId) -> StoreFuture<'_, SessionRow> {
        self.timed("session", |store| store.session(session))
    }

    fn open(&self, session: &SessionId) -> StoreFuture<'_, Snapshot> {
        self.timed("open", |store| store.open(session))
    }

    fn delete(&self, session: &SessionId) -> StoreFuture<'_, ()> {
        self.timed("delete", |store| store.delete(session))
    }

    fn claim(&self, session: &SessionId, owner: &str, time: Duration) -> StoreFuture<'_, Lease> {
        self.timed("claim", |store| store.claim(session, owner, time))
    }

    fn renew(&self, lease: &Lease, time: Duration) -> StoreFuture<'_, ()> {
        self.timed("renew", |store| store.renew(lease, time))
    }

    fn release(&self, lease: &Lease) -> StoreFuture<'_, ()> {
        self.timed("release", |store| store.release(lease))
    }

    fn commit(&self, lease: &Lease, batch: Batch) -> StoreFuture<'_, Vec<Event>> {
        self.timed("commit", |store| store.commit(lease, batch))
    }

    fn log(&self, session: &SessionId, after: u64, limit: usize) -> StoreFuture<'_, Vec<Event>> {
        self.timed("log", |store| store.log(session, after, limit))
    }

    fn pending(&self) -> StoreFuture<'_, Vec<RequestRow>> {
        self.timed("pending", |store| store.pending())
    }

    fn pending_of(&self, person: &str) -> StoreFuture<'_, Vec<RequestRow>> {
        self.timed("pending_of", |store| store.pending_of(person))
    }

    fn request(&self, id: &RequestId) -> StoreFuture<'_, Option<RequestRow>> {
        self.timed("request", |store| store.request(id))
    }

    fn settle(&self, id: &RequestId, reply: Reply) -> StoreFuture<'_, SettleOutcome> {
        self.timed("settle", |store| store.settle(id, reply))
    }

    /// Not timed: it waits for people.
    fn changed(&self) -> StoreFuture<'_, ()> {
        self.store.changed()
    }

    fn put_output(&self, output: OutputRow, content: Vec<u8>) -> StoreFuture<'_, ()> {
        self.timed("put_output", |store| store.put_output(output, content))
    }

    fn read_output(
        &self,
        session: &SessionId,
        id: &ItemId,
        offset: u64,
        length: usize,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<Vec<u8>>> {
        self.timed("read_output", |store| {
            store.read_output(session, id, offset, length, now)
        })
    }

    fn outputs(
        &self,
        session: Option<&SessionId>,
        now: Timestamp,
    ) -> StoreFuture<'_, Vec<OutputRow>> {
        self.timed("outputs", |store| store.outputs(session, now))
    }

    fn output_of(
        &self,
        person: &str,
        id: &ItemId,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<OutputRow>> {
        self.timed("output_of", |store| store.output_of(person, id, now))
    }

    fn sweep(&self, now: Timestamp) -> StoreFuture<'_, u64> {
        self.timed("sweep", |store| store.sweep(now))
    }

    fn state(&self, bucket: &Bucket, key: &str) -> StoreFuture<'_, Option<String>> {
        self.timed("state", |store| store.state(bucket, key))
    }

    fn set_state(
        &self,
        bucket: &Bucket,
        key: &str,
        value: Option<String>,
        expected: Expected,
        limits: BucketLimits,
    ) -> StoreFuture<'_, Result<bool, BucketFullError>> {
        self.timed("set_state", |store| {
            store.set_state(bucket, key, value, expected, limits)
        })
    }

    fn state_keys(&self, bucket: &Bucket, prefix: &str) -> StoreFuture<'_, Vec<String>> {
        self.timed("state_keys", |store| store.state_keys(bucket, prefix))
    }
}

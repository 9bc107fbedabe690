//! A store in memory, the default of an embedding program.
//!
//! Every method completes at once, under one lock. A batch is checked as a whole before any of it is
//! applied, so that a rejected batch changes nothing.
//!
//! Invariant: it returns what [`SqliteStore`](super::SqliteStore) would; a property test compares them.

mod outputs;
mod sessions;

use super::bucket::{OF_SESSION, session_owner};
use super::validate;
use super::{
    Batch, Bucket, BucketFullError, BucketLimits, Expected, Lease, OutputRow, Quota, Reply,
    RequestRow, SessionRow, SettleOutcome, Snapshot, Store, StoreError, StoreFuture,
};
use footlight_vocabulary::event::Event;
use footlight_vocabulary::item::{ItemId, RequestId, SessionId, Timestamp};
use outputs::Outputs;
use sessions::StoredSession;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// A store that keeps everything in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    tables: Mutex<Tables>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Tables {
    sessions: HashMap<SessionId, StoredSession>,
    requests: BTreeMap<RequestId, RequestRow>,
    outputs: Outputs,
    buckets: HashMap<Bucket, BTreeMap<String, String>>,
}

impl MemoryStore {
    /// Creates an empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty store with a quota.
    #[must_use]
    pub fn with_quota(quota: Quota) -> Self {
        let store = Self::new();
        store.lock().outputs.quota = quota;
        store
    }

    fn lock(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    fn session(&mut self, id: &SessionId) -> Result<&mut StoredSession, StoreError> {
        let missing = || StoreError::NoSession(id.clone());
        self.sessions.get_mut(id).ok_or_else(missing)
    }

    /// Returns the matching sessions, the most recently used first.
    fn sessions(&self, wanted: impl Fn(&SessionRow) -> bool, limit: usize) -> Vec<SessionRow> {
        let rows = self.sessions.values().map(StoredSession::row);
        let mut rows: Vec<SessionRow> = rows.filter(|row| wanted(row)).cloned().collect();
        rows.sort_by(|a, b| (b.updated, &b.id).cmp(&(a.updated, &a.id)));
        rows.truncate(limit);
        rows
    }

    /// Returns the matching requests, oldest first.
    fn requests(&self, wanted: impl Fn(&RequestRow) -> bool) -> Vec<RequestRow> {
        let found = self.requests.values().filter(|request| wanted(request));
        let mut found: Vec<RequestRow> = found.cloned().collect();
        found.sort_by(|a, b| (a.since, &a.id).cmp(&(b.since, &b.id)));
        found
    }

    /// Returns the requests that a batch changes, as they will be.
    fn replaced(&self, lease: &Lease, batch: &Batch) -> Result<Vec<RequestRow>, StoreError> {
        let mut after = BTreeMap::new();
        for new in &batch.pending {
            let held = after.get(&new.id).or_else(|| self.requests.get(&new.id));
            if let Some(request) = validate::replacement(&lease.session, held, new)? {
                validate::to_json("a request", &request)?;
                after.insert(request.id.clone(), request);
            }
        }
        Ok(after.into_values().collect())
    }

    fn commit(&mut self, lease: &Lease, batch: Batch) -> Result<(Vec<Event>, bool), StoreError> {
        let events = self.session(&lease.session)?.check(lease, &batch)?;
        let requests = self.replaced(lease, &batch)?;
        let events = self.session(&lease.session)?.apply(&batch, events);
        // Nothing below can fail.
        let mut has_new_requests = !requests.is_empty();
        for request in requests {
            self.requests.insert(request.id.clone(), request);
        }
        self.outputs.keep(&lease.session, &batch.keep_outputs);
        if !batch.drop_calls.is_empty() {
            self.outputs.drop_calls(&lease.session, &batch.drop_calls);
            let of_calls = |request: &&mut RequestRow| {
                request.session == lease.session
                    && request.reply.is_none()
                    && batch.drop_calls.contains(&request.call)
            };
            for request in self.requests.values_mut().filter(of_calls) {
                request.reply = Some(validate::effective_reply(
                    request,
                    Reply::Withdrawn { at: batch.at },
                ));
                has_new_requests = true;
            }
            self.delete_if_empty(&lease.session);
        }
        Ok((events, has_new_requests))
    }

    /// Deletes a session that has nothing: calls without a session had outputs there.
    fn delete_if_empty(&mut self, id: &SessionId) {
        let has_requests = self.requests.values().any(|request| request.session == *id);
        let is_empty = self.sessions.get(id).is_some_and(StoredSession::is_empty);
        if is_empty && !has_requests && !self.outputs.has_any(id) {
            self.sessions.remove(id);
        }
    }
}

fn ready<'a, T: Send + 'a>(result: Result<T, StoreError>) -> StoreFuture<'a, T> {
    Box::pin(std::future::ready(result))
}

impl Store for MemoryStore {
    fn create(&self, session: SessionRow) -> StoreFuture<'_, ()> {
        let mut tables = self.lock();
        if tables.sessions.contains_key(&session.id) {
            return ready(Err(validate::session_exists(&session.id)));
        }
        let id = session.id.clone();
        let made = validate::to_json("the session", &session).map(|_| StoredSession::new(session));
        ready(made.map(|made| {
            tables.sessions.insert(id, made);
        }))
    }

    fn sessions(&self, limit: usize) -> StoreFuture<'_, Vec<SessionRow>> {
        ready(Ok(self.lock().sessions(|_| true, limit)))
    }

    fn sessions_of(
        &self,
        person: &str,
        after: Option<(Timestamp, &SessionId)>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<SessionRow>> {
        let is_wanted = |row: &SessionRow| {
            row.person == person && after.is_none_or(|after| (row.updated, &row.id) < after)
        };
        ready(Ok(self.lock().sessions(is_wanted, limit)))
    }

    fn session(&self, session: &SessionId) -> StoreFuture<'_, SessionRow> {
        ready(self.lock().session(session).map(|held| held.row().clone()))
    }

    fn open(&self, session: &SessionId) -> StoreFuture<'_, Snapshot> {
        let mut tables = self.lock();
        let pending = tables.requests(|request| request.session == *session);
        ready(tables.session(session).map(|held| held.snapshot(pending)))
    }

    fn delete(&self, session: &SessionId) -> StoreFuture<'_, ()> {
        let mut tables = self.lock();
        if let Err(error) = tables.session(session).and_then(|held| held.check_free()) {
            return ready(Err(error));
        }
        tables.sessions.remove(session);
        tables
            .requests
            .retain(|_, request| request.session != *session);
        tables.outputs.forget(session);
        tables
            .buckets
            .retain(|bucket, _| bucket.owner != session_owner(&bucket.plugin, session));
        drop(tables);
        self.changed.notify_waiters();
        ready(Ok(()))
    }

    fn claim(&self, session: &SessionId, owner: &str, time: Duration) -> StoreFuture<'_, Lease> {
        let mut tables = self.lock();
        let held = tables.session(session);
        ready(held.and_then(|held| held.claim(owner, time)))
    }

    fn renew(&self, lease: &Lease, time: Duration) -> StoreFuture<'_, ()> {
        let mut tables = self.lock();
        let held = tables.session(&lease.session);
        ready(held.and_then(|held| held.renew(lease, time)))
    }

    fn release(&self, lease: &Lease) -> StoreFuture<'_, ()> {
        if let Ok(held) = self.lock().session(&lease.session) {
            held.release(lease);
        }
        ready(Ok(()))
    }

    fn commit(&self, lease: &Lease, batch: Batch) -> StoreFuture<'_, Vec<Event>> {
        let committed = self.lock().commit(lease, batch);
        ready(committed.map(|(events, has_new_requests)| {
            if has_new_requests {
                self.changed.notify_waiters();
            }
            events
        }))
    }

    fn log(&self, session: &SessionId, after: u64, limit: usize) -> StoreFuture<'_, Vec<Event>> {
        let mut tables = self.lock();
        let held = tables.session(session);
        ready(held.map(|held| held.log(after, limit)))
    }

    fn pending(&self) -> StoreFuture<'_, Vec<RequestRow>> {
        ready(Ok(self.lock().requests(|request| request.reply.is_none())))
    }

    fn pending_of(&self, person: &str) -> StoreFuture<'_, Vec<RequestRow>> {
        let tables = self.lock();
        let is_theirs = |session: &StoredSession| session.row().person == person;
        let pending = tables.requests(|request| {
            let session = tables.sessions.get(&request.session);
            request.reply.is_none() && session.is_some_and(is_theirs)
        });
        ready(Ok(pending))
    }

    fn request(&self, id: &RequestId) -> StoreFuture<'_, Option<RequestRow>> {
        ready(Ok(self.lock().requests.get(id).cloned()))
    }

    fn settle(&self, id: &RequestId, reply: Reply) -> StoreFuture<'_, SettleOutcome> {
        let mut tables = self.lock();
        let Some(request) = tables.requests.get_mut(id) else {
            return ready(Ok(SettleOutcome::Unknown));
        };
        if let Some(first) = &request.reply {
            return ready(Ok(SettleOutcome::AlreadySettled(first.clone())));
        }
        let effective = validate::effective_reply(request, reply.clone());
        if let Err(error) = validate::to_json("the reply", &effective) {
            return ready(Err(error));
        }
        request.reply = Some(effective.clone());
        drop(tables);
        self.changed.notify_waiters();
        ready(Ok(validate::settle_outcome(&reply, effective)))
    }

    fn changed(&self) -> StoreFuture<'_, ()> {
        // Notified from here on, polled or not.
        let changed = self.changed.notified();
        Box::pin(async {
            changed.await;
            Ok(())
        })
    }

    fn put_output(&self, output: OutputRow, content: Vec<u8>) -> StoreFuture<'_, ()> {
        let mut tables = self.lock();
        let known = validate::check_output(&output, &content)
            .and_then(|()| tables.session(&output.session).map(|_| ()));
        ready(known.and_then(|()| tables.outputs.put(output, content)))
    }

    fn read_output(
        &self,
        session: &SessionId,
        id: &ItemId,
        offset: u64,
        length: usize,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<Vec<u8>>> {
        ready(Ok(self
            .lock()
            .outputs
            .read(session, id, offset, length, now)))
    }

    fn outputs(
        &self,
        session: Option<&SessionId>,
        now: Timestamp,
    ) -> StoreFuture<'_, Vec<OutputRow>> {
        ready(Ok(self.lock().outputs.outputs(session, now)))
    }

    fn output_of(
        &self,
        person: &str,
        id: &ItemId,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<OutputRow>> {
        let mut tables = self.lock();
        let mut rows = tables.outputs.outputs(None, now);
        rows.retain(|row| row.id == *id);
        let is_theirs = |row: &OutputRow| {
            let session = tables.session(&row.session);
            session.is_ok_and(|held| held.row().person == person)
        };
        ready(Ok(rows.into_iter().find(is_theirs)))
    }

    fn sweep(&self, now: Timestamp) -> StoreFuture<'_, u64> {
        let mut tables = self.lock();
        for request in tables.requests.values_mut() {
            if let (None, Some(at)) = (&request.reply, request.expires)
                && at <= now
            {
                request.reply = Some(Reply::Expired { at });
                self.changed.notify_waiters();
            }
        }
        let (freed, sessions) = tables.outputs.sweep(now);
        for session in sessions {
            let held = tables.sessions.get(&session);
            if held.is_some_and(|held| held.check_free().is_ok()) {
                tables.delete_if_empty(&session);
            }
        }
        let Tables {
            sessions, buckets, ..
        } = &mut *tables;
        buckets.retain(|bucket, _| {
            let is_its = |id: &SessionId| bucket.owner == session_owner(&bucket.plugin, id);
            !bucket.owner.starts_with(OF_SESSION) || sessions.keys().any(is_its)
        });
        sessions
            .values_mut()
            .for_each(StoredSession::make_tombstones);
        ready(Ok(freed))
    }

    fn state(&self, bucket: &Bucket, key: &str) -> StoreFuture<'_, Option<String>> {
        let tables = self.lock();
        let value = tables
            .buckets
            .get(bucket)
            .and_then(|values| values.get(key));
        ready(Ok(value.cloned()))
    }

    fn set_state(
        &self,
        bucket: &Bucket,
        key: &str,
        value: Option<String>,
        expected: Expected,
        limits: BucketLimits,
    ) -> StoreFuture<'_, Result<bool, BucketFullError>> {
        let mut tables = self.lock();
        let values = tables.buckets.entry(bucket.clone()).or_default();
        if !validate::matches_expected(values.get(key).map(String::as_str), &expected) {
            return ready(Ok(Ok(false)));
        }
        let Some(value) = value else {
            values.remove(key);
            return ready(Ok(Ok(true)));
        };
        let others = values.iter().filter(|(other, _)| *other != key);
        let (bytes, count) = others.fold((key.len() + value.len(), 1), |(bytes, count), held| {
            (bytes + held.0.len() + held.1.len(), count + 1)
        });
        ready(Ok(validate::check_bucket(limits, bytes as u64, count).map(
            |()| {
                values.insert(key.to_owned(), value);
                true
            },
        )))
    }

    fn state_keys(&self, bucket: &Bucket, prefix: &str) -> StoreFuture<'_, Vec<String>> {
        let tables = self.lock();
        let keys = tables
            .buckets
            .get(bucket)
            .into_iter()
            .flat_map(BTreeMap::keys);
        let keys = keys.filter(|key| key.starts_with(prefix)).cloned();
        ready(Ok(keys.collect()))
    }
}

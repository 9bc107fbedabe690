//! A store that forgets with its process: what an embedder has who sets up none.
//!
//! Every method does its work at once, under one lock, and answers what is ready. A batch is checked
//! whole before any of it is applied, so that a refused one leaves nothing behind.
//!
//! Invariant: it answers what [`SqliteStore`](super::SqliteStore) would; a property test compares them.

mod contents;
mod sessions;

use super::rules;
use super::{
    Answer, Batch, Drawer, Expected, Full, Lease, OutputRow, Pending, Quota, Reply, Room,
    SessionRow, Settled, Snapshot, Store, StoreError, clock,
};
use contents::Contents;
use footlight_vocabulary::event::Event;
use footlight_vocabulary::item::{ItemId, RequestId, SessionId, Timestamp};
use sessions::Session;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// Keeps everything in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    all: Mutex<All>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct All {
    sessions: HashMap<SessionId, Session>,
    requests: BTreeMap<RequestId, Pending>,
    contents: Contents,
    drawers: HashMap<Drawer, BTreeMap<String, String>>,
}

impl MemoryStore {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty one that holds so much.
    #[must_use]
    pub fn with_quota(quota: Quota) -> Self {
        let store = Self::new();
        store.lock().contents.quota = quota;
        store
    }

    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl All {
    fn session(&mut self, id: &SessionId) -> Result<&mut Session, StoreError> {
        let missing = || StoreError::NoSession(id.clone());
        self.sessions.get_mut(id).ok_or_else(missing)
    }

    /// Requests, oldest first.
    fn requests(&self, wanted: impl Fn(&Pending) -> bool) -> Vec<Pending> {
        let found = self.requests.values().filter(|request| wanted(request));
        let mut found: Vec<Pending> = found.cloned().collect();
        found.sort_by(|a, b| (a.since, &a.id).cmp(&(b.since, &b.id)));
        found
    }

    /// The requests as they will be after this batch.
    fn replaced(&self, lease: &Lease, batch: &Batch) -> Result<Vec<Pending>, StoreError> {
        let mut after = BTreeMap::new();
        for new in &batch.pending {
            let held = after.get(&new.id).or_else(|| self.requests.get(&new.id));
            if let Some(request) = rules::replaced(&lease.session, held, new)? {
                rules::written("a request", &request)?;
                after.insert(request.id.clone(), request);
            }
        }
        Ok(after.into_values().collect())
    }

    fn commit(&mut self, lease: &Lease, batch: Batch) -> Result<(Vec<Event>, bool), StoreError> {
        let events = self.session(&lease.session)?.checked(lease, &batch)?;
        let requests = self.replaced(lease, &batch)?;
        if let Some(missing) = batch.blobs.iter().find(|sha| !self.contents.has(sha)) {
            return Err(rules::no_content(missing));
        }
        self.session(&lease.session)?.apply(&batch, &events);
        // Nothing below can fail.
        let mut touched = !requests.is_empty();
        for request in requests {
            self.requests.insert(request.id.clone(), request);
        }
        self.contents.name(&lease.session, &batch.blobs);
        self.contents.keep(&lease.session, &batch.keep_outputs);
        if !batch.drop_calls.is_empty() {
            self.contents.drop_calls(&lease.session, &batch.drop_calls);
            let of_calls = |request: &&mut Pending| {
                request.session == lease.session
                    && request.reply.is_none()
                    && batch.drop_calls.contains(&request.call)
            };
            for request in self.requests.values_mut().filter(of_calls) {
                request.reply = Some(rules::counts(request, Reply::Gone { at: batch.at }));
                touched = true;
            }
        }
        Ok((events, touched))
    }
}

fn ready<'a, T: Send + 'a>(result: Result<T, StoreError>) -> Answer<'a, T> {
    Box::pin(std::future::ready(result))
}

impl Store for MemoryStore {
    fn create(&self, session: SessionRow) -> Answer<'_, ()> {
        let mut all = self.lock();
        if all.sessions.contains_key(&session.id) {
            return ready(Err(rules::exists(&session.id)));
        }
        let id = session.id.clone();
        let made = rules::written("the session", &session).map(|_| Session::new(session));
        ready(made.map(|made| {
            all.sessions.insert(id, made);
        }))
    }

    fn sessions(&self, limit: usize) -> Answer<'_, Vec<SessionRow>> {
        let all = self.lock();
        let mut rows: Vec<SessionRow> = all.sessions.values().map(Session::row).collect();
        rows.sort_by(|a, b| (b.updated, &b.id).cmp(&(a.updated, &a.id)));
        rows.truncate(limit);
        ready(Ok(rows))
    }

    fn open(&self, session: &SessionId) -> Answer<'_, Snapshot> {
        let mut all = self.lock();
        let pending = all.requests(|request| request.session == *session);
        ready(all.session(session).map(|held| held.snapshot(pending)))
    }

    fn delete(&self, session: &SessionId) -> Answer<'_, ()> {
        let mut all = self.lock();
        if let Err(error) = all.session(session).and_then(|held| held.is_free()) {
            return ready(Err(error));
        }
        all.sessions.remove(session);
        all.requests
            .retain(|_, request| request.session != *session);
        all.contents.forget(session);
        drop(all);
        self.changed.notify_waiters();
        ready(Ok(()))
    }

    fn claim(&self, session: &SessionId, owner: &str, time: Duration) -> Answer<'_, Lease> {
        let mut all = self.lock();
        let held = all.session(session);
        ready(held.and_then(|held| held.claim(owner, time)))
    }

    fn renew(&self, lease: &Lease, time: Duration) -> Answer<'_, ()> {
        let mut all = self.lock();
        let held = all.session(&lease.session);
        ready(held.and_then(|held| held.renew(lease, time)))
    }

    fn release(&self, lease: &Lease) -> Answer<'_, ()> {
        if let Ok(held) = self.lock().session(&lease.session) {
            held.release(lease);
        }
        ready(Ok(()))
    }

    fn commit(&self, lease: &Lease, batch: Batch) -> Answer<'_, Vec<Event>> {
        let committed = self.lock().commit(lease, batch);
        ready(committed.map(|(events, touched)| {
            if touched {
                self.changed.notify_waiters();
            }
            events
        }))
    }

    fn log(&self, session: &SessionId, after: u64, limit: usize) -> Answer<'_, Vec<Event>> {
        let mut all = self.lock();
        let held = all.session(session);
        ready(held.map(|held| held.log(after, limit)))
    }

    fn pending(&self) -> Answer<'_, Vec<Pending>> {
        ready(Ok(self.lock().requests(|request| request.reply.is_none())))
    }

    fn request(&self, id: &RequestId) -> Answer<'_, Option<Pending>> {
        ready(Ok(self.lock().requests.get(id).cloned()))
    }

    fn settle(&self, id: &RequestId, reply: Reply) -> Answer<'_, Settled> {
        let mut all = self.lock();
        let Some(request) = all.requests.get_mut(id) else {
            return ready(Ok(Settled::Unknown));
        };
        if let Some(first) = &request.reply {
            return ready(Ok(Settled::Before(first.clone())));
        }
        let counts = rules::counts(request, reply.clone());
        if let Err(error) = rules::written("the reply", &counts) {
            return ready(Err(error));
        }
        request.reply = Some(counts.clone());
        drop(all);
        self.changed.notify_waiters();
        ready(Ok(rules::settled(&reply, counts)))
    }

    fn changed(&self) -> Answer<'_, ()> {
        // It hears what comes after this line, polled or not.
        let changed = self.changed.notified();
        Box::pin(async {
            changed.await;
            Ok(())
        })
    }

    fn put_output(&self, output: OutputRow, content: Vec<u8>) -> Answer<'_, ()> {
        let mut all = self.lock();
        let known =
            rules::fits(&output, &content).and_then(|()| all.session(&output.session).map(|_| ()));
        ready(known.and_then(|()| all.contents.put(output, content)))
    }

    fn read_output(
        &self,
        session: &SessionId,
        id: &ItemId,
        offset: u64,
        length: usize,
        now: Timestamp,
    ) -> Answer<'_, Option<Vec<u8>>> {
        ready(Ok(self
            .lock()
            .contents
            .read(session, id, offset, length, now)))
    }

    fn outputs(&self, session: Option<&SessionId>, now: Timestamp) -> Answer<'_, Vec<OutputRow>> {
        ready(Ok(self.lock().contents.outputs(session, now)))
    }

    fn sweep(&self, now: Timestamp) -> Answer<'_, u64> {
        let mut all = self.lock();
        for request in all.requests.values_mut() {
            if let (None, Some(at)) = (&request.reply, request.expires)
                && at <= now
            {
                request.reply = Some(Reply::Expired { at });
                self.changed.notify_waiters();
            }
        }
        ready(Ok(all.contents.sweep(now)))
    }

    fn put_blob(&self, bytes: Vec<u8>) -> Answer<'_, String> {
        ready(Ok(self.lock().contents.put_blob(bytes, clock())))
    }

    fn blob(&self, sha256: &str) -> Answer<'_, Option<Vec<u8>>> {
        ready(Ok(self.lock().contents.blob(sha256)))
    }

    fn state(&self, drawer: &Drawer, key: &str) -> Answer<'_, Option<String>> {
        let all = self.lock();
        let value = all.drawers.get(drawer).and_then(|values| values.get(key));
        ready(Ok(value.cloned()))
    }

    fn set_state(
        &self,
        drawer: &Drawer,
        key: &str,
        value: Option<String>,
        expected: Expected,
        room: Room,
    ) -> Answer<'_, Result<bool, Full>> {
        let mut all = self.lock();
        let values = all.drawers.entry(drawer.clone()).or_default();
        if !rules::is_as(values.get(key).map(String::as_str), &expected) {
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
        ready(Ok(rules::fits_drawer(room, bytes as u64, count).map(
            |()| {
                values.insert(key.to_owned(), value);
                true
            },
        )))
    }

    fn state_keys(&self, drawer: &Drawer, prefix: &str) -> Answer<'_, Vec<String>> {
        let all = self.lock();
        let keys = all.drawers.get(drawer).into_iter().flat_map(BTreeMap::keys);
        let keys = keys.filter(|key| key.starts_with(prefix)).cloned();
        ready(Ok(keys.collect()))
    }
}

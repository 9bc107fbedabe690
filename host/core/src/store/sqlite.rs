//! A store on disk: one SQLite database in its own folder, and files for large content.
//!
//! All writes go through one thread and reads through others, so that no caller's runtime is blocked
//! and no dropped future interrupts a transaction. Several processes may open the same folder; a
//! session belongs to one of them at a time.
//!
//! ```text
//! footlight.db     rows; content up to 64 KiB
//! blobs/ab/cdef..  larger content, named by its SHA-256
//! blobs/new/       content that is being written
//! owners/          a locked file for each open store
//! open.lock        held while a store is being opened
//! reserve          room that is given up to delete something on a full disk
//! ```
//!
//! Invariant: an acknowledged write is on the disk (`synchronous=FULL`), and nothing here deletes or
//! repairs a database that it cannot read.

mod commit;
mod content;
mod crash_point;
mod error;
mod folder;
mod outputs;
mod reader;
mod requests;
mod room;
mod schema;
mod sessions;
mod state;
mod sweep;
mod tombstones;
mod writer;

#[cfg(test)]
mod tests;

use super::validate;
use super::{
    Batch, Bucket, BucketFullError, BucketLimits, Expected, Lease, OutputRow, Quota, Reply,
    RequestRow, SessionRow, SettleOutcome, Snapshot, Store, StoreError, StoreFuture,
};
use content::NewContent;
use error::SqliteResult;
use folder::Folder;
use footlight_vocabulary::event::Event;
use footlight_vocabulary::item::{ItemId, RequestId, SessionId, Timestamp};
use reader::Reader;
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use writer::{Tx, Writer};

/// A store that keeps everything in a folder.
///
/// Dropping it waits until all submitted work is done and its threads have ended.
#[derive(Debug)]
pub struct SqliteStore {
    // Dropped in this order: the writer closes the database last, which checkpoints the log, and its
    // thread gives up the folder.
    reader: Reader,
    writer: Writer,
    quota: Quota,
}

impl SqliteStore {
    /// Opens the store in a folder, which is created if it does not exist. The folder is for the store
    /// alone, and is made private to this user.
    ///
    /// # Errors
    /// [`StoreError::Newer`] if a newer version wrote the folder, which is left as it is;
    /// [`StoreError::Damaged`] if the database cannot be read; [`StoreError::Full`] and
    /// [`StoreError::Failed`] if the file system fails.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::with_quota(folder, Quota::default())
    }

    /// Opens the store with a quota for outputs.
    ///
    /// # Errors
    /// Those of [`SqliteStore::open`].
    pub fn with_quota(folder: impl AsRef<Path>, quota: Quota) -> Result<Self, StoreError> {
        let folder = folder.as_ref();
        let start = || -> SqliteResult<Self> {
            let (folder, connection) = Folder::open(folder)?;
            let folder = Arc::new(folder);
            Ok(Self {
                reader: Reader::start(&folder)?,
                writer: Writer::start(connection, &folder)?,
                quota,
            })
        };
        let started = match start() {
            // Opening needs a little room, and only an open store can delete anything.
            Err(error) if error.is_disk_full() && Folder::release_reserve(folder) => start(),
            started => started,
        };
        started.map_err(|error| error.into_store_error(folder))
    }

    fn write<T, F>(&self, job: F) -> StoreFuture<'_, T>
    where
        T: Send + 'static,
        F: Fn(&Tx<'_>) -> SqliteResult<T> + Send + 'static,
    {
        self.writer.write(Vec::new(), move |tx, _| job(tx))
    }

    fn read<T, F>(&self, job: F) -> StoreFuture<'_, T>
    where
        T: Send + 'static,
        F: Fn(&Connection, &Folder) -> SqliteResult<T> + Send + 'static,
    {
        self.reader.read(job)
    }
}

impl Store for SqliteStore {
    fn create(&self, session: SessionRow) -> StoreFuture<'_, ()> {
        self.write(move |tx| sessions::create(tx, &session))
    }

    fn sessions(&self, limit: usize) -> StoreFuture<'_, Vec<SessionRow>> {
        self.read(move |db, _| sessions::list(db, limit))
    }

    fn sessions_of(
        &self,
        person: &str,
        after: Option<(Timestamp, &SessionId)>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<SessionRow>> {
        let person = person.to_owned();
        let after = after.map(|(updated, id)| (updated, id.clone()));
        self.read(move |db, _| sessions::list_of(db, &person, after.as_ref(), limit))
    }

    fn session(&self, session: &SessionId) -> StoreFuture<'_, SessionRow> {
        let session = session.clone();
        self.read(move |db, _| sessions::row(db, &session))
    }

    fn open(&self, session: &SessionId) -> StoreFuture<'_, Snapshot> {
        let session = session.clone();
        self.read(move |db, _| sessions::open(db, &session))
    }

    fn delete(&self, session: &SessionId) -> StoreFuture<'_, ()> {
        let (session, deleted) = (session.clone(), session.clone());
        let first = self
            .writer
            .write_alone(move |tx| sessions::delete(tx, &deleted));
        Box::pin(async move {
            first.await?;
            loop {
                let session = session.clone();
                let step = move |tx: &Tx<'_>| sweep::delete_step(tx, &session);
                if self.writer.write_alone(step).await? {
                    return Ok(());
                }
            }
        })
    }

    fn claim(&self, session: &SessionId, owner: &str, time: Duration) -> StoreFuture<'_, Lease> {
        let (session, owner) = (session.clone(), owner.to_owned());
        self.write(move |tx| sessions::claim(tx, &session, &owner, time))
    }

    fn renew(&self, lease: &Lease, time: Duration) -> StoreFuture<'_, ()> {
        let lease = lease.clone();
        self.write(move |tx| sessions::renew(tx, &lease, time))
    }

    fn release(&self, lease: &Lease) -> StoreFuture<'_, ()> {
        let lease = lease.clone();
        self.write(move |tx| sessions::release(tx, &lease))
    }

    fn commit(&self, lease: &Lease, batch: Batch) -> StoreFuture<'_, Vec<Event>> {
        let (lease, session) = (lease.clone(), lease.session.clone());
        let committed = self.write(move |tx| commit::commit(tx, &lease, &batch));
        Box::pin(async move {
            let (events, mut has_more) = committed.await?;
            while has_more {
                let session = session.clone();
                let step = move |tx: &Tx<'_>| tombstones::step(tx, session.as_str());
                // The batch is committed, whatever happens now; a sweep does the rest.
                has_more = self.writer.write_alone(step).await.unwrap_or(false);
            }
            Ok(events)
        })
    }

    fn log(&self, session: &SessionId, after: u64, limit: usize) -> StoreFuture<'_, Vec<Event>> {
        let session = session.clone();
        self.read(move |db, _| sessions::log(db, &session, after, limit))
    }

    fn pending(&self) -> StoreFuture<'_, Vec<RequestRow>> {
        self.read(|db, _| requests::open(db))
    }

    fn pending_of(&self, person: &str) -> StoreFuture<'_, Vec<RequestRow>> {
        let person = person.to_owned();
        self.read(move |db, _| requests::open_of(db, &person))
    }

    fn request(&self, id: &RequestId) -> StoreFuture<'_, Option<RequestRow>> {
        let id = id.clone();
        self.read(move |db, _| requests::request(db, &id))
    }

    fn settle(&self, id: &RequestId, reply: Reply) -> StoreFuture<'_, SettleOutcome> {
        let id = id.clone();
        self.write(move |tx| requests::settle(tx, &id, &reply))
    }

    fn changed(&self) -> StoreFuture<'_, ()> {
        self.writer.changed()
    }

    fn put_output(&self, output: OutputRow, content: Vec<u8>) -> StoreFuture<'_, ()> {
        if let Err(error) = validate::check_output(&output, &content) {
            return Box::pin(std::future::ready(Err(error)));
        }
        let quota = self.quota;
        let put = move |tx: &Tx<'_>, content: &mut [NewContent]| {
            outputs::put(tx, &output, content, quota)
        };
        self.writer.write(vec![NewContent::new(content)], put)
    }

    fn read_output(
        &self,
        session: &SessionId,
        id: &ItemId,
        offset: u64,
        length: usize,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<Vec<u8>>> {
        let (session, id) = (session.clone(), id.clone());
        self.read(move |db, folder| outputs::read(db, folder, &session, &id, (offset, length), now))
    }

    fn outputs(
        &self,
        session: Option<&SessionId>,
        now: Timestamp,
    ) -> StoreFuture<'_, Vec<OutputRow>> {
        let session = session.cloned();
        self.read(move |db, _| outputs::list(db, session.as_ref(), now))
    }

    fn output_of(
        &self,
        person: &str,
        id: &ItemId,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<OutputRow>> {
        let (person, id) = (person.to_owned(), id.clone());
        self.read(move |db, _| outputs::find(db, &person, &id, now))
    }

    fn sweep(&self, now: Timestamp) -> StoreFuture<'_, u64> {
        let step = move |is_first| {
            let step = move |tx: &Tx<'_>| sweep::step(tx, now, is_first);
            self.writer.write_alone(step)
        };
        let first = step(true);
        Box::pin(async move {
            let mut done = first.await?;
            let mut freed = done.freed;
            while !done.is_last {
                done = step(false).await?;
                freed = freed.saturating_add(done.freed);
            }
            Ok(freed)
        })
    }

    fn state(&self, bucket: &Bucket, key: &str) -> StoreFuture<'_, Option<String>> {
        let (bucket, key) = (bucket.clone(), key.to_owned());
        self.read(move |db, _| state::value(db, &bucket, &key))
    }

    fn set_state(
        &self,
        bucket: &Bucket,
        key: &str,
        value: Option<String>,
        expected: Expected,
        limits: BucketLimits,
    ) -> StoreFuture<'_, Result<bool, BucketFullError>> {
        let (bucket, key) = (bucket.clone(), key.to_owned());
        self.write(move |tx| state::set(tx, &bucket, &key, value.as_deref(), &expected, limits))
    }

    fn state_keys(&self, bucket: &Bucket, prefix: &str) -> StoreFuture<'_, Vec<String>> {
        let (bucket, prefix) = (bucket.clone(), prefix.to_owned());
        self.read(move |db, _| state::keys(db, &bucket, &prefix))
    }
}

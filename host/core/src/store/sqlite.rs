//! A store on disk: one SQLite database in a folder of its own, and files for large content.
//!
//! Every write goes through one thread, every read through another, so no caller's runtime is
//! blocked and no future can be dropped in the middle of a transaction. Several processes may open
//! the same folder; a session belongs to one of them at a time.
//!
//! ```text
//! footlight.db     rows; content up to 64 KiB
//! blobs/ab/cdef..  larger content, under its SHA-256
//! blobs/new/       content that is being written
//! owners/          a locked file for each store that is open
//! open.lock        held while a store is being opened
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
mod schema;
mod sessions;
mod state;
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

/// Keeps everything in a folder.
///
/// To drop it waits until what was asked of it is done, and its threads have stopped.
#[derive(Debug)]
pub struct SqliteStore {
    // In this order: the writer is the last to close the database, and tidies it up. With its thread
    // the folder is given up.
    reader: Reader,
    writer: Writer,
    quota: Quota,
}

impl SqliteStore {
    /// Opens the store in this folder, which is made if it is not there. It is for the store alone:
    /// nobody but this user may look into it from now on.
    ///
    /// # Errors
    /// [`StoreError::Newer`] if a newer version wrote it, and it is not touched;
    /// [`StoreError::Damaged`] if it cannot be read; [`StoreError::Full`] and
    /// [`StoreError::Failed`] if the disk does not have it.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::with_quota(folder, Quota::default())
    }

    /// The same, for so many bytes of outputs.
    ///
    /// # Errors
    /// As [`SqliteStore::open`].
    pub fn with_quota(folder: impl AsRef<Path>, quota: Quota) -> Result<Self, StoreError> {
        let folder = folder.as_ref();
        let told = |error: error::SqliteError| error.into_store_error(folder);
        let (folder, connection) = Folder::open(folder).map_err(told)?;
        let folder = Arc::new(folder);
        let reader =
            Reader::start(&folder).map_err(|error| error.into_store_error(folder.path()))?;
        let writer = Writer::start(connection, &folder);
        let writer = writer.map_err(|error| error.into_store_error(folder.path()))?;
        Ok(Self {
            reader,
            writer,
            quota,
        })
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

    fn open(&self, session: &SessionId) -> StoreFuture<'_, Snapshot> {
        let session = session.clone();
        self.read(move |db, _| sessions::open(db, &session))
    }

    fn delete(&self, session: &SessionId) -> StoreFuture<'_, ()> {
        let session = session.clone();
        self.write(move |tx| sessions::delete(tx, &session))
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
        let lease = lease.clone();
        self.write(move |tx| commit::commit(tx, &lease, &batch))
    }

    fn log(&self, session: &SessionId, after: u64, limit: usize) -> StoreFuture<'_, Vec<Event>> {
        let session = session.clone();
        self.read(move |db, _| sessions::log(db, &session, after, limit))
    }

    fn pending(&self) -> StoreFuture<'_, Vec<RequestRow>> {
        self.read(|db, _| requests::open(db))
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

    fn sweep(&self, now: Timestamp) -> StoreFuture<'_, u64> {
        self.writer.write_alone(move |tx| outputs::sweep(tx, now))
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
        room: BucketLimits,
    ) -> StoreFuture<'_, Result<bool, BucketFullError>> {
        let (bucket, key) = (bucket.clone(), key.to_owned());
        self.write(move |tx| state::set(tx, &bucket, &key, value.as_deref(), &expected, room))
    }

    fn state_keys(&self, bucket: &Bucket, prefix: &str) -> StoreFuture<'_, Vec<String>> {
        let (bucket, prefix) = (bucket.clone(), prefix.to_owned());
        self.read(move |db, _| state::keys(db, &bucket, &prefix))
    }
}

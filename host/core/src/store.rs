//! What lasts: sessions and their logs, what waits for a person, outputs, plugins' state.
//!
//! A [`Store`] is rows and nothing else; what they mean is for the session. Everything a session
//! writes goes through [`Store::commit`], one transaction at a time, fenced by the epoch of its
//! [`Lease`]: a process that has lost a session can no longer write to it. What waits for a person
//! is settled by whoever has its id, owner or not; the first one counts.
//!
//! [`MemoryStore`] forgets with its process, [`SqliteStore`] does not. The feature `conformance` adds the suite
//! that every store must pass.
//!
//! Invariant: what a commit acknowledged survives `kill -9`, and it is applied whole or not at all.

#[cfg(any(test, feature = "conformance"))]
pub mod conformance;

mod error;
mod memory;
mod rows;
#[cfg(feature = "sqlite")]
mod sqlite;
mod validate;

#[cfg(test)]
mod tests;

pub use error::{DetailedError, StoreError};
pub use memory::MemoryStore;
pub use rows::{
    Batch, Bucket, BucketFullError, BucketLimits, CallRow, CallState, Expected, Lease, OutputRow,
    Quota, Reply, RequestKind, RequestRow, SessionRow, SettleOutcome, Snapshot, StepRow, Summary,
    TurnRow,
};
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStore;

use footlight_vocabulary::event::Event;
use footlight_vocabulary::item::{ItemId, RequestId, SessionId, Timestamp};
use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What a store answers, later.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Where everything that lasts is kept.
///
/// Whatever is asked of it begins with the call, not when the answer is first awaited, and writes
/// are applied in the order of the calls. To drop an answer takes nothing back.
pub trait Store: Send + Sync + 'static {
    // ---- sessions

    /// Makes a session. Its id is new.
    fn create(&self, session: SessionRow) -> StoreFuture<'_, ()>;

    /// The sessions that were used last, those first.
    fn sessions(&self, limit: usize) -> StoreFuture<'_, Vec<SessionRow>>;

    /// Everything of a session that is needed to go on with it.
    fn open(&self, session: &SessionId) -> StoreFuture<'_, Snapshot>;

    /// Deletes a session with all that belongs to it. Refused while somebody owns it and lives: an
    /// owner gives it back first.
    fn delete(&self, session: &SessionId) -> StoreFuture<'_, ()>;

    /// Takes a session for `owner`, unless somebody else has it and lives. The epoch grows.
    ///
    /// Somebody else is another `owner`, or the same one in another process. Whoever let their time
    /// pass can be succeeded, and so can at once whoever is known to be dead.
    fn claim(&self, session: &SessionId, owner: &str, time: Duration) -> StoreFuture<'_, Lease>;

    /// Keeps it for this long from now.
    fn renew(&self, lease: &Lease, time: Duration) -> StoreFuture<'_, ()>;

    /// Gives it back. Not an error if it was lost.
    fn release(&self, lease: &Lease) -> StoreFuture<'_, ()>;

    /// Writes, whole or not at all. Answers the events as they stand in the log, with their `seq`.
    fn commit(&self, lease: &Lease, batch: Batch) -> StoreFuture<'_, Vec<Event>>;

    /// The log after `seq` (0 for all), at most `limit` events.
    fn log(&self, session: &SessionId, after: u64, limit: usize) -> StoreFuture<'_, Vec<Event>>;

    // ---- what waits for a person

    /// Everything that is not settled, in all sessions, oldest first. Also what nobody answered in
    /// time, until [`Store::settle`] or [`Store::sweep`] finds that out.
    fn pending(&self) -> StoreFuture<'_, Vec<RequestRow>>;

    /// One of them, settled or not.
    fn request(&self, id: &RequestId) -> StoreFuture<'_, Option<RequestRow>>;

    /// Settles it. The first one counts; after its time nobody's does but [`Reply::Expired`].
    fn settle(&self, id: &RequestId, reply: Reply) -> StoreFuture<'_, SettleOutcome>;

    /// Comes back when something may have been settled, here or by another process.
    ///
    /// It listens from the call on: call it, then look, then await it, and nothing is missed.
    fn changed(&self) -> StoreFuture<'_, ()>;

    // ---- outputs: content for the person

    /// Stores content. It is gone when it expires, or when its call is settled without it. What has
    /// expired by the row's `created` does not count against the [`Quota`].
    fn put_output(&self, output: OutputRow, content: Vec<u8>) -> StoreFuture<'_, ()>;

    /// A part of it; nothing if it is unknown, of another session, or expired.
    fn read_output(
        &self,
        session: &SessionId,
        id: &ItemId,
        offset: u64,
        length: usize,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<Vec<u8>>>;

    /// What is stored, of one session or of all, oldest first, expired ones left out.
    fn outputs(
        &self,
        session: Option<&SessionId>,
        now: Timestamp,
    ) -> StoreFuture<'_, Vec<OutputRow>>;

    /// Forgets outputs that have expired and content that nothing names any more, and settles
    /// requests whose time is over. Answers how many bytes of content that was.
    fn sweep(&self, now: Timestamp) -> StoreFuture<'_, u64>;

    // ---- plugins' state

    /// A value.
    fn state(&self, bucket: &Bucket, key: &str) -> StoreFuture<'_, Option<String>>;

    /// Sets or removes a value, where it is still as `expected` says, and says whether it was.
    fn set_state(
        &self,
        bucket: &Bucket,
        key: &str,
        value: Option<String>,
        expected: Expected,
        room: BucketLimits,
    ) -> StoreFuture<'_, Result<bool, BucketFullError>>;

    /// The keys with this prefix, sorted.
    fn state_keys(&self, bucket: &Bucket, prefix: &str) -> StoreFuture<'_, Vec<String>>;
}

/// For leases and fresh content; what a session writes brings its own time.
fn clock() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    later(Timestamp::default(), since)
}

fn later(than: Timestamp, time: Duration) -> Timestamp {
    let millis = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(than.millis().saturating_add(millis))
}

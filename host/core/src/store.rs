//! Persistence: sessions and their logs, requests to people, outputs, plugins' state.
//!
//! A [`Store`] keeps rows; a session gives them meaning. A session writes only through
//! [`Store::commit`], one transaction at a time, fenced by the epoch of its [`Lease`]: a process that
//! has lost a session can no longer write to it. Anybody who knows the id of a request may settle it,
//! owner or not, and the first reply counts.
//!
//! [`MemoryStore`] ends with its process, [`SqliteStore`] is durable. The feature `conformance` adds
//! the test suite that every store must pass.
//!
//! Invariant: an acknowledged commit survives `kill -9`, and a commit is applied whole or not at all.

#[cfg(any(test, feature = "conformance"))]
pub mod conformance;

mod bucket;
mod error;
mod memory;
mod rows;
#[cfg(feature = "sqlite")]
mod sqlite;
mod validate;

#[cfg(test)]
mod tests;

pub(crate) use bucket::alias;
pub use bucket::{Bucket, BucketFullError, BucketLimits, Expected};
pub use error::{DetailedError, StoreError};
pub use memory::MemoryStore;
pub use rows::{
    Batch, CallRow, CallState, Lease, OutputRow, Quota, Reply, RequestKind, RequestRow, SessionRow,
    SettleOutcome, Snapshot, StepRow, Summary, TurnRow,
};
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStore;

use footlight_vocabulary::event::Event;
use footlight_vocabulary::item::{ItemId, RequestId, SessionId, Timestamp};
use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The future of a store's method.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A place for everything that lasts: sessions with their logs, requests that wait for people, outputs,
/// and the state of plugins.
///
/// [`MemoryStore`] and [`SqliteStore`] are the two that come with this crate. A store of your own must pass
/// the suite in `conformance`.
///
/// Work starts when a method is called, not when its future is first polled, and writes are applied
/// in the order of the calls. Dropping a future cancels nothing.
pub trait Store: Send + Sync + 'static {
    // ---- sessions

    /// Creates a session under a new id.
    fn create(&self, session: SessionRow) -> StoreFuture<'_, ()>;

    /// Returns up to `limit` sessions of all people, the most recently used first.
    fn sessions(&self, limit: usize) -> StoreFuture<'_, Vec<SessionRow>>;

    /// Returns up to `limit` sessions of a person, the most recently used first: from the beginning,
    /// or from the one that follows `after`, which is the `updated` and `id` of the last row of a page.
    fn sessions_of(
        &self,
        person: &str,
        after: Option<(Timestamp, &SessionId)>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<SessionRow>>;

    /// Returns a session without its contents.
    fn session(&self, session: &SessionId) -> StoreFuture<'_, SessionRow>;

    /// Returns everything that is needed to continue a session.
    fn open(&self, session: &SessionId) -> StoreFuture<'_, Snapshot>;

    /// Deletes a session and everything that belongs to it, the state of plugins included. Fails
    /// while a live owner holds it: the owner has to release it first.
    ///
    /// The session disappears at once. A large one is deleted in steps; if they are interrupted, a
    /// sweep does the rest.
    fn delete(&self, session: &SessionId) -> StoreFuture<'_, ()>;

    /// Claims a session for `owner` and increments its epoch. Fails while another live owner holds it.
    ///
    /// Another owner has another name, or the same name in another process. A session can be claimed
    /// once its lease has expired, and at once if the owner's process is known to be dead.
    fn claim(&self, session: &SessionId, owner: &str, time: Duration) -> StoreFuture<'_, Lease>;

    /// Extends a lease to this long from now.
    fn renew(&self, lease: &Lease, time: Duration) -> StoreFuture<'_, ()>;

    /// Releases a lease. Succeeds also if the lease is lost.
    fn release(&self, lease: &Lease) -> StoreFuture<'_, ()>;

    /// Applies a batch, whole or not at all. Returns the events as logged, with their `seq`.
    ///
    /// A put that has no effect, because a later revision is known, is logged as a
    /// [tombstone]. When a turn ends, so are the puts whose items were replaced
    /// or removed since. The log is sufficient to build the record at any time.
    ///
    /// [tombstone]: footlight_vocabulary::event::EventBody::Tombstone
    fn commit(&self, lease: &Lease, batch: Batch) -> StoreFuture<'_, Vec<Event>>;

    /// Returns up to `limit` events of the log after the `seq` given as `after` (0 for all).
    fn log(&self, session: &SessionId, after: u64, limit: usize) -> StoreFuture<'_, Vec<Event>>;

    // ---- requests to people

    /// Returns the open requests of all sessions, oldest first. An expired request is open until
    /// [`Store::settle`] or [`Store::sweep`] notices.
    fn pending(&self) -> StoreFuture<'_, Vec<RequestRow>>;

    /// Returns the open requests of a person's sessions, as [`pending`](Self::pending) does.
    fn pending_of(&self, person: &str) -> StoreFuture<'_, Vec<RequestRow>>;

    /// Returns a request, settled or not.
    fn request(&self, id: &RequestId) -> StoreFuture<'_, Option<RequestRow>>;

    /// Settles a request. The first reply counts; after the expiry only [`Reply::Expired`] does.
    fn settle(&self, id: &RequestId, reply: Reply) -> StoreFuture<'_, SettleOutcome>;

    /// Completes when a request may have been settled, by this process or another.
    ///
    /// It listens from the call on: call it, then look, then await it, and nothing is missed.
    fn changed(&self) -> StoreFuture<'_, ()>;

    // ---- outputs: content for the person

    /// Stores content, until it expires or its call is settled without keeping it. Outputs that have
    /// expired by the row's `created` do not count against the [`Quota`].
    fn put_output(&self, output: OutputRow, content: Vec<u8>) -> StoreFuture<'_, ()>;

    /// Returns a part of the content; none if the output is unknown, expired, or of another session.
    fn read_output(
        &self,
        session: &SessionId,
        id: &ItemId,
        offset: u64,
        length: usize,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<Vec<u8>>>;

    /// Returns the outputs of one session or of all, oldest first, without expired ones.
    fn outputs(
        &self,
        session: Option<&SessionId>,
        now: Timestamp,
    ) -> StoreFuture<'_, Vec<OutputRow>>;

    /// Returns an output by its id alone; none if it is unknown, expired, or no session of the person
    /// has it.
    fn output_of(
        &self,
        person: &str,
        id: &ItemId,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<OutputRow>>;

    /// Deletes expired outputs, unreferenced content and state of sessions that do not exist, settles
    /// expired requests, and completes what was interrupted. Returns the number of deleted bytes of
    /// content.
    ///
    /// A session without turns, which has only outputs, is deleted with the last of them. The work is
    /// done in steps, so that other writes do not wait for it.
    fn sweep(&self, now: Timestamp) -> StoreFuture<'_, u64>;

    // ---- plugins' state

    /// Returns the value of a key.
    fn state(&self, bucket: &Bucket, key: &str) -> StoreFuture<'_, Option<String>>;

    /// Sets or removes a value if the current one is as `expected`, and reports whether it was.
    fn set_state(
        &self,
        bucket: &Bucket,
        key: &str,
        value: Option<String>,
        expected: Expected,
        limits: BucketLimits,
    ) -> StoreFuture<'_, Result<bool, BucketFullError>>;

    /// Returns the keys with a prefix, sorted.
    fn state_keys(&self, bucket: &Bucket, prefix: &str) -> StoreFuture<'_, Vec<String>>;
}

/// Returns the current time, for leases. What a session writes carries its own time.
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

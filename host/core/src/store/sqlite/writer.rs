//! The thread that writes, with the only connection that does.
//!
//! All jobs that are queued when the thread wakes share one transaction, and so one sync of the disk.
//! Each has its own savepoint, so that a rejected job does not affect the others. Callers are answered
//! after the commit. If the transaction as a whole fails, each job is tried again by itself: a job may
//! run more than once, but it is committed at most once.
//!
//! While somebody watches for changes, the thread also polls for those of other processes.

use super::content::{self, NewContent};
use super::crash_point::{CrashPoint, crash_point};
use super::error::{SqliteError, SqliteResult, retry_while_busy};
use super::folder::Folder;
use super::reader::stopped;
use crate::store::{StoreError, StoreFuture};
use rusqlite::Connection;
use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The maximum number of jobs in a transaction, so that the first of them is not delayed for long.
const MAX_GROUP: usize = 256;

/// How often the thread polls for changes of other processes.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

enum Message {
    Write(Box<dyn Job>),
    /// A watcher was added.
    Watch,
}

/// Callers that wait for a request to be settled. They are added by the call and not by the thread, so
/// that a commit which is already under way notifies them.
type Watchers = Arc<Mutex<Vec<oneshot::Sender<()>>>>;

fn lock(watchers: &Watchers) -> MutexGuard<'_, Vec<oneshot::Sender<()>>> {
    // A panic cannot leave the list half changed.
    watchers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The handle of the thread. Dropping it ends the thread, after the queued jobs.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Option<Sender<Message>>,
    thread: Option<JoinHandle<()>>,
    watchers: Watchers,
}

impl Writer {
    pub(super) fn start(db: Connection, folder: &Arc<Folder>) -> SqliteResult<Self> {
        let (jobs, queue) = mpsc::channel();
        let folder = Arc::clone(folder);
        let watchers = Watchers::default();
        let shared = Arc::clone(&watchers);
        let thread = std::thread::Builder::new()
            .name("footlight-write".to_owned())
            .spawn(move || {
                WriterThread {
                    db,
                    folder,
                    queue,
                    watchers: shared,
                    seen: None,
                }
                .work();
            })?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
            watchers,
        })
    }

    /// Runs a job in a transaction. `contents` are staged before it begins.
    pub(super) fn write<'a, T, F>(&self, contents: Vec<NewContent>, work: F) -> StoreFuture<'a, T>
    where
        T: Send + 'static,
        F: Fn(&Tx<'_>, &mut [NewContent]) -> SqliteResult<T> + Send + 'static,
    {
        self.queue(contents, work, false)
    }

    /// Runs a job that frees space, in its own transaction. On a full disk it is tried again with
    /// the reserve.
    pub(super) fn write_alone<'a, T, F>(&self, work: F) -> StoreFuture<'a, T>
    where
        T: Send + 'static,
        F: Fn(&Tx<'_>) -> SqliteResult<T> + Send + 'static,
    {
        self.queue(Vec::new(), move |tx, _| work(tx), true)
    }

    fn queue<'a, T, F>(&self, contents: Vec<NewContent>, work: F, alone: bool) -> StoreFuture<'a, T>
    where
        T: Send + 'static,
        F: Fn(&Tx<'_>, &mut [NewContent]) -> SqliteResult<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        self.send(Message::Write(Box::new(Work {
            contents,
            alone,
            work,
            done: None,
            reply,
        })));
        Box::pin(async { answer.await.unwrap_or_else(|_| Err(stopped())) })
    }

    pub(super) fn changed<'a>(&self) -> StoreFuture<'a, ()> {
        let (reply, answer) = oneshot::channel();
        lock(&self.watchers).push(reply);
        if !self.send(Message::Watch) {
            lock(&self.watchers).clear();
        }
        Box::pin(async { answer.await.map_err(|_| stopped()) })
    }

    /// Sends a message, and reports whether the thread is still running. If not, the message and its
    /// reply are dropped.
    fn send(&self, message: Message) -> bool {
        let jobs = self.jobs.as_ref();
        jobs.is_some_and(|jobs| jobs.send(message).is_ok())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A transaction.
pub(super) struct Tx<'a> {
    db: &'a Connection,
    pub(super) folder: &'a Folder,
    /// Whether a request changed, so that watchers are notified.
    pub(super) requests: Cell<bool>,
    /// Content whose row may be deleted, so that its file can be deleted after the commit.
    pub(super) dropped: RefCell<Vec<String>>,
    /// Content whose file was created.
    pub(super) placed: RefCell<Vec<String>>,
}

impl Deref for Tx<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.db
    }
}

trait Job: Send {
    /// Reports whether the job needs its own transaction.
    fn is_alone(&self) -> bool;
    /// Does the slow work that needs no transaction.
    fn stage(&mut self, folder: &Folder);
    /// Runs the job and keeps the result. Returns whether to commit it.
    fn run(&mut self, tx: &Tx<'_>) -> bool;
    /// Reports whether the job failed because the disk is full.
    fn is_out_of_space(&self) -> bool;
    /// Sends the result to the caller.
    fn answer(self: Box<Self>, folder: &Folder);
    /// Sends an error to the caller, instead of the result.
    fn fail(self: Box<Self>, error: StoreError);
}

struct Work<T, F> {
    contents: Vec<NewContent>,
    alone: bool,
    work: F,
    done: Option<SqliteResult<T>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Job for Work<T, F>
where
    T: Send,
    F: Fn(&Tx<'_>, &mut [NewContent]) -> SqliteResult<T> + Send,
{
    fn is_alone(&self) -> bool {
        self.alone
    }

    fn stage(&mut self, folder: &Folder) {
        for content in &mut self.contents {
            // An error occurs again in the transaction, and is reported then.
            let _ = content.stage(folder);
        }
    }

    fn run(&mut self, tx: &Tx<'_>) -> bool {
        let done = self.done.insert((self.work)(tx, &mut self.contents));
        done.is_ok()
    }

    fn is_out_of_space(&self) -> bool {
        matches!(&self.done, Some(Err(error)) if error.is_disk_full())
    }

    fn answer(self: Box<Self>, folder: &Folder) {
        let done = self.done.unwrap_or_else(|| Err(stopped().into()));
        // The caller may have dropped the future.
        let _ = self
            .reply
            .send(done.map_err(|error| error.into_store_error(folder.path())));
    }

    fn fail(self: Box<Self>, error: StoreError) {
        let _ = self.reply.send(Err(error));
    }
}

/// Why a transaction failed.
enum TransactionError {
    /// A job failed and took the transaction with it. The job has the error.
    Job,
    /// The transaction could not begin or end.
    Transaction(SqliteError),
}

struct WriterThread {
    db: Connection,
    folder: Arc<Folder>,
    queue: Receiver<Message>,
    watchers: Watchers,
    /// The `data_version` at the last poll.
    seen: Option<i64>,
}

impl WriterThread {
    fn work(mut self) {
        self.seen = self.version();
        let mut polled = Instant::now();
        loop {
            let message = if lock(&self.watchers).is_empty() {
                self.queue
                    .recv()
                    .map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                let left = POLL_INTERVAL.saturating_sub(polled.elapsed());
                self.queue.recv_timeout(left)
            };
            match message {
                Ok(first) => self.run_queued(first),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if polled.elapsed() >= POLL_INTERVAL {
                self.poll_other_processes();
                polled = Instant::now();
            }
        }
    }

    /// Runs all queued jobs, in one transaction if possible.
    fn run_queued(&mut self, first: Message) {
        let mut jobs = Vec::new();
        let mut next = Some(first);
        while let Some(message) = next {
            match message {
                Message::Write(job) => jobs.push(job),
                Message::Watch => {}
            }
            next = if jobs.len() < MAX_GROUP {
                self.queue.try_recv().ok()
            } else {
                None
            };
        }
        for job in &mut jobs {
            job.stage(&self.folder);
        }
        let alone = jobs.len() == 1 || jobs.iter().any(|job| job.is_alone());
        if !alone && self.transact(&mut jobs).is_ok() {
            jobs.into_iter().for_each(|job| job.answer(&self.folder));
            return;
        }
        for mut job in jobs {
            let mut done = self.transact(std::slice::from_mut(&mut job));
            let is_out_of_space = match &done {
                Err(TransactionError::Transaction(error)) => error.is_disk_full(),
                Ok(()) | Err(TransactionError::Job) => job.is_out_of_space(),
            };
            if is_out_of_space && job.is_alone() {
                self.give_up_reserve();
                done = self.transact(std::slice::from_mut(&mut job));
                let _ = self.db.pragma_update(None, "secure_delete", true);
            }
            match done {
                Err(TransactionError::Transaction(error)) => {
                    job.fail(error.into_store_error(self.folder.path()))
                }
                Ok(()) | Err(TransactionError::Job) => job.answer(&self.folder),
            }
        }
    }

    /// Makes room on a full disk for a transaction that frees space.
    fn give_up_reserve(&self) {
        Folder::release_reserve(self.folder.path());
        // Each of these is an attempt: the next transaction shows whether there is room.
        let _ = self.db.pragma_query(None, "wal_checkpoint", |_| Ok(()));
        // Overwriting a page needs room in the write-ahead log, and freeing it needs none.
        let _ = self.db.pragma_update(None, "secure_delete", "fast");
    }

    fn transact(&mut self, jobs: &mut [Box<dyn Job>]) -> Result<(), TransactionError> {
        let transaction = |error: SqliteError| TransactionError::Transaction(error);
        retry_while_busy(|| Ok(self.db.execute_batch("BEGIN IMMEDIATE")?)).map_err(transaction)?;
        let tx = Tx {
            db: &self.db,
            folder: &self.folder,
            requests: Cell::new(false),
            dropped: RefCell::default(),
            placed: RefCell::default(),
        };
        let done = jobs
            .iter_mut()
            .try_for_each(|job| run_in_savepoint(&tx, job.as_mut()));
        let done = done.and_then(|()| {
            crash_point(CrashPoint::BeforeCommit);
            let committed = self.db.execute_batch("COMMIT");
            committed.map_err(|error| transaction(error.into()))
        });
        if let Err(broken) = done {
            if !self.db.is_autocommit() {
                // If this fails, closing the connection rolls it back.
                let _ = self.db.execute_batch("ROLLBACK");
            }
            content::purge(&self.db, &self.folder, &tx.placed.take());
            return Err(broken);
        }
        crash_point(CrashPoint::AfterCommit);
        let requests = tx.requests.get();
        content::purge(&self.db, &self.folder, &tx.dropped.take());
        if requests {
            self.notify_watchers();
        }
        Ok(())
    }

    /// Notifies the watchers if another process has committed since the last poll. `data_version` does
    /// not change with commits of this connection.
    fn poll_other_processes(&mut self) {
        let has_no_watchers = {
            let mut watchers = lock(&self.watchers);
            watchers.retain(|watcher| !watcher.is_closed());
            watchers.is_empty()
        };
        if has_no_watchers {
            // The next watcher is notified at once of what changes until then.
            return;
        }
        let version = self.version();
        if version != self.seen {
            self.seen = version;
            self.notify_watchers();
        }
    }

    fn version(&self) -> Option<i64> {
        let value = |row: &rusqlite::Row<'_>| row.get(0);
        self.db.pragma_query_value(None, "data_version", value).ok()
    }

    fn notify_watchers(&mut self) {
        for watcher in lock(&self.watchers).drain(..) {
            let _ = watcher.send(());
        }
    }
}

impl Drop for WriterThread {
    /// Ends the waiting of watchers, which would otherwise wait for ever.
    fn drop(&mut self) {
        lock(&self.watchers).clear();
    }
}

/// Runs one job in its savepoint.
fn run_in_savepoint(tx: &Tx<'_>, job: &mut dyn Job) -> Result<(), TransactionError> {
    let sql = |sql: &str| {
        let done = tx.db.execute_batch(sql);
        done.map_err(|error| TransactionError::Transaction(error.into()))
    };
    sql("SAVEPOINT job")?;
    let placed = tx.placed.borrow().len();
    if job.run(tx) {
        return sql("RELEASE job");
    }
    let unused = tx.placed.borrow()[placed..].to_vec();
    tx.dropped.borrow_mut().extend(unused);
    if tx.db.is_autocommit() {
        // A full disk, for example, rolls back the whole transaction.
        return Err(TransactionError::Job);
    }
    sql("ROLLBACK TO job; RELEASE job")
}

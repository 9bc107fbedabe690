//! The thread that writes, and the only connection that does.
//!
//! All jobs that wait when it wakes share one transaction, and so one sync of the disk; each has a
//! savepoint of its own, so that one that is refused leaves the others alone. They are answered
//! after the commit. If the transaction breaks as a whole, each is tried again by itself, so a job
//! may run more than once, but it is committed at most once.
//!
//! It also watches for what other processes change, as long as somebody wants to know.

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

/// How many jobs share a transaction at most, so that the first of them does not wait for ever.
const MAX_GROUP: usize = 256;

/// How often it looks for changes of other processes.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

enum Message {
    Write(Box<dyn Job>),
    /// Somebody is among those who wait.
    Watch,
}

/// Those who want to know when something may have been settled. They are here from the call on and
/// not from when the thread gets to it: a commit that is under way meanwhile counts for them.
type Watchers = Arc<Mutex<Vec<oneshot::Sender<()>>>>;

fn lock(waiting: &Watchers) -> MutexGuard<'_, Vec<oneshot::Sender<()>>> {
    // What is behind the lock is put down whole.
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The way to that thread. Dropping it ends the thread, after what was asked of it before.
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
        let waiting = Watchers::default();
        let known = Arc::clone(&waiting);
        let thread = std::thread::Builder::new()
            .name("footlight-write".to_owned())
            .spawn(move || {
                Thread {
                    db,
                    folder,
                    queue,
                    watchers: known,
                    seen: None,
                }
                .work();
            })?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
            watchers: waiting,
        })
    }

    /// Has this done in a transaction. `contents` are staged before it begins.
    pub(super) fn write<'a, T, F>(&self, contents: Vec<NewContent>, work: F) -> StoreFuture<'a, T>
    where
        T: Send + 'static,
        F: Fn(&Tx<'_>, &mut [NewContent]) -> SqliteResult<T> + Send + 'static,
    {
        self.queue(contents, work, false)
    }

    /// Has this done in a transaction of its own.
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

    /// Whether the thread is there to take it. If not the message is dropped, and so is its reply.
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

/// A transaction, as a job sees it.
pub(super) struct Tx<'a> {
    db: &'a Connection,
    pub(super) folder: &'a Folder,
    /// Whether something changed that people wait for.
    pub(super) requests: Cell<bool>,
    /// Content that may have no row after this, so that its file goes too.
    pub(super) dropped: RefCell<Vec<String>>,
    /// Content whose file is new.
    pub(super) placed: RefCell<Vec<String>>,
}

impl Deref for Tx<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.db
    }
}

trait Job: Send {
    /// Whether it must not share its transaction.
    fn is_alone(&self) -> bool;
    /// What takes long and needs no transaction.
    fn stage(&mut self, folder: &Folder);
    /// Does it and keeps what it came to; says whether it is to be committed.
    fn run(&mut self, tx: &Tx<'_>) -> bool;
    /// Answers what it came to.
    fn answer(self: Box<Self>, folder: &Folder);
    /// Answers that it could not be committed.
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
            // If it fails here it fails again in the transaction, and is reported then.
            let _ = content.stage(folder);
        }
    }

    fn run(&mut self, tx: &Tx<'_>) -> bool {
        let done = self.done.insert((self.work)(tx, &mut self.contents));
        done.is_ok()
    }

    fn answer(self: Box<Self>, folder: &Folder) {
        let done = self.done.unwrap_or_else(|| Err(stopped().into()));
        // Whoever asked may have gone.
        let _ = self
            .reply
            .send(done.map_err(|error| error.into_store_error(folder.path())));
    }

    fn fail(self: Box<Self>, error: StoreError) {
        let _ = self.reply.send(Err(error));
    }
}

/// Why a transaction came to nothing.
enum TransactionError {
    /// A job broke it, and knows how.
    Job,
    /// It could not begin or end.
    Transaction(SqliteError),
}

struct Thread {
    db: Connection,
    folder: Arc<Folder>,
    queue: Receiver<Message>,
    watchers: Watchers,
    /// The database's version when it last polled.
    seen: Option<i64>,
}

impl Thread {
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
                Ok(first) => self.take(first),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if polled.elapsed() >= POLL_INTERVAL {
                self.poll_other_processes();
                polled = Instant::now();
            }
        }
    }

    /// One transaction for all that waits.
    fn take(&mut self, first: Message) {
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
            match self.transact(std::slice::from_mut(&mut job)) {
                Err(TransactionError::Transaction(error)) => {
                    job.fail(error.into_store_error(self.folder.path()))
                }
                Ok(()) | Err(TransactionError::Job) => job.answer(&self.folder),
            }
        }
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
        let done = jobs.iter_mut().try_for_each(|job| one(&tx, job.as_mut()));
        let done = done.and_then(|()| {
            crash_point(CrashPoint::BeforeCommit);
            let committed = self.db.execute_batch("COMMIT");
            committed.map_err(|error| transaction(error.into()))
        });
        if let Err(broken) = done {
            if !self.db.is_autocommit() {
                // What is left of it goes with the connection, if not now.
                let _ = self.db.execute_batch("ROLLBACK");
            }
            content::purge(&self.db, &self.folder, &tx.placed.take());
            return Err(broken);
        }
        crash_point(CrashPoint::AfterCommit);
        let requests = tx.requests.get();
        content::purge(&self.db, &self.folder, &tx.dropped.take());
        if requests {
            self.wake();
        }
        Ok(())
    }

    /// Wakes those who wait if another process has committed. What this connection commits does not
    /// count for it.
    fn poll_other_processes(&mut self) {
        let is_idle = {
            let mut waiting = lock(&self.watchers);
            waiting.retain(|waiting| !waiting.is_closed());
            waiting.is_empty()
        };
        if is_idle {
            // So what changes until somebody waits again wakes them at once.
            return;
        }
        let version = self.version();
        if version != self.seen {
            self.seen = version;
            self.wake();
        }
    }

    fn version(&self) -> Option<i64> {
        let value = |row: &rusqlite::Row<'_>| row.get(0);
        self.db.pragma_query_value(None, "data_version", value).ok()
    }

    fn wake(&mut self) {
        for waiting in lock(&self.watchers).drain(..) {
            let _ = waiting.send(());
        }
    }
}

impl Drop for Thread {
    /// Nobody waits for a thread that is gone.
    fn drop(&mut self) {
        lock(&self.watchers).clear();
    }
}

/// One job in its savepoint.
fn one(tx: &Tx<'_>, job: &mut dyn Job) -> Result<(), TransactionError> {
    let sql = |sql: &str| {
        let done = tx.db.execute_batch(sql);
        done.map_err(|error| TransactionError::Transaction(error.into()))
    };
    sql("SAVEPOINT job")?;
    let placed = tx.placed.borrow().len();
    if job.run(tx) {
        return sql("RELEASE job");
    }
    let in_vain = tx
        .placed
        .borrow()
        .iter()
        .skip(placed)
        .cloned()
        .collect::<Vec<_>>();
    tx.dropped.borrow_mut().extend(in_vain);
    if tx.db.is_autocommit() {
        // A full disk, for one, takes the whole transaction with it.
        return Err(TransactionError::Job);
    }
    sql("ROLLBACK TO job; RELEASE job")
}

//! The threads that read. Each has its own read-only connection, and sees one snapshot of the database
//! for the length of a job.

use super::error::{SqliteError, SqliteResult, retry_while_busy};
use super::folder::Folder;
use crate::store::{StoreError, StoreFuture};
use rusqlite::Connection;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// More than one, so that a long read does not delay a short one.
const THREADS: usize = 2;

type Job = Box<dyn FnOnce(&Connection, &Folder) + Send>;

/// The handle of the threads. Dropping it ends them.
#[derive(Debug)]
pub(super) struct Reader {
    jobs: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Reader {
    pub(super) fn start(folder: &Arc<Folder>) -> SqliteResult<Self> {
        let (jobs, queue) = mpsc::channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        let mut threads = Vec::new();
        for n in 1..=THREADS {
            let db = folder.connect()?;
            db.pragma_update(None, "query_only", true)?;
            let (queue, folder) = (Arc::clone(&queue), Arc::clone(folder));
            let thread = std::thread::Builder::new().name(format!("footlight-read-{n}"));
            threads.push(thread.spawn(move || work(&db, &folder, &queue))?);
        }
        Ok(Self {
            jobs: Some(jobs),
            threads,
        })
    }

    pub(super) fn read<'a, T, F>(&self, read: F) -> StoreFuture<'a, T>
    where
        T: Send + 'static,
        F: Fn(&Connection, &Folder) -> SqliteResult<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = move |db: &Connection, folder: &Folder| {
            let attempt = || {
                retry_while_busy(|| {
                    let snapshot = db.unchecked_transaction()?;
                    let done = read(&snapshot, folder);
                    snapshot.rollback()?;
                    done
                })
            };
            let done = match attempt() {
                // Files are not part of the snapshot: the row may be deleted too by now.
                Err(SqliteError::MissingFile(_)) => attempt(),
                done => done,
            };
            // The caller may have dropped the future.
            let _ = reply.send(done.map_err(|error| error.into_store_error(folder.path())));
        };
        if let Some(jobs) = &self.jobs {
            // If no thread is left, the job and its reply are dropped.
            let _ = jobs.send(Box::new(job));
        }
        Box::pin(async { answer.await.unwrap_or_else(|_| Err(stopped())) })
    }
}

fn work(db: &Connection, folder: &Folder, queue: &Mutex<Receiver<Job>>) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        job(db, folder);
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// The error of a job whose thread has panicked.
pub(super) fn stopped() -> StoreError {
    StoreError::failed("a thread of the store panicked; open the store again")
}

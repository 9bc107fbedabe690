//! The stream of a file that is read.

use super::convert::error_code;
use super::{FileHandle, spawn_checked};
use crate::call::file_access::FileAccess;
use crate::power::files::{self, FileError, FileResult};
use crate::sandbox::limits::Caps;
use bytes::Bytes;
use std::mem;
use std::sync::Arc;
use wasmtime_wasi::p2::{InputStream, Pollable, StreamError, StreamResult};
use wasmtime_wasi::runtime::AbortOnDropJoinHandle;

/// What a guest that reads in small steps has read for it from its second step on. Each step that
/// finds its bytes here saves a change of threads.
const FIRST_READ_AHEAD: usize = 32 << 10;

/// Reads a file from its position on.
pub(super) struct FileReader {
    access: Arc<FileAccess>,
    file: Arc<FileHandle>,
    position: u64,
    ahead: usize,
    /// Whether the system can tell what is in memory.
    tells_cached: bool,
    state: ReaderState,
}

enum ReaderState {
    Idle,
    Reading(AbortOnDropJoinHandle<FileResult<Vec<u8>>>),
    Ready(Bytes),
    Failed(FileError),
    Ended,
}

impl FileReader {
    pub(super) fn new(
        access: Arc<FileAccess>,
        file: Arc<FileHandle>,
        position: u64,
    ) -> FileResult<Self> {
        if !file.read {
            return Err(FileError::BadHandle);
        }
        Ok(Self {
            access,
            file,
            position,
            ahead: 0,
            tells_cached: true,
            state: ReaderState::Idle,
        })
    }

    fn start(&mut self, size: usize) {
        let length = size.max(self.ahead);
        self.ahead = (self.ahead * 2).clamp(FIRST_READ_AHEAD, Caps::FILE_READ);
        if self.tells_cached {
            // What is in memory needs no thread that may block.
            let length = length.min(Caps::FILE_READ);
            match files::read_cached(&self.file.file, length, self.position) {
                Ok(Some(bytes)) => return self.state = bytes.into(),
                Ok(None) => {}
                Err(_) => self.tells_cached = false,
            }
        }
        let length = length.min(Caps::FILE_READ_SLOW);
        let (file, position) = (Arc::clone(&self.file), self.position);
        let job = move |_: &Arc<FileAccess>| file.read_at(length, position);
        self.state = ReaderState::Reading(spawn_checked(&self.access, job));
    }

    /// Waits for what is being read.
    async fn finish(&mut self) {
        if let ReaderState::Reading(job) = &mut self.state {
            self.state = match job.await {
                Ok(bytes) => bytes.into(),
                Err(error) => ReaderState::Failed(error),
            };
        }
    }
}

impl From<Vec<u8>> for ReaderState {
    fn from(bytes: Vec<u8>) -> Self {
        match bytes.is_empty() {
            true => Self::Ended,
            false => Self::Ready(bytes.into()),
        }
    }
}

#[wasmtime_wasi::async_trait]
impl InputStream for FileReader {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        self.access.check_running().map_err(failed)?;
        match &mut self.state {
            ReaderState::Idle if size > 0 => {
                self.start(size);
                if let ReaderState::Ready(_) = self.state {
                    return self.read(size);
                }
            }
            ReaderState::Idle | ReaderState::Reading(_) => {}
            ReaderState::Ready(bytes) => {
                let part = bytes.split_to(size.min(bytes.len()));
                if bytes.is_empty() {
                    self.state = ReaderState::Idle;
                }
                self.position = self.position.saturating_add(part.len() as u64);
                self.access.add_read(self.file.folder, part.len());
                return Ok(part);
            }
            ReaderState::Failed(_) => {
                if let ReaderState::Failed(error) =
                    mem::replace(&mut self.state, ReaderState::Ended)
                {
                    return Err(failed(error));
                }
            }
            ReaderState::Ended => return Err(StreamError::Closed),
        }
        Ok(Bytes::new())
    }

    async fn blocking_read(&mut self, size: usize) -> StreamResult<Bytes> {
        if let (ReaderState::Idle, true) = (&self.state, size > 0) {
            self.access.check_running().map_err(failed)?;
            self.start(size);
        }
        self.finish().await;
        self.read(size)
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for FileReader {
    async fn ready(&mut self) {
        if let ReaderState::Idle = self.state {
            self.start(FIRST_READ_AHEAD);
        }
        self.finish().await;
    }
}

pub(super) fn failed(error: FileError) -> StreamError {
    StreamError::LastOperationFailed(error_code(&error).into())
}

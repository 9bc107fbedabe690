//! The stream of a file that is written.

use super::reader::failed;
use super::{FileHandle, spawn_checked};
use crate::call::file_access::FileAccess;
use crate::power::files::{FileError, FileResult};
use crate::sandbox::limits::Caps;
use bytes::Bytes;
use std::mem;
use std::sync::Arc;
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamError, StreamResult};
use wasmtime_wasi::runtime::AbortOnDropJoinHandle;

/// Where bytes are written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    At(u64),
    End,
}

/// Writes a file from a place on.
pub(super) struct FileWriter {
    access: Arc<FileAccess>,
    file: Arc<FileHandle>,
    place: Place,
    state: WriterState,
}

enum WriterState {
    Idle,
    Writing(AbortOnDropJoinHandle<FileResult<()>>),
    Failed(FileError),
    Closed,
}

impl FileWriter {
    pub(super) fn new(
        access: Arc<FileAccess>,
        file: Arc<FileHandle>,
        place: Place,
    ) -> FileResult<Self> {
        if !file.write {
            return Err(FileError::BadHandle);
        }
        Ok(Self {
            access,
            file,
            place,
            state: WriterState::Idle,
        })
    }

    /// Fails if the last write did, once; the stream is closed from then on.
    fn check(&mut self) -> StreamResult<()> {
        self.access.check_running().map_err(failed)?;
        match self.state {
            WriterState::Idle | WriterState::Writing(_) => Ok(()),
            WriterState::Failed(_) | WriterState::Closed => {
                match mem::replace(&mut self.state, WriterState::Closed) {
                    WriterState::Failed(error) => Err(failed(error)),
                    _ => Err(StreamError::Closed),
                }
            }
        }
    }
}

#[wasmtime_wasi::async_trait]
impl OutputStream for FileWriter {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.check()?;
        if matches!(self.state, WriterState::Writing(_)) || bytes.len() > Caps::FILE_WRITE {
            return Err(StreamError::trap(
                "more was written than `check-write` allows",
            ));
        }
        let (file, place, length) = (Arc::clone(&self.file), self.place, bytes.len() as u64);
        let job = move |access: &Arc<FileAccess>| file.write(access, &bytes, place);
        self.state = WriterState::Writing(spawn_checked(&self.access, job));
        if let Place::At(offset) = &mut self.place {
            *offset = offset.saturating_add(length);
        }
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        // Nothing is held back here.
        self.check()
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        self.check()?;
        Ok(match self.state {
            WriterState::Idle => Caps::FILE_WRITE,
            _ => 0,
        })
    }

    /// Waits for a write that has begun: a file that a guest closes is complete.
    async fn cancel(&mut self) {
        self.ready().await;
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for FileWriter {
    async fn ready(&mut self) {
        if let WriterState::Writing(job) = &mut self.state {
            self.state = match job.await {
                Ok(()) => WriterState::Idle,
                Err(error) => WriterState::Failed(error),
            };
        }
    }
}

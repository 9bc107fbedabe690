//! `wasi:io/streams` and `error`: as wasmtime has them, but waits for files are not metered, and end
//! when the call is cancelled.

use crate::call::stage::Stage;
use crate::sandbox::Sandbox;
use crate::sandbox::imports::wasi::unless_cancelled;
use crate::sandbox::meter::Meter;
use wasmtime::component::{Resource, ResourceTable};
use wasmtime_wasi_io::bindings::wasi::io::error;
use wasmtime_wasi_io::bindings::wasi::io::streams::{self, HostInputStream, HostOutputStream};
use wasmtime_wasi_io::poll::DynPollable;
use wasmtime_wasi_io::streams::{DynInputStream, DynOutputStream, StreamError, StreamResult};

impl Sandbox {
    /// Returns the table, and what a wait needs if this call can wait for files.
    fn waiting(&mut self) -> (&mut ResourceTable, Option<(&mut Meter, &Stage)>) {
        let stage = self.files.as_ref().and(self.stage.as_deref());
        let waits = stage.map(|stage| (&mut self.meter, stage));
        (&mut self.table, waits)
    }
}

/// Awaits a stream. Returns `None` if the call is cancelled first.
async fn wait<T>(
    waits: Option<(&mut Meter, &Stage)>,
    stream: impl Future<Output = T>,
) -> Option<T> {
    match waits {
        Some((meter, stage)) => meter.wait(unless_cancelled(Some(stage), stream)).await,
        None => Some(stream.await),
    }
}

async fn wait_for<T>(
    waits: Option<(&mut Meter, &Stage)>,
    stream: impl Future<Output = StreamResult<T>>,
) -> StreamResult<T> {
    wait(waits, stream)
        .await
        .unwrap_or(Err(StreamError::Closed))
}

impl streams::Host for Sandbox {
    fn convert_stream_error(
        &mut self,
        error: StreamError,
    ) -> wasmtime::Result<streams::StreamError> {
        self.table.convert_stream_error(error)
    }
}

impl error::Host for Sandbox {}

impl error::HostError for Sandbox {
    fn drop(&mut self, error: Resource<wasmtime::Error>) -> wasmtime::Result<()> {
        error::HostError::drop(&mut self.table, error)
    }

    /// Without details: those could be a path of the machine that built this program.
    fn to_debug_string(&mut self, error: Resource<wasmtime::Error>) -> wasmtime::Result<String> {
        Ok(self.table.get(&error)?.to_string())
    }
}

impl HostInputStream for Sandbox {
    async fn drop(&mut self, stream: Resource<DynInputStream>) -> wasmtime::Result<()> {
        let (table, waits) = self.waiting();
        wait(waits, HostInputStream::drop(table, stream))
            .await
            .unwrap_or(Ok(()))
    }

    fn read(&mut self, stream: Resource<DynInputStream>, length: u64) -> StreamResult<Vec<u8>> {
        HostInputStream::read(&mut self.table, stream, length)
    }

    async fn blocking_read(
        &mut self,
        stream: Resource<DynInputStream>,
        length: u64,
    ) -> StreamResult<Vec<u8>> {
        let (table, waits) = self.waiting();
        wait_for(waits, HostInputStream::blocking_read(table, stream, length)).await
    }

    fn skip(&mut self, stream: Resource<DynInputStream>, length: u64) -> StreamResult<u64> {
        HostInputStream::skip(&mut self.table, stream, length)
    }

    async fn blocking_skip(
        &mut self,
        stream: Resource<DynInputStream>,
        length: u64,
    ) -> StreamResult<u64> {
        let (table, waits) = self.waiting();
        wait_for(waits, HostInputStream::blocking_skip(table, stream, length)).await
    }

    fn subscribe(
        &mut self,
        stream: Resource<DynInputStream>,
    ) -> wasmtime::Result<Resource<DynPollable>> {
        HostInputStream::subscribe(&mut self.table, stream)
    }
}

impl HostOutputStream for Sandbox {
    async fn drop(&mut self, stream: Resource<DynOutputStream>) -> wasmtime::Result<()> {
        let (table, waits) = self.waiting();
        wait(waits, HostOutputStream::drop(table, stream))
            .await
            .unwrap_or(Ok(()))
    }

    fn check_write(&mut self, stream: Resource<DynOutputStream>) -> StreamResult<u64> {
        HostOutputStream::check_write(&mut self.table, stream)
    }

    fn write(&mut self, stream: Resource<DynOutputStream>, bytes: Vec<u8>) -> StreamResult<()> {
        HostOutputStream::write(&mut self.table, stream, bytes)
    }

    async fn blocking_write_and_flush(
        &mut self,
        stream: Resource<DynOutputStream>,
        bytes: Vec<u8>,
    ) -> StreamResult<()> {
        let (table, waits) = self.waiting();
        let written = HostOutputStream::blocking_write_and_flush(table, stream, bytes);
        wait_for(waits, written).await
    }

    fn flush(&mut self, stream: Resource<DynOutputStream>) -> StreamResult<()> {
        HostOutputStream::flush(&mut self.table, stream)
    }

    async fn blocking_flush(&mut self, stream: Resource<DynOutputStream>) -> StreamResult<()> {
        let (table, waits) = self.waiting();
        wait_for(waits, HostOutputStream::blocking_flush(table, stream)).await
    }

    fn subscribe(
        &mut self,
        stream: Resource<DynOutputStream>,
    ) -> wasmtime::Result<Resource<DynPollable>> {
        HostOutputStream::subscribe(&mut self.table, stream)
    }

    fn write_zeroes(&mut self, stream: Resource<DynOutputStream>, length: u64) -> StreamResult<()> {
        HostOutputStream::write_zeroes(&mut self.table, stream, length)
    }

    async fn blocking_write_zeroes_and_flush(
        &mut self,
        stream: Resource<DynOutputStream>,
        length: u64,
    ) -> StreamResult<()> {
        let (table, waits) = self.waiting();
        let written = HostOutputStream::blocking_write_zeroes_and_flush(table, stream, length);
        wait_for(waits, written).await
    }

    fn splice(
        &mut self,
        to: Resource<DynOutputStream>,
        from: Resource<DynInputStream>,
        length: u64,
    ) -> StreamResult<u64> {
        HostOutputStream::splice(&mut self.table, to, from, length)
    }

    async fn blocking_splice(
        &mut self,
        to: Resource<DynOutputStream>,
        from: Resource<DynInputStream>,
        length: u64,
    ) -> StreamResult<u64> {
        let (table, waits) = self.waiting();
        let spliced = HostOutputStream::blocking_splice(table, to, from, length);
        wait_for(waits, spliced).await
    }
}

//! `output`: content for the person that the model does not see.

use crate::bindings::footlight::plugin::output::{self, OutputError};
use crate::imports::StageHandle;
use crate::limits::Caps;
use crate::recorder::Class;
use crate::sandbox::Sandbox;
use footlight_vocabulary::json;
use wasmtime::component::Resource;

/// An output being written. Dropping it discards what was written.
#[allow(unreachable_pub, reason = "the generated bindings re-export it")]
pub struct WriterHandle {
    title: String,
    kind: String,
    mime_type: String,
    meta: Option<String>,
    content: Vec<u8>,
}

impl output::Host for Sandbox {
    async fn create(
        &mut self,
        _: Resource<StageHandle>,
        title: String,
        kind: String,
        mime_type: String,
        meta: Option<String>,
    ) -> wasmtime::Result<Result<Resource<WriterHandle>, OutputError>> {
        let stage = self.stage()?;
        // What is kept beside the content is bounded on its own: the quota does not count it.
        if title.len() + kind.len() + mime_type.len() > Caps::OUTPUT_WORDS {
            return Ok(Err(OutputError::TooLarge(Caps::OUTPUT_WORDS as u64)));
        }
        if meta
            .as_ref()
            .is_some_and(|meta| meta.len() > Caps::OUTPUT_META)
        {
            return Ok(Err(OutputError::TooLarge(Caps::OUTPUT_META as u64)));
        }
        let request = (&title, &kind);
        let fits =
            self.recorder
                .record_now(Class::LocalWrite, "output.create", &request, || {
                    stage.begin_output()
                })?;
        if !fits {
            return Ok(Err(OutputError::Full));
        }
        let writer = WriterHandle {
            title,
            kind,
            mime_type,
            meta,
            content: Vec::new(),
        };
        Ok(Ok(self.table.push(writer)?))
    }

    async fn read(
        &mut self,
        _: Resource<StageHandle>,
        id: String,
        offset: u64,
        length: u32,
    ) -> wasmtime::Result<Result<Vec<u8>, OutputError>> {
        let (outputs, session) = (self.outputs(), self.stage()?.identity.session.clone());
        self.recorder
            .record_now(Class::Read, "output.read", &(&id, offset, length), || {
                let length = (length as usize).min(Caps::OUTPUT_CHUNK);
                outputs
                    .read(&session, &id, offset, length)
                    .ok_or(OutputError::Expired)
            })
    }
}

impl output::HostWriter for Sandbox {
    async fn write(
        &mut self,
        writer: Resource<WriterHandle>,
        bytes: Vec<u8>,
    ) -> wasmtime::Result<Result<(), OutputError>> {
        if bytes.len() > Caps::OUTPUT_CHUNK {
            return Ok(Err(OutputError::TooLarge(Caps::OUTPUT_CHUNK as u64)));
        }
        let stage = self.stage()?;
        let fits =
            self.recorder
                .record_now(Class::LocalWrite, "output.write", &bytes.len(), || {
                    stage.take_output(bytes.len())
                })?;
        if !fits {
            return Ok(Err(OutputError::Full));
        }
        self.table
            .get_mut(&writer)?
            .content
            .extend_from_slice(&bytes);
        Ok(Ok(()))
    }

    async fn finish(
        &mut self,
        writer: Resource<WriterHandle>,
    ) -> wasmtime::Result<Result<String, OutputError>> {
        let WriterHandle {
            title,
            kind,
            mime_type,
            meta,
            content,
        } = self.table.delete(writer)?;
        let (stage, outputs) = (self.stage()?, self.outputs());
        let request = (
            title.clone(),
            kind.clone(),
            mime_type.clone(),
            content.len(),
        );
        self.recorder
            .record_now(Class::LocalWrite, "output.finish", &request, || {
                let meta = meta
                    .map(|meta| json::parse(&meta, json::Limits::default()))
                    .transpose();
                let meta = meta.map_err(|error| OutputError::Other(format!("meta: {error}")))?;
                let size = content.len() as u64;
                let (id, start) = stage.output_id(outputs.random());
                let session = &stage.identity.session;
                if !outputs.store(session, id.as_str(), &stage.call, content) {
                    return Err(OutputError::Full);
                }
                let id = stage.stored(id, start, title, &kind, mime_type.clone(), size, meta);
                Ok(id)
            })
    }

    async fn drop(&mut self, writer: Resource<WriterHandle>) -> wasmtime::Result<()> {
        self.table.delete(writer)?;
        Ok(())
    }
}

//! `output`: content for the person that the model does not see.

use crate::call::outputs;
use crate::call::stage::{Stage, now};
use crate::plugin::digest::Digest;
use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin::output::{self, OutputError};
use crate::sandbox::imports::{CANCELLED, CancelledError, StageHandle};
use crate::sandbox::journal::{Class, Hashed};
use crate::sandbox::limits::Caps;
use crate::store::{OutputRow, StoreError};
use footlight_vocabulary::item::ItemId;
use footlight_vocabulary::json;
use wasmtime::component::Resource;

/// An output that is being written. Dropping it discards the content.
#[allow(unreachable_pub, reason = "the generated bindings re-export it")]
pub struct WriterHandle {
    title: String,
    kind: String,
    mime_type: String,
    meta: Option<String>,
    content: Vec<u8>,
}

impl CancelledError for OutputError {
    fn cancelled() -> Self {
        Self::Other(CANCELLED.to_owned())
    }
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
        let effect = async {
            // The quota does not count metadata, so its size is limited separately.
            if title.len() + kind.len() + mime_type.len() > Caps::OUTPUT_WORDS {
                return Err(OutputError::TooLarge(Caps::OUTPUT_WORDS as u64));
            }
            if meta
                .as_ref()
                .is_some_and(|meta| meta.len() > Caps::OUTPUT_META)
            {
                return Err(OutputError::TooLarge(Caps::OUTPUT_META as u64));
            }
            if !stage.count_output() {
                tell(&stage, &format!("one call may store {}", Caps::OUTPUTS));
                return Err(OutputError::Full);
            }
            Ok(())
        };
        let request = (&title, &kind, &mime_type, &meta);
        let op = Class::LocalWrite.op("output.create").about(&title);
        let created = self.act(op, &request, effect);
        if let Err(error) = created.await? {
            return Ok(Err(error));
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
        let stage = self.stage()?;
        let effect = async {
            let id = ItemId::from(id.as_str());
            let (store, session) = (&stage.store, &stage.session);
            // Knowing an id is not enough: the output must be of the same plugin.
            let rows = store.outputs(Some(session), now()).await;
            let own = |row: &OutputRow| row.id == id && row.plugin == stage.manifest.id;
            if !rows.map_err(store_error)?.iter().any(own) {
                return Err(OutputError::Expired);
            }
            let length = (length as usize).min(Caps::OUTPUT_CHUNK);
            let read = store.read_output(session, &id, offset, length, now());
            read.await.map_err(store_error)?.ok_or(OutputError::Expired)
        };
        let request = (&id, offset, length);
        let op = Class::Read.op("output.read").about(&id);
        self.act(op, &request, effect).await
    }
}

impl output::HostWriter for Sandbox {
    async fn write(
        &mut self,
        writer: Resource<WriterHandle>,
        bytes: Vec<u8>,
    ) -> wasmtime::Result<Result<(), OutputError>> {
        let stage = self.stage()?;
        let effect = async {
            if bytes.len() > Caps::OUTPUT_CHUNK {
                return Err(OutputError::TooLarge(Caps::OUTPUT_CHUNK as u64));
            }
            if !stage.charge_output(bytes.len()) {
                let most = stage.manifest.limits.output;
                tell(
                    &stage,
                    &format!("the outputs of one call may have {most} bytes"),
                );
                return Err(OutputError::Full);
            }
            Ok(())
        };
        let request = Hashed(&bytes);
        let op = Class::LocalWrite.op("output.write").sending(bytes.len());
        let written = self.act(op, &request, effect).await?;
        if written.is_ok() {
            self.table
                .get_mut(&writer)?
                .content
                .extend_from_slice(&bytes);
        }
        Ok(written)
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
        let stage = self.stage()?;
        let request = (
            title.clone(),
            kind.clone(),
            mime_type.clone(),
            Digest::of(&content).to_string(),
        );
        let effect = async {
            let meta = meta
                .map(|meta| json::parse(&meta, json::Limits::default()))
                .transpose();
            let meta = meta.map_err(|error| OutputError::Other(format!("meta: {error}")))?;
            let row = stage.output_row(title, kind, mime_type, content.len() as u64, meta);
            let stored = outputs::store(&*stage.store, &stage.person, row.clone(), content);
            stored.await.map_err(|error| {
                if let StoreError::Full(full) = &error {
                    tell(&stage, &full.to_string());
                }
                store_error(error)
            })?;
            Ok(stage.add_output(row))
        };
        self.act(Class::LocalWrite.op("output.finish"), &request, effect)
            .await
    }

    async fn drop(&mut self, writer: Resource<WriterHandle>) -> wasmtime::Result<()> {
        self.table.delete(writer)?;
        Ok(())
    }
}

/// Tells the person that an output is missing.
fn tell(stage: &Stage, why: &str) {
    let plugin = &stage.manifest.id;
    stage.notice(&format!("an output of `{plugin}` is not stored: {why}"));
}

/// Converts an error of the store for the plugin, without details of the machine.
fn store_error(error: StoreError) -> OutputError {
    tracing::warn!(%error, "an output could not be stored or read");
    match error {
        StoreError::Full(_) => OutputError::Full,
        _ => OutputError::Other("outputs cannot be reached".to_owned()),
    }
}

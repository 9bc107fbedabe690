//! `stage`: the identity of a call, and whether it was cancelled.

use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin::stage;
use crate::sandbox::journal::Class;
use wasmtime::component::Resource;

/// The handle that `run` borrows. Its data is in the sandbox.
#[allow(unreachable_pub, reason = "the generated bindings re-export it")]
pub struct StageHandle;

impl stage::Host for Sandbox {}

impl stage::HostStage for Sandbox {
    async fn call_id(&mut self, _: Resource<StageHandle>) -> wasmtime::Result<String> {
        Ok(self.stage()?.call.as_str().to_owned())
    }

    async fn session(&mut self, _: Resource<StageHandle>) -> wasmtime::Result<String> {
        Ok(self.stage()?.identity.session.clone())
    }

    async fn person(&mut self, _: Resource<StageHandle>) -> wasmtime::Result<String> {
        Ok(self.stage()?.identity.person.clone())
    }

    async fn locale(&mut self, _: Resource<StageHandle>) -> wasmtime::Result<String> {
        Ok(self.stage()?.identity.locale.clone())
    }

    async fn timezone(&mut self, _: Resource<StageHandle>) -> wasmtime::Result<String> {
        Ok(self.stage()?.identity.timezone.clone())
    }

    async fn is_cancelled(&mut self, _: Resource<StageHandle>) -> wasmtime::Result<bool> {
        let stage = self.stage()?;
        self.journal
            .record_now(Class::Read.op("stage.is-cancelled"), &(), || {
                stage.is_cancelled()
            })
    }

    async fn drop(&mut self, stage: Resource<StageHandle>) -> wasmtime::Result<()> {
        self.table.delete(stage)?;
        Ok(())
    }
}

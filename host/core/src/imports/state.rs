//! `state`: the plugin's own small drawer.

use crate::bindings::footlight::plugin::state::{self, StateError};
use crate::drawers::Owner;
use crate::imports::StageHandle;
use crate::recorder::Class;
use crate::sandbox::Sandbox;
use wasmtime::component::Resource;

/// A drawer, by its owner.
#[allow(unreachable_pub, reason = "the generated bindings re-export it")]
pub struct BucketHandle(Owner);

impl state::Host for Sandbox {
    async fn session(
        &mut self,
        _: Resource<StageHandle>,
    ) -> wasmtime::Result<Resource<BucketHandle>> {
        let whose = format!("session {}", self.stage()?.identity.session);
        self.drawer(whose)
    }

    async fn person(
        &mut self,
        _: Resource<StageHandle>,
    ) -> wasmtime::Result<Resource<BucketHandle>> {
        let whose = format!("person {}", self.stage()?.identity.person);
        self.drawer(whose)
    }
}

impl Sandbox {
    /// This plugin's drawer for a session or a person.
    fn drawer(&mut self, whose: String) -> wasmtime::Result<Resource<BucketHandle>> {
        let owner = (self.stage()?.manifest.id.clone(), whose);
        Ok(self.table.push(BucketHandle(owner))?)
    }
}

impl state::HostBucket for Sandbox {
    async fn get(
        &mut self,
        bucket: Resource<BucketHandle>,
        key: String,
    ) -> wasmtime::Result<Result<Option<String>, StateError>> {
        let (stage, owner) = (self.stage()?, self.table.get(&bucket)?.0.clone());
        self.recorder
            .record_now(Class::Read, "state.get", &(&owner, &key), || {
                Ok(stage.drawers.get(&owner, &key))
            })
    }

    async fn set(
        &mut self,
        bucket: Resource<BucketHandle>,
        key: String,
        value: Option<String>,
    ) -> wasmtime::Result<Result<(), StateError>> {
        let (stage, owner) = (self.stage()?, self.table.get(&bucket)?.0.clone());
        self.recorder.record_now(
            Class::LocalWrite,
            "state.set",
            &(&owner, &key, &value),
            || stage.drawers.set(&owner, &key, value.as_deref()),
        )
    }

    async fn swap(
        &mut self,
        bucket: Resource<BucketHandle>,
        key: String,
        expected: Option<String>,
        value: Option<String>,
    ) -> wasmtime::Result<Result<bool, StateError>> {
        let (stage, owner) = (self.stage()?, self.table.get(&bucket)?.0.clone());
        self.recorder.record_now(
            Class::LocalWrite,
            "state.swap",
            &(&owner, &key, &expected, &value),
            || {
                stage
                    .drawers
                    .swap(&owner, &key, expected.as_deref(), value.as_deref())
            },
        )
    }

    async fn keys(
        &mut self,
        bucket: Resource<BucketHandle>,
        prefix: String,
    ) -> wasmtime::Result<Result<Vec<String>, StateError>> {
        let (stage, owner) = (self.stage()?, self.table.get(&bucket)?.0.clone());
        self.recorder
            .record_now(Class::Read, "state.keys", &(&owner, &prefix), || {
                Ok(stage.drawers.keys(&owner, &prefix))
            })
    }

    async fn drop(&mut self, bucket: Resource<BucketHandle>) -> wasmtime::Result<()> {
        self.table.delete(bucket)?;
        Ok(())
    }
}

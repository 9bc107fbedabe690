//! `state`: the plugin's buckets.

use crate::call::stage::Stage;
use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin::state::{self, StateError};
use crate::sandbox::imports::{CANCELLED, CancelledError, StageHandle};
use crate::sandbox::journal::Class;
use crate::sandbox::limits::Caps;
use crate::store::{Bucket, BucketLimits, Expected, Store, StoreError};
use footlight_vocabulary::json;
use std::sync::Arc;
use wasmtime::component::Resource;

/// The limits of a value.
const VALUE: json::Limits = json::Limits {
    bytes: Caps::STATE_VALUE,
    depth: 64,
};

/// A bucket.
#[allow(unreachable_pub, reason = "the generated bindings re-export it")]
pub struct BucketHandle {
    bucket: Bucket,
    store: Arc<dyn Store>,
    /// Whose it is, for observers.
    whose: &'static str,
}

impl CancelledError for StateError {
    fn cancelled() -> Self {
        Self::Other(CANCELLED.to_owned())
    }
}

impl state::Host for Sandbox {
    async fn session(
        &mut self,
        _: Resource<StageHandle>,
    ) -> wasmtime::Result<Resource<BucketHandle>> {
        let stage = self.stage()?;
        let bucket = Bucket::of_session(&stage.person, &stage.manifest.id, &stage.session);
        let store = Arc::clone(&stage.session_state);
        let whose = "session";
        Ok(self.table.push(BucketHandle {
            bucket,
            store,
            whose,
        })?)
    }

    async fn person(
        &mut self,
        _: Resource<StageHandle>,
    ) -> wasmtime::Result<Resource<BucketHandle>> {
        let stage = self.stage()?;
        let manifest = &stage.manifest;
        // What another session read from a folder or a host may be in it.
        if !manifest.net.is_empty() || !manifest.fs.is_empty() {
            stage.note_power();
        }
        let bucket = Bucket::of_person(&stage.person, &manifest.id);
        let store = Arc::clone(&stage.store);
        let whose = "person";
        Ok(self.table.push(BucketHandle {
            bucket,
            store,
            whose,
        })?)
    }
}

impl Sandbox {
    /// Returns the store of a handle, its bucket, and whose that is.
    fn bucket(
        &self,
        handle: &Resource<BucketHandle>,
    ) -> wasmtime::Result<(Arc<dyn Store>, Bucket, &'static str)> {
        let handle = self.table.get(handle)?;
        let store = Arc::clone(&handle.store);
        Ok((store, handle.bucket.clone(), handle.whose))
    }
}

impl state::HostBucket for Sandbox {
    async fn get(
        &mut self,
        bucket: Resource<BucketHandle>,
        key: String,
    ) -> wasmtime::Result<Result<Option<String>, StateError>> {
        let (store, owned, whose) = self.bucket(&bucket)?;
        let effect = async { store.state(&owned, &key).await.map_err(store_error) };
        let request = (&owned.owner, &key);
        let op = Class::Read.op("state.get").about_both(whose, &key);
        self.act(op, &request, effect).await
    }

    async fn set(
        &mut self,
        bucket: Resource<BucketHandle>,
        key: String,
        value: Option<String>,
    ) -> wasmtime::Result<Result<(), StateError>> {
        let (stage, (store, owned, whose)) = (self.stage()?, self.bucket(&bucket)?);
        let effect = async {
            let set = set(
                &stage,
                &*store,
                &owned,
                &key,
                value.clone(),
                Expected::Anything,
            );
            set.await.map(drop)
        };
        let request = (&owned.owner, &key, &value);
        let op = Class::LocalWrite.op("state.set").sending(size(&value));
        let op = op.about_both(whose, &key);
        self.act(op, &request, effect).await
    }

    async fn swap(
        &mut self,
        bucket: Resource<BucketHandle>,
        key: String,
        expected: Option<String>,
        value: Option<String>,
    ) -> wasmtime::Result<Result<bool, StateError>> {
        let (stage, (store, owned, whose)) = (self.stage()?, self.bucket(&bucket)?);
        let effect = async {
            let expected = match &expected {
                None => Expected::Absent,
                // A value that is too large or not JSON cannot be stored, so it never matches.
                Some(json) if json::parse(json, VALUE).is_err() => return Ok(false),
                Some(json) => Expected::Value(json.clone()),
            };
            set(&stage, &*store, &owned, &key, value.clone(), expected).await
        };
        let request = (&owned.owner, &key, &expected, &value);
        let op = Class::LocalWrite.op("state.swap").sending(size(&value));
        let op = op.about_both(whose, &key);
        self.act(op, &request, effect).await
    }

    async fn keys(
        &mut self,
        bucket: Resource<BucketHandle>,
        prefix: String,
    ) -> wasmtime::Result<Result<Vec<String>, StateError>> {
        let (store, owned, whose) = self.bucket(&bucket)?;
        let effect = async {
            let keys = store.state_keys(&owned, &prefix).await;
            keys.map_err(store_error)
        };
        let request = (&owned.owner, &prefix);
        let op = Class::Read.op("state.keys");
        let op = op.about_both(whose, &prefix);
        self.act(op, &request, effect).await
    }

    async fn drop(&mut self, bucket: Resource<BucketHandle>) -> wasmtime::Result<()> {
        self.table.delete(bucket)?;
        Ok(())
    }
}

fn size(value: &Option<String>) -> usize {
    value.as_ref().map_or(0, String::len)
}

async fn set(
    stage: &Stage,
    store: &dyn Store,
    owned: &Bucket,
    key: &str,
    value: Option<String>,
    expected: Expected,
) -> Result<bool, StateError> {
    if key.len() > Caps::STATE_KEY {
        return Err(StateError::TooLarge(Caps::STATE_KEY as u64));
    }
    if let Some(value) = &value {
        if value.len() > Caps::STATE_VALUE {
            return Err(StateError::TooLarge(Caps::STATE_VALUE as u64));
        }
        json::parse(value, VALUE)
            .map_err(|error| StateError::Other(format!("the value: {error}")))?;
    }
    stage.announce_effect().await;
    if stage.is_cancelled() {
        return Err(StateError::cancelled());
    }
    let room = BucketLimits {
        bytes: Caps::STATE_TOTAL,
        values: Caps::STATE_KEYS,
    };
    let set = store.set_state(owned, key, value, expected, room);
    match set.await {
        Ok(Ok(was)) => Ok(was),
        Ok(Err(_)) => Err(StateError::Full),
        Err(error) => Err(store_error(error)),
    }
}

/// Converts an error of the store for the plugin, without details of the machine.
fn store_error(error: StoreError) -> StateError {
    tracing::warn!(%error, "a plugin's state could not be reached");
    match error {
        StoreError::Full(_) => StateError::Full,
        _ => StateError::Other("the state cannot be reached".to_owned()),
    }
}

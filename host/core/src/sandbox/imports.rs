//! The imports of a guest: everything that a plugin can reach.
//!
//! One file per interface of the contract, and `wasi` for what language runtimes import. Every
//! import goes through the journal and acts on the [`Stage`](crate::call::stage).
//!
//! Invariant: an import that can fail is called through [`Sandbox::act`], which refuses it once the
//! call is cancelled. A cancelled guest can only compute, log and return.

mod answer;
mod approval;
mod ask;
mod config;
pub(crate) mod display_widget;
mod filesystem;
mod http;
mod log;
mod output;
mod progress;
mod stage;
mod state;
mod streams;
mod wasi;

pub(crate) use wasi::{GuestTime, GuestWasi};

/// The representations of the contract's resources.
#[allow(unreachable_pub, reason = "the generated bindings re-export them")]
pub use self::{
    display_widget::ShownHandle, output::WriterHandle, stage::StageHandle, state::BucketHandle,
};

use crate::call::fault::Fault;
use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin as contract;
use crate::sandbox::journal::{Answer, Op};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasmtime::component::{HasSelf, Linker};

/// What the model, and a guest whose error type has no case for it, read of a cancelled call.
pub(crate) const CANCELLED: &str = "the call was cancelled";

/// An error of the contract, as the answer to a call that was cancelled.
trait CancelledError {
    /// Returns `cancelled`, `gone`, or `other` where the contract has neither.
    fn cancelled() -> Self;
}

impl Sandbox {
    /// Records an import and runs its effect, unless the call is cancelled.
    async fn act<Q, T, E>(
        &mut self,
        op: Op<'_>,
        request: &Q,
        effect: impl Future<Output = Result<T, E>>,
    ) -> wasmtime::Result<Result<T, E>>
    where
        Q: Serialize + ?Sized,
        T: Serialize + DeserializeOwned,
        E: Serialize + DeserializeOwned + CancelledError,
        Result<T, E>: Answer,
    {
        let effect = async { Ok(effect.await) };
        self.act_unless_stopped(op, request, effect).await
    }

    /// Does the same as [`act`](Self::act) for an effect that can stop the guest.
    async fn act_unless_stopped<Q, T, E>(
        &mut self,
        op: Op<'_>,
        request: &Q,
        effect: impl Future<Output = Result<Result<T, E>, Fault>>,
    ) -> wasmtime::Result<Result<T, E>>
    where
        Q: Serialize + ?Sized,
        T: Serialize + DeserializeOwned,
        E: Serialize + DeserializeOwned + CancelledError,
        Result<T, E>: Answer,
    {
        let stage = self.stage()?;
        let effect = async {
            match stage.is_cancelled() {
                true => Ok(Err(E::cancelled())),
                false => effect.await,
            }
        };
        self.journal
            .record_unless_stopped(op, request, effect)
            .await
    }
}

/// Links every interface, whatever was granted: without a power the functions return errors, and
/// the plugin still loads.
pub(crate) fn link(linker: &mut Linker<Sandbox>) -> wasmtime::Result<()> {
    type Own = HasSelf<Sandbox>;
    fn own(sandbox: &mut Sandbox) -> &mut Sandbox {
        sandbox
    }
    contract::stage::add_to_linker::<Sandbox, Own>(linker, own)?;
    contract::display_widget::add_to_linker::<Sandbox, Own>(linker, own)?;
    contract::ask::add_to_linker::<Sandbox, Own>(linker, own)?;
    contract::approval::add_to_linker::<Sandbox, Own>(linker, own)?;
    contract::output::add_to_linker::<Sandbox, Own>(linker, own)?;
    contract::state::add_to_linker::<Sandbox, Own>(linker, own)?;
    contract::http::add_to_linker::<Sandbox, Own>(linker, own)?;
    contract::progress::add_to_linker::<Sandbox, Own>(linker, own)?;
    contract::log::add_to_linker::<Sandbox, Own>(linker, own)?;
    contract::config::add_to_linker::<Sandbox, Own>(linker, own)?;
    contract::types::add_to_linker::<Sandbox, Own>(linker, own)?;
    wasi::link(linker)
}

impl contract::types::Host for Sandbox {}

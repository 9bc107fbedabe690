//! The imports of a guest: everything that a plugin can reach.
//!
//! One file per interface of the contract, and `wasi` for what language runtimes import. Every
//! import goes through the journal and acts on the [`Stage`](crate::call::stage).

mod approval;
mod ask;
mod config;
mod display_widget;
mod http;
mod log;
mod output;
mod progress;
mod stage;
mod state;
mod wasi;

pub(crate) use ask::NO_PERSON;
pub(crate) use wasi::context;

/// The representations of the contract's resources.
#[allow(unreachable_pub, reason = "the generated bindings re-export them")]
pub use self::{
    display_widget::ShownHandle, output::WriterHandle, stage::StageHandle, state::BucketHandle,
};

use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin as contract;
use wasmtime::component::{HasSelf, Linker};

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

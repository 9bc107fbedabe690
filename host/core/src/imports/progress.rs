//! `progress`: how far a call has come. Coalesced; the last one always arrives.

use crate::bindings::footlight::plugin::progress;
use crate::event::Progress;
use crate::imports::StageHandle;
use crate::limits::Caps;
use crate::notes::cut;
use crate::recorder::Class;
use crate::sandbox::Sandbox;
use wasmtime::component::Resource;

impl progress::Host for Sandbox {
    async fn report(
        &mut self,
        _: Resource<StageHandle>,
        message: String,
        done: Option<u64>,
        total: Option<u64>,
    ) -> wasmtime::Result<()> {
        let stage = self.stage()?;
        self.recorder.record_now(
            Class::LocalWrite,
            "progress.report",
            &(&message, done, total),
            || {
                stage.progress(Progress {
                    call: stage.call.clone(),
                    message: cut(&message, Caps::PROGRESS).to_owned(),
                    done,
                    total,
                });
            },
        )
    }
}

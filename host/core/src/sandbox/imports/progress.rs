//! `progress`: how far a call has come. Reports are throttled; the last one always arrives.

use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin::progress;
use crate::sandbox::imports::StageHandle;
use crate::sandbox::journal::Class;
use crate::sandbox::limits::Caps;
use footlight_vocabulary::escape::cut;
use footlight_vocabulary::event::EventBody;
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
        self.journal.record_now(
            Class::LocalWrite.op("progress.report").about(&message),
            &(&message, done, total),
            || {
                // The contract has no error here: reports of a cancelled call are dropped.
                if !stage.is_cancelled() {
                    stage.progress(EventBody::Progress {
                        call: stage.call.clone(),
                        message: cut(&message, Caps::PROGRESS).to_owned(),
                        done,
                        total,
                    });
                }
            },
        )
    }
}

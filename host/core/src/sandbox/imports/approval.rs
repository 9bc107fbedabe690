//! `approval`: approval of actions that the manifest lists.

use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin::approval::{self, Refusal};
use crate::sandbox::imports::{CancelledError, StageHandle};
use crate::sandbox::journal::Class;
use wasmtime::component::Resource;

impl CancelledError for Refusal {
    fn cancelled() -> Self {
        Self::Cancelled
    }
}

impl approval::Host for Sandbox {
    async fn request(
        &mut self,
        _: Resource<StageHandle>,
        action: String,
        subject: String,
        reason: String,
        details: Option<String>,
    ) -> wasmtime::Result<Result<(), Refusal>> {
        let (stage, approval) = (self.stage()?, self.approval()?);
        let admission = self.admission()?;
        let request = (&action, &subject, &reason, &details);
        let details = details.as_deref();
        let effect = approval.approve_action(
            &stage,
            Some(&admission),
            &action,
            &subject,
            &reason,
            details,
        );
        let op = Class::Wait.op("approval.request");
        let op = op.about_both(&action, &subject);
        self.meter.sample();
        let verdict = self.act_unless_stopped(op, &request, effect).await;
        self.meter.resume();
        verdict
    }
}

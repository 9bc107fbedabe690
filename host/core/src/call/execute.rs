//! Runs an approved call: a guest in its sandbox, or a native handler.

use super::outcome::{ToolResult, cut_message, parse_failure, parse_outcome};
use super::run::{CallTask, cancelled_before_run, catch_panic};
use crate::call::approval::ApprovalGate;
use crate::call::event::Failure;
use crate::call::fault::Fault;
use crate::call::guest_log::GuestLog;
use crate::native::{Handler, NativeCall};
use crate::power::folder::BoundFolder;
use crate::sandbox::bindings::PluginPre;
use crate::sandbox::bindings::exports::footlight::plugin::tools::Outcome;
use crate::sandbox::instance_slots::{ComputingPermit, SlotsNeeded};
use crate::sandbox::journal::Journal;
use crate::sandbox::waiting_guests::Admission;
use crate::sandbox::{self, RunContext, Sandbox, imports};
use crate::simulation::Simulated;
use footlight_vocabulary::failure::FailureCode;
use serde_json::Value;
use std::sync::Arc;

impl CallTask {
    /// Waits for instance slots. The call's clock is paused meanwhile.
    pub(super) async fn acquire_slots(
        &self,
        needed: SlotsNeeded,
    ) -> Result<ComputingPermit, Failure> {
        let slots = self.host.slots.acquire(needed.computing);
        match self.stage.pause(slots).await {
            Some(Ok(slots)) => Ok(slots),
            Some(Err(busy)) => Err(self.stopped_by(busy)),
            None => Err(cancelled_before_run()),
        }
    }

    /// Runs the guest.
    pub(super) async fn execute(
        &self,
        guest: &PluginPre<Sandbox>,
        needed: SlotsNeeded,
        approval: ApprovalGate,
        folders: Vec<BoundFolder>,
        guest_log: &GuestLog,
    ) -> ToolResult {
        let slots = Arc::clone(&self.host.slots);
        let permit = self.acquire_slots(needed).await?;
        let admission = Arc::new(Admission::new(slots, needed, permit));
        let journal = if self.host.replay_check {
            Journal::recording()
        } else {
            Journal::default()
        };
        let journal = journal.with_trace(guest_log.trace().cloned());
        let context = |journal: Journal, guest_log: GuestLog| RunContext {
            stage: Arc::clone(&self.stage),
            plugin: self.plugin.clone(),
            approval: approval.clone(),
            folders: folders.clone(),
            #[cfg(feature = "http")]
            egress: Arc::clone(&self.host.egress),
            admission: Arc::clone(&admission),
            settings: self.settings(),
            seed: self.seed,
            clock: self.host.simulated.as_ref().map(Simulated::clock),
            journal,
            guest_log,
        };
        let (limits, tool) = (&self.plugin.manifest().limits, &self.tool().name);
        let first = context(journal.clone(), guest_log.clone());
        let ended = sandbox::run(guest, limits, first, tool, approval.input()).await;
        if matches!(ended, Ok(_) | Err(Fault::Panic | Fault::Exit))
            && let Some(replay) = journal.replay()
        {
            let again = context(replay.clone(), GuestLog::default());
            let again = Box::pin(sandbox::run(guest, limits, again, tool, approval.input())).await;
            if again != ended || replay.remaining() > 0 {
                let what = format!(
                    "the call is not replayable: {again:?} instead of {ended:?}, {} rows left",
                    replay.remaining()
                );
                return Err(self.stopped_by(Fault::Internal(what)));
            }
        }
        let ended = match ended {
            Ok(returned) => Ok(returned.map_err(|failure| self.claimed(parse_failure(failure)))),
            Err(fault) => Err(fault),
        };
        self.result_of(ended, guest_log.is_sealed())
    }

    /// Runs a native handler, within the time of a plugin without a manifest.
    pub(super) async fn execute_native(
        &self,
        handler: &Handler,
        approval: ApprovalGate,
    ) -> ToolResult {
        if self.tool().policy_traits.open_world {
            self.stage.note_power();
        }
        let call = NativeCall {
            stage: Arc::clone(&self.stage),
            plugin: self.plugin.clone(),
            approval,
            caller: self.caller,
            input: self.stage.with_input(Value::clone),
        };
        let wall_time = self.plugin.manifest().limits.wall_time;
        let mut handling = handler(call);
        let ended = tokio::select! {
            biased;
            ended = catch_panic(handling.as_mut()) => ended.ok_or(Fault::Panic),
            fault = sandbox::past_deadline(&self.stage, wall_time) => Err(fault),
        };
        let ended = match ended {
            Ok(Ok(outcome)) => Ok(Ok(Outcome {
                kind: outcome.kind,
                data: outcome.data,
                summary: outcome.summary,
                more: outcome.more,
            })),
            Ok(Err(mut failure)) => {
                cut_message(&mut failure.message);
                Ok(Err(failure))
            }
            Err(fault) => Err(fault),
        };
        self.result_of(ended, false)
    }

    /// Returns a failure of a guest under a code that is true. That somebody cancelled the call or refused it
    /// anything is not for the guest to say: exit codes and the mark of the call follow from the code.
    fn claimed(&self, mut failure: Failure) -> Failure {
        let is_true = match &failure.code {
            FailureCode::Cancelled => self.stage.is_cancelled(),
            // The host alone ends calls without a result.
            FailureCode::Interrupted => false,
            FailureCode::Denied => self.stage.was_denied(),
            _ => true,
        };
        if !is_true {
            failure.code = FailureCode::Other;
        }
        failure
    }

    /// Returns the result of a call from what ran. If it was told a secret, what it returned is not quoted.
    #[expect(clippy::result_large_err, reason = "it is returned once for each call")]
    fn result_of(
        &self,
        ended: Result<Result<Outcome, Failure>, Fault>,
        secret: bool,
    ) -> ToolResult {
        match ended {
            Err(Fault::Cancelled) => Err(self.stopped_by(Fault::Cancelled)),
            // Whatever a cancelled call returned or ran into: the person has stopped it.
            _ if self.stage.is_cancelled() => {
                Err(Failure::new(FailureCode::Cancelled, imports::CANCELLED))
            }
            Ok(Ok(outcome)) => match parse_outcome(outcome) {
                Ok(result) => result,
                Err(_) if secret => {
                    let how = "its result cannot be parsed".to_owned();
                    Err(self.stopped_by(Fault::Protocol(how)))
                }
                Err(how) => Err(self.stopped_by(Fault::Protocol(how))),
            },
            Ok(Err(mut failure)) => {
                // The plugin's code names what it noticed first; the cause is what the host knows.
                if self.stage.has_no_person() && failure.code != FailureCode::InvalidInput {
                    failure.code = FailureCode::NoPerson;
                }
                Err(failure)
            }
            Err(fault) => Err(self.stopped_by(fault)),
        }
    }
}

//! `ask`: questions to the person. The call waits, and waiting is charged against nothing.

use crate::call::pending::{Reply, Unheard};
use crate::call::stage::Stage;
use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin::ask::{self, AskError};
use crate::sandbox::imports::StageHandle;
use crate::sandbox::journal::{Class, Recorder};
use footlight_vocabulary::item::{AskState, PendingReason};
use footlight_vocabulary::json;
use footlight_vocabulary::question::Question;
use serde_json::Value;
use wasmtime::component::Resource;

/// What is said where nobody can be asked.
pub(crate) const NOBODY: &str = "no terminal or page is connected";

impl ask::Host for Sandbox {
    async fn ask(
        &mut self,
        _: Resource<StageHandle>,
        prompt: String,
        fields: String,
    ) -> wasmtime::Result<Result<String, AskError>> {
        let stage = self.stage()?;
        let effect = put(&stage, &self.recorder, &prompt, &fields);
        self.meter.look();
        let answer = self
            .recorder
            .record(Class::Wait, "ask.ask", &(&prompt, &fields), effect)
            .await;
        self.meter.resume();
        answer
    }
}

async fn put(
    stage: &Stage,
    recorder: &Recorder,
    prompt: &str,
    fields: &str,
) -> Result<String, AskError> {
    let invalid = |error: &dyn std::fmt::Display| AskError::Invalid(error.to_string());
    let fields = json::parse(fields, json::Limits::default()).map_err(|error| invalid(&error))?;
    let question = Question::parse(prompt, fields).map_err(|error| invalid(&error))?;
    if stage.is_cancelled() {
        return Err(AskError::Cancelled);
    }
    if !stage.attended {
        return Err(AskError::Nobody(NOBODY.to_owned()));
    }
    let Some(id) = stage.asked(&question) else {
        return Err(AskError::Other("this call has asked too often".to_owned()));
    };
    let (_place, reply) = stage.waiting.question(id.clone(), question);
    match stage.wait(PendingReason::Waiting, reply).await {
        Some(Ok(Reply::Answer(answer))) => {
            if answer.has_secret() {
                recorder.seal();
            }
            stage.settle_ask(
                &id,
                AskState::Answered,
                Some((answer.text(), answer.recordable())),
            );
            Ok(Value::Object(answer.values()).to_string())
        }
        Some(Ok(Reply::Skip)) => {
            stage.settle_ask(&id, AskState::Skipped, None);
            Err(AskError::Skipped)
        }
        Some(Ok(Reply::Unheard(Unheard::Nobody))) => {
            stage.settle_ask(&id, AskState::Expired, None);
            Err(AskError::Nobody(NOBODY.to_owned()))
        }
        // It was too late, or the host itself has ended.
        Some(Ok(Reply::Unheard(Unheard::Expired)) | Err(_)) => {
            stage.settle_ask(&id, AskState::Expired, None);
            Err(AskError::Expired)
        }
        None => {
            stage.settle_ask(&id, AskState::Cancelled, None);
            Err(AskError::Cancelled)
        }
    }
}

//! `ask`: questions to the person. The call waits for the answer, with its clock paused.

use crate::call::fault::Fault;
use crate::call::guest_log::GuestLog;
use crate::call::pending::{NO_PERSON, NoReply, QuestionReply};
use crate::call::stage::Stage;
use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin::ask::{self, AskError};
use crate::sandbox::imports::{CancelledError, StageHandle};
use crate::sandbox::journal::{Class, Journal, Unreplayable};
use crate::sandbox::waiting_guests::Admission;
use footlight_vocabulary::item::{AskState, PendingReason};
use footlight_vocabulary::json;
use footlight_vocabulary::question::Question;
use serde_json::Value;
use wasmtime::component::Resource;

impl CancelledError for AskError {
    fn cancelled() -> Self {
        Self::Cancelled
    }
}

impl ask::Host for Sandbox {
    async fn ask(
        &mut self,
        _: Resource<StageHandle>,
        prompt: String,
        fields: String,
    ) -> wasmtime::Result<Result<String, AskError>> {
        let (stage, admission, journal) = (self.stage()?, self.admission()?, self.journal.clone());
        let log = self.guest_log.clone();
        let effect = ask_person(&stage, &admission, &journal, &log, &prompt, &fields);
        self.meter.sample();
        let answer = self
            .act_unless_stopped(Class::Wait, "ask.ask", &(&prompt, &fields), effect)
            .await;
        self.meter.resume();
        answer
    }
}

async fn ask_person(
    stage: &Stage,
    admission: &Admission,
    journal: &Journal,
    guest_log: &GuestLog,
    prompt: &str,
    fields: &str,
) -> Result<Result<String, AskError>, Fault> {
    let question = match parse(prompt, fields) {
        Ok(question) => question,
        Err(why) => return Ok(Err(AskError::Invalid(why))),
    };
    if !stage.attended {
        stage.set_no_person();
        return Ok(Err(AskError::Nobody(NO_PERSON.to_owned())));
    }
    let guest = admission.reserve(stage)?;
    let Some(id) = stage.open_question(&question) else {
        let why = "this call has asked too often".to_owned();
        return Ok(Err(AskError::Other(why)));
    };
    let (_guard, reply) = stage.pending.insert_question(id.clone(), question);
    let reply = stage.wait(PendingReason::Waiting, Some(guest), reply).await;
    Ok(match reply {
        Some(Ok(QuestionReply::Answer(answer))) => {
            if answer.has_secret() {
                journal.seal(Unreplayable::Secret);
                guest_log.seal();
            }
            stage.settle_ask(
                &id,
                AskState::Answered,
                Some((answer.text(), answer.recordable())),
            );
            Ok(Value::Object(answer.values()).to_string())
        }
        Some(Ok(QuestionReply::Skip)) => {
            stage.settle_ask(&id, AskState::Skipped, None);
            Err(AskError::Skipped)
        }
        Some(Ok(QuestionReply::NoReply(NoReply::NoPerson))) => {
            stage.set_no_person();
            stage.settle_ask(&id, AskState::Expired, None);
            Err(AskError::Nobody(NO_PERSON.to_owned()))
        }
        // The question expired, or the host is shutting down.
        Some(Ok(QuestionReply::NoReply(NoReply::Expired)) | Err(_)) => {
            stage.set_no_person();
            stage.settle_ask(&id, AskState::Expired, None);
            Err(AskError::Expired)
        }
        None => {
            stage.settle_ask(&id, AskState::Cancelled, None);
            Err(AskError::Cancelled)
        }
    })
}

fn parse(prompt: &str, fields: &str) -> Result<Question, String> {
    let fields = json::parse(fields, json::Limits::default()).map_err(|error| error.to_string())?;
    Question::parse(prompt, fields).map_err(|error| error.to_string())
}

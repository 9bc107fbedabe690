//! `ask`: questions to the person. The call waits for the answer, with its clock paused.

use crate::call::fault::Fault;
use crate::call::guest_log::GuestLog;
use crate::call::pending::NO_PERSON;
use crate::call::question::Asked;
use crate::call::stage::Stage;
use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin::ask::{self, AskError};
use crate::sandbox::imports::{CancelledError, StageHandle};
use crate::sandbox::journal::{Class, Journal, Unreplayable};
use crate::sandbox::waiting_guests::Admission;
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
        let op = Class::Wait.op("ask.ask").about(&prompt);
        self.meter.sample();
        let answer = self
            .act_unless_stopped(op, &(&prompt, &fields), effect)
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
    // Whoever cannot be asked needs no place among the waiting guests.
    let guest = match stage.attended {
        true => Some(admission.reserve(stage)?),
        false => None,
    };
    Ok(match stage.ask(question, guest).await {
        Asked::Answer(answer) => {
            if answer.has_secret() {
                journal.seal(Unreplayable::Secret);
                guest_log.seal();
            }
            Ok(Value::Object(answer.values()).to_string())
        }
        Asked::Skipped => Err(AskError::Skipped),
        Asked::Nobody => Err(AskError::Nobody(NO_PERSON.to_owned())),
        Asked::Expired => Err(AskError::Expired),
        Asked::Cancelled => Err(AskError::Cancelled),
        Asked::TooOften => Err(AskError::Other(Asked::TOO_OFTEN.to_owned())),
    })
}

fn parse(prompt: &str, fields: &str) -> Result<Question, String> {
    let fields = json::parse(fields, json::Limits::default()).map_err(|error| error.to_string())?;
    Question::parse(prompt, fields).map_err(|error| error.to_string())
}

//! Approvals: policy decides about a call or one of its operations, or has a person decide.
//!
//! A yes is bound to what the person was shown. Policy is evaluated once more before the yes
//! counts, so that a rule that was added in the meantime still denies.

use crate::call::event::CallEvent;
use crate::call::fault::Fault;
use crate::call::pending::{ApprovalReply, NO_PERSON, NOBODY, NoReply};
use crate::call::stage::{Stage, now};
use crate::policy::{
    Assessment, Caller, Decision, DenyReason, Grants, Operation, Powers, Request, Rules, Traits,
    decide,
};
use crate::sandbox::bindings::footlight::plugin::approval::Refusal;
use crate::sandbox::limits::Caps;
use crate::sandbox::waiting_guests::Admission;
use crate::sync::lock;
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::item::{PendingReason, Receipt, RequestId, SessionId, Verdict};
use footlight_vocabulary::json;
use serde_json::Value;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// The most bytes of a subject. The person reads it word for word.
const MAX_SUBJECT: usize = 4 << 10;

/// The most bytes of a reason.
const MAX_REASON: usize = 16 << 10;

/// The most bytes of the details. They are kept with the verdict.
const MAX_DETAILS: usize = 64 << 10;

/// Checks a plugin's texts for an approval, and parses the details.
fn check_texts(
    subject: &str,
    reason: &str,
    details: Option<&str>,
) -> Result<Option<Value>, String> {
    for (what, text, most) in [
        ("subject", subject, MAX_SUBJECT),
        ("reason", reason, MAX_REASON),
        ("details", details.unwrap_or_default(), MAX_DETAILS),
    ] {
        if text.len() > most {
            return Err(format!("the {what} has more than {most} bytes; shorten it"));
        }
    }
    let details = details.map(|details| json::parse(details, json::Limits::default()));
    let details = details.transpose();
    details.map_err(|error| format!("the details: {error}"))
}

/// The rules and the grants of a host.
#[derive(Debug, Default)]
pub(crate) struct PolicyState {
    pub(crate) rules: Mutex<Rules>,
    pub(crate) grants: Mutex<Grants>,
}

/// Decides what one call may do.
#[derive(Clone)]
pub(crate) struct ApprovalGate(Arc<ApprovalContext>);

/// What policy knows of a call.
pub(crate) struct ApprovalContext {
    pub(crate) policy: Arc<PolicyState>,
    pub(crate) session: SessionId,
    pub(crate) digest: String,
    pub(crate) tool: String,
    pub(crate) input: String,
    pub(crate) caller: Caller,
    pub(crate) request_count: AtomicU32,
    /// Actions and subjects that a person has denied in this call. They are not asked for again.
    pub(crate) denied_before: Mutex<Vec<(String, String)>>,
}

/// A denial.
pub(crate) struct ApprovalDenied {
    reason: DenialReason,
    /// The receipt, if a person denied.
    pub(crate) receipt: Option<Receipt>,
}

enum DenialReason {
    /// Policy denied, with a sentence for the model.
    Policy(DenyReason, String),
    /// A person denied, perhaps with words for the model.
    Person(Option<String>),
    /// The host denied, with a sentence for the model.
    Host(&'static str),
    /// Nobody decided in time.
    Expired,
    /// The call was cancelled while it waited.
    Cancelled,
    /// The guest must be stopped.
    Stopped(Fault),
}

impl From<DenialReason> for ApprovalDenied {
    fn from(reason: DenialReason) -> Self {
        let receipt = None;
        Self { reason, receipt }
    }
}

impl ApprovalGate {
    pub(crate) fn new(context: ApprovalContext) -> Self {
        Self(Arc::new(context))
    }

    /// Decides whether the tool may run. Returns the receipt if a person decided.
    pub(crate) async fn approve_run(
        &self,
        stage: &Stage,
        traits: &Traits,
        assessment: Assessment<'_>,
    ) -> Result<Option<Receipt>, ApprovalDenied> {
        let assessment = match assessment {
            // A concern that cannot be shown counts as a concern about everything.
            Assessment::Concern { subject, reason }
                if check_texts(subject, reason, None).is_err() =>
            {
                Assessment::Failed
            }
            other => other,
        };
        self.resolve(stage, None, Operation::Call { traits, assessment })
            .await
    }

    /// Decides about one operation of a running call. Fails if the guest must be stopped.
    pub(crate) async fn approve_action(
        &self,
        stage: &Stage,
        admission: &Admission,
        action: &str,
        subject: &str,
        reason: &str,
        details: Option<&str>,
    ) -> Result<Result<(), Refusal>, Fault> {
        let details = match check_texts(subject, reason, details) {
            Ok(details) => details,
            Err(why) => return Ok(Err(Refusal::Other(why))),
        };
        let is_same = |(known, of): &(String, String)| known == action && of == subject;
        if lock(&self.0.denied_before).iter().any(is_same) {
            let words = "the person has denied this already".to_owned();
            return Ok(Err(Refusal::Denied(Some(words))));
        }
        let operation = Operation::Approval {
            action,
            subject,
            reason,
            details: details.as_ref(),
        };
        let resolved = self.resolve(stage, Some(admission), operation).await;
        let receipt = match &resolved {
            Ok(receipt) => receipt,
            Err(denied) => &denied.receipt,
        };
        if let Some(receipt) = receipt {
            stage.add_receipt(Receipt {
                action: Some(action.to_owned()),
                subject: (!subject.is_empty()).then(|| subject.to_owned()),
                details,
                ..receipt.clone()
            });
        }
        let Err(denied) = resolved else {
            // The approval admits one operation: from here on the call must not run again.
            stage.announce_effect().await;
            return Ok(match stage.is_cancelled() {
                true => Err(Refusal::Cancelled),
                false => Ok(()),
            });
        };
        Ok(Err(match denied.reason {
            DenialReason::Stopped(fault) => return Err(fault),
            DenialReason::Cancelled => Refusal::Cancelled,
            DenialReason::Policy(DenyReason::Undeclared, _) => Refusal::Undeclared,
            DenialReason::Policy(DenyReason::NoPerson, _) => {
                stage.set_no_person();
                Refusal::Nobody(NO_PERSON.to_owned())
            }
            DenialReason::Expired => {
                stage.set_no_person();
                Refusal::Expired
            }
            DenialReason::Policy(_, words) => Refusal::Denied(Some(words)),
            DenialReason::Host(words) => Refusal::Denied(Some(words.to_owned())),
            DenialReason::Person(words) => Refusal::Denied(words),
        }))
    }

    async fn resolve(
        &self,
        stage: &Stage,
        guest: Option<&Admission>,
        operation: Operation<'_>,
    ) -> Result<Option<Receipt>, ApprovalDenied> {
        let context = &*self.0;
        let mut request = Request {
            session: &context.session,
            call: &stage.call,
            digest: &context.digest,
            tool: &context.tool,
            input: &context.input,
            caller: context.caller,
            // No folder, host or secret can be granted yet.
            powers: Powers::default(),
            tainted: false,
            reachable: stage.attended,
            approved: None,
            operation,
        };
        let ask = match self.evaluate(stage, &request) {
            Decision::Allow { .. } => return Ok(None),
            Decision::Deny {
                reason, message, ..
            } => {
                return Err(DenialReason::Policy(reason, message).into());
            }
            Decision::Ask { request, .. } => request,
        };
        let number = context.request_count.fetch_add(1, Ordering::Relaxed);
        if number as usize >= Caps::APPROVALS {
            return Err(DenialReason::Host("this call has requested approval too often").into());
        }
        let guest = guest.map(|guest| guest.reserve(stage)).transpose();
        let guest = guest.map_err(DenialReason::Stopped)?;
        let id = RequestId::from(format!("{}_v{number}", stage.call.as_str()));
        let verdicts = ask.options.iter().map(|option| option.verdict).collect();
        let (_guard, reply) = stage.pending.insert_approval(id.clone(), verdicts);
        stage.emit(CallEvent::Approval {
            id,
            plugin: stage.manifest.id.clone(),
            ask: ask.clone(),
        });
        let reply = stage.wait(PendingReason::Approval, guest, reply).await;
        let (verdict, words, by) = match reply {
            None => return Err(DenialReason::Cancelled.into()),
            Some(Err(_)) => return Err(DenialReason::Host("nobody decided").into()),
            Some(Ok(ApprovalReply::NoReply(NoReply::NoPerson))) => {
                return Err(DenialReason::Policy(DenyReason::NoPerson, NOBODY.to_owned()).into());
            }
            Some(Ok(ApprovalReply::NoReply(NoReply::Expired))) => {
                return Err(DenialReason::Expired.into());
            }
            Some(Ok(ApprovalReply::Verdict { verdict, words, by })) => (verdict, words, by),
        };
        let verdict = ask.narrowed(verdict);
        let receipt = Receipt {
            decision: verdict,
            action: None,
            subject: None,
            details: None,
            by,
            at: now(),
            reason: words.clone(),
        };
        if verdict == Verdict::Deny {
            if let Operation::Approval {
                action, subject, ..
            } = request.operation
            {
                let denied = (action.to_owned(), subject.to_owned());
                lock(&context.denied_before).push(denied);
            }
            return Err(ApprovalDenied {
                reason: DenialReason::Person(words),
                receipt: Some(receipt),
            });
        }
        request.approved = Some(&ask.binding);
        match self.evaluate(stage, &request) {
            Decision::Allow { .. } => {
                lock(&context.policy.grants).record(&ask, verdict);
                Ok(Some(receipt))
            }
            Decision::Ask { .. } => {
                Err(DenialReason::Host("the verdict does not cover this call").into())
            }
            Decision::Deny {
                reason, message, ..
            } => Err(DenialReason::Policy(reason, message).into()),
        }
    }

    fn evaluate(&self, stage: &Stage, request: &Request<'_>) -> Decision {
        let policy = &self.0.policy;
        let (rules, grants) = (lock(&policy.rules), lock(&policy.grants));
        decide(&stage.manifest, &rules, &grants, request)
    }
}

impl ApprovalDenied {
    /// Returns the sentence that the model reads.
    pub(crate) fn message(&self) -> String {
        match &self.reason {
            DenialReason::Cancelled => "the call was cancelled".to_owned(),
            DenialReason::Stopped(fault) => format!("stopped by the host ({})", fault.word()),
            DenialReason::Policy(_, words) => words.clone(),
            DenialReason::Expired => "nobody decided in time, which counts as a denial".to_owned(),
            DenialReason::Host(words) => (*words).to_owned(),
            DenialReason::Person(Some(words)) => format!("the person said no: {words}"),
            DenialReason::Person(None) => "Rejected by user".to_owned(),
        }
    }

    pub(crate) fn code(&self) -> FailureCode {
        match &self.reason {
            DenialReason::Cancelled => FailureCode::Cancelled,
            DenialReason::Stopped(fault) => fault.code(),
            DenialReason::Expired | DenialReason::Policy(DenyReason::NoPerson, _) => {
                FailureCode::NoPerson
            }
            _ => FailureCode::Denied,
        }
    }
}

//! Approvals: policy decides about a call or one of its operations, or has a person decide.
//!
//! A yes is bound to what the person was shown. Policy is evaluated once more before the yes
//! counts, so that a rule that was added in the meantime still denies.

#[cfg_attr(
    not(feature = "http"),
    allow(dead_code, reason = "requests are decided where they can be sent")
)]
mod power;

#[cfg(feature = "http")]
pub(crate) use power::{Authorized, PowerDenied};

use crate::call::event::CallEvent;
use crate::call::fault::Fault;
use crate::call::pending::{ApprovalReply, NO_PERSON, NOBODY, NoReply};
use crate::call::stage::{Stage, now};
use crate::policy::{
    Assessment, Caller, Decision, DenyReason, FolderBinding, Grants, Operation, Request, Rules,
    Traits, decide,
};
use crate::sandbox::bindings::footlight::plugin::approval::Refusal;
use crate::sandbox::limits::Caps;
use crate::sandbox::waiting_guests::Admission;
use crate::sync::{self, lock};
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::item::{Denial, PendingReason, Receipt, RequestId, SessionId, Verdict};
use footlight_vocabulary::limits::check_approval;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, RwLock};

/// The rules and the grants of a host.
#[derive(Debug, Default)]
pub(crate) struct PolicyState {
    /// The rules of people who have none of their own.
    default_rules: Arc<Rules>,
    rules: RwLock<HashMap<String, Arc<Rules>>>,
    pub(crate) grants: Mutex<Grants>,
}

impl PolicyState {
    pub(crate) fn new(default_rules: Rules) -> Self {
        Self {
            default_rules: Arc::new(default_rules),
            ..Self::default()
        }
    }

    /// Replaces the rules of a person. They apply to every decision from now on.
    pub(crate) fn set_rules(&self, person: &str, rules: Rules) {
        sync::write(&self.rules).insert(person.to_owned(), Arc::new(rules));
    }

    fn rules_of(&self, person: &str) -> Arc<Rules> {
        let own = sync::read(&self.rules).get(person).cloned();
        own.unwrap_or_else(|| Arc::clone(&self.default_rules))
    }
}

/// Decides what one call may do.
#[derive(Clone)]
pub(crate) struct ApprovalGate(Arc<ApprovalContext>);

/// What policy knows of a call.
pub(crate) struct ApprovalContext {
    pub(crate) policy: Arc<PolicyState>,
    /// Rules of the session, in place of the person's.
    pub(crate) rules: Option<Arc<Rules>>,
    pub(crate) session: SessionId,
    pub(crate) person: String,
    pub(crate) digest: String,
    pub(crate) tool: String,
    /// Whether the tool says that it only reads.
    pub(crate) read_only: bool,
    pub(crate) input: String,
    pub(crate) caller: Caller,
    /// Whether untrusted content has entered the model's context, as of now.
    pub(crate) tainted: Arc<AtomicBool>,
    pub(crate) request_count: AtomicU32,
    /// What a person has decided in this call.
    pub(crate) verdicts: Mutex<CallVerdicts>,
    /// For each folder of the call, whether it can write without another approval.
    pub(crate) folders: OnceLock<Vec<bool>>,
}

/// What a person has decided in one call.
#[derive(Debug, Default)]
pub(crate) struct CallVerdicts {
    /// Actions and subjects that were denied. They are not asked for again.
    denied: Vec<(String, String)>,
    /// How often each action was approved and not used yet.
    approved: HashMap<String, u32>,
    /// Requests to hosts that were denied, as the person was shown them.
    denied_hosts: Vec<String>,
}

/// An approval.
#[derive(Default)]
struct Approved {
    /// The receipt, if a person decided.
    receipt: Option<Receipt>,
    /// The folder of the machine that a guest path is bound to.
    folder: Option<FolderBinding>,
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
    /// The host denied, with the word on the record and a sentence for the model.
    Host(Denial, &'static str),
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

    /// Returns the input of the call, as it is decided about.
    pub(crate) fn input(&self) -> &String {
        &self.0.input
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
                if check_approval(subject, reason, None).is_err() =>
            {
                Assessment::Failed
            }
            other => other,
        };
        let operation = Operation::Call { traits, assessment };
        let approved = self.resolve(stage, None, operation).await?;
        Ok(approved.receipt)
    }

    /// Decides about one operation of a running call. Fails if the guest must be stopped.
    pub(crate) async fn approve_action(
        &self,
        stage: &Stage,
        guest: Option<&Admission>,
        action: &str,
        subject: &str,
        reason: &str,
        details: Option<&str>,
    ) -> Result<Result<(), Refusal>, Fault> {
        let details = match check_approval(subject, reason, details) {
            Ok(details) => details,
            Err(why) => return Ok(Err(Refusal::Other(why))),
        };
        let is_same = |(known, of): &(String, String)| known == action && of == subject;
        if lock(&self.0.verdicts).denied.iter().any(is_same) {
            let words = "the person has denied this already".to_owned();
            return Ok(Err(Refusal::Denied(Some(words))));
        }
        let operation = Operation::Approval {
            action,
            subject,
            reason,
            details: details.as_ref(),
        };
        let resolved = self.resolve(stage, guest, operation).await;
        let receipt = match &resolved {
            Ok(approved) => &approved.receipt,
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
            let verdicts = &mut *lock(&self.0.verdicts);
            *verdicts.approved.entry(action.to_owned()).or_default() += 1;
            return Ok(match stage.is_cancelled() {
                true => Err(Refusal::Cancelled),
                false => Ok(()),
            });
        };
        stage.set_denied();
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
            DenialReason::Host(_, words) => Refusal::Denied(Some(words.to_owned())),
            DenialReason::Person(words) => Refusal::Denied(words),
        }))
    }

    async fn resolve(
        &self,
        stage: &Stage,
        guest: Option<&Admission>,
        operation: Operation<'_>,
    ) -> Result<Approved, ApprovalDenied> {
        let context = &*self.0;
        let mut request = self.request(stage, operation);
        let ask = match self.evaluate(stage, &request) {
            Decision::Allow { .. } => {
                let folder = self.bound_folder(stage, &request);
                return Ok(Approved {
                    receipt: None,
                    folder,
                });
            }
            Decision::Deny {
                reason, message, ..
            } => {
                return Err(DenialReason::Policy(reason, message).into());
            }
            Decision::Ask { request, .. } => request,
        };
        let number = context.request_count.fetch_add(1, Ordering::Relaxed);
        if number as usize >= Caps::APPROVALS {
            return Err(DenialReason::Host(
                Denial::Limit,
                "this call has requested approval too often",
            )
            .into());
        }
        let guest = guest.map(|guest| guest.reserve(stage)).transpose();
        let guest = guest.map_err(DenialReason::Stopped)?;
        let id = RequestId::from(format!("{}_v{number}", stage.call.as_str()));
        let verdicts = ask.options.iter().map(|option| option.verdict).collect();
        let needs_folder = ask.folder.as_ref().map(|folder| folder.offered.is_none());
        let (_guard, reply) = stage
            .pending
            .insert_approval(id.clone(), verdicts, needs_folder);
        stage.emit(CallEvent::Approval {
            id: id.clone(),
            plugin: stage.manifest.id.clone(),
            ask: ask.clone(),
        });
        let reply = stage.wait(PendingReason::Approval, guest, reply).await;
        let (verdict, words, by, named) = match reply {
            None => return Err(DenialReason::Cancelled.into()),
            Some(Err(_)) => {
                return Err(DenialReason::Host(Denial::NoPerson, "nobody decided").into());
            }
            Some(Ok(ApprovalReply::NoReply(NoReply::NoPerson))) => {
                return Err(DenialReason::Policy(DenyReason::NoPerson, NOBODY.to_owned()).into());
            }
            Some(Ok(ApprovalReply::NoReply(NoReply::Expired))) => {
                return Err(DenialReason::Expired.into());
            }
            Some(Ok(ApprovalReply::Verdict {
                verdict,
                words,
                by,
                folder,
            })) => (verdict, words, by, folder),
        };
        let verdict = ask.narrowed(verdict);
        let receipt = Receipt {
            decision: verdict,
            request: Some(id),
            action: None,
            subject: None,
            details: None,
            power: None,
            by,
            at: now(),
            reason: words.clone(),
        };
        if verdict == Verdict::Deny {
            let verdicts = &mut *lock(&context.verdicts);
            match request.operation {
                Operation::Approval {
                    action, subject, ..
                } => verdicts
                    .denied
                    .push((action.to_owned(), subject.to_owned())),
                Operation::Net(net) => verdicts.denied_hosts.push(net.origin()),
                _ => {}
            }
            return Err(ApprovalDenied {
                reason: DenialReason::Person(words),
                receipt: Some(receipt),
            });
        }
        request.approved = Some(&ask.binding);
        let folder = ask.folder.as_ref().and_then(|folder| {
            let offered = || {
                let path = folder.offered.clone()?;
                let writable = true;
                Some(FolderBinding { path, writable })
            };
            let named = named.or_else(offered)?;
            // Nobody gives more than was asked for.
            let writable = named.writable && folder.writable;
            Some(FolderBinding { writable, ..named })
        });
        if ask.folder.is_some() && folder.is_none() {
            return Err(DenialReason::Host(Denial::NotGranted, "nobody named a folder").into());
        }
        match self.evaluate(stage, &request) {
            Decision::Allow { .. } => {
                lock(&context.policy.grants).record(&ask, verdict, folder.as_ref());
                Ok(Approved {
                    receipt: Some(receipt),
                    folder,
                })
            }
            Decision::Ask { .. } => Err(DenialReason::Host(
                Denial::NotGranted,
                "the verdict does not cover this call",
            )
            .into()),
            Decision::Deny {
                reason, message, ..
            } => Err(DenialReason::Policy(reason, message).into()),
        }
    }

    fn request<'a>(&'a self, stage: &'a Stage, operation: Operation<'a>) -> Request<'a> {
        let context = &*self.0;
        Request {
            session: &context.session,
            person: &context.person,
            call: &stage.call,
            digest: &context.digest,
            tool: &context.tool,
            input: &context.input,
            caller: context.caller,
            powers: self.powers(stage),
            tainted: context.tainted.load(Ordering::Relaxed),
            reachable: stage.attended,
            approved: None,
            operation,
        }
    }

    fn evaluate(&self, stage: &Stage, request: &Request<'_>) -> Decision {
        let (rules, grants) = (self.rules(), lock(&self.0.policy.grants));
        decide(&stage.manifest, &rules, &grants, request)
    }

    fn rules(&self) -> Arc<Rules> {
        let context = &*self.0;
        let of_session = context.rules.clone();
        of_session.unwrap_or_else(|| context.policy.rules_of(&context.person))
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
            DenialReason::Host(_, words) => (*words).to_owned(),
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

//! Leave: policy decides, and where it will not, a person does.
//!
//! Both a call that is about to run and an operation within it come here. A yes is bound to what
//! was shown, and policy is asked once more before it counts: a denial written meanwhile still
//! blocks.

use crate::call::event::Event;
use crate::call::pending::{ApprovalReply, NoReply};
use crate::call::stage::{Stage, now};
use crate::policy::{
    Assessment, Caller, Decision, DenyReason, Grants, Operation, Powers, Request, Rules, Traits,
    decide,
};
use crate::sandbox::bindings::footlight::plugin::approval::Refusal;
use crate::sandbox::imports::NO_PERSON;
use crate::sandbox::limits::Caps;
use footlight_vocabulary::item::{PendingReason, Receipt, RequestId, SessionId, Verdict};
use footlight_vocabulary::json;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a standing yes covers is shown word for word, so it must be short enough to be read.
const MAX_SUBJECT: usize = 4 << 10;

/// The rules and the grants of a host.
#[derive(Debug, Default)]
pub(crate) struct PolicyState {
    pub(crate) rules: Mutex<Rules>,
    pub(crate) grants: Mutex<Grants>,
}

/// One call, as policy sees it.
#[derive(Clone)]
pub(crate) struct ApprovalGate(Arc<ApprovalContext>);

pub(crate) struct ApprovalContext {
    pub(crate) policy: Arc<PolicyState>,
    pub(crate) session: SessionId,
    pub(crate) digest: String,
    pub(crate) tool: String,
    pub(crate) input: String,
    pub(crate) caller: Caller,
    pub(crate) request_count: AtomicU32,
    /// What a person has refused within this call, as action and subject: a no is a no.
    pub(crate) denied_before: Mutex<Vec<(String, String)>>,
}

/// Why there is no leave.
pub(crate) struct ApprovalDenied {
    ground: Option<DenyReason>,
    /// What the person wrote, or why policy said no.
    pub(crate) words: Option<String>,
    cancelled: bool,
    /// What a person decided, where it was a person.
    pub(crate) receipt: Option<Receipt>,
}

impl ApprovalGate {
    pub(crate) fn new(context: ApprovalContext) -> Self {
        Self(Arc::new(context))
    }

    /// Leave to run at all. Answers the receipt of a person's verdict.
    pub(crate) async fn approve_run(
        &self,
        stage: &Stage,
        traits: &Traits,
        assessment: Assessment<'_>,
    ) -> Result<Option<Receipt>, ApprovalDenied> {
        self.resolve(stage, Operation::Call { traits, assessment })
            .await
    }

    /// Leave for one operation of a running call.
    pub(crate) async fn approve_action(
        &self,
        stage: &Stage,
        action: &str,
        subject: &str,
        reason: &str,
        details: Option<&str>,
    ) -> Result<(), Refusal> {
        // Kept for surfaces that show more; what cannot be read is the plugin's mistake.
        if let Some(Err(error)) =
            details.map(|details| json::parse(details, json::Limits::default()))
        {
            return Err(Refusal::Other(format!("the details: {error}")));
        }
        if subject.len() > MAX_SUBJECT {
            let why = format!("the subject has more than {MAX_SUBJECT} bytes");
            return Err(Refusal::Other(why));
        }
        let before = |(known, of): &(String, String)| known == action && of == subject;
        if self.denied_before().iter().any(before) {
            let words = "the person has said no to this already".to_owned();
            return Err(Refusal::Denied(Some(words)));
        }
        let want = Operation::Approval {
            action,
            subject,
            reason,
        };
        let settled = self.resolve(stage, want).await;
        let receipt = match &settled {
            Ok(receipt) => receipt,
            Err(denied) => &denied.receipt,
        };
        if let Some(receipt) = receipt {
            stage.add_receipt(Receipt {
                action: Some(action.to_owned()),
                subject: (!subject.is_empty()).then(|| subject.to_owned()),
                ..receipt.clone()
            });
        }
        settled.map(drop).map_err(|denied| match denied {
            ApprovalDenied {
                cancelled: true, ..
            } => Refusal::Cancelled,
            ApprovalDenied {
                ground: Some(DenyReason::Undeclared),
                ..
            } => Refusal::Undeclared,
            ApprovalDenied {
                ground: Some(DenyReason::NoPerson),
                ..
            } => Refusal::Nobody(NO_PERSON.to_owned()),
            ApprovalDenied { words, .. } => Refusal::Denied(words),
        })
    }

    async fn resolve(
        &self,
        stage: &Stage,
        want: Operation<'_>,
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
            operation: want,
        };
        let ask = match self.evaluate(stage, &request) {
            Decision::Allow { .. } => return Ok(None),
            Decision::Deny {
                reason, message, ..
            } => {
                return Err(denied(Some(reason), Some(message)));
            }
            Decision::Ask { request, .. } => request,
        };
        let number = context.request_count.fetch_add(1, Ordering::Relaxed);
        if number as usize >= Caps::APPROVALS {
            let words = "this call has asked for leave too often".to_owned();
            return Err(denied(None, Some(words)));
        }
        let id = RequestId::from(format!("{}_v{number}", stage.call.as_str()));
        let verdicts = ask.options.iter().map(|option| option.verdict).collect();
        let (_guard, verdict) = stage.pending.insert_approval(id.clone(), verdicts);
        stage.emit(Event::Approval {
            id,
            plugin: stage.manifest.id.clone(),
            ask: ask.clone(),
        });
        let Some(decided) = stage.wait(PendingReason::Approval, verdict).await else {
            return Err(ApprovalDenied {
                ground: None,
                words: None,
                cancelled: true,
                receipt: None,
            });
        };
        let Ok(decided) = decided else {
            return Err(denied(None, Some("nobody decided".to_owned())));
        };
        match decided.no_reply {
            None => {}
            Some(NoReply::Nobody) => {
                let words = format!("nobody can be asked: {NO_PERSON}");
                return Err(denied(Some(DenyReason::NoPerson), Some(words)));
            }
            Some(NoReply::Expired) => {
                let words = "nobody decided in time, which counts as a no".to_owned();
                return Err(denied(Some(DenyReason::NoPerson), Some(words)));
            }
        }
        let verdict = ask.narrowed(decided.verdict);
        if verdict == Verdict::Deny {
            if let Operation::Approval {
                action, subject, ..
            } = request.operation
            {
                let what = (action.to_owned(), subject.to_owned());
                self.denied_before().push(what);
            }
            let receipt = receipt(verdict, &decided);
            return Err(ApprovalDenied {
                receipt: Some(receipt),
                ..denied(None, decided.words)
            });
        }
        request.approved = Some(&ask.binding);
        match self.evaluate(stage, &request) {
            Decision::Allow { .. } => {
                let grants = &self.0.policy.grants;
                let mut grants = grants.lock().unwrap_or_else(PoisonError::into_inner);
                grants.record(&ask, verdict);
                Ok(Some(receipt(verdict, &decided)))
            }
            Decision::Ask { .. } => Err(denied(
                None,
                Some("the verdict does not cover this call".to_owned()),
            )),
            Decision::Deny {
                reason, message, ..
            } => Err(denied(Some(reason), Some(message))),
        }
    }

    fn denied_before(&self) -> MutexGuard<'_, Vec<(String, String)>> {
        self.0
            .denied_before
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn evaluate(&self, stage: &Stage, request: &Request<'_>) -> Decision {
        let policy = &self.0.policy;
        let rules = policy.rules.lock().unwrap_or_else(PoisonError::into_inner);
        let grants = policy.grants.lock().unwrap_or_else(PoisonError::into_inner);
        decide(&stage.manifest, &rules, &grants, request)
    }
}

fn denied(ground: Option<DenyReason>, words: Option<String>) -> ApprovalDenied {
    ApprovalDenied {
        ground,
        words,
        cancelled: false,
        receipt: None,
    }
}

/// What is kept of a verdict.
fn receipt(decision: Verdict, decided: &ApprovalReply) -> Receipt {
    Receipt {
        decision,
        action: None,
        subject: None,
        by: decided.by.clone(),
        at: now(),
        reason: decided.words.clone(),
    }
}

impl ApprovalDenied {
    /// What the model reads.
    pub(crate) fn sentence(&self) -> String {
        match (&self.words, self.ground, self.cancelled) {
            (_, _, true) => "the call was cancelled".to_owned(),
            (Some(words), Some(_), _) => words.clone(),
            (Some(words), None, _) => format!("the person said no: {words}"),
            (None, _, _) => "Rejected by user".to_owned(),
        }
    }

    pub(crate) fn code(&self) -> &'static str {
        if self.cancelled {
            "cancelled"
        } else {
            "denied"
        }
    }
}

//! Whether something may happen: yes, no, or a person decides.
//!
//! [`decide`] is a pure function of the plugin's [`Manifest`], the person's [`Rules`], the
//! session's [`Grants`] and one [`Request`]. Its answer is a [`Decision`]; where that is an
//! [`ApprovalRequest`], a person's verdict goes to [`Grants::record`], and the request is decided again with
//! the verdict's [`Binding`] in [`Request::approved`].
//!
//! The order is fixed: what the manifest does not declare is denied; then what a rule denies; then
//! what the ceiling forbids; then a rule, a verdict on this very request, or a live grant may
//! allow; then a person is asked; and where nobody can be asked the answer is no.
//!
//! What a tool can do is taken from what its plugin was *granted* ([`Powers`]), not from what the
//! plugin says. What it says ([`Traits`], an [`Assessment`]) can only make us more careful.
//!
//! Folders, hosts and secrets are kinds of request already, so that the order holds for them, but
//! nothing can be granted yet: each of them ends in a no, also at [`Level::Full`].
//!
//! What lasts stands in a [`RulesFile`], which the person can edit by hand.
//!
//! Invariant: no I/O, no clock, no chance: the same four values give the same decision. Only `file`
//! touches the disk, and it decides nothing.
//!
//! Invariant: nothing that a model or a plugin writes reaches [`Rules`] or [`Grants`]; text from
//! outside is compared and quoted, never interpreted.
//!
//! To add a kind of request: a case of [`Operation`], its declaration in `declared`, a case of
//! [`Target`], and rows in `policy/tests.rs`.

mod request;

mod traits;

mod rules;

mod approval_request;

mod grants;

mod decision;

mod file;

pub use approval_request::{ApprovalRequest, Binding, Fact, Quote, VerdictOption};
pub use decision::{AllowReason, AskReason, Decision, DenyReason, Step};
pub use file::{Entry, Explanation, RuleId, RulesError, RulesFile, describe, explain};
pub use grants::{Grant, GrantId, Grants, Scope};
pub use request::{Assessment, Caller, Operation, Powers, Request};
pub use rules::{
    AskMode, Build, Effect, Level, Pattern, PatternError, Rule, Rules, Subject, Target,
};
pub use traits::{Audience, RequiresApproval, Traits};

use footlight_vocabulary::manifest::{Manifest, Mode, Remember};

/// Decides about one request.
#[must_use]
pub fn decide(
    manifest: &Manifest,
    rules: &Rules,
    grants: &Grants,
    request: &Request<'_>,
) -> Decision {
    let mut trace = Vec::with_capacity(6);

    if !declared(manifest, &request.operation) {
        return deny(DenyReason::Undeclared, manifest, request, trace, None);
    }
    trace.push(Step::Declared);

    if let Some(rule) = rules.denying(&manifest.id, request) {
        let rule = rule.to_string();
        return deny(DenyReason::Rule, manifest, request, trace, Some(rule));
    }
    trace.push(Step::NotDenied);

    if let Operation::Call { traits, .. } = &request.operation
        && !traits.audience.admits(request.caller)
    {
        return deny(DenyReason::Audience, manifest, request, trace, None);
    }
    // Authority is what the manifest, the rules AND the grants give. Of these kinds no grant can
    // be made yet, and no level or rule stands in for one.
    if !matches!(
        request.operation,
        Operation::Call { .. } | Operation::Approval { .. }
    ) {
        return deny(DenyReason::NotGranted, manifest, request, trace, None);
    }
    if rules.level == Level::Full && rules.ask != AskMode::Always {
        return allow(AllowReason::Level, trace);
    }

    let needs = needs(manifest, rules, request);
    if needs.is_empty() {
        return allow(AllowReason::Harmless, trace);
    }
    trace.extend(needs.iter().copied().map(Step::PersonNeeded));

    if let Some(rule) = rules.allowing(&manifest.id, request, &needs) {
        return allow(AllowReason::Rule(rule.to_string()), trace);
    }
    trace.push(Step::NoRule);

    if request.approved.is_some_and(|yes| yes.matches(request)) {
        return allow(AllowReason::Verdict, trace);
    }
    // A need that insists on a person each time is not met by an earlier yes.
    let standing = !needs.iter().any(|need| need.needs_new_verdict());
    if let Some(grant) = grants.covering(request).filter(|_| standing) {
        return allow(AllowReason::Grant(grant.id), trace);
    }
    trace.push(Step::NoGrant);

    if rules.ask == AskMode::Off {
        return deny(DenyReason::NeverAsk, manifest, request, trace, None);
    }
    if !request.reachable {
        return deny(DenyReason::NoPerson, manifest, request, trace, None);
    }
    let request = Box::new(ApprovalRequest::new(manifest, request, needs));
    Decision::Ask { request, trace }
}

fn allow(reason: AllowReason, mut trace: Vec<Step>) -> Decision {
    trace.push(Step::Allowed(reason.clone()));
    Decision::Allow { reason, trace }
}

fn deny(
    reason: DenyReason,
    manifest: &Manifest,
    request: &Request<'_>,
    mut trace: Vec<Step>,
    rule: Option<String>,
) -> Decision {
    let message = reason.sentence(&manifest.id, request);
    trace.push(Step::Denied(reason, rule));
    Decision::Deny {
        reason,
        message,
        trace,
    }
}

/// Whether the manifest speaks of it at all. A call's tool was found in the plugin's description
/// before anyone could ask about it: that is its declaration.
fn declared(manifest: &Manifest, operation: &Operation<'_>) -> bool {
    match *operation {
        Operation::Call { .. } => true,
        Operation::Approval { action, .. } => manifest.approval(action).is_some(),
        Operation::Net {
            method,
            scheme,
            host,
            port,
        } => manifest.net_rule(method, scheme, host, port).is_some(),
        Operation::Folder { path, mode } => manifest.fs.iter().any(|folder| {
            folder.path == path && (folder.mode == Mode::ReadWrite || mode == Mode::ReadOnly)
        }),
        Operation::Secret {
            name,
            scheme,
            host,
            port,
        } => manifest
            .secrets_for(scheme, host, port)
            .any(|secret| secret.name == name),
    }
}

/// Why a person is needed; empty where none is.
fn needs(manifest: &Manifest, rules: &Rules, request: &Request<'_>) -> Vec<AskReason> {
    let mut needs = Vec::new();
    let mut need = |when: bool, need: AskReason| {
        if when {
            needs.push(need);
        }
    };
    match &request.operation {
        Operation::Call { traits, assessment } => {
            let powers = &request.powers;
            need(powers.effectful(), AskReason::Effectful);
            need(traits.destructive, AskReason::Destructive);
            need(
                traits.approval == RequiresApproval::Always,
                AskReason::ToolRequires,
            );
            match assessment {
                Assessment::None => {}
                Assessment::Concern { .. } => need(true, AskReason::Concern),
                Assessment::Failed => need(true, AskReason::AssessmentFailed),
            }
            // A plugin that says it reaches out is taken at its word.
            let egress = powers.egress() || traits.open_world;
            need(
                request.tainted && powers.sensitive() && egress,
                AskReason::Tainted,
            );
        }
        Operation::Approval { action, .. } => {
            need(true, AskReason::Requested);
            let once = manifest
                .approval(action)
                .is_none_or(|approval| approval.remember == [Remember::Once]);
            need(once, AskReason::OnceOnly);
        }
        Operation::Net { .. } | Operation::Folder { .. } | Operation::Secret { .. } => {}
    }
    need(rules.level == Level::Deny, AskReason::Level);
    need(rules.ask == AskMode::Always, AskReason::Mode);
    needs
}

#[cfg(test)]
mod tests;

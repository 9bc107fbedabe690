//! Decides whether a plugin may do something: yes, no, or ask a person.
//!
//! [`decide`] is a pure function of the plugin's [`Manifest`], the person's [`Rules`], the session's
//! [`Grants`] and one [`Request`]. It returns a [`Decision`]. Where that is an [`ApprovalRequest`],
//! the person's verdict goes to [`Grants::record`], and the request is decided again with the
//! verdict's [`Binding`] in [`Request::approved`].
//!
//! The order is fixed. What the manifest does not declare is denied, then what a rule denies, then
//! what nobody granted. A rule, a verdict on this very request or a grant of the session may allow
//! the rest. Otherwise a person is asked, and if nobody can be asked the request is denied.
//!
//! The abilities of a tool follow from what its plugin was *granted* ([`Powers`]), not from what the
//! plugin says. Its own statements ([`Traits`], an [`Assessment`]) can only make a decision stricter.
//!
//! A folder, a host or a secret needs a rule or a grant at every level: at [`Level::Full`], where
//! nobody is asked, what was not granted is denied.
//!
//! Lasting rules are kept in a [`RulesFile`], which the person can edit by hand.
//!
//! Invariant: no I/O, no clock, no randomness: the same four values give the same decision. Only
//! `file` touches the disk, and it decides nothing.
//!
//! Invariant: nothing that a model or a plugin writes reaches [`Rules`] or [`Grants`]. Untrusted
//! text is compared and quoted, never interpreted.
//!
//! To add a kind of request: a case of [`Operation`], its declaration in `is_declared`, a case of
//! [`Target`], and rows in `policy/tests.rs`.

mod request;

mod traits;

mod rules;

mod approval_request;

mod grants;

mod decision;

mod file;

mod held;

pub(crate) use held::PowerHolder;

pub use approval_request::{
    ApprovalRequest, Binding, Fact, FolderRequest, NetworkRequest, Quote, VerdictOption,
};
pub use decision::{AllowReason, AskReason, Decision, DenyReason, Step};
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use file::parse_rules;
pub use file::{Entry, Explanation, RuleId, RulesError, RulesFile, describe, explain};
pub use grants::{Grant, GrantId, Grants, Scope};
pub use request::{Assessment, Caller, NetRequest, Operation, Powers, Request};
pub use rules::{
    AskMode, Build, Effect, FolderBinding, Level, Pattern, PatternError, Rule, Rules, Subject,
    Target,
};
pub use traits::{Audience, RequiresApproval, Traits};

use footlight_vocabulary::manifest::{Manifest, Mode, Remember};

/// The manifest of the tests and of the fuzz target.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) const MAIL_MANIFEST: &str = include_str!("policy/mail.toml");

/// Decides about one request.
#[must_use]
pub fn decide(
    manifest: &Manifest,
    rules: &Rules,
    grants: &Grants,
    request: &Request<'_>,
) -> Decision {
    let mut trace = Vec::with_capacity(6);

    if !is_declared(manifest, &request.operation) {
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
    if let Operation::Net(net) = &request.operation
        && net.read_only
        && !net.reads()
    {
        return deny(DenyReason::ReadOnly, manifest, request, trace, None);
    }
    let granted = request
        .is_power()
        .then(|| granting(manifest, rules, grants, request))
        .flatten();
    let reasons = ask_reasons(manifest, rules, granted.is_some(), request);
    if rules.level == Level::Full && rules.ask != AskMode::Always {
        // No level replaces the grant of a power.
        let is_ungranted = |reason| matches!(reason, AskReason::NotGranted | AskReason::NewSecret);
        if reasons.iter().copied().any(is_ungranted) {
            return deny(DenyReason::NotGranted, manifest, request, trace, None);
        }
        return allow(AllowReason::Level, trace);
    }
    if reasons.is_empty() {
        return allow(granted.unwrap_or(AllowReason::Harmless), trace);
    }
    trace.extend(reasons.iter().copied().map(Step::PersonNeeded));

    // The person decides once: about what the running call requests, when more is known.
    if let Operation::Call { traits, .. } = &request.operation
        && traits.requests_own_approval(manifest)
        && reasons.iter().all(|reason| reason.yields_to_own_approval())
    {
        return allow(AllowReason::OwnApproval, trace);
    }

    if let Some(rule) = rules.allowing(&manifest.id, request, &reasons) {
        return allow(AllowReason::Rule(rule.to_string()), trace);
    }
    trace.push(Step::NoRule);

    if request.approved.is_some_and(|yes| yes.matches(request)) {
        return allow(AllowReason::Verdict, trace);
    }
    // An earlier yes does not satisfy a reason that needs a new verdict each time, and a yes to the host
    // does not cover a secret.
    let needs_verdict =
        |reason: &AskReason| reason.needs_new_verdict() || *reason == AskReason::NewSecret;
    let can_reuse_grant = !reasons.iter().any(needs_verdict);
    if let Some(grant) = grants.covering(request).filter(|_| can_reuse_grant) {
        return allow(AllowReason::Grant(grant.id), trace);
    }
    trace.push(Step::NoGrant);

    if rules.ask == AskMode::Off {
        return deny(DenyReason::NeverAsk, manifest, request, trace, None);
    }
    if !request.reachable {
        return deny(DenyReason::NoPerson, manifest, request, trace, None);
    }
    let request = Box::new(ApprovalRequest::new(manifest, request, reasons));
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

/// Reports whether the manifest declares the operation. A call is always declared: its tool was
/// found in the plugin's description.
fn is_declared(manifest: &Manifest, operation: &Operation<'_>) -> bool {
    match *operation {
        Operation::Call { .. } => true,
        Operation::Approval { action, .. } => manifest.approval(action).is_some(),
        Operation::Net(net) => {
            let rule = manifest.net_rule(net.method, net.scheme, net.host, net.port);
            rule.is_some()
        }
        Operation::Folder { path, mode, .. } => manifest.fs.iter().any(|folder| {
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

/// Returns the rule or the grant of the session that grants a power.
fn granting(
    manifest: &Manifest,
    rules: &Rules,
    grants: &Grants,
    request: &Request<'_>,
) -> Option<AllowReason> {
    let by_rule = rules.allowing(&manifest.id, request, &[AskReason::NotGranted]);
    let by_rule = by_rule.map(|rule| AllowReason::Rule(rule.to_string()));
    by_rule.or_else(|| Some(AllowReason::Grant(grants.covering(request)?.id)))
}

/// Returns the folder of the machine that a guest path is bound to: by a rule of the person, or by a
/// grant of the session. A denying rule is the business of [`decide`].
#[must_use]
pub fn bound_folder(
    manifest: &Manifest,
    rules: &Rules,
    grants: &Grants,
    request: &Request<'_>,
) -> Option<FolderBinding> {
    let by_rule = rules.allowing(&manifest.id, request, &[AskReason::NotGranted]);
    let by_rule = by_rule.and_then(|rule| rule.folder.clone());
    by_rule.or_else(|| grants.covering(request)?.scope.folder.clone())
}

/// Returns the reasons to ask a person; none if the operation is harmless, or a power was granted.
fn ask_reasons(
    manifest: &Manifest,
    rules: &Rules,
    granted: bool,
    request: &Request<'_>,
) -> Vec<AskReason> {
    let mut reasons = Vec::new();
    let mut add_if = |applies: bool, reason: AskReason| {
        if applies {
            reasons.push(reason);
        }
    };
    match &request.operation {
        Operation::Call { traits, assessment } => {
            let powers = &request.powers;
            add_if(powers.effectful(), AskReason::Effectful);
            add_if(traits.destructive, AskReason::Destructive);
            add_if(
                traits.approval == RequiresApproval::Always,
                AskReason::ToolRequires,
            );
            match assessment {
                Assessment::None => {}
                Assessment::Concern { .. } => add_if(true, AskReason::Concern),
                Assessment::Failed => add_if(true, AskReason::AssessmentFailed),
            }
            // A plugin that declares network use counts as having it.
            let egress = powers.egress() || traits.open_world;
            add_if(
                request.tainted && powers.sensitive() && egress,
                AskReason::Tainted,
            );
        }
        Operation::Approval { action, .. } => {
            add_if(true, AskReason::Requested);
            let once = manifest
                .approval(action)
                .is_none_or(|approval| approval.remember == [Remember::Once]);
            // Such an approval admits one request, or the changes of one call, whatever its subject says:
            // remembered, it would admit any number of them.
            let once = once || manifest.guards_power(action);
            add_if(once, AskReason::OnceOnly);
        }
        Operation::Net(net) => {
            let has_new_secret = !net.secrets.is_empty();
            add_if(!granted, AskReason::NotGranted);
            add_if(has_new_secret, AskReason::NewSecret);
            // Where the host was granted before, the call itself was asked about.
            add_if(
                (!granted || has_new_secret) && request.tainted && request.powers.sensitive(),
                AskReason::Tainted,
            );
            add_if(net.action.is_some(), AskReason::Requested);
            add_if(net.action.is_some(), AskReason::OnceOnly);
        }
        Operation::Folder { .. } | Operation::Secret { .. } => {
            add_if(!granted, AskReason::NotGranted);
        }
    }
    add_if(rules.level == Level::Deny, AskReason::Level);
    add_if(rules.ask == AskMode::Always, AskReason::Mode);
    reasons
}

#[cfg(test)]
mod tests;

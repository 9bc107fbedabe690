//! Whether something may happen: yes, no, or a person decides.
//!
//! [`decide`] is a pure function of the plugin's [`Manifest`], the person's [`Rules`], the
//! session's [`Grants`] and one [`Request`]. Its answer is a [`Decision`]; where that is an
//! [`Ask`], a person's verdict goes to [`Grants::record`], and the request is decided again with
//! the verdict's [`Binding`] in [`Request::yes`].
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
//! To add a kind of request: a case of [`Want`], its declaration in `declared`, a case of
//! [`Target`], and rows in `policy/tests.rs`.

mod request;

mod traits;

mod rules;

mod ask;

mod grants;

mod decision;

mod file;

pub use ask::{Ask, Binding, Fact, Offer, Quote};
pub use decision::{Because, Decision, Ground, Need, Step};
pub use file::{Entry, Explanation, RuleId, RulesError, RulesFile, describe, explain};
pub use grants::{Grant, GrantId, Grants, Scope};
pub use request::{Assessment, Caller, Powers, Request, Want};
pub use rules::{
    AskMode, Build, Effect, InvalidPattern, Level, Pattern, Rule, Rules, Subject, Target,
};
pub use traits::{Audience, Leave, Traits};

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

    if !declared(manifest, &request.want) {
        return deny(Ground::Undeclared, manifest, request, trace, None);
    }
    trace.push(Step::Declared);

    if let Some(rule) = rules.denying(&manifest.id, request) {
        let rule = rule.to_string();
        return deny(Ground::Rule, manifest, request, trace, Some(rule));
    }
    trace.push(Step::NotDenied);

    if let Want::Call { traits, .. } = &request.want
        && !traits.audience.admits(request.caller)
    {
        return deny(Ground::Audience, manifest, request, trace, None);
    }
    // Authority is what the manifest, the rules AND the grants give. Of these kinds no grant can
    // be made yet, and no level or rule stands in for one.
    if !matches!(request.want, Want::Call { .. } | Want::Approval { .. }) {
        return deny(Ground::NotGranted, manifest, request, trace, None);
    }
    if rules.level == Level::Full && rules.ask != AskMode::Always {
        return allow(Because::Level, trace);
    }

    let needs = needs(manifest, rules, request);
    if needs.is_empty() {
        return allow(Because::Harmless, trace);
    }
    trace.extend(needs.iter().copied().map(Step::Need));

    if let Some(rule) = rules.allowing(&manifest.id, request, &needs) {
        return allow(Because::Rule(rule.to_string()), trace);
    }
    trace.push(Step::NoRule);

    if request.yes.is_some_and(|yes| yes.matches(request)) {
        return allow(Because::Verdict, trace);
    }
    // A need that insists on a person each time is not met by an earlier yes.
    let standing = !needs.iter().any(|need| need.insists());
    if let Some(grant) = grants.covering(request).filter(|_| standing) {
        return allow(Because::Grant(grant.id), trace);
    }
    trace.push(Step::NoGrant);

    if rules.ask == AskMode::Off {
        return deny(Ground::NeverAsk, manifest, request, trace, None);
    }
    if !request.reachable {
        return deny(Ground::Nobody, manifest, request, trace, None);
    }
    let ask = Box::new(Ask::new(manifest, request, needs));
    Decision::Ask { ask, trace }
}

fn allow(because: Because, mut trace: Vec<Step>) -> Decision {
    trace.push(Step::Allowed(because.clone()));
    Decision::Allow { because, trace }
}

fn deny(
    ground: Ground,
    manifest: &Manifest,
    request: &Request<'_>,
    mut trace: Vec<Step>,
    rule: Option<String>,
) -> Decision {
    let reason = ground.sentence(&manifest.id, request);
    trace.push(Step::Denied(ground, rule));
    Decision::Deny {
        ground,
        reason,
        trace,
    }
}

/// Whether the manifest speaks of it at all. A call's tool was found in the plugin's description
/// before anyone could ask about it: that is its declaration.
fn declared(manifest: &Manifest, want: &Want<'_>) -> bool {
    match *want {
        Want::Call { .. } => true,
        Want::Approval { action, .. } => manifest.approval(action).is_some(),
        Want::Net {
            method,
            scheme,
            host,
            port,
        } => manifest.net_rule(method, scheme, host, port).is_some(),
        Want::Folder { path, mode } => manifest.fs.iter().any(|folder| {
            folder.path == path && (folder.mode == Mode::ReadWrite || mode == Mode::ReadOnly)
        }),
        Want::Secret {
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
fn needs(manifest: &Manifest, rules: &Rules, request: &Request<'_>) -> Vec<Need> {
    let mut needs = Vec::new();
    let mut need = |when: bool, need: Need| {
        if when {
            needs.push(need);
        }
    };
    match &request.want {
        Want::Call { traits, assessment } => {
            let powers = &request.powers;
            need(powers.effectful(), Need::Effectful);
            need(traits.destructive, Need::Destructive);
            need(traits.approval == Leave::Always, Need::Insisted);
            match assessment {
                Assessment::None => {}
                Assessment::Concern { .. } => need(true, Need::Concern),
                Assessment::Failed => need(true, Need::Unassessed),
            }
            // A plugin that says it reaches out is taken at its word.
            let egress = powers.egress() || traits.open_world;
            need(
                request.tainted && powers.sensitive() && egress,
                Need::Tainted,
            );
        }
        Want::Approval { action, .. } => {
            need(true, Need::Requested);
            let once = manifest
                .approval(action)
                .is_none_or(|approval| approval.remember == [Remember::Once]);
            need(once, Need::OnceOnly);
        }
        Want::Net { .. } | Want::Folder { .. } | Want::Secret { .. } => {}
    }
    need(rules.level == Level::Deny, Need::Level);
    need(rules.ask == AskMode::Always, Need::Mode);
    needs
}

#[cfg(test)]
mod tests;

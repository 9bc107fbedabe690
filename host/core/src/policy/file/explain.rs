//! Explains why a request would be allowed, asked about or denied.
//!
//! Invariant: it decides nothing, and explains what [`decide`] returned.

use super::RulesFile;
use super::describe::{describe, short};
use super::entry::Entry;
use crate::policy::rules::{Build, Effect, Rule, Rules};
use crate::policy::{
    AllowReason, AskReason, Decision, DenyReason, Grants, Operation, Request, Step, decide,
};
use footlight_vocabulary::escape::escape_short;
use footlight_vocabulary::manifest::Manifest;
use std::fmt;

/// A decision and what led to it. Its `Display` is a few lines of text, the decision first.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The explained operation, such as `mail.draft`.
    pub what: String,
    /// The decision.
    pub decision: Decision,
    /// The rule that decided.
    pub rule: Option<Entry>,
    /// The reasons to ask a person, including those that a rule or grant overrides.
    pub reasons: Vec<AskReason>,
    /// Rules about the same operation that did not decide, each with the reason.
    pub others: Vec<(Entry, String)>,
}

/// Decides about a request and explains the decision.
#[must_use]
pub fn explain(
    manifest: &Manifest,
    file: &RulesFile,
    grants: &Grants,
    request: &Request<'_>,
) -> Explanation {
    let rules = file.rules();
    let decision = decide(manifest, rules, grants, request);
    let reasons = decision.trace().iter().filter_map(|step| match step {
        Step::PersonNeeded(need) => Some(*need),
        _ => None,
    });
    let reasons: Vec<AskReason> = reasons.collect();
    let rule = match &decision {
        Decision::Deny {
            reason: DenyReason::Rule,
            ..
        } => rules.denying(&manifest.id, request),
        Decision::Allow {
            reason: AllowReason::Rule(_),
            ..
        } => match reasons.as_slice() {
            // A power without a reason to ask was granted by a rule about the power.
            [] if request.is_power() => {
                rules.allowing(&manifest.id, request, &[AskReason::NotGranted])
            }
            reasons => rules.allowing(&manifest.id, request, reasons),
        },
        _ => None,
    };
    let rule = rule.and_then(|rule| file.entries().iter().find(|entry| entry.rule == *rule));
    // Other rules are worth mentioning only if one of them could have replaced the person.
    let is_missing =
        rule.is_none() && !matches!(decision, Decision::Allow { .. }) && !reasons.is_empty();
    let others = file
        .entries()
        .iter()
        .filter(|entry| is_missing && has_target(&entry.rule, manifest, request))
        .filter_map(|entry| {
            let why = why_not(&entry.rule, manifest, request, &reasons)?;
            Some((entry.clone(), why))
        })
        .collect();
    let what = match request.operation {
        Operation::Approval { action, .. } => {
            let action = escape_short(action, 64);
            format!("the action `{action}` of `{}`", manifest.id)
        }
        Operation::Net(net) => {
            let host = escape_short(&net.authority(), 64);
            format!("a {} request of `{}` to `{host}`", net.method, manifest.id)
        }
        Operation::Folder { path, .. } => {
            let path = escape_short(path, 64);
            format!("the folder `{path}` of `{}`", manifest.id)
        }
        Operation::Secret { name, .. } => {
            let name = escape_short(name, 64);
            format!("the secret `{name}` of `{}`", manifest.id)
        }
        Operation::Call { .. } => format!("`{}.{}`", manifest.id, escape_short(request.tool, 64)),
    };
    Explanation {
        what,
        decision,
        rule: rule.cloned(),
        reasons,
        others,
    }
}

/// Reports whether a rule covers this tool or action, for any build and subject.
fn has_target(rule: &Rule, manifest: &Manifest, request: &Request<'_>) -> bool {
    rule.target.matches(request) && rule.plugin == manifest.id
}

/// Returns why a rule about the same operation did not decide; none if it would have.
fn why_not(
    rule: &Rule,
    manifest: &Manifest,
    request: &Request<'_>,
    reasons: &[AskReason],
) -> Option<String> {
    if let Build::Digest(own) = &rule.build
        && own != request.digest
    {
        let (own, now) = (short(own), short(request.digest));
        return Some(format!("it is for the build {own}, and this is {now}"));
    }
    if rule.effect == Effect::Deny {
        return Some("it is about another subject".to_owned());
    }
    let alone = Rules {
        rules: vec![rule.clone()],
        ..Rules::default()
    };
    let overrides =
        |reasons: &[AskReason]| alone.allowing(&manifest.id, request, reasons).is_some();
    if !overrides(&[]) {
        return Some("it is about another subject".to_owned());
    }
    let reason = reasons.iter().find(|reason| !overrides(&[**reason]))?;
    Some(format!("it is not enough here: {reason}"))
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = &self.what;
        match &self.decision {
            Decision::Allow { .. } => write!(f, "{what} would be allowed")?,
            Decision::Ask { .. } => write!(f, "{what} would wait for your verdict")?,
            Decision::Deny { .. } => write!(f, "{what} would be denied")?,
        }
        match (&self.rule, &self.decision) {
            (Some(entry), _) => {
                let words = describe(&entry.rule);
                write!(f, "\nrule `{}`, line {}: {words}", entry.id, entry.line)?;
            }
            (None, Decision::Allow { trace, .. }) => {
                let last = trace.last().map(Step::to_string).unwrap_or_default();
                write!(f, "\n{last}")?;
            }
            (None, Decision::Deny { message, .. }) => write!(f, "\n{message}")?,
            (None, Decision::Ask { .. }) => {}
        }
        for reason in &self.reasons {
            write!(f, "\n{}", Step::PersonNeeded(*reason))?;
        }
        for (entry, why) in &self.others {
            let (id, line) = (entry.id, entry.line);
            write!(f, "\nrule `{id}`, line {line}, does not settle it: {why}")?;
        }
        Ok(())
    }
}

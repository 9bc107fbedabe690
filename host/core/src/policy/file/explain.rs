//! Why a request would be allowed, asked about or denied, for the person who laid down the rules.
//!
//! Invariant: it decides nothing. What it explains is what [`decide`] answered.

use super::RulesFile;
use super::describe::{describe, one_line, short};
use super::entry::Entry;
use crate::policy::rules::{Build, Effect, Rule, Rules, Target};
use crate::policy::{
    AllowReason, AskReason, Decision, DenyReason, Grants, Operation, Request, Step, decide,
};
use footlight_vocabulary::manifest::Manifest;
use std::fmt;

/// A decision and what led to it. Its `Display` is a few lines of text, the outcome first.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// What is explained, such as `mail.draft`.
    pub what: String,
    /// The decision.
    pub decision: Decision,
    /// The rule that decided it.
    pub rule: Option<Entry>,
    /// Why a person is needed, also where a rule or a grant makes up for it.
    pub needs: Vec<AskReason>,
    /// Rules that are about the same thing and yet did not decide, each with the reason.
    pub others: Vec<(Entry, String)>,
}

/// Decides about a request and says why.
#[must_use]
pub fn explain(
    manifest: &Manifest,
    file: &RulesFile,
    grants: &Grants,
    request: &Request<'_>,
) -> Explanation {
    let rules = file.rules();
    let decision = decide(manifest, rules, grants, request);
    let needs: Vec<AskReason> = decision
        .trace()
        .iter()
        .filter_map(|step| match step {
            Step::PersonNeeded(need) => Some(*need),
            _ => None,
        })
        .collect();
    let rule = match &decision {
        Decision::Deny {
            reason: DenyReason::Rule,
            ..
        } => rules.denying(&manifest.id, request),
        Decision::Allow {
            reason: AllowReason::Rule(_),
            ..
        } => rules.allowing(&manifest.id, request, &needs),
        _ => None,
    };
    let rule = rule.and_then(|rule| file.entries().iter().find(|entry| entry.rule == *rule));
    // Where no person is needed, or one said yes, no rule was missing.
    let missing =
        rule.is_none() && !matches!(decision, Decision::Allow { .. }) && !needs.is_empty();
    let others = file
        .entries()
        .iter()
        .filter(|entry| missing && is_about(&entry.rule, manifest, request))
        .filter_map(|entry| {
            let why = why_not(&entry.rule, manifest, request, &needs)?;
            Some((entry.clone(), why))
        })
        .collect();
    let what = match request.operation {
        Operation::Approval { action, .. } => {
            format!("the action `{}` of `{}`", one_line(action, 64), manifest.id)
        }
        _ => format!("`{}.{}`", manifest.id, one_line(request.tool, 64)),
    };
    Explanation {
        what,
        decision,
        rule: rule.cloned(),
        needs,
        others,
    }
}

/// Whether a rule is about this tool or action, of whichever build and subject.
fn is_about(rule: &Rule, manifest: &Manifest, request: &Request<'_>) -> bool {
    let target = match (&rule.target, &request.operation) {
        (Target::Tool(own), Operation::Call { .. }) => own.matches(request.tool),
        (Target::Action(own), Operation::Approval { action, .. }) => own.matches(action),
        _ => false,
    };
    target && rule.plugin == manifest.id
}

/// Why a rule about the same thing did not decide. None where it would have, had it come to that.
fn why_not(
    rule: &Rule,
    manifest: &Manifest,
    request: &Request<'_>,
    needs: &[AskReason],
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
    let lifts = |needs: &[AskReason]| alone.allowing(&manifest.id, request, needs).is_some();
    if !lifts(&[]) {
        return Some("it is about another subject".to_owned());
    }
    let need = needs.iter().find(|need| !lifts(&[**need]))?;
    Some(format!("it is not enough here: {need}"))
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
        for need in &self.needs {
            write!(f, "\na person is needed: {need}")?;
        }
        for (entry, why) in &self.others {
            let (id, line) = (entry.id, entry.line);
            write!(f, "\nrule `{id}`, line {line}, does not settle it: {why}")?;
        }
        Ok(())
    }
}

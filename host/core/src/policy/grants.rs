//! Approvals that are remembered for a session.
//!
//! [`Grants::record`] keeps what a verdict grants; [`decide`](super::decide) consults it. Nothing here
//! is written to disk: what lasts is a [`Rule`](super::Rule).
//!
//! Invariant: a grant covers exactly what the person was shown, in the session in which it was shown.
//! A denial and a single approval grant nothing.

use super::approval_request::ApprovalRequest;
use super::decision::{AskReason, Step};
use super::request::Request;
use super::rules::{FolderBinding, Rule, Target};
use footlight_vocabulary::item::{SessionId, Verdict};
use std::collections::BTreeMap;
use std::fmt;

/// The grants of all sessions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grants {
    by_session: BTreeMap<SessionId, Vec<Grant>>,
    last_id: u64,
}

/// A remembered approval.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grant {
    /// The id by which it is revoked.
    pub id: GrantId,
    /// The session it belongs to.
    pub session: SessionId,
    /// The person of that session.
    pub person: String,
    /// What it covers.
    pub scope: Scope,
    /// The scope in the words the person was shown.
    pub covers: String,
    /// Why a person had to decide, which the grant settles.
    pub reasons: Vec<AskReason>,
    /// The rule to write if the verdict was `always`. Revoking the grant does not remove the rule.
    pub rule: Option<Rule>,
}

impl Grant {
    /// Says why a person was needed, in the words of [`explain`](super::explain): a line for each reason.
    #[must_use]
    pub fn why(&self) -> Vec<String> {
        let steps = self.reasons.iter().copied().map(Step::PersonNeeded);
        steps.map(|step| step.to_string()).collect()
    }
}

/// The id of a grant, never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GrantId(u64);

impl fmt::Display for GrantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "grant {}", self.0)
    }
}

impl GrantId {
    /// Returns the id as a number, for a person to type.
    #[must_use]
    pub fn number(self) -> u64 {
        self.0
    }
}

impl From<u64> for GrantId {
    fn from(number: u64) -> Self {
        Self(number)
    }
}

/// What a grant covers: one tool, action or power of one build of a plugin, and if the plugin named
/// a subject, that subject only.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Scope {
    /// The digest of the plugin's bytes.
    pub digest: String,
    /// The tool, the action or the power.
    pub target: Target,
    /// The subject. Without one, only calls that raise no concern are covered.
    pub subject: Option<String>,
    /// The folder of the machine that a guest path is bound to.
    pub folder: Option<FolderBinding>,
}

impl Scope {
    fn covers(&self, request: &Request<'_>) -> bool {
        self.digest == request.digest
            && self.target.matches(request)
            && self.subject.as_deref() == request.subject()
    }
}

impl Grants {
    /// Records what a verdict grants: nothing for a denial or a single approval. A verdict that was not
    /// offered is [narrowed](ApprovalRequest::narrowed) first. A verdict on a folder binds `folder`.
    pub fn record(
        &mut self,
        request: &ApprovalRequest,
        verdict: Verdict,
        folder: Option<&FolderBinding>,
    ) -> Option<Grant> {
        let verdict = request.narrowed(verdict);
        if matches!(verdict, Verdict::Deny | Verdict::Once) {
            return None;
        }
        let option = request
            .options
            .iter()
            .find(|option| option.verdict == verdict)?;
        let scopes = request.scopes(folder);
        let mut rules = option.rules(folder).into_iter();
        let mut recorded = scopes.into_iter().map(|scope| {
            let rule = rules.next();
            self.add(request, scope, &option.covers, rule)
        });
        let first = recorded.next();
        recorded.for_each(drop);
        first
    }

    fn add(
        &mut self,
        request: &ApprovalRequest,
        scope: Scope,
        covers: &str,
        rule: Option<Rule>,
    ) -> Grant {
        let binding = &request.binding;
        let grants = self.by_session.entry(binding.session.clone()).or_default();
        // Two parallel calls can request the same. The second approval extends the first grant.
        let known = grants.iter_mut().find(|grant| grant.scope == scope);
        if let Some(grant) = known {
            if rule.is_some() {
                grant.rule = rule;
                covers.clone_into(&mut grant.covers);
            }
            return grant.clone();
        }
        self.last_id += 1;
        let grant = Grant {
            id: GrantId(self.last_id),
            session: binding.session.clone(),
            person: binding.person.clone(),
            scope,
            covers: covers.to_owned(),
            reasons: request.reasons.clone(),
            rule,
        };
        grants.push(grant.clone());
        grant
    }

    /// Returns all grants, ordered by session and then by when they were given.
    pub fn list(&self) -> impl Iterator<Item = &Grant> {
        self.by_session.values().flatten()
    }

    /// Returns the grants of one session, in the order they were given.
    #[must_use]
    pub fn of(&self, session: &SessionId) -> &[Grant] {
        self.by_session.get(session).map_or(&[], Vec::as_slice)
    }

    /// Revokes a grant and returns it; none if there is no such grant.
    pub fn revoke(&mut self, id: GrantId) -> Option<Grant> {
        self.by_session.values_mut().find_map(|grants| {
            let at = grants.iter().position(|grant| grant.id == id)?;
            Some(grants.remove(at))
        })
    }

    /// Removes the grants of a session that has ended.
    pub fn forget(&mut self, session: &SessionId) {
        self.by_session.remove(session);
    }

    /// Returns the grant that covers a request.
    pub(super) fn covering(&self, request: &Request<'_>) -> Option<&Grant> {
        let mut grants = self.of(request.session).iter();
        grants.find(|grant| grant.person == request.person && grant.scope.covers(request))
    }
}

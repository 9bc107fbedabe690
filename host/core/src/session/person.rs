//! One person on a host, across all of their sessions.
//!
//! A server that knows who a client is hands out a [`Person`], and the client reaches nothing of
//! anybody else: what belongs to another person is answered like what does not exist.

use super::open::person_key;
use super::replies::{MaySettle, Replier};
use super::settings::{PersonScope, reply_name};
use super::{ResumeError, Session, Settings, SettleError};
use crate::call::stage::now;
use crate::call::{Call, run};
use crate::host::{CallRequest, Host, LOCAL_PERSON};
use crate::policy::{Caller, Grant, GrantId, Rules};
use crate::store::{Batch, OutputRow, RequestRow, SessionRow, StoreError, alias};
use crate::sync::lock;
use footlight_vocabulary::item::{ItemId, RequestId, SessionId, Verdict};
use serde_json::Value;
use std::time::Duration;

/// The owner that a session is claimed for while its title changes, and for how long at most.
const RENAME: &str = "rename";
const RENAME_LEASE: Duration = Duration::from_secs(5);

/// One person on a host: reaches what belongs to this person, and nothing else.
///
/// A server makes one for each client that has signed in, with [`Host::person`]. Sessions, requests and
/// outputs of others look as if they were not there.
#[derive(Debug, Clone)]
pub struct Person {
    host: Host,
    name: String,
    /// The name on receipts of what this handle replies.
    by: Option<String>,
}

impl Host {
    /// Returns a handle to what belongs to a person, by the name in
    /// [`Settings::person`](field@Settings::person).
    #[must_use]
    pub fn person(&self, name: impl Into<String>) -> Person {
        let name = name.into();
        Person {
            host: self.clone(),
            by: reply_name(&name),
            name,
        }
    }
}

impl Person {
    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names the surface at which this person replies, such as `http`: receipts and whoever else
    /// follows the session show both.
    #[must_use]
    pub fn via(mut self, surface: &str) -> Self {
        self.by = Some(format!("{} via {surface}", self.name));
        self
    }

    /// Starts a session of this person, as [`Host::session`] does.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn session(&self, settings: Settings) -> Result<Session, StoreError> {
        self.host.session(settings.person(&self.name)).await
    }

    /// Opens a session of this person, as [`Host::resume`] does.
    ///
    /// # Errors
    /// When this person has no session with this id, or the store fails.
    pub async fn resume(&self, id: &SessionId, settings: Settings) -> Result<Session, ResumeError> {
        self.host.resume(id, settings.person(&self.name)).await
    }

    /// Calls a tool for this person outside of any session, as [`Host::call`] does for the local one. The
    /// plugin finds the person's state, and the person's rules and secrets apply. What is granted for the
    /// session lasts as long as the host. Questions and approval requests of the call are its events, and
    /// settled with [`Host::answer`] and [`Host::decide`].
    ///
    /// # Errors
    /// When the store fails.
    pub async fn call(&self, function: &str, input: Value) -> Result<Call, StoreError> {
        let host = &self.host;
        let person = match self.name == LOCAL_PERSON {
            true => None,
            false => {
                let key = person_key(&**host.store(), &self.name).await?;
                let own = host.session_id().as_str();
                Some(PersonScope {
                    session: format!("{own}_{}", alias(&key, own)).into(),
                    name: self.name.clone(),
                    key,
                })
            }
        };
        let request = CallRequest {
            caller: Caller::Direct,
            function,
            input,
            session: None,
            person,
            call: None,
            attended: host.0.attended,
            first_number: 1,
        };
        Ok(run::start(host, request))
    }

    /// Proposes a folder of the machine to this person, as [`Host::offer_folder`] does to the local one.
    pub fn offer_folder(&self, plugin: &str, guest_path: &str, folder: &str) {
        let offers = &self.host.0.folders;
        offers.offer(&self.name, plugin, guest_path, folder);
    }

    /// Returns up to `limit` sessions, the most recently used first: from the beginning, or from the
    /// one that follows `after`, which is the last row of the page before.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sessions(
        &self,
        after: Option<&SessionRow>,
        limit: usize,
    ) -> Result<Vec<SessionRow>, StoreError> {
        let after = after.map(|row| (row.updated, &row.id));
        let store = self.host.store();
        store.sessions_of(&self.name, after, limit).await
    }

    /// Returns a session of this person without its contents.
    ///
    /// # Errors
    /// When this person has no session with this id, or the store fails.
    pub async fn session_row(&self, id: &SessionId) -> Result<SessionRow, StoreError> {
        let row = self.host.store().session(id).await?;
        match row.person == self.name {
            true => Ok(row),
            false => Err(StoreError::NoSession(id.clone())),
        }
    }

    /// Gives a session of this person another title.
    ///
    /// # Errors
    /// When this person has no session with this id, a turn of it is running, or the store fails.
    pub async fn rename(&self, id: &SessionId, title: String) -> Result<(), StoreError> {
        self.session_row(id).await?;
        let store = self.host.store();
        let lease = store.claim(id, RENAME, RENAME_LEASE).await?;
        let batch = Batch {
            title: Some(title),
            at: now(),
            ..Batch::default()
        };
        let committed = store.commit(&lease, batch).await;
        store.release(&lease).await?;
        committed.map(drop)
    }

    /// Deletes a session of this person with everything that belongs to it.
    ///
    /// # Errors
    /// When this person has no session with this id, a turn of it is running, or the store fails.
    pub async fn delete(&self, id: &SessionId) -> Result<(), StoreError> {
        self.session_row(id).await?;
        self.host.store().delete(id).await
    }

    /// Returns the pending requests, oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn pending(&self) -> Result<Vec<RequestRow>, StoreError> {
        self.host.store().pending_of(&self.name).await
    }

    /// Answers a pending question: with a value for its only field, or with an object of values. The
    /// answer is stored for whichever process waits for it, except a secret, which goes to the waiting
    /// call directly, and so only while its turn runs on this host.
    ///
    /// # Errors
    /// When no question of this person is pending under this id, the answer does not fit it, or it is a
    /// secret that another process waits for ([`SettleError::Secret`]).
    pub async fn answer(&self, id: &RequestId, value: Value) -> Result<(), SettleError> {
        let replier = self.replier();
        let refused = match replier.answer(id, value.clone()).await {
            Err(refused @ SettleError::Secret) => refused,
            settled => return settled,
        };
        let request = self.host.store().request(id).await?;
        let session = request.and_then(|request| self.host.0.sessions.get(&request.session));
        match session {
            Some(session) => session.answer(&replier, id, value).await,
            None => Err(refused),
        }
    }

    /// Skips a pending question.
    ///
    /// # Errors
    /// When no question of this person is pending under this id.
    pub async fn skip(&self, id: &RequestId) -> Result<(), SettleError> {
        self.replier().skip(id).await
    }

    /// Decides a pending approval request, with words for the model. A request for a folder can be
    /// denied, or accepted with the folder that it offers.
    ///
    /// # Errors
    /// When no approval request of this person is pending under this id, or it does not offer this
    /// verdict.
    pub async fn decide(
        &self,
        id: &RequestId,
        verdict: Verdict,
        words: Option<String>,
    ) -> Result<(), SettleError> {
        self.replier().decide(id, verdict, words, None).await
    }

    /// Returns the content of an output, or `None` if it is unknown, has expired, or the session is
    /// not one of this person.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn output(
        &self,
        session: &SessionId,
        id: &ItemId,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let store = self.host.store();
        match store.session(session).await {
            Err(StoreError::NoSession(_)) => return Ok(None),
            row if row.as_ref().is_ok_and(|row| row.person != self.name) => return Ok(None),
            row => row?,
        };
        store.read_output(session, id, 0, usize::MAX, now()).await
    }

    /// Returns an output by its id alone, without its content, or `None` if it is unknown, has expired,
    /// or no session of this person has it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn output_row(&self, id: &ItemId) -> Result<Option<OutputRow>, StoreError> {
        self.host.store().output_of(&self.name, id, now()).await
    }

    /// Returns the live grants.
    #[must_use]
    pub fn grants(&self) -> Vec<Grant> {
        let mut grants = self.host.grants();
        grants.retain(|grant| grant.person == self.name);
        grants
    }

    /// Revokes a grant of this person and returns it.
    pub fn revoke(&self, grant: GrantId) -> Option<Grant> {
        let mut grants = lock(&self.host.0.policy.grants);
        let is_own = |known: &Grant| known.id == grant && known.person == self.name;
        let found = grants.list().any(is_own);
        found.then(|| grants.revoke(grant))?
    }

    /// Replaces the person's rules, as [`Host::set_rules`] does.
    pub fn set_rules(&self, rules: Rules) {
        self.host.set_rules(&self.name, rules);
    }

    fn replier(&self) -> Replier<'_> {
        Replier {
            store: &**self.host.store(),
            may_settle: MaySettle::Person(&self.name),
            by: self.by.clone(),
        }
    }
}

//! Opening sessions. A host has at most one open session under an id, and so one driver: whoever
//! opens it again gets a handle to the same one.
//!
//! A session is open while a [`Session`] or a running turn holds it. Grants belong to the open session
//! and end with it.

use super::state::SessionState;
use super::{Followers, Session, SessionInner, Settings, mint};
use crate::call::stage::now;
use crate::host::{HOST_ID, Host, LOCAL_PERSON};
use crate::store::{Bucket, BucketLimits, Expected, SessionRow, Snapshot, Store, StoreError};
use crate::sync::lock;
use footlight_vocabulary::item::{SessionId, TurnId};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, Weak};

/// Why a stored session was not opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The session belongs to another person than the [settings](field@Settings::person) name.
    #[error("the session `{0}` belongs to another person")]
    OtherPerson(SessionId),
    /// There is no session with this id, or the store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for ResumeError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The key in the host's own bucket of a person under which the person's aliases are kept.
const ALIAS_KEY: &str = "alias";

/// What the alias of the local person is made of. It was the same before people were told apart.
pub(crate) const LOCAL_PERSON_KEY: &str = "person";

/// Returns what plugins' aliases of a person are made of: a random text that is stored with the
/// person's state, so that no plugin can find out a name by trying names.
pub(super) async fn person_key(store: &dyn Store, person: &str) -> Result<Arc<str>, StoreError> {
    if person == LOCAL_PERSON {
        return Ok(LOCAL_PERSON_KEY.into());
    }
    let bucket = Bucket::of_person(person, HOST_ID);
    let known = store.state(&bucket, ALIAS_KEY).await?;
    if let Some(known) = known {
        return Ok(known.into());
    }
    let room = BucketLimits {
        bytes: 1 << 10,
        values: 8,
    };
    let new = Value::from(mint("person")).to_string();
    let set = store.set_state(&bucket, ALIAS_KEY, Some(new), Expected::Absent, room);
    // Another process may have been first: what is stored counts.
    set.await?
        .map_err(|full| StoreError::failed(full.to_string()))?;
    let stored = store.state(&bucket, ALIAS_KEY).await?;
    let missing = || StoreError::failed("the store has lost what was just written to it");
    Ok(stored.ok_or_else(missing)?.into())
}

/// The open sessions of a host.
#[derive(Default)]
pub(crate) struct OpenSessions(Mutex<HashMap<SessionId, Weak<SessionInner>>>);

impl OpenSessions {
    pub(super) fn get(&self, id: &SessionId) -> Option<Arc<SessionInner>> {
        lock(&self.0).get(id)?.upgrade()
    }

    /// Returns all that are open.
    pub(super) fn all(&self) -> Vec<Arc<SessionInner>> {
        lock(&self.0).values().filter_map(Weak::upgrade).collect()
    }

    /// Removes a session that was dropped, and reports whether no other is open under its id.
    fn remove_dropped(&self, id: &SessionId) -> bool {
        let mut sessions = lock(&self.0);
        let is_dropped = |open: &Weak<SessionInner>| open.strong_count() == 0;
        let is_closed = sessions.get(id).is_none_or(is_dropped);
        if is_closed {
            sessions.remove(id);
        }
        is_closed
    }
}

impl Host {
    /// Starts a new session.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn session(&self, settings: Settings) -> Result<Session, StoreError> {
        let mut row = SessionRow::new(SessionId::from(mint("ses")), now());
        row.person.clone_from(&settings.person);
        row.meta.clone_from(&settings.meta);
        let id = row.id.clone();
        self.store().create(row).await?;
        match self.resume(&id, settings).await {
            Err(ResumeError::Store(error)) => Err(error),
            // Its id is random: nobody else has created it.
            Err(ResumeError::OtherPerson(id)) => Err(StoreError::NoSession(id)),
            Ok(session) => Ok(session),
        }
    }

    /// Opens a stored session. If it is open already, the returned handle shares it: the record, the
    /// running turn and the followers are the same. The settings are those of the handle, and apply to
    /// the turns and replies that are made through it.
    ///
    /// # Errors
    /// When there is no session with this id, it belongs to another
    /// [person](field@Settings::person), or the store fails.
    pub async fn resume(&self, id: &SessionId, settings: Settings) -> Result<Session, ResumeError> {
        self.start_sweeping();
        let open = self.0.sessions.get(id);
        let known = open.as_ref().and_then(|open| open.first_turn());
        let snapshot = match self.store().open(id).await {
            Err(error @ StoreError::NoSession(_)) => {
                self.forget_grants(id);
                return Err(error.into());
            }
            snapshot => snapshot?,
        };
        if snapshot.session.person != settings.person {
            return Err(ResumeError::OtherPerson(id.clone()));
        }
        let person_key = person_key(&**self.store(), &settings.person).await?;
        // A session that was deleted and created again under the same id is another session.
        let deleted = open.filter(|open| {
            let first = snapshot.turns.first().map(|turn| &turn.id);
            known.is_some() && known.as_ref() != first || open.person_key != person_key
        });
        let inner = self.open(id, snapshot, person_key, deleted.as_ref());
        let settings = Arc::new(settings);
        Ok(Session { inner, settings })
    }

    /// Returns the open session, or opens it. `deleted` is an open session that no longer exists.
    fn open(
        &self,
        id: &SessionId,
        snapshot: Snapshot,
        person_key: Arc<str>,
        deleted: Option<&Arc<SessionInner>>,
    ) -> Arc<SessionInner> {
        let mut sessions = lock(&self.0.sessions.0);
        let open = sessions.get(id).and_then(Weak::upgrade);
        let is_deleted =
            |open: &Arc<SessionInner>| deleted.is_some_and(|deleted| Arc::ptr_eq(open, deleted));
        // Dropping the last handle to a session locks the table.
        let (open, _deleted) = match open {
            Some(open) if is_deleted(&open) => (None, Some(open)),
            open => (open, None),
        };
        if let Some(open) = open {
            drop(sessions);
            open.refresh(snapshot);
            return open;
        }
        let (seq, tainted) = (snapshot.seq, snapshot.session.tainted);
        let inner = Arc::new(SessionInner {
            host: self.clone(),
            store: Arc::clone(self.store()),
            id: id.clone(),
            person_key,
            tainted: Arc::new(tainted.into()),
            state: Mutex::new(SessionState::new(snapshot)),
            followers: Mutex::new(Followers::new(seq)),
            running: Mutex::default(),
            secrets: Default::default(),
            gates: Mutex::default(),
        });
        sessions.insert(id.clone(), Arc::downgrade(&inner));
        drop(sessions);
        self.forget_grants(id);
        inner
    }

    pub(super) fn forget_grants(&self, id: &SessionId) {
        lock(&self.0.policy.grants).forget(id);
    }
}

impl SessionInner {
    /// Notes what is stored: once a session is tainted, it stays so.
    pub(super) fn note_taint(&self, tainted: bool) {
        self.tainted.fetch_or(tainted, Ordering::Relaxed);
    }

    /// Returns the id of the first turn. It is random, so it tells a session from a later one with the
    /// same id.
    fn first_turn(&self) -> Option<TurnId> {
        self.state().turns.first().map(|turn| turn.id.clone())
    }

    /// Takes over what another process has written, unless a turn is running.
    fn refresh(&self, snapshot: Snapshot) {
        self.note_taint(snapshot.session.tainted);
        let running = lock(&self.running);
        let mut state = self.state();
        if running.is_none() && snapshot.seq > state.seq {
            *state = SessionState::new(snapshot);
        }
    }
}

impl Drop for SessionInner {
    fn drop(&mut self) {
        if self.host.0.sessions.remove_dropped(&self.id) {
            self.host.forget_grants(&self.id);
        }
    }
}

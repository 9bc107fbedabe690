//! Opening sessions. A host has at most one open session under an id, and so one driver: whoever
//! opens it again gets a handle to the same one.
//!
//! A session is open while a [`Session`] or a running turn holds it. Grants belong to the open session
//! and end with it.

use super::state::SessionState;
use super::{Followers, Session, SessionInner, Settings, mint};
use crate::call::stage::now;
use crate::host::Host;
use crate::store::{SessionRow, Snapshot, StoreError};
use crate::sync::lock;
use footlight_vocabulary::item::{SessionId, TurnId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

/// The open sessions of a host.
#[derive(Default)]
pub(crate) struct OpenSessions(Mutex<HashMap<SessionId, Weak<SessionInner>>>);

impl OpenSessions {
    fn get(&self, id: &SessionId) -> Option<Arc<SessionInner>> {
        lock(&self.0).get(id)?.upgrade()
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
        row.meta.clone_from(&settings.meta);
        let id = row.id.clone();
        self.store().create(row).await?;
        self.resume(&id, settings).await
    }

    /// Opens a stored session. If it is open already, the returned handle shares it: the record, the
    /// running turn and the followers are the same. The settings are those of the handle, and apply to
    /// the turns and replies that are made through it.
    ///
    /// # Errors
    /// When there is no session with this id, or the store fails.
    pub async fn resume(&self, id: &SessionId, settings: Settings) -> Result<Session, StoreError> {
        self.start_sweeping();
        let open = self.0.sessions.get(id);
        let known = open.as_ref().and_then(|open| open.first_turn());
        let snapshot = match self.store().open(id).await {
            Err(error @ StoreError::NoSession(_)) => {
                self.forget_grants(id);
                return Err(error);
            }
            snapshot => snapshot?,
        };
        // A session that was deleted and created again under the same id is another session.
        let deleted = open.filter(|_| {
            let first = snapshot.turns.first().map(|turn| &turn.id);
            known.is_some() && known.as_ref() != first
        });
        let inner = self.open(id, snapshot, deleted.as_ref());
        let settings = Arc::new(settings);
        Ok(Session { inner, settings })
    }

    /// Returns the open session, or opens it. `deleted` is an open session that no longer exists.
    fn open(
        &self,
        id: &SessionId,
        snapshot: Snapshot,
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
        let seq = snapshot.seq;
        let inner = Arc::new(SessionInner {
            host: self.clone(),
            store: Arc::clone(self.store()),
            id: id.clone(),
            state: Mutex::new(SessionState::new(snapshot)),
            followers: Mutex::new(Followers::new(seq)),
            cancel: Mutex::default(),
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
    /// Returns the id of the first turn. It is random, so it tells a session from a later one with the
    /// same id.
    fn first_turn(&self) -> Option<TurnId> {
        self.state().turns.first().map(|turn| turn.id.clone())
    }

    /// Takes over what another process has written, unless a turn is running.
    fn refresh(&self, snapshot: Snapshot) {
        let running = lock(&self.cancel);
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

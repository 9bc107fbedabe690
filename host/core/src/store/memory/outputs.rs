//! Outputs in memory.

use crate::store::validate;
use crate::store::{OutputRow, Quota, StoreError};
use footlight_vocabulary::item::{CallId, ItemId, SessionId, Timestamp};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(super) struct Outputs {
    pub(super) quota: Quota,
    outputs: BTreeMap<(SessionId, ItemId), StoredOutput>,
}

#[derive(Debug)]
struct StoredOutput {
    row: OutputRow,
    content: Vec<u8>,
    kept: bool,
}

impl Outputs {
    pub(super) fn put(&mut self, row: OutputRow, content: Vec<u8>) -> Result<(), StoreError> {
        validate::to_json("the output", &row)?;
        let key = (row.session.clone(), row.id.clone());
        if let Some(held) = self.outputs.get(&key)
            && (held.kept || held.row.call != row.call)
        {
            return Err(validate::output_exists(&row));
        }
        let (mut session, mut total) = (0, 0);
        for (other, held) in &self.outputs {
            if *other != key && held.row.expires > row.created {
                total += held.row.size;
                session += if other.0 == key.0 { held.row.size } else { 0 };
            }
        }
        validate::check_quota(self.quota, row.size, session, total)?;
        let output = StoredOutput {
            row,
            content,
            kept: false,
        };
        self.outputs.insert(key, output);
        Ok(())
    }

    pub(super) fn read(
        &self,
        session: &SessionId,
        id: &ItemId,
        offset: u64,
        length: usize,
        now: Timestamp,
    ) -> Option<Vec<u8>> {
        let output = self.outputs.get(&(session.clone(), id.clone()))?;
        if output.row.expires <= now {
            return None;
        }
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = output.content.get(offset..).unwrap_or_default();
        Some(rest.get(..length).unwrap_or(rest).to_vec())
    }

    pub(super) fn outputs(&self, session: Option<&SessionId>, now: Timestamp) -> Vec<OutputRow> {
        let rows = self.outputs.values().map(|output| &output.row);
        let wanted = rows.filter(|row| {
            row.expires > now && session.is_none_or(|session| row.session == *session)
        });
        let mut rows: Vec<OutputRow> = wanted.cloned().collect();
        rows.sort_by(|a, b| (a.created, &a.id, &a.session).cmp(&(b.created, &b.id, &b.session)));
        rows
    }

    pub(super) fn keep(&mut self, session: &SessionId, calls: &[CallId]) {
        for output in self.outputs.values_mut() {
            output.kept |= output.row.session == *session && calls.contains(&output.row.call);
        }
    }

    pub(super) fn drop_calls(&mut self, session: &SessionId, calls: &[CallId]) {
        self.outputs.retain(|_, output| {
            output.kept || output.row.session != *session || !calls.contains(&output.row.call)
        });
    }

    pub(super) fn forget(&mut self, session: &SessionId) {
        self.outputs.retain(|(owner, _), _| owner != session);
    }

    /// Deletes expired outputs. Returns their bytes and their sessions.
    pub(super) fn sweep(&mut self, now: Timestamp) -> (u64, Vec<SessionId>) {
        let (mut freed, mut sessions) = (0, Vec::new());
        self.outputs.retain(|(session, _), output| {
            let stays = output.row.expires > now;
            if !stays {
                freed += output.row.size;
                sessions.push(session.clone());
            }
            stays
        });
        (freed, sessions)
    }

    /// Reports whether a session has an output.
    pub(super) fn has_any(&self, session: &SessionId) -> bool {
        self.outputs.keys().any(|(owner, _)| owner == session)
    }
}

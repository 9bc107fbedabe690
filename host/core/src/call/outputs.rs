//! Outputs: content that plugins store for the person and that the model does not see.
//!
//! An output is removed from the store when it expires and when its call fails. A session settles the
//! outputs of its calls; [`settle`] does so for calls without a session.

use crate::call::stage::{Stage, now};
use crate::sandbox::limits::Caps;
use crate::store::{Batch, OutputRow, SessionRow, Store, StoreError};
use footlight_vocabulary::item::{
    CallId, Content, Output, OutputKind, SessionId, Timestamp, output_id,
};
use serde_json::{Map, Value};
use std::time::Duration;

/// How long an output is kept, unless the person sets another time.
pub(crate) const LIFETIME: Duration = Duration::from_secs(30 * 60);

/// How long the host's own session is claimed for, to settle the outputs of a call.
const LEASE: Duration = Duration::from_secs(30);

/// Stores an output. A session of the host's own, which a person's calls without a session belong to, is
/// created on demand.
pub(crate) async fn store(
    store: &dyn Store,
    person: &str,
    output: OutputRow,
    content: Vec<u8>,
) -> Result<(), StoreError> {
    match store.put_output(output.clone(), content.clone()).await {
        Err(StoreError::NoSession(id)) => {
            // Another call may have created it meanwhile; the second try reports any other error.
            let _ = store.create(own_session(id, person)).await;
            store.put_output(output, content).await
        }
        done => done,
    }
}

fn own_session(id: SessionId, person: &str) -> SessionRow {
    let mut row = SessionRow::new(id, now());
    person.clone_into(&mut row.person);
    row.title = "(calls without a session)".to_owned();
    row
}

/// Keeps or removes the outputs of a call without a session.
pub(crate) async fn settle(store: &dyn Store, session: &SessionId, call: &CallId, keep: bool) {
    let settled = async {
        let lease = store.claim(session, "call", LEASE).await?;
        let mut batch = Batch {
            at: now(),
            ..Batch::default()
        };
        let calls = if keep {
            &mut batch.keep_outputs
        } else {
            &mut batch.drop_calls
        };
        calls.push(call.clone());
        store.commit(&lease, batch).await?;
        store.release(&lease).await
    };
    if let Err(error) = settled.await {
        // The outputs expire anyway.
        tracing::warn!(%error, "the outputs of a call could not be settled");
    }
}

impl Stage {
    /// Counts an output; returns `false` when there are too many.
    pub(crate) fn count_output(&self) -> bool {
        let record = &mut *self.record();
        record.outputs += 1;
        record.outputs <= Caps::OUTPUTS
    }

    /// Counts bytes of an output; returns `false` when the quota is exceeded.
    pub(crate) fn charge_output(&self, bytes: usize) -> bool {
        let record = &mut *self.record();
        record.output_bytes += bytes as u64;
        record.output_bytes <= self.manifest.limits.output
    }

    /// Returns the row of an output that is about to be stored.
    pub(crate) fn output_row(
        &self,
        title: String,
        kind: String,
        mime_type: String,
        size: u64,
        meta: Option<Value>,
    ) -> OutputRow {
        let created = now();
        let life = i64::try_from(self.output_lifetime.as_millis()).unwrap_or(i64::MAX);
        OutputRow {
            id: output_id(created, random()),
            session: self.session.clone(),
            plugin: self.manifest.id.clone(),
            call: self.call.clone(),
            title,
            kind,
            mime_type,
            size,
            created,
            expires: Timestamp::from_millis(created.millis().saturating_add(life)),
            meta,
        }
    }

    /// Adds a stored output to the record and returns its id.
    pub(crate) fn add_output(&self, row: OutputRow) -> String {
        let output = Output {
            call: row.call,
            title: row.title,
            kind: OutputKind::from(row.kind.as_str()),
            mime_type: row.mime_type,
            size: row.size,
            expires: row.expires,
            meta: row.meta,
            extra: Map::new(),
        };
        let record = &mut *self.record();
        record.stored += 1;
        self.put(record, row.id, Content::Output(output))
            .as_str()
            .to_owned()
    }

    /// Reports whether an output was stored.
    pub(crate) fn has_stored(&self) -> bool {
        self.record().stored > 0
    }
}

/// Returns a random number for an id that cannot be guessed.
pub(crate) fn random() -> u64 {
    let mut bytes = [0; 8];
    // Without randomness the id is still unique by its time, but easier to guess.
    let _ = getrandom::fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

//! Stored content: what plugins show that the model does not see.
//!
//! The content lies in the store. It goes when its time is up and when the call that stored it comes
//! to nothing; a call of a session is settled by that session, any other by [`settle`].

use crate::call::stage::now;
use crate::store::{Batch, OutputRow, SessionRow, Store, StoreError};
use footlight_vocabulary::item::{CallId, SessionId};
use serde_json::Map;
use std::time::Duration;

/// How long an output stays.
pub(crate) const LIFE: Duration = Duration::from_secs(30 * 60);

/// Stores an output, also of a session that the store has not heard of: a call without a loop has one
/// all the same.
pub(crate) async fn store(
    store: &dyn Store,
    output: OutputRow,
    content: Vec<u8>,
) -> Result<(), StoreError> {
    match store.put_output(output.clone(), content.clone()).await {
        Err(StoreError::NoSession(id)) => {
            // Another call may have made it meanwhile; then the second try says what is wrong.
            let _ = store.create(ambient(id)).await;
            store.put_output(output, content).await
        }
        done => done,
    }
}

fn ambient(id: SessionId) -> SessionRow {
    SessionRow {
        id,
        created: now(),
        updated: now(),
        title: String::new(),
        turns: 0,
        meta: Map::new(),
    }
}

/// Keeps what a call without a loop has stored, or takes it away.
pub(crate) async fn settle(store: &dyn Store, session: &SessionId, call: &CallId, keep: bool) {
    let settled = async {
        let lease = store.claim(session, "call", LIFE).await?;
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
        // They go in half an hour, whatever becomes of this.
        tracing::warn!(%error, "the outputs of a call could not be settled");
    }
}

/// For an id that nobody can guess.
pub(crate) fn random() -> u64 {
    let mut bytes = [0; 8];
    // Without randomness an id is still unique by its time; it is only easier to guess.
    let _ = getrandom::fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

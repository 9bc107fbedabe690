//! Checks and rules that all stores share.
//!
//! Invariant: what is written can be read. A value may nest deeper than the parser allows, and an item
//! made by hand may not parse as one, so each row is parsed once before it is stored.

use super::{
    Batch, BucketFullError, BucketLimits, DetailedError, Expected, Lease, OutputRow, Quota, Reply,
    RequestRow, SettleOutcome, StoreError,
};
use footlight_vocabulary::event::{Event, EventBody};
use footlight_vocabulary::item::{SessionId, TurnId, is_output_id};
use footlight_vocabulary::json;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Serializes a row, and checks that it can be parsed again.
pub(super) fn to_json<T: Serialize + DeserializeOwned>(
    what: &str,
    row: &T,
) -> Result<String, StoreError> {
    let json = serde_json::to_string(row);
    json.and_then(|json| serde_json::from_str::<T>(&json).map(|_| json))
        .map_err(|error| {
            let message = format!("{what} cannot be stored, since it could not be read again");
            StoreError::failed(DetailedError::new(message, error))
        })
}

/// Returns the events of a batch as they follow `seq` in the log, with their JSON.
pub(super) fn log_events(
    lease: &Lease,
    batch: &Batch,
    seq: u64,
    last: Option<TurnId>,
) -> Result<Vec<(Event, String)>, StoreError> {
    if batch.events.is_empty() {
        return Ok(Vec::new());
    }
    let of_batch = || batch.turns.last().map(|turn| turn.id.clone());
    let turn = batch.turn.clone().or_else(of_batch).or(last);
    let turn =
        turn.ok_or_else(|| StoreError::failed("an event needs a turn, and the session has none"))?;
    let event = |(what, seq): (&EventBody, u64)| {
        if matches!(what, EventBody::Put { rev, .. } if i64::try_from(*rev).is_err()) {
            return Err(StoreError::failed(
                "the revision of an item is too large to be stored",
            ));
        }
        let event = Event {
            what: what.clone(),
            seq: Some(seq),
            session: lease.session.clone(),
            turn: turn.clone(),
            at: batch.at,
        };
        let json = to_json("an event", &event)?;
        Ok((event, json))
    };
    batch.events.iter().zip(seq + 1..).map(event).collect()
}

/// Returns the row that replaces `held` when a session writes `new`; none if `held` stays.
pub(super) fn replacement(
    session: &SessionId,
    held: Option<&RequestRow>,
    new: &RequestRow,
) -> Result<Option<RequestRow>, StoreError> {
    let foreign = held.is_some_and(|held| held.session != *session);
    if new.session != *session || foreign {
        let id = &new.id;
        return Err(StoreError::failed(format!(
            "the request `{id}` belongs to another session"
        )));
    }
    let reply = held.and_then(|held| held.reply.as_ref());
    // A call that runs again may open its withdrawn request again.
    if reply.is_some_and(|reply| !matches!(reply, Reply::Withdrawn { .. })) {
        return Ok(None);
    }
    let mut new = new.clone();
    new.recordable &= held.is_none_or(|held| held.recordable);
    new.reply = new.reply.take().map(|reply| without_secret(&new, reply));
    Ok(Some(new))
}

/// Returns the reply to store when an open request gets `reply`.
pub(super) fn effective_reply(request: &RequestRow, reply: Reply) -> Reply {
    match request.expires {
        Some(expires) if expires <= reply.at() && !matches!(reply, Reply::Expired { .. }) => {
            Reply::Expired { at: expires }
        }
        _ => without_secret(request, reply),
    }
}

/// Returns the outcome for the sender of `given` when `effective` was stored.
pub(super) fn settle_outcome(given: &Reply, effective: Reply) -> SettleOutcome {
    if matches!(effective, Reply::Expired { .. }) && !matches!(given, Reply::Expired { .. }) {
        return SettleOutcome::AlreadySettled(effective);
    }
    SettleOutcome::Accepted
}

fn without_secret(request: &RequestRow, reply: Reply) -> Reply {
    match reply {
        Reply::Answer { by, at, .. } if !request.recordable => Reply::Answer {
            value: None,
            by,
            at,
        },
        reply => reply,
    }
}

/// Checks the id and the size of an output.
pub(super) fn check_output(output: &OutputRow, content: &[u8]) -> Result<(), StoreError> {
    let id = &output.id;
    if !is_output_id(id.as_str()) {
        return Err(StoreError::failed(format!("`{id}` is not an output's id")));
    }
    if output.size != content.len() as u64 {
        return Err(StoreError::failed(format!(
            "the output `{id}` has {} bytes and says {}",
            content.len(),
            output.size
        )));
    }
    Ok(())
}

/// Checks the quota for `size` more bytes, given the bytes of the session and of all sessions.
pub(super) fn check_quota(
    quota: Quota,
    size: u64,
    session: u64,
    total: u64,
) -> Result<(), StoreError> {
    if size > quota.output {
        let message = format!(
            "an output of {size} bytes is too large: {} are allowed; store it in parts",
            quota.output
        );
        return Err(StoreError::Full(message.into()));
    }
    let full = |whose: &str, limit: u64| {
        let message = format!(
            "there is no room for an output of {size} bytes: {whose} may hold {limit}; wait until older ones expire"
        );
        Err(StoreError::Full(message.into()))
    };
    if session.saturating_add(size) > quota.session {
        return full("a session", quota.session);
    }
    if total.saturating_add(size) > quota.total {
        return full("all sessions together", quota.total);
    }
    Ok(())
}

/// An existing output can only be replaced by its own call, while the call runs.
pub(super) fn output_exists(output: &OutputRow) -> StoreError {
    StoreError::failed(format!("the output `{}` exists already", output.id))
}

pub(super) fn session_exists(session: &SessionId) -> StoreError {
    StoreError::failed(format!("the session `{session}` exists already"))
}

/// Reports whether a value meets a condition.
pub(super) fn matches_expected(held: Option<&str>, expected: &Expected) -> bool {
    match (held, expected) {
        (_, Expected::Anything) | (None, Expected::Absent) => true,
        (Some(held), Expected::Value(expected)) => {
            let read = |text| json::parse(text, json::Limits::default()).ok();
            // Compared as JSON: formatting does not matter, and invalid JSON equals nothing.
            held == expected || read(expected).is_some_and(|value| read(held) == Some(value))
        }
        (Some(_), Expected::Absent) | (None, Expected::Value(_)) => false,
    }
}

/// Checks the limits of a bucket, given its size after a value is set.
pub(super) fn check_bucket(
    limits: BucketLimits,
    bytes: u64,
    values: u64,
) -> Result<(), BucketFullError> {
    if bytes > limits.bytes as u64 || values > limits.values as u64 {
        return Err(BucketFullError(limits));
    }
    Ok(())
}

/// Checks that the rows of a batch can be parsed again. Requests and events are checked elsewhere.
pub(super) fn check_rows(batch: &Batch) -> Result<(), StoreError> {
    for turn in &batch.turns {
        to_json("a turn", turn)?;
    }
    for step in &batch.steps {
        to_json("a step", step)?;
    }
    for call in &batch.calls {
        to_json("a call", call)?;
    }
    if let Some(summary) = &batch.summary {
        to_json("a summary", summary)?;
    }
    if let Some(meta) = &batch.meta {
        to_json("a session's meta", meta)?;
    }
    Ok(())
}

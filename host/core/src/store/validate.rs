//! What every store here does alike, apart from where it keeps things.
//!
//! Invariant: what is written can be read. Values may nest deeper than a reader goes, and an item can
//! be made by hand that no reader takes for one; so each row is read once before it is kept.

use super::{
    Batch, BucketFullError, BucketLimits, DetailedError, Expected, Lease, OutputRow, Quota, Reply,
    RequestRow, SettleOutcome, StoreError,
};
use footlight_vocabulary::event::{Event, Happening};
use footlight_vocabulary::item::{SessionId, TurnId, is_output_id};
use footlight_vocabulary::json;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

/// A row as JSON.
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

/// The events of a batch as they will stand in the log after `seq`, and their JSON.
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
    let event = |(what, seq): (&Happening, u64)| {
        if matches!(what, Happening::Put { rev, .. } if i64::try_from(*rev).is_err()) {
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

/// What stands in place of `held` when a session writes `new`; nothing if `held` stays.
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
    // What nobody settled may be asked again, by a call that is run again.
    if reply.is_some_and(|reply| !matches!(reply, Reply::Withdrawn { .. })) {
        return Ok(None);
    }
    let mut new = new.clone();
    new.recordable &= held.is_none_or(|held| held.recordable);
    new.reply = new.reply.take().map(|reply| without_secret(&new, reply));
    Ok(Some(new))
}

/// The reply that counts when an open request is given this one.
pub(super) fn effective_reply(request: &RequestRow, reply: Reply) -> Reply {
    match request.expires {
        Some(expires) if expires <= reply.at() && !matches!(reply, Reply::Expired { .. }) => {
            Reply::Expired { at: expires }
        }
        _ => without_secret(request, reply),
    }
}

/// What whoever gave this reply is told, when that one counts.
pub(super) fn settle_outcome(given: &Reply, counts: Reply) -> SettleOutcome {
    if matches!(counts, Reply::Expired { .. }) && !matches!(given, Reply::Expired { .. }) {
        return SettleOutcome::AlreadySettled(counts);
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

/// Whether an output is what it says it is.
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

/// Whether there is room for `size` bytes more, where a session and all of them hold so much.
pub(super) fn check_quota(
    quota: Quota,
    size: u64,
    session: u64,
    total: u64,
) -> Result<(), StoreError> {
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

/// An output that is there is only replaced by its own call, while that runs.
pub(super) fn output_exists(output: &OutputRow) -> StoreError {
    StoreError::failed(format!("the output `{}` exists already", output.id))
}

pub(super) fn session_exists(session: &SessionId) -> StoreError {
    StoreError::failed(format!("the session `{session}` exists already"))
}

/// Whether a bucket's value is as expected.
pub(super) fn matches_expected(held: Option<&str>, expected: &Expected) -> bool {
    match (held, expected) {
        (_, Expected::Anything) | (None, Expected::Absent) => true,
        (Some(held), Expected::Value(expected)) => {
            let read = |text| json::parse(text, json::Limits::default()).ok();
            // As JSON: the same value may be written in two ways. What is no JSON equals nothing.
            held == expected || read(expected).is_some_and(|value| read(held) == Some(value))
        }
        (Some(_), Expected::Absent) | (None, Expected::Value(_)) => false,
    }
}

/// Whether a bucket that now holds so much may, after a value was set.
pub(super) fn check_bucket(
    room: BucketLimits,
    bytes: u64,
    values: u64,
) -> Result<(), BucketFullError> {
    if bytes > room.bytes as u64 || values > room.values as u64 {
        return Err(BucketFullError(room));
    }
    Ok(())
}

/// Whether every row of a batch could be read again; requests and events are looked at elsewhere.
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

/// The name of a content.
pub(super) fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let digest = Sha256::digest(bytes);
    digest
        .iter()
        .fold(String::with_capacity(64), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}

//! Applies one batch of a session, in one savepoint.

use super::error::{SqliteResult, damaged, read};
use super::outputs;
use super::requests;
use super::sessions;
use super::tombstones;
use super::writer::Tx;
use crate::store::validate;
use crate::store::{Batch, Lease, SessionRow};
use footlight_vocabulary::event::{Event, EventBody};
use footlight_vocabulary::item::{Item, ItemId, Position, SessionId};
use rusqlite::{OptionalExtension as _, params};

/// Returns the events as logged, and whether tombstones are left to make.
pub(super) fn commit(
    tx: &Tx<'_>,
    lease: &Lease,
    batch: &Batch,
) -> SqliteResult<(Vec<Event>, bool)> {
    sessions::fence(tx, lease)?;
    let session = lease.session.as_str();
    let events = log(tx, lease, batch)?;
    rows(tx, session, batch)?;
    for request in &batch.pending {
        requests::put(tx, &lease.session, request)?;
    }
    outputs::keep(tx, &lease.session, &batch.keep_outputs)?;
    if !batch.drop_calls.is_empty() {
        outputs::drop_calls(tx, &lease.session, &batch.drop_calls)?;
        requests::drop_calls(tx, &lease.session, &batch.drop_calls, batch.at)?;
    }
    header(tx, &lease.session, batch)?;
    let has_more = tombstones::after(tx, session, batch)?;
    if !batch.drop_calls.is_empty() {
        sessions::delete_if_empty(tx, session)?;
    }
    Ok((events, has_more))
}

fn log(tx: &Tx<'_>, lease: &Lease, batch: &Batch) -> SqliteResult<Vec<Event>> {
    let session = lease.session.as_str();
    let seq: i64 = tx.query_row("SELECT seq FROM sessions WHERE id = ?1", [session], |row| {
        row.get(0)
    })?;
    let last = u64::try_from(seq).map_err(|_| damaged("the session", session, "its seq"))?;
    let last_turn = tombstones::last_turn(tx, session)?;
    let logged = validate::log_events(lease, batch, last, last_turn.map(|turn| turn.id))?;
    let mut insert = tx.prepare("INSERT INTO events (session, seq, body) VALUES (?1, ?2, ?3)")?;
    let mut events = Vec::with_capacity(logged.len());
    for ((mut event, mut json), seq) in logged.into_iter().zip(seq + 1..) {
        let instead = match &event.what {
            EventBody::Put { item, .. } => put(tx, session, item, seq)?,
            EventBody::Remove { id } => remove(tx, session, id).map(|()| None)?,
            _ => None,
        };
        if let Some(instead) = instead {
            event.what = instead;
            json = validate::to_json("an event", &event)?;
        }
        insert.execute(params![session, seq, json])?;
        events.push(event);
    }
    Ok(events)
}

/// Puts an item as `Record::apply` does: an older revision changes nothing, and an item keeps its
/// position. Returns what is logged instead of the put, so that the log alone gives the same record.
fn put(tx: &Tx<'_>, session: &str, item: &Item, seq: i64) -> SqliteResult<Option<EventBody>> {
    let known = tx
        .query_row(
            "SELECT rev, turn, step, call, n, seq FROM items WHERE session = ?1 AND id = ?2",
            [session, item.id.as_str()],
            |row| {
                let position = Position {
                    turn: row.get(1)?,
                    step: row.get(2)?,
                    call: row.get(3)?,
                    n: row.get(4)?,
                };
                Ok((row.get::<_, i64>(0)?, position, row.get(5)?))
            },
        )
        .optional()?;
    // Larger revisions were rejected before.
    let rev = i64::try_from(item.rev).unwrap_or(i64::MAX);
    let mut instead = None;
    if let Some((known, position, before)) = known {
        if rev <= known {
            return Ok(EventBody::put(item.clone()).tombstone());
        }
        tombstones::note(tx, session, before)?;
        if item.position != position {
            let mut item = item.clone();
            item.position = position;
            instead = Some(item);
        }
    }
    let item = instead.as_ref().unwrap_or(item);
    let body = validate::to_json("an item", item)?;
    let Position {
        turn,
        step,
        call,
        n,
    } = item.position;
    tx.execute(
        "INSERT INTO items (session, id, turn, step, call, n, rev, body, seq)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT DO UPDATE SET rev = excluded.rev, body = excluded.body, seq = excluded.seq",
        params![
            session,
            item.id.as_str(),
            turn,
            step,
            call,
            n,
            rev,
            body,
            seq
        ],
    )?;
    Ok(instead.map(EventBody::put))
}

fn remove(tx: &Tx<'_>, session: &str, id: &ItemId) -> SqliteResult<()> {
    let before = tx
        .query_row(
            "SELECT seq FROM items WHERE session = ?1 AND id = ?2",
            [session, id.as_str()],
            |row| row.get(0),
        )
        .optional()?;
    tombstones::note(tx, session, before.flatten())?;
    tx.execute(
        "UPDATE items SET body = NULL, seq = NULL WHERE session = ?1 AND id = ?2",
        [session, id.as_str()],
    )?;
    Ok(())
}

fn rows(tx: &Tx<'_>, session: &str, batch: &Batch) -> SqliteResult<()> {
    for turn in &batch.turns {
        tx.execute(
            "INSERT INTO turns (session, n, body) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET body = excluded.body",
            params![session, turn.n, validate::to_json("a turn", turn)?],
        )?;
    }
    for step in &batch.steps {
        let body = validate::to_json("a step", step)?;
        tx.execute(
            "INSERT INTO steps (session, turn, step, body) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET body = excluded.body",
            params![session, step.turn, step.step, body],
        )?;
    }
    for call in &batch.calls {
        let body = validate::to_json("a call", call)?;
        tx.execute(
            "INSERT INTO calls (session, id, turn, step, n, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT DO UPDATE SET
                turn = excluded.turn, step = excluded.step, n = excluded.n, body = excluded.body",
            params![
                session,
                call.id.as_str(),
                call.turn,
                call.step,
                call.n,
                body
            ],
        )?;
    }
    if let Some(summary) = &batch.summary {
        tx.execute(
            "UPDATE sessions SET summary = ?2 WHERE id = ?1",
            params![session, validate::to_json("a summary", summary)?],
        )?;
    }
    Ok(())
}

/// Updates the row that lists the session.
fn header(tx: &Tx<'_>, session: &SessionId, batch: &Batch) -> SqliteResult<()> {
    let body: String = tx.query_row(
        "SELECT body FROM sessions WHERE id = ?1",
        [session.as_str()],
        |row| row.get(0),
    )?;
    let mut row: SessionRow = read("the session", session, &body)?;
    row.updated = row.updated.max(batch.at);
    row.turns = tx.query_row(
        "SELECT count(*) FROM turns WHERE session = ?1",
        [session.as_str()],
        |row| row.get(0),
    )?;
    if let Some(title) = &batch.title {
        row.title.clone_from(title);
    }
    if let Some(meta) = &batch.meta {
        row.meta.clone_from(meta);
    }
    row.tainted |= batch.tainted;
    tx.execute(
        "UPDATE sessions SET updated = ?2, body = ?3, seq = seq + ?4 WHERE id = ?1",
        params![
            session.as_str(),
            row.updated.millis(),
            validate::to_json("the session", &row)?,
            i64::try_from(batch.events.len()).unwrap_or(0)
        ],
    )?;
    Ok(())
}

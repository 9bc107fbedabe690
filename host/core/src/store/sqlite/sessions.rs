//! Sessions: creating, listing, opening, claiming and deleting them.

use super::error::{SqliteError, SqliteResult, damaged, read};
use super::outputs;
use super::requests;
use super::room::Room;
use super::state;
use super::writer::Tx;
use crate::store::validate;
use crate::store::{
    CallRow, Lease, SessionRow, Snapshot, StepRow, StoreError, Summary, TurnRow, clock, later,
};
use footlight_vocabulary::event::Event;
use footlight_vocabulary::item::{Item, SessionId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::de::DeserializeOwned;
use std::time::Duration;

pub(super) fn create(tx: &Tx<'_>, session: &SessionRow) -> SqliteResult<()> {
    let body = validate::to_json("the session", session)?;
    let made = tx.execute(
        "INSERT INTO sessions (id, updated, person, body) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO NOTHING",
        params![
            session.id.as_str(),
            session.updated.millis(),
            session.person,
            body
        ],
    )?;
    if made == 0 {
        return Err(validate::session_exists(&session.id).into());
    }
    Ok(())
}

pub(super) fn list(db: &Connection, limit: usize) -> SqliteResult<Vec<SessionRow>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    bodies(
        db,
        "a session",
        "SELECT id, body FROM sessions WHERE NOT deleted ORDER BY updated DESC, id DESC LIMIT ?1",
        [limit],
    )
}

pub(super) fn list_of(
    db: &Connection,
    person: &str,
    after: Option<&(Timestamp, SessionId)>,
    limit: usize,
) -> SqliteResult<Vec<SessionRow>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let updated = after.map(|(updated, _)| updated.millis());
    let id = after.map(|(_, id)| id.as_str());
    bodies(
        db,
        "a session",
        "SELECT id, body FROM sessions WHERE person = ?1 AND NOT deleted
            AND (?2 IS NULL OR (updated, id) < (?2, ?3))
         ORDER BY updated DESC, id DESC LIMIT ?4",
        params![person, updated, id, limit],
    )
}

pub(super) fn row(db: &Connection, session: &SessionId) -> SqliteResult<SessionRow> {
    let sql = "SELECT id, body FROM sessions WHERE id = ?1 AND NOT deleted";
    let found = bodies(db, "the session", sql, [session.as_str()])?;
    let row = found.into_iter().next();
    row.ok_or_else(|| no_session(session))
}

pub(super) fn open(db: &Connection, session: &SessionId) -> SqliteResult<Snapshot> {
    let id = session.as_str();
    let row = db
        .query_row(
            "SELECT body, summary, seq FROM sessions WHERE id = ?1 AND NOT deleted",
            [id],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()?;
    let (body, summary, seq): (String, Option<String>, i64) =
        row.ok_or_else(|| no_session(session))?;
    let summary: Option<Summary> = summary
        .map(|json| read("the summary of", id, &json))
        .transpose()?;
    let turns: Vec<TurnRow> = bodies(
        db,
        "a turn of",
        "SELECT session, body FROM turns WHERE session = ?1 ORDER BY n",
        [id],
    )?;
    let steps: Vec<StepRow> = bodies(
        db,
        "a step of",
        "SELECT session, body FROM steps WHERE session = ?1 ORDER BY turn, step",
        [id],
    )?;
    let calls: Vec<CallRow> = bodies(
        db,
        "the call",
        "SELECT id, body FROM calls WHERE session = ?1 ORDER BY turn, step, n, id",
        [id],
    )?;
    let items: Vec<Item> = bodies(
        db,
        "the item",
        "SELECT id, body FROM items WHERE session = ?1 AND body IS NOT NULL
         ORDER BY turn, step, call, n, id",
        [id],
    )?;
    Ok(Snapshot {
        session: read("the session", id, &body)?,
        turns,
        steps,
        calls,
        items,
        pending: requests::of(db, session)?,
        summary,
        seq: number(session, seq)?,
    })
}

/// Parses the bodies of rows of an id and a body.
fn bodies<T: DeserializeOwned>(
    db: &Connection,
    what: &str,
    sql: &str,
    values: impl rusqlite::Params,
) -> SqliteResult<Vec<T>> {
    let mut statement = db.prepare(sql)?;
    let mut rows = statement.query(values)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, body): (String, String) = (row.get(0)?, row.get(1)?);
        found.push(read(what, id, &body)?);
    }
    Ok(found)
}

pub(super) fn log(
    db: &Connection,
    session: &SessionId,
    after: u64,
    limit: usize,
) -> SqliteResult<Vec<Event>> {
    exists(db, session)?;
    let mut statement = db.prepare(
        "SELECT seq, body FROM events WHERE session = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
    )?;
    let mut rows = statement.query(params![
        session.as_str(),
        i64::try_from(after).unwrap_or(i64::MAX),
        i64::try_from(limit).unwrap_or(i64::MAX)
    ])?;
    let mut events: Vec<Event> = Vec::new();
    while let Some(row) = rows.next()? {
        let (seq, body): (i64, String) = (row.get(0)?, row.get(1)?);
        let event: Event = read("an event of", session, &body)?;
        let expected = after.saturating_add(1 + events.len() as u64);
        if event.seq != Some(expected)
            || event.session != *session
            || number(session, seq)? != expected
        {
            let why = format!("event {expected} is missing from its log");
            return Err(damaged("the session", session, why));
        }
        events.push(event);
    }
    Ok(events)
}

pub(super) fn claim(
    tx: &Tx<'_>,
    session: &SessionId,
    owner: &str,
    time: Duration,
) -> SqliteResult<Lease> {
    let held = held(tx, session)?;
    let mine =
        held.owner.as_deref() == Some(owner) && held.holder.as_deref() == Some(tx.folder.id());
    if !mine {
        held.check_free(tx)?;
    }
    let epoch = held.epoch + 1;
    tx.execute(
        "UPDATE sessions SET epoch = ?2, owner = ?3, holder = ?4, until = ?5 WHERE id = ?1",
        params![
            session.as_str(),
            epoch,
            owner,
            tx.folder.id(),
            later(clock(), time).millis()
        ],
    )?;
    Ok(Lease {
        session: session.clone(),
        owner: owner.to_owned(),
        epoch: number(session, epoch)?,
    })
}

pub(super) fn renew(tx: &Tx<'_>, lease: &Lease, time: Duration) -> SqliteResult<()> {
    fence(tx, lease)?;
    tx.execute(
        "UPDATE sessions SET until = ?2 WHERE id = ?1",
        params![lease.session.as_str(), later(clock(), time).millis()],
    )?;
    Ok(())
}

pub(super) fn release(tx: &Tx<'_>, lease: &Lease) -> SqliteResult<()> {
    tx.execute(
        "UPDATE sessions SET owner = NULL, holder = NULL, until = NULL
         WHERE id = ?1 AND epoch = ?2",
        params![
            lease.session.as_str(),
            i64::try_from(lease.epoch).unwrap_or(-1)
        ],
    )?;
    Ok(())
}

/// Begins to delete a session, which nobody sees from now on. Reports whether that was all.
pub(super) fn delete(tx: &Tx<'_>, session: &SessionId) -> SqliteResult<bool> {
    held(tx, session)?.check_free(tx)?;
    let session = session.as_str();
    tx.execute("UPDATE sessions SET deleted = 1 WHERE id = ?1", [session])?;
    tx.requests.set(true);
    delete_step(tx, session, &mut Room::new())
}

/// Goes on deleting a session that is marked as deleted. Reports whether that was all.
pub(super) fn delete_step(tx: &Tx<'_>, session: &str, room: &mut Room) -> SqliteResult<bool> {
    // Outputs first: their files need no room in the write-ahead log.
    outputs::delete_of(tx, session, room)?;
    for table in ["events", "items", "calls", "steps", "turns", "requests"] {
        let size = "ifnull(octet_length(body), 0)";
        room.delete(tx, table, size, "session = ?1", [session])?;
    }
    state::delete_of(tx, session, room)?;
    if room.is_used_up() {
        return Ok(false);
    }
    tx.execute("DELETE FROM sessions WHERE id = ?1 AND deleted", [session])?;
    Ok(true)
}

/// Goes on deleting all sessions that are marked as deleted.
pub(super) fn sweep(tx: &Tx<'_>, room: &mut Room) -> SqliteResult<()> {
    let sql = "SELECT id FROM sessions WHERE deleted";
    for session in outputs::column(tx, sql, [])? {
        if !delete_step(tx, &session, room)? {
            break;
        }
    }
    Ok(())
}

pub(super) fn delete_if_free_and_empty(tx: &Tx<'_>, session: &SessionId) -> SqliteResult<()> {
    match held(tx, session).and_then(|held| held.check_free(tx)) {
        Ok(()) => delete_if_empty(tx, session.as_str()),
        // Deleted already, or in use.
        Err(SqliteError::Store(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Deletes a session that has nothing, not even a turn: calls without a session had outputs there.
pub(super) fn delete_if_empty(tx: &Tx<'_>, session: &str) -> SqliteResult<()> {
    tx.execute(
        "DELETE FROM sessions WHERE id = ?1 AND seq = 0 AND summary IS NULL
            AND NOT EXISTS (SELECT 1 FROM turns WHERE session = ?1)
            AND NOT EXISTS (SELECT 1 FROM steps WHERE session = ?1)
            AND NOT EXISTS (SELECT 1 FROM calls WHERE session = ?1)
            AND NOT EXISTS (SELECT 1 FROM requests WHERE session = ?1)
            AND NOT EXISTS (SELECT 1 FROM outputs WHERE session = ?1)",
        [session],
    )?;
    Ok(())
}

/// Checks that a lease is still valid.
pub(super) fn fence(tx: &Tx<'_>, lease: &Lease) -> SqliteResult<()> {
    let held = held(tx, &lease.session)?;
    if held.owner.is_none() || i64::try_from(lease.epoch) != Ok(held.epoch) {
        return Err(StoreError::LeaseLost.into());
    }
    Ok(())
}

pub(super) fn exists(db: &Connection, session: &SessionId) -> SqliteResult<()> {
    let sql = "SELECT 1 FROM sessions WHERE id = ?1 AND NOT deleted";
    let found = db.query_row(sql, [session.as_str()], |_| Ok(()));
    found.optional()?.ok_or_else(|| no_session(session))
}

struct Ownership {
    epoch: i64,
    owner: Option<String>,
    holder: Option<String>,
    until: Timestamp,
}

fn held(tx: &Tx<'_>, session: &SessionId) -> SqliteResult<Ownership> {
    let held = tx.query_row(
        "SELECT epoch, owner, holder, ifnull(until, 0) FROM sessions
         WHERE id = ?1 AND NOT deleted",
        [session.as_str()],
        |row| {
            Ok(Ownership {
                epoch: row.get(0)?,
                owner: row.get(1)?,
                holder: row.get(2)?,
                until: Timestamp::from_millis(row.get(3)?),
            })
        },
    );
    held.optional()?.ok_or_else(|| no_session(session))
}

impl Ownership {
    /// Checks that there is no owner, or that the owner's lease has expired or its process is dead.
    fn check_free(&self, tx: &Tx<'_>) -> SqliteResult<()> {
        let (Some(owner), Some(holder)) = (&self.owner, &self.holder) else {
            return Ok(());
        };
        if self.until <= clock() || !tx.folder.is_alive(holder) {
            return Ok(());
        }
        let (owner, until) = (owner.clone(), self.until);
        Err(StoreError::Owned { owner, until }.into())
    }
}

fn no_session(session: &SessionId) -> SqliteError {
    StoreError::NoSession(session.clone()).into()
}

fn number(session: &SessionId, value: i64) -> SqliteResult<u64> {
    u64::try_from(value).map_err(|_| damaged("the session", session, "a number is negative"))
}

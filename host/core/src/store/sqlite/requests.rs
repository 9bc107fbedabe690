//! Requests to people.
//!
//! A request is settled once, by the first reply of any process: the database is locked for writing
//! from reading the row to changing it.

use super::error::{SqliteResult, read};
use super::room::Room;
use super::writer::Tx;
use crate::store::validate;
use crate::store::{Reply, RequestRow, SettleOutcome};
use footlight_vocabulary::item::{CallId, RequestId, SessionId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

/// Returns the open requests, oldest first.
pub(super) fn open(db: &Connection) -> SqliteResult<Vec<RequestRow>> {
    let sql = "SELECT id, body, reply FROM requests WHERE reply IS NULL
               AND session NOT IN (SELECT id FROM sessions WHERE deleted) ORDER BY since, id";
    all(db, sql, [])
}

/// Returns the open requests of a person's sessions, oldest first.
pub(super) fn open_of(db: &Connection, person: &str) -> SqliteResult<Vec<RequestRow>> {
    let sql = "SELECT id, body, reply FROM requests WHERE reply IS NULL
               AND session IN (SELECT id FROM sessions WHERE person = ?1 AND NOT deleted)
               ORDER BY since, id";
    all(db, sql, [person])
}

/// Returns the requests of a session, oldest first.
pub(super) fn of(db: &Connection, session: &SessionId) -> SqliteResult<Vec<RequestRow>> {
    let sql = "SELECT id, body, reply FROM requests WHERE session = ?1 ORDER BY since, id";
    all(db, sql, [session.as_str()])
}

pub(super) fn request(db: &Connection, id: &RequestId) -> SqliteResult<Option<RequestRow>> {
    let sql = "SELECT id, body, reply FROM requests WHERE id = ?1
               AND session NOT IN (SELECT id FROM sessions WHERE deleted)";
    let row = db.query_row(sql, [id.as_str()], columns).optional()?;
    row.map(parse).transpose()
}

type Columns = (String, String, Option<String>);

fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
}

fn parse((id, body, reply): Columns) -> SqliteResult<RequestRow> {
    let mut request: RequestRow = read("the request", &id, &body)?;
    request.reply = reply
        .map(|reply| read("the reply to", &id, &reply))
        .transpose()?;
    Ok(request)
}

fn all(db: &Connection, sql: &str, values: impl rusqlite::Params) -> SqliteResult<Vec<RequestRow>> {
    let mut statement = db.prepare(sql)?;
    let rows = statement.query_map(values, columns)?;
    rows.map(|row| parse(row?)).collect()
}

/// Writes a request of a session, unless it is settled.
pub(super) fn put(tx: &Tx<'_>, session: &SessionId, new: &RequestRow) -> SqliteResult<()> {
    let held = request(tx, &new.id)?;
    let Some(mut new) = validate::replacement(session, held.as_ref(), new)? else {
        return Ok(());
    };
    validate::to_json("a request", &new)?;
    let reply = new.reply.take();
    let reply = reply.map(|reply| validate::to_json("a reply", &reply));
    tx.execute(
        "INSERT INTO requests (id, session, call, since, expires, body, reply)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT DO UPDATE SET
            call = excluded.call, since = excluded.since, expires = excluded.expires,
            body = excluded.body, reply = excluded.reply",
        params![
            new.id.as_str(),
            session.as_str(),
            new.call.as_str(),
            new.since.millis(),
            new.expires.map(Timestamp::millis),
            validate::to_json("a request", &new)?,
            reply.transpose()?
        ],
    )?;
    tx.requests.set(true);
    Ok(())
}

pub(super) fn settle(tx: &Tx<'_>, id: &RequestId, reply: &Reply) -> SqliteResult<SettleOutcome> {
    let Some(request) = request(tx, id)? else {
        return Ok(SettleOutcome::Unknown);
    };
    if let Some(first) = request.reply {
        return Ok(SettleOutcome::AlreadySettled(first));
    }
    let effective = validate::effective_reply(&request, reply.clone());
    write(tx, id, &effective)?;
    Ok(validate::settle_outcome(reply, effective))
}

/// Withdraws the open requests of these calls.
pub(super) fn drop_calls(
    tx: &Tx<'_>,
    session: &SessionId,
    calls: &[CallId],
    at: Timestamp,
) -> SqliteResult<()> {
    for call in calls {
        let open = all(
            tx,
            "SELECT id, body, reply FROM requests
             WHERE session = ?1 AND call = ?2 AND reply IS NULL",
            [session.as_str(), call.as_str()],
        )?;
        for request in open {
            write(
                tx,
                &request.id,
                &validate::effective_reply(&request, Reply::Withdrawn { at }),
            )?;
        }
    }
    Ok(())
}

/// Settles expired requests.
pub(super) fn sweep(tx: &Tx<'_>, now: Timestamp, room: &mut Room) -> SqliteResult<()> {
    let sql = "SELECT id, expires FROM requests WHERE reply IS NULL AND expires <= ?1";
    let mut statement = tx.prepare(sql)?;
    let late = statement.query_map([now.millis()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let late: Vec<(String, i64)> = late.collect::<Result<_, _>>()?;
    for (id, expires) in late {
        if room.is_used_up() {
            break;
        }
        room.take(0);
        let at = Timestamp::from_millis(expires);
        write(tx, &RequestId::from(id), &Reply::Expired { at })?;
    }
    Ok(())
}

fn write(tx: &Tx<'_>, id: &RequestId, reply: &Reply) -> SqliteResult<()> {
    tx.execute(
        "UPDATE requests SET reply = ?2 WHERE id = ?1 AND reply IS NULL",
        params![id.as_str(), validate::to_json("a reply", reply)?],
    )?;
    tx.requests.set(true);
    Ok(())
}

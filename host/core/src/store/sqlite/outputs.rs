//! Outputs: rows that refer to content.
//!
//! There are no reference counts: whether content is still referred to is looked up when it may not be.

use super::content::{self, NewContent};
use super::error::{SqliteResult, read as read_json};
use super::folder::Folder;
use super::room::Room;
use super::sessions;
use super::writer::Tx;
use crate::store::validate;
use crate::store::{OutputRow, Quota};
use footlight_vocabulary::item::{CallId, ItemId, SessionId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::BTreeSet;

pub(super) fn put(
    tx: &Tx<'_>,
    output: &OutputRow,
    contents: &mut [NewContent],
    quota: Quota,
) -> SqliteResult<()> {
    sessions::exists(tx, &output.session)?;
    let body = validate::to_json("the output", output)?;
    let key = [output.session.as_str(), output.id.as_str()];
    let mut before = Vec::new();
    let held = tx
        .query_row(
            "SELECT kept, call FROM outputs WHERE session = ?1 AND id = ?2",
            key,
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    if let Some((kept, call)) = held {
        let (kept, call): (bool, String) = (kept, call);
        if kept || call != output.call.as_str() {
            return Err(validate::output_exists(output).into());
        }
        let sql = "DELETE FROM outputs WHERE session = ?1 AND id = ?2 RETURNING sha256";
        before = column(tx, sql, key)?;
    }
    let sums = tx.query_row(
        "SELECT ifnull(sum(size) FILTER (WHERE session = ?1), 0), ifnull(sum(size), 0)
         FROM outputs WHERE expires > ?2",
        params![output.session.as_str(), output.created.millis()],
        |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
    )?;
    validate::check_quota(
        quota,
        output.size,
        sums.0.unsigned_abs(),
        sums.1.unsigned_abs(),
    )?;
    for content in contents {
        content.place(tx)?;
        tx.execute(
            "INSERT INTO outputs (session, id, call, created, expires, size, sha256, body)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                output.session.as_str(),
                output.id.as_str(),
                output.call.as_str(),
                output.created.millis(),
                output.expires.millis(),
                i64::try_from(output.size).unwrap_or(i64::MAX),
                content.sha256,
                body
            ],
        )?;
    }
    delete_unused(tx, &before)?;
    Ok(())
}

pub(super) fn read(
    db: &Connection,
    folder: &Folder,
    session: &SessionId,
    id: &ItemId,
    part: (u64, usize),
    now: Timestamp,
) -> SqliteResult<Option<Vec<u8>>> {
    let sha256 = db
        .query_row(
            "SELECT sha256 FROM outputs WHERE session = ?1 AND id = ?2 AND expires > ?3
                AND session NOT IN (SELECT id FROM sessions WHERE deleted)",
            params![session.as_str(), id.as_str(), now.millis()],
            |row| row.get::<_, String>(0),
        )
        .optional()?;
    let content = sha256.map(|sha256| content::read(db, folder, &sha256, part));
    content.transpose()
}

pub(super) fn list(
    db: &Connection,
    session: Option<&SessionId>,
    now: Timestamp,
) -> SqliteResult<Vec<OutputRow>> {
    let mut statement = db.prepare(
        "SELECT id, body FROM outputs WHERE expires > ?1 AND (?2 IS NULL OR session = ?2)
            AND session NOT IN (SELECT id FROM sessions WHERE deleted)
         ORDER BY created, id, session",
    )?;
    let mut rows = statement.query(params![now.millis(), session.map(SessionId::as_str)])?;
    let mut outputs = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, body): (String, String) = (row.get(0)?, row.get(1)?);
        outputs.push(read_json("the output", id, &body)?);
    }
    Ok(outputs)
}

pub(super) fn find(
    db: &Connection,
    person: &str,
    id: &ItemId,
    now: Timestamp,
) -> SqliteResult<Option<OutputRow>> {
    let body = db
        .query_row(
            "SELECT body FROM outputs WHERE id = ?1 AND expires > ?2
                AND session IN (SELECT id FROM sessions WHERE person = ?3 AND NOT deleted)",
            params![id.as_str(), now.millis(), person],
            |row| row.get::<_, String>(0),
        )
        .optional()?;
    body.map(|body| read_json("the output", id.as_str(), &body))
        .transpose()
}

pub(super) fn keep(tx: &Tx<'_>, session: &SessionId, calls: &[CallId]) -> SqliteResult<()> {
    for call in calls {
        tx.execute(
            "UPDATE outputs SET kept = 1 WHERE session = ?1 AND call = ?2",
            [session.as_str(), call.as_str()],
        )?;
    }
    Ok(())
}

pub(super) fn drop_calls(tx: &Tx<'_>, session: &SessionId, calls: &[CallId]) -> SqliteResult<()> {
    for call in calls {
        let sql = "DELETE FROM outputs WHERE session = ?1 AND call = ?2 AND NOT kept
                   RETURNING sha256";
        let named = column(tx, sql, [session.as_str(), call.as_str()])?;
        delete_unused(tx, &named)?;
    }
    Ok(())
}

/// The size of a row with its content, unless that is a file.
const ROW_SIZE: &str = "octet_length(body) + min(size, 65536)";

/// Deletes the outputs of a session.
pub(super) fn delete_of(tx: &Tx<'_>, session: &str, room: &mut Room) -> SqliteResult<()> {
    let rows = format!("SELECT rowid, {ROW_SIZE} FROM outputs WHERE session = ?1");
    let mut named = Vec::new();
    for row in room.find(tx, &rows, [session])? {
        let sql = "DELETE FROM outputs WHERE rowid = ?1 RETURNING sha256";
        named.extend(column(tx, sql, [row])?);
    }
    delete_unused(tx, &named).map(drop)
}

/// Deletes expired outputs and content without outputs. Returns the bytes of the content.
///
/// Files are deleted before their rows, since deleting a row needs space on a full disk. Their
/// content is no longer readable.
pub(super) fn sweep(tx: &Tx<'_>, now: Timestamp, room: &mut Room) -> SqliteResult<u64> {
    let expired = format!("SELECT rowid, {ROW_SIZE} FROM outputs WHERE expires <= ?1");
    let expired = room.find(tx, &expired, [now.millis()])?;
    let mut contents = BTreeSet::new();
    for row in &expired {
        let sql = "SELECT sha256 FROM outputs WHERE rowid = ?1";
        contents.extend(column(tx, sql, [row])?);
    }
    let unused = "SELECT rowid, ifnull(octet_length(bytes), 0) FROM contents
                  WHERE NOT EXISTS (SELECT 1 FROM outputs WHERE outputs.sha256 = contents.sha256)";
    for row in room.find(tx, unused, [])? {
        let sql = "SELECT sha256 FROM contents WHERE rowid = ?1";
        contents.extend(column(tx, sql, [row])?);
    }
    for sha256 in &contents {
        let sql = "SELECT 1 FROM outputs WHERE sha256 = ?1 AND expires > ?2";
        if !tx.prepare(sql)?.exists(params![sha256, now.millis()])? {
            content::remove(tx.folder, sha256)?;
        }
    }
    let mut sessions = BTreeSet::new();
    for row in &expired {
        let sql = "DELETE FROM outputs WHERE rowid = ?1 RETURNING session";
        sessions.extend(column(tx, sql, [row])?);
    }
    for session in &sessions {
        sessions::delete_if_free_and_empty(tx, &SessionId::from(session.as_str()))?;
    }
    let contents: Vec<String> = contents.into_iter().collect();
    delete_unused(tx, &contents)
}

/// Deletes those contents that nothing refers to, and returns their size in bytes.
pub(super) fn delete_unused(tx: &Tx<'_>, contents: &[String]) -> SqliteResult<u64> {
    let mut delete = tx.prepare(
        "DELETE FROM contents WHERE sha256 = ?1
            AND NOT EXISTS (SELECT 1 FROM outputs WHERE outputs.sha256 = contents.sha256)
         RETURNING size, bytes IS NULL",
    )?;
    let mut freed = 0_u64;
    for sha256 in contents {
        let mut rows = delete.query([sha256])?;
        while let Some(row) = rows.next()? {
            freed = freed.saturating_add(row.get::<_, i64>(0)?.unsigned_abs());
            if row.get(1)? {
                tx.dropped.borrow_mut().push(sha256.clone());
            }
        }
    }
    Ok(freed)
}

/// Returns the first column of a query.
pub(super) fn column(
    db: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> SqliteResult<Vec<String>> {
    let mut statement = db.prepare(sql)?;
    let rows = statement.query_map(values, |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

//! Plugins' state.

use super::error::SqliteResult;
use super::outputs;
use super::room::Room;
use super::writer::Tx;
use crate::store::bucket::{OF_SESSION, session_owner};
use crate::store::validate;
use crate::store::{Bucket, BucketFullError, BucketLimits, Expected};
use footlight_vocabulary::item::SessionId;
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::HashSet;

/// Returns the values of the columns that a value is found by.
fn columns<'a>(bucket: &'a Bucket, key: &'a str) -> [&'a str; 4] {
    [&bucket.plugin, &bucket.owner, &bucket.person, key]
}

pub(super) fn value(db: &Connection, bucket: &Bucket, key: &str) -> SqliteResult<Option<String>> {
    let sql = "SELECT value FROM state
               WHERE plugin = ?1 AND owner = ?2 AND person = ?3 AND key = ?4";
    let value = db.query_row(sql, columns(bucket, key), |row| row.get(0));
    Ok(value.optional()?)
}

pub(super) fn set(
    tx: &Tx<'_>,
    bucket: &Bucket,
    key: &str,
    new: Option<&str>,
    expected: &Expected,
    limits: BucketLimits,
) -> SqliteResult<Result<bool, BucketFullError>> {
    if !validate::matches_expected(value(tx, bucket, key)?.as_deref(), expected) {
        return Ok(Ok(false));
    }
    let whole = columns(bucket, key);
    let Some(new) = new else {
        let sql = "DELETE FROM state
                   WHERE plugin = ?1 AND owner = ?2 AND person = ?3 AND key = ?4";
        tx.execute(sql, whole)?;
        return Ok(Ok(true));
    };
    let (bytes, values) = tx.query_row(
        "SELECT ifnull(sum(octet_length(key) + octet_length(value)), 0), count(*)
         FROM state WHERE plugin = ?1 AND owner = ?2 AND person = ?3 AND key <> ?4",
        whole,
        |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
    )?;
    let bytes = bytes.unsigned_abs() + (key.len() + new.len()) as u64;
    if let Err(full) = validate::check_bucket(limits, bytes, values.unsigned_abs() + 1) {
        return Ok(Err(full));
    }
    tx.execute(
        "INSERT INTO state (plugin, owner, person, key, value) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET value = excluded.value",
        params![bucket.plugin, bucket.owner, bucket.person, key, new],
    )?;
    Ok(Ok(true))
}

pub(super) fn keys(db: &Connection, bucket: &Bucket, prefix: &str) -> SqliteResult<Vec<String>> {
    let mut statement = db.prepare(
        "SELECT key FROM state
         WHERE plugin = ?1 AND owner = ?2 AND person = ?3 AND key >= ?4 ORDER BY key",
    )?;
    let mut rows = statement.query(columns(bucket, prefix))?;
    let mut keys = Vec::new();
    while let Some(row) = rows.next()? {
        let key: String = row.get(0)?;
        if !key.starts_with(prefix) {
            break;
        }
        keys.push(key);
    }
    Ok(keys)
}

/// Deletes the state of a session.
pub(super) fn delete_of(tx: &Tx<'_>, session: &str, room: &mut Room) -> SqliteResult<()> {
    let session = SessionId::from(session);
    let plugins = outputs::column(tx, "SELECT DISTINCT plugin FROM state", [])?;
    for plugin in plugins {
        delete(tx, &plugin, &session_owner(&plugin, &session), room)?;
    }
    Ok(())
}

/// Deletes the state of sessions that do not exist.
pub(super) fn sweep(tx: &Tx<'_>, room: &mut Room) -> SqliteResult<()> {
    let mut statement = tx.prepare(
        "SELECT DISTINCT plugin, owner FROM state WHERE substr(owner, 1, length(?1)) = ?1 ORDER BY plugin",
    )?;
    let owners = statement.query_map([OF_SESSION], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let owners: Vec<(String, String)> = owners.collect::<Result<_, _>>()?;
    if owners.is_empty() {
        return Ok(());
    }
    let sessions = outputs::column(tx, "SELECT id FROM sessions", [])?;
    let sessions: Vec<SessionId> = sessions.into_iter().map(SessionId::from).collect();
    for of_plugin in owners.chunk_by(|a, b| a.0 == b.0) {
        let plugin = &of_plugin[0].0;
        let known = sessions.iter();
        let known: HashSet<String> = known
            .map(|session| session_owner(plugin, session))
            .collect();
        let lost = of_plugin.iter().filter(|(_, owner)| !known.contains(owner));
        for (_, owner) in lost {
            delete(tx, plugin, owner, room)?;
        }
    }
    Ok(())
}

/// Deletes the state of a plugin that belongs to this owner, whoever the person is.
fn delete(tx: &Tx<'_>, plugin: &str, owner: &str, room: &mut Room) -> SqliteResult<()> {
    let (size, condition) = ("octet_length(value)", "plugin = ?1 AND owner = ?2");
    room.delete(tx, "state", size, condition, [plugin, owner])
}

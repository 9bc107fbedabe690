//! Plugins' state.

use super::error::SqliteResult;
use super::outputs;
use super::room::Room;
use super::writer::Tx;
use crate::store::bucket::OF_SESSION;
use crate::store::validate;
use crate::store::{Bucket, BucketFullError, BucketLimits, Expected};
use footlight_vocabulary::item::SessionId;
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::HashSet;

pub(super) fn value(db: &Connection, bucket: &Bucket, key: &str) -> SqliteResult<Option<String>> {
    let sql = "SELECT value FROM state WHERE plugin = ?1 AND owner = ?2 AND key = ?3";
    let value = db.query_row(sql, [&bucket.plugin, &bucket.owner, key], |row| row.get(0));
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
    let whole = [&bucket.plugin, &bucket.owner, key];
    let Some(new) = new else {
        let sql = "DELETE FROM state WHERE plugin = ?1 AND owner = ?2 AND key = ?3";
        tx.execute(sql, whole)?;
        return Ok(Ok(true));
    };
    let (bytes, values) = tx.query_row(
        "SELECT ifnull(sum(octet_length(key) + octet_length(value)), 0), count(*)
         FROM state WHERE plugin = ?1 AND owner = ?2 AND key <> ?3",
        whole,
        |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
    )?;
    let bytes = bytes.unsigned_abs() + (key.len() + new.len()) as u64;
    if let Err(full) = validate::check_bucket(limits, bytes, values.unsigned_abs() + 1) {
        return Ok(Err(full));
    }
    tx.execute(
        "INSERT INTO state (plugin, owner, key, value) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET value = excluded.value",
        params![bucket.plugin, bucket.owner, key, new],
    )?;
    Ok(Ok(true))
}

pub(super) fn keys(db: &Connection, bucket: &Bucket, prefix: &str) -> SqliteResult<Vec<String>> {
    let mut statement = db.prepare(
        "SELECT key FROM state WHERE plugin = ?1 AND owner = ?2 AND key >= ?3 ORDER BY key",
    )?;
    let mut rows = statement.query([&bucket.plugin, &bucket.owner, prefix])?;
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
        delete(tx, &Bucket::of_session(&plugin, &session), room)?;
    }
    Ok(())
}

/// Deletes the state of sessions that do not exist.
pub(super) fn sweep(tx: &Tx<'_>, room: &mut Room) -> SqliteResult<()> {
    let mut statement = tx.prepare(
        "SELECT DISTINCT plugin, owner FROM state WHERE substr(owner, 1, length(?1)) = ?1 ORDER BY plugin",
    )?;
    let buckets = statement.query_map([OF_SESSION], |row| {
        let (plugin, owner) = (row.get(0)?, row.get(1)?);
        Ok(Bucket { plugin, owner })
    })?;
    let buckets: Vec<Bucket> = buckets.collect::<Result<_, _>>()?;
    if buckets.is_empty() {
        return Ok(());
    }
    let sessions = outputs::column(tx, "SELECT id FROM sessions", [])?;
    let sessions: Vec<SessionId> = sessions.into_iter().map(SessionId::from).collect();
    for of_plugin in buckets.chunk_by(|a, b| a.plugin == b.plugin) {
        let plugin = &of_plugin[0].plugin;
        let known = sessions
            .iter()
            .map(|session| Bucket::of_session(plugin, session));
        let known: HashSet<Bucket> = known.collect();
        for bucket in of_plugin.iter().filter(|bucket| !known.contains(bucket)) {
            delete(tx, bucket, room)?;
        }
    }
    Ok(())
}

fn delete(tx: &Tx<'_>, bucket: &Bucket, room: &mut Room) -> SqliteResult<()> {
    let (size, condition) = ("octet_length(value)", "plugin = ?1 AND owner = ?2");
    room.delete(
        tx,
        "state",
        size,
        condition,
        [&bucket.plugin, &bucket.owner],
    )
}

//! Plugins' state.

use super::error::SqliteResult;
use super::writer::Tx;
use crate::store::validate;
use crate::store::{Bucket, BucketFullError, BucketLimits, Expected};
use rusqlite::{Connection, OptionalExtension as _, params};

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

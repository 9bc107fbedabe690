//! The room of one step of deleting: how many rows and bytes a transaction may free.
//!
//! A transaction writes every page that it frees to the write-ahead log, because deleted content is
//! overwritten. Without a bound, deleting a large session would need as much disk as the session
//! has, and other writers would wait for all of it.

use super::error::SqliteResult;
use rusqlite::{Connection, Params};

/// The most rows of a step.
const ROWS: usize = 256;

/// The most bytes of a step, except for a single row that has more.
const BYTES: i64 = 1 << 20;

/// What is left of a step.
#[derive(Debug)]
pub(super) struct Room {
    rows: usize,
    bytes: i64,
}

impl Room {
    pub(super) fn new() -> Self {
        Self {
            rows: ROWS,
            bytes: BYTES,
        }
    }

    /// Reports whether nothing is left.
    pub(super) fn is_used_up(&self) -> bool {
        self.rows == 0 || self.bytes <= 0
    }

    /// Takes the room of one row.
    pub(super) fn take(&mut self, bytes: i64) {
        self.rows = self.rows.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    /// Finds rows to delete, by their rowid. `rows` selects rowid and size.
    pub(super) fn find(
        &mut self,
        db: &Connection,
        rows: &str,
        values: impl Params,
    ) -> SqliteResult<Vec<i64>> {
        let mut statement = db.prepare(rows)?;
        let mut rows = statement.query(values)?;
        let mut found = Vec::new();
        while !self.is_used_up() {
            let Some(row) = rows.next()? else { break };
            found.push(row.get(0)?);
            self.take(row.get(1)?);
        }
        Ok(found)
    }

    /// Deletes rows of a table, which `condition` selects.
    pub(super) fn delete(
        &mut self,
        db: &Connection,
        table: &str,
        size: &str,
        condition: &str,
        values: impl Params,
    ) -> SqliteResult<()> {
        let rows = format!("SELECT rowid, {size} FROM {table} WHERE {condition}");
        let rows = self.find(db, &rows, values)?;
        let mut delete = db.prepare(&format!("DELETE FROM {table} WHERE rowid = ?1"))?;
        for row in rows {
            delete.execute([row])?;
        }
        Ok(())
    }
}

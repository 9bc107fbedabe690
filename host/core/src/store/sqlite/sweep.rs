//! Sweeping and deleting, one bounded transaction at a time.

use super::error::SqliteResult;
use super::room::Room;
use super::writer::Tx;
use super::{content, outputs, requests, sessions, state, tombstones};
use footlight_vocabulary::item::{SessionId, Timestamp};
use rusqlite::Connection;

/// The number of free pages that stay in the database for later use.
const FREE_PAGES: i64 = 256;

/// What a step of a sweep has done.
#[derive(Debug)]
pub(super) struct Step {
    /// Bytes of content that were deleted.
    pub(super) freed: u64,
    /// Whether nothing is left to do.
    pub(super) is_last: bool,
}

/// Does one step of a sweep. The first one also deletes files that no row refers to.
pub(super) fn step(tx: &Tx<'_>, now: Timestamp, is_first: bool) -> SqliteResult<Step> {
    if is_first {
        content::purge_orphans(tx)?;
    }
    let mut room = Room::new();
    let freed = outputs::sweep(tx, now, &mut room)?;
    sessions::sweep(tx, &mut room)?;
    requests::sweep(tx, now, &mut room)?;
    state::sweep(tx, &mut room)?;
    tombstones::sweep(tx, &mut room)?;
    let is_last = !room.is_used_up() && vacuum(tx)?;
    Ok(Step { freed, is_last })
}

/// Goes on with the deletion of a session. Reports whether nothing is left to do.
pub(super) fn delete_step(tx: &Tx<'_>, session: &SessionId) -> SqliteResult<bool> {
    Ok(sessions::delete_step(tx, session.as_str(), &mut Room::new())? && vacuum(tx)?)
}

/// Returns some of the free pages to the file system. Reports whether few enough are left. A
/// database that was made by version 1 keeps its free pages, and uses them again.
fn vacuum(db: &Connection) -> SqliteResult<bool> {
    let number = |name| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    const INCREMENTAL: i64 = 2;
    let free = number("freelist_count")?;
    if free <= FREE_PAGES || number("auto_vacuum")? != INCREMENTAL {
        return Ok(true);
    }
    // It returns a row for each page, and does no more than is asked for.
    db.pragma(None, "incremental_vacuum", FREE_PAGES, |_| Ok(()))?;
    Ok(free <= 2 * FREE_PAGES)
}

//! The tables, as numbered migrations.
//!
//! To change the tables, append to [`MIGRATIONS`]. Existing entries never change, since databases were
//! created with them. A row keeps its members as JSON in `body`; values that queries need have columns.

use super::crash_point::{CrashPoint, crash_point};
use super::error::{SqliteResult, retry_while_busy};
use crate::store::StoreError;
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// `Foot`: identifies databases of this program.
const APPLICATION: i32 = 0x466f_6f74;

/// The nth migration leads to version n. The table `names` and the column `contents.until` are not
/// used any more.
const MIGRATIONS: &[&str] = &[
    "
CREATE TABLE sessions (
    id      TEXT PRIMARY KEY NOT NULL,
    updated INTEGER NOT NULL,
    body    TEXT NOT NULL,
    seq     INTEGER NOT NULL DEFAULT 0,
    summary TEXT,
    epoch   INTEGER NOT NULL DEFAULT 0,
    -- Who has it: what they call themselves, the store they opened, and until when.
    owner   TEXT,
    holder  TEXT,
    until   INTEGER
) STRICT;
CREATE INDEX sessions_by_use ON sessions (updated, id);

CREATE TABLE events (
    session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT;

-- The record. A withdrawn item has no body; its revision is remembered.
CREATE TABLE items (
    session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    id      TEXT NOT NULL,
    turn    INTEGER NOT NULL,
    step    INTEGER NOT NULL,
    call    INTEGER NOT NULL,
    n       INTEGER NOT NULL,
    rev     INTEGER NOT NULL,
    body    TEXT,
    PRIMARY KEY (session, id)
) STRICT;

CREATE TABLE turns (
    session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    n       INTEGER NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (session, n)
) STRICT;

CREATE TABLE steps (
    session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    turn    INTEGER NOT NULL,
    step    INTEGER NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (session, turn, step)
) STRICT;

CREATE TABLE calls (
    session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    id      TEXT NOT NULL,
    turn    INTEGER NOT NULL,
    step    INTEGER NOT NULL,
    n       INTEGER NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (session, id)
) STRICT;

-- What waits for a person, and did: then it has a reply.
CREATE TABLE requests (
    id      TEXT PRIMARY KEY NOT NULL,
    session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    call    TEXT NOT NULL,
    since   INTEGER NOT NULL,
    expires INTEGER,
    body    TEXT NOT NULL,
    reply   TEXT
) STRICT;
CREATE INDEX requests_by_session ON requests (session, call);
CREATE INDEX requests_open ON requests (since, id) WHERE reply IS NULL;

-- Content by its SHA-256. Without bytes it is a file.
CREATE TABLE contents (
    sha256  TEXT PRIMARY KEY NOT NULL,
    size    INTEGER NOT NULL,
    bytes   BLOB,
    -- Of a large value: until when it stays without a name. Of an output's alone there is none.
    until   INTEGER
) STRICT;

-- Which session names which large value.
CREATE TABLE names (
    session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    sha256  TEXT NOT NULL REFERENCES contents,
    PRIMARY KEY (session, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX names_by_content ON names (sha256);

CREATE TABLE outputs (
    session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    id      TEXT NOT NULL,
    call    TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    size    INTEGER NOT NULL,
    kept    INTEGER NOT NULL DEFAULT 0,
    sha256  TEXT NOT NULL REFERENCES contents,
    body    TEXT NOT NULL,
    PRIMARY KEY (session, id)
) STRICT;
CREATE INDEX outputs_by_expiry ON outputs (expires);
CREATE INDEX outputs_by_content ON outputs (sha256);

CREATE TABLE state (
    plugin  TEXT NOT NULL,
    owner   TEXT NOT NULL,
    key     TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (plugin, owner, key)
) STRICT;
",
    "
-- The event with the current revision of an item.
ALTER TABLE items ADD COLUMN seq INTEGER;

-- Puts that have no effect any more. Their content is deleted when a turn ends.
CREATE TABLE superseded (
    session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;

-- Whether a session is being deleted, in steps. Nobody sees it any more.
ALTER TABLE sessions ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX sessions_deleted ON sessions (id) WHERE deleted;

-- Both for what version 1 has logged.
CREATE TEMP TABLE puts (session TEXT, id TEXT, rev INTEGER, seq INTEGER);
INSERT INTO puts
    SELECT session, json_extract(body, '$.item.id'), json_extract(body, '$.rev'), seq FROM events
    WHERE CASE json_valid(body) WHEN 1 THEN json_extract(body, '$.type') END = 'put';
CREATE INDEX temp.puts_by_item ON puts (session, id, rev);
UPDATE items SET seq = (
    SELECT min(seq) FROM puts
    WHERE puts.session = items.session AND puts.id = items.id AND puts.rev = items.rev)
    WHERE body IS NOT NULL;
CREATE INDEX temp.puts_by_seq ON puts (session, seq);
INSERT INTO superseded
    SELECT session, seq FROM puts WHERE NOT EXISTS (
        SELECT 1 FROM items
        WHERE items.session = puts.session AND items.id = puts.id AND items.seq = puts.seq);
DROP TABLE puts;
",
    "
-- Whose session it is.
ALTER TABLE sessions ADD COLUMN person TEXT NOT NULL DEFAULT 'local';
CREATE INDEX sessions_by_person ON sessions (person, updated, id);

-- Whose state it is. The state of a session is found by its owner alone.
CREATE TABLE state_by_person (
    plugin  TEXT NOT NULL,
    owner   TEXT NOT NULL,
    person  TEXT NOT NULL,
    key     TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (plugin, owner, person, key)
) STRICT;
INSERT INTO state_by_person SELECT plugin, owner, 'local', key, value FROM state;
DROP TABLE state;
ALTER TABLE state_by_person RENAME TO state;
",
];

/// Migrates a database to the newest version. Each step is applied whole or not at all.
pub(super) fn migrate(db: &mut Connection, folder: &Path) -> SqliteResult<()> {
    run(db, folder, MIGRATIONS)
}

fn run(db: &mut Connection, folder: &Path, migrations: &[&str]) -> SqliteResult<()> {
    for (step, version) in migrations.iter().zip(1..) {
        retry_while_busy(|| {
            let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            reject_newer_than(&tx, folder, migrations.len())?;
            if number(&tx, "user_version")? >= version {
                return Ok(());
            }
            tx.execute_batch(step)?;
            crash_point(CrashPoint::Migrating);
            tx.pragma_update(None, "application_id", APPLICATION)?;
            tx.pragma_update(None, "user_version", version)?;
            Ok(tx.commit()?)
        })?;
    }
    Ok(())
}

/// Rejects a database of another program, or of a newer version.
pub(super) fn reject_foreign(db: &Connection, path: &Path) -> SqliteResult<()> {
    reject_newer_than(db, path, MIGRATIONS.len())
}

fn reject_newer_than(db: &Connection, path: &Path, known: usize) -> SqliteResult<()> {
    let path = path.display();
    let application = number(db, "application_id")?;
    let version = number(db, "user_version")?;
    if application == APPLICATION {
        if usize::try_from(version).is_ok_and(|version| version <= known) {
            return Ok(());
        }
        let message = format!(
            "`{path}` was written by a newer Footlight (its version is {version}, this one knows {known}); \
             update Footlight, or choose another data folder"
        );
        return Err(StoreError::Newer(message.into()).into());
    }
    let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application == 0 && version == 0 && tables == 0 {
        return Ok(());
    }
    let message = format!("`{path}` is a database of another program; choose another data folder");
    Err(StoreError::failed(message).into())
}

fn number(db: &Connection, pragma: &str) -> SqliteResult<i32> {
    Ok(db.pragma_query_value(None, pragma, |row| row.get(0))?)
}

#[cfg(test)]
mod tests;

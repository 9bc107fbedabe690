//! Deletes the content of puts that have no effect any more.
//!
//! A put is noted in `superseded` when a later event replaces or removes its item. The content stays
//! until a turn ends, because a press that fails restores the widget that the person saw.

use super::error::{SqliteResult, read};
use super::outputs;
use super::room::Room;
use super::writer::Tx;
use crate::store::validate;
use crate::store::{Batch, TurnRow};
use footlight_vocabulary::event::Event;
use rusqlite::{Connection, OptionalExtension as _, params};

/// Notes that the put with this `seq` has no effect any more.
pub(super) fn note(tx: &Tx<'_>, session: &str, seq: Option<i64>) -> SqliteResult<()> {
    if let Some(seq) = seq {
        tx.execute(
            "INSERT INTO superseded (session, seq) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            params![session, seq],
        )?;
    }
    Ok(())
}

/// Deletes content if a batch ends a turn. Reports whether there is more than fits into one step.
pub(super) fn after(tx: &Tx<'_>, session: &str, batch: &Batch) -> SqliteResult<bool> {
    let ends_turn = batch.turns.iter().any(|turn| turn.status.is_some());
    Ok(ends_turn && step(tx, session)?)
}

/// Does one step for a session, unless a turn is open. Reports whether there is more.
pub(super) fn step(tx: &Tx<'_>, session: &str) -> SqliteResult<bool> {
    let mut room = Room::new();
    if !has_open_turn(tx, session)? {
        of_session(tx, session, &mut room)?;
    }
    Ok(room.is_used_up())
}

/// Does one step for all sessions without an open turn.
pub(super) fn sweep(tx: &Tx<'_>, room: &mut Room) -> SqliteResult<()> {
    for session in outputs::column(tx, "SELECT DISTINCT session FROM superseded", [])? {
        if room.is_used_up() {
            break;
        }
        // A damaged turn is left as it is.
        if matches!(has_open_turn(tx, &session), Ok(false)) {
            of_session(tx, &session, room)?;
        }
    }
    Ok(())
}

fn of_session(tx: &Tx<'_>, session: &str, room: &mut Room) -> SqliteResult<()> {
    let rows = "SELECT seq, ifnull((SELECT octet_length(body) FROM events
                    WHERE events.session = superseded.session AND events.seq = superseded.seq), 0)
                FROM superseded WHERE session = ?1";
    let mut body = tx.prepare("SELECT body FROM events WHERE session = ?1 AND seq = ?2")?;
    let mut update = tx.prepare("UPDATE events SET body = ?3 WHERE session = ?1 AND seq = ?2")?;
    let mut delete = tx.prepare("DELETE FROM superseded WHERE session = ?1 AND seq = ?2")?;
    for seq in room.find(tx, rows, [session])? {
        let event = body.query_row(params![session, seq], |row| row.get::<_, String>(0));
        // A damaged event is left as it is.
        if let Some(event) = event.optional()?
            && let Ok(mut event) = read::<Event>("an event of", session, &event)
            && let Some(tombstone) = event.what.tombstone()
        {
            event.what = tombstone;
            let json = validate::to_json("an event", &event)?;
            update.execute(params![session, seq, json])?;
        }
        delete.execute(params![session, seq])?;
    }
    Ok(())
}

fn has_open_turn(db: &Connection, session: &str) -> SqliteResult<bool> {
    let last = last_turn(db, session)?;
    Ok(last.is_some_and(|turn| turn.status.is_none()))
}

/// Returns the last turn of a session.
pub(super) fn last_turn(db: &Connection, session: &str) -> SqliteResult<Option<TurnRow>> {
    let body = db
        .query_row(
            "SELECT body FROM turns WHERE session = ?1 ORDER BY n DESC LIMIT 1",
            [session],
            |row| row.get::<_, String>(0),
        )
        .optional()?;
    body.map(|body| read::<TurnRow>("a turn of", session, &body))
        .transpose()
}

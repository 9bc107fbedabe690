//! One session in memory: rows, log and owner.

use crate::store::validate;
use crate::store::{
    Batch, CallRow, Lease, RequestRow, SessionRow, Snapshot, StepRow, StoreError, Summary, TurnRow,
    clock, later,
};
use footlight_vocabulary::event::{Event, EventBody};
use footlight_vocabulary::item::{CallId, ItemId, Record, Timestamp};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

#[derive(Debug)]
pub(super) struct StoredSession {
    row: SessionRow,
    turns: BTreeMap<u32, TurnRow>,
    steps: BTreeMap<(u32, u32), StepRow>,
    calls: HashMap<CallId, CallRow>,
    record: Record,
    log: Vec<Event>,
    /// The place in the log of the current revision of each item.
    current: HashMap<ItemId, usize>,
    /// The places in the log of puts that have no effect any more.
    superseded: Vec<usize>,
    summary: Option<Summary>,
    epoch: u64,
    owner: Option<(String, Timestamp)>,
}

impl StoredSession {
    pub(super) fn new(row: SessionRow) -> Self {
        Self {
            row,
            turns: BTreeMap::new(),
            steps: BTreeMap::new(),
            calls: HashMap::new(),
            record: Record::default(),
            log: Vec::new(),
            current: HashMap::new(),
            superseded: Vec::new(),
            summary: None,
            epoch: 0,
            owner: None,
        }
    }

    pub(super) fn row(&self) -> &SessionRow {
        &self.row
    }

    pub(super) fn snapshot(&self, pending: Vec<RequestRow>) -> Snapshot {
        let mut calls: Vec<CallRow> = self.calls.values().cloned().collect();
        calls.sort_by(|a, b| (a.turn, a.step, a.n, &a.id).cmp(&(b.turn, b.step, b.n, &b.id)));
        Snapshot {
            session: self.row.clone(),
            turns: self.turns.values().cloned().collect(),
            steps: self.steps.values().cloned().collect(),
            calls,
            items: self.record.items().to_vec(),
            pending,
            summary: self.summary.clone(),
            seq: self.log.len() as u64,
        }
    }

    pub(super) fn log(&self, after: u64, limit: usize) -> Vec<Event> {
        let after = usize::try_from(after).unwrap_or(usize::MAX);
        self.log.iter().skip(after).take(limit).cloned().collect()
    }

    /// Checks that the session has no owner whose lease is valid.
    pub(super) fn check_free(&self) -> Result<(), StoreError> {
        match &self.owner {
            Some((owner, until)) if *until > clock() => Err(StoreError::Owned {
                owner: owner.clone(),
                until: *until,
            }),
            _ => Ok(()),
        }
    }

    pub(super) fn claim(&mut self, owner: &str, time: Duration) -> Result<Lease, StoreError> {
        if self.owner.as_ref().is_none_or(|(held, _)| held != owner) {
            self.check_free()?;
        }
        self.epoch += 1;
        self.owner = Some((owner.to_owned(), later(clock(), time)));
        Ok(Lease {
            session: self.row.id.clone(),
            owner: owner.to_owned(),
            epoch: self.epoch,
        })
    }

    pub(super) fn fence(&self, lease: &Lease) -> Result<(), StoreError> {
        if self.owner.is_none() || self.epoch != lease.epoch {
            return Err(StoreError::LeaseLost);
        }
        Ok(())
    }

    pub(super) fn renew(&mut self, lease: &Lease, time: Duration) -> Result<(), StoreError> {
        self.fence(lease)?;
        if let Some((_, until)) = &mut self.owner {
            *until = later(clock(), time);
        }
        Ok(())
    }

    pub(super) fn release(&mut self, lease: &Lease) {
        if self.fence(lease).is_ok() {
            self.owner = None;
        }
    }

    /// Checks that a batch can be applied, and returns its events.
    pub(super) fn check(&self, lease: &Lease, batch: &Batch) -> Result<Vec<Event>, StoreError> {
        self.fence(lease)?;
        let last = self.turns.values().next_back().map(|turn| turn.id.clone());
        let events = validate::log_events(lease, batch, self.log.len() as u64, last)?;
        validate::check_rows(batch)?;
        Ok(events.into_iter().map(|(event, _)| event).collect())
    }

    /// Applies a batch that passed [`check`](Self::check), and returns its events as logged.
    pub(super) fn apply(&mut self, batch: &Batch, mut events: Vec<Event>) -> Vec<Event> {
        for event in &mut events {
            self.apply_event(event);
            self.log.push(event.clone());
        }
        let turns = batch.turns.iter().map(|row| (row.n, row.clone()));
        self.turns.extend(turns);
        let steps = batch.steps.iter();
        self.steps
            .extend(steps.map(|row| ((row.turn, row.step), row.clone())));
        let calls = batch.calls.iter().map(|row| (row.id.clone(), row.clone()));
        self.calls.extend(calls);
        if let Some(summary) = &batch.summary {
            self.summary = Some(summary.clone());
        }
        if let Some(title) = &batch.title {
            self.row.title.clone_from(title);
        }
        if let Some(meta) = &batch.meta {
            self.row.meta.clone_from(meta);
        }
        self.row.tainted |= batch.tainted;
        self.row.updated = self.row.updated.max(batch.at);
        self.row.turns = u32::try_from(self.turns.len()).unwrap_or(u32::MAX);
        if batch.turns.iter().any(|turn| turn.status.is_some()) {
            self.make_tombstones();
        }
        events
    }

    /// Deletes the content of puts that have no effect any more, unless a turn is open.
    pub(super) fn make_tombstones(&mut self) {
        let last = self.turns.values().next_back();
        if last.is_some_and(|turn| turn.status.is_none()) {
            return;
        }
        for at in std::mem::take(&mut self.superseded) {
            let event = &mut self.log[at];
            event.what = event.what.tombstone().unwrap_or(event.what.clone());
        }
    }

    /// Applies an event to the record, and changes it to what is logged instead: a put without effect
    /// becomes a tombstone, and an item keeps its position.
    fn apply_event(&mut self, event: &mut Event) {
        let has_effect = self.record.apply(&event.what);
        let before = match &mut event.what {
            EventBody::Put { item, .. } if has_effect => {
                let known = self.record.item(&item.id);
                item.position = known.map_or(item.position, |known| known.position);
                self.current.insert(item.id.clone(), self.log.len())
            }
            EventBody::Remove { id } => self.current.remove(id),
            what => {
                if let Some(tombstone) = what.tombstone() {
                    *what = tombstone;
                }
                None
            }
        };
        self.superseded.extend(before);
    }

    /// Reports whether there is nothing in the session, not even a turn.
    pub(super) fn is_empty(&self) -> bool {
        let Self {
            turns,
            steps,
            calls,
            ..
        } = self;
        turns.is_empty()
            && steps.is_empty()
            && calls.is_empty()
            && self.log.is_empty()
            && self.summary.is_none()
    }
}

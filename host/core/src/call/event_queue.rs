//! The events of a call that nobody has taken yet.
//!
//! The queue holds at most one revision of each item. A guest that updates its widgets in a loop, or
//! shows and removes them, fills neither the memory nor the log with revisions that nobody saw.

use super::event::CallEvent;
use footlight_vocabulary::event::EventBody;
use footlight_vocabulary::item::{Item, ItemId};
use std::collections::VecDeque;

/// A queue of events.
#[derive(Debug, Default)]
pub(super) struct EventQueue {
    queued: VecDeque<Queued>,
    /// Whether nobody takes events any more. They are discarded, and no item is cloned for them.
    is_closed: bool,
}

#[derive(Debug)]
struct Queued {
    event: CallEvent,
    /// Whether the event puts an item of which no earlier revision was taken.
    is_first: bool,
}

impl EventQueue {
    pub(super) fn push(&mut self, event: CallEvent) {
        if !self.is_closed {
            let is_first = false;
            self.queued.push_back(Queued { event, is_first });
        }
    }

    /// Adds the first revision of an item.
    pub(super) fn put(&mut self, item: &Item) {
        if !self.is_closed {
            let event = CallEvent::Event(EventBody::put(item.clone()));
            let is_first = true;
            self.queued.push_back(Queued { event, is_first });
        }
    }

    /// Adds a later revision of an item, in the place of one that was not taken.
    pub(super) fn revise(&mut self, item: &Item) {
        if self.is_closed {
            return;
        }
        let queued = self.queued.iter_mut().find(|queued| queued.puts(&item.id));
        let event = CallEvent::Event(EventBody::put(item.clone()));
        match queued {
            Some(queued) => queued.event = event,
            None => self.push(event),
        }
    }

    /// Adds the removal of an item. If nobody has taken a revision of it, there is nothing to
    /// remove, unless `is_noticed`: then the item is put and removed.
    pub(super) fn remove(&mut self, id: ItemId, is_noticed: bool) {
        let at = self.queued.iter().position(|queued| queued.puts(&id));
        if let Some(at) = at {
            let is_first = self.queued[at].is_first;
            if !(is_first && is_noticed) {
                self.queued.remove(at);
            }
            if is_first && !is_noticed {
                return;
            }
        }
        self.push(CallEvent::Event(EventBody::Remove { id }));
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.queued.len()
    }

    /// Takes the oldest event.
    pub(super) fn pop(&mut self) -> Option<CallEvent> {
        self.queued.pop_front().map(|queued| queued.event)
    }

    /// Discards the events that are queued and all that follow.
    pub(super) fn close(&mut self) {
        self.queued = VecDeque::new();
        self.is_closed = true;
    }
}

impl Queued {
    fn puts(&self, id: &ItemId) -> bool {
        matches!(&self.event, CallEvent::Event(EventBody::Put { item, .. }) if item.id == *id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight_vocabulary::item::{Content, Position, Text, Timestamp};
    use proptest::prelude::*;

    fn item(id: u8, rev: u64) -> Item {
        Item {
            content: Content::Text(Text {
                text: format!("{id} {rev}"),
                extra: serde_json::Map::new(),
            }),
            id: id.to_string().into(),
            position: Position {
                n: id.into(),
                ..Position::default()
            },
            rev,
            start: Timestamp::default(),
            end: None,
        }
    }

    #[derive(Debug, Clone)]
    enum Op {
        Put(u8),
        Revise(u8),
        Remove(u8, bool),
        Take,
    }

    fn op() -> impl Strategy<Value = Op> {
        prop_oneof![
            3 => (0..4u8).prop_map(Op::Put),
            5 => (0..4u8).prop_map(Op::Revise),
            3 => (0..4u8, any::<bool>()).prop_map(|(id, noticed)| Op::Remove(id, noticed)),
            2 => Just(Op::Take),
        ]
    }

    proptest! {
        /// Whoever takes the events has the items that are shown, and the queue stays short.
        #[test]
        fn the_events_taken_give_the_items_shown(ops in prop::collection::vec(op(), 0..60)) {
            let mut queue = EventQueue::default();
            let mut shown = std::collections::BTreeMap::<u8, u64>::new();
            let mut record = footlight_vocabulary::item::Record::default();
            // Ids are not used again, so each put of a number is another item.
            let mut used = std::collections::BTreeMap::<u8, u8>::new();
            let id = |used: &std::collections::BTreeMap<u8, u8>, n: u8| n + 4 * used.get(&n).copied().unwrap_or(0);
            let mut noticed = 0;
            for op in ops {
                match op {
                    Op::Put(n) if !shown.contains_key(&n) && used.get(&n).copied().unwrap_or(0) < 60 => {
                        *used.entry(n).or_default() += 1;
                        shown.insert(n, 0);
                        queue.put(&item(id(&used, n), 0));
                    }
                    Op::Revise(n) => if let Some(rev) = shown.get_mut(&n) {
                        *rev += 1;
                        queue.revise(&item(id(&used, n), *rev));
                    },
                    Op::Remove(n, is_noticed) => if shown.remove(&n).is_some() {
                        noticed += usize::from(is_noticed);
                        queue.remove(id(&used, n).to_string().into(), is_noticed);
                    },
                    Op::Take => if let Some(CallEvent::Event(event)) = queue.pop() {
                        record.apply(&event);
                    },
                    Op::Put(_) => {}
                }
                let puts = queue.queued.iter().filter(|queued| matches!(&queued.event, CallEvent::Event(EventBody::Put { .. })));
                prop_assert!(puts.count() <= 4 + noticed);
            }
            while let Some(CallEvent::Event(event)) = queue.pop() {
                record.apply(&event);
            }
            let expected: Vec<(String, u64)> = {
                let mut all: Vec<_> = shown.iter().map(|(n, rev)| (id(&used, *n), *rev)).collect();
                all.sort_unstable();
                all.into_iter().map(|(id, rev)| (id.to_string(), rev)).collect()
            };
            let found: Vec<(String, u64)> = record.items().iter().map(|item| (item.id.to_string(), item.rev)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}

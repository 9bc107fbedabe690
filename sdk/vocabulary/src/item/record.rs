//! The items of a session, sorted, while changes arrive.
//!
//! Changes can arrive late or repeatedly: a client reconnects, a call ends while its widget is
//! being drawn. [`Record::apply`] compares revisions and ignores known ones. Changes to one item
//! must arrive in order; changes to different items can arrive in any order.

use super::{Item, ItemId, Position};
use crate::event::EventBody;
use std::borrow::Borrow;
use std::collections::HashMap;

/// The items of a session, sorted by position.
#[derive(Debug, Clone, Default)]
pub struct Record {
    items: Vec<Item>,
    // Removed items too, so that a late revision does not bring one back.
    known: HashMap<ItemId, Known>,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    position: Position,
    rev: u64,
    shown: bool,
}

impl Record {
    /// Returns the items, sorted by position.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Consumes the record and returns its items, sorted by position.
    #[must_use]
    pub fn into_items(self) -> Vec<Item> {
        self.items
    }

    /// Returns the item with this id.
    #[must_use]
    pub fn item(&self, id: &ItemId) -> Option<&Item> {
        let known = self.known.get(id).filter(|known| known.shown)?;
        self.items.get(self.find(known.position, id).ok()?)
    }

    /// Applies an event and reports whether the record changed.
    pub fn apply(&mut self, event: &EventBody) -> bool {
        match event {
            EventBody::Put { item, .. } => self.put((**item).clone()),
            EventBody::Remove { id } => self.remove(id),
            _ => false,
        }
    }

    /// Adds an item, or a new revision of one, and reports whether the record changed.
    ///
    /// A revision that is not greater than the last known one is ignored, also after a removal. An
    /// item keeps its first position.
    pub fn put(&mut self, mut item: Item) -> bool {
        let known = self.known.get(&item.id);
        if known.is_some_and(|known| item.rev <= known.rev) {
            return false;
        }
        if let Some(known) = known {
            item.position = known.position;
        }
        let now = Known {
            position: item.position,
            rev: item.rev,
            shown: true,
        };
        self.known.insert(item.id.clone(), now);
        match self.find(item.position, &item.id) {
            Ok(at) => self.items[at] = item,
            Err(at) => self.items.insert(at, item),
        }
        true
    }

    fn remove(&mut self, id: &ItemId) -> bool {
        let Some(known) = self.known.get_mut(id).filter(|known| known.shown) else {
            return false;
        };
        known.shown = false;
        let position = known.position;
        if let Ok(at) = self.find(position, id) {
            self.items.remove(at);
        }
        true
    }

    fn find(&self, position: Position, id: &ItemId) -> Result<usize, usize> {
        self.items
            .binary_search_by(|item| item.sort_key().cmp(&(position, id)))
    }
}

impl Item {
    /// Returns the sort key. The id makes the order total if two items share a position.
    #[must_use]
    pub fn sort_key(&self) -> (Position, &ItemId) {
        (self.position, &self.id)
    }
}

impl<E: Borrow<EventBody>> FromIterator<E> for Record {
    fn from_iter<I: IntoIterator<Item = E>>(events: I) -> Self {
        let mut record = Self::default();
        for event in events {
            record.apply(event.borrow());
        }
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::{Content, Text, Timestamp};
    use proptest::prelude::*;

    fn item(id: &str, n: u32, rev: u64) -> Item {
        Item {
            content: Content::Text(Text {
                text: format!("{id} {rev}"),
                extra: serde_json::Map::new(),
            }),
            id: id.into(),
            position: Position {
                n,
                ..Position::default()
            },
            rev,
            start: Timestamp::default(),
            end: None,
        }
    }

    fn put(id: &str, n: u32, rev: u64) -> EventBody {
        EventBody::put(item(id, n, rev))
    }

    fn texts(record: &Record) -> Vec<&str> {
        let text = |item| match item {
            &Item {
                content: Content::Text(ref text),
                ..
            } => text.text.as_str(),
            _ => "",
        };
        record.items().iter().map(text).collect()
    }

    #[test]
    fn items_are_sorted_by_position_in_any_order_of_arrival() {
        let record = Record::from_iter([put("c", 3, 0), put("a", 1, 0), put("b", 2, 0)]);
        assert_eq!(texts(&record), ["a 0", "b 0", "c 0"]);
    }

    #[test]
    fn older_and_equal_revisions_change_nothing() {
        let mut record = Record::from_iter([put("a", 1, 2)]);
        assert!(!record.apply(&put("a", 1, 2)));
        assert!(!record.apply(&put("a", 1, 1)));
        assert!(record.apply(&put("a", 1, 3)));
        assert_eq!(texts(&record), ["a 3"]);
    }

    #[test]
    fn item_keeps_the_position_it_was_created_with() {
        let record = Record::from_iter([put("a", 1, 0), put("b", 2, 0), put("a", 9, 1)]);
        assert_eq!(texts(&record), ["a 1", "b 0"]);
    }

    #[test]
    fn late_revision_does_not_bring_a_withdrawn_item_back() {
        let mut record = Record::from_iter([put("a", 1, 4), EventBody::Remove { id: "a".into() }]);
        assert!(record.items().is_empty());
        assert!(!record.apply(&put("a", 1, 4)));
        assert!(!record.apply(&EventBody::Remove { id: "a".into() }));
        assert!(!record.apply(&EventBody::Remove {
            id: "unknown".into()
        }));
        // A widget that a failed call had withdrawn returns as a new revision.
        assert!(record.apply(&put("a", 1, 5)));
        assert_eq!(record.item(&"a".into()), Some(&item("a", 1, 5)));
    }

    /// For each item the changes to it, in their order.
    fn histories() -> impl Strategy<Value = Vec<Vec<EventBody>>> {
        let step = prop_oneof![4 => (0u64..6).prop_map(Some), 1 => Just(None)];
        let history = (0u32..4, prop::collection::vec(step, 0..6));
        prop::collection::vec(history, 1..6).prop_map(|histories| {
            let change = |id: &str, n, step| match step {
                Some(rev) => put(id, n, rev),
                None => EventBody::Remove { id: id.into() },
            };
            histories
                .into_iter()
                .enumerate()
                .map(|(at, (n, steps))| {
                    let id = format!("i{at}");
                    steps.into_iter().map(|step| change(&id, n, step)).collect()
                })
                .collect()
        })
    }

    proptest! {
        #[test]
        fn any_interleaving_gives_the_same_record(
            histories in histories(),
            picks in prop::collection::vec(any::<prop::sample::Index>(), 40),
        ) {
            let one_by_one = Record::from_iter(histories.iter().flatten().cloned());
            let mut waiting: Vec<_> = histories.into_iter().map(Vec::into_iter).collect();
            let mut mixed = Record::default();
            for pick in picks {
                waiting.retain(|history| history.len() > 0);
                if waiting.is_empty() {
                    break;
                }
                if let Some(change) = pick.get_mut(&mut waiting).next() {
                    mixed.apply(&change);
                }
            }
            prop_assert_eq!(mixed.items(), one_by_one.items());
            prop_assert!(mixed.items().is_sorted_by_key(Item::sort_key));
        }
    }
}

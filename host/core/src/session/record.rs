//! Reading the record of an open session.

use super::{Session, SessionRecord};
use footlight_vocabulary::item::{Item, ItemId, Position, TurnId};

impl Session {
    /// Returns the items of the record, in order.
    #[must_use]
    pub fn items(&self) -> Vec<Item> {
        self.inner.state().items().to_vec()
    }

    /// Returns an item of the record.
    #[must_use]
    pub fn item(&self, id: &ItemId) -> Option<Item> {
        self.inner.state().item(id).cloned()
    }

    /// Returns the items of a turn, in order; none if there is no such turn.
    #[must_use]
    pub fn items_of(&self, turn: &TurnId) -> Vec<Item> {
        self.inner.state().items_of(turn)
    }

    /// Returns up to `limit` items of the record, in order: from the first one, or from the one that
    /// follows the position `after`.
    #[must_use]
    pub fn items_after(&self, after: Option<Position>, limit: usize) -> Vec<Item> {
        let state = self.inner.state();
        let items = state.items();
        let from = after.map_or(0, |after| {
            items.partition_point(|item| item.position <= after)
        });
        items[from..].iter().take(limit).cloned().collect()
    }

    /// Returns the last `limit` turns before the one with the number `before`, with their items.
    #[must_use]
    pub fn turns_before(&self, before: u32, limit: usize) -> SessionRecord {
        self.inner.state().record(Some(before), limit)
    }

    /// Reads all items where they are, without copying them. The session waits until `read` returns.
    pub fn with_items<T>(&self, read: impl FnOnce(&[Item]) -> T) -> T {
        read(self.inner.state().items())
    }
}

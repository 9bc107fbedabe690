//! The record of a running call: its items, the events that nobody has taken yet, and what its limits count.

use super::WidgetLimitError;
use crate::call::event::CallEvent;
use crate::call::event_queue::EventQueue;
use crate::sandbox::limits::Caps;
use footlight_vocabulary::event::EventBody;
use footlight_vocabulary::item::{Item, ItemId, PowerUse};
use std::collections::HashMap;
use std::time::Instant;

/// The record of a call so far.
#[derive(Default)]
pub(in crate::call) struct CallRecord {
    /// The items; the tool item is the first.
    pub(super) items: Vec<Item>,
    /// Whether the event that puts the tool item was queued or discarded.
    pub(super) is_announced: bool,
    pub(super) events: EventQueue,
    pub(super) next: u32,
    pub(super) widgets: usize,
    /// The first widget that was shown, which a session may have to notice: it replaces the widget
    /// whose action started the call.
    pub(super) first_widget: Option<ItemId>,
    pub(super) notices: usize,
    /// The current size of each widget.
    pub(super) widget_bytes: HashMap<ItemId, usize>,
    pub(super) asks: usize,
    pub(in crate::call) outputs: usize,
    pub(in crate::call) stored: usize,
    pub(in crate::call) output_bytes: u64,
    pub(super) last_progress: Option<Instant>,
    pub(super) held_progress: Option<EventBody>,
    /// What the call did with powers, and was denied.
    pub(super) power_uses: Vec<PowerUse>,
}

impl CallRecord {
    /// Queues the first event of a call, which puts the tool item. It waits until somebody takes events,
    /// because it clones the input.
    pub(super) fn announce_tool(&mut self) {
        if !std::mem::replace(&mut self.is_announced, true)
            && let Some(tool_item) = self.items.first()
        {
            self.events.put(tool_item);
        }
    }

    /// Takes the oldest event.
    pub(super) fn next_event(&mut self) -> Option<CallEvent> {
        self.announce_tool();
        self.events.pop()
    }

    /// Discards the events that were not taken, and all that follow.
    pub(super) fn discard_events(&mut self) {
        self.is_announced = true;
        self.events.close();
    }

    pub(super) fn remove_event(&mut self, id: ItemId) {
        let is_noticed = self.first_widget.as_ref() == Some(&id);
        self.events.remove(id, is_noticed);
    }

    /// Counts the new size of a widget, unless all widgets together would be too large.
    pub(super) fn charge_widget(
        &mut self,
        id: &ItemId,
        bytes: usize,
    ) -> Result<(), WidgetLimitError> {
        let others = self.widget_bytes.iter().filter(|(other, _)| *other != id);
        let others: usize = others.map(|(_, bytes)| bytes).sum();
        if others.saturating_add(bytes) > Caps::WIDGET_BYTES {
            return Err(WidgetLimitError::TooLarge(Caps::WIDGET_BYTES));
        }
        self.widget_bytes.insert(id.clone(), bytes);
        Ok(())
    }
}

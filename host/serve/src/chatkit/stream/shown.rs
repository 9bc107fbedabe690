//! What a client has been shown in a stream, from which follows how a change is told.
//!
//! An item that is not complete is added, updated and done; a complete one is done at once, and replaced
//! when it changes.

use super::super::diff::diff_widget;
use super::super::items::{has_result, result_id};
use super::super::wire::{ItemContent, ItemUpdate, StreamEvent, ThreadItem};
use footlight::session::SessionRecord;
use footlight_vocabulary::item::{CallId, CallResult, Content, Item, ItemId, RequestId};
use std::collections::{BTreeMap, BTreeSet};

/// An item that a client knows.
pub(super) enum Shown {
    /// It is complete.
    Done,
    /// Its text is being written.
    Writing {
        /// Whether the text so far ends with an exclamation mark.
        ends_with_mark: bool,
    },
    /// A call that has not ended, or a widget of one.
    Open { item: ThreadItem, call: CallId },
}

/// The items that a client knows.
#[derive(Default)]
pub(super) struct ShownItems {
    items: BTreeMap<ItemId, Shown>,
    /// The calls that have ended, whose widgets do not change any more.
    ended: BTreeSet<CallId>,
    /// The requests for approval, which are no items of the record, with the calls that made them.
    approvals: Vec<(ItemId, CallId)>,
}

impl ShownItems {
    /// Returns what a client knows that has read the thread.
    pub(super) fn of(record: &SessionRecord) -> Self {
        let mut shown = Self::default();
        for item in &record.items {
            shown.items.insert(item.id.clone(), Shown::Done);
            if has_result(item) {
                shown.items.insert(result_id(item).into(), Shown::Done);
            }
            if let Content::Tool(tool) = &item.content {
                let call = CallId::from(item.id.as_str());
                let receipts = tool.verdict.iter().chain(&tool.verdicts);
                for request in receipts.filter_map(|receipt| receipt.request.as_ref()) {
                    shown.add_approval(request, &call);
                }
            }
        }
        shown
    }

    /// Adds a request for approval, which the client knows.
    pub(super) fn add_approval(&mut self, request: &RequestId, call: &CallId) {
        let id = ItemId::from(request.as_str());
        self.items.insert(id.clone(), Shown::Done);
        self.approvals.push((id, call.clone()));
    }

    pub(super) fn contains(&self, id: &ItemId) -> bool {
        self.items.contains_key(id)
    }

    pub(super) fn insert(&mut self, id: ItemId, shown: Shown) -> Option<Shown> {
        self.items.insert(id, shown)
    }

    /// Removes an item, and if it is a call, its result and its requests for approval. Returns those that
    /// the client knew.
    pub(super) fn remove(&mut self, id: &ItemId) -> Vec<ItemId> {
        let result = ItemId::from(format!("{id}_result"));
        let approvals = self.approvals.iter();
        let approvals = approvals.filter(|(_, call)| call.as_str() == id.as_str());
        let approvals = approvals.map(|(request, _)| request.clone());
        let mut removed: Vec<ItemId> = [id.clone(), result].into_iter().chain(approvals).collect();
        removed.retain(|id| self.items.remove(id).is_some());
        removed
    }

    /// Reports whether the text of an item is being written.
    pub(super) fn is_writing(&self, id: &ItemId) -> bool {
        matches!(self.items.get(id), Some(Shown::Writing { .. }))
    }

    /// Returns text that is appended to an item, without the beginning of a picture: it would be loaded
    /// from elsewhere before the message is complete and [rewritten](super::super::tree::safe_markdown).
    pub(super) fn defuse(&mut self, id: &ItemId, delta: &str) -> String {
        let writing = Shown::Writing {
            ends_with_mark: false,
        };
        let shown = self.items.entry(id.clone()).or_insert(writing);
        let Shown::Writing { ends_with_mark } = shown else {
            return String::new();
        };
        let mut out = delta.replace("![", "!\\[");
        if *ends_with_mark && delta.starts_with('[') {
            out.insert(0, '\\');
        }
        if !delta.is_empty() {
            *ends_with_mark = delta.ends_with('!');
        }
        out
    }

    /// Takes an item of the record, and how it is drawn now. Returns what the client is told.
    pub(super) fn put(&mut self, item: &Item, drawn: ThreadItem) -> Vec<StreamEvent> {
        let known = self.items.remove(&item.id);
        let open = match &item.content {
            Content::Tool(tool) => match tool.result {
                CallResult::Pending { .. } => Some(CallId::from(item.id.as_str())),
                _ => None,
            },
            Content::Widget(widget) if !self.ended.contains(&widget.call) => {
                Some(widget.call.clone())
            }
            _ => None,
        };
        let mut events = Vec::new();
        let now = match (known, open) {
            (Some(Shown::Done), _) => {
                events.push(StreamEvent::ItemReplaced { item: drawn });
                Shown::Done
            }
            (Some(Shown::Open { item: before, .. }), Some(call)) => {
                events.extend(changes(&before, &drawn));
                Shown::Open { item: drawn, call }
            }
            (_, Some(call)) => {
                let item = drawn.clone();
                events.push(StreamEvent::ItemAdded { item });
                Shown::Open { item: drawn, call }
            }
            (known, None) => {
                if let Content::Tool(_) = item.content {
                    let call = CallId::from(item.id.as_str());
                    events.extend(self.end_call(&call));
                    self.ended.insert(call);
                }
                if let (Some(Shown::Writing { .. }), ItemContent::AssistantMessage { content }) =
                    (known, &drawn.content)
                {
                    events.extend(content.iter().map(|content| StreamEvent::ItemUpdated {
                        item_id: drawn.id.clone(),
                        update: ItemUpdate::PartDone {
                            content_index: 0,
                            content: content.clone(),
                        },
                    }));
                }
                events.push(StreamEvent::ItemDone { item: drawn });
                Shown::Done
            }
        };
        self.items.insert(item.id.clone(), now);
        events
    }

    /// Completes the widgets of a call that has ended.
    fn end_call(&mut self, ended: &CallId) -> Vec<StreamEvent> {
        self.complete(|call| call == ended)
    }

    fn complete(&mut self, is_ended: impl Fn(&CallId) -> bool) -> Vec<StreamEvent> {
        let mut events = Vec::new();
        for shown in self.items.values_mut() {
            if let Shown::Open { item, call } = shown
                && is_ended(call)
            {
                let item = item.clone();
                events.push(StreamEvent::ItemDone { item });
                *shown = Shown::Done;
            }
        }
        events
    }

    /// Completes what is still open when the turn has ended. Text that was not kept is removed.
    pub(super) fn finish(&mut self) -> Vec<StreamEvent> {
        let mut events = self.complete(|_| true);
        self.items.retain(|id, shown| {
            let is_void = matches!(shown, Shown::Writing { .. });
            if is_void {
                let item_id = id.to_string();
                events.push(StreamEvent::ItemRemoved { item_id });
            }
            !is_void
        });
        events
    }
}

/// Returns the changes of an item that is not complete.
fn changes(before: &ThreadItem, after: &ThreadItem) -> Vec<StreamEvent> {
    let updates = match (&before.content, &after.content) {
        (ItemContent::Widget { widget: old, .. }, ItemContent::Widget { widget: new, .. }) => {
            diff_widget(old, new)
        }
        (ItemContent::Workflow { workflow: old }, ItemContent::Workflow { workflow: new }) => {
            let [task] = &new.tasks;
            let changed = old.tasks != new.tasks;
            let update = || ItemUpdate::TaskUpdated {
                task_index: 0,
                task: task.clone(),
            };
            changed.then(update).into_iter().collect()
        }
        _ => Vec::new(),
    };
    let update = |update| StreamEvent::ItemUpdated {
        item_id: after.id.clone(),
        update,
    };
    updates.into_iter().map(update).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_picture_begins_however_the_text_is_cut() {
        let text = "a ![x](https://evil.example/?q=1) vec![1] !";
        for at in 0..text.len() {
            let mut shown = ShownItems::default();
            let id = ItemId::from("txt_1");
            let (start, end) = text.split_at(at);
            let mut sent = shown.defuse(&id, start);
            sent.push_str(&shown.defuse(&id, ""));
            sent.push_str(&shown.defuse(&id, end));
            assert!(!sent.contains("!["), "{sent}");
            assert_eq!(sent.replace("!\\[", "!["), text);
        }
    }
}

//! What a running call may log of its items, and when.
//!
//! Each logged revision is a whole item on disk. Revisions of a widget that come soon after each
//! other are therefore logged as one, and the revisions of widgets and of the tool item have a
//! budget. An item over the budget is logged once more, when its call ends: the record is always
//! right in the end. What else a call can put has limits on its number.

use crate::sandbox::limits::Caps;
use footlight_vocabulary::event::EventBody;
use footlight_vocabulary::item::{Content, ItemId};
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// The shortest time between two commits of a call's widgets.
pub(super) const PAUSE: Duration = Duration::from_millis(100);

/// What an event costs in addition to its item, so that small ones are counted too.
const EVENT_COST: usize = 512;

/// The budget of one call.
#[derive(Debug, Default)]
pub(super) struct Revisions {
    logged: usize,
    is_used_up: bool,
    /// When widgets were committed last.
    last: Option<Instant>,
}

impl Revisions {
    /// Reports whether an event waits until the call has ended.
    fn holds(&self, event: &EventBody) -> bool {
        self.is_used_up && is_counted(event)
    }

    /// Returns when events are to be committed; none if all of them wait for the end of the call.
    pub(super) fn due(&self, events: &[EventBody]) -> Option<Instant> {
        let mut due = events.iter().filter(|event| !self.holds(event)).peekable();
        due.peek()?;
        let can_wait = |event: &EventBody| is_widget(event) || is_removal(event);
        let now = Instant::now();
        match self.last {
            Some(last) if due.all(can_wait) => Some(now.max(last + PAUSE)),
            _ => Some(now),
        }
    }

    /// Takes the events that are committed now, and counts them for the call and for its turn.
    pub(super) fn take(
        &mut self,
        events: &mut Vec<EventBody>,
        turn: &AtomicUsize,
    ) -> Vec<EventBody> {
        let mut taken = Vec::with_capacity(events.len());
        for event in std::mem::take(events) {
            if !self.charge(&event, turn) {
                events.push(event);
                continue;
            }
            if is_widget(&event) || is_removal(&event) {
                self.last = Some(Instant::now());
            }
            taken.push(event);
        }
        taken
    }

    fn charge(&mut self, event: &EventBody, turn: &AtomicUsize) -> bool {
        let EventBody::Put { item, .. } = event else {
            return true;
        };
        if !is_counted(event) {
            return true;
        }
        if self.is_used_up {
            return false;
        }
        let bytes = json_size(item).saturating_add(EVENT_COST);
        self.logged = self.logged.saturating_add(bytes);
        let of_turn = turn.fetch_add(bytes, Ordering::Relaxed);
        self.is_used_up = self.logged > Caps::LOGGED_REVISIONS
            || of_turn.saturating_add(bytes) > Caps::LOGGED_REVISIONS_OF_TURN;
        if self.is_used_up {
            tracing::info!(
                item = %item.id,
                "a call has logged as many revisions as it may: the last ones follow at its end"
            );
        }
        !self.is_used_up
    }
}

/// Removes the revision of an item that was not committed yet.
pub(super) fn forget(events: &mut Vec<EventBody>, id: &ItemId) {
    events.retain(|event| !matches!(event, EventBody::Put { item, .. } if item.id == *id));
}

fn is_counted(event: &EventBody) -> bool {
    let is_tool =
        matches!(event, EventBody::Put { item, .. } if matches!(item.content, Content::Tool(_)));
    is_tool || is_widget(event)
}

fn is_widget(event: &EventBody) -> bool {
    matches!(event, EventBody::Put { item, .. } if matches!(item.content, Content::Widget(_)))
}

fn is_removal(event: &EventBody) -> bool {
    matches!(event, EventBody::Remove { .. })
}

/// Returns the size of a value as JSON, without building the text.
pub(super) fn json_size(value: &impl serde::Serialize) -> usize {
    struct Count(usize);
    impl Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.saturating_add(bytes.len());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, value) {
        Ok(()) => count.0,
        Err(_) => usize::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight_vocabulary::item::{Item, Position, Timestamp, Widget};
    use serde_json::{Map, json};

    fn put(id: &str, bytes: usize) -> EventBody {
        let widget = Widget {
            call: "c".into(),
            widget: "w".to_owned(),
            data: json!("x".repeat(bytes)),
            invalid_data: false,
            fallback: String::new(),
            view: None,
            copy_text: None,
            extra: Map::new(),
        };
        EventBody::put(Item {
            content: Content::Widget(widget),
            id: id.into(),
            position: Position::default(),
            rev: 0,
            start: Timestamp::default(),
            end: None,
        })
    }

    fn size(events: &[EventBody]) -> usize {
        events.iter().map(json_size).sum()
    }

    #[test]
    fn widgets_are_logged_up_to_the_budget_whatever_their_size() {
        for bytes in [0, 1_000, 200_000] {
            let (mut revisions, turn) = (Revisions::default(), AtomicUsize::new(0));
            let (mut logged, mut count) = (0, 0);
            for _ in 0..100_000 {
                let mut events = vec![put("w", bytes)];
                let taken = revisions.take(&mut events, &turn);
                assert_eq!(taken.len() + events.len(), 1);
                logged += size(&taken);
                count += taken.len();
                if taken.is_empty() {
                    break;
                }
            }
            assert!(logged <= Caps::LOGGED_REVISIONS, "{logged}");
            assert!(count <= Caps::LOGGED_REVISIONS / EVENT_COST, "{count}");
            assert!(logged > Caps::LOGGED_REVISIONS / 4, "{logged}");
            // From now on, even a small one waits, and nothing else does.
            let mut events = vec![put("w", 0), EventBody::Remove { id: "v".into() }];
            assert!(revisions.due(&events).is_some());
            assert_eq!(revisions.take(&mut events, &turn).len(), 1);
            assert_eq!((events.len(), revisions.due(&events)), (1, None));
        }
    }

    #[test]
    fn the_calls_of_a_turn_share_a_budget() {
        let turn = AtomicUsize::new(0);
        let mut logged = 0;
        for _ in 0..256 {
            let mut revisions = Revisions::default();
            while !revisions.is_used_up {
                logged += size(&revisions.take(&mut vec![put("w", 200_000)], &turn));
            }
        }
        assert!(logged <= Caps::LOGGED_REVISIONS_OF_TURN, "{logged}");
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_revision_is_due_at_once_and_the_next_after_a_pause() {
        let (mut revisions, turn) = (Revisions::default(), AtomicUsize::new(0));
        let start = Instant::now();
        assert_eq!(revisions.due(&[]), None);
        assert_eq!(revisions.due(&[put("w", 1)]), Some(start));
        revisions.take(&mut vec![put("w", 1)], &turn);
        assert_eq!(revisions.due(&[put("w", 1)]), Some(start + PAUSE));
        // An output or a notice does not wait, nor does what comes with it.
        let other = EventBody::TurnStarted {
            prompt: String::new(),
            origin: footlight_vocabulary::event::Origin::Person,
            item: None,
            rev: None,
            retries: None,
        };
        assert_eq!(revisions.due(&[put("w", 1), other]), Some(start));
        tokio::time::advance(PAUSE * 2).await;
        assert_eq!(revisions.due(&[put("w", 1)]), Some(Instant::now()));
    }
}

//! Stored content, in memory: what plugins show that the model does not see.
//!
//! It goes when its time is up, when the call that stored it comes to nothing, and it has a quota for
//! each session of a plugin: what is kept between calls is bounded too.

use crate::limits::Caps;
use footlight_vocabulary::item::CallId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long an output stays.
pub(crate) const LIFE: Duration = Duration::from_secs(30 * 60);

/// All outputs, by session and id.
#[derive(Debug, Default)]
pub(crate) struct Outputs(Mutex<HashMap<(String, String), Kept>>);

#[derive(Debug)]
struct Kept {
    content: Vec<u8>,
    call: CallId,
    since: Instant,
}

impl Outputs {
    /// Keeps content; `false` if the session has no room for it.
    pub(crate) fn store(&self, session: &str, id: &str, call: &CallId, content: Vec<u8>) -> bool {
        let mut outputs = self.lock();
        let held = outputs.iter().filter(|((owner, _), _)| owner == session);
        let held: usize = held.map(|(_, kept)| kept.content.len()).sum();
        if held + content.len() > Caps::OUTPUT_TOTAL {
            return false;
        }
        let kept = Kept {
            content,
            call: call.clone(),
            since: Instant::now(),
        };
        outputs.insert((session.to_owned(), id.to_owned()), kept);
        true
    }

    /// At most `length` bytes from `offset`: never a copy of everything for a part of it.
    pub(crate) fn read(
        &self,
        session: &str,
        id: &str,
        offset: u64,
        length: usize,
    ) -> Option<Vec<u8>> {
        let outputs = self.lock();
        let content = &outputs.get(&(session.to_owned(), id.to_owned()))?.content;
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = content.get(offset..).unwrap_or_default();
        Some(rest.get(..length).unwrap_or(rest).to_vec())
    }

    /// Takes away what a call has stored unless it is told to [`keep`](Unsettled::keep) it.
    pub(crate) fn unsettled(self: &Arc<Self>, call: &CallId) -> Unsettled {
        Unsettled {
            outputs: Some(Arc::clone(self)),
            call: call.clone(),
        }
    }

    /// For an id that nobody can guess.
    pub(crate) fn random(&self) -> u64 {
        let mut bytes = [0; 8];
        // Without randomness an id is still unique by its time; it is only easier to guess.
        let _ = getrandom::fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// Everything that is not over yet.
    fn lock(&self) -> MutexGuard<'_, HashMap<(String, String), Kept>> {
        let mut outputs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        outputs.retain(|_, kept| kept.since.elapsed() < LIFE);
        outputs
    }
}

/// The outputs of a call whose end is open: it may fail, and it may be dropped.
pub(crate) struct Unsettled {
    outputs: Option<Arc<Outputs>>,
    call: CallId,
}

impl Unsettled {
    pub(crate) fn keep(mut self) {
        self.outputs = None;
    }
}

impl Drop for Unsettled {
    fn drop(&mut self) {
        if let Some(outputs) = &self.outputs {
            outputs.lock().retain(|_, kept| kept.call != self.call);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str) -> CallId {
        CallId::from(id.to_owned())
    }

    #[test]
    fn a_part_is_read_and_only_by_its_session() {
        let outputs = Outputs::default();
        assert!(outputs.store("ada", "out", &call("1"), b"content".to_vec()));
        let read = |session: &str, offset, length| outputs.read(session, "out", offset, length);
        assert_eq!(read("ada", 3, 2).as_deref(), Some(&b"te"[..]));
        assert_eq!(read("ada", 3, 100).as_deref(), Some(&b"tent"[..]));
        assert_eq!(read("ada", u64::MAX, 1).as_deref(), Some(&b""[..]));
        assert_eq!(read("bob", 0, 1), None);
    }

    #[test]
    fn what_a_call_stored_goes_unless_the_call_came_to_something() {
        let outputs = Arc::new(Outputs::default());
        outputs.store("ada", "kept", &call("1"), vec![1]);
        outputs.unsettled(&call("1")).keep();
        outputs.store("ada", "gone", &call("2"), vec![2]);
        drop(outputs.unsettled(&call("2")));
        assert!(outputs.read("ada", "kept", 0, 1).is_some());
        assert!(outputs.read("ada", "gone", 0, 1).is_none());
    }

    #[test]
    fn a_session_has_a_quota_and_time_frees_it() {
        let outputs = Outputs::default();
        let most = || vec![0; Caps::OUTPUT_TOTAL];
        assert!(outputs.store("ada", "all", &call("1"), most()));
        assert!(!outputs.store("ada", "more", &call("2"), vec![0]));
        assert!(outputs.store("bob", "his", &call("3"), vec![0]));
        for kept in outputs.lock().values_mut() {
            kept.since -= LIFE;
        }
        assert!(outputs.read("ada", "all", 0, 1).is_none());
        assert!(outputs.store("ada", "more", &call("4"), vec![0]));
    }
}

//! Stored content, in memory: what plugins show that the model does not see.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// All outputs, by session and id.
#[derive(Debug, Default)]
pub(crate) struct Outputs(Mutex<HashMap<(String, String), Vec<u8>>>);

impl Outputs {
    pub(crate) fn store(&self, session: &str, id: &str, content: Vec<u8>) {
        let mut outputs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        outputs.insert((session.to_owned(), id.to_owned()), content);
    }

    pub(crate) fn read(&self, session: &str, id: &str) -> Option<Vec<u8>> {
        let outputs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        outputs.get(&(session.to_owned(), id.to_owned())).cloned()
    }

    /// For an id that nobody can guess.
    pub(crate) fn random(&self) -> u64 {
        let mut bytes = [0; 8];
        // Without randomness an id is still unique by its time; it is only easier to guess.
        let _ = getrandom::fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}

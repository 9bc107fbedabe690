//! Plugins' state, in memory: a drawer for each plugin and session, and for each plugin and person.

use crate::bindings::footlight::plugin::state::StateError;
use crate::limits::Caps;
use footlight_vocabulary::json;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whose drawer it is: the plugin, and the session or the person as that plugin knows them.
pub(crate) type Owner = (String, String);

/// How a value is read.
const VALUE: json::Limits = json::Limits {
    bytes: Caps::STATE_VALUE,
    depth: 64,
};

/// All drawers.
#[derive(Debug, Default)]
pub(crate) struct Drawers(Mutex<HashMap<Owner, Drawer>>);

#[derive(Debug, Default)]
struct Drawer {
    values: BTreeMap<String, String>,
    /// Of all keys and values together, counted as they change.
    bytes: usize,
}

impl Drawers {
    pub(crate) fn get(&self, owner: &Owner, key: &str) -> Option<String> {
        self.lock().get(owner)?.values.get(key).cloned()
    }

    pub(crate) fn set(
        &self,
        owner: &Owner,
        key: &str,
        value: Option<&str>,
    ) -> Result<(), StateError> {
        self.lock()
            .entry(owner.clone())
            .or_default()
            .set(key, value)
    }

    pub(crate) fn swap(
        &self,
        owner: &Owner,
        key: &str,
        expected: Option<&str>,
        value: Option<&str>,
    ) -> Result<bool, StateError> {
        // As JSON: the same value may be written in two ways. What is larger than any value that is
        // held, or no JSON, is not held; it is read before the lock, which all plugins share.
        let read = |json: &str| json::parse(json, VALUE).ok();
        let wanted = expected.and_then(read);
        let mut drawers = self.lock();
        let drawer = drawers.entry(owner.clone()).or_default();
        let same = match (drawer.values.get(key), expected) {
            (None, None) => true,
            (Some(held), Some(expected)) => {
                held == expected || (wanted.is_some() && read(held) == wanted)
            }
            _ => false,
        };
        if same {
            drawer.set(key, value)?;
        }
        Ok(same)
    }

    pub(crate) fn keys(&self, owner: &Owner, prefix: &str) -> Vec<String> {
        let drawers = self.lock();
        let keys = drawers
            .get(owner)
            .into_iter()
            .flat_map(|drawer| drawer.values.keys());
        keys.filter(|key| key.starts_with(prefix))
            .cloned()
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Owner, Drawer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drawer {
    fn set(&mut self, key: &str, value: Option<&str>) -> Result<(), StateError> {
        if key.len() > Caps::STATE_KEY {
            return Err(StateError::TooLarge(Caps::STATE_KEY as u64));
        }
        let held = self
            .values
            .get(key)
            .map_or(0, |held| key.len() + held.len());
        let Some(value) = value else {
            self.values.remove(key);
            self.bytes -= held;
            return Ok(());
        };
        if value.len() > Caps::STATE_VALUE {
            return Err(StateError::TooLarge(Caps::STATE_VALUE as u64));
        }
        json::parse(value, VALUE)
            .map_err(|error| StateError::Other(format!("the value: {error}")))?;
        let bytes = self.bytes - held + key.len() + value.len();
        let new = !self.values.contains_key(key);
        if bytes > Caps::STATE_TOTAL || (new && self.values.len() >= Caps::STATE_KEYS) {
            return Err(StateError::Full);
        }
        self.bytes = bytes;
        self.values.insert(key.to_owned(), value.to_owned());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(name: &str) -> Owner {
        ("todo".to_owned(), name.to_owned())
    }

    #[test]
    fn a_drawer_is_only_its_owners() {
        let drawers = Drawers::default();
        drawers
            .set(&owner("ada"), "list", Some("[1]"))
            .expect("room");
        assert_eq!(drawers.get(&owner("ada"), "list").as_deref(), Some("[1]"));
        assert_eq!(drawers.get(&owner("bob"), "list"), None);
        assert_eq!(drawers.keys(&owner("ada"), "l"), ["list"]);
    }

    #[test]
    fn swap_compares_values_and_not_spelling() {
        let drawers = Drawers::default();
        drawers
            .set(&owner("ada"), "n", Some("{\"a\":1, \"b\":2}"))
            .expect("room");
        assert!(
            !drawers
                .swap(&owner("ada"), "n", Some("{}"), Some("3"))
                .expect("room")
        );
        assert!(
            drawers
                .swap(&owner("ada"), "n", Some("{\"b\":2,\"a\":1}"), Some("3"))
                .expect("room")
        );
        assert_eq!(drawers.get(&owner("ada"), "n").as_deref(), Some("3"));
    }

    #[test]
    fn what_is_too_large_or_no_json_is_refused() {
        let drawers = Drawers::default();
        let large = format!("\"{}\"", "x".repeat(Caps::STATE_VALUE));
        assert!(matches!(
            drawers.set(&owner("ada"), "k", Some(&large)),
            Err(StateError::TooLarge(_))
        ));
        assert!(matches!(
            drawers.set(&owner("ada"), "k", Some("{")),
            Err(StateError::Other(_))
        ));
        let value = format!("\"{}\"", "x".repeat(Caps::STATE_VALUE - 2));
        let full = (0..100).find_map(|n| {
            drawers
                .set(&owner("ada"), &n.to_string(), Some(&value))
                .err()
        });
        assert!(matches!(full, Some(StateError::Full)));
    }

    #[test]
    fn there_is_an_end_to_keys_and_what_is_there_can_still_be_changed() {
        let drawers = Drawers::default();
        let set = |n: usize| drawers.set(&owner("ada"), &n.to_string(), Some("0"));
        (0..Caps::STATE_KEYS).for_each(|n| set(n).expect("room"));
        assert!(matches!(set(Caps::STATE_KEYS), Err(StateError::Full)));
        set(0).expect("it is there");
        drawers.set(&owner("ada"), "0", None).expect("deletes");
        set(Caps::STATE_KEYS).expect("room again");
    }

    #[test]
    fn what_is_no_value_is_never_the_value_held() {
        let drawers = Drawers::default();
        drawers.set(&owner("ada"), "n", Some("1")).expect("room");
        for expected in ["", "{", "{\"a\":1,\"a\":1}"] {
            let swapped = drawers.swap(&owner("ada"), "n", Some(expected), Some("2"));
            assert!(!swapped.expect("no error"), "{expected}");
        }
    }
}

//! The plugin's own key-value state, with typed values.

use crate::StateError;
use crate::backend::{BucketBackend, BucketHandle};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Whose a bucket of [`State`] is, and so how long it lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The bucket of this session, which is deleted with the session.
    Session,
    /// The bucket of this person, which all of the person's sessions share.
    Person,
}

/// A bucket of keys and values that only this plugin can read: what is left when a call has ended.
/// Returned by [`Stage::state`](crate::Stage::state).
///
/// A write is durable at once, and stays when the call fails later.
///
/// ```
/// # use footlight_sdk::prelude::*;
/// # fn tool(stage: &Stage) -> Result<u32> {
/// let visits = stage.state(Scope::Person).update("visits", |visits: Option<u32>| visits.unwrap_or(0) + 1)?;
/// # Ok(visits)
/// # }
/// ```
pub struct State(pub(crate) BucketHandle);

/// How often [`State::update`] retries after a concurrent change.
const ATTEMPTS: usize = 32;

impl State {
    /// Returns the value of `key`, if there is one.
    ///
    /// # Errors
    /// If the stored value has another type.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, StateError> {
        read(key, BucketBackend::get(&self.0, key)?.as_deref())
    }

    /// Writes a value.
    ///
    /// # Errors
    /// If the value is too large, the bucket is full, or the value cannot be serialised to JSON.
    pub fn set<T: Serialize>(&self, key: &str, value: &T) -> Result<(), StateError> {
        BucketBackend::set(&self.0, key, Some(&write(value)?))
    }

    /// Deletes the value of `key`.
    ///
    /// # Errors
    /// If the host cannot delete it.
    pub fn remove(&self, key: &str) -> Result<(), StateError> {
        BucketBackend::set(&self.0, key, None)
    }

    /// Returns the keys that start with `prefix`, in byte order.
    ///
    /// # Errors
    /// If the host cannot list them.
    pub fn keys(&self, prefix: &str) -> Result<Vec<String>, StateError> {
        BucketBackend::keys(&self.0, prefix)
    }

    /// Changes a value atomically: writes the result of `change` and returns it.
    ///
    /// If another call changes the key at the same time, `change` runs again on the new value, so
    /// that no change is lost. `change` should therefore have no side effects.
    ///
    /// # Errors
    /// As [`get`](Self::get) and [`set`](Self::set), and if concurrent changes exhaust the retries.
    pub fn update<T, F>(&self, key: &str, mut change: F) -> Result<T, StateError>
    where
        T: Serialize + DeserializeOwned,
        F: FnMut(Option<T>) -> T,
    {
        self.swap(key, |old| Ok((change(old), ())))
            .map(|(new, ())| new)
    }

    /// Changes a value atomically with a function that can fail. Returns the new value and the result
    /// of `change`. If `change` fails, nothing is written.
    ///
    /// ```standalone_crate
    /// # use footlight_sdk::prelude::*;
    /// # fn tool(stage: &Stage) -> Result<usize> {
    /// let (notes, position) = stage.state(Scope::Person).try_update("notes", |notes: &mut Vec<String>| {
    ///     if notes.len() >= 100 {
    ///         return Err(invalid!("100 notes are enough: remove one first"));
    ///     }
    ///     notes.push("milk".to_owned());
    ///     Ok(notes.len())
    /// })?;
    /// # assert_eq!(notes.len(), position);
    /// # Ok(position)
    /// # }
    /// # tool(&footlight_sdk::testing::stage()).unwrap();
    /// ```
    ///
    /// # Errors
    /// The error of `change`, and as [`update`](Self::update).
    pub fn try_update<T, A, E, F>(&self, key: &str, mut change: F) -> Result<(T, A), E>
    where
        T: Default + Serialize + DeserializeOwned,
        E: From<StateError>,
        F: FnMut(&mut T) -> Result<A, E>,
    {
        self.swap(key, |old| {
            let mut value = old.unwrap_or_default();
            let answer = change(&mut value)?;
            Ok((value, answer))
        })
    }

    /// Reads, changes and compare-and-swaps a value until no other call interferes.
    fn swap<T, A, E, F>(&self, key: &str, mut change: F) -> Result<(T, A), E>
    where
        T: Serialize + DeserializeOwned,
        E: From<StateError>,
        F: FnMut(Option<T>) -> Result<(T, A), E>,
    {
        for _ in 0..ATTEMPTS {
            let old = BucketBackend::get(&self.0, key)?;
            let (new, answer) = change(read(key, old.as_deref())?)?;
            let written = write(&new)?;
            if BucketBackend::swap(&self.0, key, old.as_deref(), Some(&written))? {
                return Ok((new, answer));
            }
        }
        let message = format!("`{key}` is being changed by other calls; try again");
        Err(StateError::Other(message).into())
    }
}

fn read<T: DeserializeOwned>(key: &str, json: Option<&str>) -> Result<Option<T>, StateError> {
    let mismatch =
        |error| StateError::Other(format!("`{key}` holds a value of another type: {error}"));
    let read = json.map(serde_json::from_str).transpose();
    read.map_err(mismatch)
}

fn write<T: Serialize>(value: &T) -> Result<String, StateError> {
    serde_json::to_string(value).map_err(|error| StateError::Other(error.to_string()))
}

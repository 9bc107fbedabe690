//! The plugin's own small drawer of data, typed.

use crate::StateError;
use crate::backend::{BucketBackend, BucketHandle};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Whose drawer it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// This session's: gone when the session is deleted.
    Session,
    /// This person's: the same in every session of theirs.
    Person,
}

/// Keys and values that only this plugin sees. Writes are durable at once, also when the call
/// fails later.
///
/// ```
/// # use footlight_sdk::prelude::*;
/// # fn tool(stage: &Stage) -> Result<u32> {
/// let visits = stage.state(Scope::Person).update("visits", |visits: Option<u32>| visits.unwrap_or(0) + 1)?;
/// # Ok(visits)
/// # }
/// ```
pub struct State(pub(crate) BucketHandle);

/// How often [`State::update`] tries again when another call was faster.
const ATTEMPTS: usize = 32;

impl State {
    /// The value under `key`, if there is one.
    ///
    /// # Errors
    /// When the stored value has another shape.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, StateError> {
        read(key, BucketBackend::get(&self.0, key)?.as_deref())
    }

    /// Writes a value.
    ///
    /// # Errors
    /// When it is too large, the drawer is full, or it cannot be written as JSON.
    pub fn set<T: Serialize>(&self, key: &str, value: &T) -> Result<(), StateError> {
        BucketBackend::set(&self.0, key, Some(&write(value)?))
    }

    /// Deletes the value under `key`.
    ///
    /// # Errors
    /// When the host cannot.
    pub fn remove(&self, key: &str) -> Result<(), StateError> {
        BucketBackend::set(&self.0, key, None)
    }

    /// The keys that begin with `prefix`, in byte order.
    ///
    /// # Errors
    /// When the host cannot list them.
    pub fn keys(&self, prefix: &str) -> Result<Vec<String>, StateError> {
        BucketBackend::keys(&self.0, prefix)
    }

    /// Changes a value in one step: what `change` makes of the old value is written, and answered.
    ///
    /// Two calls that change the same key at once both count. `change` may therefore run more than
    /// once, and should only compute.
    ///
    /// # Errors
    /// As [`get`](Self::get) and [`set`](Self::set), and when other calls keep being faster.
    pub fn update<T, F>(&self, key: &str, mut change: F) -> Result<T, StateError>
    where
        T: Serialize + DeserializeOwned,
        F: FnMut(Option<T>) -> T,
    {
        self.swap(key, |old| Ok((change(old), ())))
            .map(|(new, ())| new)
    }

    /// Changes a value in one step where the change can fail or has something to say: answers the
    /// new value and what `change` said. A failed change writes nothing.
    ///
    /// ```
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
    /// What `change` answers, and as [`update`](Self::update).
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

    /// Reads, changes and writes until nobody came in between.
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
        Err(StateError::Other(format!("`{key}` is being changed by others; try again")).into())
    }
}

fn read<T: DeserializeOwned>(key: &str, json: Option<&str>) -> Result<Option<T>, StateError> {
    let shape = |error| StateError::Other(format!("`{key}` holds something else: {error}"));
    json.map(|json| serde_json::from_str(json).map_err(shape))
        .transpose()
}

fn write<T: Serialize>(value: &T) -> Result<String, StateError> {
    serde_json::to_string(value).map_err(|error| StateError::Other(error.to_string()))
}

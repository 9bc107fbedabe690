//! Persists the list as one value of the person's state, which all their sessions share.

use crate::tasks::Tasks;
use footlight_sdk::prelude::*;

/// The key of the value.
pub(crate) const KEY: &str = "tasks";

/// Loads the list.
pub(crate) fn load(stage: &Stage) -> Result<Tasks> {
    Ok(stage.state(Scope::Person).get(KEY)?.unwrap_or_default())
}

/// Changes the list atomically, and returns it with the result of `change`.
///
/// If another session changes the list at the same time, `change` runs again on the new list. If
/// `change` fails, the list stays as it was.
pub(crate) fn change<A>(
    stage: &Stage,
    change: impl FnMut(&mut Tasks) -> Result<A>,
) -> Result<(Tasks, A)> {
    stage.state(Scope::Person).try_update(KEY, change)
}

//! Where the list is kept: one value in the person's drawer, the same in all their sessions.

use crate::tasks::Tasks;
use footlight_sdk::prelude::*;

/// The key of that value.
pub(crate) const KEY: &str = "tasks";

/// The list as it is now.
pub(crate) fn load(stage: &Stage) -> Result<Tasks> {
    Ok(stage.state(Scope::Person).get(KEY)?.unwrap_or_default())
}

/// Changes the list in one step, and answers it with what `change` said.
///
/// Another session may change the list at the same moment; then `change` runs again on what that
/// one left, so that both changes count. A change that fails leaves the list as it was.
pub(crate) fn change<A>(
    stage: &Stage,
    change: impl FnMut(&mut Tasks) -> Result<A>,
) -> Result<(Tasks, A)> {
    stage.state(Scope::Person).try_update(KEY, change)
}

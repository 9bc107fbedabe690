//! The folders of a scripted stage.

use super::Stage;
use std::path::PathBuf;

/// Returns the folder that the test has bound to a path of `plugin.toml`.
///
/// # Panics
/// If the path is not declared, or nothing is bound to a folder without which a host does not run a call.
pub(super) fn path(stage: &Stage, path: &str) -> PathBuf {
    let is_optional = stage.if_checked(|declared| declared.folder(path).optional);
    match stage.world.borrow().folders.get(path) {
        Some(bound) => bound.clone(),
        // As in a host, paths below a folder that was not granted are not found.
        None if is_optional == Some(true) => {
            PathBuf::from("/dev/null").join(path.trim_start_matches('/'))
        }
        None => panic!(
            "no folder is bound to `{path}`: bind one with `testing::stage().with_folder({path:?}, …)`"
        ),
    }
}

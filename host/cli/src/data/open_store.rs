//! An open store for the commands that only read or edit it.

use crate::conversation::host::now;
use crate::data::Data;
use crate::exit::ExitError;
use anyhow::{Context, Result};
use footlight::store::Store;
use footlight_render::filter;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};

/// A store, with a runtime to wait for its replies.
pub(crate) struct OpenStore {
    pub(crate) store: Arc<dyn Store>,
    runtime: Runtime,
}

impl OpenStore {
    pub(crate) fn new(data: &Data) -> Result<Self> {
        let opened = Self {
            store: data.store()?,
            runtime: runtime()?,
        };
        // What has expired does not wait for a conversation. A store that cannot be written to can
        // still be read.
        let _ = opened.wait(opened.store.sweep(now()));
        Ok(opened)
    }

    /// Waits for a reply of the store.
    pub(crate) fn wait<F: Future>(&self, reply: F) -> F::Output {
        self.runtime.block_on(reply)
    }
}

/// Builds a single-threaded runtime.
pub(crate) fn runtime() -> Result<Runtime> {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.context("cannot start the async runtime")
}

/// Resolves a unique id prefix, as `git` does for commits. In `missing`, the message for an unknown
/// id, `{}` stands for the prefix.
pub(crate) fn resolve_prefix<T>(
    rows: impl IntoIterator<Item = T>,
    id_of: impl Fn(&T) -> &str,
    prefix: &str,
    missing: &str,
) -> Result<T> {
    let mut matches: Vec<T> = Vec::new();
    for row in rows {
        if id_of(&row) == prefix {
            return Ok(row);
        }
        if !prefix.is_empty() && id_of(&row).starts_with(prefix) {
            matches.push(row);
        }
    }
    let shown = filter::line(prefix, 60);
    match (matches.pop(), matches.is_empty()) {
        (Some(row), true) => Ok(row),
        (Some(_), false) => Err(ExitError::usage(format!(
            "`{shown}` matches several ids; write more of it"
        ))),
        (None, _) => Err(ExitError::usage(missing.replace("{}", &shown))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_resolves_only_if_it_is_unique_or_a_whole_id() {
        let of = |id: &str| resolve_prefix(["abc", "abd", "ab", "x"], |row| row, id, "no `{}`");
        assert_eq!(of("abd").expect("is there"), "abd");
        assert_eq!(of("ab").expect("is a whole id"), "ab");
        let error = |id: &str| of(id).expect_err("is not unique").to_string();
        assert!(error("a").starts_with("`a` matches several ids"));
        assert_eq!(error("y"), "no `y`");
        assert_eq!(error(""), "no ``");
    }
}

//! Places where a test makes the process die, as a power cut would.
//!
//! In a build that is not a test there is nothing here.

/// Between which two effects the process may die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CrashPoint {
    /// New content is written and not yet in its place.
    Staged,
    /// New content is in its place, and no row names it.
    Placed,
    /// Everything is written, nothing committed.
    BeforeCommit,
    /// Committed, and nobody knows.
    AfterCommit,
    /// Rows of old content are gone, its files are not.
    BeforePurge,
    /// Half of a migration is done.
    Migrating,
}

#[cfg(not(test))]
pub(super) fn crash_point(_: CrashPoint) {}

/// Dies at the `n`th time of `FOOTLIGHT_DIE_AT=<point>:<n>`.
#[cfg(test)]
pub(super) fn crash_point(here: CrashPoint) {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicUsize, Ordering};
    static AT: LazyLock<Option<(String, usize)>> = LazyLock::new(|| {
        let at = std::env::var("FOOTLIGHT_DIE_AT").ok()?;
        let (point, n) = at.split_once(':')?;
        Some((point.to_owned(), n.parse().ok()?))
    });
    static TIMES: AtomicUsize = AtomicUsize::new(0);
    if let Some((at, n)) = &*AT
        && *at == format!("{here:?}")
        && TIMES.fetch_add(1, Ordering::SeqCst) + 1 == *n
    {
        std::process::abort();
    }
}

//! Points at which a test can kill the process, as a power cut would.
//!
//! Outside of tests this does nothing.

/// A point between two effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CrashPoint {
    /// New content is in a temporary file.
    Staged,
    /// New content is in its place, and no row refers to it.
    Placed,
    /// Everything is written, nothing is committed.
    BeforeCommit,
    /// The transaction is committed, and no caller knows.
    AfterCommit,
    /// The rows of old content are deleted, its files are not.
    BeforePurge,
    /// A migration is half done.
    Migrating,
}

#[cfg(not(test))]
pub(super) fn crash_point(_: CrashPoint) {}

/// Aborts when the point of `FOOTLIGHT_DIE_AT=<point>:<n>` is reached for the `n`th time.
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

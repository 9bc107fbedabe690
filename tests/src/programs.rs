//! Programs from outside that some tests need: a browser, Python, npm.
//!
//! Where one is absent its test is skipped, loudly. With `CI=true` that is a failure: `.ci/run`
//! installs them all.

use std::path::PathBuf;

/// The program's path, or nothing where the test that wants it may be skipped.
///
/// # Panics
/// When the program is absent and `CI` is `true`.
#[must_use]
pub fn program(name: &str, remedy: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file());
    if found.is_none() {
        let message = format!("`{name}` is not installed: {remedy}");
        assert!(
            std::env::var_os("CI").is_none_or(|ci| ci != "true"),
            "{message}"
        );
        say(&format!("SKIPPED: {message}"));
    }
    found
}

#[expect(clippy::print_stderr, reason = "a skipped test must be seen")]
fn say(message: &str) {
    eprintln!("{message}");
}

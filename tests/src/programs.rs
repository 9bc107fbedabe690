//! Finds the external programs that some tests need: a browser, Python, npm.
//!
//! Where one is missing, its test is skipped with a message. With `CI=true` it fails: `.ci/run`
//! installs them all.

use std::path::PathBuf;

/// Returns the program's path, or `None` where the test may be skipped.
///
/// # Panics
/// If the program is missing and `CI` is `true`.
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

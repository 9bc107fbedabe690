//! This program as the child process that compiles plugins.
//!
//! It is not a command: people have no use for it, and it runs before anything else is set up.

use anyhow::{Context, Result};
use std::env;
use std::path::{Path, PathBuf};

/// The only argument of the child process.
pub(crate) const ARGUMENT: &str = "compile-child";

/// Reports whether this process was started to compile.
pub(crate) fn is_requested() -> bool {
    let mut arguments = env::args_os().skip(1);
    arguments.next().is_some_and(|first| first == ARGUMENT) && arguments.next().is_none()
}

/// Returns the path of this program.
pub(crate) fn program() -> Result<PathBuf> {
    // On Linux this is the running program even if its file was replaced by another version.
    let own = Path::new("/proc/self/exe");
    if own.exists() {
        return Ok(own.to_owned());
    }
    env::current_exe().context("the path of this program is unknown")
}

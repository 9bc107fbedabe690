//! The program under test, with nobody's own answers, settings and data.

use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

pub(crate) fn ended(output: Output) -> Ended {
    Ended {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("stdout is text"),
        stderr: String::from_utf8(output.stderr).expect("stderr is text"),
    }
}

/// Prepares a program that runs in a folder, and keeps its settings and data below another one.
pub(crate) fn prepared(program: impl AsRef<OsStr>, folder: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).stdin(Stdio::null());
    command.env("CARGO_TARGET_DIR", target());
    // A cache that tests share.
    command.env("XDG_CACHE_HOME", target().join("tmp/cache"));
    command.env("FOOTLIGHT_CONFIG_DIR", home.join(".config"));
    command.env("FOOTLIGHT_DATA_DIR", home.join(".data"));
    command
}

/// The target folder of the workspace, where `tests/build.rs` builds the plugins too: each crate is compiled once.
pub(crate) fn target() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    folder.expect("the target folder").to_owned()
}

pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

//! This program as the parent of a compiler: no compiler goes on when the process that wanted its work has
//! ended, however that has ended.
//!
//! It runs the command that follows the argument, in a process group of its own, and kills the group once
//! standard input ends. A killed process closes its pipes, so nothing has to be told.
//!
//! It is not a command: people have no use for it.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

/// The first argument of the process. The command follows.
const ARGUMENT: &str = "build-child";

/// The exit code if the command cannot be started.
const NOT_STARTED: u8 = 127;

/// Reports whether this process was started to run a compiler.
pub(crate) fn is_requested() -> bool {
    let mut arguments = env::args_os().skip(1);
    arguments.next().is_some_and(|first| first == ARGUMENT) && arguments.next().is_some()
}

/// Starts a command below a process of this program, which kills it when the returned child's standard input
/// is closed.
pub(crate) fn spawn(
    program: &Path,
    words: &[impl AsRef<OsStr>],
    variables: &[(&str, OsString)],
    folder: &Path,
) -> io::Result<Child> {
    let mut command = Command::new(program);
    crate::secrets::remove_from_environment(&mut command);
    command.arg(ARGUMENT).args(words).current_dir(folder);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    // Ctrl-C is for the process that reads the output.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

/// Runs the command of the arguments.
pub(crate) fn run() -> ExitCode {
    let mut words = env::args_os().skip(2);
    let Some(program) = words.next() else {
        return NOT_STARTED.into();
    };
    let mut command = Command::new(program);
    let started = command.args(words).stdin(Stdio::null()).spawn();
    let Ok(mut child) = started else {
        return NOT_STARTED.into();
    };
    std::thread::spawn(|| {
        let _ = io::stdin().lock().read_to_end(&mut Vec::new());
        kill_group();
    });
    let ended = child.wait().ok().and_then(|status| status.code());
    // Without a code it was killed by a signal.
    let code = ended.and_then(|code| u8::try_from(code).ok());
    code.unwrap_or(NOT_STARTED).into()
}

/// Kills the command with all processes that it has started, and this process with them.
#[cfg(unix)]
fn kill_group() {
    let own = rustix::process::getpgrp();
    // Only a group that was made for this process: its leader.
    if own == rustix::process::getpid() {
        let _ = rustix::process::kill_process_group(own, rustix::process::Signal::KILL);
    }
    std::process::exit(NOT_STARTED.into());
}

/// Ends this process. Here nothing else can be reached: the command ends by itself.
#[cfg(not(unix))]
fn kill_group() {
    std::process::exit(NOT_STARTED.into());
}

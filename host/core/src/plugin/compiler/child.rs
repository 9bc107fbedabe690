//! The child's side: sets limits on itself, reads a component, and answers with machine code.

use super::{MAX_ARTIFACT, compile};
use crate::plugin::survey::MAX_BYTES;
use crate::sandbox::engine;
use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;

/// How the child process ends. Every other exit code, and every signal, is a crash.
#[derive(Clone, Copy)]
pub(super) enum ChildExit {
    /// The standard output holds the serialized component.
    Compiled = 0,
    /// The component cannot be compiled. The standard output holds the reason.
    Refused = 10,
    /// The limits cannot be set. Nothing was read.
    NoLimits = 11,
    /// The component cannot be read, or the answer cannot be written.
    NoPipe = 12,
}

impl ChildExit {
    /// Returns the meaning of an exit code.
    pub(super) fn of(code: i32) -> Option<Self> {
        let all = [Self::Compiled, Self::Refused, Self::NoLimits, Self::NoPipe];
        all.into_iter().find(|exit| *exit as i32 == code)
    }
}

impl From<ChildExit> for ExitCode {
    fn from(exit: ChildExit) -> Self {
        Self::from(exit as u8)
    }
}

/// Runs the process as a compiler for [`HostBuilder::compiler`](crate::HostBuilder::compiler): limits
/// its own memory and CPU time, compiles the component on standard input, and writes the machine code
/// to standard output.
///
/// Call this first in `main` of the program that the host starts, before it opens files or starts
/// threads, and return the exit code.
#[must_use]
pub fn compile_child() -> ExitCode {
    run().into()
}

fn run() -> ChildExit {
    if limit_self().is_err() {
        return ChildExit::NoLimits;
    }
    let mut bytes = Vec::new();
    let most = MAX_BYTES as u64 + 1;
    if io::stdin()
        .lock()
        .take(most)
        .read_to_end(&mut bytes)
        .is_err()
    {
        return ChildExit::NoPipe;
    }
    let compiled = engine::for_compiling()
        .map_err(|error| error.to_string())
        .and_then(|engine| compile(&engine, &bytes));
    let (answer, exit) = match compiled {
        Ok(code) => (code, ChildExit::Compiled),
        Err(why) => (why.into_bytes(), ChildExit::Refused),
    };
    // One byte more than the host reads tells it that the code is too large.
    let answer = &answer[..answer.len().min(MAX_ARTIFACT + 1)];
    let mut out = io::stdout().lock();
    match out.write_all(answer).and_then(|()| out.flush()) {
        Ok(()) => exit,
        Err(_) => ChildExit::NoPipe,
    }
}

#[cfg(unix)]
fn limit_self() -> io::Result<()> {
    use super::{MAX_CPU_TIME, MAX_MEMORY, MAX_THREAD_MEMORY};
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // The compiler starts one thread for each core.
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let memory = MAX_MEMORY + threads * MAX_THREAD_MEMORY;
    let seconds = MAX_CPU_TIME.as_secs();
    let limits = [
        (Resource::As, memory, memory),
        // The first limit sends SIGXCPU, which says what happened; the second one kills.
        (Resource::Cpu, seconds, seconds + 5),
        (Resource::Core, 0, 0),
        (Resource::Fsize, 0, 0),
        (Resource::Nofile, 32, 32),
    ];
    for (resource, current, maximum) in limits {
        // A limit that is set already may be lower, and cannot be raised.
        let set = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let limit = Rlimit {
            current: Some(current.min(set)),
            maximum: Some(maximum.min(set)),
        };
        setrlimit(resource, limit)?;
    }
    Ok(())
}

/// Other systems have no such limits: the host still stops a child that takes too long.
#[cfg(not(unix))]
fn limit_self() -> io::Result<()> {
    Ok(())
}

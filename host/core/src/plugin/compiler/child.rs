//! The child's side: sets limits on itself, reads a component, and answers with machine code.
//!
//! The system's limit on address space is a second line: an allocation that it refuses aborts the process, which
//! does not say why. Before that, a thread looks at the memory in use and ends the process with an exit code of
//! its own.

use super::{MAX_ARTIFACT, MAX_CPU_TIME, MAX_MEMORY, compile};
use crate::plugin::survey::MAX_BYTES;
use crate::sandbox::engine;
use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

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
    /// The compiler needed more memory than it may use.
    OutOfMemory = 13,
}

impl ChildExit {
    /// Returns the meaning of an exit code.
    pub(super) fn of(code: i32) -> Option<Self> {
        let all = [
            Self::Compiled,
            Self::Refused,
            Self::NoLimits,
            Self::NoPipe,
            Self::OutOfMemory,
        ];
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
    let limits = ChildLimits {
        memory: MAX_MEMORY,
        cpu_time: MAX_CPU_TIME,
    };
    run(limits).into()
}

/// What a child process can use.
#[derive(Clone, Copy)]
struct ChildLimits {
    memory: u64,
    cpu_time: Duration,
}

fn run(limits: ChildLimits) -> ChildExit {
    if limits.set().is_err() {
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

impl ChildLimits {
    #[cfg(unix)]
    fn set(self) -> io::Result<()> {
        use super::MAX_THREAD_MEMORY;
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        // The compiler starts one thread for each core; one more watches the memory.
        let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64 + 1;
        // Twice the memory, so that a buffer that doubles its size is noticed by the watching thread first.
        let address_space = self.memory * 2 + threads * MAX_THREAD_MEMORY;
        let seconds = self.cpu_time.as_secs();
        let limits = [
            (Resource::As, address_space, address_space),
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
        self.watch_memory()
    }

    /// Other systems have no such limits: the host still stops a child that takes too long.
    #[cfg(not(unix))]
    fn set(self) -> io::Result<()> {
        self.watch_memory()
    }

    /// Ends the process once it uses too much memory.
    #[cfg(target_os = "linux")]
    fn watch_memory(self) -> io::Result<()> {
        let watch = move || {
            while resident_memory().is_none_or(|used| used <= self.memory) {
                std::thread::sleep(WATCH_INTERVAL);
            }
            std::process::exit(ChildExit::OutOfMemory as i32);
        };
        let thread = std::thread::Builder::new().name("footlight-memory".to_owned());
        thread.spawn(watch).map(drop)
    }

    /// Elsewhere a process cannot easily see how much memory it uses.
    #[cfg(not(target_os = "linux"))]
    fn watch_memory(self) -> io::Result<()> {
        let Self {
            memory: _,
            cpu_time: _,
        } = self;
        Ok(())
    }
}

/// How often the memory in use is looked at.
#[cfg(target_os = "linux")]
const WATCH_INTERVAL: Duration = Duration::from_millis(10);

/// Returns how much memory this process uses.
#[cfg(target_os = "linux")]
fn resident_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let resident = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = resident.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(all(test, target_os = "linux"))]
mod tests;

//! Every way in which a call can be ended that is not the plugin's own.
//!
//! A guest that traps, hoards or dawdles is stopped. The model reads one short failure, the person
//! one sentence with a remedy, and the log gets everything.

use footlight_vocabulary::manifest::Limits;
use std::collections::HashMap;
use std::fmt;
use wasmtime::{Trap, WasmBacktrace};
use wasmtime_wasi::I32Exit;

/// Why the host ended a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The guest computed for longer than its budget.
    Cpu,
    /// The call took longer than it may, waiting for a person not counted.
    Wall,
    /// More memory than the limit, in sum over memories and tables.
    Memory,
    /// The guest's calls were nested too deeply.
    Stack,
    /// More data between guest and host than a call may carry.
    Payload,
    /// More handles than a call may hold.
    Handles,
    /// The guest panicked or aborted.
    Panic,
    /// The guest tried to end the process.
    Exit,
    /// The guest trapped in another way, and which.
    Trap(String),
    /// What the guest returned is not what the contract says, and how.
    Protocol(String),
    /// The person cancelled and the guest did not stop in time.
    Cancelled,
    /// No room for another call at this moment.
    Busy,
    /// A fault of ours.
    Internal(String),
}

impl Fault {
    /// One word, for a log or a table.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Wall => "wall",
            Self::Memory => "memory",
            Self::Stack => "stack",
            Self::Payload => "payload",
            Self::Handles => "handles",
            Self::Panic => "panic",
            Self::Exit => "exit",
            Self::Trap(_) => "trap",
            Self::Protocol(_) => "protocol",
            Self::Cancelled => "cancelled",
            Self::Busy => "busy",
            Self::Internal(_) => "internal",
        }
    }

    /// One sentence for the person: what, and what to do about it.
    #[must_use]
    pub fn sentence(&self, limits: &Limits) -> String {
        let mib = limits.memory >> 20;
        match self {
            Self::Cpu => format!(
                "it computed for more than {:?}; its author can ask for more with `active-time` in plugin.toml",
                limits.active_time
            ),
            Self::Wall => format!(
                "it took longer than {:?}; its author can ask for more with `wall-time` in plugin.toml",
                limits.wall_time
            ),
            Self::Memory => {
                format!("it wanted more than {mib} MiB of memory; its author can ask for more with `memory` in plugin.toml")
            }
            Self::Stack => "its calls were nested too deeply; its author should make them flatter".to_owned(),
            Self::Payload => "it sent or returned more data at once than a call may carry; its author should use an output".to_owned(),
            Self::Handles => "it held too many things open at once; its author should drop what is not needed".to_owned(),
            Self::Panic => "it panicked or aborted; the log may say where".to_owned(),
            Self::Exit => "it tried to end the process, which a plugin cannot do; its author should return instead".to_owned(),
            Self::Trap(what) => format!("it trapped ({what}); its author can find where by running it in a test"),
            Self::Protocol(how) => format!("it broke the contract: {how}"),
            Self::Cancelled => "it was cancelled and did not stop in time".to_owned(),
            Self::Busy => "there is no room for another call at this moment; try again".to_owned(),
            Self::Internal(what) => format!("the host failed: {what}; please report it"),
        }
    }

    /// What became of a guest, from the error it ended with.
    pub(crate) fn from_error(error: &wasmtime::Error) -> Self {
        if let Some(StopError(fault)) = error.downcast_ref::<StopError>() {
            return fault.clone();
        }
        if error.downcast_ref::<I32Exit>().is_some() {
            return Self::Exit;
        }
        if error
            .downcast_ref::<wasmtime::PoolConcurrencyLimitError>()
            .is_some()
        {
            return Self::Busy;
        }
        if let Some(trap) = error.downcast_ref::<Trap>() {
            return match trap {
                Trap::StackOverflow => Self::Stack,
                // Rust's stack lies in linear memory and grows down to its end; but a wild pointer
                // ends in the same way.
                Trap::MemoryOutOfBounds if recursing(error) => Self::Stack,
                Trap::UnreachableCodeReached => Self::Panic,
                Trap::Interrupt => Self::Cpu,
                other => Self::Trap(other.to_string()),
            };
        }
        // These two have no public type; their words are checked by a test for each.
        let words = format!("{error:#}");
        if words.contains("fuel allocated for hostcalls") {
            Self::Payload
        } else if words.contains("resource table has no free keys")
            || words.contains("too many handles")
            || words.contains("handle limit exceeded")
        {
            Self::Handles
        } else {
            Self::Trap(error.root_cause().to_string())
        }
    }
}

/// Whether one function stands in the trace of a trap again and again.
fn recursing(error: &wasmtime::Error) -> bool {
    let Some(trace) = error.downcast_ref::<WasmBacktrace>() else {
        return false;
    };
    let mut times = HashMap::new();
    for frame in trace.frames() {
        *times.entry(frame.func_index()).or_insert(0_usize) += 1;
    }
    times.into_values().any(|times| times >= 4)
}

/// The host's own way to end a guest: an error that says which fault it is.
#[derive(Debug)]
pub(crate) struct StopError(pub(crate) Fault);

impl fmt::Display for StopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stopped: {}", self.0.word())
    }
}

impl std::error::Error for StopError {}

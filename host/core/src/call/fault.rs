//! Faults: every way in which the host ends a call.
//!
//! The model reads one short failure, the person one sentence with a remedy, and the log gets every
//! detail.

use crate::sandbox::limits::Caps;
use crate::sandbox::waiting_guests::WaitingScope;
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::manifest::Limits;
use std::collections::HashMap;
use wasmtime::{Trap, WasmBacktrace};
use wasmtime_wasi::I32Exit;

/// Why the host ended a call that the plugin did not end itself: a limit, a panic, a broken contract.
///
/// A fault concerns one call. The next one gets a fresh instance of the plugin, unless three faults within
/// ten minutes have suspended it ([`Host::readmit`](crate::Host::readmit)).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The guest used more computing time than its budget.
    Cpu,
    /// The call took too long, not counting waits for a person.
    Wall,
    /// The guest used more memory than its limit, summed over memories and tables.
    Memory,
    /// The guest's stack overflowed.
    Stack,
    /// The guest passed too much data to the host.
    Payload,
    /// The guest held too many handles.
    Handles,
    /// The guest panicked or aborted.
    Panic,
    /// The guest tried to end the process.
    Exit,
    /// The guest trapped in another way.
    Trap(String),
    /// The guest broke the contract.
    Protocol(String),
    /// The person cancelled and the guest did not stop in time.
    Cancelled,
    /// The host has no room for another call.
    Busy,
    /// The call needs a person, and too many calls wait for one already.
    TooManyWaiting {
        /// Whose limit is reached.
        scope: WaitingScope,
        /// How many calls can wait at once.
        limit: u32,
    },
    /// The host failed.
    Internal(String),
}

impl Fault {
    /// Returns the code of the failure that a call ends with.
    #[must_use]
    pub fn code(&self) -> FailureCode {
        match self {
            Self::Cpu | Self::Wall | Self::Memory | Self::Stack | Self::Payload | Self::Handles => {
                FailureCode::Limit
            }
            Self::Cancelled => FailureCode::Cancelled,
            Self::Busy => FailureCode::Unavailable,
            Self::TooManyWaiting { scope, .. } => match scope {
                WaitingScope::Session | WaitingScope::Person => FailureCode::Limit,
                WaitingScope::Host => FailureCode::Unavailable,
            },
            Self::Panic | Self::Exit | Self::Trap(_) | Self::Protocol(_) | Self::Internal(_) => {
                FailureCode::Other
            }
        }
    }

    /// Returns one word for logs and tables.
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
            Self::TooManyWaiting { .. } => "waiting",
            Self::Internal(_) => "internal",
        }
    }

    /// Returns one sentence for the person: what happened and what to do.
    #[must_use]
    pub fn sentence(&self, limits: &Limits) -> String {
        let most = Limits::CEILING;
        match self {
            Self::Cpu => {
                let remedy = more("active-time", format!("{:?}", most.active_time), limits.active_time < most.active_time);
                format!("it computed for more than {:?}; {remedy}", limits.active_time)
            }
            Self::Wall => {
                let remedy = more("wall-time", format!("{:?}", most.wall_time), limits.wall_time < most.wall_time);
                format!("it took longer than {:?}; {remedy}", limits.wall_time)
            }
            Self::Memory => {
                let remedy = more("memory", format!("{} MiB", most.memory >> 20), limits.memory < most.memory);
                format!("it wanted more than {} MiB of memory; {remedy}", limits.memory >> 20)
            }
            Self::Stack => format!(
                "its calls were nested too deeply for the stack of {} KiB, or that of its own memory; its author should make them flatter",
                Caps::STACK >> 10
            ),
            Self::Payload => format!(
                "it sent or returned more than {} MiB at once; its author should store an output, or send it in parts",
                Caps::HOSTCALL >> 20
            ),
            Self::Handles => format!(
                "it held more than {} things open at once, such as widgets, buckets or files; its author should drop what is not needed",
                Caps::HANDLES
            ),
            Self::Panic => "it panicked or aborted; the log may say where".to_owned(),
            Self::Exit => "it tried to end the process, which a plugin cannot do; its author should return instead".to_owned(),
            Self::Trap(what) => format!("it trapped ({what}); its author can find where by running it in a test"),
            Self::Protocol(how) => format!("it broke the contract: {how}"),
            Self::Cancelled => "it was cancelled and did not stop in time".to_owned(),
            Self::Busy => "there is no room for another call at this moment; try again".to_owned(),
            Self::TooManyWaiting { scope, limit } => {
                let whose = match scope {
                    WaitingScope::Session => "of this session",
                    WaitingScope::Person => "of this person",
                    WaitingScope::Host => "of this host",
                };
                format!("it needs a person, and {limit} calls {whose} wait for one already; reply to one of them, or cancel it, and try again")
            }
            Self::Internal(what) => format!("the host failed: {what}; please report it"),
        }
    }

    /// Classifies the error that a guest ended with.
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
                // Rust's stack is in linear memory and overflows at its end, where a wild pointer traps
                // as well: only recursion tells the two apart.
                Trap::MemoryOutOfBounds if recursing(error) => Self::Stack,
                Trap::UnreachableCodeReached => Self::Panic,
                Trap::Interrupt => Self::Cpu,
                other => Self::Trap(other.to_string()),
            };
        }
        // wasmtime has no public type for these two; a test for each checks the words.
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

/// Returns what an author can do about a limit that the manifest sets.
fn more(key: &str, most: String, can_rise: bool) -> String {
    match can_rise {
        true => format!("its author can ask for more with `{key}` in plugin.toml, at most {most}"),
        false => format!(
            "no plugin can ask for more with `{key}` in plugin.toml: its author should do less in one call"
        ),
    }
}

/// Reports whether one function occurs repeatedly in the backtrace of a trap.
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

/// The error with which the host stops a guest.
#[derive(Debug, thiserror::Error)]
#[error("stopped: {}", self.0.word())]
pub(crate) struct StopError(pub(crate) Fault);

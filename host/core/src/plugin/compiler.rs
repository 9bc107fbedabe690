//! Compiles components to machine code, in this process or in a child process.
//!
//! The time and memory of a compiler can grow much faster than its input, and a thread cannot be
//! stopped. [`compile_cost`](super::compile_cost) refuses what is known to be expensive. A child
//! process bounds the rest: it sets limits on itself, it can be killed, and a crash ends only it.
//!
//! Trust: the child's answer is machine code that this process runs. A component that takes over the
//! compiler can make it answer with any code, as it could in this process. The child adds limits, not
//! isolation. It gets no environment and never sees the key of the cache.

mod child;
mod process;

pub use child::compile_child;
pub(crate) use process::CompilerProgram;

use super::cache::trusted;
use super::survey::InvalidPluginError;
use crate::host::LoadError;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;
use wasmtime::Engine;
use wasmtime::component::Component;

/// How much memory a child process can use.
const MAX_MEMORY: u64 = 2 << 30;

/// How much address space a child process can reserve for each of its threads: a stack, and twice the
/// 64 MiB of an allocator's arena, which glibc aligns by reserving twice as much at first.
const MAX_THREAD_MEMORY: u64 = 160 << 20;

/// How much CPU time a child process can use, on all cores together. Everything that
/// [`compile_cost`](super::compile_cost) accepts takes a fraction of it.
const MAX_CPU_TIME: Duration = Duration::from_secs(120);

/// How long a child process can run. Longer than its CPU time, because the machine may be busy.
const MAX_WALL_TIME: Duration = Duration::from_secs(180);

/// The size of the largest compiled component.
const MAX_ARTIFACT: usize = 256 << 20;

/// Why the program that compiles plugins compiled nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompilerError {
    /// The program cannot be run.
    #[error("the compiler `{}` cannot be run", program.display())]
    #[non_exhaustive]
    Start {
        /// The program.
        program: PathBuf,
        /// The cause.
        #[source]
        error: std::io::Error,
    },
    /// The program could not set its limits, and compiled nothing without them.
    #[error("the compiler cannot limit its memory and CPU time on this system")]
    Limits,
    /// The program ran for too long.
    #[error(
        "the component is too much to compile: the compiler was stopped after {} s; make the plugin smaller",
        MAX_WALL_TIME.as_secs()
    )]
    WallTime,
    /// The program used too much CPU time.
    #[error(
        "the component is too much to compile: the compiler used {} s of CPU time; make the plugin smaller",
        MAX_CPU_TIME.as_secs()
    )]
    CpuTime,
    /// The program needed too much memory.
    #[error(
        "the component is too much to compile: the compiler needed more than {} MiB of memory; make the plugin smaller",
        MAX_MEMORY >> 20
    )]
    Memory,
    /// The program crashed.
    #[error(
        "the component cannot be compiled: the compiler crashed ({status}); make the plugin smaller"
    )]
    #[non_exhaustive]
    Crashed {
        /// How the program ended.
        status: ExitStatus,
    },
    /// The compiled component is too large.
    #[error(
        "the compiled component has more than {} MiB; make the plugin smaller",
        MAX_ARTIFACT >> 20
    )]
    TooLarge,
    /// The answer is not a component that was compiled for this host.
    #[error(
        "the compiler `{}` did not answer with a component compiled for this host: name a program of the same version",
        program.display()
    )]
    #[non_exhaustive]
    Unusable {
        /// The program.
        program: PathBuf,
    },
}

/// Where components are compiled.
#[derive(Debug, Clone, Default)]
pub(crate) enum Compiler {
    /// In this process, without limits besides those on the component.
    #[default]
    InProcess,
    /// In a child process with limits.
    Program(CompilerProgram),
}

impl Compiler {
    /// Compiles a component. Returns it with its serialized form, for the cache.
    pub(crate) fn compile(
        &self,
        engine: &Engine,
        bytes: Vec<u8>,
    ) -> Result<(Component, Vec<u8>), LoadError> {
        let code = match self {
            Self::InProcess => compile(engine, &bytes).map_err(InvalidPluginError::Compile)?,
            Self::Program(program) => program.compile(bytes)?,
        };
        match (trusted::load(engine, &code), self) {
            (Some(component), _) => Ok((component, code)),
            (None, Self::Program(program)) => Err(program.unusable().into()),
            (None, Self::InProcess) => {
                let why = "the compiled component cannot be loaded".to_owned();
                Err(InvalidPluginError::Compile(why).into())
            }
        }
    }
}

/// Compiles a component in this process, and returns it in serialized form.
fn compile(engine: &Engine, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let compile = AssertUnwindSafe(|| engine.precompile_component(bytes));
    // Hostile bytes can trigger an assertion of the compiler, which must not end the host.
    match std::panic::catch_unwind(compile) {
        Ok(compiled) => compiled.map_err(|error| error.root_cause().to_string()),
        Err(_) => Err("the compiler gave up on it".to_owned()),
    }
}

//! Measures what each instruction costs the compiler, in functions of different sizes. The weights of
//! `plugin/compile_cost` are made from this table.
//!
//! Each component is compiled in a child process, which is this program again: its CPU time is that of one
//! compilation on all cores, read from the clock of the process.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "../attackers/assembly.rs"]
mod assembly;

#[path = "../attackers/opcodes.rs"]
mod opcodes;

use rustix::time::{ClockId, clock_gettime};
use std::io::{Read, Write};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

/// Makes this program a compiler.
const CHILD: &str = "compile-child";

/// Functions, and instructions in each.
const SIZES: [(usize, usize); 3] = [(80, 50), (8, 500), (1, 4_000)];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == CHILD) {
        return compile();
    }
    // `cargo bench -p footlight-tests --bench compiler -- f32.add` measures only that.
    let named: Vec<&String> = arguments
        .iter()
        .filter(|name| !name.starts_with('-'))
        .collect();
    println!("CPU time and memory of the compiler, per instruction");
    for opcode in opcodes::opcodes() {
        if !named.is_empty() && !named.iter().any(|name| opcode.text.contains(*name)) {
            continue;
        }
        print!("{:60}", opcode.text);
        for (functions, count) in SIZES {
            // What the rest of the component takes is not the instruction's.
            let rest = opcode.component(functions, 0);
            let component = opcode.component(functions, count);
            let (Some((base, _)), Some((cpu, memory))) = (taken(&rest), taken(&component)) else {
                print!("  failed");
                continue;
            };
            let all = (functions * count) as f64;
            let each = cpu.saturating_sub(base).as_secs_f64() * 1e6 / all;
            let bytes = (component.len() - rest.len()) as f64 / all;
            print!("  {bytes:5.1} bytes {each:8.2} us {:6} MB", memory >> 20);
        }
        println!();
    }
    ExitCode::SUCCESS
}

/// Compiles what stands on standard input, and prints what that took to standard error.
fn compile() -> ExitCode {
    let used = || clock_gettime(ClockId::ProcessCPUTime);
    let before = used();
    let exit = footlight::compile_child();
    let after = used();
    let (seconds, nanoseconds) = (after.tv_sec - before.tv_sec, after.tv_nsec - before.tv_nsec);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    let nanoseconds = seconds * 1_000_000_000 + nanoseconds;
    let _ = write!(
        std::io::stderr(),
        "{nanoseconds} {}",
        peak.unwrap_or_default() << 10
    );
    exit
}

/// Returns the CPU time and the most memory that compiling a component takes. The least of several runs counts:
/// whatever else the machine does only adds to it.
fn taken(component: &[u8]) -> Option<(Duration, u64)> {
    (0..3).map(|_| taken_once(component)).min()?
}

fn taken_once(component: &[u8]) -> Option<(Duration, u64)> {
    let mut child = Command::new(std::env::current_exe().ok()?)
        .arg(CHILD)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(component).ok()?;
    let (mut code, mut taken) = (Vec::new(), String::new());
    child.stdout.take()?.read_to_end(&mut code).ok()?;
    child.stderr.take()?.read_to_string(&mut taken).ok()?;
    child.wait().ok()?.success().then_some(())?;
    let (nanoseconds, memory) = taken.split_once(' ')?;
    Some((
        Duration::from_nanos(nanoseconds.parse().ok()?),
        memory.parse().ok()?,
    ))
}

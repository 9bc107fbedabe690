//! Attacks on the processor and the stack.

use crate::raw;
use footlight_sdk::prelude::*;
use std::hint::black_box;

/// Computes for ever. The host must end it with the fault `cpu`.
#[tool]
pub(crate) fn spin() -> String {
    loop {
        std::hint::spin_loop();
    }
}

/// Computes for ever and calls the host in each iteration. The host must end it with the fault
/// `cpu` or `wall`, and run other calls meanwhile.
#[tool]
pub(crate) fn spin_calling(stage: &Stage) -> String {
    loop {
        black_box(stage.locale());
    }
}

/// Copies a large memory with single instructions, which the host cannot interrupt. The host must
/// finish one copy of 100 MiB within 200 ms, and end many with the fault `cpu`.
#[tool]
pub(crate) fn bulk(
    #[arg(default = 64, range = 1..=1000)] mebibytes: u32,
    #[arg(default = 1)] times: u32,
) -> u8 {
    let length = (mebibytes as usize) << 20;
    let mut memory = vec![1_u8; length];
    for _ in 0..times {
        memory.copy_within(..length / 2, length / 2);
        black_box(&mut memory);
    }
    memory[length - 1]
}

/// Computes within its budget. The host must let it succeed, however often it is interrupted.
#[tool(read_only)]
pub(crate) fn compute(#[arg(default = 20)] million: u64) -> String {
    let mut sum = 0_u64;
    for step in 0..million * 1_000_000 {
        sum = black_box(sum.wrapping_mul(31).wrapping_add(step));
    }
    sum.to_string()
}

/// Recurses for ever. The host must survive, and end it with the fault `stack` (or `trap`, since a
/// compiled program also keeps a stack in its own memory).
#[tool]
pub(crate) fn recurse() -> u64 {
    down(0)
}

fn down(depth: u64) -> u64 {
    if depth == u64::MAX {
        return 0;
    }
    // Keeps the compiler from turning the recursion into a loop or a tail call.
    black_box(down(black_box(depth + 1))) + 1
}

/// Recurses for ever and calls an import at every depth. The host must keep enough stack for its
/// own functions, and end it with the fault `stack` (or `trap`).
#[tool(asks)]
pub(crate) fn recurse_calling(
    stage: &Stage,
    #[arg(one_of = ["locale", "log", "progress", "show", "ask", "approve", "state", "output", "http", "config", "print", "clock", "random"])]
    import: String,
) -> u64 {
    deeper(stage, &import, 0)
}

fn deeper(stage: &Stage, import: &str, depth: u64) -> u64 {
    if depth == u64::MAX {
        return 0;
    }
    call(stage, import);
    black_box(deeper(stage, import, black_box(depth + 1))) + 1
}

/// Calls one import. Whether the host refuses the call does not matter here.
#[expect(clippy::print_stdout, reason = "stdout is an import like the others")]
fn call(stage: &Stage, import: &str) {
    match import {
        "log" => stage.log(Level::Info, "deep"),
        "progress" => stage.progress("deep"),
        "show" => drop(stage.show(Widget::new("deep", "[[[[]]]]"))),
        "ask" => drop(stage.confirm("Deep?")),
        "approve" => drop(stage.approve(Approval::new("rogue.declared").subject("deep"))),
        "state" => drop(stage.state(Scope::Session).set("deep", &"deep")),
        "output" => drop(stage.output(Output::new("deep"), "deep")),
        "http" => drop(stage.http(Request::get("https://api.example.com/"))),
        "config" => drop(stage.config::<EmptySettings>()),
        "print" => println!("deep"),
        "clock" => drop(black_box(std::time::SystemTime::now())),
        "random" => drop(black_box(std::collections::hash_map::RandomState::new())),
        _ => drop(stage.locale()),
    }
}

/// Settings for the import `config` to read.
#[derive(Config)]
struct EmptySettings {
    /// Never set.
    _nothing: Option<String>,
}

/// Has an `assess` that never returns. The host must treat that as a concern, so that a person
/// decides.
#[tool(assess = assess_spins)]
pub(crate) fn assessed_spin() -> &'static str {
    "A person let it run."
}

fn assess_spins() -> Option<Concern> {
    loop {
        std::hint::spin_loop();
    }
}

/// Has an `assess` that panics. The host must treat that as a concern, so that a person decides.
#[tool(assess = assess_panics)]
pub(crate) fn assessed_panic() -> &'static str {
    "A person let it run."
}

fn assess_panics() -> Option<Concern> {
    panic!("this is nothing to worry about");
}

/// Has an `assess` that fails. The host must treat that as a concern, so that a person decides.
#[tool(assess = assess_fails)]
pub(crate) fn assessed_failure() -> &'static str {
    "A person let it run."
}

fn assess_fails() -> Result<Option<Concern>> {
    Err(unavailable!("come back later"))
}

/// Has an `assess` that recurses for ever. The host must treat that as a concern, so that a person
/// decides.
#[tool(assess = assess_recurses)]
pub(crate) fn assessed_recursion() -> &'static str {
    "A person let it run."
}

fn assess_recurses() -> Option<Concern> {
    (down(0) == 0).then(|| Concern::new("", ""))
}

/// Has an `assess` that allocates memory without end. The host must treat that as a concern, so
/// that a person decides.
#[tool(assess = assess_grows)]
pub(crate) fn assessed_growth() -> &'static str {
    "A person let it run."
}

fn assess_grows() -> Option<Concern> {
    let mut kept = Vec::new();
    loop {
        kept.push(black_box(vec![1_u8; 1 << 20]));
    }
}

/// Has an `assess` without a concern that floods the log, the only import it can reach. The host
/// must run the tool and keep at most 1,000 messages.
#[tool(assess = assess_logs)]
pub(crate) fn assessed_log() -> &'static str {
    "No concern."
}

fn assess_logs() -> Option<Concern> {
    for _ in 0..10_000 {
        raw::log("nothing to see");
    }
    None
}

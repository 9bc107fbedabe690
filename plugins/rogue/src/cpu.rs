//! Attacks on the processor and the stack.

use crate::raw;
use footlight_sdk::prelude::*;
use std::hint::black_box;

/// Case 1. Computes for ever. The host promises to end it as `cpu`.
#[tool]
pub(crate) fn spin() -> String {
    loop {
        std::hint::spin_loop();
    }
}

/// Case 1. Computes for ever and calls the host each time round. The host promises to end it as
/// `cpu` or `wall`, and to let others run meanwhile.
#[tool]
pub(crate) fn spin_calling(stage: &Stage) -> String {
    loop {
        black_box(stage.locale());
    }
}

/// Case 6. Copies a large memory in single instructions, which nothing interrupts. The host
/// promises that one is over soon and that many end as `cpu`.
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

/// Within its budget. The host promises that it succeeds, however often it is interrupted.
#[tool(read_only)]
pub(crate) fn compute(#[arg(default = 20)] million: u64) -> String {
    let mut sum = 0_u64;
    for step in 0..million * 1_000_000 {
        sum = black_box(sum.wrapping_mul(31).wrapping_add(step));
    }
    sum.to_string()
}

/// Case 10. Recurses for ever. The host promises to end it as `stack` (or `trap`, since a compiled
/// program keeps a stack of its own in memory), and to live.
#[tool]
pub(crate) fn recurse() -> u64 {
    down(0)
}

fn down(depth: u64) -> u64 {
    if depth == u64::MAX {
        return 0;
    }
    // Neither a loop nor a tail call may come of it.
    black_box(down(black_box(depth + 1))) + 1
}

/// Case 11. Recurses for ever and calls an import at every depth. The host promises that its own
/// functions have stack enough left, and to end it as `stack` (or `trap`).
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

/// Calls one import. Whether it refuses does not matter here.
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
        "config" => drop(stage.config::<Nothing>()),
        "print" => println!("deep"),
        "clock" => drop(black_box(std::time::SystemTime::now())),
        "random" => drop(black_box(std::collections::hash_map::RandomState::new())),
        _ => drop(stage.locale()),
    }
}

/// Settings, to have something to read.
#[derive(Config)]
struct Nothing {
    /// Never set.
    _nothing: Option<String>,
}

/// Case 4. Its `assess` never returns. The host promises to take that for a concern.
#[tool(assess = assess_spins)]
pub(crate) fn assessed_spin() -> &'static str {
    "A person let it run."
}

fn assess_spins() -> Option<Concern> {
    loop {
        std::hint::spin_loop();
    }
}

/// Case 4. Its `assess` panics. The host promises to take that for a concern.
#[tool(assess = assess_panics)]
pub(crate) fn assessed_panic() -> &'static str {
    "A person let it run."
}

fn assess_panics() -> Option<Concern> {
    panic!("this is nothing to worry about");
}

/// Case 4. Its `assess` fails. The host promises to take that for a concern.
#[tool(assess = assess_fails)]
pub(crate) fn assessed_failure() -> &'static str {
    "A person let it run."
}

fn assess_fails() -> Result<Option<Concern>> {
    Err(unavailable!("come back later"))
}

/// Case 4. Its `assess` recurses for ever. The host promises to take that for a concern.
#[tool(assess = assess_recurses)]
pub(crate) fn assessed_recursion() -> &'static str {
    "A person let it run."
}

fn assess_recurses() -> Option<Concern> {
    (down(0) == 0).then(|| Concern::new("", ""))
}

/// Case 4. Its `assess` takes memory without end. The host promises to take that for a concern.
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

/// Case 45. Its `assess` floods the log, the one thing it can reach, and has no concern. The host
/// promises to run it, with at most a thousand messages kept.
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

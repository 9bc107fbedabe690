//! Ends that are no answer: panics, exits, traps, and what they leave on the screen.

use crate::raw;
use footlight_sdk::prelude::*;
use std::hint::black_box;

/// Panics. The host promises `trap`, with the message and its place in the author's log.
#[tool]
pub(crate) fn panic() -> String {
    panic!("the rogue panicked on purpose");
}

/// Panics with a mebibyte of escapes. The host promises `trap`, and a log that is cut and clean.
#[tool]
pub(crate) fn panic_loudly() -> String {
    panic!("{}", "\u{1b}[31mloud\u{7}".repeat(100_000));
}

/// Panics while a panic unwinds, or would. The host promises `trap`.
#[tool]
pub(crate) fn panic_twice() -> String {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("again");
        }
    }
    let _bomb = Bomb;
    panic!("once");
}

/// Reads past the end of a list, which Rust turns into a panic. The host promises `trap`.
#[tool]
pub(crate) fn index(#[arg(default = 9)] at: usize) -> u8 {
    black_box([1, 2, 3])[at]
}

/// Leaves as a program would, with success. The host promises `exit`: a plugin has no exit.
#[tool]
pub(crate) fn exit_well() -> String {
    std::process::exit(0)
}

/// Leaves as a program would, with an error. The host promises `exit`.
#[tool]
pub(crate) fn exit_badly() -> String {
    std::process::exit(3)
}

/// Aborts. The host promises `trap`.
#[tool]
pub(crate) fn abort() -> String {
    std::process::abort()
}

/// Runs the instruction `unreachable`. The host promises `trap`.
#[tool]
pub(crate) fn trap() -> String {
    raw::trap()
}

/// Fails as a tool should, with details. The host promises a failure and no fault.
#[tool]
pub(crate) fn fail(
    #[arg(default = "other", one_of = ["invalid-input", "denied", "unavailable", "other"])]
    code: String,
) -> Result<String> {
    Err(match code.as_str() {
        "invalid-input" => invalid!("another input may work"),
        "denied" => denied!("the plugin says no"),
        "unavailable" => unavailable!("try later"),
        _ => Failure::new(footlight_sdk::FailureCode::Other, "it failed"),
    })
}

/// Case 47. Shows a widget, stores an output, writes state, and then ends in a way that is no
/// answer. The host promises that widget and output are withdrawn and that the state stays.
#[tool]
pub(crate) fn fail_halfway(
    stage: &Stage,
    #[arg(one_of = ["failure", "panic", "trap", "exit", "spin", "grow"])] by: String,
) -> Result<String> {
    stage.show(Widget::new("left", "half done"))?;
    stage.output(Output::new("left"), "half done")?;
    stage.state(Scope::Session).set("left", &by)?;
    match by.as_str() {
        "panic" => panic!("after a widget"),
        "trap" => raw::trap(),
        "exit" => std::process::exit(0),
        "spin" => Ok(crate::cpu::spin()),
        "grow" => Ok(crate::memory::grow().to_string()),
        _ => Err(unavailable!("after a widget")),
    }
}

/// Case 47. Says what an earlier `fail_halfway` kept. The host promises that state is durable at once.
#[tool(read_only)]
pub(crate) fn read_leftovers(stage: &Stage) -> Result<String> {
    Ok(stage.state(Scope::Session).get("left")?.unwrap_or_default())
}

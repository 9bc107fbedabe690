//! Calls that end without a result: panics, exits, traps, and failures halfway through.

use crate::raw;
use footlight_sdk::prelude::*;
use std::hint::black_box;

/// Panics. The host must end the call with the fault `trap`, and write the message and its source
/// location to the author's log.
#[tool]
pub(crate) fn panic() -> String {
    panic!("the rogue panicked on purpose");
}

/// Panics with a mebibyte of escape sequences. The host must end the call with the fault `trap`,
/// and log a message that is truncated and without escapes.
#[tool]
pub(crate) fn panic_loudly() -> String {
    panic!("{}", "\u{1b}[31mloud\u{7}".repeat(100_000));
}

/// Panics in a destructor during a panic. The host must end the call with the fault `trap`.
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

/// Indexes past the end of an array, which Rust turns into a panic. The host must end the call with
/// the fault `trap`.
#[tool]
pub(crate) fn index(#[arg(default = 9)] at: usize) -> u8 {
    black_box([1, 2, 3])[at]
}

/// Exits the process with success. The host must end the call with the fault `exit`: a plugin has
/// no process to exit.
#[tool]
pub(crate) fn exit_well() -> String {
    std::process::exit(0)
}

/// Exits the process with an error. The host must end the call with the fault `exit`.
#[tool]
pub(crate) fn exit_badly() -> String {
    std::process::exit(3)
}

/// Aborts. The host must end the call with the fault `trap`.
#[tool]
pub(crate) fn abort() -> String {
    std::process::abort()
}

/// Runs the instruction `unreachable`. The host must end the call with the fault `trap`.
#[tool]
pub(crate) fn trap() -> String {
    raw::trap()
}

/// Fails as a tool should, with a code. The host must report the failure with that code, unless the code says
/// that somebody refused or cancelled the call, which nobody did; and no fault.
#[tool]
pub(crate) fn fail(
    #[arg(default = "other", one_of = ["invalid-input", "denied", "unavailable", "cancelled", "other"])]
    code: String,
) -> Result<String> {
    Err(match code.as_str() {
        "invalid-input" => invalid!("another input may work"),
        "denied" => denied!("the plugin says no"),
        "unavailable" => unavailable!("try later"),
        "cancelled" => Failure::new(footlight_sdk::FailureCode::Cancelled, "nobody wanted it"),
        _ => Failure::new(footlight_sdk::FailureCode::Other, "it failed"),
    })
}

/// Shows a widget, stores an output, writes state, and then ends without a result. The host must
/// report how the call ended, remove the widget and the output, and keep the state.
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

/// Returns the state that an earlier `fail_halfway` wrote. The host must have stored it at once.
#[tool(read_only)]
pub(crate) fn read_leftovers(stage: &Stage) -> Result<String> {
    Ok(stage.state(Scope::Session).get("left")?.unwrap_or_default())
}

//! Attacks on time: waiting for ever, and ignoring a cancellation.

use footlight_sdk::prelude::*;
use std::hint::black_box;
use std::io::Read;
use std::time::{Duration, Instant};

/// Sleeps for years. The host must end it with the fault `wall`, without using the processor.
#[tool]
pub(crate) fn sleep(#[arg(default = 315_360_000)] seconds: u64) -> u64 {
    std::thread::sleep(Duration::from_secs(seconds));
    seconds
}

/// Sleeps in many small steps. The host must add them up, and end it with the fault `wall`.
#[tool]
pub(crate) fn nap(#[arg(default = 10)] millis: u64, #[arg(default = 1_000_000)] times: u32) -> u32 {
    for _ in 0..times {
        std::thread::sleep(Duration::from_millis(millis));
    }
    times
}

/// Reads stdin to its end. The host must return the end of the stream at once.
#[tool]
pub(crate) fn read_stdin() -> Result<usize> {
    let mut all = Vec::new();
    Ok(std::io::stdin().read_to_end(&mut all)?)
}

/// Polls the clock instead of sleeping. The host must end it with the fault `cpu` or `wall`.
#[tool]
pub(crate) fn watch_clock(#[arg(default = 36_000)] seconds: u64) -> u64 {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(seconds) {
        std::hint::spin_loop();
    }
    seconds
}

/// Waits in many imports, one after the other, and then returns. The host must be able to cancel it
/// in each of them, leave nothing behind, and end it exactly once.
#[tool(asks)]
pub(crate) fn await_often(stage: &Stage, #[arg(default = 20)] rounds: u32) -> Result<u32> {
    let shown = stage.show(Widget::new("rounds", &0))?;
    for round in 1..=rounds {
        stage.progress_of("waiting", round.into(), rounds.into());
        shown.update(Widget::new("rounds", &round))?;
        stage
            .state(Scope::Session)
            .update("rounds", |old: Option<u32>| old.unwrap_or(0) + 1)?;
        stage.output(Output::new("round"), round.to_string())?;
        // The results do not matter: only that the call waits here.
        drop(stage.confirm(format!("Round {round}?")));
        drop(stage.approve(Approval::new("rogue.declared").subject("a round")));
        drop(stage.http(Request::get("https://api.example.com/")));
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(rounds)
}

/// Computes on after it is cancelled, without checking. The host must end it two seconds after the
/// cancellation.
#[tool]
pub(crate) fn ignore_cancel(stage: &Stage) -> Result<String> {
    stage.show(Widget::new("busy", "ignoring you"))?;
    stage.progress("busy");
    loop {
        black_box(0);
    }
}

/// Keeps asking after it is cancelled. The host must fail every wait at once, and end the call two
/// seconds after the cancellation.
#[tool(asks)]
pub(crate) fn ignore_cancel_asking(stage: &Stage) -> Result<String> {
    stage.progress("busy");
    loop {
        drop(stage.confirm("Please?"));
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Stops when it is cancelled. The host must report `cancelled` and remove the widgets.
#[tool]
pub(crate) fn heed_cancel(stage: &Stage) -> Result<String> {
    stage.show(Widget::new("busy", "waiting for a sign"))?;
    stage.progress("busy");
    loop {
        stage.ensure_not_cancelled()?;
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Computes for a moment after it is cancelled, then succeeds. The host must allow that time, and
/// report the call as cancelled.
#[tool]
pub(crate) fn tidy_up(stage: &Stage) -> Result<u32> {
    stage.show(Widget::new("busy", "waiting for a sign"))?;
    stage.progress("busy");
    while stage.ensure_not_cancelled().is_ok() {
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok((0..1_000_000).fold(0, |sum, n| black_box(sum ^ n)))
}

/// Panics once it is cancelled. The host must report the call as cancelled, and must not count the
/// panic as a fault of the plugin.
#[tool]
pub(crate) fn panic_when_cancelled(stage: &Stage) -> Result<String> {
    stage.show(Widget::new("busy", "waiting for a sign"))?;
    stage.progress("busy");
    while !stage.is_cancelled() {
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("cancelled")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_call_shows_and_writes_nothing() {
        let stage = footlight_sdk::testing::stage().cancelled();
        assert!(heed_cancel(&stage).is_err());
        assert!(await_often(&stage, 1).is_err());
        assert!(stage.shown().is_empty() && stage.outputs().is_empty());
        assert_eq!(stage.state_value(Scope::Session, "rounds"), None);
    }
}

//! Attacks on time: waiting for ever, and not hearing that it is over.

use footlight_sdk::prelude::*;
use std::hint::black_box;
use std::io::Read;
use std::time::{Duration, Instant};

/// Case 21. Sleeps for years. The host promises to end it as `wall`; it costs no processor.
#[tool]
pub(crate) fn sleep(#[arg(default = 315_360_000)] seconds: u64) -> u64 {
    std::thread::sleep(Duration::from_secs(seconds));
    seconds
}

/// Case 21. Sleeps in many small steps. The host promises to add them up and to end it as `wall`.
#[tool]
pub(crate) fn nap(#[arg(default = 10)] millis: u64, #[arg(default = 1_000_000)] times: u32) -> u32 {
    for _ in 0..times {
        std::thread::sleep(Duration::from_millis(millis));
    }
    times
}

/// Case 21. Reads stdin to its end. The host promises that the end is there already.
#[tool]
pub(crate) fn read_stdin() -> Result<usize> {
    let mut all = Vec::new();
    Ok(std::io::stdin().read_to_end(&mut all)?)
}

/// Case 21. Watches the clock instead of sleeping. The host promises `cpu` or `wall`.
#[tool]
pub(crate) fn watch_clock(#[arg(default = 36_000)] seconds: u64) -> u64 {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(seconds) {
        std::hint::spin_loop();
    }
    seconds
}

/// Case 30. Waits in many places, one after the other, and then answers. The host promises that it
/// can be cancelled in each, that nothing is left behind, and that it ends exactly once.
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
        // Nobody may be there: an error is an answer, too.
        drop(stage.confirm(format!("Round {round}?")));
        drop(stage.approve(Approval::new("rogue.declared").subject("a round")));
        drop(stage.http(Request::get("https://api.example.com/")));
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(rounds)
}

/// Does not hear that it was cancelled: computes and checks nothing. The host promises to end it two
/// seconds later.
#[tool]
pub(crate) fn ignore_cancel(stage: &Stage) -> Result<String> {
    stage.show(Widget::new("busy", "ignoring you"))?;
    stage.progress("busy");
    loop {
        black_box(0);
    }
}

/// Hears that it was cancelled and asks on. The host promises that every wait answers at once, and
/// to end it two seconds later.
#[tool(asks)]
pub(crate) fn ignore_cancel_asking(stage: &Stage) -> Result<String> {
    stage.progress("busy");
    loop {
        drop(stage.confirm("Please?"));
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Hears that it was cancelled and stops. The host promises `cancelled`, and the widgets withdrawn.
#[tool]
pub(crate) fn heed_cancel(stage: &Stage) -> Result<String> {
    stage.show(Widget::new("busy", "waiting for a sign"))?;
    stage.progress("busy");
    loop {
        stage.ensure_not_cancelled()?;
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Hears that it was cancelled, tidies up for a moment and answers. The host promises that there is
/// time for it, and that the call counts as cancelled.
#[tool]
pub(crate) fn tidy_up(stage: &Stage) -> Result<String> {
    stage.progress("busy");
    while stage.ensure_not_cancelled().is_ok() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    stage.state(Scope::Session).set("tidied", &true)?;
    Err(stage
        .ensure_not_cancelled()
        .expect_err("it stays cancelled"))
}

#[test]
fn a_cancelled_call_stops_at_the_next_check() {
    let stage = footlight_sdk::testing::stage().cancelled();
    let failure = heed_cancel(&stage).expect_err("was cancelled");
    assert_eq!(failure.code(), footlight_sdk::FailureCode::Cancelled);
}

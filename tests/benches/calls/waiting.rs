//! Measures many calls that wait for a person at once, and checks that each gets its own answer.

use crate::{builder, host, runtime};
use footlight::vocabulary::item::RequestId;
use footlight::{CallEvent, Host, WaitingLimits};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

/// Starts `count` calls that ask, then answers them all.
pub(crate) fn measure(cache: &Path, count: u32) {
    let runtime = runtime();
    let mut waiting = WaitingLimits::default();
    (waiting.per_session, waiting.per_person, waiting.total) = (count, count, count);
    let host = host(&runtime, builder(cache).calls(50).waiting(waiting));
    let count = count as usize;
    println!("\n{count} calls waiting for a person (target 96 KiB each)");
    runtime.block_on(async {
        let before = resident();
        let started = Instant::now();
        let (asked, mut asks) = unbounded_channel();
        let mut calls = JoinSet::new();
        for number in 0..count {
            calls.spawn(wait(host.clone(), number, asked.clone()));
        }
        drop(asked);
        let mut waiting = Vec::new();
        while waiting.len() < count {
            let Some(ask) = asks.recv().await else { break };
            waiting.push(ask);
        }
        let asked_in = started.elapsed();
        let each = resident().saturating_sub(before) / count as u64;
        let answering = Instant::now();
        for (id, number) in &waiting {
            // Whether each call got its own answer is checked at the end.
            let _ = host.answer(id, json!(number.to_string()));
        }
        let mut right = 0;
        let mut wrong = None;
        while let Some(call) = calls.join_next().await {
            match call.expect("no panic") {
                Ok(()) => right += 1,
                Err(why) => wrong = Some(why),
            }
        }
        println!(
            "  {} waited, {:.1} KiB resident each, {right} answered rightly; {:.0} ms to ask, {:.0} ms to answer",
            waiting.len(),
            each as f64 / 1024.0,
            asked_in.as_secs_f64() * 1e3,
            answering.elapsed().as_secs_f64() * 1e3,
        );
        if let Some(why) = wrong {
            println!("  one of {} that failed: {why}", count - right);
        }
    });
}

/// Runs one call: sends the id of its question, and checks the answer it returns.
async fn wait(
    host: Host,
    number: usize,
    asked: UnboundedSender<(RequestId, usize)>,
) -> Result<(), String> {
    let mut call = host.call("bench.wait", json!({}));
    // Dropped after the question, so that the receiver knows when no more ids follow.
    let mut asked = Some(asked);
    loop {
        match call.next().await {
            Some(CallEvent::Asked { id, .. }) => {
                if let Some(asked) = asked.take() {
                    asked
                        .send((id, number))
                        .map_err(|error| error.to_string())?;
                }
            }
            Some(CallEvent::Finished(ended)) => {
                let result = ended
                    .result
                    .map_err(|failure| format!("{failure} {:?}", failure.advice))?;
                let content = result.data.get("content").and_then(Value::as_str);
                return if content == Some(&number.to_string()) {
                    Ok(())
                } else {
                    Err(format!("call {number} was answered {content:?}"))
                };
            }
            Some(_) => {}
            None => return Err("it ended without an end".to_owned()),
        }
    }
}

/// Returns the resident memory of this process in bytes, or 0 where it is unknown.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Rss:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    kilobytes
        .and_then(|number| number.parse::<u64>().ok())
        .unwrap_or(0)
        * 1024
}

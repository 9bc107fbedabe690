//! Measures the cost of a call beside the same work done natively: the table of `cargo bench`.
//!
//! The variants alternate within one run, because machines are shared: trust the ratios.
//! Nothing fails here; the targets are printed beside the numbers.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "calls/files.rs"]
mod files;

#[path = "calls/network.rs"]
mod network;

#[path = "calls/processes.rs"]
mod processes;

#[path = "calls/steps.rs"]
mod steps;

#[path = "calls/timing.rs"]
mod timing;

#[path = "calls/waiting.rs"]
mod waiting;

#[path = "../bench-guest/src/sorting.rs"]
mod sorting;

use footlight::{CallOutcome, Host, HostBuilder};
use footlight_tests::bare::Guest;
use footlight_tests::plugins;
use serde_json::{Value, json};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use timing::{Samples, head, row};
use tokio::runtime::Runtime;

/// Rounds, and calls of each variant in a round.
const ROUNDS: usize = 150;
const CALLS: usize = 20;

fn main() {
    // `cargo bench -p footlight-tests -- rates waiting` measures only that.
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|name| !name.starts_with('-'))
        .collect();
    let wanted = |part: &str| named.is_empty() || named.iter().any(|name| name == part);
    let cache = tempfile::tempdir().expect("a folder for compiled plugins");
    let started = Instant::now();
    if wanted("calls") {
        calls(cache.path());
    }
    if wanted("rates") {
        rates(cache.path());
    }
    if wanted("loads") {
        loads(cache.path());
    }
    if wanted("files") {
        files::measure(cache.path());
    }
    if wanted("network") {
        network::measure(cache.path());
    }
    if wanted("processes") {
        processes::measure(cache.path());
    }
    if wanted("steps") {
        steps::measure(cache.path());
    }
    if wanted("waiting") {
        waiting::measure(cache.path(), 1_000);
        waiting::measure(cache.path(), 10_000);
    }
    println!("\nmeasured in {:.0} s", started.elapsed().as_secs_f64());
}

/// 1 KB of JSON: rows that are not in order.
fn text() -> String {
    let row = |n: usize| {
        let number = n * 7 % 20;
        json!({ "id": number, "name": format!("row {number:02}"), "score": number as f64 / 4.0, "open": n.is_multiple_of(2) })
    };
    Value::from_iter((0..20).map(row)).to_string()
}

fn builder(cache: &Path) -> HostBuilder {
    Host::builder().cache(cache).attended(true)
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime")
}

fn host(runtime: &Runtime, builder: HostBuilder) -> Host {
    let host = builder.build().expect("a host");
    runtime
        .block_on(host.load(plugins::BENCH))
        .expect("the plugin loads");
    host
}

/// Runs one call in a fresh sandbox and panics if it fails: a failing call would be fast and mean nothing.
async fn call(host: &Host, tool: &str, input: &Value) -> CallOutcome {
    let ended = host.call(tool, input.clone()).finish().await;
    assert!(ended.result.is_ok(), "{tool}: {:?}", ended.result);
    ended
}

/// One call each: native, kept instance, fresh.
fn calls(cache: &Path) {
    let runtime = runtime();
    let host = host(&runtime, builder(cache));
    let bare = Guest::load(plugins::BENCH).expect("the plugin loads");
    let mut kept = bare.warm().expect("an instance");
    let text = text();
    // Without characters that need escaping: passing text through should not measure JSON.
    let plain = "a line of text. ".repeat(64);
    let (input, passed) = (json!({ "text": text }), json!({ "text": plain }));
    let (wire, passed_wire) = (input.to_string(), passed.to_string());
    let none = json!({});
    let mut run = |tool: &str, input: &str| {
        let outcome = kept.run(tool, input).expect("no trap");
        black_box(outcome.expect("an outcome"));
    };

    // The native closure returns what a caller of the tool receives.
    let native_pass = || json!({ "kind": "text", "data": { "content": plain.clone() } });
    let native_work = || {
        let sorted = sorting::sorted(&text).expect("the text is JSON");
        json!({ "kind": "text", "data": { "content": sorted } })
    };
    let fresh = |tool: &str, input: &Value| {
        black_box(runtime.block_on(call(&host, tool, input)));
    };
    let mut samples: [Samples; 8] = Default::default();
    for _ in 0..ROUNDS {
        samples[0].take(CALLS, || drop(black_box(native_pass())));
        samples[1].take(CALLS, || run("pass", &passed_wire));
        samples[2].take(CALLS, || fresh("bench.pass", &passed));
        samples[3].take(CALLS, || drop(black_box(native_work())));
        samples[4].take(CALLS, || run("work", &wire));
        samples[5].take(CALLS, || fresh("bench.work", &input));
        samples[6].take(CALLS, || run("nothing", "{}"));
        samples[7].take(CALLS, || fresh("bench.nothing", &none));
    }
    let [
        pass,
        pass_kept,
        pass_fresh,
        work,
        work_kept,
        work_fresh,
        nothing_kept,
        nothing,
    ] = samples;
    head(&format!("one call, {} bytes in and out", text.len()));
    row(
        "nothing: wasmtime alone, instance kept",
        &nothing_kept,
        None,
    );
    row("nothing: Host::call, fresh", &nothing, None);
    row("pass: native closure", &pass, None);
    row(
        "pass: wasmtime alone, instance kept",
        &pass_kept,
        Some(&pass),
    );
    row(
        "pass: Host::call, fresh (target 30)",
        &pass_fresh,
        Some(&pass),
    );
    row("work: native closure", &work, None);
    row(
        "work: wasmtime alone, instance kept",
        &work_kept,
        Some(&work),
    );
    row(
        "work: Host::call, fresh (target 50)",
        &work_fresh,
        Some(&work),
    );
}

/// Calls per second, on one thread and on two that share a host.
fn rates(cache: &Path) {
    let host = host(&runtime(), builder(cache));
    let inputs = [
        (
            "bench.pass",
            json!({ "text": "a line of text. ".repeat(64) }),
        ),
        ("bench.work", json!({ "text": text() })),
    ];
    let count = |(tool, input): &(&str, Value), threads: usize| -> f64 {
        let until = Instant::now() + Duration::from_millis(500);
        let counted: usize = std::thread::scope(|scope| {
            let calls = || {
                runtime().block_on(async {
                    let mut calls = 0;
                    while Instant::now() < until {
                        black_box(call(&host, tool, input).await);
                        calls += 1;
                    }
                    calls
                })
            };
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(calls)).collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined.map(|calls| calls.expect("no panic")).sum()
        });
        counted as f64 / 0.5
    };
    println!("\nfresh calls per second (targets 20,000 on one thread, 30,000 on two)");
    for of in &inputs {
        let mut rates: [Vec<f64>; 2] = Default::default();
        for _ in 0..7 {
            rates[0].push(count(of, 1));
            rates[1].push(count(of, 2));
        }
        rates
            .iter_mut()
            .for_each(|rates| rates.sort_by(f64::total_cmp));
        let [one, two] = rates.map(|rates| (rates[3], rates[6]));
        println!(
            "  {:<12} one thread {:>7.0} (best {:.0}), two threads {:>7.0} (best {:.0}), x {:.2}",
            of.0,
            one.0,
            one.1,
            two.0,
            two.1,
            two.0 / one.0
        );
    }
}

/// Builds a host and loads a plugin, compiled and from the cache.
fn loads(cache: &Path) {
    let runtime = runtime();
    let (mut made, mut cold, mut warm) = <(Samples, Samples, Samples)>::default();
    let load = |builder: HostBuilder, samples: &mut Samples| {
        let host = builder.build().expect("a host");
        samples.take(1, || {
            let loaded = runtime.block_on(host.load(plugins::BENCH));
            black_box(loaded.expect("the plugin loads"));
        });
    };
    for _ in 0..5 {
        load(Host::builder(), &mut cold);
        for _ in 0..8 {
            made.take(1, || drop(black_box(Host::builder().build())));
            load(builder(cache), &mut warm);
        }
    }
    head("loading");
    row("a host is made", &made, None);
    row(
        "Host::load from the compiled cache (target 2,000)",
        &warm,
        None,
    );
    row("Host::load with a cold compile", &cold, Some(&warm));
}

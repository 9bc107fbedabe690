//! Measures the same plugin in Rust, Python and JavaScript: the size of the component and the time of a call.
//!
//! Times are ratios to Rust, from calls that take turns, so that a busy machine slows all of them alike.

#![allow(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use footlight::Host;
use footlight_tests::languages::Language;
use footlight_tests::plugins;
use footlight_tests::scripted_call::{Script, builder, follow};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How many calls of each are measured.
const CALLS: usize = 40;

/// The tools that are called, with their inputs.
const TOOLS: [(&str, &str); 3] = [
    ("text", r#"{"name":"Ada"}"#),
    ("table", r#"{"days":200}"#),
    ("card", r#"{"title":"Rain"}"#),
];

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut found: Vec<(&str, PathBuf)> = vec![("Rust", plugins::SAMPLER.into())];
    for (name, language) in [
        ("JavaScript", Language::JavaScript),
        ("Python", Language::Python),
    ] {
        let folder = folder.path().join(name);
        std::fs::create_dir(&folder).expect("is made");
        found.extend(language.build(&folder).map(|path| (name, path)));
    }
    let mut hosts = Vec::new();
    for (name, path) in &found {
        let host = builder().build().expect("builds");
        host.load(path).await.expect("loads");
        hosts.push((*name, path, host));
    }
    let mut medians = Vec::new();
    for (tool, input) in TOOLS {
        let mut times = vec![Vec::new(); hosts.len()];
        for _ in 0..CALLS {
            for ((_, _, host), times) in hosts.iter().zip(&mut times) {
                times.push(call(host, tool, input).await);
            }
        }
        let median = |times: &mut Vec<Duration>| {
            times.sort_unstable();
            times[times.len() / 2]
        };
        medians.push(times.iter_mut().map(median).collect::<Vec<_>>());
    }
    for (index, (name, path, _)) in hosts.iter().enumerate() {
        let ratios = TOOLS.iter().zip(&medians).map(|((tool, _), medians)| {
            let ratio = medians[index].as_secs_f64() / medians[0].as_secs_f64();
            format!("{tool} {ratio:.1}")
        });
        println!(
            "{name}: {} bytes; {}",
            size(path),
            ratios.collect::<Vec<_>>().join(", ")
        );
    }
    println!("Rust, text: {:?}", medians[0][0]);
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).expect("is there").len()
}

async fn call(host: &Host, tool: &str, input: &str) -> Duration {
    let input = serde_json::from_str(input).unwrap_or_else(|_| json!({}));
    let start = Instant::now();
    let call = host.call(&format!("sampler.{tool}"), input);
    let ended = follow(host, call, Script::default()).await.ended;
    assert!(ended.result.is_ok(), "{tool}");
    start.elapsed()
}

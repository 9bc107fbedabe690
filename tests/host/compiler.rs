//! The child process that compiles plugins.

use footlight::{CompilerError, Host, HostBuilder, LoadError};
use footlight_tests::plugins;
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const CHILD: &str = env!("CARGO_BIN_EXE_compile-child");

fn builder() -> HostBuilder {
    Host::builder().compiler(CHILD, [""; 0])
}

#[tokio::test]
async fn a_child_process_compiles_what_the_host_runs_and_keeps() {
    let folder = tempfile::tempdir().expect("a folder");
    let compiled = Arc::new(AtomicU32::new(0));
    let load = async |builder: HostBuilder| {
        let count = Arc::clone(&compiled);
        let builder = builder.cache(folder.path()).on_compile(move |_| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        let host = builder.build().expect("builds");
        host.load(plugins::HELLO).await.expect("loads");
        let input = json!({ "name": "Ada" });
        let ended = host.call("hello.greet", input).finish().await;
        assert_eq!(ended.result.expect("greets").data["content"], "Hello, Ada!");
    };
    load(builder()).await;
    // The entry of the cache is the same as one that was compiled in this process.
    load(Host::builder()).await;
    load(Host::builder().compiler("/no/compiler", [""; 0])).await;
    assert_eq!(compiled.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn an_answer_that_is_not_compiled_code_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for program in ["/usr/bin/env", "/bin/cat"] {
        let builder = Host::builder().cache(folder.path());
        let host = builder.compiler(program, [""; 0]).build().expect("builds");
        let error = host.load(plugins::HELLO).await.expect_err("refused");
        assert!(
            matches!(error, LoadError::Compiler(CompilerError::Unusable { .. })),
            "{program}: {error:?}"
        );
    }
    let entries = std::fs::read_dir(folder.path()).expect("a folder");
    assert_eq!(entries.count(), 1, "nothing is kept but the key");
}

#[tokio::test]
async fn an_error_of_the_compiler_is_the_same_in_both_processes() {
    // Valid, but with a feature that the engine does not have.
    let component = wat::parse_str("(component (core module (memory i64 1)))").expect("is text");
    for builder in [Host::builder(), builder()] {
        let host = builder.build().expect("builds");
        let error = host
            .load_bytes(&component, "it")
            .await
            .expect_err("refused");
        assert!(matches!(error, LoadError::Invalid(_)), "{error:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_child_limits_itself_before_it_reads() {
    let mut child = Command::new(CHILD)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let limits = format!("/proc/{}/limits", child.id());
    let deadline = Instant::now() + Duration::from_secs(60);
    // The last limit that it sets.
    let limits = loop {
        let limits = std::fs::read_to_string(&limits).expect("it runs");
        if limits.contains("Max open files            32") || Instant::now() > deadline {
            break limits;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    for (name, most) in [
        ("Max cpu time", 120),
        ("Max address space", 100_u64 << 30),
        ("Max core file size", 0),
        ("Max file size", 0),
        ("Max open files", 32),
    ] {
        let line = limits.lines().find(|line| line.starts_with(name));
        let line = line.unwrap_or_else(|| panic!("{name} in {limits}"));
        let soft = line[name.len()..].split_whitespace().next();
        let soft = soft.and_then(|soft| soft.parse::<u64>().ok());
        assert!(soft.is_some_and(|soft| soft <= most), "{line}");
    }
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(b"no component").expect("it reads");
    drop(stdin);
    let mut why = String::new();
    let mut stdout = child.stdout.take().expect("piped");
    stdout.read_to_string(&mut why).expect("it answers");
    assert!(!why.is_empty());
    assert_eq!(child.wait().expect("it ends").code(), Some(10));
}

//! The child process that compiles plugins.

use crate::attackers::opcodes;
use footlight::{CompilerError, Host, HostBuilder, InvalidPluginError, LoadError};
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

/// What compiling a component took.
#[cfg(target_os = "linux")]
#[derive(Debug)]
struct Taken {
    cpu: Duration,
    /// The most memory, in bytes.
    memory: u64,
}

/// Compiles a component in a child process, without the checks of the host.
#[cfg(target_os = "linux")]
fn compile(component: &[u8]) -> Option<Taken> {
    let mut child = Command::new(CHILD)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let proc = format!("/proc/{}", child.id());
    let mut stdin = child.stdin.take().expect("piped");
    // A child that stops early says so with its exit code.
    let _ = stdin.write_all(component);
    drop(stdin);
    // The child has compiled when it answers, and it has not ended before all of a large answer is read.
    let mut stdout = child.stdout.take().expect("piped");
    let mut answer = vec![0];
    let _ = stdout.read_exact(&mut answer);
    let read = |name: &str| std::fs::read_to_string(format!("{proc}/{name}")).unwrap_or_default();
    let (status, stat) = (read("status"), read("stat"));
    let _ = stdout.read_to_end(&mut answer);
    if !child.wait().expect("it ends").success() {
        return None;
    }
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let ticks: u64 = fields[11].parse::<u64>().ok()? + fields[12].parse::<u64>().ok()?;
    Some(Taken {
        cpu: Duration::from_millis(ticks * 10),
        memory: peak.unwrap_or_default() << 10,
    })
}

/// One instruction of each class that is expensive to compile.
#[cfg(target_os = "linux")]
const EXPENSIVE: [&str; 8] = [
    "memory.grow",
    "table.copy $t $t",
    "call_indirect $t (type $none)",
    "f32.add",
    "f32x4.max",
    "i32x4.trunc_sat_f32x4_u",
    "i64.rem_u",
    "(loop (br_if 0 (local.get 0)))",
];

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_largest_function_of_each_instruction_compiles_soon_and_larger_ones_are_refused() {
    // Whatever is accepted reaches the compiler, which fails at once.
    let host = Host::builder().compiler("/bin/false", [""; 0]);
    let host = host.build().expect("builds");
    let accepts = async |component: &[u8]| match host.load_bytes(component, "it").await {
        Err(LoadError::Compiler(_)) => true,
        Err(LoadError::Invalid(InvalidPluginError::TooCostly { .. })) => false,
        other => panic!("{other:?}"),
    };
    for opcode in opcodes() {
        if !EXPENSIVE.contains(&opcode.text.as_str()) {
            continue;
        }
        let (mut count, mut largest) = (500, None);
        loop {
            let component = opcode.component(1, count);
            if !accepts(&component).await {
                break;
            }
            largest = Some(component);
            count *= 2;
        }
        let taken = compile(&largest.expect("a small one is accepted"));
        let taken = taken.unwrap_or_else(|| panic!("{}: not compiled", opcode.text));
        // A second is meant. Fifty such functions are accepted at most.
        let soon = taken.cpu < Duration::from_secs(10) && taken.memory < 1 << 30;
        assert!(soon, "{} {count}: {taken:?}", opcode.text);
    }
}

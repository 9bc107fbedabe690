//! Measures what needs a process: the command line, and an MCP server over stdio for comparison.

use crate::timing::{Samples, head, row};
use crate::{builder, call, host, runtime, text};
use footlight_tests::plugins;
use serde_json::{Value, json};
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Measures both, alternating with what they are compared with.
pub(crate) fn measure(cache: &Path) {
    head("whole process");
    match built("Cargo.toml", "footlight-cli", "footlight") {
        Ok(footlight) => command_line(&footlight),
        Err(why) => println!("  left out: {why}"),
    }
    head("a native MCP server over stdio (rmcp), no widget");
    match built(
        "tests/bench-mcp/Cargo.toml",
        "footlight-bench-mcp",
        "footlight-bench-mcp",
    ) {
        Ok(server) => mcp(&server, cache),
        Err(why) => println!("  left out: {why}"),
    }
}

fn command_line(footlight: &Path) {
    let home = tempfile::tempdir().expect("a folder");
    let call = || {
        let mut command = Command::new(footlight);
        command
            .args(["call", plugins::HELLO, "name=Ada"])
            .env("HOME", home.path())
            .env("XDG_CACHE_HOME", home.path());
        command
    };
    let first = call().output().expect("it runs");
    assert!(
        first.status.success(),
        "{}",
        String::from_utf8_lossy(&first.stderr)
    );
    let (mut nothing, mut whole) = <(Samples, Samples)>::default();
    for _ in 0..40 {
        nothing.take(1, || drop(black_box(Command::new("true").output())));
        whole.take(1, || drop(black_box(call().output())));
    }
    row("true", &nothing, None);
    row(
        "footlight call hello.wasm name=Ada (target 25,000)",
        &whole,
        Some(&nothing),
    );
}

fn mcp(program: &Path, cache: &Path) {
    let runtime = runtime();
    let host = host(&runtime, builder(cache));
    let texts = [("pass", "a line of text. ".repeat(64)), ("work", text())];
    for (tool, text) in texts {
        let (function, input) = (format!("bench.{tool}"), json!({ "text": text }));
        let (mut spawned, mut kept, mut ours) = <(Samples, Samples, Samples)>::default();
        let mut server = Server::start(program);
        for _ in 0..20 {
            spawned.take(1, || {
                black_box(Server::start(program).call(tool, &text));
            });
            kept.take(100, || {
                black_box(server.call(tool, &text));
            });
            ours.take(100, || {
                black_box(runtime.block_on(call(&host, &function, &input)));
            });
        }
        row(
            &format!("{tool}: Host::call, fresh, with its widget"),
            &ours,
            None,
        );
        let what = format!("{tool}: MCP, a call, server kept (target x 4)");
        row(&what, &kept, Some(&ours));
        let what = format!("{tool}: MCP, spawn, initialize, a call");
        row(&what, &spawned, Some(&ours));
    }
}

/// A running MCP server and its client's end of the pipe.
struct Server {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: u64,
}

impl Server {
    fn start(program: &Path) -> Self {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let to = child.stdin.take().expect("it was piped");
        let from = BufReader::new(child.stdout.take().expect("it was piped"));
        let mut server = Self {
            child,
            to,
            from,
            next: 0,
        };
        server.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": "bench", "version": "0" },
            }),
        );
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        server
    }

    fn call(&mut self, tool: &str, text: &str) -> Value {
        self.request(
            "tools/call",
            json!({ "name": tool, "arguments": { "text": text } }),
        )
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        self.send(
            &json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }),
        );
        let mut line = String::new();
        self.from.read_line(&mut line).expect("an answer");
        let answer: Value = serde_json::from_str(&line).expect("JSON");
        assert!(answer["result"].is_object(), "{answer}");
        answer
    }

    fn send(&mut self, message: &Value) {
        // In one write, as a client does.
        self.to
            .write_all(format!("{message}\n").as_bytes())
            .expect("it listens");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The server may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Builds a program in release mode, into the benchmark's target folder.
fn built(manifest: &str, package: &str, program: &str) -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--manifest-path"])
        .arg(root.join(manifest))
        .arg("--target-dir")
        .arg(&target)
        .args(["--package", package])
        .output()
        .map_err(|error| format!("cargo does not run: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "`{package}` does not build:\n{}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(target
        .join("release")
        .join(program)
        .with_extension(std::env::consts::EXE_EXTENSION))
}

//! A server under load: many sessions, several clients each, and what they see.
//!
//!     cargo run --release -p footlight-serve --example load -- --sessions 200 --clients 4 --minutes 1
//!     cargo run --release -p footlight-serve --example load -- --idle 2000
//!
//! The server is a process of its own, so that its memory is its own. A latency is counted from the time in
//! the event, which is taken just before the event is stored, to the client that has parsed it; it is at
//! most a millisecond too long. Whether every client sees every event once and in order decides about the
//! exit code; how fast the machine is does not.

#![expect(clippy::print_stdout, reason = "what was measured goes to stdout")]

mod clients;
mod server;

use clients::{Plan, drive, idle};
use server::{Address, start};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// How long the server warms up before its memory counts: until the first sessions have ended.
const WARM_UP: Duration = Duration::from_secs(60);

/// How often memory is looked at.
const INTERVAL: Duration = Duration::from_secs(5);

#[derive(Debug)]
struct Flags {
    sessions: usize,
    clients: usize,
    minutes: f64,
    /// Turns each second, over all sessions.
    rate: f64,
    idle: Option<usize>,
    serves: bool,
}

impl Flags {
    fn read(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut flags = Self {
            sessions: 200,
            clients: 4,
            minutes: 1.0,
            rate: 100.0,
            idle: None,
            serves: false,
        };
        let mut words = words;
        while let Some(flag) = words.next() {
            if flag == "--serve" {
                flags.serves = true;
                continue;
            }
            let value = words.next().unwrap_or_default();
            let number = || value.parse::<f64>().ok().filter(|n| *n > 0.0);
            let number = number().ok_or_else(|| format!("`{flag}` needs a number"))?;
            match flag.as_str() {
                "--sessions" => flags.sessions = number as usize,
                "--clients" => flags.clients = number as usize,
                "--minutes" => flags.minutes = number,
                "--rate" => flags.rate = number,
                "--idle" => flags.idle = Some(number as usize),
                _ => return Err(format!("there is no flag `{flag}`")),
            }
        }
        Ok(flags)
    }

    fn connections(&self) -> usize {
        // Each session also makes requests of its own.
        self.sessions * (self.clients + 2) + self.idle.unwrap_or_default() + 64
    }
}

fn main() -> ExitCode {
    let flags = match Flags::read(std::env::args().skip(1)) {
        Ok(flags) => flags,
        Err(problem) => {
            println!("{problem}; there are --sessions, --clients, --minutes, --rate and --idle");
            return ExitCode::from(2);
        }
    };
    raise_open_files();
    let runtime = Runtime::new().expect("a runtime");
    if flags.serves {
        let address = runtime.block_on(start(flags.sessions, flags.connections()));
        println!("{}", serde_json::to_string(&address).expect("JSON"));
        // Until its parent closes stdin.
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        return ExitCode::SUCCESS;
    }
    let (mut child, address) = spawn(&flags);
    let is_right = match flags.idle {
        Some(streams) => runtime.block_on(measure_idle(child.id(), &address, streams)),
        None => runtime.block_on(measure_load(child.id(), &address, &flags)),
    };
    drop(child.stdin.take());
    let _ = child.wait();
    match is_right {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Starts this program as the server.
fn spawn(flags: &Flags) -> (Child, Address) {
    use std::io::BufRead as _;
    let program = std::env::current_exe().expect("this program");
    let sessions = flags.sessions.to_string();
    let clients = flags.clients.to_string();
    let idle = flags.idle.unwrap_or(1).to_string();
    let mut child = Command::new(program)
        .args(["--serve", "--sessions", &sessions, "--clients", &clients])
        .args(["--idle", &idle])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("piped");
    let mut stdout = std::io::BufReader::new(stdout);
    stdout.read_line(&mut line).expect("its address");
    (child, serde_json::from_str(&line).expect("its address"))
}

async fn measure_load(server: u32, address: &Address, flags: &Flags) -> bool {
    let plan = Plan {
        clients: flags.clients,
        duration: Duration::from_secs_f64(flags.minutes * 60.0),
        pause: Duration::from_secs_f64(flags.sessions as f64 / flags.rate),
    };
    println!(
        "{} sessions with {} clients each, {} turns a second, {} minutes",
        flags.sessions, flags.clients, flags.rate, flags.minutes
    );
    let start = Instant::now();
    let mut memory: Vec<(Duration, u64)> = Vec::new();
    let mut driving = std::pin::pin!(drive(address, &plan));
    let mut seen = loop {
        tokio::select! {
            seen = &mut driving => break seen,
            () = tokio::time::sleep(INTERVAL) => {
                memory.extend(memory_of(server).map(|kib| (start.elapsed(), kib)));
            }
        }
    };
    let (p50, p99, most) = (
        seen.percentile(0.5),
        seen.percentile(0.99),
        seen.percentile(1.0),
    );
    let (turns, events) = (seen.turns, seen.latencies.len());
    println!("duration      {:.1} s", start.elapsed().as_secs_f64());
    println!("turns         {turns}");
    println!(
        "events read   {events}, each once and in order: {}",
        seen.violations.is_empty()
    );
    println!("latency       p50 {p50:.1} ms, p99 {p99:.1} ms (target <= 50), most {most:.1} ms");
    let warm = memory.iter().find(|(at, _)| *at >= WARM_UP);
    if let (Some((from, before)), Some((to, after))) = (warm, memory.last()) {
        let minutes = (to.as_secs_f64() - from.as_secs_f64()) / 60.0;
        let change = *after as f64 - *before as f64;
        println!(
            "memory        {before} KiB after {:.0} s, {after} KiB at the end: {change:+} KiB in {minutes:.1} minutes (target: flat)",
            from.as_secs_f64()
        );
        let each_minute = memory.iter().step_by(12).map(|(_, kib)| kib.to_string());
        let each_minute: Vec<String> = each_minute.collect();
        println!("each minute   {} KiB", each_minute.join(", "));
    }
    for violation in seen.violations.iter().take(10) {
        println!("violation     {violation}");
    }
    seen.violations.is_empty() && events > 0
}

async fn measure_idle(server: u32, address: &Address, streams: usize) -> bool {
    // Sessions, and whatever the first connections set up, are not what a stream costs.
    let first = idle(address, address.tokens.len()).await;
    drop(first);
    tokio::time::sleep(Duration::from_secs(3)).await;
    let before = memory_of(server);
    let open = idle(address, streams).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let after = memory_of(server);
    let (Some(before), Some(after)) = (before, after) else {
        println!("the memory of a process is not known on this system");
        return true;
    };
    let each = after.saturating_sub(before) as f64 / open.len() as f64;
    println!(
        "{} idle streams: {before} KiB before, {after} KiB with them",
        open.len()
    );
    println!("memory        {each:.1} KiB each (target <= 40)");
    true
}

/// Returns the resident memory of a process in KiB, where the system tells.
fn memory_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// Lets this process open as many files as it may.
fn raise_open_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let raised = Rlimit {
            current: limit.maximum,
            ..limit
        };
        // With fewer files fewer clients connect, which is then said.
        let _ = setrlimit(Resource::Nofile, raised);
    }
}

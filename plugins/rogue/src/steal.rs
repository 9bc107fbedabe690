//! Many ways out of the sandbox in one call, and what each met, on one screen.
//!
//! Nothing here asks the person: what a person could grant is left to other attacks. A way counts as
//! refused by the type of its error. A host that could not be reached was not refused: somebody tried
//! to connect.

use footlight_sdk::prelude::*;
use footlight_sdk::{ApprovalError, HttpError, OutputError};
use std::io::{self, Read};
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};

/// The widths of a way and of what it met; two pairs share a line of 80 characters.
const WAY: usize = 20;
const MET: usize = 18;

/// One way out.
#[derive(Debug, Serialize)]
pub(crate) struct Attempt {
    way: &'static str,
    /// Whether nothing was to be had.
    refused: bool,
    /// What the way met: the type of an error, or what there was.
    met: String,
}

impl Attempt {
    fn new(way: &'static str, refused: bool, met: impl Into<String>) -> Self {
        let met = met.into();
        Self { way, refused, met }
    }

    fn io<T>(way: &'static str, result: io::Result<T>) -> Self {
        match result {
            Ok(_) => Self::new(way, false, "GOT IN"),
            // A name that is not looked up has no kind of its own.
            Err(error) if format!("{:?}", error.kind()) == "Uncategorized" => {
                Self::new(way, true, "refused")
            }
            Err(error) => Self::new(way, true, format!("{:?}", error.kind())),
        }
    }

    fn empty(way: &'static str, found: usize) -> Self {
        match found {
            0 => Self::new(way, true, "nothing there"),
            found => Self::new(way, false, format!("FOUND {found}")),
        }
    }

    fn http(stage: &Stage, way: &'static str, request: Request) -> Self {
        match stage.http(request) {
            Ok(response) => Self::new(way, false, format!("GOT {}", response.status())),
            Err(HttpError::Denied(_)) => Self::new(way, true, "denied"),
            Err(HttpError::Other(_)) => Self::new(way, true, "not a request"),
            Err(error) => Self::new(way, false, format!("{error:?}")),
        }
    }
}

/// Tries to get at files, the environment, processes, the network and other plugins' data, in more than
/// twenty ways. The host must refuse every one of them.
#[tool(title = "Steal")]
pub(crate) fn steal(stage: &Stage) -> Text {
    let mut all = files();
    all.extend(process());
    all.extend(sockets());
    all.extend(requests(stage));
    all.extend(others(stage));
    let refused = all.iter().filter(|attempt| attempt.refused).count();
    let summary = format!("{refused} of {} ways out were refused", all.len());
    Text::new(screen(&all)).summary(summary).for_model(&all)
}

#[expect(deprecated, reason = "the only way to make a symbolic link everywhere")]
fn files() -> Vec<Attempt> {
    let read = |way| Attempt::io(way, std::fs::read(way));
    vec![
        read("/etc/passwd"),
        read("/proc/self/environ"),
        read("../../etc/passwd"),
        read("/dev/stdin"),
        Attempt::io("list /", std::fs::read_dir("/")),
        Attempt::io("list .", std::fs::read_dir(".")),
        Attempt::io("list /data", std::fs::read_dir("/data")),
        Attempt::io("write /tmp/rogue", std::fs::write("/tmp/rogue", "was here")),
        Attempt::io("link to passwd", std::fs::soft_link("/etc/passwd", "link")),
        Attempt::io("its own program", std::env::current_exe()),
    ]
}

fn process() -> Vec<Attempt> {
    let mut word = [0; 64];
    let stdin = io::stdin().read(&mut word).unwrap_or_default();
    let shell = std::process::Command::new("/bin/sh").spawn();
    let thread = std::thread::Builder::new().spawn(|| ());
    vec![
        Attempt::empty("variables", std::env::vars_os().count()),
        Attempt::empty("arguments", std::env::args_os().count()),
        Attempt::empty("stdin", stdin),
        Attempt::io("start /bin/sh", shell),
        Attempt::io("start a thread", thread),
    ]
}

fn sockets() -> Vec<Attempt> {
    let udp = UdpSocket::bind("0.0.0.0:0").and_then(|udp| udp.send_to(b"rogue", "127.0.0.1:53"));
    vec![
        Attempt::io("TCP to loopback", TcpStream::connect("127.0.0.1:80")),
        Attempt::io("TCP to metadata", TcpStream::connect("169.254.169.254:80")),
        Attempt::io("listen", TcpListener::bind("127.0.0.1:0")),
        Attempt::io("UDP to loopback", udp),
        // Every machine knows this name, so that only a refusal can fail. Looking up any other tells it to
        // whoever runs its name server.
        Attempt::io("look up a name", "localhost:80".to_socket_addrs()),
    ]
}

fn requests(stage: &Stage) -> Vec<Attempt> {
    let get = |way, url: &str| Attempt::http(stage, way, Request::get(url));
    let smuggled = Request::new("GET / HTTP/1.1\r\nhost: x\r\n\r\nGET", "http://localhost/");
    vec![
        get("GET loopback", "http://127.0.0.1/"),
        get("GET ::1", "http://[::ffff:127.0.0.1]/"),
        get("GET metadata", "http://169.254.169.254/latest/meta-data/"),
        get("GET file:", "file:///etc/passwd"),
        get("GET data:", "data:text/plain,rogue"),
        get("GET user@host", "https://api.example.com@127.0.0.1/"),
        get("GET another host", "https://elsewhere.example/"),
        Attempt::http(stage, "two in one method", smuggled),
    ]
}

fn others(stage: &Stage) -> Vec<Attempt> {
    // The key of another plugin's list.
    let tasks = stage.state(Scope::Person).get::<serde_json::Value>("tasks");
    let output = match stage.read_output("out_0_000000", 0, 64) {
        Err(OutputError::Expired) => Attempt::new("another's output", true, "expired"),
        Err(error) => Attempt::new("another's output", true, format!("{error:?}")),
        Ok(_) => Attempt::new("another's output", false, "READ IT"),
    };
    let approval = match stage.approve(Approval::new("rogue.undeclared").subject("all")) {
        Err(ApprovalError::Undeclared) => Attempt::new("undeclared action", true, "undeclared"),
        Err(error) => Attempt::new("undeclared action", true, format!("{error:?}")),
        Ok(()) => Attempt::new("undeclared action", false, "APPROVED"),
    };
    let found = tasks.ok().flatten().map_or(0, |_| 1);
    vec![Attempt::empty("another's state", found), output, approval]
}

/// Draws the attempts in two columns.
fn screen(all: &[Attempt]) -> String {
    let half = all.len().div_ceil(2);
    let cell = |attempt: &Attempt| {
        let met: String = attempt.met.chars().take(MET).collect();
        format!("{:WAY$} {met:MET$}", attempt.way)
    };
    let lines = (0..half).map(|at| {
        let right = all.get(half + at).map(cell).unwrap_or_default();
        let line = format!("{} {right}", cell(&all[at]));
        line.trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_attempts_fit_on_one_screen() {
        let attempt = || Attempt::new("a name of 20 letters", true, "x".repeat(100));
        let all: Vec<Attempt> = (0..31).map(|_| attempt()).collect();
        let screen = screen(&all);
        assert!(screen.lines().all(|line| line.chars().count() <= 80));
        assert_eq!(screen.lines().count(), 16);
        assert_eq!(screen.matches("a name").count(), 31);
    }
}

//! `footlight serve`, as another program on the machine uses it.

use crate::machine::{Machine, json_of, plugin};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// How long the test waits for the server.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A running `footlight serve`.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: String,
    token_file: PathBuf,
    pub(crate) token: String,
}

impl Served {
    /// Starts a server with these plugins, on any port unless a flag names one.
    pub(crate) fn start(machine: &Machine, plugins: &[&str], flags: &[&str]) -> Self {
        let plugins: Vec<String> = plugins.iter().map(|name| plugin(name)).collect();
        let mut words = vec!["serve", "--json"];
        words.extend(plugins.iter().map(String::as_str));
        words.extend_from_slice(flags);
        if !flags.contains(&"--port") {
            words.extend(["--port", "0"]);
        }
        let mut command = machine.command(&words);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("is piped");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let serving = json_of(&line);
        assert_eq!(serving["type"], "serving");
        let text = |name: &str| serving[name].as_str().expect("text").to_owned();
        let token_file = PathBuf::from(text("tokenFile"));
        Self {
            child,
            address: text("url").replace("http://", ""),
            token: std::fs::read_to_string(&token_file).expect("the token"),
            token_file,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn port(&self) -> String {
        let (_, port) = self.address.rsplit_once(':').expect("a port");
        port.to_owned()
    }

    /// Makes a request as the person who started the server.
    pub(crate) fn own(&self, method: &str, path: &str, body: Option<Value>) -> (u16, String) {
        self.request(&self.token, method, path, body)
    }

    /// Kills the server: no destructor runs, nothing is flushed.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("is killed");
        self.child.wait().expect("it ends");
    }

    fn request(&self, token: &str, method: &str, path: &str, body: Option<Value>) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("connects");
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let (address, length) = (&self.address, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        (status.expect("a status"), body.to_owned())
    }

    /// Ends the server with Ctrl-C.
    pub(crate) fn end(mut self) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::INT).expect("signalled");
        assert_eq!(self.child.wait().expect("ends").code(), Some(0));
        assert!(!self.token_file.exists(), "the token ends with the server");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Whatever a failed test has left running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_turn_runs_in_the_server_and_is_found_again_after_a_restart() {
    let machine = Machine::new();
    let served = Served::start(&machine, &["todo"], &[]);
    let token = served.token.clone();
    let (status, body) = served.request(&token, "POST", "/api/sessions", Some(json!({})));
    assert_eq!(status, 201, "{body}");
    let id = json_of(&body)["id"].as_str().expect("an id").to_owned();
    let prompt = Some(json!({ "prompt": "/add title=Milk" }));
    let path = format!("/api/sessions/{id}");
    let (status, body) = served.request(&token, "POST", &format!("{path}/prompts"), prompt);
    assert_eq!(status, 202, "{body}");
    let until = Instant::now() + TIMEOUT;
    let record = loop {
        let (_, body) = served.request(&token, "GET", &path, None);
        let session = json_of(&body);
        if session["running"] == false && session["record"]["turns"][0]["status"] == "done" {
            break session["record"].clone();
        }
        assert!(Instant::now() < until, "{body}");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(record["items"].to_string().contains("Milk"), "{record}");
    // The command line sees the same session.
    let shown = machine.run(&["sessions", "show", &id, "--json"]);
    assert!(shown.stdout.contains("Milk"), "{}", shown.stderr);
    served.end();

    let again = Served::start(&machine, &["todo"], &[]);
    assert_eq!(
        again.request(&token, "GET", &path, None).0,
        401,
        "the old token"
    );
    let token = again.token.clone();
    let (status, body) = again.request(&token, "GET", &path, None);
    assert_eq!((status, &json_of(&body)["record"]), (200, &record));
    again.end();
}

#[test]
fn a_port_that_is_taken_is_an_error_that_names_the_remedy() {
    let machine = Machine::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let ran = machine.run(&["serve", &plugin("todo"), "--port", &port]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("--port"), "{}", ran.stderr);
}

#[test]
fn chatkit_front_ends_name_the_key_that_the_server_was_given() {
    let machine = Machine::new();
    let list = || Some(json!({ "type": "threads.list", "params": {} }));
    for (flags, status) in [(&[][..], 200), (&["--chatkit-domain-key", "dk_1"], 403)] {
        let served = Served::start(&machine, &["todo"], flags);
        let answer = served.request(&served.token, "POST", "/chatkit", list());
        assert_eq!(answer.0, status, "{}", answer.1);
        served.end();
    }
}

/// Starts a turn that waits for an approval, and returns the request.
fn striking(served: &Served) -> String {
    let (_, body) = served.own("POST", "/api/sessions", Some(json!({})));
    let id = json_of(&body)["id"].as_str().expect("an id").to_owned();
    let prompt = Some(json!({ "prompt": "/strike" }));
    let path = format!("/api/sessions/{id}/prompts");
    assert_eq!(served.own("POST", &path, prompt).0, 202);
    let until = Instant::now() + TIMEOUT;
    loop {
        let (_, body) = served.own("GET", "/api/pending", None);
        let request = &json_of(&body)["pending"][0]["request"]["id"];
        if let Some(request) = request.as_str() {
            return request.to_owned();
        }
        assert!(Instant::now() < until, "{body}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_link_opens_one_request_of_a_server_that_others_can_reach() {
    let machine = Machine::new();
    let flags = [
        "--public-url",
        "https://tools.example/",
        "--link-lifetime",
        "1h",
    ];
    let served = Served::start(&machine, &["gallery"], &flags);
    let request = striking(&served);
    // The server on this machine is found, and the id by its beginning.
    let linked = machine.run(&["pending", "link", &request[..request.len() - 1]]);
    assert_eq!(linked.code, Some(0), "{}", linked.stderr);
    let begin = format!("https://tools.example/reply#{request}/");
    let secret = linked.stdout.trim_end().strip_prefix(&begin);
    let secret = secret.unwrap_or_else(|| panic!("{}", linked.stdout));
    assert!(linked.stderr.contains("once"), "{}", linked.stderr);
    let path = format!("/api/pending/{request}");
    assert_eq!(served.request(secret, "GET", &path, None).0, 200);
    assert_eq!(served.request(secret, "GET", "/api/pending", None).0, 403);
    let linked = machine.run(&[
        "pending",
        "link",
        &request,
        "--json",
        "--server",
        &served.url(),
    ]);
    let link = json_of(&linked.stdout);
    assert!(
        link["url"]
            .as_str()
            .is_some_and(|url| url.starts_with(&begin)),
        "{link}"
    );
    assert!(link["expires"].is_string(), "{link}");
    assert_eq!(machine.run(&["pending", "link", "call_none"]).code, Some(2));
    served.end();

    let none = machine.run(&["pending", "link", &request]);
    assert_eq!(none.code, Some(2));
    assert!(none.stderr.contains("--public-url"), "{}", none.stderr);
    let served = Served::start(&machine, &["gallery"], &[]);
    let request = striking(&served);
    let refused = machine.run(&["pending", "link", &request]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("--public-url"),
        "{}",
        refused.stderr
    );
    served.end();
    let plain = ["serve", "--public-url", "http://tools.example"];
    let plain = machine.run(&plain);
    assert_eq!(plain.code, Some(2));
    assert!(plain.stderr.contains("https:"), "{}", plain.stderr);
}

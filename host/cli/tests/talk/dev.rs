//! `footlight dev`: saves, compile errors, powers, other people's folders, and what is left when it ends.
//!
//! One test builds a real crate. The others have a program in the place of cargo that answers at once, or never.
//! `languages` is about plugins in Python and JavaScript.

mod languages;

use crate::machine::{Machine, is_root, json_of, plugin};
use crate::serve::Served;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long a test waits for anything.
const TIMEOUT: Duration = Duration::from_secs(400);

/// A running `footlight dev --json`.
struct Working {
    child: Child,
    events: Receiver<Value>,
    address: String,
    token: String,
    token_file: PathBuf,
    stderr: PathBuf,
}

impl Working {
    fn start(machine: &Machine, folder: &Path, flags: &[&str], variables: &[(&str, &str)]) -> Self {
        let folder = folder.to_str().expect("is text");
        let mut words = vec!["dev", folder, "--json", "--port", "0"];
        words.extend(flags);
        let mut command = machine.command(&words);
        for (name, value) in variables {
            command.env(name, value);
        }
        let stderr = machine.path("stderr");
        let noted = fs::File::create(&stderr).expect("is made");
        let mut child = command.stderr(noted).spawn().expect("starts");
        let stdout = BufReader::new(child.stdout.take().expect("is piped"));
        let (sender, events) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let _ = sender.send(json_of(&line));
            }
        });
        let mut working = Self {
            child,
            events,
            address: String::new(),
            token: String::new(),
            token_file: PathBuf::new(),
            stderr,
        };
        let serving = working.until("serving");
        let text = |name: &str| serving[name].as_str().expect("text").to_owned();
        working.address = text("url").replace("http://", "");
        working.token_file = text("tokenFile").into();
        working.token = fs::read_to_string(&working.token_file).expect("the token");
        working
    }

    /// Waits for an event of this type.
    fn until(&self, kind: &str) -> Value {
        loop {
            let event = self.events.recv_timeout(TIMEOUT);
            let event = event.unwrap_or_else(|_| panic!("no event `{kind}`"));
            if event["type"] == kind {
                return event;
            }
            let is_other_end = ["loaded", "build_failed"].contains(&kind)
                && ["loaded", "build_failed", "error"]
                    .contains(&event["type"].as_str().unwrap_or(""));
            assert!(!is_other_end, "waited for `{kind}`: {event}");
        }
    }

    fn request(&self, headers: &str, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("connects");
        let (address, length) = (&self.address, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\n{headers}Content-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1);
        (
            status.and_then(|it| it.parse().ok()).expect("a status"),
            body.to_owned(),
        )
    }

    fn own(&self, method: &str, path: &str, body: &Value) -> Value {
        let headers = format!("Authorization: Bearer {}\r\n", self.token);
        let (status, body) = self.request(&headers, method, path, &body.to_string());
        assert!(
            (200..300).contains(&status),
            "{method} {path}: {status} {body}"
        );
        match body.is_empty() {
            true => Value::Null,
            false => json_of(&body),
        }
    }

    /// Waits until the state is what the test waits for.
    fn state(&self, is_it: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + TIMEOUT;
        loop {
            let state = self.own("GET", "/api/dev", &json!({}));
            if is_it(&state) {
                return state;
            }
            assert!(Instant::now() < end, "{state}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until a call has ended of which a model reads this, and returns what a terminal shows.
    fn called(&self, read: &str) -> String {
        self.state(|state| {
            state["call"]["reads"]["text"] == read && state["call"]["status"] == "done"
        });
        let preview = self.own("GET", "/api/dev/preview?columns=40", &json!({}));
        preview["markup"].to_string()
    }

    /// Waits until builds were loaded whose differences say all of this.
    fn changes(&self, said: &[&str]) {
        let mut changes = String::new();
        while !said.iter().all(|words| changes.contains(words)) {
            changes.push_str(&self.until("loaded")["changes"].to_string());
        }
    }

    /// Ends it with Ctrl-C.
    fn end(mut self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).expect("signalled");
        assert_eq!(self.child.wait().expect("ends").code(), Some(0));
        assert!(!self.token_file.exists(), "the token ends with it");
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        // Whatever a failed test has left running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes a file anew, so that its time of change is another one.
fn save(path: &Path, text: &str) {
    fs::write(path, text).expect("is written");
}

/// Creates the crate of `footlight new` in the person's project.
fn crate_of(machine: &Machine) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sdk = root.join("sdk");
    fs::create_dir(machine.path("work/.git")).expect("is made");
    let made = machine.run(&["new", "demo", "--sdk", sdk.to_str().expect("is text")]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let folder = machine.path("work/demo");
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("is copied");
    folder
}

#[test]
fn a_save_is_built_loaded_and_called_again_and_an_error_leaves_the_last_build() {
    let machine = Machine::new();
    let folder = crate_of(&machine);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("the target folder");
    let target = [("CARGO_TARGET_DIR", target.to_str().expect("is text"))];
    let working = Working::start(&machine, &folder, &[], &target);
    let loaded = working.until("loaded");
    assert_eq!(
        (&loaded["plugin"], &loaded["warnings"]),
        (&json!("demo"), &json!(""))
    );

    let call = json!({ "tool": "greet", "input": { "name": "Ada" }, "again": true });
    working.own("POST", "/api/dev/calls", &call);
    let seen = working.called(r#"{"content":"Hello, Ada!"}"#);
    assert!(seen.contains("Hello, Ada!"), "{seen}");
    assert_eq!(working.until("called")["tokens"], 7);

    let source = folder.join("src/lib.rs");
    let text = fs::read_to_string(&source).expect("is there");
    let louder = text.replace("Hello", "Good evening");
    let louder = louder.replace(
        "    format!(\"Good",
        "    println!(\"greeted\");\n    format!(\"Good",
    );
    assert!(louder.contains("println!"), "{louder}");
    save(&source, &louder);
    working.until("loaded");
    let seen = working.called(r#"{"content":"Good evening, Ada!"}"#);
    assert!(seen.contains("Good evening, Ada!"), "{seen}");
    working.state(|state| state["call"]["log"] == json!(["stdout: greeted"]));

    save(&source, "this is no Rust");
    let failed = working.until("build_failed");
    let output = failed["output"].as_str().expect("text");
    assert!(output.contains("error: expected one of"), "{output}");
    let state = working.state(|state| state["build"]["state"] == "failed");
    assert!(
        state["output"].to_string().contains("this is no Rust"),
        "{state}"
    );
    working.own("POST", "/api/dev/calls", &call);
    let seen = working.called(r#"{"content":"Good evening, Ada!"}"#);
    assert!(seen.contains("Good evening, Ada!"), "the build before");

    let renamed = text.replace("fn greet", "fn welcome");
    let renamed = renamed.replace("[greet]", "[welcome]");
    save(
        &source,
        &renamed.replace("greet(\"Ada\"", "welcome(\"Ada\""),
    );
    working.changes(&["tools added: welcome", "tools removed: greet"]);
    // The tool of the last call is gone.
    let end = Instant::now() + TIMEOUT;
    while working.until("called")["problem"].is_null() {
        assert!(Instant::now() < end);
    }
    let sessions = working.own("GET", "/api/sessions", &json!({}));
    assert_eq!(sessions["sessions"].as_array().map(Vec::len), Some(1));
    working.end();
    let left = machine.run(&["sessions", "list", "--json"]);
    assert_eq!(
        left.lines(),
        [Value::Null; 0],
        "the session of the calls is deleted"
    );
}

/// A program in the place of cargo. It reports `component` as what it has built; without one it builds for ever.
struct Compiler {
    program: String,
    /// Where the ids of its processes are.
    running: PathBuf,
    component: PathBuf,
}

impl Compiler {
    fn new(machine: &Machine, folder: &Path) -> Self {
        let (running, component) = (machine.path("running"), machine.path("built.wasm"));
        let manifest = folder.join("Cargo.toml");
        let artifact = json!({
            "reason": "compiler-artifact", "manifest_path": manifest,
            "target": { "crate_types": ["cdylib"] }, "filenames": [component],
        });
        let script = format!(
            "#!/bin/sh\ncase \"$1\" in\nlocate-project) echo '{}';;\nbuild)\n  \
             if [ ! -e '{}' ]; then sleep 600 & echo $$ $! >> '{}'; wait; fi\n  echo '{artifact}';;\n*) exit 1;;\nesac\n",
            manifest.display(),
            component.display(),
            running.display(),
        );
        let program = machine.file("cargo", &script);
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("is set");
        Self {
            program,
            running,
            component,
        }
    }

    /// Waits for a number of builds that run for ever, and returns the processes of the last.
    fn started(&self, count: usize) -> Vec<Pid> {
        started(&self.running, count)
    }
}

/// Waits until a file names the processes of a number of builds, and returns those of the last.
fn started(running: &Path, count: usize) -> Vec<Pid> {
    let end = Instant::now() + TIMEOUT;
    loop {
        let text = fs::read_to_string(running).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        if lines.len() == count {
            let ids = lines[count - 1].split(' ');
            let pid = |id: &str| Pid::from_raw(id.parse().expect("a number"));
            return ids.map(|id| pid(id).expect("a process")).collect();
        }
        assert!(Instant::now() < end, "{text}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until processes are gone.
fn gone(processes: &[Pid]) {
    let end = Instant::now() + TIMEOUT;
    let is_there = |pid: &&Pid| {
        // One that nobody has waited for yet has ended all the same.
        let state = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
        let is_dead = state.is_ok_and(|state| state.contains(") Z "));
        test_kill_process(**pid).is_ok() && !is_dead
    };
    while processes.iter().any(|pid| is_there(&pid)) {
        assert!(Instant::now() < end, "{processes:?} are still there");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Creates a crate folder that only the program in the place of cargo can build.
fn hollow(machine: &Machine, name: &str) -> PathBuf {
    let folder = machine.path(name);
    fs::create_dir_all(folder.join("src")).expect("is made");
    let package = "[package]\nname = \"hollow\"\nversion = \"0.1.0\"\n[workspace]\n";
    save(&folder.join("Cargo.toml"), package);
    save(&folder.join("src/lib.rs"), "");
    folder.canonicalize().expect("is there")
}

#[test]
fn a_save_ends_the_build_that_runs_and_a_killed_dev_leaves_no_compiler() {
    let machine = Machine::new();
    fs::create_dir(machine.path("work/.git")).expect("is made");
    let folder = hollow(&machine, "work/hollow");
    let compiler = Compiler::new(&machine, &folder);
    let mut working = Working::start(&machine, &folder, &[], &[("CARGO", &compiler.program)]);
    let first = compiler.started(1);
    save(&folder.join("src/lib.rs"), "// more");
    let second = compiler.started(2);
    gone(&first);
    working.child.kill().expect("is killed");
    working.child.wait().expect("it ends");
    gone(&second);

    fs::remove_file(&compiler.running).expect("is there");
    let working = Working::start(&machine, &folder, &[], &[("CARGO", &compiler.program)]);
    let third = compiler.started(1);
    working.end();
    gone(&third);
}

#[test]
fn the_routes_are_for_the_person_alone_and_no_other_server_has_them() {
    let machine = Machine::new();
    fs::create_dir(machine.path("work/.git")).expect("is made");
    let folder = hollow(&machine, "work/hollow");
    let compiler = Compiler::new(&machine, &folder);
    let working = Working::start(&machine, &folder, &[], &[("CARGO", &compiler.program)]);
    let (_, document) = working.request("", "GET", "/api/openapi.json", "");
    let document = json_of(&document);
    let own = format!("Authorization: Bearer {}\r\n", working.token);
    let mut routes = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            if path == "/api/dev" || path.starts_with("/api/dev/") {
                routes.push((method.to_ascii_uppercase(), path.clone()));
            }
        }
    }
    assert_eq!(routes.len(), 6, "{routes:?}");
    for (method, path) in &routes {
        let body = if method == "POST" { "{}" } else { "" };
        for (headers, status) in [
            (String::new(), 401),
            ("Authorization: Bearer 00\r\n".to_owned(), 401),
            (format!("{own}Origin: https://theatre.example\r\n"), 403),
            (format!("{own}Sec-Fetch-Site: cross-site\r\n"), 403),
        ] {
            let answer = working.request(&headers, method, path, body);
            assert_eq!(answer.0, status, "{method} {path} {headers}: {}", answer.1);
        }
    }
    working.end();
    let served = Served::start(&machine, &["hello"], &[]);
    for (method, path) in routes {
        let body = (method == "POST").then(|| json!({}));
        assert_eq!(served.own(&method, &path, body).0, 404, "{method} {path}");
    }
    assert_eq!(served.own("GET", "/dev", None).0, 404);
    served.end();
}

const MORE: &str = "[[net]]\nhost = \"api.example\"\n";

#[test]
fn more_powers_are_shown_to_the_owner_of_a_folder_and_asked_about_in_any_other() {
    let machine = Machine::new();
    fs::create_dir(machine.path("work/.git")).expect("is made");
    let component = |powers| {
        let path = machine.asking_for("hello", "modest", powers);
        fs::read(path).expect("is built")
    };
    let (modest, greedy) = (component(""), component(MORE));
    let folder = hollow(&machine, "work/hollow");
    let compiler = Compiler::new(&machine, &folder);
    fs::write(&compiler.component, &modest).expect("is written");
    let working = Working::start(&machine, &folder, &[], &[("CARGO", &compiler.program)]);
    working.until("loaded");
    fs::write(&compiler.component, &greedy).expect("is written");
    save(&folder.join("src/lib.rs"), "// more");
    working.changes(&["asks for more: ", "api.example"]);
    working.end();

    // Only the administrator can give files away.
    if !is_root() {
        return;
    }
    let machine = Machine::new();
    fs::create_dir(machine.path("work/.git")).expect("is made");
    let theirs = hollow(&machine, "work/theirs");
    for path in [
        theirs.clone(),
        theirs.join("Cargo.toml"),
        theirs.join("src"),
    ] {
        chown(&path, Some(12_345), Some(12_345)).expect("is given away");
    }
    let refused = machine.run(&["dev", theirs.to_str().expect("is text"), "--port", "0"]);
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("belongs to another user"),
        "{}",
        refused.stderr
    );
    assert!(refused.stderr.contains("`--yes`"), "{}", refused.stderr);

    let compiler = Compiler::new(&machine, &theirs);
    fs::write(&compiler.component, &modest).expect("is written");
    let working = Working::start(
        &machine,
        &theirs,
        &["--yes"],
        &[("CARGO", &compiler.program)],
    );
    working.until("loaded");
    let before = working.state(|state| state["plugin"].is_object())["plugin"]["digest"].clone();
    fs::write(&compiler.component, &greedy).expect("is written");
    save(&theirs.join("src/lib.rs"), "// more");
    let output = working.until("build_failed")["output"].to_string();
    assert!(output.contains("--accept-plugin modest"), "{output}");
    let state = working.state(|state| state["build"]["state"] == "failed");
    assert_eq!(
        state["plugin"]["digest"], before,
        "the build before goes on serving"
    );
    working.end();
}

#[test]
fn a_log_and_a_trace_are_printed_and_a_tool_of_buttons_is_called() {
    let machine = Machine::new();
    fs::create_dir(machine.path("work/.git")).expect("is made");
    let folder = hollow(&machine, "work/hollow");
    let compiler = Compiler::new(&machine, &folder);
    fs::copy(plugin("todo"), &compiler.component).expect("is copied");
    let add = ["--tool", "add", "--input", r#"{"title":"Milk"}"#];
    let flags = [&add[..], &["--trace", "--log=info"]].concat();
    let working = Working::start(&machine, &folder, &flags, &[("CARGO", &compiler.program)]);
    let called = working.until("called");
    assert_eq!(called["status"], "done", "{called}");
    let line = called["trace"][0].as_str().expect("a line");
    assert!(line.starts_with("#1 read state.get person "), "{line}");

    let toggle = json!({ "tool": "toggle", "input": { "id": 1 } });
    working.own("POST", "/api/dev/calls", &toggle);
    assert_eq!(working.until("called")["status"], "done");
    let end = Instant::now() + TIMEOUT;
    let traced = |function: &str| {
        let printed = fs::read_to_string(&working.stderr).expect("is there");
        let mut lines = printed
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        lines.any(|line: Value| line["type"] == "host_call" && line["function"] == function)
    };
    while !traced("todo.add") || !traced("todo.toggle") {
        assert!(Instant::now() < end);
        std::thread::sleep(Duration::from_millis(20));
    }
    working.end();
}

//! `footlight serve` and the commands beside it: requests are answered from another process, addresses
//! beyond loopback are guarded, and `doctor` sees how a server does.

use crate::machine::{Machine, interrupt, json_of, plugin};
use crate::serve::Served;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// How long the test waits for the server.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Asks the server until an answer is what the test waits for.
fn until(served: &Served, path: &str, is_it: impl Fn(&Value) -> bool) -> Value {
    let end = Instant::now() + TIMEOUT;
    loop {
        let (_, body) = served.own("GET", path, None);
        let answer = json_of(&body);
        if is_it(&answer) {
            return answer;
        }
        assert!(Instant::now() < end, "{body}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Starts a turn that needs an approval. Returns the session and the request.
fn strike(served: &Served) -> (String, String) {
    approval(served, "/strike")
}

/// Starts a turn with a prompt that needs an approval. Returns the session and the request.
fn approval(served: &Served, prompt: &str) -> (String, String) {
    let (status, body) = served.own("POST", "/api/sessions", Some(json!({})));
    assert_eq!(status, 201, "{body}");
    let id = json_of(&body)["id"].as_str().expect("an id").to_owned();
    let prompt = Some(json!({ "prompt": prompt }));
    let (status, body) = served.own("POST", &format!("/api/sessions/{id}/prompts"), prompt);
    assert_eq!(status, 202, "{body}");
    let of_session = |row: &&Value| row["session"] == id.as_str();
    let pending = until(served, "/api/pending", |answer| {
        let rows = answer["pending"].as_array().expect("a list");
        rows.iter().any(|row| of_session(&row))
    });
    let rows = pending["pending"].as_array().expect("a list");
    let row = rows.iter().find(of_session).expect("it waits");
    assert_eq!(row["waitedFor"], true);
    (id, row["request"]["id"].as_str().expect("an id").to_owned())
}

/// Waits until the turn has done what it was asked for.
fn done(served: &Served, session: &str) {
    until(served, &format!("/api/sessions/{session}"), |session| {
        session["record"]["turns"][0]["status"] == "done"
    });
}

/// Waits for the end of the turn and returns the receipt of its call.
fn receipt(served: &Served, session: &str) -> Value {
    let path = format!("/api/sessions/{session}");
    let ended = until(served, &path, |session| {
        !session["record"]["turns"][0]["status"].is_null()
    });
    let items = ended["record"]["items"].as_array().expect("items");
    let verdict = items.iter().find_map(|item| item.get("verdict"));
    verdict.expect("a receipt").clone()
}

#[test]
fn what_waits_in_a_server_is_answered_from_another_process_and_over_http_after_a_restart() {
    let machine = Machine::new();
    let mut served = Served::start(&machine, &["gallery"], &[]);
    let (by_terminal, one) = strike(&served);
    let (by_http, two) = strike(&served);
    let (after_kill, three) = strike(&served);

    // While the server runs, from a second terminal.
    let listed = machine.run(&["pending", "list"]);
    assert!(listed.stdout.contains(&one), "{}", listed.stdout);
    let answered = machine.run(&["pending", "answer", &one, "allow"]);
    assert_eq!(answered.code, Some(0), "{}", answered.stderr);
    let given = receipt(&served, &by_terminal);
    assert_eq!(
        (&given["decision"], &given["by"]),
        (&json!("once"), &json!("ada"))
    );

    // While no server runs, and from the next one.
    served.kill();
    let answered = machine.run(&["pending", "answer", &three, "deny", "--words", "not now"]);
    assert_eq!(answered.code, Some(0), "{}", answered.stderr);
    let served = Served::start(&machine, &["gallery"], &[]);
    let given = receipt(&served, &after_kill);
    assert_eq!(given["decision"], "deny", "{given}");
    let yes = Some(json!({ "approved": true }));
    let (status, body) = served.own("POST", &format!("/api/approvals/{two}"), yes);
    assert_eq!(status, 204, "{body}");
    let given = receipt(&served, &by_http);
    assert_eq!(given["by"], "local via http", "{given}");
    served.end();
}

#[test]
fn everything_that_waits_is_declined_at_once() {
    let machine = Machine::new();
    let served = Served::start(&machine, &["gallery"], &[]);
    let sessions = [strike(&served).0, strike(&served).0];
    let declined = machine.run(&["pending", "decline-all", "--json"]);
    assert_eq!(json_of(&declined.stdout), json!({ "declined": 2 }));
    for session in sessions {
        assert_eq!(receipt(&served, &session)["decision"], "deny");
    }
    let again = machine.run(&["pending", "decline-all", "--json"]);
    assert_eq!(json_of(&again.stdout), json!({ "declined": 0 }));
    served.end();
}

#[test]
fn a_server_listens_beyond_loopback_only_with_a_token_a_name_and_tls() {
    let machine = Machine::new();
    let todo = plugin("todo");
    let token = "t0ken".repeat(8);
    let token = machine.file("token", &token);
    let weak = machine.file("weak", "hunter2");
    for file in [&token, &weak] {
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(file, private).expect("is ours");
    }
    let address = ["--listen", "0.0.0.0", "--port", "0"];
    for (flags, remedy) in [
        (vec![], "--token-file"),
        (vec!["--name", "tools.example"], "--token-file"),
        (vec!["--token-file", &token], "--tls-cert"),
        (vec!["--token-file", &token, "--unencrypted"], "--name"),
        (
            vec![
                "--token-file",
                &weak,
                "--unencrypted",
                "--name",
                "a.example",
            ],
            "openssl rand",
        ),
    ] {
        let mut words = vec!["serve", &todo];
        words.extend(address);
        words.extend(flags);
        let ran = machine.run(&words);
        assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(remedy), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn doctor_sees_whether_a_server_answers_and_accepts_the_token() {
    let machine = Machine::new();
    let served = Served::start(&machine, &["todo"], &[]);
    let url = served.url();
    let checked = machine.run(&["doctor", "--server", &url, "--json"]);
    assert_eq!(
        checked.code,
        Some(0),
        "{}{}",
        checked.stdout,
        checked.stderr
    );
    let names: Vec<Value> = checked
        .lines()
        .iter()
        .map(|line| line["name"].clone())
        .collect();
    assert_eq!(names, ["server", "readiness", "version", "token"]);
    assert!(checked.lines().iter().all(|line| line["ok"] == true));

    let other = machine.file("token", &"0123456789abcdef".repeat(4));
    let checked = machine.run(&["doctor", "--server", &url, "--token-file", &other, "--json"]);
    assert_eq!(checked.code, Some(1), "{}", checked.stdout);
    let failed: Vec<Value> = checked.lines();
    let failed = failed.iter().filter(|line| line["ok"] == false);
    assert!(failed.count() > 0);
    served.end();
    let checked = machine.run(&["doctor", "--server", &url, "--token-file", &other, "--json"]);
    assert_eq!(checked.code, Some(1), "nobody answers any more");
}

#[test]
fn the_log_has_a_line_of_json_for_each_request_with_its_id() {
    let machine = Machine::new();
    let todo = plugin("todo");
    let words = [
        "serve",
        &todo,
        "--port",
        "0",
        "--json",
        "--log-format",
        "json",
    ];
    let mut command = machine.command(&words);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("is piped");
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    let url = json_of(&line)["url"].as_str().expect("a URL").to_owned();
    let address = url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).expect("connects");
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let id = answer
        .lines()
        .find_map(|line| line.strip_prefix("x-request-id: "));
    let id = id.expect("an id").to_owned();
    assert!(interrupt(child.id()), "it is told to end");
    let ended = child.wait_with_output().expect("it ends");
    let log = String::from_utf8(ended.stderr).expect("text");
    let logged = log
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let logged: Vec<Value> = logged
        .filter(|line| line["span"]["id"] == id.as_str())
        .collect();
    assert_eq!(logged.len(), 1, "{log}");
    assert_eq!(logged[0]["status"], 200);
    assert_eq!(logged[0]["span"]["path"], "/healthz");
}

#[test]
fn a_lasting_approval_over_http_is_a_rule_of_the_person_until_it_is_revoked() {
    let machine = Machine::new();
    let served = Served::start(&machine, &["gallery"], &[]);
    let (_, server) = served.own("GET", "/api/server", None);
    assert_eq!(json_of(&server)["remembers"], true, "{server}");
    let (session, request) = approval(&served, "/dim");
    let lasting = json!({ "approved": true, "always": true, "remember": true });
    let (status, body) = served.own("POST", &format!("/api/approvals/{request}"), Some(lasting));
    assert_eq!(status, 204, "{body}");
    done(&served, &session);

    // The rule is written, and another session is not asked.
    let end = Instant::now() + TIMEOUT;
    let rule = loop {
        let listed = machine.run(&["grants", "list", "--json"]);
        if let Some(rule) = listed.lines().first() {
            break rule["id"].as_str().expect("an id").to_owned();
        }
        assert!(Instant::now() < end, "no rule is written");
        std::thread::sleep(Duration::from_millis(50));
    };
    let (_, made) = served.own("POST", "/api/sessions", Some(json!({})));
    let other = json_of(&made)["id"].as_str().expect("an id").to_owned();
    let prompt = Some(json!({ "prompt": "/dim" }));
    let (status, body) = served.own("POST", &format!("/api/sessions/{other}/prompts"), prompt);
    assert_eq!(status, 202, "{body}");
    done(&served, &other);

    // Revoked in another process, it no longer counts, and the grant of the session ends with it.
    let revoked = machine.run(&["grants", "revoke", &rule]);
    assert_eq!(revoked.code, Some(0), "{}", revoked.stderr);
    until(&served, "/api/grants", |answer| {
        answer["grants"] == json!([])
    });
    approval(&served, "/dim");
    served.end();
}

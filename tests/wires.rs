//! Tests our wires against a third-party server, `@copilotkit/aimock`, which speaks all three.
//!
//! The server answers from fixtures, misbehaves on request, and keeps a journal of the requests it received. The
//! npm package is installed into the build's folder for temporary files; without `node` and `npm`
//! these tests are skipped with a message.

use footlight::model::{
    Delta, Finished, HttpModel, HttpOptions, Message, Model as _, ModelError, ModelErrorKind,
    ModelPart, Part, Reason, Request, RetryPolicy, Step, ToolCall, ToolResult, ToolSpec,
};
use footlight_tests::programs;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

const PACKAGE: &str = "@copilotkit/aimock@1.43.0";
const WIRES: [&str; 3] = ["openai", "chat", "anthropic"];
const KEY: &str = "sk-aimock-test";

/// Returns the package's program, installed once.
fn program() -> Option<(PathBuf, PathBuf)> {
    static CLI: OnceLock<Option<PathBuf>> = OnceLock::new();
    let node = programs::program("node", "install Node.js 20 or newer")?;
    let npm = programs::program("npm", "install it with Node.js")?;
    let cli = CLI.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("aimock");
        let cli = folder.join("node_modules/@copilotkit/aimock/dist/cli.js");
        if !cli.is_file() {
            std::fs::create_dir_all(&folder).expect("the build's folder is ours");
            let mut install = Command::new(npm);
            install.args(["install", "--no-audit", "--no-fund", "--ignore-scripts"]);
            let install = install.arg("--prefix").arg(&folder).arg(PACKAGE).output();
            let install = install.expect("npm starts");
            if !install.status.success() {
                // As for a missing program: skipped, or a failure where `CI=true`.
                return programs::program(PACKAGE, "npm cannot reach its registry");
            }
        }
        Some(cli)
    });
    Some((node, cli.clone()?))
}

/// A server that stops when it is dropped.
struct Aimock {
    child: Child,
    port: u16,
    _fixtures: tempfile::TempDir,
}

impl Drop for Aimock {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn fixtures() -> Value {
    json!({ "fixtures": [
        { "match": { "userMessage": "both", "hasToolResult": true }, "response": { "content": "Cold and warm." } },
        { "match": { "userMessage": "both" }, "response": {
            "content": "Let me see.",
            "toolCalls": [
                { "name": "forecast", "arguments": { "city": "Oslo" } },
                { "name": "forecast", "arguments": { "city": "Rome" } },
            ] } },
        { "match": { "userMessage": "cut" }, "truncateAfterChunks": 3, "chunkSize": 4,
          "response": { "content": "This will never be said to its end." } },
        { "match": { "userMessage": "long" }, "chunkSize": 3, "response": { "content": "Grüße aus Ålesund, höflichst." } },
    ] })
}

impl Aimock {
    fn start() -> Option<Self> {
        let (node, cli) = program()?;
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("fixtures.json");
        std::fs::write(&file, fixtures().to_string()).expect("the folder is ours");
        let mut child = Command::new(node)
            .arg(cli)
            .args(["-p", "0", "-f"])
            .arg(file)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("node starts");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let port = lines.by_ref().find_map(|line| {
            let line = line.expect("it writes text");
            let (_, port) = line.split_once("listening on http://127.0.0.1:")?;
            port.trim().parse().ok()
        });
        // The server keeps writing and must not block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self {
            child,
            port: port.expect("it says where it listens"),
            _fixtures: folder,
        })
    }

    fn model(&self, wire: &str) -> HttpModel {
        let spec = format!("{wire}:m@http://127.0.0.1:{}/v1", self.port);
        let mut policy = RetryPolicy::default();
        policy.retries = 1;
        policy.first_wait = Duration::from_millis(1);
        let mut options = HttpOptions::default();
        options.retry = Some(policy);
        HttpModel::open(&spec, |_| Some(KEY.to_owned()), options).expect("the spec is fine")
    }

    /// Sends a control request, bypassing our client.
    fn plain(&self, method: &str, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let long = body.len();
        let head = format!(
            "{method} {path} HTTP/1.0\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {long}\r\n\r\n"
        );
        stream
            .write_all((head + body).as_bytes())
            .expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("it speaks HTTP");
        assert!(head.contains(" 200 "), "{head}");
        body.to_owned()
    }

    fn misbehave(&self, how: &Value) {
        self.plain("POST", "/__aimock/chaos", &how.to_string());
    }

    fn behave(&self) {
        self.plain("DELETE", "/__aimock/chaos", "");
    }

    /// Returns the requests it received, oldest first.
    fn journal(&self) -> Vec<Value> {
        let journal = self.plain("GET", "/__aimock/journal", "");
        serde_json::from_str(&journal).expect("a journal is JSON")
    }
}

fn ask(text: &str) -> Request {
    let content = vec![words(text)];
    let mut request = Request::new(vec![Message::Person { content }]);
    request.system = "be brief".to_owned();
    let schema = json!({ "type": "object", "properties": { "city": { "type": "string" } } });
    request.tools = vec![ToolSpec::new("forecast", "tells the weather", schema)];
    request.may_call = true;
    request
}

fn words(text: &str) -> Part {
    Part::Text {
        text: text.to_owned(),
    }
}

async fn all(mut step: Step) -> Vec<Result<Delta, ModelError>> {
    let mut deltas = Vec::new();
    while let Some(delta) = step.next().await {
        deltas.push(delta);
    }
    deltas
}

async fn finished(step: Step) -> Finished {
    match all(step).await.pop() {
        Some(Ok(Delta::Finished(finished))) => finished,
        other => panic!("it did not finish: {other:?}"),
    }
}

fn calls(finished: &Finished) -> Vec<&ToolCall> {
    let calls = finished.parts.iter().filter_map(|part| match part {
        ModelPart::Call(call) => Some(call),
        _ => None,
    });
    calls.collect()
}

fn text(finished: &Finished) -> String {
    let texts = finished.parts.iter().filter_map(|part| match part {
        ModelPart::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

#[tokio::test]
async fn text_and_calls_side_by_side_come_through_and_their_results_go_back() {
    let Some(server) = Aimock::start() else {
        return;
    };
    for wire in WIRES {
        let model = server.model(wire);
        let mut request = ask("both");
        let first = finished(model.step(request.clone())).await;
        assert_eq!(first.reason, Reason::Stop, "{wire}");
        assert_eq!(text(&first), "Let me see.", "{wire}");
        // The server sends usage only to clients that request it.
        let opaque = |part: &ModelPart| matches!(part, ModelPart::Opaque { .. });
        assert_eq!(first.parts.iter().any(opaque), wire == "openai");
        let made = calls(&first);
        let arguments: Vec<Value> = made
            .iter()
            .map(|call| serde_json::from_str(&call.arguments).expect("it is JSON"))
            .collect();
        assert_eq!(
            arguments,
            [json!({ "city": "Oslo" }), json!({ "city": "Rome" })],
            "{wire}"
        );

        let ids: Vec<String> = made.iter().map(|call| call.id.clone()).collect();
        let results = ids
            .iter()
            .map(|id| ToolResult::new(id, "forecast", vec![words("4 degrees")]));
        let results = results.collect();
        std::sync::Arc::make_mut(&mut request.messages).push(Message::Model { parts: first.parts });
        std::sync::Arc::make_mut(&mut request.messages).push(Message::Results { results });
        let second = finished(model.step(request)).await;
        assert_eq!(text(&second), "Cold and warm.", "{wire}");

        // How the server understood our request: both calls and both results, by their ids.
        let journal = server.journal();
        let sent = journal.last().expect("it was asked");
        let messages = sent["body"]["messages"]
            .as_array()
            .or(sent["body"]["input"].as_array());
        let sent = Value::from(messages.expect("messages").clone()).to_string();
        for id in &ids {
            assert!(
                sent.matches(id.as_str()).count() >= 2,
                "{wire}: {id} in {sent}"
            );
        }
        assert_eq!(sent.matches("4 degrees").count(), 2, "{wire}: {sent}");
    }
    let paths: Vec<_> = server
        .journal()
        .iter()
        .map(|sent| sent["path"].clone())
        .collect();
    let expected = ["/v1/responses", "/v1/chat/completions", "/v1/messages"];
    assert_eq!(paths, expected.map(|path| [path, path]).concat());
}

#[tokio::test]
async fn text_in_small_pieces_comes_through_whole() {
    let Some(server) = Aimock::start() else {
        return;
    };
    for wire in WIRES {
        let deltas = all(server.model(wire).step(ask("long"))).await;
        let pieces: Vec<_> = deltas
            .iter()
            .filter_map(|delta| match delta {
                Ok(Delta::Text(text)) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert!(pieces.len() > 3, "{wire}: {pieces:?}");
        assert_eq!(pieces.concat(), "Grüße aus Ålesund, höflichst.", "{wire}");
    }
}

/// Sends a request while the server misbehaves, then makes it behave, and returns what the client reported.
async fn recovers(server: &Aimock, wire: &str, how: Value) -> (Duration, Finished) {
    server.misbehave(&how);
    let mut step = server.model(wire).step(ask("both"));
    let first = step.next().await;
    server.behave();
    let Some(Ok(Delta::Retry(retry))) = first else {
        panic!("{wire}: {how} is not tried again: {first:?}");
    };
    (retry.after, finished(step).await)
}

#[tokio::test]
async fn a_busy_server_is_asked_again_when_it_says() {
    // Trap 12.
    let Some(server) = Aimock::start() else {
        return;
    };
    for wire in WIRES {
        let (after, finished) = recovers(&server, wire, json!({ "rateLimitRate": 1 })).await;
        assert_eq!(after, Duration::from_secs(1), "{wire}");
        assert_eq!(calls(&finished).len(), 2, "{wire}");
    }
}

#[tokio::test]
async fn a_server_that_drops_requests_or_hangs_up_is_asked_again() {
    let Some(server) = Aimock::start() else {
        return;
    };
    for wire in WIRES {
        for how in ["dropRate", "disconnectRate"] {
            let (_, finished) = recovers(&server, wire, json!({ how: 1 })).await;
            assert_eq!(calls(&finished).len(), 2, "{wire}: {how}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_cut_is_never_taken_for_whole() {
    let Some(server) = Aimock::start() else {
        return;
    };
    for wire in WIRES {
        let deltas = all(server.model(wire).step(ask("cut"))).await;
        let retries = deltas
            .iter()
            .filter(|delta| matches!(delta, Ok(Delta::Retry(_))));
        assert_eq!(retries.count(), 1, "{wire}: {deltas:?}");
        let Some(Err(error)) = deltas.last() else {
            panic!("{wire}: {deltas:?}")
        };
        assert_eq!(error.kind, ModelErrorKind::Unreachable, "{wire}");
    }
}

#[tokio::test]
async fn nonsense_is_garbled_and_not_asked_for_again() {
    let Some(server) = Aimock::start() else {
        return;
    };
    server.misbehave(&json!({ "malformedRate": 1 }));
    for wire in WIRES {
        let deltas = all(server.model(wire).step(ask("both"))).await;
        let [Err(error)] = deltas.as_slice() else {
            panic!("{wire}: {deltas:?}")
        };
        assert_eq!(error.kind, ModelErrorKind::Garbled, "{wire}: {error}");
        assert!(!error.message.contains(KEY), "{error}");
    }
}

#[tokio::test]
async fn a_request_that_it_does_not_know_is_refused() {
    let Some(server) = Aimock::start() else {
        return;
    };
    for wire in WIRES {
        let deltas = all(server.model(wire).step(ask("nothing of the kind"))).await;
        let [Err(error)] = deltas.as_slice() else {
            panic!("{wire}: {deltas:?}")
        };
        assert_eq!(error.kind, ModelErrorKind::Refused, "{wire}: {error}");
    }
}

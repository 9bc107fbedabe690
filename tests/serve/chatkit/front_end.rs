//! A front end that keeps every answer, to have all of them checked.

use super::super::Running;
use super::super::client::{Client, Response, TIMEOUT, head};
use footlight_tests::programs;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::net::TcpStream;

const PATH: &str = "/chatkit";

pub(super) struct FrontEnd {
    client: Client,
    answers: Mutex<Vec<Value>>,
}

impl FrontEnd {
    pub(super) fn new(running: &Running) -> Self {
        Self::of(running.client(&running.ada))
    }

    pub(super) fn of(client: Client) -> Self {
        let answers = Mutex::default();
        Self { client, answers }
    }

    fn keep(&self, kind: &str, body: &str) {
        let answer = json!({ "kind": kind, "body": body });
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.push(answer);
    }

    /// Makes a request that is answered with JSON of this kind.
    pub(super) async fn json(&self, kind: &str, request: Value) -> Value {
        let answer = self.client.post(PATH, &request.to_string()).await;
        assert_eq!(answer.status, 200, "{request}: {}", answer.body);
        assert_eq!(answer.header("content-type"), Some("application/json"));
        self.keep(kind, &answer.body);
        answer.json()
    }

    /// Makes a request that is refused. Returns the status and the code of the problem.
    pub(super) async fn refused(&self, request: Value) -> (u16, String) {
        let answer: Response = self.client.post(PATH, &request.to_string()).await;
        assert!(answer.status >= 400, "{request}: {}", answer.body);
        (answer.status, answer.problem())
    }

    /// Makes a request that is answered with a stream.
    pub(super) async fn open(&self, request: Value) -> EventStream {
        let body = request.to_string();
        let mut stream = self.client.open("POST", PATH, Some(&body), &[]).await;
        let (status, headers) = head(&mut stream).await;
        let kind = headers.iter().find(|(name, _)| name == "content-type");
        let kind = kind.map(|(_, kind)| kind.as_str());
        assert_eq!(
            (status, kind),
            (200, Some("text/event-stream")),
            "{request}"
        );
        EventStream {
            stream,
            body: String::new(),
            read: 0,
            is_over: false,
        }
    }

    /// Makes a request and reads the whole stream.
    pub(super) async fn stream(&self, request: Value) -> Vec<Value> {
        let stream = self.open(request).await;
        self.rest(stream).await
    }

    /// Reads the rest of a stream. Returns the events that were not read yet.
    pub(super) async fn rest(&self, mut stream: EventStream) -> Vec<Value> {
        let mut events = Vec::new();
        while let Some(event) = stream.next().await {
            events.push(event);
        }
        self.keep("sse", &stream.body);
        events
    }

    /// Closes a stream.
    pub(super) fn close(&self, stream: EventStream) {
        self.keep("sse", &stream.body);
    }

    /// Presses in a thread, and reads the whole stream.
    pub(super) async fn press(&self, thread: &str, item: &Value, action: Value) -> Vec<Value> {
        let request = action_request("threads.custom_action", thread, item, action);
        self.stream(request).await
    }

    /// Presses something that asks no model. Returns the item afterwards.
    pub(super) async fn press_sync(&self, thread: &str, item: &Value, action: Value) -> Value {
        let request = action_request("threads.sync_custom_action", thread, item, action);
        let answer = self.json("sync", request).await;
        answer["updated_item"].clone()
    }

    /// Lists the items of a thread, the oldest first.
    pub(super) async fn items(&self, thread: &str) -> Vec<Value> {
        let params = json!({ "thread_id": thread, "limit": 100, "order": "asc" });
        let request = json!({ "type": "items.list", "params": params });
        let page = self.json("items", request).await;
        page["data"].as_array().expect("a list").clone()
    }

    /// Checks all answers with the official types.
    pub(super) fn check(self) {
        let answers = self.answers.into_inner();
        let answers = answers.unwrap_or_else(PoisonError::into_inner);
        assert!(!answers.is_empty(), "something was answered");
        validate("answers", &answers.into());
    }
}

pub(super) fn action_request(kind: &str, thread: &str, item: &Value, action: Value) -> Value {
    json!({ "type": kind, "params": { "thread_id": thread, "item_id": item["id"], "action": action } })
}

/// Runs `validate.py`. Where the package is not installed, it is skipped with a message.
pub(super) fn validate(what: &str, input: &Value) {
    let Some(python) = python() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("input.json");
    std::fs::write(&file, input.to_string()).expect("written");
    let output = Command::new(python)
        .arg(script())
        .arg(what)
        .arg(&file)
        .output()
        .expect("Python runs");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Returns the Python that has the package.
pub(super) fn python() -> Option<PathBuf> {
    programs::program(
        "chatkit-python",
        "a virtual environment with `openai-chatkit==1.6.5`, as `.ci/run` makes it",
    )
}

pub(super) fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("serve/chatkit/validate.py")
}

/// A stream of events, read as bytes.
pub(super) struct EventStream {
    stream: BufReader<TcpStream>,
    /// What was received.
    body: String,
    /// How much of it was read.
    read: usize,
    is_over: bool,
}

impl EventStream {
    /// Returns the next event; none at the end.
    pub(super) async fn next(&mut self) -> Option<Value> {
        loop {
            let rest = &self.body[self.read..];
            if let Some(end) = rest.find("\n\n") {
                let frame = rest[..end].strip_prefix("data: ");
                let frame = frame.unwrap_or_else(|| panic!("a frame: {rest}"));
                let event = serde_json::from_str(frame).expect("JSON");
                self.read += end + 2;
                return Some(event);
            }
            if self.is_over {
                assert!(rest.is_empty(), "{rest}");
                return None;
            }
            let chunk = tokio::time::timeout(TIMEOUT, self.chunk()).await;
            let chunk = chunk.unwrap_or_else(|_| panic!("an event in time after {}", self.body));
            self.is_over = chunk.is_empty();
            self.body.push_str(&chunk);
        }
    }

    async fn chunk(&mut self) -> String {
        let mut size = String::new();
        self.stream.read_line(&mut size).await.expect("a size");
        let size = usize::from_str_radix(size.trim(), 16).expect("a size");
        let mut chunk = vec![0; size + 2];
        self.stream.read_exact(&mut chunk).await.expect("a chunk");
        chunk.truncate(size);
        String::from_utf8(chunk).expect("UTF-8")
    }

    /// Reads until an event for which `is_it` holds, and returns all.
    pub(super) async fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut events = Vec::new();
        loop {
            let event = self.next().await;
            let event = event.unwrap_or_else(|| panic!("the stream has ended: {events:#?}"));
            let is_last = is_it(&event);
            events.push(event);
            if is_last {
                return events;
            }
        }
    }
}

/// Returns the types of events, those of updates with what they update.
pub(super) fn kinds(events: &[Value]) -> Vec<String> {
    let kind = |event: &Value| {
        let kind = event["type"].as_str().expect("a type");
        let of = event["item"]["type"].as_str();
        match of.or(event["update"]["type"].as_str()) {
            Some(of) => format!("{kind} {of}"),
            None => kind.to_owned(),
        }
    };
    events.iter().map(kind).collect()
}

/// Returns the action of the button with this label, also of one that submits a form.
pub(super) fn action_labelled(tree: &Value, label: &str) -> Value {
    fn find(node: &Value, form: &Value, label: &str) -> Option<Value> {
        let form = match node.get("onSubmitAction") {
            Some(action) => action,
            None => form,
        };
        if node["label"] == label {
            return Some(node.get("onClickAction").unwrap_or(form).clone());
        }
        let children = match &node["children"] {
            Value::Array(children) => children.as_slice(),
            child => std::slice::from_ref(child),
        };
        let mut found = children.iter().filter(|it| it.is_object());
        found.find_map(|child| find(child, form, label))
    }
    let found = find(tree, &Value::Null, label);
    found.unwrap_or_else(|| panic!("a button {label}: {tree:#}"))
}

/// Returns an action with the values of a form, as a front end sends it: dots nest, and what is in the
/// payload stays.
pub(super) fn pressed(mut action: Value, values: Value) -> Value {
    let payload = action["payload"].as_object_mut().expect("a payload");
    for (name, value) in values.as_object().cloned().unwrap_or_default() {
        let mut segments: Vec<&str> = name.split('.').collect();
        let last = segments.pop().expect("a name");
        let mut members = &mut *payload;
        for segment in segments {
            let inner = members.entry(segment).or_insert(Value::Object(Map::new()));
            members = inner.as_object_mut().expect("an object");
        }
        members.entry(last).or_insert(value);
    }
    json!({ "type": action["type"], "payload": action["payload"] })
}

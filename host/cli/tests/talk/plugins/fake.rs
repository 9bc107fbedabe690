//! A server that answers what a test wants, and remembers what it was asked.

use footlight::Digest;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

/// An answer: the status, the headers and the body.
#[derive(Clone)]
pub(super) struct Answer(
    pub(super) u16,
    pub(super) Vec<(String, String)>,
    pub(super) Vec<u8>,
);

impl Answer {
    pub(super) fn ok(body: &[u8]) -> Self {
        Self(200, Vec::new(), body.to_vec())
    }

    pub(super) fn status(status: u16) -> Self {
        Self(status, Vec::new(), Vec::new())
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        self.1.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn redirect(to: &str) -> Self {
        Self::status(307).with("location", to)
    }
}

#[derive(Default)]
struct State {
    /// The answers by path; everything else is not there.
    answers: HashMap<String, Answer>,
    /// The path and the login of each request.
    requests: Vec<(String, Option<String>)>,
}

/// A server on loopback.
pub(super) struct FakeServer {
    pub(super) port: u16,
    state: Arc<Mutex<State>>,
}

impl FakeServer {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("has an address").port();
        let state = Arc::<Mutex<State>>::default();
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // The client may have gone away, which is what some tests are about.
                let _ = answer(stream, &shared);
            }
        });
        Self { port, state }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set(&self, path: &str, answer: Answer) {
        self.state().answers.insert(path.to_owned(), answer);
    }

    pub(super) fn requests(&self) -> Vec<(String, Option<String>)> {
        self.state().requests.clone()
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

fn answer(mut stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let (mut login, mut length) = (None, 0);
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? == 0 || header.trim().is_empty() {
            break;
        }
        let (name, value) = header.split_once(':').unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "authorization" => login = Some(value.trim().to_owned()),
            "content-length" => length = value.trim().parse().unwrap_or(0),
            _ => {}
        }
    }
    std::io::copy(&mut reader.take(length), &mut std::io::sink())?;
    let found = {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        state.requests.push((path.clone(), login));
        let path = path.split('?').next().unwrap_or_default();
        state.answers.get(path).cloned()
    };
    let Answer(status, headers, body) = found.unwrap_or(Answer::status(404));
    let mut text = format!("HTTP/1.1 {status} X\r\nconnection: close\r\n");
    let has_length = headers.iter().any(|(name, _)| name == "content-length");
    if !has_length {
        text.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    stream.write_all(text.as_bytes())?;
    stream.write_all(&body)
}

/// An artifact whose parts a test can change before it is served.
pub(super) struct Artifact {
    pub(super) config: Vec<u8>,
    pub(super) component: Vec<u8>,
    pub(super) manifest: Value,
}

pub(super) fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", Digest::of(bytes))
}

impl Artifact {
    /// Makes the artifact of a component in a file, with the signature beside it.
    pub(super) fn of(path: &str) -> Self {
        let component = fs::read(path).expect("is there");
        let signature = fs::read_to_string(format!("{path}.minisig")).ok();
        let config = b"{}".to_vec();
        let blob = |media_type: &str, bytes: &[u8]| json!({ "mediaType": media_type, "digest": digest(bytes), "size": bytes.len() });
        let mut manifest = json!({
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": blob("application/vnd.wasm.config.v0+json", &config),
            "layers": [blob("application/wasm", &component)],
            "annotations": {},
        });
        if let Some(signature) = signature {
            manifest["annotations"]["footlight.minisig"] = signature.into();
        }
        Self {
            config,
            component,
            manifest,
        }
    }

    /// Serves it as `acme/mail:1`, and returns the reference.
    pub(super) fn serve(&self, server: &FakeServer) -> String {
        let manifest = self.manifest.to_string();
        let answer = Answer::ok(manifest.as_bytes()).with("content-type", MANIFEST);
        server.set("/v2/acme/mail/manifests/1", answer);
        for (pointer, bytes) in [
            ("/config/digest", &self.config),
            ("/layers/0/digest", &self.component),
        ] {
            let digest = self.manifest.pointer(pointer).and_then(Value::as_str);
            let path = format!("/v2/acme/mail/blobs/{}", digest.unwrap_or_default());
            server.set(&path, Answer::ok(bytes));
        }
        format!("127.0.0.1:{}/acme/mail:1", server.port)
    }

    /// The path of the component's blob.
    pub(super) fn blob(&self) -> String {
        format!("/v2/acme/mail/blobs/{}", digest(&self.component))
    }
}

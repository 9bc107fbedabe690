//! A client that sends what it is told, byte for byte.

use serde_json::Value;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

/// How long a test waits for the server.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) struct Client {
    address: SocketAddr,
    headers: Vec<String>,
}

pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    /// The body, if it is text.
    pub(crate) body: String,
    pub(crate) bytes: Vec<u8>,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the `code` of a problem, which has its media type.
    pub(crate) fn problem(&self) -> String {
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json"),
            "{}",
            self.body
        );
        let problem = self.json();
        assert_eq!(problem["status"], self.status);
        problem["code"].as_str().expect("a code").to_owned()
    }
}

impl Client {
    pub(crate) fn new(address: SocketAddr, token: Option<&str>) -> Self {
        let mut headers = vec![format!("Host: {address}")];
        headers.extend(token.map(|token| format!("Authorization: Bearer {token}")));
        Self { address, headers }
    }

    /// Adds a header.
    pub(crate) fn with(mut self, header: impl Into<String>) -> Self {
        self.headers.push(header.into());
        self
    }

    /// Removes the header of the server's name.
    pub(crate) fn without_host(mut self) -> Self {
        self.headers.retain(|header| !header.starts_with("Host:"));
        self
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.send("GET", path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> Response {
        self.send("POST", path, Some(body)).await
    }

    /// Makes a request on a connection of its own.
    pub(crate) async fn send(&self, method: &str, path: &str, body: Option<&str>) -> Response {
        let mut stream = self.open(method, path, body, &["Connection: close"]).await;
        let response = tokio::time::timeout(TIMEOUT, async {
            let (status, headers) = head(&mut stream).await;
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).await.expect("a body");
            let chunked = ("transfer-encoding".to_owned(), "chunked".to_owned());
            if headers.contains(&chunked) {
                bytes = joined(&bytes);
            }
            Response {
                status,
                headers,
                body: String::from_utf8(bytes.clone()).unwrap_or_default(),
                bytes,
            }
        });
        response.await.expect("an answer in time")
    }

    /// Sends a request. The answer is read from what is returned.
    pub(super) async fn open(
        &self,
        method: &str,
        path: &str,
        body: Option<&str>,
        more: &[&str],
    ) -> BufReader<TcpStream> {
        let mut request = format!("{method} {path} HTTP/1.1\r\n");
        for header in self
            .headers
            .iter()
            .map(String::as_str)
            .chain(more.iter().copied())
        {
            request.push_str(header);
            request.push_str("\r\n");
        }
        if let Some(body) = body {
            let has_type = self.headers.iter().any(|h| h.starts_with("Content-Type:"));
            if !has_type {
                request.push_str("Content-Type: application/json\r\n");
            }
            request.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        request.push_str("\r\n");
        request.push_str(body.unwrap_or_default());
        let mut stream = TcpStream::connect(self.address).await.expect("connects");
        stream.write_all(request.as_bytes()).await.expect("sent");
        BufReader::new(stream)
    }

    /// Follows a live stream.
    pub(crate) async fn follow(&self, path: &str) -> Events {
        let mut stream = self.open("GET", path, None, &[]).await;
        let (status, headers) = head(&mut stream).await;
        let kind = headers.iter().find(|(name, _)| name == "content-type");
        assert_eq!(
            (status, kind.map(|(_, kind)| kind.as_str())),
            (200, Some("text/event-stream"))
        );
        Events { stream }
    }
}

/// Joins the chunks of a body.
fn joined(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = chunks.windows(2).position(|two| two == b"\r\n");
        let (size, rest) = chunks.split_at(end.expect("a size"));
        let size = std::str::from_utf8(size).expect("digits");
        let size = usize::from_str_radix(size, 16).expect("a size");
        if size == 0 {
            return body;
        }
        body.extend_from_slice(&rest[2..2 + size]);
        chunks = &rest[2 + size + 2..];
    }
}

pub(super) async fn head(stream: &mut BufReader<TcpStream>) -> (u16, Vec<(String, String)>) {
    let mut line = String::new();
    stream.read_line(&mut line).await.expect("a status line");
    let status = line
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let status = status.unwrap_or_else(|| panic!("a status: {line:?}"));
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.expect("a header");
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push((name.to_ascii_lowercase(), value.to_owned())),
            None => return (status, headers),
        }
    }
}

/// A stream of server-sent events.
pub(crate) struct Events {
    stream: BufReader<TcpStream>,
}

impl Events {
    /// Returns the id and the data of the next event.
    pub(crate) async fn next(&mut self) -> (Option<u64>, Value) {
        let next = tokio::time::timeout(TIMEOUT, async {
            let mut id = None;
            loop {
                let mut line = String::new();
                let read = self.stream.read_line(&mut line).await.expect("a line");
                assert!(read > 0, "the stream has ended");
                // The sizes of chunks stand between the lines.
                if let Some(text) = line.strip_prefix("id: ") {
                    id = text.trim().parse().ok();
                }
                if let Some(data) = line.strip_prefix("data: ") {
                    return (id, serde_json::from_str(data).expect("JSON"));
                }
            }
        });
        next.await.expect("an event in time")
    }

    /// Reads until an event of this type, and returns all.
    pub(crate) async fn until(&mut self, kind: &str) -> Vec<(Option<u64>, Value)> {
        let mut events = Vec::new();
        loop {
            events.push(self.next().await);
            let last = events.last().expect("one");
            if last.1["type"] == kind {
                return events;
            }
        }
    }
}

//! The clients: each follows a session over server-sent events and checks that it sees every stored event
//! once and in order.

use super::server::Address;
use footlight_vocabulary::item::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until, timeout};

/// How long anything may take before it counts as lost.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How many turns a session has before it is deleted and another one takes its place, as sessions of
/// people come and go.
const TURNS: u32 = 20;

/// What is done.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) clients: usize,
    pub(crate) duration: Duration,
    /// The time between two turns of a session.
    pub(crate) pause: Duration,
}

/// What was seen.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// How many turns there were.
    pub(crate) turns: u64,
    /// The microseconds from the time of each stored event to each client.
    pub(crate) latencies: Vec<u32>,
    /// What was not once and in order.
    pub(crate) violations: Vec<String>,
}

impl Seen {
    fn add(&mut self, other: Self) {
        self.turns += other.turns;
        self.latencies.extend(other.latencies);
        self.violations.extend(other.violations);
    }

    /// Returns the latency below which this share of all is, in milliseconds.
    pub(crate) fn percentile(&mut self, share: f64) -> f64 {
        self.latencies.sort_unstable();
        let last = self.latencies.len().saturating_sub(1);
        let at = (last as f64 * share).round() as usize;
        f64::from(self.latencies.get(at).copied().unwrap_or_default()) / 1_000.0
    }
}

/// Has every session of a server talk, with all of its clients.
pub(crate) async fn drive(server: &Address, plan: &Plan) -> Seen {
    let end = Instant::now() + plan.duration;
    let mut sessions = JoinSet::new();
    let people = server.tokens.len() as u32;
    for (n, token) in (0_u32..).zip(&server.tokens) {
        let person = Person {
            address: server.address,
            token: token.clone(),
        };
        // They do not all speak at once.
        let start = Instant::now() + plan.pause * n / people;
        let plan = plan.clone();
        sessions.spawn(async move {
            sleep_until(start.into()).await;
            let mut seen = Seen::default();
            // The first sessions end one after another, and so do all that follow.
            let mut turns = 1 + n % TURNS;
            while Instant::now() < end && seen.violations.is_empty() {
                seen.add(talk(&person, &plan, turns, end).await);
                turns = TURNS;
            }
            seen
        });
    }
    let mut seen = Seen::default();
    while let Some(ended) = sessions.join_next().await {
        match ended {
            Ok(ended) => seen.add(ended),
            Err(error) => seen.violations.push(error.to_string()),
        }
    }
    seen
}

/// Plays one session from its start to its deletion.
async fn talk(person: &Person, plan: &Plan, turns: u32, end: Instant) -> Seen {
    let id = person.session().await;
    let mut streams = Vec::new();
    for _ in 0..plan.clients {
        streams.push(person.follow(&id).await);
    }
    let mut seen = Seen::default();
    for _ in 0..turns {
        let next = Instant::now() + plan.pause;
        let path = format!("/api/sessions/{id}/prompts");
        let (status, _) = person
            .send("POST", &path, &json!({ "prompt": "Rain?" }))
            .await;
        if status != 202 {
            seen.violations
                .push(format!("a prompt was answered with {status}"));
            break;
        }
        seen.turns += 1;
        let mut readers = JoinSet::new();
        for mut stream in streams.drain(..) {
            readers.spawn(async move {
                let latencies = timeout(TIMEOUT, stream.read_turn()).await;
                (stream, latencies)
            });
        }
        let mut ends = Vec::new();
        while let Some(read) = readers.join_next().await {
            match read {
                Ok((stream, Ok(Ok(latencies)))) => {
                    seen.latencies.extend(latencies);
                    ends.push(stream.seq);
                    streams.push(stream);
                }
                Ok((_, Ok(Err(violation)))) => seen.violations.push(violation),
                Ok((_, Err(_))) => seen.violations.push("a turn does not end".to_owned()),
                Err(error) => seen.violations.push(error.to_string()),
            }
        }
        if ends.iter().any(|seq| Some(seq) != ends.first()) {
            seen.violations.push(format!("clients ended at {ends:?}"));
        }
        if !seen.violations.is_empty() || Instant::now() >= end {
            break;
        }
        sleep_until(next.into()).await;
    }
    drop(streams);
    // A turn holds its session for a moment after its last event.
    let path = format!("/api/sessions/{id}");
    while person.send("DELETE", &path, &Value::Null).await.0 == 409 {
        sleep(Duration::from_millis(20)).await;
    }
    seen
}

/// Opens streams of sessions in which nothing happens.
pub(crate) async fn idle(server: &Address, streams: usize) -> Vec<Follower> {
    let mut ids = Vec::new();
    for token in &server.tokens {
        let person = Person {
            address: server.address,
            token: token.clone(),
        };
        ids.push((person.session().await, person));
    }
    let mut open = Vec::new();
    for n in 0..streams {
        let (id, person) = &ids[n % ids.len()];
        open.push(person.follow(id).await);
    }
    open
}

/// Somebody with a token.
#[derive(Clone)]
struct Person {
    address: SocketAddr,
    token: String,
}

impl Person {
    async fn session(&self) -> String {
        let (status, made) = self.send("POST", "/api/sessions", &json!({})).await;
        assert_eq!(status, 201, "a session: {made}");
        made["id"].as_str().expect("an id").to_owned()
    }

    async fn open(&self, method: &str, path: &str, more: &str, body: &str) -> BufReader<TcpStream> {
        let stream = TcpStream::connect(self.address).await.expect("connects");
        stream.set_nodelay(true).expect("a socket");
        let mut stream = BufReader::new(stream);
        let (address, token, length) = (self.address, &self.token, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n{more}\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        stream
    }

    /// Makes a request on a connection of its own.
    async fn send(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let answer = timeout(TIMEOUT, async {
            let more = "Connection: close\r\n";
            let mut stream = self.open(method, path, more, &body.to_string()).await;
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.expect("an answer");
            answer
        });
        let answer = answer.await.expect("an answer in time");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        (
            status.expect("a status"),
            serde_json::from_str(body).unwrap_or_default(),
        )
    }

    /// Follows a session from its first event.
    async fn follow(&self, id: &str) -> Follower {
        let path = format!("/api/sessions/{id}/events?after=0");
        let mut stream = self.open("GET", &path, "", "").await;
        let mut line = String::new();
        let mut is_first = true;
        loop {
            line.clear();
            stream.read_line(&mut line).await.expect("a header");
            if is_first {
                assert!(line.contains(" 200 "), "a stream: {line}");
                is_first = false;
            }
            if line == "\r\n" {
                return Follower {
                    stream,
                    line,
                    seq: 0,
                };
            }
        }
    }
}

/// A client that follows a session.
pub(crate) struct Follower {
    stream: BufReader<TcpStream>,
    line: String,
    /// The last stored event.
    seq: u64,
}

/// What a client looks at in a frame.
#[derive(Deserialize)]
struct Frame {
    #[serde(rename = "type")]
    kind: String,
    seq: Option<u64>,
    at: Option<Timestamp>,
}

impl Follower {
    /// Reads up to the end of a turn. Returns the latencies of its stored events.
    async fn read_turn(&mut self) -> Result<Vec<u32>, String> {
        let mut latencies = Vec::new();
        loop {
            self.line.clear();
            let read = self.stream.read_line(&mut self.line).await;
            if read.map_err(|error| error.to_string())? == 0 {
                return Err(format!("a stream ended after {}", self.seq));
            }
            let Some(data) = self.line.strip_prefix("data: ") else {
                continue;
            };
            let frame: Frame = serde_json::from_str(data).map_err(|error| error.to_string())?;
            let Some(seq) = frame.seq else {
                continue;
            };
            if seq != self.seq + 1 {
                return Err(format!("{} after {}: {data}", seq, self.seq));
            }
            self.seq = seq;
            latencies.push(micros_since(frame.at.unwrap_or_default()));
            if frame.kind == "turn_finished" {
                return Ok(latencies);
            }
        }
    }
}

/// Returns how long ago a time was. Both are times of this machine.
fn micros_since(then: Timestamp) -> u32 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let then = Duration::from_millis(then.millis().max(0).unsigned_abs());
    u32::try_from(now.saturating_sub(then).as_micros()).unwrap_or(u32::MAX)
}

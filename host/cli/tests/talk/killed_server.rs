//! Kills `footlight serve` with `kill -9` in the middle of fifty turns, again and again, while clients follow.
//!
//! Nothing that a client was shown is lost, no call runs twice, every client continues by `seq` without a gap
//! or a duplicate, and every turn ends.
//!
//! `FOOTLIGHT_SERVER_KILLS` is the number of rounds, each with fifty turns and several kills; `FOOTLIGHT_SEED`
//! repeats the moments of the kills.

use crate::machine::{Machine, json_of, plugin};
use crate::random::Random;
use crate::serve::Served;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Rounds where `FOOTLIGHT_SERVER_KILLS` is not set.
const FEW: usize = 3;

const SESSIONS: usize = 10;
const TURNS: usize = 5;

/// How many clients follow each session.
const CLIENTS: usize = 2;

/// How many kills a round has at most.
const KILLS: u64 = 4;

/// How many events clients see in a round without a kill, about.
const EVENTS: u64 = 600;

/// After what time something hangs.
const TIMEOUT: Duration = Duration::from_secs(120);

/// How long a client reads before it looks whether the round is over.
const SILENCE: Duration = Duration::from_secs(1);

/// How long a client waits before it tries again.
const AGAIN: Duration = Duration::from_millis(20);

/// The name of a turn, which its prompt, its call and its task have.
fn name(session: usize, turn: usize) -> String {
    format!("s{session}t{turn}")
}

/// A script that adds a task of its own in each turn.
fn script() -> String {
    let mut steps = String::from("steps:\n");
    for session in 0..SESSIONS {
        for turn in 0..TURNS {
            let name = name(session, turn);
            steps.push_str(&format!(
                "  - when: {{ user_contains: \"{name}.\" }}\n    text: [\"I \", \"add \", \"it.\"]\n    \
                 calls: [{{ tool: todo.add, input: {{ title: {name} }} }}]\n"
            ));
        }
    }
    for _ in 0..TURNS {
        steps.push_str("  - text: [\"It is \", \"there.\"]\n");
    }
    steps
}

/// What everybody in a round knows.
struct Round {
    address: String,
    /// The token of the server that runs now.
    token: Mutex<String>,
    /// How many events clients have seen.
    seen: AtomicU64,
    /// How many turns of each session a client has seen the end of.
    finished: [AtomicU64; SESSIONS],
    is_over: AtomicBool,
    end: Instant,
}

impl Round {
    fn check_time(&self) {
        assert!(Instant::now() < self.end, "a turn does not end");
    }

    /// Opens a request, with another header. Fails while no server runs.
    fn open(
        &self,
        method: &str,
        path: &str,
        more: &str,
        body: &str,
    ) -> std::io::Result<BufReader<TcpStream>> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(SILENCE))?;
        let token = self.token.lock().expect("no panic").clone();
        let (address, length) = (&self.address, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\
             {more}\r\n{body}"
        )?;
        Ok(BufReader::new(stream))
    }

    /// Makes a request until it is answered. Nothing that counts requests refuses it for ever.
    fn get(&self, path: &str) -> Value {
        loop {
            self.check_time();
            if let Some((200, answer)) = self.request("GET", path, "", "") {
                return answer;
            }
            std::thread::sleep(AGAIN);
        }
    }

    /// Makes a request, and returns nothing where the answer was lost.
    fn request(&self, method: &str, path: &str, more: &str, body: &str) -> Option<(u16, Value)> {
        let mut answer = String::new();
        let mut stream = self.open(method, path, more, body).ok()?;
        stream.get_ref().set_read_timeout(Some(TIMEOUT)).ok()?;
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        match status {
            204 => Some((status, Value::Null)),
            _ => Some((status, serde_json::from_str(body).ok()?)),
        }
    }
}

/// Ends a round, also one that fails.
struct EndRound<'a>(&'a Round);

impl Drop for EndRound<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::SeqCst);
    }
}

/// The stored events that one client of a session saw, as text.
type Seen = BTreeMap<u64, String>;

/// Follows a session through every kill.
fn follow(round: &Round, session: usize, id: &str) -> Seen {
    let mut seen = Seen::new();
    while !round.is_over.load(Ordering::SeqCst) {
        round.check_time();
        let after = seen.last_key_value().map_or(0, |(seq, _)| *seq);
        let path = format!("/api/sessions/{id}/events?after={after}");
        if let Ok(stream) = round.open("GET", &path, "", "") {
            read(round, session, stream, &mut seen);
        }
        std::thread::sleep(AGAIN);
    }
    seen
}

/// Reads a stream to its end.
fn read(round: &Round, session: usize, mut stream: BufReader<TcpStream>, seen: &mut Seen) {
    let mut line = String::new();
    while !round.is_over.load(Ordering::SeqCst) {
        match stream.read_line(&mut line) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
        // A line that the kill has cut short was not seen.
        let Some(data) = line.strip_suffix('\n') else {
            return;
        };
        if let Some(data) = data.strip_prefix("data: ") {
            let frame = json_of(data);
            assert_ne!(frame["type"], "snapshot", "an event that was shown is lost");
            if let Some(seq) = frame["seq"].as_u64() {
                let last = seen.last_key_value().map_or(0, |(seq, _)| *seq);
                assert_eq!(seq, last + 1, "no gap and no duplicate");
                seen.insert(seq, data.to_owned());
                round.seen.fetch_add(1, Ordering::SeqCst);
            }
            if frame["type"] == "turn_finished" {
                let ended = seen
                    .values()
                    .filter(|data| data.contains("\"turn_finished\""));
                let ended = ended.count() as u64;
                round.finished[session].fetch_max(ended, Ordering::SeqCst);
            }
        }
        line.clear();
    }
}

/// Has a session do its turns, each of them once.
fn drive(round: &Round, session: usize, id: &str) {
    let path = format!("/api/sessions/{id}");
    for turn in 0..TURNS {
        let name = name(session, turn);
        let body = json!({ "prompt": format!("Add {name}.") }).to_string();
        // The answer to a prompt may be lost, and the prompt not. A server that was restarted has
        // forgotten the key, but not the turn.
        let key = format!("Idempotency-Key: {name}\r\n");
        let prompts = format!("{path}/prompts");
        loop {
            let sent = round.request("POST", &prompts, &key, &body);
            if sent.is_some_and(|(status, _)| [200, 202].contains(&status)) {
                break;
            }
            let known = round.get(&path);
            if known["record"]["turns"].as_array().expect("turns").len() > turn {
                break;
            }
            std::thread::sleep(AGAIN);
        }
        while round.finished[session].load(Ordering::SeqCst) <= turn as u64 {
            round.check_time();
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Plays one round. Returns how often the server was killed.
fn round(machine: &Machine, random: &mut Random) -> u64 {
    let model = machine.script(&script());
    let mut served = Served::start(machine, &["todo"], &["--model", &model]);
    let port = served.port();
    let round = Arc::new(Round {
        address: served.address.clone(),
        token: Mutex::new(served.token.clone()),
        seen: AtomicU64::new(0),
        finished: Default::default(),
        is_over: AtomicBool::new(false),
        end: Instant::now() + TIMEOUT,
    });
    let ids: Vec<String> = (0..SESSIONS)
        .map(|_| {
            let (status, made) = round
                .request("POST", "/api/sessions", "", "{}")
                .expect("an answer");
            assert_eq!(status, 201, "{made}");
            made["id"].as_str().expect("an id").to_owned()
        })
        .collect();
    let mut kills = 0;
    let (logs, seen) = std::thread::scope(|threads| {
        let end = EndRound(&round);
        let drivers: Vec<_> = ids
            .iter()
            .enumerate()
            .map(|(session, id)| {
                let round = &round;
                threads.spawn(move || drive(round, session, id))
            })
            .collect();
        let followers: Vec<_> = (0..SESSIONS * CLIENTS)
            .map(|n| {
                let (round, id) = (&round, &ids[n % SESSIONS]);
                let follower = threads.spawn(move || follow(round, n % SESSIONS, id));
                (n % SESSIONS, follower)
            })
            .collect();
        let is_done = || drivers.iter().all(|driver| driver.is_finished());
        while kills < KILLS {
            // A sleep and not an event: the moment is meant to be random.
            let moment = round.seen.load(Ordering::SeqCst) + random.below(EVENTS / KILLS);
            while round.seen.load(Ordering::SeqCst) < moment && !is_done() {
                std::thread::sleep(Duration::from_micros(200));
            }
            if is_done() {
                break;
            }
            std::thread::sleep(Duration::from_micros(random.below(5_000)));
            served.kill();
            kills += 1;
            let flags = ["--model", &model, "--port", &port];
            served = Served::start(machine, &["todo"], &flags);
            round
                .token
                .lock()
                .expect("no panic")
                .clone_from(&served.token);
        }
        for driver in drivers {
            driver.join().expect("every turn ends");
        }
        let logs: Vec<Seen> = ids.iter().map(|id| log(&round, id)).collect();
        drop(end);
        let seen: Vec<(usize, Seen)> = followers
            .into_iter()
            .map(|(session, follower)| (session, follower.join().expect("a client continues")))
            .collect();
        (logs, seen)
    });
    served.end();
    for (session, seen) in &seen {
        check_seen(seen, &logs[*session]);
    }
    for (session, log) in logs.iter().enumerate() {
        check_turns(session, log);
    }
    check_effects(machine, &ids);
    kills
}

/// Reads the whole log of a session.
fn log(round: &Round, id: &str) -> Seen {
    let session = round.get(&format!("/api/sessions/{id}"));
    let last = session["record"]["seq"].as_u64().expect("a seq");
    let path = format!("/api/sessions/{id}/events?after=0");
    let mut log = Seen::new();
    while (log.len() as u64) < last {
        round.check_time();
        let mut stream = round.open("GET", &path, "", "").expect("a stream");
        let mut line = String::new();
        // A server that is asked too often ends the answer at once.
        while (log.len() as u64) < last && stream.read_line(&mut line).is_ok_and(|read| read > 0) {
            if let Some(data) = line.trim_end().strip_prefix("data: ")
                && let Some(seq) = json_of(data)["seq"].as_u64()
            {
                log.insert(seq, data.to_owned());
            }
            line.clear();
        }
    }
    log
}

/// Checks that everything a client saw is in the log, byte for byte. Once a turn has ended, only the last
/// revision of an item is kept, and a tombstone in the place of each other one.
fn check_seen(seen: &Seen, log: &Seen) {
    for (seq, data) in seen {
        let stored = log.get(seq).expect("what was shown is stored");
        if stored == data {
            continue;
        }
        let (shown, stored) = (json_of(data), json_of(stored));
        assert_eq!(
            (&shown["type"], &stored["type"]),
            (&json!("put"), &json!("tombstone"))
        );
        assert_eq!(shown["item"]["id"], stored["item"], "{shown} {stored}");
        for same in ["rev", "turn", "at", "session", "seq"] {
            assert_eq!(shown[same], stored[same], "{shown} {stored}");
        }
    }
}

/// Checks that a session has each of its turns once, and that each has ended.
fn check_turns(session: usize, log: &Seen) {
    let events: Vec<Value> = log.values().map(|data| json_of(data)).collect();
    let of_type = |kind: &str| -> Vec<&Value> {
        events
            .iter()
            .filter(|event| event["type"] == kind)
            .collect()
    };
    let prompts: Vec<&str> = of_type("turn_started")
        .iter()
        .filter_map(|event| event["prompt"].as_str())
        .collect();
    let expected: Vec<String> = (0..TURNS)
        .map(|turn| format!("Add {}.", name(session, turn)))
        .collect();
    assert_eq!(prompts, expected);
    for finished in of_type("turn_finished") {
        assert_eq!(finished["status"], "done", "{finished}");
    }
    assert_eq!(of_type("turn_finished").len(), TURNS);
}

/// Checks that every task was added once where its call succeeded, and at most once where the call was
/// interrupted.
fn check_effects(machine: &Machine, ids: &[String]) {
    let listed = machine.run(&["call", &plugin("todo"), "list", "--json"]);
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    let last = listed.lines().pop().expect("a line");
    let mut tasks: HashMap<String, usize> = HashMap::new();
    for item in last["output"].as_array().expect("items") {
        let rows = &item["result"]["output"]["data"]["rows"];
        for row in rows.as_array().into_iter().flatten() {
            let title = row["title"].as_str().expect("a title");
            *tasks.entry(title.to_owned()).or_default() += 1;
        }
    }
    for (session, id) in ids.iter().enumerate() {
        let shown = machine.run(&["sessions", "show", id, "--json"]);
        let shown = json_of(&shown.stdout);
        for turn in 0..TURNS {
            let name = name(session, turn);
            let items = shown["turns"][turn]["output"].as_array().expect("items");
            let calls = items.iter().filter(|item| item["type"] == "tool");
            let calls: Vec<&Value> = calls.collect();
            assert_eq!(calls.len(), 1, "{name}: one call");
            let added = tasks.remove(&name).unwrap_or_default();
            match calls[0]["result"]["type"].as_str() {
                Some("success") => assert_eq!(added, 1, "{name} is there once"),
                Some("error") => {
                    assert_eq!(calls[0]["result"]["code"], "interrupted", "{}", calls[0]);
                    assert!(added <= 1, "{name} is there at most once");
                }
                _ => panic!("{}", calls[0]),
            }
        }
    }
    assert!(tasks.is_empty(), "{tasks:?}");
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "whoever runs it by hand wants to know how often it was killed"
)]
fn a_server_that_is_killed_in_the_middle_of_fifty_turns_loses_nothing_and_does_nothing_twice() {
    let rounds = std::env::var("FOOTLIGHT_SERVER_KILLS").map_or(Ok(FEW), |rounds| rounds.parse());
    let rounds = rounds.expect("FOOTLIGHT_SERVER_KILLS is a number");
    let mut random = Random::seeded();
    let mut kills = 0;
    for _ in 0..rounds {
        kills += round(&Machine::new(), &mut random);
    }
    eprintln!("{rounds} rounds with {kills} kills");
    assert!(kills >= rounds as u64, "a round has kills");
}

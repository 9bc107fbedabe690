//! A canary: a secret that a server repeats in every usual way, searched for in everything that is
//! kept, shown, logged or sent to a model.

use super::secrets::{answer, manifest, secrets, trusted};
use footlight::session::Settings;
use footlight::store::SqliteStore;
use footlight_tests::net_guest;
use footlight_tests::scripted_session::{Person, Scripted, calls, says, turn};
use serde_json::json;
use std::fmt::{Debug, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

const CANARY: &str = "cAnArY/9+x=\"42\" &<tail>-0123456789abcdef";

/// Returns the ways in which the server repeats the canary.
fn repeated() -> Vec<String> {
    let hex: String = CANARY.bytes().map(|b| format!("{b:02x}")).collect();
    let percent: String = CANARY.bytes().map(|b| format!("%{b:02X}")).collect();
    let json = serde_json::to_string(CANARY).expect("a string");
    let mut all = vec![
        CANARY.to_owned(),
        format!("Bearer {CANARY}"),
        hex.to_uppercase(),
        hex,
        percent.to_lowercase(),
        percent,
        json[1..json.len() - 1].to_owned(),
    ];
    for before in ["", "a", "ab", "Bearer "] {
        let encoded = base64(&format!("{before}{CANARY}"));
        all.push(encoded.replace('+', "-").replace('/', "_"));
        all.push(encoded);
    }
    all
}

fn base64(text: &str) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let byte = |n: usize| u32::from(chunk.get(n).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for n in 0..=chunk.len() {
            out.push(char::from(ALPHABET[((bits >> (18 - 6 * n)) & 63) as usize]));
        }
    }
    out
}

/// Returns what must be nowhere: the middle of each form, whatever its neighbours are.
fn needles() -> Vec<Vec<u8>> {
    let forms = repeated().into_iter().map(|form| form.into_bytes());
    forms
        .map(|form| form[10..form.len() - 10].to_vec())
        .collect()
}

fn assert_clean(place: &str, content: &[u8]) {
    for needle in needles() {
        let found = content.windows(needle.len()).any(|window| window == needle);
        assert!(
            !found,
            "{place} contains {}",
            String::from_utf8_lossy(&needle)
        );
    }
}

fn assert_clean_folder(folder: &Path) -> usize {
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files += assert_clean_folder(&path);
        } else if let Ok(content) = std::fs::read(&path) {
            assert_clean(&path.display().to_string(), &content);
            files += 1;
        }
    }
    files
}

/// Collects everything that is logged, at every level.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<String>>);

impl Log {
    /// Returns what was logged so far, one field a line.
    pub(crate) fn text(&self) -> String {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Visit for Log {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Writing to a string cannot fail.
        let _ = writeln!(log, "{field}={value:?}");
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut self.clone());
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn a_secret_that_a_server_repeats_is_nowhere_afterwards() {
    let log = Log::default();
    let _logging = tracing::subscriber::set_default(log.clone());
    let folder = tempfile::tempdir().expect("a folder");
    // The server repeats what it was sent, in its body and in its headers.
    let (server, builder) = trusted(|request| {
        assert!(request.contains(CANARY), "the server gets it");
        let body = answer(&format!("{request}\n{}", repeated().join("\n")));
        body.replacen("\r\n", &format!("\r\nx-echo: {CANARY}\r\n"), 1)
    })
    .await;
    let store = Arc::new(SqliteStore::open(folder.path()).expect("opens"));
    let builder = builder.store(store).secrets(secrets("local", CANARY));
    let host = builder.replay_check(true).build().expect("builds");
    net_guest::load(&host, &manifest(server.port())).await;
    let url = format!("https://localhost:{}/echo", server.port());
    let told = json!({ "method": "GET", "url": url });
    let model = Scripted::new([calls([("net__leak", told.clone())]), says("Done.")]);
    let session = host
        .session(Settings::new(model.clone()))
        .await
        .expect("a session");
    let followed = turn(&session, "Go", Person::default()).await;

    // The guest read an answer, in which something was removed, and told everybody.
    let items = format!("{:?}", followed.items);
    assert!(
        items.contains("[redacted]") && items.contains("\\\"status\\\":200"),
        "{items}"
    );
    assert!(
        items.contains("contained a secret"),
        "the person is told: {items}"
    );
    assert!(format!("{:?}", model.sent()).contains("[redacted]"));

    assert_clean("the items", items.as_bytes());
    let json = serde_json::to_string(&followed.items).expect("plain data");
    assert_clean("the items as JSON", json.as_bytes());
    assert_clean("the stream", format!("{:?}", followed.updates).as_bytes());
    assert_clean(
        "the model's requests",
        format!("{:?}", model.sent()).as_bytes(),
    );
    assert_clean("the host", format!("{host:?}").as_bytes());

    // A call without a session has its log in its outcome.
    let direct = super::call(&host, "leak", told, Default::default()).await;
    let direct = format!("{direct:?}");
    assert!(direct.contains("[redacted]"));
    assert_clean("the events of a call", direct.as_bytes());

    drop((session, host));
    assert!(
        assert_clean_folder(folder.path()) > 0,
        "there are files to search"
    );
    let log = log.text();
    assert!(log.contains("a response contained a secret"), "{log}");
    assert_clean("the log", log.as_bytes());
}

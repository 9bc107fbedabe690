//! What an observer that watches guests is told: their log, and each of their host calls.

use footlight::{Host, HostCallClass, HostCallOutcome, LogSource, Observed, Observer};
use footlight_tests::plugins;
use footlight_tests::scripted_call::{Script, builder, follow};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// Keeps what it is told, a line each.
#[derive(Default)]
struct Watcher {
    lines: Mutex<Vec<String>>,
}

impl Watcher {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.lines.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Observer for Watcher {
    fn observe(&self, event: &Observed<'_>) {
        let line = match *event {
            Observed::GuestLogged {
                function,
                source,
                text,
                ..
            } => {
                let from = match source {
                    LogSource::Log(level) => level.as_str(),
                    LogSource::Stdout => "stdout",
                    LogSource::Stderr => "stderr",
                };
                format!("{function} {from}: {text}")
            }
            Observed::HostCall {
                number,
                class,
                operation,
                subject,
                sent,
                outcome,
                ..
            } => {
                let class = class.as_str();
                let outcome = match outcome {
                    HostCallOutcome::Answered { bytes, .. } => format!("answered {bytes:?}"),
                    HostCallOutcome::Failed { error, message, .. } => {
                        format!("failed {error} {message}")
                    }
                    _ => "stopped".to_owned(),
                };
                format!("#{number} {class} {operation} [{subject}] {sent:?} {outcome}")
            }
            Observed::GuestTraceCut {
                host_calls,
                log_lines,
                told_secret,
                ..
            } => format!("cut {host_calls} {log_lines} {told_secret}"),
            _ => return,
        };
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push(line);
    }

    fn watches_guests(&self) -> bool {
        true
    }
}

/// Is told what guests log, and nothing else of them.
#[derive(Default)]
struct LogWatcher(Watcher);

impl Observer for LogWatcher {
    fn observe(&self, event: &Observed<'_>) {
        self.0.observe(event);
    }

    fn watches_logs(&self) -> bool {
        true
    }
}

async fn watched(plugin: &str, call: &str, input: Value, script: Script) -> Vec<String> {
    let watcher = Arc::<Watcher>::default();
    let observer: Arc<dyn Observer> = watcher.clone();
    let host = builder().observer(observer).build().expect("builds");
    host.load(plugin).await.expect("loads");
    let function = host.call(call, input);
    follow(&host, function, script).await;
    watcher.take()
}

#[tokio::test]
async fn each_host_call_is_told_in_order_with_its_class_subject_sizes_and_outcome() {
    let told = watched(
        plugins::TODO,
        "todo.add",
        json!({ "title": "Buy milk" }),
        Script::default(),
    );
    let told = told.await;
    let numbers: Vec<String> = told
        .iter()
        .map(|line| line.split(' ').next().unwrap_or_default().to_owned())
        .collect();
    let counted: Vec<String> = (1..=told.len()).map(|n| format!("#{n}")).collect();
    assert_eq!(numbers, counted, "{told:?}");
    let read = told.iter().find(|line| line.contains("state.get"));
    let read = read.expect("it reads its list");
    assert!(read.contains(" read state.get [person "), "{read}");
    assert!(
        read.ends_with("None answered None"),
        "nothing is kept yet: {read}"
    );
    let written = told
        .iter()
        .find(|line| line.contains("local-write state."))
        .expect("it keeps its list");
    assert!(
        written.contains("[person ") && written.contains("Some("),
        "{written}"
    );
    let shown = told
        .iter()
        .find(|line| line.contains("display-widget.show"));
    let shown = shown.expect("it shows a card");
    assert!(
        shown.contains("local-write display-widget.show [todo-list] Some("),
        "{shown}"
    );
    assert!(
        told.iter().all(|line| !line.contains("Buy milk")),
        "sizes, not bodies: {told:?}"
    );
    assert_eq!(HostCallClass::LocalWrite.as_str(), "local-write");
}

#[tokio::test]
async fn an_error_is_told_with_its_case_and_a_host_call_that_never_ends_as_stopped() {
    let away = Script {
        away: true,
        ..Script::default()
    };
    let told = watched(plugins::GALLERY, "gallery.ask_text", json!({}), away).await;
    let asked = told.iter().find(|line| line.contains(" wait ask.ask ["));
    assert!(
        asked.is_some_and(|line| line.contains(" failed nobody ")),
        "{told:?}"
    );

    let cancelled = Script {
        cancels: true,
        ..Script::default()
    };
    let told = watched(
        plugins::ROGUE,
        "rogue.sleep",
        json!({ "seconds": 1 }),
        cancelled,
    );
    let told = told.await;
    let slept = told.iter().find(|line| line.contains(" wait poll"));
    assert!(
        slept.is_some_and(|line| line.contains(" answered ")),
        "{told:?}"
    );
}

#[tokio::test]
async fn messages_and_printed_lines_are_told_whole_in_order_and_up_to_their_limits() {
    let told = watched(
        plugins::ROGUE,
        "rogue.flood_prints",
        json!({ "count": 3 }),
        Script::default(),
    );
    let logged: Vec<String> = told
        .await
        .into_iter()
        .filter(|line| line.starts_with("rogue."))
        .collect();
    assert_eq!(logged.len(), 6, "{logged:?}");
    for (n, pair) in logged.chunks(2).enumerate() {
        assert!(
            pair[0].starts_with("rogue.flood_prints stdout: "),
            "{pair:?}"
        );
        assert!(
            pair[0].ends_with(&format!("{n} {{\"jsonrpc\":\"2.0\"}}")),
            "{pair:?}"
        );
        assert!(
            pair[1].starts_with("rogue.flood_prints stderr: "),
            "{pair:?}"
        );
        assert!(pair[1].ends_with(&n.to_string()), "{pair:?}");
    }
    let told = watched(
        plugins::ROGUE,
        "rogue.flood_prints",
        json!({ "count": 100_000 }),
        Script::default(),
    );
    let told = told.await;
    let bytes: usize = told.iter().map(String::len).sum();
    assert!(bytes < 1 << 20, "{bytes}");
    assert!(
        told.last().is_some_and(|line| line.starts_with("cut ")),
        "{:?}",
        told.last()
    );
}

#[tokio::test]
async fn whoever_watches_logs_is_told_lines_and_no_host_call_even_beside_a_watcher_of_guests() {
    for has_other in [false, true] {
        let (logs, other) = (Arc::<LogWatcher>::default(), Arc::<Watcher>::default());
        let mut host = builder().observer(logs.clone() as Arc<dyn Observer>);
        if has_other {
            host = host.observer(other.clone() as Arc<dyn Observer>);
        }
        let host = host.build().expect("builds");
        host.load(plugins::GALLERY).await.expect("loads");
        let call = host.call("gallery.live", json!({ "pause": 0 }));
        follow(&host, call, Script::default()).await;
        let told = logs.0.take();
        let is_line = |line: &String| line.starts_with("gallery.live info: rehearsing ");
        assert!(!told.is_empty() && told.iter().all(is_line), "{told:?}");
        let other = other.take();
        let calls = other.iter().filter(|line| line.starts_with('#')).count();
        assert_eq!(calls > 0, has_other, "{other:?}");
    }
}

#[tokio::test]
async fn more_host_calls_than_the_limit_are_counted() {
    let told = watched(
        plugins::ROGUE,
        "rogue.flood_keys",
        json!({ "count": 10_500 }),
        Script::default(),
    );
    let told = told.await;
    let calls = told.iter().filter(|line| line.starts_with('#')).count();
    assert_eq!(calls, 10_000);
    let last = told.last().expect("what is left out");
    let counted: Vec<&str> = last.split(' ').collect();
    assert_eq!(counted[0], "cut", "{last}");
    assert!(
        counted[1].parse::<u64>().is_ok_and(|left| left > 0),
        "{last}"
    );
}

#[tokio::test]
async fn nothing_that_a_call_does_after_it_was_told_a_secret_is_told() {
    for how in ["panic", "exit", "kind", "data"] {
        let script = Script {
            answers: vec![json!({ "password": "Hunter2!" })],
            ..Script::default()
        };
        let told = watched(
            plugins::ROGUE,
            "rogue.betray_secret",
            json!({ "how": how }),
            script,
        );
        let told = told.await;
        assert!(
            told.iter().all(|line| !line.contains("Hunter2")),
            "{how}: {told:?}"
        );
        assert!(
            told.iter().any(|line| line.ends_with("before the secret")),
            "{told:?}"
        );
        let asked = told.iter().find(|line| line.contains("ask.ask"));
        let asked = asked.expect("it asked");
        assert!(asked.ends_with("ask.ask [] None answered None"), "{asked}");
        assert!(
            told.iter().any(|line| line.ends_with(" true")),
            "it says so: {told:?}"
        );
    }
}

#[tokio::test]
async fn a_replay_check_tells_each_host_call_once() {
    let watcher = Arc::<Watcher>::default();
    let observer: Arc<dyn Observer> = watcher.clone();
    let host = builder().replay_check(true).observer(observer);
    let host: Host = host.build().expect("builds");
    host.load(plugins::TODO).await.expect("loads");
    host.call("todo.add", json!({ "title": "x" }))
        .finish()
        .await;
    let told = watcher.take();
    let shown = told
        .iter()
        .filter(|line| line.contains("display-widget.show"));
    assert_eq!(shown.count(), 1, "{told:?}");
}

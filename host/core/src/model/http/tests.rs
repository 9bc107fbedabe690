//! A model against a server that does what a test says, connection by connection.

mod server;

use super::*;
use crate::model::{Finished, Message, ModelPart, Part};
use futures_util::StreamExt as _;
use server::{Does, Server, request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

const KEY: &str = "sk-0123456789abcdef";

fn answer(status: &str, headers: &str, body: &str) -> Does {
    let long = body.len();
    Does::Says(format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {long}\r\n{headers}\r\n{body}"
    ))
}

const HEAD: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const HELLO: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n";
const END: &str =
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

fn chunk(data: &str) -> String {
    format!("{:x}\r\n{data}\r\n", data.len())
}

fn good() -> Does {
    Does::Says(format!("{HEAD}{}{}0\r\n\r\n", chunk(HELLO), chunk(END)))
}

/// As long as tests need, and no longer.
fn quick() -> RetryPolicy {
    RetryPolicy {
        first_wait: Duration::from_millis(1),
        longest_wait: Duration::from_millis(2),
        ..RetryPolicy::default()
    }
}

fn hello() -> Request {
    let text = "hello".to_owned();
    Request {
        messages: vec![Message::Person {
            content: vec![Part::Text { text }],
        }]
        .into(),
        ..Request::default()
    }
}

async fn all(model: &HttpModel) -> Vec<Result<Delta, ModelError>> {
    model.step(hello()).collect().await
}

fn kinds(deltas: &[Result<Delta, ModelError>]) -> Vec<&'static str> {
    let kind = |delta: &Result<Delta, ModelError>| match delta {
        Ok(Delta::Text(_)) => "text",
        Ok(Delta::Retry(_)) => "retry",
        Ok(Delta::Finished(_)) => "finished",
        Ok(_) => "other",
        Err(_) => "error",
    };
    deltas.iter().map(kind).collect()
}

fn error(deltas: Vec<Result<Delta, ModelError>>) -> ModelError {
    let last = deltas.into_iter().last().expect("there is an end");
    last.expect_err("it fails")
}

fn is_hello(deltas: &[Result<Delta, ModelError>]) -> bool {
    let text = "Hello".to_owned();
    let hello = Finished {
        parts: vec![ModelPart::Text { text }],
        ..Finished::default()
    };
    deltas.last() == Some(&Ok(Delta::Finished(hello)))
}

#[tokio::test]
async fn a_step_is_asked_for_with_the_key_and_streamed() {
    let server = Server::start(vec![good()]).await;
    let deltas = all(&server.model(quick())).await;
    assert_eq!(kinds(&deltas), ["text", "finished"]);
    assert!(is_hello(&deltas));
    let asked = server.asked();
    assert!(
        asked[0].starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
        "{}",
        asked[0]
    );
    assert!(asked[0].contains(&format!("authorization: Bearer {KEY}\r\n")));
    assert!(asked[0].contains("\"stream\":true"));
}

#[tokio::test]
async fn a_busy_server_is_asked_again_when_it_says() {
    let busy = |header: &str| answer("429 Too Many Requests", header, "{}");
    let server = Server::start(vec![
        busy("retry-after-ms: 3\r\n"),
        busy("retry-after: 0\r\n"),
        good(),
    ])
    .await;
    let deltas = all(&server.model(quick())).await;
    assert_eq!(kinds(&deltas), ["retry", "retry", "text", "finished"]);
    let Ok(Delta::Retry(first)) = &deltas[0] else {
        panic!("no retry")
    };
    assert_eq!((first.attempt, first.after), (2, Duration::from_millis(3)));
    assert!(is_hello(&deltas));
}

#[tokio::test]
async fn a_server_that_asks_for_too_long_is_given_up_with_the_time_shown() {
    let busy = answer("429 Too Many Requests", "retry-after: 3600\r\n", "{}");
    let server = Server::start(vec![busy]).await;
    let error = error(all(&server.model(quick())).await);
    assert_eq!(
        error.kind,
        ModelErrorKind::Busy(Some(Duration::from_secs(3600)))
    );
    assert!(error.message.contains("3600 seconds"), "{error}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_void_and_asked_for_again() {
    let cut = Does::Says(format!("{HEAD}{}", chunk(HELLO)));
    let server = Server::start(vec![cut, good()]).await;
    let deltas = all(&server.model(quick())).await;
    assert_eq!(kinds(&deltas), ["text", "retry", "text", "finished"]);
    assert!(is_hello(&deltas));
}

#[tokio::test]
async fn a_server_that_hangs_up_after_the_last_word_has_said_it() {
    let end = END.replace("data: [DONE]\n\n", "");
    let rude = Does::Says(format!("{HEAD}{}{}", chunk(HELLO), chunk(&end)));
    let server = Server::start(vec![rude]).await;
    assert!(is_hello(&all(&server.model(quick())).await));
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_server_that_falls_silent_is_not_waited_for() {
    let silent = Does::Hangs(format!("{HEAD}{}", chunk(HELLO)));
    let mute = Does::Hangs(String::new());
    let server = Server::start(vec![silent, mute, good()]).await;
    let policy = RetryPolicy {
        connect: Duration::from_millis(100),
        first_byte: Duration::from_millis(100),
        idle: Duration::from_millis(100),
        ..quick()
    };
    let deltas = all(&server.model(policy)).await;
    assert_eq!(kinds(&deltas)[..3], ["text", "retry", "retry"]);
}

#[tokio::test]
async fn it_is_tried_five_times_in_all() {
    let server = Server::start(vec![answer("503 Service Unavailable", "", "")]).await;
    let deltas = all(&server.model(quick())).await;
    assert_eq!(
        kinds(&deltas),
        ["retry", "retry", "retry", "retry", "error"]
    );
    assert_eq!(server.asked().len(), 5);
}

#[tokio::test]
async fn what_will_not_pass_is_not_tried_again() {
    let spent = r#"{"error":{"code":"insufficient_quota"}}"#;
    for refused in [
        answer("400 Bad Request", "", "{}"),
        answer("401 Unauthorized", "", "{}"),
        answer("404 Not LocalServer", "", "<html>"),
        answer("413 Content Too Large", "", ""),
        answer("429 Too Many Requests", "", spent),
        answer("200 OK", "", "{\"choices\": nonsense"),
    ] {
        let server = Server::start(vec![refused]).await;
        assert_eq!(kinds(&all(&server.model(quick())).await), ["error"]);
        assert_eq!(server.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = Server::start(vec![good()]).await;
    let to = format!(
        "location: http://127.0.0.1:{}/v1/chat/completions\r\n",
        other.port
    );
    for status in ["301 Moved", "307 Temporary Redirect"] {
        let server = Server::start(vec![answer(status, &to, "")]).await;
        let error = error(all(&server.model(quick())).await);
        assert_eq!(error.kind, ModelErrorKind::Refused, "{error}");
    }
    assert_eq!(other.asked(), [""; 0]);
}

#[tokio::test]
async fn nobody_listening_is_said_plainly() {
    let listener = TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    drop(listener);
    let asked = Arc::default();
    let error = error(all(&Server { port, asked }.model(quick())).await);
    assert_eq!(error.kind, ModelErrorKind::Unreachable);
    assert!(error.message.contains("cannot be reached"), "{error}");
}

#[tokio::test]
async fn no_error_holds_the_key() {
    // A server that repeats what it was sent, in every place it can.
    let echo = format!(r#"{{"error":{{"code":"{KEY}","type":"{KEY}","message":"{KEY}"}}}}"#);
    let plain = KEY.replace('-', "_");
    let shown = echo.replace(KEY, &plain);
    let mut does: Vec<Does> = ["400", "401", "403", "404", "413", "422", "451"]
        .iter()
        .flat_map(|status| {
            [
                answer(&format!("{status} {KEY}"), "", &echo),
                answer(status, "", &shown),
            ]
        })
        .collect();
    does.push(answer("200 OK", "", &echo));
    does.push(answer(
        "302 LocalServer",
        &format!("location: /{KEY}\r\n"),
        &echo,
    ));
    does.push(Does::Says(format!("HTTP/1.1 {KEY}\r\n\r\n")));
    for one in does {
        let server = Server::start(vec![one]).await;
        for (key, spec) in [(KEY, "chat"), (plain.as_str(), "anthropic")] {
            let spec = format!("{spec}:m@http://127.0.0.1:{}/v1", server.port);
            let policy = RetryPolicy {
                retries: 1,
                ..quick()
            };
            let options = HttpOptions {
                retry: Some(policy),
                roots: None,
            };
            let model =
                HttpModel::open(&spec, |_| Some(key.to_owned()), options).expect("it is fine");
            assert!(!format!("{model:?}").contains(key));
            for delta in all(&model).await {
                let told = format!("{delta:?}");
                assert!(!told.contains(key), "{told}");
            }
        }
    }
}

#[tokio::test]
async fn dropping_a_step_closes_its_connection() {
    let listener = TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    let asked = Arc::default();
    let model = Server { port, asked }.model(quick());
    let mut step = model.step(hello());
    let serving = async {
        let (mut stream, _) = listener.accept().await.expect("it listens");
        request(&mut stream).await;
        let begun = format!("{HEAD}{}", chunk(HELLO));
        stream
            .write_all(begun.as_bytes())
            .await
            .expect("the client reads");
        stream
    };
    let (mut stream, delta) = tokio::join!(serving, step.next());
    assert_eq!(delta, Some(Ok(Delta::Text("Hello".to_owned()))));
    drop(step);
    assert_eq!(stream.read(&mut [0; 16]).await.expect("it closes"), 0);
}

#[tokio::test]
async fn tls_to_a_server_that_speaks_none_fails_plainly() {
    // Also where the system has no certificates. Above all it does not panic: no provider of
    // cryptography is installed globally.
    let listener = TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let spec = format!("chat:m@https://127.0.0.1:{port}/v1");
    let policy = RetryPolicy {
        retries: 0,
        ..quick()
    };
    let options = HttpOptions {
        retry: Some(policy),
        roots: None,
    };
    let model = HttpModel::open(&spec, |_| Some(KEY.to_owned()), options).expect("it is fine");
    let error = error(all(&model).await);
    assert_eq!(error.kind, ModelErrorKind::Unreachable, "{error}");
    assert!(rustls::crypto::CryptoProvider::get_default().is_none());
}

#[test]
fn what_cannot_be_opened_says_why_without_a_request() {
    let none = |_: &str| None;
    let open = |spec: &str| HttpModel::open(spec, none, HttpOptions::default());
    assert_eq!(
        open("openai:m").expect_err("no key").kind,
        ModelErrorKind::Key
    );
    assert_eq!(
        open("nobody:m").expect_err("no such").kind,
        ModelErrorKind::InvalidSpec
    );
    let local = open("ollama:qwen3").expect("it needs no key");
    assert_eq!(local.name(), "ollama:qwen3");
    assert_eq!(local.transport.policy.first_byte, Duration::from_secs(600));
}

#[test]
fn certificates_are_read_or_refused() {
    use crate::tls::config;
    assert!(config(Some(b"nonsense"), true).is_err());
    assert!(config(None, false).is_ok());
}

//! Bounds, cancelling, waiting and replay.

use super::{HELLO, call, entry, error, fetch, get, granted, granting, host, powers};
use footlight::Network;
use footlight::vocabulary::failure::FailureCode;
use footlight::vocabulary::item::Denial;
use footlight_tests::loopback::{Server, Then, read_request};
use footlight_tests::net_guest::met;
use footlight_tests::scripted_call::{Script, builder};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;

#[tokio::test]
async fn a_call_can_be_replayed_without_a_second_request() {
    let server = Server::sending(HELLO).await;
    let port = server.port();
    let builder = builder().rules(granting(port)).replay_check(true);
    let host = host(builder, &entry(port, "methods = [\"GET\", \"POST\"]")).await;
    for method in ["GET", "POST"] {
        let mut request = get(port);
        request["method"] = json!(method);
        let (met, uses) = fetch(&host, request).await;
        assert_eq!(met["body"], "hello");
        assert_eq!(uses[0].count, 1);
    }
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn the_requests_of_a_call_are_counted() {
    let server = Server::sending(HELLO).await;
    let host = granted(server.port()).await;
    let mut many = get(server.port());
    many["times"] = json!(201);
    let (met, uses) = fetch(&host, many).await;
    assert!(error(&met).contains("200 requests"), "{met}");
    assert_eq!(server.requests().len(), 200);
    assert_eq!((uses[0].count, uses[0].denied.clone()), (200, None));
    assert_eq!(
        (uses[1].count, uses[1].denied.clone()),
        (1, Some(Denial::Limit))
    );
}

#[tokio::test]
async fn a_body_of_eight_mebibytes_is_sent_and_one_byte_more_is_not() {
    let server = Server::sending(HELLO).await;
    let host = granted(server.port()).await;
    let sized = |size: usize| {
        let mut request = get(server.port());
        (request["method"], request["size"]) = (json!("POST"), json!(size));
        request
    };
    let (met, uses) = fetch(&host, sized(8 << 20)).await;
    assert_eq!(met["status"], 200, "{met}");
    assert!(uses[0].sent > 8 << 20);
    let (met, uses) = fetch(&host, sized((8 << 20) + 1)).await;
    assert_eq!(error(&met), format!("TooLarge({})", 8 << 20));
    assert_eq!(uses[0].denied, Some(Denial::Limit));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn no_header_of_a_guest_can_carry_a_second_request() {
    let server = Server::sending(HELLO).await;
    let host = granted(server.port()).await;
    for (name, value) in [
        ("host", "evil.example.com"),
        ("Host", "evil.example.com"),
        ("content-length", "0"),
        ("transfer-encoding", "chunked"),
        ("Connection", "upgrade"),
        ("upgrade", "websocket"),
        ("expect", "100-continue"),
        ("te", "trailers"),
        ("proxy-authorization", "Basic eA=="),
        ("accept-encoding", "br"),
        ("x", "y\r\nhost: evil.example.com"),
        ("x", "y\r\n\r\nGET /second HTTP/1.1"),
        ("x\r\nhost", "evil.example.com"),
        ("x", "y\0"),
        ("", "y"),
        ("x y", "z"),
    ] {
        let mut request = get(server.port());
        request["headers"] = json!([[name, value]]);
        let (met, uses) = fetch(&host, request).await;
        assert!(error(&met).starts_with("Other("), "{name:?}: {met}");
        assert_eq!(uses[0].denied, Some(Denial::Malformed), "{name:?}");
    }
    assert!(server.requests().is_empty());
    let mut request = get(server.port());
    request["headers"] = json!([["cookie", "a=b"], ["X-Own", "c"], ["user-agent", "mine"]]);
    let (met, _) = fetch(&host, request).await;
    assert_eq!(met["status"], 200);
    let sent = server.requests().concat();
    for line in ["cookie: a=b\r\n", "x-own: c\r\n", "user-agent: mine\r\n"] {
        assert!(sent.contains(line), "{sent}");
    }
}

#[tokio::test]
async fn cancelling_ends_an_exchange_and_says_whether_it_may_have_happened() {
    for (method, seen) in [
        ("GET", "Cancelled"),
        ("POST", "UnknownOutcome"),
        ("PUT", "Cancelled"),
    ] {
        let closed = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&closed);
        let (told, mut is_sent) = tokio::sync::mpsc::unbounded_channel();
        let server = Server::serving(move |mut stream, _| {
            let (counted, told) = (Arc::clone(&counted), told.clone());
            async move {
                read_request(&mut stream).await;
                let _ = told.send(());
                // Returns when the host has closed the connection.
                read_request(&mut stream).await;
                counted.fetch_add(1, Ordering::Relaxed);
            }
        })
        .await;
        let host = granted(server.port()).await;
        let mut request = get(server.port());
        request["method"] = json!(method);
        let mut running = host.call("net.fetch", request);
        let canceller = running.canceller();
        let cancels = tokio::spawn(async move {
            is_sent.recv().await;
            canceller.cancel();
        });
        let ended = loop {
            let event = running.next().await.expect("ends");
            if let footlight::CallEvent::Finished(ended) = event {
                break ended;
            }
        };
        cancels.await.expect("cancelled");
        let failure = ended.result.as_ref().expect_err("cancelled");
        assert_eq!(failure.code, FailureCode::Cancelled);
        let log = ended.log.concat();
        assert!(log.contains(seen), "{method}: {log}");
        assert!(powers(&ended)[0].sent > 0, "{method}");
        while closed.load(Ordering::Relaxed) == 0 {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn a_call_that_was_cancelled_before_sends_nothing() {
    let server = Server::sending(HELLO).await;
    let host = granted(server.port()).await;
    let script = Script {
        cancels: true,
        ..Script::default()
    };
    let followed = call(&host, "fetch", get(server.port()), script).await;
    let failure = followed.ended.result.expect_err("cancelled");
    assert_eq!(failure.code, FailureCode::Cancelled);
}

#[tokio::test]
async fn waiting_for_a_server_is_not_computing() {
    let server = Server::serving(|mut stream, _| async move {
        read_request(&mut stream).await;
        // Ten times as long as the guest may compute.
        tokio::time::sleep(Duration::from_millis(1000)).await;
        let _ = stream.write_all(HELLO.as_bytes()).await;
    })
    .await;
    let port = server.port();
    let limits = "\n[limits]\nactive-time = \"100ms\"\n";
    let host = host(
        builder().rules(granting(port)),
        &format!("{}{limits}", entry(port, "")),
    )
    .await;
    let (met, _) = fetch(&host, get(port)).await;
    assert_eq!(met["status"], 200);
}

#[tokio::test]
async fn what_a_request_left_open_is_said() {
    let network = || Network::new().idle_timeout(Duration::from_millis(200));
    for (then, method, seen) in [
        (Then::Hang(Vec::new()), "GET", "Other("),
        (Then::Hang(Vec::new()), "POST", "UnknownOutcome"),
        (Then::Reset(Vec::new()), "GET", "Other("),
        (Then::Reset(Vec::new()), "POST", "UnknownOutcome"),
        (
            Then::Send(b"garbage\r\n\r\n".to_vec()),
            "POST",
            "UnknownOutcome",
        ),
        (Then::Send(b"garbage\r\n\r\n".to_vec()), "GET", "Other("),
    ] {
        let server = Server::start(then).await;
        let port = server.port();
        let builder = builder().rules(granting(port)).network(network());
        let host = host(builder, &entry(port, "methods = [\"GET\", \"POST\"]")).await;
        let mut request = get(port);
        request["method"] = json!(method);
        let (met, uses) = fetch(&host, request).await;
        assert!(error(&met).starts_with(seen), "{method}: {met}");
        assert_eq!(
            (uses[0].count, uses[0].denied.clone()),
            (1, None),
            "it is on the record"
        );
    }
}

#[tokio::test]
async fn one_plugin_has_few_exchanges_at_once() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (counting, highest) = (Arc::clone(&now), Arc::clone(&most));
    let server = Server::serving(move |mut stream, _| {
        let (counting, highest) = (Arc::clone(&counting), Arc::clone(&highest));
        async move {
            read_request(&mut stream).await;
            let under_way = counting.fetch_add(1, Ordering::SeqCst) + 1;
            highest.fetch_max(under_way, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(30)).await;
            counting.fetch_sub(1, Ordering::SeqCst);
            let _ = stream.write_all(HELLO.as_bytes()).await;
        }
    })
    .await;
    let host = granted(server.port()).await;
    let calls = (0..16).map(|_| {
        let (host, request) = (host.clone(), get(server.port()));
        tokio::spawn(async move {
            let followed = call(&host, "fetch", request, Script::default()).await;
            met(&followed.ended)["status"].clone()
        })
    });
    for ended in calls.collect::<Vec<_>>() {
        assert_eq!(ended.await.expect("ends"), json!(200));
    }
    let most = most.load(Ordering::SeqCst);
    assert!((2..=8).contains(&most), "{most}");
}

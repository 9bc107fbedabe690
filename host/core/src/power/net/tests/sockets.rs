//! Servers that lie, flood, stall and hang up.

use super::super::address::AddressKind;
use super::super::exchange::ExchangeError;
use super::loopback::{Server, Then};
use super::{PUBLIC, answered, egress, get, network, outgoing, traffic_of};
use crate::sandbox::limits::Caps;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const OK: &str = "HTTP/1.1 200 OK\r\n";

fn with_body(headers: &str, body: &str) -> String {
    format!("{OK}content-length: {}\r\n{headers}\r\n{body}", body.len())
}

#[tokio::test]
async fn a_request_is_written_as_the_host_decides_and_nothing_is_added() {
    let server = Server::sending(with_body(
        "X-One: 1\r\nset-cookie: a\r\nSet-Cookie: b\r\nconnection: keep-alive\r\n",
        "hello",
    ))
    .await;
    let received = get(network(), &server).await.expect("a response");
    assert_eq!(
        (received.status, received.body.as_slice()),
        (200, b"hello".as_slice())
    );
    let headers: Vec<_> = received
        .headers
        .iter()
        .map(|(n, v)| format!("{n}: {v}"))
        .collect();
    assert_eq!(
        headers,
        [
            "content-length: 5",
            "x-one: 1",
            "set-cookie: a",
            "set-cookie: b"
        ]
    );
    let version = env!("CARGO_PKG_VERSION");
    let port = server.port();
    assert_eq!(
        server.requests(),
        [format!(
            "GET /path?q=1 HTTP/1.1\r\nhost: api.example.com:{port}\r\naccept-encoding: gzip\r\nconnection: close\r\nuser-agent: footlight/{version}\r\n\r\n"
        )]
    );
}

#[tokio::test]
async fn one_forbidden_address_among_several_refuses_the_name() {
    let server = Server::sending(with_body("", "secret")).await;
    let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
    for (addresses, kind) in [
        (vec![PUBLIC, loopback], AddressKind::Loopback),
        (vec![loopback, PUBLIC], AddressKind::Loopback),
        (vec![loopback], AddressKind::Loopback),
        (vec![Ipv6Addr::LOCALHOST.into()], AddressKind::Loopback),
        (
            vec![Ipv4Addr::LOCALHOST.to_ipv6_mapped().into()],
            AddressKind::Loopback,
        ),
        (
            vec![PUBLIC, Ipv4Addr::new(10, 0, 0, 1).into()],
            AddressKind::Private,
        ),
        (
            vec![Ipv4Addr::new(169, 254, 169, 254).into()],
            AddressKind::LinkLocal,
        ),
        (vec![Ipv4Addr::UNSPECIFIED.into()], AddressKind::Unspecified),
    ] {
        let network = network().resolver(move |_| Ok(addresses.clone()));
        let refused = get(network, &server).await.expect_err("refused");
        assert_eq!(refused, ExchangeError::Address(kind));
    }
    let many = vec![PUBLIC; Caps::ADDRESSES + 1];
    let network = network().resolver(move |_| Ok(many.clone()));
    assert_eq!(
        get(network, &server).await.err(),
        Some(ExchangeError::NoAddress)
    );
    assert!(server.requests().is_empty(), "nothing was connected to");
}

#[tokio::test]
async fn a_name_is_looked_up_once_and_what_was_checked_is_connected_to() {
    let server = Server::sending(with_body("", "hello")).await;
    let lookups = Arc::new(AtomicUsize::new(0));
    let known = Arc::clone(&lookups);
    // The second answer leads into this machine, where the server listens on the same port.
    let rebinding = network().resolver(move |_| {
        Ok(vec![match known.fetch_add(1, Ordering::Relaxed) {
            0 => PUBLIC,
            _ => Ipv4Addr::LOCALHOST.into(),
        }])
    });
    let egress = egress(rebinding, &server);
    let url = format!("http://api.example.com:{}/", server.port());
    let first = egress.send(outgoing("GET", &url), &Arc::default()).await;
    assert_eq!(first.expect("the checked address").body, b"hello");
    assert_eq!(lookups.load(Ordering::Relaxed), 1);
    let second = egress.send(outgoing("GET", &url), &Arc::default()).await;
    assert_eq!(
        second.err(),
        Some(ExchangeError::Address(AddressKind::Loopback))
    );
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn this_machine_is_reached_only_where_it_was_named_and_without_a_lookup() {
    let server = Server::sending(with_body("", "hello")).await;
    let asked = network().resolver(|name| panic!("`{name}` was looked up"));
    let egress = egress(asked, &server);
    for host in ["127.0.0.1", "localhost"] {
        let url = format!("http://{host}:{}/", server.port());
        let mut named = outgoing("GET", &url);
        let denied = egress.send(outgoing("GET", &url), &Arc::default()).await;
        assert_eq!(
            denied.err(),
            Some(ExchangeError::Address(AddressKind::Loopback))
        );
        named.literal = true;
        let received = egress.send(named, &Arc::default()).await;
        assert_eq!(received.expect("named").body, b"hello");
    }
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn no_redirect_is_followed() {
    let trap = Server::sending(with_body("", "trapped")).await;
    for status in [301, 302, 303, 307, 308] {
        let location = format!("http://127.0.0.1:{}/", trap.port());
        let answer = format!(
            "HTTP/1.1 {status} Elsewhere\r\nlocation: {location}\r\nrefresh: 0; url={location}\r\nalt-svc: h3=\":{}\"\r\ncontent-length: 0\r\n\r\n",
            trap.port()
        );
        let received = answered(answer).await.expect("the redirect itself");
        assert_eq!(received.status, status);
        assert!(
            received
                .headers
                .contains(&("location".to_owned(), location))
        );
    }
    assert!(trap.requests().is_empty());
}

#[tokio::test]
async fn what_does_not_end_is_ended() {
    let body = vec![b'x'; 64 << 10];
    let too_large = Some(ExchangeError::TooLarge(Caps::RESPONSE_BODY as u64));
    let head_too_large = Some(ExchangeError::TooLarge(Caps::RESPONSE_HEADER_BYTES as u64));
    let chunk = [b"10000\r\n".as_slice(), &body, b"\r\n"].concat();
    let floods: [(&str, &[u8], &Option<ExchangeError>); 7] = [
        ("HTTP/1.1 200 OK\r\n\r\n", &body, &too_large),
        (
            "HTTP/1.1 200 OK\r\ncontent-length: 1099511627776\r\n\r\n",
            &body,
            &too_large,
        ),
        (
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
            &chunk,
            &too_large,
        ),
        ("HTTP/1.1 200 OK\r\nx: ", &body, &head_too_large),
        ("HTTP/1.1 200 OK\r\n", b"a: b\r\n", &None),
        (
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;",
            &body,
            &None,
        ),
        (
            "",
            &b"HTTP/1.1 100 Continue\r\n\r\n".repeat(1000),
            &too_large,
        ),
    ];
    for (first, again, expected) in floods {
        let then = Then::Repeat(first.into(), again.to_vec(), Duration::ZERO);
        let server = Server::start(then).await;
        let ended = get(network(), &server).await;
        assert!(ended.is_err(), "{first:?}");
        if expected.is_some() {
            assert_eq!(ended.err(), *expected, "{first:?}");
        }
    }
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_received() {
    let body = "x".repeat(Caps::RESPONSE_BODY);
    let received = answered(with_body("", &body)).await.expect("just fits");
    assert_eq!(received.body.len(), Caps::RESPONSE_BODY);
    let one_more = answered(with_body("", &format!("{body}x"))).await;
    let limit = Caps::RESPONSE_BODY as u64;
    assert_eq!(one_more.err(), Some(ExchangeError::TooLarge(limit)));
}

#[tokio::test]
async fn who_stalls_or_drips_is_left() {
    for stalled in [
        "",
        "HTTP/1.1 2",
        "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab",
    ] {
        let server = Server::start(Then::Hang(stalled.into())).await;
        let left = get(network(), &server).await;
        assert_eq!(left.err(), Some(ExchangeError::TimedOut), "{stalled:?}");
    }
    // Each byte is progress, but the whole takes too long.
    let drip = Then::Repeat(OK.into(), b"a".to_vec(), Duration::from_millis(20));
    let server = Server::start(drip).await;
    let network = network().exchange_timeout(Duration::from_millis(600));
    assert_eq!(
        get(network, &server).await.err(),
        Some(ExchangeError::TimedOut)
    );
}

#[tokio::test]
async fn a_name_that_nobody_answers_for_times_out() {
    let server = Server::sending("").await;
    let slow = network()
        .connect_timeout(Duration::from_millis(100))
        .resolver(|_| {
            std::thread::sleep(Duration::from_millis(500));
            Ok(vec![PUBLIC])
        });
    assert_eq!(
        get(slow, &server).await.err(),
        Some(ExchangeError::TimedOut)
    );
    let unknown = network().resolver(|_| Err(std::io::ErrorKind::NotFound.into()));
    assert_eq!(
        get(unknown, &server).await.err(),
        Some(ExchangeError::NoAddress)
    );
    let nothing = network().resolver(|_| Ok(Vec::new()));
    assert_eq!(
        get(nothing, &server).await.err(),
        Some(ExchangeError::NoAddress)
    );
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn nobody_listening_is_unreachable() {
    let server = Server::sending("").await;
    let url = format!("http://api.example.com:{}/", server.port());
    let mut egress = egress(network(), &server);
    let closed = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let free = closed.local_addr().expect("an address");
    drop(closed);
    let public = egress.dialer.in_place_of.expect("mapped").0;
    egress.dialer.in_place_of = Some((public, free));
    let failed = egress.send(outgoing("GET", &url), &Arc::default()).await;
    assert_eq!(failed.err(), Some(ExchangeError::Unreachable));
}

#[tokio::test]
async fn whoever_hangs_up_in_the_middle_leaves_no_response() {
    for cut in [
        "",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabcde",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n",
    ] {
        assert_eq!(
            answered(cut).await.err(),
            Some(ExchangeError::Closed),
            "{cut:?}"
        );
        let server = Server::start(Then::Reset(cut.into())).await;
        assert_eq!(
            get(network(), &server).await.err(),
            Some(ExchangeError::Closed),
            "{cut:?}"
        );
    }
}

#[tokio::test]
async fn what_is_not_valid_http_is_refused() {
    for answer in [
        "SSH-2.0-OpenSSH_9.9\r\n\r\n",
        "<html>an old server</html>\r\n\r\n",
        "HTTP/9.9 200 OK\r\n\r\n",
        "HTTP/1.1 OK\r\n\r\n",
        "HTTP/1.1 99 Low\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!",
        "HTTP/1.1 200 OK\r\ncontent-length: 5, 6\r\n\r\nhello!",
        "HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nab",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n-1\r\nab",
        "HTTP/1.1 200 OK\r\nbad header: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nx: a\r\n folded\r\n\r\n",
        "HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n",
    ] {
        let refused = answered(answer).await.expect_err(answer);
        let is_refused = matches!(refused, ExchangeError::Malformed | ExchangeError::Closed);
        assert!(is_refused, "{answer:?}: {refused:?}");
    }
}

#[tokio::test]
async fn a_second_response_on_the_connection_is_never_read() {
    let two = format!("{}{}", with_body("", "first"), with_body("", "second"));
    assert_eq!(answered(two).await.expect("the first").body, b"first");
    let server = Server::sending("HTTP/1.1 204 No Content\r\n\r\nsmuggled").await;
    assert!(
        get(network(), &server)
            .await
            .expect("no content")
            .body
            .is_empty()
    );
    // Each request has a connection of its own.
    get(network(), &server).await.expect("again");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_length_beside_chunks_does_not_count() {
    let both = "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
    match answered(both).await {
        Ok(received) => assert_eq!(received.body, b"hello"),
        Err(error) => assert_eq!(error, ExchangeError::Malformed),
    }
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).expect("into memory");
    encoder.finish().expect("into memory")
}

#[tokio::test]
async fn gzip_is_decoded_a_bomb_is_not_and_nothing_else_is_taken() {
    let answer = |encoding: &str, body: &[u8]| {
        let head = format!(
            "{OK}content-encoding: {encoding}\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        [head.as_bytes(), body].concat()
    };
    let received = answered(answer("gzip", &gzip(b"hello")))
        .await
        .expect("decoded");
    assert_eq!(received.body, b"hello");
    assert!(received.headers.is_empty(), "{:?}", received.headers);
    let bomb = gzip(&vec![0; 64 << 20]);
    assert!(bomb.len() < 100_000);
    let limit = Caps::RESPONSE_BODY as u64;
    assert_eq!(
        answered(answer("gzip", &bomb)).await.err(),
        Some(ExchangeError::TooLarge(limit))
    );
    for encoding in ["br", "deflate", "zstd", "gzip, gzip", "gzip, br"] {
        let refused = answered(answer(encoding, &gzip(b"hello"))).await;
        assert_eq!(refused.err(), Some(ExchangeError::Encoding), "{encoding}");
    }
    let broken = answered(answer("gzip", b"not gzip")).await;
    assert_eq!(broken.err(), Some(ExchangeError::Encoding));
}

#[tokio::test]
async fn a_head_has_headers_and_no_body() {
    let server =
        Server::sending("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 123\r\n\r\n")
            .await;
    let url = format!("http://api.example.com:{}/", server.port());
    let egress = egress(network(), &server);
    let received = egress.send(outgoing("HEAD", &url), &Arc::default()).await;
    assert!(received.expect("headers").body.is_empty());
}

#[tokio::test]
async fn what_was_sent_is_known_even_when_nothing_comes_back() {
    let server = Server::start(Then::Hang(Vec::new())).await;
    assert!(traffic_of(&server).await.sent() > 0);
    let never = Server::serving(|stream, _| async move { drop(stream) }).await;
    let traffic = traffic_of(&never).await;
    assert_eq!(traffic.received(), 0);
}

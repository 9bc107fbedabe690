//! Where a request comes from, and what every answer carries.

use super::*;

#[tokio::test]
async fn only_the_servers_own_names_are_accepted() {
    let running = Running::start([]).await;
    let port = running.address.port();
    for own in ["127.0.0.1", "localhost", "[::1]"] {
        let client = running.client(&running.ada).without_host();
        let client = client.with(format!("Host: {own}:{port}"));
        assert_eq!(client.get("/api/sessions").await.status, 200, "{own}");
    }
    for host in [
        format!("evil.example:{port}"),
        format!("127.0.0.1.nip.io:{port}"),
        format!("0.0.0.0:{port}"),
        format!("localhost.evil:{port}"),
        format!("LOCALHOST.:{port}"),
        format!("127.0.0.1:{}", port ^ 1),
        "127.0.0.1".to_owned(),
        "localhost".to_owned(),
        format!("user@127.0.0.1:{port}"),
        format!("127.1:{port}"),
        String::new(),
    ] {
        let client = running.client(&running.ada).without_host();
        let response = client
            .with(format!("Host: {host}"))
            .get("/api/sessions")
            .await;
        assert_eq!(response.status, 403, "{host:?}: {}", response.body);
    }
    let twice = running
        .client(&running.ada)
        .with(format!("Host: localhost:{port}"));
    assert_eq!(twice.get("/api/sessions").await.status, 400);
    let absolute = format!("http://{}/api/sessions", running.address);
    assert_eq!(
        running.client(&running.ada).get(&absolute).await.status,
        403
    );
    running.stop().await;
}

#[tokio::test]
async fn no_other_site_makes_a_request() {
    let running = Running::start([]).await;
    let port = running.address.port();
    let post = async |header: String| {
        let client = running.client(&running.ada).with(header);
        client.post("/api/sessions", "{}").await.status
    };
    assert_eq!(
        post(format!("Origin: http://{}", running.address)).await,
        201
    );
    for origin in [
        "null".to_owned(),
        "https://evil.example".to_owned(),
        format!("https://{}", running.address),
        format!("http://localhost:{}", port ^ 1),
        format!("http://127.0.0.1.evil:{port}"),
        format!("http://localhost:{port}"),
        format!("http://{}/", running.address),
    ] {
        assert_eq!(post(format!("Origin: {origin}")).await, 403, "{origin}");
    }
    for site in ["cross-site", "same-site", "none", "anything"] {
        assert_eq!(post(format!("Sec-Fetch-Site: {site}")).await, 403, "{site}");
    }
    assert_eq!(post("Sec-Fetch-Site: same-origin".to_owned()).await, 201);
    // What a form of another page can send.
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/json",
        "application/json, text/plain",
    ] {
        assert_eq!(post(format!("Content-Type: {kind}")).await, 415, "{kind}");
    }
    let preflight = running
        .client(&running.ada)
        .with("Access-Control-Request-Method: POST");
    let preflight = preflight.send("OPTIONS", "/api/sessions", None).await;
    assert!(preflight.status >= 400, "{}", preflight.status);
    assert_eq!(preflight.header("access-control-allow-origin"), None);
    running.stop().await;
}

#[tokio::test]
async fn every_answer_carries_the_headers_that_keep_a_page_safe() {
    let running = Running::start([]).await;
    let (ada, nobody) = (
        running.client(&running.ada),
        Client::new(running.address, None),
    );
    let answers = [
        ada.get("/api/sessions").await,
        ada.get("/api/plugins").await,
        ada.get("/metrics").await,
        ada.get("/nothing/here").await,
        ada.get("/..%2f..%2fetc/passwd").await,
        ada.get("/api/sessions/%00").await,
        ada.get("/api/outputs/out_1_aaaaaa").await,
        ada.send("PUT", "/api/sessions", Some("{}")).await,
        ada.post("/api/sessions", "nonsense").await,
        nobody.get("/api/sessions").await,
        nobody.get("/healthz").await,
        nobody.get("/readyz").await,
    ];
    for answer in answers {
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{name}: {}", answer.body);
        }
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'none'"), "{policy}");
        assert!(answer.header("x-request-id").is_some());
        assert_eq!(answer.header("set-cookie"), None);
    }
    running.stop().await;
}

#[tokio::test]
async fn what_is_too_large_or_has_two_readings_is_refused() {
    let running = Running::start([]).await;
    let ada = running.client(&running.ada);
    let large = format!("{{\"locale\":\"{}\"}}", "x".repeat(2 << 20));
    assert_eq!(ada.post("/api/sessions", &large).await.status, 413);
    for body in [
        "",
        "null",
        "[]",
        "{\"attended\":true,\"attended\":false}",
        "{\"unknown\":1}",
        "{\"attended\":\"yes\"}",
        "{\"plugins\":[\"nonexistent\"]}",
    ] {
        assert_eq!(ada.post("/api/sessions", body).await.status, 400, "{body}");
    }
    running.stop().await;
}

//! Every route against every credential that does not permit it.

use super::*;
use serde_json::Value;

/// Returns method, path and whether a token is needed, of every route.
async fn routes(running: &Running) -> Vec<(String, String, bool)> {
    let document = Client::new(running.address, None)
        .get("/api/openapi.json")
        .await;
    assert_eq!(document.status, 200);
    let document = document.json();
    let mut routes = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let path = path.replace("{id}", "ses_0").replace("{item}", "itm_0");
            let needs_token = operation.get("security").is_some();
            routes.push((method.to_ascii_uppercase(), path, needs_token));
        }
    }
    assert!(routes.len() > 20, "{routes:?}");
    routes
}

#[tokio::test]
async fn every_route_refuses_a_missing_wrong_or_misplaced_token() {
    let running = Running::start([]).await;
    let other = Running::start([]).await;
    for (method, path, needs_token) in routes(&running).await {
        if !needs_token {
            continue;
        }
        let token = &running.ada;
        let (start, end) = token.split_at(32);
        let flipped = format!("{end}{start}");
        for headers in [
            vec![],
            vec![format!("Authorization: Bearer {flipped}")],
            vec![format!("Authorization: Bearer {}", other.ada)],
            vec![format!("Authorization: Bearer {start}")],
            vec![format!("Authorization: Bearer {token}x")],
            vec![format!("Authorization: Basic {token}")],
            vec![format!("Authorization: {token}")],
            vec!["Authorization: Bearer ".to_owned()],
            vec![format!("Cookie: token={token}")],
            vec![format!(
                "Sec-WebSocket-Protocol: footlight.v1, auth.{flipped}"
            )],
            vec![
                format!("Authorization: Bearer {flipped}"),
                format!("Authorization: Bearer {token}"),
            ],
        ] {
            let mut client = Client::new(running.address, None);
            for header in &headers {
                client = client.with(header);
            }
            let path = format!("{path}?token={token}&access_token={token}");
            let body = (method != "GET" && method != "DELETE").then_some("{}");
            let response = client.send(&method, &path, body).await;
            assert_eq!(response.status, 401, "{method} {path} {headers:?}");
            assert_eq!(response.problem(), "unauthorized");
            assert!(!response.body.contains(token.as_str()));
        }
    }
    running.stop().await;
    other.stop().await;
}

#[tokio::test]
async fn a_token_that_may_only_read_changes_nothing() {
    let running = Running::start([]).await;
    let id = running.session(&running.ada).await;
    let viewer = running.client(&running.viewer);
    for (method, path, needs_token) in routes(&running).await {
        if !needs_token || method == "GET" || path == "/api/logout" {
            continue;
        }
        let path = path.replace("ses_0", &id);
        let body = (method != "DELETE").then_some("{}");
        let response = viewer.send(&method, &path, body).await;
        assert_eq!(
            (response.status, response.problem().as_str()),
            (403, "forbidden"),
            "{path}"
        );
    }
    let shown = viewer.get(&format!("/api/sessions/{id}")).await;
    assert_eq!(shown.status, 200, "{}", shown.body);
    running.stop().await;
}

#[tokio::test]
async fn a_login_code_works_once_and_its_token_until_logout() {
    let tokens = tempfile::tempdir().expect("a folder");
    let file = tokens.path().join("tokens.json");
    let identity = Identity {
        person: "ada".to_owned(),
        may: Permission::Approve,
    };
    let start = async || {
        let host = builder().build().expect("builds");
        let tokens = Tokens::new(Some(file.clone())).expect("readable");
        let server = Server::new(host, Scripted::new([]), tokens);
        server.bind("127.0.0.1:0").await.expect("a free port")
    };
    let server = start().await;
    let code = server.mint_code(identity.clone()).expect("randomness");
    let address = server.address();
    let (end, ended) = oneshot::channel::<()>();
    let task = tokio::spawn(server.run(async {
        let _ = ended.await;
    }));
    let anybody = Client::new(address, None);
    let body = format!("{{\"code\":\"{code}\"}}");
    let first = anybody.post("/api/login", &body).await;
    assert_eq!(first.status, 200, "{}", first.body);
    assert_eq!(anybody.post("/api/login", &body).await.status, 401);
    let token = first.json()["token"].as_str().expect("a token").to_owned();
    let _ = end.send(());
    task.await.expect("ends");

    // A restart keeps the page signed in, and the file signs nobody in.
    let kept = std::fs::read_to_string(&file).expect("kept");
    assert!(!kept.contains(&token) && !kept.contains(&code), "{kept}");
    let server = start().await;
    let address = server.address();
    let task = tokio::spawn(server.run(std::future::pending()));
    let client = Client::new(address, Some(&token));
    assert_eq!(client.get("/api/sessions").await.status, 200);
    let hash = serde_json::from_str::<Value>(&kept).expect("JSON")["token"][0]["hash"].clone();
    let hash = hash.as_str().expect("a hash").to_owned();
    let with_hash = Client::new(address, Some(&hash));
    assert_eq!(with_hash.get("/api/sessions").await.status, 401);
    assert_eq!(client.post("/api/logout", "{}").await.status, 204);
    assert_eq!(client.get("/api/sessions").await.status, 401);
    task.abort();
}

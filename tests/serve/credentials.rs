//! Every route against every credential that does not permit it.

use super::*;
use serde_json::Value;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

/// A route that needs a token.
pub(super) struct Guarded {
    pub(super) method: String,
    /// The path, with placeholders.
    pub(super) path: String,
    pub(super) needs: Permission,
}

impl Guarded {
    /// Returns a path with ids that belong to nothing.
    fn unknown(&self) -> String {
        self.path
            .replace("{id}", "ses_0")
            .replace("{item}", "itm_0")
    }

    /// Returns a body for a method that has one.
    fn body(&self) -> Option<&'static str> {
        (self.method != "GET" && self.method != "DELETE").then_some("{}")
    }
}

/// Returns every route of the published document that needs a token, and how many need none.
pub(super) async fn guarded(running: &Running) -> (Vec<Guarded>, usize) {
    let anybody = Client::new(running.address, None);
    let document = anybody.get("/api/openapi.json").await.json();
    let (mut routes, mut open) = (Vec::new(), 0);
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let needs = match operation.get("x-needs").and_then(Value::as_str) {
                Some("view") => Permission::View,
                Some("use") => Permission::Use,
                Some("approve") => Permission::Approve,
                other => {
                    assert_eq!((other, operation.get("security")), (None, None), "{path}");
                    open += 1;
                    continue;
                }
            };
            assert!(operation.get("security").is_some(), "{path}");
            routes.push(Guarded {
                method: method.to_ascii_uppercase(),
                path: path.clone(),
                needs,
            });
        }
    }
    assert!(routes.len() > 20, "{}", routes.len());
    (routes, open)
}

#[tokio::test]
async fn every_route_refuses_a_missing_wrong_expired_or_misplaced_token() {
    let running = Running::start([]).await;
    let other = Running::start([]).await;
    let (routes, open) = guarded(&running).await;
    assert_eq!(
        open, 4,
        "login, health, readiness and the document need no token"
    );
    for route in routes {
        let (method, token) = (&route.method, &running.ada);
        let (start, end) = token.split_at(32);
        let flipped = format!("{end}{start}");
        for headers in [
            vec![],
            vec![format!("Authorization: Bearer {flipped}")],
            vec![format!("Authorization: Bearer {}", other.ada)],
            vec![format!("Authorization: Bearer {}", running.expired)],
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
            let path = format!("{}?token={token}&access_token={token}", route.unknown());
            let response = client.send(method, &path, route.body()).await;
            assert_eq!(response.status, 401, "{method} {path} {headers:?}");
            assert_eq!(response.problem(), "unauthorized");
            assert!(!response.body.contains(token.as_str()));
        }
    }
    running.stop().await;
    other.stop().await;
}

#[tokio::test]
async fn a_token_does_no_more_than_it_permits() {
    let running = Running::start([]).await;
    let id = running.session(&running.ada).await;
    for (token, may) in [
        (&running.viewer, Permission::View),
        (&running.user, Permission::Use),
    ] {
        let mut refused = 0;
        for route in guarded(&running).await.0 {
            if route.needs <= may {
                continue;
            }
            let path = route.path.replace("{id}", &id).replace("{item}", "itm_0");
            let client = running.client(token);
            let response = client.send(&route.method, &path, route.body()).await;
            assert_eq!(
                (response.status, response.problem().as_str()),
                (403, "forbidden"),
                "{path}"
            );
            refused += 1;
        }
        assert!(refused >= 3, "{may:?}: {refused}");
    }
    // Reading changes nothing and is permitted; whatever is no GET needs more, but for the end of the
    // token itself.
    for route in guarded(&running).await.0 {
        let is_read = route.method == "GET" || route.path == "/api/logout";
        // The counters are about everybody.
        let is_read = is_read && route.path != "/metrics";
        assert_eq!(is_read, route.needs == Permission::View, "{}", route.path);
    }
    let viewer = running.client(&running.viewer);
    let shown = viewer.get(&format!("/api/sessions/{id}")).await;
    assert_eq!(shown.status, 200, "{}", shown.body);
    running.stop().await;
}

#[tokio::test]
async fn a_socket_is_refused_before_it_is_opened() {
    let running = Running::start([]).await;
    let id = running.session(&running.ada).await;
    let url = format!("ws://{}/api/sessions/{id}/socket", running.address);
    let connect = async |url: &str, protocols: Option<String>| {
        let mut request = url.into_client_request().expect("a URL");
        if let Some(protocols) = protocols {
            let protocols = protocols.parse().expect("a header");
            let headers = request.headers_mut();
            headers.insert("sec-websocket-protocol", protocols);
        }
        tokio_tungstenite::connect_async(request).await
    };
    let auth = |token: &str| Some(format!("footlight.v1, auth.{token}"));
    let in_url = format!("{url}?token={}", running.ada);
    for (url, protocols, status) in [
        (&url, None, 401),
        (&in_url, None, 401),
        (&url, auth("0123456789abcdef"), 401),
        (&url, auth(&running.expired), 401),
        (&url, auth(&running.bob), 404),
    ] {
        match connect(url, protocols).await {
            Err(Error::Http(response)) => assert_eq!(response.status(), status),
            other => panic!("refused before the upgrade: {other:?}"),
        }
    }
    let opened = connect(&url, auth(&running.viewer)).await;
    assert!(opened.is_ok(), "whoever may read may follow");
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

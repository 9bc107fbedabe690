//! Outputs, and what the server says about itself.

use super::*;
use footlight::store::OutputRow;
use footlight::vocabulary::item::{Timestamp, output_id};
use footlight_tests::scripted_session::{calls, says};
use serde_json::{Value, json};

/// Runs a turn whose call stores outputs. Returns their items.
async fn outputs(running: &Running, tool: &str) -> Vec<Value> {
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let mut events = ada
        .follow(&format!("/api/sessions/{id}/events?after=0"))
        .await;
    let body = json!({ "prompt": tool }).to_string();
    ada.post(&format!("/api/sessions/{id}/prompts"), &body)
        .await;
    events.until("turn_finished").await;
    let record = ada.get(&format!("/api/sessions/{id}")).await.json();
    let items = record["record"]["items"].as_array().expect("items").clone();
    let is_output = |item: &Value| item["type"] == "output";
    let outputs: Vec<Value> = items.into_iter().filter(is_output).collect();
    assert!(!outputs.is_empty(), "{record}");
    outputs
}

#[tokio::test]
async fn an_output_is_served_as_data_in_whole_or_in_part() {
    let running = Running::start([calls([("gallery__outputs", json!({}))]), says("Done.")]).await;
    let (ada, bob) = (running.client(&running.ada), running.client(&running.bob));
    for output in outputs(&running, "output").await {
        let path = format!("/api/outputs/{}", output["id"].as_str().expect("an id"));
        let whole = ada.get(&path).await;
        assert_eq!(whole.status, 200);
        assert_eq!(
            whole.bytes.len() as u64,
            output["size"].as_u64().expect("a size")
        );
        let kind = whole.header("content-type").map(str::to_owned);
        assert_eq!(kind.as_deref(), output["mimeType"].as_str());
        let policy = whole.header("content-security-policy").expect("a policy");
        assert!(
            policy.starts_with("sandbox; default-src 'none'"),
            "{policy}"
        );
        let part = running
            .client(&running.ada)
            .with("Range: bytes=1-3")
            .get(&path)
            .await;
        assert_eq!((part.status, &*part.bytes), (206, &whole.bytes[1..4]));
        let range = format!("bytes 1-3/{}", whole.bytes.len());
        assert_eq!(part.header("content-range"), Some(range.as_str()));
        let beyond = running
            .client(&running.ada)
            .with("Range: bytes=99999999-")
            .get(&path)
            .await;
        assert_eq!(beyond.status, 416);
        let wrapped = ada.get(&format!("{path}?format=json")).await.json();
        match wrapped["encoding"].as_str() {
            Some("utf-8") => assert_eq!(wrapped["data"], whole.body.as_str()),
            encoding => assert_eq!(encoding, Some("base64"), "{output}"),
        }
        assert_eq!(wrapped["metadata"]["mimeType"], output["mimeType"]);
        let foreign = bob.get(&path).await;
        assert_eq!(
            (foreign.status, foreign.json()),
            (404, json!({ "error": "Expired" }))
        );
    }
    for unknown in [
        "out_1_aaaaaa",
        "x",
        "..%2f..%2fetc%2fpasswd",
        "out_1_aaaaaa%00",
    ] {
        let answer = ada.get(&format!("/api/outputs/{unknown}")).await;
        assert_eq!(
            (answer.status, answer.json()),
            (404, json!({ "error": "Expired" })),
            "{unknown}"
        );
    }
    running.stop().await;
}

#[tokio::test]
async fn an_output_runs_nothing_and_an_expired_one_is_answered_like_one_that_never_was() {
    let host = builder().build().expect("builds");
    let running = Running::over(host.clone(), []).await;
    let ada = running.client(&running.ada);
    let session = running.session(&running.ada).await;
    let now = Timestamp::from_millis(1_790_000_000_000);
    let later = Timestamp::from_millis(i64::MAX / 2);
    let put = async |n: u64, mime_type: &str, expires: Timestamp| {
        let row: OutputRow = serde_json::from_value(json!({
            "id": output_id(now, n), "session": session, "plugin": "gallery", "call": "call_1",
            "title": "<b>title</b>", "kind": "file", "mimeType": mime_type, "size": 25,
            "created": now, "expires": expires, "meta": null,
        }))
        .expect("a row");
        let id = row.id.clone();
        let content = b"<script>alert(1)</script>".to_vec();
        let stored = host.store().put_output(row, content).await;
        stored.expect("is stored");
        format!("/api/outputs/{id}")
    };
    for (n, kind, served, disposition) in [
        (1, "text/html", "text/html", "attachment"),
        (2, "image/svg+xml", "image/svg+xml", "attachment"),
        (
            3,
            "application/xhtml+xml",
            "application/xhtml+xml",
            "attachment",
        ),
        (4, "text/javascript", "text/javascript", "attachment"),
        (
            5,
            "TEXT/HTML; charset=utf-8",
            "TEXT/HTML; charset=utf-8",
            "attachment",
        ),
        (6, "text/plain", "text/plain", "inline"),
        (7, "image/png", "image/png", "inline"),
    ] {
        let path = put(n, kind, later).await;
        let output = ada.get(&path).await;
        assert_eq!(output.status, 200, "{kind}: {}", output.body);
        assert_eq!(output.header("content-type"), Some(served));
        assert_eq!(
            output.header("content-disposition"),
            Some(disposition),
            "{kind}"
        );
        assert_eq!(output.header("x-content-type-options"), Some("nosniff"));
        let policy = output.header("content-security-policy").expect("a policy");
        assert!(
            policy.starts_with("sandbox; default-src 'none'"),
            "{policy}"
        );
        // As often as one likes, and wrapped.
        assert_eq!(ada.get(&path).await.bytes, output.bytes);
        let wrapped = ada.get(&format!("{path}?format=json")).await;
        assert_eq!(wrapped.header("content-type"), Some("application/json"));
        let wrapped = wrapped.json();
        assert_eq!(wrapped["data"], output.body.as_str());
        assert_eq!(wrapped["createdAt"], json!(now));
    }
    let expired = put(8, "text/plain", Timestamp::from_millis(now.millis() + 1)).await;
    let gone = ada.get(&expired).await;
    let unknown = ada.get("/api/outputs/out_1_aaaaaa").await;
    assert_eq!((gone.status, &gone.body), (404, &unknown.body));
    assert_eq!(gone.json(), json!({ "error": "Expired" }));
    running.stop().await;
}

#[tokio::test]
async fn the_document_describes_every_answer_and_refers_to_nothing_missing() {
    let running = Running::start([]).await;
    let document = Client::new(running.address, None)
        .get("/api/openapi.json")
        .await
        .json();
    assert_eq!(document["openapi"], "3.1.0");
    let text = document.to_string();
    let known = document["components"]["schemas"]
        .as_object()
        .expect("schemas");
    for reference in text.split("\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap_or_default();
        assert!(known.contains_key(name), "{name}");
    }
    for path in ["events", "socket"] {
        let live = &document["paths"][format!("/api/sessions/{{id}}/{path}")]["get"];
        for (side, name) in [("server", "LiveFrame"), ("client", "Frame")] {
            let frames = &live["x-frames"][side]["$ref"];
            assert_eq!(*frames, format!("#/components/schemas/{name}"), "{path}");
        }
    }
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            assert!(
                operation["summary"]
                    .as_str()
                    .is_some_and(|it| !it.is_empty()),
                "{path}"
            );
            let responses = operation["responses"].as_object().expect("responses");
            assert!(
                responses.keys().any(|status| status < &"300".to_owned()),
                "{method} {path}"
            );
        }
    }
    running.stop().await;
}

#[tokio::test]
async fn plugins_and_widgets_are_listed() {
    let running = Running::start([]).await;
    let ada = running.client(&running.ada);
    let plugins = ada.get("/api/plugins").await.json();
    let ids: Vec<&str> = plugins["plugins"]
        .as_array()
        .expect("plugins")
        .iter()
        .filter_map(|plugin| plugin["id"].as_str())
        .collect();
    assert_eq!(ids, ["gallery", "rogue", "todo", "weather"]);
    let weather = &plugins["plugins"][3];
    assert_eq!(weather["tools"][0]["inputSchema"]["type"], "object");
    assert!(weather["powers"].to_string().contains("api.open-meteo.com"));
    let widgets = ada.get("/api/widgets").await.json();
    assert!(
        widgets["widgets"]
            .as_array()
            .is_some_and(|it| !it.is_empty()),
        "{widgets}"
    );
    assert_eq!(ada.get("/readyz").await.body, "ready\n");
    running.stop().await;
}

#[tokio::test]
async fn counters_tell_what_the_host_has_done() {
    let running = Running::start([
        calls([("gallery__table", json!({}))]),
        calls([
            ("gallery__strike", json!({})),
            ("gallery__nothing", json!({})),
        ]),
        says("Done."),
    ])
    .await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0");
    let mut events = ada.follow(&path).await;
    let body = json!({ "prompt": "Go" }).to_string();
    ada.post(&format!("/api/sessions/{id}/prompts"), &body)
        .await;
    events.until("approval_request").await;
    let read = async || {
        let metrics = ada.get("/metrics").await;
        let kind = metrics.header("content-type").map(str::to_owned);
        assert_eq!(kind.as_deref(), Some("text/plain; version=0.0.4"));
        metrics.body
    };
    let value = |metrics: &str, name: &str| -> f64 {
        let line = metrics.lines().find_map(|line| line.strip_prefix(name));
        let line = line.unwrap_or_else(|| panic!("{name} in {metrics}"));
        line.trim().parse().expect("a number")
    };
    let metrics = read().await;
    for (name, expected) in [
        ("footlight_turns_total", 1.0),
        ("footlight_calls_total{outcome=\"success\"}", 1.0),
        ("footlight_requests_total", 1.0),
        ("footlight_waiting", 1.0),
        ("footlight_pending", 1.0),
        ("footlight_streams", 1.0),
    ] {
        assert_eq!(value(&metrics, name), expected, "{name}");
    }
    ada.post("/api/pending/decline", "{}").await;
    events.until("turn_finished").await;
    let metrics = read().await;
    for (name, expected) in [
        ("footlight_turn_ends_total{status=\"done\"}", 1.0),
        ("footlight_calls_total{outcome=\"denied\"}", 1.0),
        ("footlight_waiting", 0.0),
        ("footlight_pending", 0.0),
        ("footlight_store_failures_total", 0.0),
    ] {
        assert_eq!(value(&metrics, name), expected, "{name}");
    }
    for name in [
        "footlight_store_seconds_count",
        "footlight_store_seconds_bucket{le=\"+Inf\"}",
        "footlight_responses_total{class=\"2xx\"}",
    ] {
        assert!(value(&metrics, name) > 0.0, "{name}");
    }
    running.stop().await;
}

#[tokio::test]
async fn a_program_is_told_of_each_new_request_once_and_its_failure_harms_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (program, pipe) = (folder.path().join("tell"), folder.path().join("pipe"));
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode).expect("a pipe");
    let script = format!("#!/bin/sh\ncat > '{}'\n", pipe.display());
    std::fs::write(&program, script).expect("is written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(&program, mode).expect("is a program");
    let missing = folder.path().join("missing");
    for (program, is_told) in [(program, true), (missing, false)] {
        let host = builder().build().expect("builds");
        for path in [plugins::GALLERY, plugins::WEATHER] {
            host.load(path).await.expect("loads");
        }
        let mut tokens = Tokens::new(None).expect("no file");
        let (person, may) = ("ada".to_owned(), Permission::Approve);
        let token = tokens.mint(Identity { person, may }).expect("randomness");
        let forecast = json!({ "city": "Springfield", "days": 1 });
        let model = Scripted::new([
            calls([("gallery__strike", json!({}))]),
            calls([("weather__forecast", forecast)]),
            says("Done."),
        ]);
        let server = Server::new(host, model, tokens).notify(&program);
        let server = server.bind("127.0.0.1:0").await.expect("a free port");
        let address = server.address();
        let task = tokio::spawn(server.run(std::future::pending()));
        let client = Client::new(address, Some(&token));
        let made = client.post("/api/sessions", "{}").await.json();
        let id = made["id"].as_str().expect("an id").to_owned();
        let path = format!("/api/sessions/{id}/events?after=0");
        let mut events = client.follow(&path).await;
        let body = json!({ "prompt": "Go" }).to_string();
        client
            .post(&format!("/api/sessions/{id}/prompts"), &body)
            .await;
        for (kind, tool) in [("approval", "gallery.strike"), ("ask", "weather.forecast")] {
            let asked = events.until(&format!("{kind}_request")).await;
            let request = asked.last().expect("asked").1["id"].clone();
            if is_told {
                let pipe = pipe.clone();
                let told = tokio::task::spawn_blocking(move || std::fs::read_to_string(pipe));
                let told = told.await.expect("reads").expect("is told");
                let told: Value = serde_json::from_str(&told).expect("one JSON object");
                assert_eq!((&told["id"], &told["kind"]), (&request, &json!(kind)));
                assert_eq!(
                    (&told["tool"], &told["person"]),
                    (&json!(tool), &json!("ada"))
                );
                assert_eq!(told["prompt"].is_string(), kind == "ask", "{told}");
            }
            client.post("/api/pending/decline", "{}").await;
        }
        events.until("turn_finished").await;
        task.abort();
    }
}

#[tokio::test]
async fn the_page_is_served_without_a_token_and_under_its_policy() {
    let running = Running::start([]).await;
    let nobody = Client::new(running.address, None);
    let page = nobody.get("/").await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("/page/app.js"), "{}", page.body);
    let policy = page.header("content-security-policy").expect("a policy");
    for rule in [
        "default-src 'none'",
        "script-src 'self';",
        "style-src 'self';",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ] {
        assert!(policy.contains(rule), "{policy}");
    }
    let own = format!("connect-src 'self' ws://{};", running.address);
    assert!(policy.contains(&own), "{policy}");
    let script = nobody.get("/page/app.js").await;
    assert_eq!(
        script.header("content-type"),
        Some("text/javascript; charset=utf-8")
    );
    let etag = script.header("etag").expect("a tag").to_owned();
    let again = Client::new(running.address, None).with(format!("If-None-Match: {etag}"));
    assert_eq!(again.get("/page/app.js").await.status, 304);
    for nothing in [
        "/page/",
        "/page/types.d.ts",
        "/page/../Cargo.toml",
        "/renderers/x.js",
    ] {
        assert_eq!(nobody.get(nothing).await.status, 404, "{nothing}");
    }
    running.stop().await;
}

//! Outputs, and what the server says about itself.

use super::*;
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
async fn plugins_widgets_and_counters_are_listed() {
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
    let metrics = ada.get("/metrics").await;
    assert!(
        metrics
            .body
            .contains("footlight_responses_total{class=\"2xx\"}")
    );
    assert_eq!(ada.get("/readyz").await.body, "ready\n");
    running.stop().await;
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

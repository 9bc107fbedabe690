//! Manifests that are read, and what follows from them; those refused are in `tests/refused.rs`.

mod refused;

use super::*;
use proptest::prelude::*;
use std::time::Duration;

const HEAD: &str = r#"
[plugin]
id = "mail"
version = "1.2.0-rc.1"
api = "0.1"
description = "Reads and sends mail"
"#;

const FULL: &str = r#"
# A manifest with one of everything.
[plugin]
id = "mail"
version = "1.2.0"
api = "0.1"
description = "Reads and sends mail"
homepage = "https://mail.example/plugin"
license = "MIT"

[[net]]
host = "api.mail.example"

[[net]]
host = "api.mail.example"
methods = ["POST", "DELETE"]
approval = "mail.send"

[[net]]
host = "*.cdn.example:8443"
methods = ["GET", "HEAD"]

[[net]]
host = "localhost:11434"
scheme = "http"

[[fs]]
path = "/data"
mode = "ro"

[[fs]]
path = "/desk/out.d"
mode = "rw"
optional = true
approval = "mail.label"
description = 'Where "drafts" go'

[[secret]]
name = "token"
host = "api.mail.example"
header = "authorization"
prefix = "Bearer "

[[approval]]
action = "mail.send"
description = "Send mail in your name"
severity = "critical"

[[approval]]
action = "mail.label"
description = "Label a message"
remember = ["session", "once"]

[limits]
memory = "128MiB"
active-time = "500ms"
wall-time = "1h"
output = "64MiB"
"#;

fn parse(text: &str) -> Manifest {
    Manifest::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn least_manifest_has_no_powers_and_the_usual_limits() {
    let manifest = parse(HEAD);
    assert_eq!(manifest.id, "mail");
    assert_eq!(manifest.version, "1.2.0-rc.1");
    assert_eq!(manifest.limits, Limits::DEFAULT);
    assert!(manifest.powers().is_empty());
}

#[test]
fn full_manifest_is_read_in_its_order() {
    let manifest = parse(FULL);
    assert_eq!(manifest.net[0].methods, [Method::Get]);
    assert_eq!(
        (manifest.net[0].port, manifest.net[0].scheme),
        (443, Scheme::Https)
    );
    assert_eq!(manifest.net[1].approval.as_deref(), Some("mail.send"));
    assert_eq!(manifest.net[2].port, 8443);
    assert_eq!(
        (manifest.net[3].port, manifest.net[3].scheme),
        (11434, Scheme::Http)
    );
    assert_eq!(
        (manifest.fs[0].optional, &manifest.fs[0].approval),
        (false, &None)
    );
    let second = &manifest.fs[1];
    assert_eq!((second.mode, second.optional), (Mode::ReadWrite, true));
    assert_eq!(second.approval.as_deref(), Some("mail.label"));
    assert_eq!(manifest.secrets[0].prefix, "Bearer ");
    assert_eq!(manifest.secrets[0].port, 443);
    let remembered: Vec<_> = manifest.approvals.iter().map(|a| &*a.remember).collect();
    assert_eq!(remembered, [[Remember::Once, Remember::Session]; 2]);
    assert_eq!(
        manifest.limits,
        Limits {
            memory: 128 << 20,
            active_time: Duration::from_millis(500),
            wall_time: Duration::from_secs(3600),
            output: 64 << 20,
        }
    );
}

#[test]
fn line_ends_a_byte_order_mark_and_inline_tables_change_nothing() {
    let manifest = parse(FULL);
    assert_eq!(parse(&FULL.replace('\n', "\r\n")), manifest);
    assert_eq!(parse(&format!("\u{feff}{FULL}")), manifest);
    let inline = format!("net = [{{ host = \"api.mail.example\" }}]{HEAD}");
    assert_eq!(parse(&inline).net, manifest.net[..1]);
}

#[test]
fn powers_are_sentences_of_the_host_with_the_authors_text_quoted() {
    assert_eq!(
        parse(FULL).powers(),
        [
            "reach api.mail.example (GET)",
            "reach api.mail.example (POST, DELETE), each time only with your approval of `mail.send`",
            "reach any host under cdn.example, port 8443 (GET, HEAD)",
            "reach localhost:11434 on this machine without encryption (GET)",
            "send your secret `token` to api.mail.example",
            "read the folder you bind to /data",
            "read, change and delete in the folder you bind to /desk/out.d, writing only with your approval of `mail.label`: \"Where 'drafts' go\"",
            "ask for your approval of `mail.send`: \"Send mail in your name\" (critical)",
            "ask for your approval of `mail.label`: \"Label a message\" (normal)",
        ]
    );
}

#[test]
fn json_is_in_camel_case_with_plain_numbers() {
    let json = serde_json::to_value(parse(FULL)).expect("plain data");
    assert_eq!(
        json["net"][1],
        serde_json::json!({
            "host": "api.mail.example", "port": 443, "scheme": "https",
            "methods": ["POST", "DELETE"], "approval": "mail.send",
        })
    );
    assert_eq!(
        json["fs"][0],
        serde_json::json!({ "path": "/data", "mode": "ro" })
    );
    assert_eq!(json["approvals"][0]["severity"], "critical");
    assert_eq!(
        json["limits"],
        serde_json::json!({
            "memoryBytes": 134_217_728, "activeTimeMs": 500, "wallTimeMs": 3_600_000,
            "outputBytes": 67_108_864,
        })
    );
}

#[test]
fn rule_for_a_request_is_the_most_precise_that_admits_it() {
    let manifest = parse(&format!(
        r#"{HEAD}
        [[net]]
        host = "*.mail.example"
        methods = ["GET", "POST"]
        [[net]]
        host = "*.api.mail.example"
        approval = "look"
        [[net]]
        host = "api.mail.example"
        methods = ["POST"]
        approval = "send"
        [[approval]]
        action = "send"
        description = "Send"
        [[approval]]
        action = "look"
        description = "Look"
        "#
    ));
    let rule = |method, scheme, host, port| {
        let rule = manifest.net_rule(method, scheme, host, port);
        rule.map(|rule| rule.approval.as_deref().unwrap_or("free"))
    };
    use Method::{Delete, Get, Post};
    use Scheme::{Http, Https};
    for (method, scheme, host, port, expected) in [
        (Post, Https, "api.mail.example", 443, Some("send")),
        (Post, Https, "API.mail.example", 443, Some("send")),
        (Get, Https, "api.mail.example", 443, Some("free")),
        (Get, Https, "eu.api.mail.example", 443, Some("look")),
        (Post, Https, "eu.api.mail.example", 443, Some("free")),
        (Delete, Https, "api.mail.example", 443, None),
        (Post, Http, "api.mail.example", 80, None),
        (Post, Http, "api.mail.example", 443, None),
        (Post, Https, "api.mail.example", 8443, None),
        (Get, Https, "mail.example", 443, None),
        (Get, Https, "api.mail.example.", 443, None),
        (Get, Https, "evil.io", 443, None),
    ] {
        assert_eq!(
            rule(method, scheme, host, port),
            expected,
            "{method} {host}:{port}"
        );
    }
}

#[test]
fn secret_goes_to_its_own_origin_only() {
    let manifest = parse(FULL);
    let count = |scheme, host, port| manifest.secrets_for(scheme, host, port).count();
    assert_eq!(count(Scheme::Https, "api.mail.example", 443), 1);
    assert_eq!(count(Scheme::Http, "api.mail.example", 80), 0);
    assert_eq!(count(Scheme::Https, "api.mail.example", 8443), 0);
    assert_eq!(count(Scheme::Https, "a.cdn.example", 8443), 0);
}

#[test]
fn plugin_without_a_manifest_has_no_powers() {
    let manifest = Manifest::powerless("hello").expect("is an id");
    assert!(manifest.powers().is_empty());
    assert_eq!(manifest.limits, Limits::DEFAULT);
    let error = Manifest::powerless("My Plugin\u{1b}")
        .expect_err("is no id")
        .to_string();
    assert!(
        error.starts_with("`My Plugin\\u{1b}` is not an id; "),
        "{error}"
    );
}

fn holds_what_it_promises(text: &str) {
    match Manifest::parse(text) {
        Ok(manifest) => {
            assert_eq!(check_plugin_id(&manifest.id), Ok(()));
            for power in manifest.powers() {
                assert!(!power.contains(is_hidden), "{power:?}");
            }
            for secret in &manifest.secrets {
                assert!(secret.host.is_exact());
            }
        }
        Err(error) => {
            let lines = text.split('\n').count();
            assert!(error.line >= 1 && error.line <= lines, "{error}\n{text}");
            assert!(error.column >= 1, "{error}");
            assert!(!error.message.contains(is_hidden), "{error:?}");
        }
    }
}

proptest! {
    #[test]
    fn no_text_makes_parsing_panic(text in "(?s).{0,200}") {
        holds_what_it_promises(&text);
    }

    #[test]
    fn no_small_change_to_a_manifest_makes_parsing_panic(
        at in 0..FULL.len(), cut in 0..12usize, put in "(?s)[\\[\\]\"'=#.*:\\\\\n\r\t 0a\u{0}é\u{202e}]{0,6}"
    ) {
        let end = (at + cut).min(FULL.len());
        holds_what_it_promises(&format!("{}{put}{}", &FULL[..at], &FULL[end..]));
    }

    #[test]
    fn no_value_in_place_of_another_makes_parsing_panic(
        line in 0..FULL.lines().count(), value in "(\"[^\"\\\\\r\n]{0,30}\"|-?[0-9]{1,20}|\\[.{0,9}\\]|\\{.{0,9}\\}|true|1979-05-27)"
    ) {
        let text: Vec<_> = FULL
            .lines()
            .enumerate()
            .map(|(n, text)| match text.split_once(" = ") {
                Some((key, _)) if n == line => format!("{key} = {value}"),
                _ => text.to_owned(),
            })
            .collect();
        holds_what_it_promises(&text.join("\n"));
    }
}

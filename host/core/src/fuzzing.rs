//! Bodies of fuzz targets: each hands bytes to one reader of untrusted input, and panics if the reader
//! breaks a promise.
//!
//! The fuzz targets of the repository run them with libFuzzer, and tests run them on random bytes. The
//! module exists only with the feature `fuzzing`, and is not part of the public interface.

use crate::plugin::description;
use crate::policy::{
    AskMode, Caller, Decision, Effect, Grants, Level, NetRequest, Operation, Powers, Request,
    Target, decide, parse_rules,
};
use crate::sandbox::bindings::exports::footlight::plugin::tools as wire;
use footlight_vocabulary::item::{CallId, SessionId};
use footlight_vocabulary::manifest::{Manifest, Method, Mode, Scheme};

/// Splits text at the first line break.
fn line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// A description: a schema, traits and further members, each on a line, then an input of the tool. The
/// reader accepts or refuses them, and a check of the input ends.
pub fn description(text: &str) {
    let (schema, rest) = line(text);
    let (traits, rest) = line(rest);
    let (more, input) = line(rest);
    let tool = wire::Tool {
        name: "tool".to_owned(),
        description: "Does something.".to_owned(),
        input_schema: schema.to_owned(),
        traits: traits.to_owned(),
    };
    let described = description::read(wire::Description {
        tools: vec![tool],
        more: more.to_owned(),
    });
    let Ok(described) = described else { return };
    if let Ok(input) = serde_json::from_str(input) {
        let first = described.tools[0].check(&input);
        assert_eq!(first, described.tools[0].check(&input));
        for widget in &described.widgets {
            let _ = described.fits(&widget.name, &input);
        }
    }
}

const MANIFEST: &str = r#"
[plugin]
id = "mail"
version = "0.1.0"
api = "0.1"
description = "Mail"
[[net]]
host = "api.mail.example"
methods = ["GET", "POST"]
[[net]]
host = "*.cdn.example"
[[fs]]
path = "/data"
mode = "rw"
[[secret]]
name = "token"
host = "api.mail.example"
header = "authorization"
[[approval]]
action = "mail.send"
description = "Send mail"
"#;

/// A request to a host on the first line and a rules file after it. Whatever the rules say, what the
/// manifest does not declare is denied, a rule that denies wins, and nobody is asked who is not there.
pub fn policy(text: &str) {
    let (request, rules) = line(text);
    let Ok(rules) = parse_rules(rules) else {
        return;
    };
    let manifest = Manifest::parse(MANIFEST).expect("the manifest is valid");
    let mut words = request.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let (method, host, secret) = (Method::parse(word()), word(), word());
    let (session, call) = (SessionId::from("s"), CallId::from("c"));
    let secrets = [secret];
    let net = NetRequest {
        method: method.unwrap_or(Method::Get),
        scheme: Scheme::Https,
        host,
        port: 443,
        path: "/",
        bytes: 0,
        secrets: if secret.is_empty() { &[] } else { &secrets },
        read_only: false,
        action: None,
    };
    let folder = Operation::Folder {
        path: host,
        mode: Mode::ReadWrite,
        offered: None,
    };
    let secret = Operation::Secret {
        name: host,
        scheme: Scheme::Https,
        host: "api.mail.example",
        port: 443,
    };
    let approval = Operation::Approval {
        action: host,
        subject: secret_subject(request),
        reason: "",
        details: None,
    };
    for operation in [Operation::Net(net), folder, secret, approval] {
        let is_declared = match &operation {
            Operation::Net(net) => manifest
                .net_rule(net.method, net.scheme, net.host, net.port)
                .is_some(),
            Operation::Folder { path, .. } => *path == "/data",
            Operation::Secret { name, .. } => *name == "token",
            _ => manifest.approval(host).is_some(),
        };
        let is_power = !matches!(operation, Operation::Approval { .. });
        let request = Request {
            session: &session,
            person: "ada",
            call: &call,
            digest: "0",
            tool: "draft",
            input: "{}",
            caller: Caller::Model,
            powers: Powers::default(),
            tainted: false,
            reachable: false,
            approved: None,
            operation,
        };
        let decision = decide(&manifest, &rules, &Grants::default(), &request);
        assert!(
            !matches!(decision, Decision::Ask { .. }),
            "nobody can be asked"
        );
        let is_allowed = matches!(decision, Decision::Allow { .. });
        assert!(is_declared || !is_allowed, "undeclared and allowed");
        let named = |effect| {
            let rules = rules.rules.iter();
            rules.filter(move |rule| rule.effect == effect && rule.plugin == "mail")
        };
        if is_power && is_allowed {
            let grants = named(Effect::Allow).filter(|rule| rule.is_power()).count();
            assert!(grants > 0, "a power without a rule that grants it");
            assert!(net.secrets.is_empty() || !matches!(request.operation, Operation::Net(_)));
        }
        let denies_hosts = named(Effect::Deny)
            .any(|rule| matches!(&rule.target, Target::Host(name) if name.matches(host)));
        if let (true, Operation::Net(_)) = (denies_hosts, &request.operation) {
            let by_build = named(Effect::Deny).all(|rule| rule.build == crate::policy::Build::Any);
            let by_subject =
                named(Effect::Deny).all(|rule| rule.subject == crate::policy::Subject::Any);
            assert!(
                !(is_allowed && by_build && by_subject),
                "denied and allowed"
            );
        }
        let strict = rules.level == Level::Deny || rules.ask == AskMode::Always;
        assert!(!(strict && is_allowed), "allowed without a person");
    }
}

fn secret_subject(request: &str) -> &str {
    request.rsplit(' ').next().unwrap_or_default()
}

/// The response of a provider: two bytes choose the wire format and the size of the pieces that it
/// arrives in. However it is cut, it is decoded to the same answer, and nothing follows the end.
#[cfg(feature = "models")]
pub fn response(bytes: &[u8]) {
    use crate::model::fuzzing::decode;
    let [format, size, body @ ..] = bytes else {
        return;
    };
    let (whole, failed) = decode(*format, body, body.len().max(1));
    let (pieces, failed_in_pieces) = decode(*format, body, usize::from(*size).max(1));
    assert_eq!(failed, failed_in_pieces);
    // A response that fails may do so before or after the deltas of its last piece.
    assert!(failed.is_some() || whole == pieces);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    /// JSON-like and TOML-like text, so that readers get beyond the first character.
    fn texts(words: &'static [&'static str]) -> impl Strategy<Value = String> {
        let words = proptest::sample::select(words).prop_map(str::to_owned);
        let piece = prop_oneof![8 => words, 1 => ".{0,3}"];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    const SCHEMA: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\n",
        "\"type\"",
        "\"object\"",
        "\"properties\"",
        "\"a\"",
        "\"pattern\"",
        "\"^(a+)+$\"",
        "\"$ref\"",
        "\"#/properties/a\"",
        "\"contains\"",
        "\"enum\"",
        "\"widgets\"",
        "\"name\"",
        "\"schema\"",
        "{\"type\":\"object\"}",
        "1",
        "true",
        "null",
        "\"maxItems\"",
        "\"allOf\"",
        "\"not\"",
        "{}",
        "\n{}\n{}\n",
    ];

    const RULES: &[&str] = &[
        "GET",
        "POST",
        " ",
        "api.mail.example",
        "x.cdn.example",
        "/data",
        "token",
        "mail.send",
        "evil.example",
        "\n",
        "level = \"full\"\n",
        "level = \"deny\"\n",
        "ask = \"always\"\n",
        "ask = \"off\"\n",
        "[[allow]]\n",
        "[[deny]]\n",
        "plugin = \"mail\"\nbuild = \"any\"\n",
        "subject = \"any\"\n",
        "host = \"api.mail.example\"\n",
        "host = \"*\"\n",
        "tool = \"*\"\n",
        "secret = \"token\"\n",
        "secret = \"*\"\n",
        "action = \"mail.send\"\n",
        "folder = \"/data\"\npath = \"/srv/ada\"\nmode = \"rw\"\n",
        "subject = \"none\"\n",
    ];

    #[cfg(feature = "models")]
    const EVENTS: &[&str] = &[
        "data: ",
        "event: ",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "[DONE]",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"choices\"",
        "\"delta\"",
        "\"content\"",
        "\"tool_calls\"",
        "\"index\"",
        "\"type\"",
        "\"message_start\"",
        "\"content_block_delta\"",
        "\"text_delta\"",
        "\"text\"",
        "\"a\"",
        "0",
        "\"response.completed\"",
        "\"response.output_text.delta\"",
        "\"finish_reason\"",
        "\"stop\"",
        "data: {\"choices\":[{\"delta\":{\"content\":\"é\"}}]}\n\n",
        "null",
        "\"error\"",
        "<html>",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn any_description_is_read_or_refused(text in texts(SCHEMA)) {
            super::description(&text);
        }

        #[test]
        fn no_rules_allow_what_is_undeclared_or_denied(text in texts(RULES)) {
            super::policy(&text);
        }

        #[cfg(feature = "models")]
        #[test]
        fn a_response_is_decoded_alike_however_it_is_cut(
            head in any::<[u8; 2]>(),
            text in texts(EVENTS),
        ) {
            super::response(&[&head, text.as_bytes()].concat());
        }
    }
}

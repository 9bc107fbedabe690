//! The pure decision about URLs and addresses, as tables and with arbitrary texts.

use super::super::{Destination, DestinationError, check_address};
use crate::fuzzing::egress::{check_one_address, check_url};
use footlight_vocabulary::manifest::Manifest;
use proptest::prelude::*;
use std::net::IpAddr;

const MANIFEST: &str = r#"
[plugin]
id = "net"
version = "0.1.0"
api = "0.1"
description = "Reaches hosts"
[[net]]
host = "api.example.com"
methods = ["GET", "POST"]
[[net]]
host = "api.example.com:8443"
[[net]]
host = "plain.example.com"
scheme = "http"
[[net]]
host = "localhost:8080"
scheme = "http"
[[net]]
host = "*.example.org"
[[net]]
host = "xn--bcher-kva.example"
[[net]]
host = "127.0.0.1:8080"
scheme = "http"
[[net]]
host = "[2606:4700::1111]"
"#;

/// Returns what becomes of a request: its method and URL, or a word for why it is not sent.
fn decide(manifest: &Manifest, method: &str, url: &str) -> String {
    let destination = match Destination::parse(method, url) {
        Ok(destination) => destination,
        Err(error) => {
            let word = match error {
                DestinationError::Method => "method",
                DestinationError::TooLong => "too long",
                DestinationError::Relative => "relative",
                DestinationError::Character => "character",
                DestinationError::User => "user",
                DestinationError::Fragment => "fragment",
                DestinationError::Spelling(_) => "spelling",
                DestinationError::Malformed => "malformed",
            };
            return word.to_owned();
        }
    };
    let Destination {
        method,
        scheme,
        host,
        port,
        address,
        path,
    } = &destination;
    let Some(rule) = manifest.net_rule(*method, *scheme, host, *port) else {
        return "undeclared".to_owned();
    };
    if let Some(address) = address.filter(|_| !rule.host.is_address())
        && let Err(kind) = check_address(address)
    {
        return format!("{kind:?}");
    }
    format!("{}{path}", destination.origin())
}

/// Reads the escapes of the table.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next().expect("an escape") {
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'n' => out.push('\n'),
            '0' => out.push('\0'),
            'u' => {
                let code: String = rest.by_ref().skip(1).take_while(|c| *c != '}').collect();
                let code = u32::from_str_radix(&code, 16).expect("hexadecimal");
                out.push(char::from_u32(code).expect("a character"));
            }
            other => out.push(other),
        }
    }
    out
}

fn rows(table: &str) -> impl Iterator<Item = &str> {
    let rows = table.lines();
    rows.filter(|row| !row.is_empty() && !row.starts_with('#'))
}

#[test]
fn every_url_has_one_defined_answer() {
    let manifest = Manifest::parse(MANIFEST).expect("valid");
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in rows(include_str!("urls.txt")) {
        let (request, expected) = row.rsplit_once(" | ").expect("a request and an answer");
        let (method, url) = request.split_once(' ').expect("a method and a URL");
        let (method, url) = (unescaped(method), unescaped(url));
        let answer = decide(&manifest, &method, &url);
        if answer != expected {
            wrong.push(format!("{row}\n    is {answer}"));
        }
        check_url(&url);
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 120, "{count}");
    let long = format!("https://api.example.com/{}", "x".repeat(9_000));
    assert_eq!(decide(&manifest, "GET", &long), "too long");
}

#[test]
fn every_address_is_of_one_range() {
    let mut wrong = Vec::new();
    for row in rows(include_str!("addresses.txt")) {
        let (address, expected) = row.split_once(' ').expect("an address and a range");
        let address: IpAddr = address.parse().expect("an address");
        let kind = match check_address(address) {
            Ok(()) => "public".to_owned(),
            Err(kind) => format!("{kind:?}"),
        };
        if kind != expected {
            wrong.push(format!("{row}\n    is {kind}"));
        }
        check_one_address(address);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How often each property is tried; more with `PROPTEST_CASES`.
fn config() -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok();
    let cases = asked.and_then(|cases| cases.parse().ok()).unwrap_or(2_000);
    ProptestConfig {
        cases,
        ..ProptestConfig::default()
    }
}

/// Pieces from which URLs are made that are almost right.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "https", "http", "://", ":", "/", "//", "@", "#", "?", "\\", "%", "%2e", "%40", "%00", ".",
            "..", "api.example.com", "example", "com", "127.0.0.1", "0x7f", "0177", "1", "2130706433",
            "[", "]", "::1", "::ffff:", "443", "80", "xn--", "xn--bcher-kva", "ü", "。", "\u{200b}",
            "\t", "\n", " ", "*", "_", "-", "%25eth0", "localhost", "user", "A",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    let rest = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
    (
        prop::sample::select(vec!["", "https://", "http://", "HTTPS://"]),
        rest,
    )
        .prop_map(|(start, rest)| format!("{start}{rest}"))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_accepted_means_the_same_to_another_parser(url in pieces()) {
        check_url(&url);
    }

    #[test]
    fn any_text_is_parsed_without_a_panic(url in any::<String>()) {
        check_url(&url);
    }

    #[test]
    fn no_embedded_address_is_judged_more_kindly_than_itself(bits in any::<u128>(), low in any::<u32>()) {
        check_one_address(IpAddr::V6(bits.into()));
        check_one_address(IpAddr::V4(low.into()));
        for prefix in [0xffff_u128 << 32, 0x64_ff9b << 96, 0x2002 << 112, 0] {
            check_one_address(IpAddr::V6((prefix | u128::from(low)).into()));
        }
    }
}

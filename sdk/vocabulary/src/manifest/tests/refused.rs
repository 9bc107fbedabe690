//! Manifests that are refused: each with its place, marked `¦`, and part of the words.

use super::super::*;
use super::{HEAD, parse};

/// Reads a manifest in which `¦` marks the place that must be blamed.
fn refused(marked: &str) -> ManifestError {
    let (before, _) = marked.split_once('¦').expect("the place is marked");
    let (line, column) = (before.split('\n').count(), before.split('\n').next_back());
    let text = marked.replacen('¦', "", 1);
    let error = Manifest::parse(&text).expect_err(marked);
    let place = (line, column.map_or(0, |head| head.chars().count()) + 1);
    assert_eq!((error.line, error.column), place, "{error}\n{marked}");
    assert!(!error.message.contains(char::is_control), "{error:?}");
    error
}

/// Reads a table of cases: lines of a manifest, then `--> ` and part of the message.
fn check(head: &str, cases: &str) {
    let mut marked = head.to_owned();
    for line in cases.lines() {
        let Some(message) = line.strip_prefix("--> ") else {
            marked.push_str(line);
            marked.push('\n');
            continue;
        };
        let error = refused(&marked);
        assert!(
            error.message.contains(message),
            "{error}\nis not\n{message}"
        );
        head.clone_into(&mut marked);
    }
    assert_eq!(marked.trim(), head.trim(), "every case ends in its message");
}

#[test]
fn error_reads_as_a_sentence_with_its_place_and_line() {
    let error = Manifest::parse("[plugin]\nid = \"weather\"\nverzion = \"1.0.0\"\n");
    assert_eq!(
        error.expect_err("has a misspelt key").to_string(),
        "line 3, column 1: unknown key `verzion` in [plugin]; it may have `id`, `version`, `api`, \
         `description`, `homepage`, `license`\n 3 | verzion = \"1.0.0\"\n   | ^"
    );
}

#[test]
fn broken_head_is_refused_at_its_place() {
    check(
        "",
        r##"
plugin = ¦1
--> must be a table, not a value of type integer

¦[plugin]
--> [plugin] lacks `id`; add id = "weather"

[plugin]
id = ¦7
--> `id` must be a string

[plugin]
id = ¦"Mail"
--> `Mail` is not an id

[plugin]
id = ¦"a__b"
--> `a__b` is not an id

[plugin]
id = ¦"todo_"
--> `todo_` is not an id

[plugin]
id = ¦"system"
--> `system` is reserved

[plugin]
id = ¦"file_todo"
--> `file_todo` begins with `file_`

[plugin]
  id = ¦"m\u001b[2J"
--> U+001B

[plugin]
id = ¦"м"
--> is not an id

¦[plugin]
id = "m"
--> lacks `version`

[plugin]
id = "m"
version = ¦"1.0"
--> `1.0` is not a version

[plugin]
id = "m"
version = ¦1.0
--> `version` must be a string, not a value of type float

¦[plugin]
id = "m"
version = "1.0.0"
--> lacks `api`

[plugin]
api = ¦"0.2"
--> this plugin needs contract 0.2, this host implements 0.1; update the host, or rebuild

news = 1
[plugin]
api = ¦"1.0"
kind = 2
--> this plugin needs contract 1.0

[plugin]
api = ¦"latest"
--> `latest` is not a version of the contract

[plugin]
id = "m"
version = "1.0.0"
api = ¦0.1
--> `api` must be a string

¦[plugin]
id = "m"
version = "1.0.0"
api = "0.1"
--> lacks `description`

[plugin]
id = "m"
¦id = "n"
--> duplicate key

[plugin]
id = "m"
¦homepge = "x"
--> unknown key `homepge` in [plugin]

[plugin]
id = "m"
[¦tool]
name = "x"
--> unknown key `tool` in a manifest

[plugin]
id = ¦m
--> not TOML

[plugin]
id ¦"m"
--> not TOML
"##,
    );
}

#[test]
fn invalid_plugin_sections_are_refused_with_their_position() {
    check(
        "[plugin]\nid = \"m\"\nversion = \"1.0.0\"\napi = \"0.1\"\n",
        r##"
description = ¦""
--> `description` is empty

description = ¦"  "
--> `description` is empty

description = ¦"two\nlines"
--> U+000A

description = ¦"""two
lines"""
--> U+000A

description = ¦"\u202Eabc"
--> U+202E

description = "d"
homepage = ¦"http://a.example"
--> is not a page's address

description = "d"
homepage = ¦"https://u@a.example"
--> is not a page's address

description = "d"
homepage = ¦"https://"
--> is not a page's address

description = "d"
homepage = ¦"https://a.example/ x"
--> is not a page's address

description = "d"
license = ¦true
--> `license` must be a string
"##,
    );
}

#[test]
fn invalid_powers_are_refused_with_their_position() {
    let (_, cases) = include_str!("powers.txt")
        .split_once("----\n")
        .expect("has a rule");
    check(HEAD, cases);
}

#[test]
fn secret_is_refused_unless_one_exact_host_gets_it_safely() {
    const NET: &str = r#"
[[net]]
host = "a.example"
[[net]]
host = "*.wild.example"
[[net]]
host = "plain.example"
scheme = "http"
[[net]]
host = "localhost"
[[net]]
host = "localhost"
scheme = "http"
[[net]]
host = "b.example:8443"
"#;
    let secret = |host: &str, header: &str| {
        format!("{HEAD}{NET}[[secret]]\nname = \"token\"\nhost = {host}\nheader = {header}\n")
    };
    let good = "\"authorization\"";
    for (text, message) in [
        (
            secret("¦\"*.wild.example\"", good),
            "a secret is never sent to `*.wild.example`",
        ),
        (
            secret("¦\"x.wild.example\"", good),
            "no [[net]] lists exactly `x.wild.example`",
        ),
        (
            secret("¦\"c.example\"", good),
            "no [[net]] lists exactly `c.example`",
        ),
        (
            secret("¦\"b.example\"", good),
            "no [[net]] lists exactly `b.example`",
        ),
        (
            secret("¦\"a.example:8443\"", good),
            "no [[net]] lists exactly `a.example:8443`",
        ),
        (
            secret("¦\"plain.example\"", good),
            "reached over http, where a secret could be read",
        ),
        (secret("¦\"localhost\"", good), "write the port of the one"),
        (
            secret("\"a.example\"", "¦\"Authorization\""),
            "is not a header's name in lower case",
        ),
        (
            secret("\"a.example\"", "¦\"x y\""),
            "is not a header's name",
        ),
        (secret("\"a.example\"", "¦\"\""), "is not a header's name"),
        (
            secret("\"a.example\"", "¦\"host\""),
            "the header `host` cannot carry a secret",
        ),
        (
            secret("\"a.example\"", "¦\"content-length\""),
            "cannot carry a secret",
        ),
        (
            secret("\"a.example\"", "¦\"transfer-encoding\""),
            "cannot carry a secret",
        ),
        (
            secret("\"a.example\"", "¦\"proxy-authorization\""),
            "cannot carry a secret",
        ),
        (
            secret("\"a.example\"", "\"x-key\"\nprefix = ¦\"é\""),
            "cannot stand before a secret",
        ),
        (
            secret("\"a.example\"", "\"x-key\"\nprefix = ¦\"a\\r\\nb: \""),
            "U+000D",
        ),
        (
            secret("\"a.example\"", "\"x-key\"").replace("\"token\"", "¦\"my token\""),
            "`my token` is no name for a secret",
        ),
        (
            secret(
                "\"a.example\"",
                "\"x-key\"\n[[secret]]\nname = \"b\"\nhost = \"a.example:443\"\nheader = ¦\"x-key\"",
            ),
            "`a.example` already gets a secret in `x-key`",
        ),
    ] {
        let error = refused(&text);
        assert!(
            error.message.contains(message),
            "{error}\nis not\n{message}"
        );
    }
    for (host, port, scheme) in [
        ("a.example", 443, Scheme::Https),
        ("b.example:8443", 8443, Scheme::Https),
        ("localhost:80", 80, Scheme::Http),
        ("localhost:443", 443, Scheme::Https),
    ] {
        let manifest = parse(&secret(&format!("\"{host}\""), good));
        let secret = &manifest.secrets[0];
        assert_eq!((secret.port, secret.scheme), (port, scheme), "{host}");
    }
}

#[test]
fn manifest_beyond_its_size_or_count_is_refused() {
    let large = format!("{HEAD}#{}", "x".repeat(MAX_BYTES));
    let error = Manifest::parse(&large).expect_err("too large").to_string();
    assert!(
        error.starts_with("line 1, column 1: the manifest has "),
        "{error}"
    );
    let fits = format!("{HEAD}#{}", "x".repeat(MAX_BYTES - HEAD.len() - 1));
    assert!(Manifest::parse(&fits).is_ok());
    let net = |n: usize| -> String {
        let rules = (0..n).map(|i| format!("[[net]]\nhost = \"h{i}.example\"\n"));
        format!("{HEAD}{}", rules.collect::<String>())
    };
    assert_eq!(parse(&net(64)).net.len(), 64);
    let error = Manifest::parse(&net(65)).expect_err("too many");
    assert_eq!(error.message, "more than 64 [[net]] entries; list fewer");
    let words: Vec<_> = (0..65).map(|n| format!("\"{n}\"")).collect();
    let many = format!(
        "{HEAD}[[net]]\nhost = \"a.example\"\nmethods = [{}]",
        words.join(",")
    );
    let error = Manifest::parse(&many).expect_err("too many");
    assert_eq!(
        error.message,
        "more than 64 entries in `methods`; list fewer"
    );
}

#[test]
fn deep_nesting_is_refused_and_does_not_exhaust_the_stack() {
    let dotted = vec!["x"; 32_000].join(".");
    for deep in [
        format!("x = {}", "[".repeat(60_000)),
        format!("x = {}{}", "[".repeat(30_000), "]".repeat(30_000)),
        format!("x = {}", "{x=".repeat(20_000)),
        format!("{dotted} = 1"),
        format!("[{dotted}]"),
        format!("[[{dotted}]]"),
        format!("x = {{ {dotted} = 1 }}"),
        "[[x.x]]\n".repeat(7_000),
        format!("[x]\n{}", "[[x.x.x.x.x]]\n".repeat(3_000)),
    ] {
        assert!(deep.len() <= MAX_BYTES);
        assert!(Manifest::parse(&deep).is_err());
    }
}

#[test]
fn blank_and_invisible_text_is_refused_with_its_position() {
    for (marked, message) in [
        ("¦", "lacks [plugin]"),
        ("¦# nothing\n", "lacks [plugin]"),
        ("[plugin]\nid = \"m¦\n", "not TOML"),
        ("[plugin]\n# hi ¦\0\n", "invisible character U+0000"),
        (
            "[plugin]\n# ¦\u{202a}x\u{202c}",
            "invisible character U+202A",
        ),
        ("[plugin]\nid = \"¦\u{7f}\"\n", "U+007F"),
        ("[plugin]\nid = \"¦\u{9b}\"\n", "U+009B"),
        ("[plugin]\n¦\u{feff}id = \"m\"\n", "U+FEFF"),
    ] {
        let error = refused(marked);
        assert!(
            error.message.contains(message),
            "{error}\nis not\n{message}"
        );
    }
    let long = format!("description = \"{}\"", "é".repeat(301));
    let error = Manifest::parse(&HEAD.replace("description = \"Reads and sends mail\"", &long));
    let error = error.expect_err("one character too many");
    assert_eq!(
        error.message,
        "`description` has 301 characters; it may have at most 300"
    );
}

//! `[[secret]]`: secrets that the host adds to requests.
//!
//! The host writes the secret into one header of requests to one host; the guest never sees it.
//!
//! Invariant: a secret goes to one exact host, over https unless that is this machine. A wildcard
//! would send it to anyone who can register a name.

use super::MAX_DESCRIPTION;
use super::host::HostPattern;
use super::net::{NetRule, Scheme, authority, read_authority};
use crate::function::is_id;
use crate::toml_reader::{Checked, Table, Text};
use serde::Serialize;

/// A secret, and the header and host it is sent in and to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Secret {
    /// The name under which a person stores the secret. Two entries can share one.
    pub name: String,
    /// The host, always exact.
    pub host: HostPattern,
    /// The port of the matching [`NetRule`].
    pub port: u16,
    /// The scheme of the matching [`NetRule`].
    pub scheme: Scheme,
    /// The header, in lower case.
    pub header: String,
    /// The text before the secret in the header, such as `Bearer `; can be empty.
    pub prefix: String,
    /// Where a person gets one, in the author's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl Secret {
    /// Reports whether requests to this origin carry the secret.
    #[must_use]
    pub fn matches(&self, scheme: Scheme, host: &str, port: u16) -> bool {
        self.scheme == scheme && self.port == port && self.host.matches(host)
    }

    /// Returns the host as a grant names it: with the port, unless it is the default one of `https`.
    #[must_use]
    pub fn authority(&self) -> String {
        authority(&self.host, self.port, self.scheme)
    }
}

/// Headers that control routing or framing of a message; a secret must not replace them.
#[rustfmt::skip]
const FRAMING: &[&str] = &[
    "connection", "content-encoding", "content-length", "content-type", "expect", "forwarded",
    "host", "http2-settings", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "via",
];

pub(super) const KEYS: &[&str] = &["name", "host", "header", "prefix", "description"];

pub(super) fn read(tables: &[Table<'_>], rules: &[NetRule]) -> Checked<Vec<Secret>> {
    let mut secrets: Vec<Secret> = Vec::new();
    for table in tables {
        let name = table.require_text("name", "token")?;
        if !is_id(name.value) {
            return Err(name.refused(
                "is no name for a secret; write up to 31 lower-case letters, digits and single `_`, such as \"token\"",
            ));
        }
        let host = table.require_text("host", "api.example.com")?;
        let (host, port, scheme) = read_target(&host, rules)?;
        let header = table.require_text("header", "authorization")?;
        check_header(&header)?;
        let secret = Secret {
            name: name.value.to_owned(),
            host,
            port,
            scheme,
            header: header.value.to_owned(),
            prefix: read_prefix(table)?,
            description: table.sentence("description", MAX_DESCRIPTION)?,
        };
        if secrets.iter().any(|other| {
            (&other.host, other.port, &other.header) == (&secret.host, secret.port, &secret.header)
        }) {
            let (host, own) = (secret.authority(), secret.header);
            return Err(header.error(format!(
                "`{host}` already gets a secret in `{own}`; keep one"
            )));
        }
        secrets.push(secret);
    }
    Ok(secrets)
}

/// Finds the one origin among the `[[net]]` rules that has the secret's host.
fn read_target(text: &Text<'_>, rules: &[NetRule]) -> Checked<(HostPattern, u16, Scheme)> {
    let (host, port) = read_authority(text)?;
    if !host.is_exact() {
        let message = format!("a secret is never sent to `{host}`; name one exact host");
        return Err(text.error(message));
    }
    let mut origins: Vec<(u16, Scheme)> = Vec::new();
    let mut unencrypted = false;
    for rule in rules {
        if rule.host != host || rule.port != port.unwrap_or(rule.scheme.default_port()) {
            continue;
        }
        if rule.scheme == Scheme::Http && !host.is_loopback() {
            unencrypted = true;
        } else if !origins.contains(&(rule.port, rule.scheme)) {
            origins.push((rule.port, rule.scheme));
        }
    }
    match *origins {
        [(port, scheme)] => Ok((host, port, scheme)),
        [] if unencrypted => Err(text.error(format!(
            "`{host}` is reached over http, where a secret could be read; use https"
        ))),
        [] => Err(text.error(format!(
            "no [[net]] lists exactly `{}`; a secret goes only to a host that is listed by itself",
            text.quoted()
        ))),
        _ => Err(text.error(format!(
            "`{host}` is reached over http and https; write the port of the one that gets the secret"
        ))),
    }
}

fn check_header(header: &Text<'_>) -> Checked<()> {
    let name = header.value;
    let is_token =
        |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"!#$%&'*+-.^_`|~".contains(&b);
    if name.is_empty() || name.len() > 64 || !name.bytes().all(is_token) {
        return Err(header
            .refused("is not a header's name in lower case; write one such as \"authorization\""));
    }
    if FRAMING.contains(&name) || name.starts_with("proxy-") || name.starts_with("sec-") {
        return Err(header.error(format!(
            "the header `{name}` cannot carry a secret; use one such as \"authorization\""
        )));
    }
    Ok(())
}

fn read_prefix(table: &Table<'_>) -> Checked<String> {
    let Some(prefix) = table.text("prefix")? else {
        return Ok(String::new());
    };
    let is_visible = |b: u8| b == b' ' || b.is_ascii_graphic();
    let visible = prefix.value.bytes().all(is_visible);
    if !visible || prefix.value.starts_with(' ') || prefix.value.len() > 64 {
        return Err(prefix.refused(
            "cannot stand before a secret; write at most 64 visible ASCII characters, such as \"Bearer \"",
        ));
    }
    Ok(prefix.value.to_owned())
}

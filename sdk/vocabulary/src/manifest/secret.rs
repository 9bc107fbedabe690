//! `[[secret]]`: which secret the host adds to which requests.
//!
//! The guest never sees it: the host puts it into one header of requests to one place.
//!
//! Invariant: a secret goes to one exact host, over https (or to this machine itself). A wildcard
//! would send it to whoever can register a name.

use super::MAX_DESCRIPTION;
use super::error::{Checked, shown};
use super::host::HostPattern;
use super::net::{NetRule, Scheme, authority, read_place};
use super::reader::{Table, Text};
use crate::function::is_id;
use serde::Serialize;

/// One secret and the one header, at one place, that it goes into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Secret {
    /// What the person calls it: `footlight secrets set <plugin> <name>`. Two entries may share
    /// a secret.
    pub name: String,
    /// Where to: always exact.
    pub host: HostPattern,
    /// The port, that of a [`NetRule`].
    pub port: u16,
    /// The scheme, that of a [`NetRule`].
    pub scheme: Scheme,
    /// Which header, in lower case.
    pub header: String,
    /// What stands before the secret in the header, such as `Bearer `; often nothing.
    pub prefix: String,
    /// Where a person gets one, in the author's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl Secret {
    /// Whether requests to this place carry the secret.
    #[must_use]
    pub fn matches(&self, scheme: Scheme, host: &str, port: u16) -> bool {
        self.scheme == scheme && self.port == port && self.host.matches(host)
    }

    /// The host as a URL writes it: with the port where that is not the scheme's own.
    #[must_use]
    pub fn authority(&self) -> String {
        authority(&self.host, self.port, self.scheme)
    }
}

/// Headers that say how a message travels; a secret in them would change where it goes or ends.
const FRAMING: &[&str] = &[
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "forwarded",
    "host",
    "http2-settings",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
];

pub(super) const KEYS: &[&str] = &["name", "host", "header", "prefix", "description"];

pub(super) fn read(tables: &[Table<'_>], rules: &[NetRule]) -> Checked<Vec<Secret>> {
    let mut secrets: Vec<Secret> = Vec::new();
    for table in tables {
        let name = table.need("name", "token")?;
        if !is_id(name.value) {
            return Err(name.refuse(format!(
                "`{}` is no name for a secret; write up to 31 lower-case letters, digits and single `_`, such as \"token\"",
                shown(name.value)
            )));
        }
        let (host, port, scheme) = read_target(&table.need("host", "api.example.com")?, rules)?;
        let header = table.need("header", "authorization")?;
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
            return Err(header.refuse(format!(
                "`{}` already gets a secret in `{}`; keep one",
                secret.authority(),
                secret.header
            )));
        }
        secrets.push(secret);
    }
    Ok(secrets)
}

/// Finds the one place among the `[[net]]` rules that the secret's host means.
fn read_target(text: &Text<'_>, rules: &[NetRule]) -> Checked<(HostPattern, u16, Scheme)> {
    let (host, port) = read_place(text)?;
    if !host.is_exact() {
        return Err(text.refuse(format!(
            "a secret is never sent to `{host}`; name one exact host"
        )));
    }
    let mut places: Vec<(u16, Scheme)> = Vec::new();
    let mut in_the_clear = false;
    for rule in rules {
        if rule.host != host || rule.port != port.unwrap_or(rule.scheme.default_port()) {
            continue;
        }
        if rule.scheme == Scheme::Http && !host.is_loopback() {
            in_the_clear = true;
        } else if !places.contains(&(rule.port, rule.scheme)) {
            places.push((rule.port, rule.scheme));
        }
    }
    match *places {
        [(port, scheme)] => Ok((host, port, scheme)),
        [] if in_the_clear => Err(text.refuse(format!(
            "`{host}` is reached over http, where a secret could be read; use https"
        ))),
        [] => Err(text.refuse(format!(
            "no [[net]] lists exactly `{}`; a secret goes only to a host that is listed by itself",
            shown(text.value)
        ))),
        _ => Err(text.refuse(format!(
            "`{host}` is reached over http and https; write the port of the one that gets the secret"
        ))),
    }
}

fn check_header(header: &Text<'_>) -> Checked<()> {
    let name = header.value;
    let is_token =
        |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"!#$%&'*+-.^_`|~".contains(&b);
    if name.is_empty() || name.len() > 64 || !name.bytes().all(is_token) {
        return Err(header.refuse(format!(
            "`{}` is not a header's name in lower case; write one such as \"authorization\"",
            shown(name)
        )));
    }
    if FRAMING.contains(&name) || name.starts_with("proxy-") || name.starts_with("sec-") {
        return Err(header.refuse(format!(
            "the header `{name}` cannot carry a secret; use one such as \"authorization\""
        )));
    }
    Ok(())
}

fn read_prefix(table: &Table<'_>) -> Checked<String> {
    let Some(prefix) = table.text("prefix")? else {
        return Ok(String::new());
    };
    let visible = prefix
        .value
        .bytes()
        .all(|b| b == b' ' || b.is_ascii_graphic());
    if !visible || prefix.value.starts_with(' ') || prefix.value.len() > 64 {
        return Err(prefix.refuse(format!(
            "`{}` cannot stand before a secret; write at most 64 visible ASCII characters, such as \"Bearer \"",
            shown(prefix.value)
        )));
    }
    Ok(prefix.value.to_owned())
}

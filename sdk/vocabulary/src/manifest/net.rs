//! `[[net]]`: hosts the plugin asks to reach.
//!
//! A rule is one scheme, one port, one [`HostPattern`], a list of methods and optionally an action
//! that needs approval. A request that no rule [admits](NetRule::admits) is denied.

use super::MAX_ENTRIES;
use super::approval::Approval;
use super::host::HostPattern;
use super::name::is_number;
use crate::toml_reader::{Checked, Table, Text, TomlError, find_word, quoted, word_of};
use serde::Serialize;
use std::fmt;

/// Requests that a person can grant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NetRule {
    /// The hosts.
    pub host: HostPattern,
    /// The port; the scheme's default unless the manifest names another.
    pub port: u16,
    /// The scheme.
    pub scheme: Scheme,
    /// The methods, in the order of the manifest.
    pub methods: Vec<Method>,
    /// The action that a person must approve for each request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<String>,
}

/// The scheme of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheme {
    /// HTTP over TLS.
    #[default]
    Https,
    /// Unencrypted HTTP; the manifest must name it.
    Http,
}

/// The method of a request. A closed set: other methods cannot be granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "they are HTTP's")]
pub enum Method {
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
    Options,
}

impl NetRule {
    /// Reports whether the rule covers an origin, whatever the method.
    #[must_use]
    pub fn matches(&self, scheme: Scheme, host: &str, port: u16) -> bool {
        self.scheme == scheme && self.port == port && self.host.matches(host)
    }

    /// Reports whether the rule covers a request.
    #[must_use]
    pub fn admits(&self, method: Method, scheme: Scheme, host: &str, port: u16) -> bool {
        self.methods.contains(&method) && self.matches(scheme, host, port)
    }

    /// Returns the host as a grant names it: with the port, unless it is the default one of `https`.
    #[must_use]
    pub fn authority(&self) -> String {
        authority(&self.host, self.port, self.scheme)
    }
}

/// Returns the host as a grant names it. Only the default port of `https` goes without saying: a yes to
/// encrypted requests is none to requests in the clear.
pub fn authority(host: &impl fmt::Display, port: u16, scheme: Scheme) -> String {
    match port == scheme.default_port() && scheme == Scheme::Https {
        true => host.to_string(),
        false => format!("{host}:{port}"),
    }
}

impl Scheme {
    const WORDS: &[(&str, Self)] = &[("https", Self::Https), ("http", Self::Http)];

    /// Parses the scheme of a URL, in lower case.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        find_word(Self::WORDS, word)
    }

    /// Returns the scheme as a URL writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        word_of(Self::WORDS, self)
    }

    /// Returns the port of a URL that names none.
    #[must_use]
    pub fn default_port(self) -> u16 {
        match self {
            Self::Https => 443,
            Self::Http => 80,
        }
    }
}

impl Method {
    const WORDS: &[(&str, Self)] = &[
        ("GET", Self::Get),
        ("HEAD", Self::Head),
        ("POST", Self::Post),
        ("PUT", Self::Put),
        ("PATCH", Self::Patch),
        ("DELETE", Self::Delete),
        ("OPTIONS", Self::Options),
    ];

    /// Parses a method. Methods are case-sensitive.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        find_word(Self::WORDS, word)
    }

    /// Returns the method as a request writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        word_of(Self::WORDS, self)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

pub(super) const KEYS: &[&str] = &["host", "methods", "scheme", "approval"];

pub(super) fn read(tables: &[Table<'_>], approvals: &[Approval]) -> Checked<Vec<NetRule>> {
    let mut rules: Vec<NetRule> = Vec::new();
    for table in tables {
        let authority = table.require_text("host", "api.example.com")?;
        let (host, port) = read_authority(&authority)?;
        let scheme = match table.text("scheme")? {
            Some(word) => word.one_of("scheme", Scheme::WORDS)?,
            None => Scheme::default(),
        };
        let rule = NetRule {
            host,
            port: port.unwrap_or(scheme.default_port()),
            scheme,
            methods: read_methods(table)?,
            approval: read_approval(table, approvals)?,
        };
        // Two rules for one request could disagree about its approval.
        let twice = rules.iter().filter(|other| {
            (&other.host, other.port, other.scheme) == (&rule.host, rule.port, rule.scheme)
        });
        let mut twice = twice.flat_map(|other| &other.methods);
        if let Some(method) = twice.find(|method| rule.methods.contains(method)) {
            return Err(authority.error(format!(
                "{method} to `{}` is in an earlier [[net]] too; keep it in one of them",
                rule.authority()
            )));
        }
        rules.push(rule);
    }
    Ok(rules)
}

/// Reads a host with an optional port.
pub(super) fn read_authority(text: &Text<'_>) -> Checked<(HostPattern, Option<u16>)> {
    // Other colons belong to a scheme, a password or an IPv6 address: `HostPattern::parse` reports
    // those.
    let (host, port) = match text.value.rsplit_once(':') {
        Some((host, port))
            if (!host.contains(':') || host.ends_with(']'))
                && !text.value.ends_with(']')
                && !text.value.contains(['/', '@']) =>
        {
            (host, Some(port))
        }
        _ => (text.value, None),
    };
    let host = HostPattern::parse(host).map_err(|error| text.error(error.to_string()))?;
    let Some(port) = port else {
        return Ok((host, None));
    };
    match port.parse::<u16>() {
        Ok(number) if number > 0 && is_number(port) => Ok((host, Some(number))),
        _ => {
            let port = quoted(port);
            Err(text.error(format!(
                "`{port}` is not a port; write a number from 1 to 65535"
            )))
        }
    }
}

fn read_methods(table: &Table<'_>) -> Checked<Vec<Method>> {
    let Some((at, words)) = table.texts("methods", MAX_ENTRIES)? else {
        return Ok(vec![Method::Get]);
    };
    if words.is_empty() {
        let message = "`methods` is empty; list some, or leave it out for GET";
        return Err(TomlError::new(at, message));
    }
    let methods = words
        .iter()
        .map(|word| word.one_of("methods", Method::WORDS));
    methods.collect()
}

/// Reads the name of an action that the manifest declares.
pub(super) fn read_approval(table: &Table<'_>, approvals: &[Approval]) -> Checked<Option<String>> {
    let Some(action) = table.text("approval")? else {
        return Ok(None);
    };
    let is_meant = |approval: &Approval| approval.action == action.value;
    if !approvals.iter().any(is_meant) {
        let quoted = action.quoted();
        return Err(action.error(format!(
            "no [[approval]] has the action `{quoted}`; add one that says what it means"
        )));
    }
    Ok(Some(action.value.to_owned()))
}

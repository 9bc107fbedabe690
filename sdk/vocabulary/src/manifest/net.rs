//! `[[net]]`: which hosts the plugin would like to reach, how, and with whose leave.
//!
//! A rule is one scheme, one port, one [`HostPattern`] and a list of methods.
//! [`NetRule::matches`] is the whole decision about a place; no rule, no request.

use super::approval::Approval;
use super::error::{Checked, Problem, shown};
use super::host::HostPattern;
use super::name::is_number;
use super::reader::{Table, Text};
use serde::Serialize;
use std::fmt;

/// One sort of request that a person can grant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NetRule {
    /// Where to.
    pub host: HostPattern,
    /// The one port; that of the scheme unless the manifest says another.
    pub port: u16,
    /// How.
    pub scheme: Scheme,
    /// Which methods, as the manifest lists them.
    pub methods: Vec<Method>,
    /// The action a person must have approved for each such request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<String>,
}

/// How a host is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheme {
    /// Encrypted.
    #[default]
    Https,
    /// In the clear, only where the manifest says so.
    Http,
}

/// A request's method. A closed set: what is not listed cannot be granted.
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
    /// Whether the rule speaks of this place, whatever the method.
    #[must_use]
    pub fn matches(&self, scheme: Scheme, host: &str, port: u16) -> bool {
        self.scheme == scheme && self.port == port && self.host.matches(host)
    }

    /// Whether the rule speaks of this request.
    #[must_use]
    pub fn admits(&self, method: Method, scheme: Scheme, host: &str, port: u16) -> bool {
        self.methods.contains(&method) && self.matches(scheme, host, port)
    }

    /// The host as a URL writes it: with the port where that is not the scheme's own.
    #[must_use]
    pub fn authority(&self) -> String {
        authority(&self.host, self.port, self.scheme)
    }
}

pub(super) fn authority(host: &HostPattern, port: u16, scheme: Scheme) -> String {
    if port == scheme.default_port() {
        host.to_string()
    } else {
        format!("{host}:{port}")
    }
}

impl Scheme {
    const WORDS: &[(&str, Self)] = &[("https", Self::Https), ("http", Self::Http)];

    /// The scheme a URL names, in lower case; none but these two can be granted.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::WORDS
            .iter()
            .find(|(known, _)| *known == word)
            .map(|&(_, scheme)| scheme)
    }

    /// The port where a URL names none.
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

    /// The method a request names; methods are case-sensitive.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::WORDS
            .iter()
            .find(|(known, _)| *known == word)
            .map(|&(_, method)| method)
    }

    /// The method as a request writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
        }
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
        let place = table.need("host", "api.example.com")?;
        let (host, port) = read_place(&place)?;
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
        // Which of the two would be asked about would depend on their order.
        let twice = rules.iter().filter(|other| {
            (&other.host, other.port, other.scheme) == (&rule.host, rule.port, rule.scheme)
        });
        let twice = twice.flat_map(|other| &other.methods);
        if let Some(method) = twice
            .into_iter()
            .find(|method| rule.methods.contains(method))
        {
            return Err(place.refuse(format!(
                "{method} to `{}` is in an earlier [[net]] too; keep it in one of them",
                rule.authority()
            )));
        }
        rules.push(rule);
    }
    Ok(rules)
}

/// A host, perhaps followed by a port.
pub(super) fn read_place(text: &Text<'_>) -> Checked<(HostPattern, Option<u16>)> {
    // Other colons are a scheme's, a password's or an IPv6 address's: the pattern's own reader
    // says what is wrong with them.
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
    let host = HostPattern::parse(host).map_err(|error| text.refuse(error.to_string()))?;
    let Some(port) = port else {
        return Ok((host, None));
    };
    match port.parse::<u16>() {
        Ok(number) if number > 0 && is_number(port) => Ok((host, Some(number))),
        _ => Err(text.refuse(format!(
            "`{}` is not a port; write a number from 1 to 65535",
            shown(port)
        ))),
    }
}

fn read_methods(table: &Table<'_>) -> Checked<Vec<Method>> {
    let Some((at, words)) = table.texts("methods")? else {
        return Ok(vec![Method::Get]);
    };
    if words.is_empty() {
        return Err(Problem::new(
            at,
            "`methods` is empty; list some, or leave it out for GET",
        ));
    }
    let methods = words.iter();
    methods
        .map(|word| word.one_of("methods", Method::WORDS))
        .collect()
}

fn read_approval(table: &Table<'_>, approvals: &[Approval]) -> Checked<Option<String>> {
    let Some(action) = table.text("approval")? else {
        return Ok(None);
    };
    if !approvals
        .iter()
        .any(|approval| approval.action == action.value)
    {
        let action_shown = shown(action.value);
        return Err(action.refuse(format!(
            "no [[approval]] has the action `{action_shown}`; add one that says what it means"
        )));
    }
    Ok(Some(action.value.to_owned()))
}

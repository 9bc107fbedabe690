//! Host patterns: one name, all names under a suffix, or one address.
//!
//! [`HostPattern::matches`] decides egress, so it parses its argument with the strict grammar of
//! the manifest and refuses the rest: a trailing dot, an empty label, a number that some resolver
//! would take for an address, a letter that only looks like ASCII.
//!
//! A pattern stands for names of one owner. A host refuses `*.github.io`, under which anybody can have
//! a name, and never matches such a name by a shorter suffix. Which suffixes these are is the public
//! suffix list of the feature `host`.
//!
//! Invariant: nothing is looked up. Whoever connects checks the resolved addresses.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An exact host, or `*.suffix`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HostPattern(Form);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Form {
    Exact(Host),
    /// The suffix without `*.`.
    Under(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Host {
    Name(String),
    Address(IpAddr),
}

impl HostPattern {
    /// Parses a pattern: `api.example.com`, `*.example.com`, `localhost`, `10.0.0.7` or `[::1]`.
    ///
    /// # Errors
    /// When `text` is none of these. A pattern is lower case and has no scheme, port or path.
    pub fn parse(text: &str) -> Result<Self, HostPatternError> {
        let error = |why| Err(HostPatternError::new(text, why));
        let has_capitals = text.bytes().any(|b| b.is_ascii_uppercase());
        let mistakes = [
            (text.contains("://"), "has a scheme; write the host alone"),
            (text.contains('@'), "has a user name; write the host alone"),
            (
                text.contains(['/', '?', '#', '\\']),
                "has a path; write the host alone",
            ),
            (has_capitals, "has capital letters; write it in lower case"),
            (
                !text.is_ascii(),
                "is not ASCII; write it in its `xn--` form",
            ),
            (
                text == "*" || text == "*.",
                "matches every host; name the hosts",
            ),
        ];
        if let Some((_, why)) = mistakes.into_iter().find(|(is_made, _)| *is_made) {
            return error(why);
        }
        if let Some(suffix) = text.strip_prefix("*.") {
            if suffix.contains('*') {
                return error("has a second `*`; only the first label may be one");
            }
            if let Err(why) = check_name(suffix) {
                return error(why);
            }
            if !suffix.contains('.') {
                return error(
                    "matches a whole top-level domain; name at least two labels after `*.`",
                );
            }
            if has_many_owners(suffix) {
                return error("matches names that anybody can register; name one of them");
            }
            return Ok(Self(Form::Under(suffix.to_owned())));
        }
        if text.contains('*') {
            return error("has a `*` inside; it may only stand as the whole first label");
        }
        let host = match Host::parse(text) {
            Ok(host) => host,
            Err(why) => return error(why),
        };
        match &host {
            Host::Name(name) if name != "localhost" && !name.contains('.') => {
                // A single label names a different machine on each network.
                return error("is a single label; write the full name");
            }
            Host::Address(address) if !is_one_host(*address) => {
                return error("is not the address of one host; write the address itself");
            }
            Host::Name(_) | Host::Address(_) => {}
        }
        Ok(Self(Form::Exact(host)))
    }

    /// Reports whether the pattern matches the host of a URL, ignoring ASCII case. A malformed host
    /// never matches.
    #[must_use]
    pub fn matches(&self, host: &str) -> bool {
        let Ok(host) = Host::parse(&host.to_ascii_lowercase()) else {
            return false;
        };
        match (&self.0, host) {
            (Form::Exact(exact), host) => *exact == host,
            (Form::Under(suffix), Host::Name(name)) => {
                let labels = name.strip_suffix(suffix.as_str());
                labels.is_some_and(|labels| labels.ends_with('.'))
                    && !is_of_another_owner(&name, suffix)
            }
            (Form::Under(_), Host::Address(_)) => false,
        }
    }

    /// Reports whether this is one host and not `*.suffix`.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        matches!(self.0, Form::Exact(_))
    }

    /// Reports whether this is `localhost` or a loopback address.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        match &self.0 {
            Form::Exact(Host::Name(name)) => name == "localhost",
            Form::Exact(Host::Address(address)) => address.is_loopback(),
            Form::Under(_) => false,
        }
    }

    /// Reports whether this is an IP address, the only way to name one in a private range.
    #[must_use]
    pub fn is_address(&self) -> bool {
        matches!(self.0, Form::Exact(Host::Address(_)))
    }

    /// Returns the suffix of a `*.suffix`.
    pub(super) fn suffix(&self) -> Option<&str> {
        match &self.0 {
            Form::Under(suffix) => Some(suffix),
            Form::Exact(_) => None,
        }
    }

    /// Orders patterns that match one host: an exact one is the most precise, then the longest
    /// suffix.
    pub(super) fn precision(&self) -> usize {
        self.suffix().map_or(usize::MAX, str::len)
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Exact(Host::Name(name)) => f.write_str(name),
            Form::Exact(Host::Address(IpAddr::V4(address))) => write!(f, "{address}"),
            Form::Exact(Host::Address(IpAddr::V6(address))) => write!(f, "[{address}]"),
            Form::Under(suffix) => write!(f, "*.{suffix}"),
        }
    }
}

impl serde::Serialize for HostPattern {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Host {
    /// Parses a lower-case host.
    fn parse(text: &str) -> Result<Self, &'static str> {
        if let Some(rest) = text.strip_prefix('[') {
            let address = rest.strip_suffix(']').and_then(|text| text.parse().ok());
            let address: Ipv6Addr = address.ok_or("is not an IPv6 address in brackets")?;
            // ::ffff:127.0.0.1 is a second spelling of 127.0.0.1, which rules must not have.
            return match address.to_ipv4_mapped() {
                Some(_) => Err("is a mapped IPv4 address; write it with dots"),
                None => Ok(Self::Address(address.into())),
            };
        }
        if text.parse::<Ipv6Addr>().is_ok() {
            return Err("is an IPv6 address; write it in brackets");
        }
        if let Ok(address) = text.parse::<Ipv4Addr>() {
            return Ok(Self::Address(address.into()));
        }
        check_name(text)?;
        Ok(Self::Name(text.to_owned()))
    }
}

fn check_name(name: &str) -> Result<(), &'static str> {
    if name.is_empty() {
        return Err("is empty; name a host");
    }
    if name.ends_with('.') {
        return Err("ends in a dot; remove it");
    }
    if name.len() > 253 {
        return Err("is longer than a host name can be");
    }
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    for label in name.split('.') {
        if label.is_empty() {
            return Err("has an empty label; remove a dot");
        }
        if label.len() > 63 {
            return Err("has a label of more than 63 characters");
        }
        if !label.bytes().all(is_plain) {
            return Err("has characters other than letters, digits, `-` and `.`");
        }
        if label.starts_with('-') || label.ends_with('-') {
            return Err("has a label that begins or ends in `-`");
        }
    }
    // URL parsers and resolvers read such names as IPv4 addresses: 127.1, 0x7f000001, 1.2.3.04.
    let last = name.rsplit('.').next().unwrap_or_default();
    let hexadecimal = last.strip_prefix("0x");
    if last.bytes().all(|b| b.is_ascii_digit())
        || hexadecimal.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
    {
        return Err("ends in a number but is not an IPv4 address; write four plain numbers");
    }
    Ok(())
}

/// Reports whether anybody can register a name directly under this one, as under `co.uk`.
#[cfg(feature = "host")]
fn has_many_owners(suffix: &str) -> bool {
    psl::domain_str(suffix).is_none()
}

/// Reports whether a name under `suffix` is registered separately: `bucket.s3.amazonaws.com` does not
/// belong to the owner of `amazonaws.com`.
#[cfg(feature = "host")]
fn is_of_another_owner(name: &str, suffix: &str) -> bool {
    psl::suffix_str(name).is_none_or(|registry| registry.len() >= suffix.len())
}

#[cfg(not(feature = "host"))]
fn has_many_owners(_: &str) -> bool {
    false
}

#[cfg(not(feature = "host"))]
fn is_of_another_owner(_: &str, _: &str) -> bool {
    false
}

/// Reports whether an address can be that of a single host.
fn is_one_host(address: IpAddr) -> bool {
    !address.is_unspecified() && !address.is_multicast() && address != Ipv4Addr::BROADCAST
}

/// The error of parsing a [`HostPattern`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the host `{text}` {why}")]
pub struct HostPatternError {
    text: String,
    why: &'static str,
}

impl HostPatternError {
    fn new(text: &str, why: &'static str) -> Self {
        Self {
            text: crate::toml_reader::quoted(text),
            why,
        }
    }
}

#[cfg(test)]
mod tests;

//! Which hosts a rule speaks of: one name, everything under a name, or one address.
//!
//! [`HostPattern::matches`] decides egress, so it reads its argument with the same strict grammar
//! as the manifest and says no to whatever does not fit: a trailing dot, an empty label, a number
//! that some resolver would take for an address, a letter that only looks like ASCII.
//!
//! Invariant: nothing is looked up. What a name resolves to is checked by whoever connects.

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
    /// Reads a pattern: `api.example.com`, `*.example.com`, `localhost`, `10.0.0.7` or `[::1]`.
    ///
    /// # Errors
    /// When `text` is none of these; a pattern is lower case and carries no scheme, port or path.
    pub fn parse(text: &str) -> Result<Self, InvalidHost> {
        let refuse = |why| Err(InvalidHost::new(text, why));
        if text.contains("://") {
            return refuse("has a scheme; write the host alone");
        }
        if text.contains('@') {
            return refuse("has a user name; write the host alone");
        }
        if text.contains(['/', '?', '#', '\\']) {
            return refuse("has a path; write the host alone");
        }
        if text.bytes().any(|b| b.is_ascii_uppercase()) {
            return refuse("has capital letters; write it in lower case");
        }
        if !text.is_ascii() {
            return refuse("is not ASCII; write it in its `xn--` form");
        }
        if text == "*" || text == "*." {
            return refuse("would be every host; name the hosts");
        }
        if let Some(suffix) = text.strip_prefix("*.") {
            if suffix.contains('*') {
                return refuse("has a second `*`; only the first label may be one");
            }
            if let Err(why) = check_name(suffix) {
                return refuse(why);
            }
            if !suffix.contains('.') {
                return refuse(
                    "would be a whole top-level domain; name at least two labels after `*.`",
                );
            }
            return Ok(Self(Form::Under(suffix.to_owned())));
        }
        if text.contains('*') {
            return refuse("has a `*` inside; it may only stand as the whole first label");
        }
        let host = match Host::parse(text) {
            Ok(host) => host,
            Err(why) => return refuse(why),
        };
        match &host {
            Host::Name(name) if name != "localhost" && !name.contains('.') => {
                // It would be another machine on every network.
                return refuse("is a single label; write the full name");
            }
            Host::Address(address) if !is_one_host(*address) => {
                return refuse("is not the address of one host; write the address itself");
            }
            Host::Name(_) | Host::Address(_) => {}
        }
        Ok(Self(Form::Exact(host)))
    }

    /// Whether `host`, as it stands in a URL, is meant. Capital ASCII letters count as small ones;
    /// a host that is not well formed is never meant.
    #[must_use]
    pub fn matches(&self, host: &str) -> bool {
        let Ok(host) = Host::parse(&host.to_ascii_lowercase()) else {
            return false;
        };
        match (&self.0, host) {
            (Form::Exact(exact), host) => *exact == host,
            (Form::Under(suffix), Host::Name(name)) => name
                .strip_suffix(suffix.as_str())
                .is_some_and(|labels| labels.ends_with('.')),
            (Form::Under(_), Host::Address(_)) => false,
        }
    }

    /// Whether this is one host and not `*.suffix`.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        matches!(self.0, Form::Exact(_))
    }

    /// Whether this is the machine itself: `localhost` or a loopback address.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        match &self.0 {
            Form::Exact(Host::Name(name)) => name == "localhost",
            Form::Exact(Host::Address(address)) => address.is_loopback(),
            Form::Under(_) => false,
        }
    }

    /// Whether this is an IP address, the only way to mean one in a private range.
    #[must_use]
    pub fn is_address(&self) -> bool {
        matches!(self.0, Form::Exact(Host::Address(_)))
    }

    /// The suffix of a `*.suffix`.
    pub(super) fn suffix(&self) -> Option<&str> {
        match &self.0 {
            Form::Under(suffix) => Some(suffix),
            Form::Exact(_) => None,
        }
    }

    /// Of two patterns that match one host the larger says more about it: an exact one, then the
    /// longer suffix.
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
    /// Reads a lower-case host.
    fn parse(text: &str) -> Result<Self, &'static str> {
        if let Some(rest) = text.strip_prefix('[') {
            let address = rest.strip_suffix(']').and_then(|text| text.parse().ok());
            let address: Ipv6Addr = address.ok_or("is not an IPv6 address in brackets")?;
            // ::ffff:127.0.0.1 is another spelling of 127.0.0.1; one spelling is enough.
            return match address.to_ipv4_mapped() {
                Some(_) => Err("is an IPv4 address in disguise; write it with dots"),
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
    for label in name.split('.') {
        if label.is_empty() {
            return Err("has an empty label; remove a dot");
        }
        if label.len() > 63 {
            return Err("has a label of more than 63 characters");
        }
        if !label
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        {
            return Err("has characters other than letters, digits, `-` and `.`");
        }
        if label.starts_with('-') || label.ends_with('-') {
            return Err("has a label that begins or ends in `-`");
        }
    }
    // URL parsers and resolvers take such a name for an IPv4 address: 127.1, 0x7f000001, 1.2.3.04.
    let last = name.rsplit('.').next().unwrap_or_default();
    let hexadecimal = last.strip_prefix("0x");
    if last.bytes().all(|b| b.is_ascii_digit())
        || hexadecimal.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
    {
        return Err("ends in a number but is not an IPv4 address; write four plain numbers");
    }
    Ok(())
}

/// Whether an address can be that of one other host (or of this one).
fn is_one_host(address: IpAddr) -> bool {
    !address.is_unspecified() && !address.is_multicast() && address != Ipv4Addr::BROADCAST
}

/// Text that cannot be a host pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidHost {
    text: String,
    why: &'static str,
}

impl InvalidHost {
    fn new(text: &str, why: &'static str) -> Self {
        Self {
            text: super::error::shown(text),
            why,
        }
    }
}

impl fmt::Display for InvalidHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the host `{}` {}", self.text, self.why)
    }
}

impl std::error::Error for InvalidHost {}

#[cfg(test)]
mod tests;

//! Addresses that a person may follow.

/// The maximum length of a link, in bytes.
const MAX_LENGTH: usize = 2048;

/// An `http`, `https` or `mailto` address.
///
/// No other scheme is accepted, so that a link in a view needs no further check; an address that
/// does not parse is drawn as text.
///
/// An address is printable ASCII: other characters of the path are percent-encoded. An authority
/// with a user name (`https://bank.example@evil.example/`) or with non-ASCII letters is rejected,
/// because both serve to mislead the reader.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address(String);

impl Address {
    /// Parses an address; `None` if it must not be followed.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches([' ', '\n', '\t']);
        if text.len() > MAX_LENGTH || text.chars().any(is_disallowed) {
            return None;
        }
        let (scheme, rest) = text.split_once(':')?;
        match scheme.to_ascii_lowercase().as_str() {
            scheme @ ("http" | "https") => {
                let rest = rest.strip_prefix("//")?;
                let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
                let (authority, path) = rest.split_at(end);
                is_authority(authority).then(|| {
                    let authority = authority.to_ascii_lowercase();
                    Self(format!("{scheme}://{authority}{}", percent_encoded(path)))
                })
            }
            "mailto" => {
                let (to, _) = rest.split_once('?').unwrap_or((rest, ""));
                to.contains('@')
                    .then(|| Self(format!("mailto:{}", percent_encoded(rest))))
            }
            _ => None,
        }
    }

    /// Returns the address as printable ASCII without white space.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the host with its port, or the mail address.
    pub fn host(&self) -> &str {
        match self.0.split_once("://") {
            Some((_, rest)) => &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())],
            None => {
                let to = self.0.strip_prefix("mailto:").unwrap_or(&self.0);
                to.split_once('?').map_or(to, |(to, _)| to)
            }
        }
    }
}

/// Reports whether a character never occurs in an address, or is interpreted differently by
/// browsers.
fn is_disallowed(c: char) -> bool {
    c.is_control()
        || c.is_whitespace()
        || matches!(c, '\\' | '<' | '>' | '"' | '`' | '{' | '}' | '|' | '^')
        || crate::filter::is_forbidden(c)
}

/// Reports whether the text is a host name or an IP address, with an optional port.
fn is_authority(text: &str) -> bool {
    let is_v6 = |b: u8| b.is_ascii_hexdigit() || b == b':' || b == b'.';
    let (host, port) = match text.strip_prefix('[').map(|v6| v6.split_once(']')) {
        Some(Some((inner, rest))) if !inner.is_empty() && inner.bytes().all(is_v6) => ("v6", rest),
        Some(_) => return false,
        None => text.split_at(text.find(':').unwrap_or(text.len())),
    };
    let is_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
    let named = host.bytes().all(is_name);
    let port = match port.strip_prefix(':') {
        Some(port) => port.bytes().all(|b| b.is_ascii_digit()) && port.len() <= 5,
        None => port.is_empty(),
    };
    named && port && host.bytes().any(|b| b.is_ascii_alphanumeric())
}

fn percent_encoded(path: &str) -> String {
    let encoded = |byte: u8| match byte.is_ascii_graphic() {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    path.bytes().map(encoded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_http_https_and_mailto_can_be_followed() {
        for (text, host) in [
            ("https://example.org", "example.org"),
            ("HTTPS://Example.org:8080/Path?q=1#x", "example.org:8080"),
            ("http://127.0.0.1/", "127.0.0.1"),
            ("http://[::1]:80/x", "[::1]:80"),
            ("mailto:ann@example.org?subject=Hi", "ann@example.org"),
        ] {
            let address = Address::parse(text).expect(text);
            assert_eq!(address.host(), host);
        }
        for text in [
            "",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,<script>",
            "vbscript:x",
            "blob:https://x",
            "file:///etc/passwd",
            "//example.org",
            "/api/outputs/x",
            "example.org",
            "https:example.org",
            "https://",
            "https:///path",
            "https://a b",
            "https://bank.example@evil.example/",
            "https://ex\u{0430}mple.org/",
            "https://x\\y",
            "https://x/\u{202e}",
            "http://host:port/",
            "http://[evil",
            "http://.../",
            "mailto:",
            "mailto:?to=x",
            "\u{1}https://example.org",
        ] {
            assert_eq!(Address::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_path_in_other_letters_is_percent_encoded() {
        let address = Address::parse("https://example.org/å?ø=1").expect("an address");
        assert_eq!(address.as_str(), "https://example.org/%C3%A5?%C3%B8=1");
    }

    proptest! {
        #[test]
        fn an_address_is_printable_ascii_and_parses_to_itself(text in "(https?://|mailto:|javascript:)?\\PC{0,40}") {
            if let Some(address) = Address::parse(&text) {
                prop_assert!(address.as_str().bytes().all(|b| b.is_ascii_graphic()));
                let again = Address::parse(address.as_str());
                prop_assert_eq!(again, Some(address));
            }
        }
    }
}

//! Digests as registries and lock files write them: `sha256:` and 64 hexadecimal digits.

use footlight::Digest;
use std::fmt;

const PREFIX: &str = "sha256:";

/// How many digits of a digest people are shown.
const SHOWN: usize = 12;

/// The SHA-256 of some bytes, as text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sha256(String);

impl Sha256 {
    /// Computes the digest of bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(Digest::of(bytes).to_string())
    }

    /// Reads a digest with its prefix. Other algorithms and spellings are refused.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(PREFIX)?;
        let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        (digits.len() == 64 && digits.bytes().all(is_digit)).then(|| Self(digits.to_owned()))
    }

    /// Returns the digits alone.
    pub(crate) fn digits(&self) -> &str {
        &self.0
    }

    /// Returns the prefix and the first digits.
    pub(crate) fn short(&self) -> String {
        format!("{PREFIX}{}", &self.0[..SHOWN])
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_spelling_of_a_digest_is_read() {
        let text = Sha256::of(b"x").to_string();
        assert_eq!(Sha256::parse(&text), Some(Sha256::of(b"x")));
        let digits = text.trim_start_matches(PREFIX);
        for other in [
            digits.to_owned(),
            text.to_uppercase(),
            format!("{text}0"),
            text[..70].to_owned(),
            format!("sha512:{digits}"),
            format!("sha256:../{}", &digits[3..]),
            String::new(),
        ] {
            assert_eq!(Sha256::parse(&other), None, "{other}");
        }
    }
}

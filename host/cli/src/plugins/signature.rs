//! Signatures in minisign's format, checked offline.
//!
//! A `.minisig` file names its key by an id of eight bytes alone, so whoever signs with
//! `footlight publish` also writes the public key into the signature's untrusted comment. Anybody can
//! write a key there: it says which key to ask the person about, and never that the key is trusted.
//!
//! Invariant: a signature is made of the hash of all bytes and covers its trusted comment; the older
//! kind, which does neither, is refused.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use footlight_render::filter;
use std::fmt;

/// The most bytes of a signature. Minisign allows 8 KiB for the trusted comment.
pub(crate) const MAX_SIGNATURE: usize = 16 << 10;

/// The most bytes of a file with a public key.
pub(crate) const MAX_KEY: usize = 4 << 10;

/// What the first line of a signature or a key begins with.
const UNTRUSTED: &str = "untrusted comment: ";

/// Why a signature does not count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SignatureError {
    /// The text is no signature.
    #[error("its signature is not in minisign's format")]
    Malformed,
    /// The bytes, the trusted comment or the signature were changed, or another key made it.
    #[error(
        "its signature does not match: the component or the signature was changed, or the key `{0}` did not make it"
    )]
    Mismatch(String),
    /// The signature does not name its key, and the person did not either.
    #[error("it is signed with the key `{0}`, and that public key is not known")]
    UnknownKey(String),
    /// A key was given, and there is no signature.
    #[error("it is not signed, and the key `{0}` was expected")]
    Missing(String),
}

/// A public key.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PublicKey {
    /// Base64 of the algorithm, the id and the key; there is one spelling of each key.
    text: String,
    key: minisign_verify::PublicKey,
}

impl PublicKey {
    /// Reads a key: its base64 text, or a file with a comment above it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.next()?;
        let text = match first.starts_with(UNTRUSTED) {
            true => lines.next()?,
            false => first,
        };
        if lines.next().is_some() {
            return None;
        }
        let key = minisign_verify::PublicKey::from_base64(text).ok()?;
        Some(Self {
            text: text.to_owned(),
            key,
        })
    }

    /// Returns the id, as minisign prints it.
    pub(crate) fn id(&self) -> String {
        key_id(&self.text).unwrap_or_default()
    }

    /// Returns the key as text.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A signature that was not checked yet.
pub(crate) struct Signature {
    signature: minisign_verify::Signature,
    key_id: String,
    named_key: Option<PublicKey>,
}

impl Signature {
    /// Reads the text of a `.minisig` file.
    pub(crate) fn parse(text: &str) -> Result<Self, SignatureError> {
        let malformed = SignatureError::Malformed;
        if text.len() > MAX_SIGNATURE {
            return Err(malformed);
        }
        let mut lines = text.lines();
        let (comment, encoded) = (lines.next(), lines.next());
        let comment = comment.and_then(|line| line.strip_prefix(UNTRUSTED));
        let named_key = comment.and_then(|comment| comment.split_whitespace().next_back());
        let key_id = encoded.and_then(|line| key_id(line.trim()));
        Ok(Self {
            signature: minisign_verify::Signature::decode(text).map_err(|_| malformed.clone())?,
            key_id: key_id.ok_or(malformed)?,
            named_key: named_key.and_then(PublicKey::parse),
        })
    }

    /// Returns the id of the key that it says it was made with.
    pub(crate) fn key_id(&self) -> &str {
        &self.key_id
    }

    /// Returns the public key that its untrusted comment names.
    pub(crate) fn named_key(&self) -> Option<&PublicKey> {
        self.named_key.as_ref()
    }

    /// Checks the signature, and returns its trusted comment in one line.
    pub(crate) fn verify(&self, key: &PublicKey, bytes: &[u8]) -> Result<String, SignatureError> {
        let verified = key.key.verify(bytes, &self.signature, false);
        verified.map_err(|_| SignatureError::Mismatch(key.id()))?;
        Ok(filter::line(self.signature.trusted_comment(), 200))
    }
}

/// Reads the id of a key from the base64 text of a key or a signature: bytes 2 to 10, the last first.
fn key_id(text: &str) -> Option<String> {
    let bytes = BASE64_STANDARD.decode(text).ok()?;
    let id = bytes.get(2..10)?;
    Some(id.iter().rev().map(|byte| format!("{byte:02X}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Made with minisign 0.11.
    const KEY: &str = "RWSdrg1uq8TeZMXBEbbsPuymBYU5TSOBYHNlRhvp/IIPXDemnk8huFUy";
    const SIGNATURE: &str = "untrusted comment: signature from minisign secret key\n\
        RUSdrg1uq8TeZPzayEgWvtKxgIGEHVEKbrYsX/4ahvESI4RP6qGv9XuNj7axMRe7Vc1kMzq67YTHZvhA283s6pHnVrRanMdtRQ0=\n\
        trusted comment: a comment\n\
        eU4ESpi1IFBYa2aalKAvdbKYtzW9C9IRVaRAo9Qcr/MTqi/7hYuGS9e53sg/c4/XWfDpNS/QGy8a808/qdgiAg==\n";

    proptest! {
        #[test]
        fn any_text_is_judged_without_a_panic(
            comment in "(untrusted comment: )?\\PC{0,20}",
            first in "[A-Za-z0-9+/=]{0,110}|\\PC{0,10}",
            trusted in "(trusted comment: )?\\PC{0,20}",
            second in "[A-Za-z0-9+/=]{0,100}",
        ) {
            let key = PublicKey::parse(KEY).expect("is a key");
            let text = format!("{comment}\n{first}\n{trusted}\n{second}\n");
            // The texts of a true signature, one replaced by one.
            let lines: Vec<&str> = SIGNATURE.lines().collect();
            let replaced = [
                [comment.as_str(), lines[1], lines[2], lines[3]],
                [lines[0], first.as_str(), lines[2], lines[3]],
                [lines[0], lines[1], trusted.as_str(), lines[3]],
                [lines[0], lines[1], lines[2], second.as_str()],
            ];
            let replaced = replaced.map(|lines| lines.join("\n"));
            for text in replaced.iter().chain([&text]) {
                if let Ok(signature) = Signature::parse(text) {
                    let _ = signature.verify(&key, b"x");
                }
                let _ = PublicKey::parse(text);
            }
        }
    }

    #[test]
    fn a_signature_of_minisign_is_verified_with_its_comment() {
        let key = PublicKey::parse(KEY).expect("is a key");
        let signature = Signature::parse(SIGNATURE).expect("is one");
        assert_eq!(signature.key_id(), key.id());
        assert_eq!(signature.named_key(), None);
        assert_eq!(signature.verify(&key, b"hello"), Ok("a comment".to_owned()));
        let changed = signature.verify(&key, b"hallo");
        assert_eq!(changed, Err(SignatureError::Mismatch(key.id())));
    }

    #[test]
    fn a_key_is_read_with_and_without_its_comment() {
        let key = PublicKey::parse(KEY).expect("is a key");
        let file = format!(
            "untrusted comment: minisign public key {}\n{KEY}\n",
            key.id()
        );
        assert_eq!(PublicKey::parse(&file), Some(key));
        for other in [
            "",
            "untrusted comment: x",
            "x",
            &format!("{KEY}\n{KEY}"),
            &KEY[1..],
            &format!("{KEY}AAAA"),
        ] {
            assert_eq!(PublicKey::parse(other), None, "{other}");
        }
    }
}

//! Who vouches for a component, and whether the person trusts them for this plugin.
//!
//! A key is trusted for one plugin: the one that the person named with a flag, or accepted at a terminal.
//! Whatever is signed otherwise under the plugin's name is judged as changed, never as new.

use super::signature::{PublicKey, Signature, SignatureError};

/// How the signer of a component stands to the person.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Standing {
    /// Signed with the key that is trusted for the plugin.
    Trusted,
    /// Signed with the key that the person named now; none was trusted.
    Given,
    /// Signed with a key that nobody named; none was trusted.
    New,
    /// Signed with another key than the trusted one.
    Changed { trusted: PublicKey },
    /// Not signed; there may be a trusted key all the same.
    Unsigned { trusted: Option<PublicKey> },
}

/// The signer of a component whose signature was checked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Signer {
    /// The key; none if the component is not signed.
    pub(crate) key: Option<PublicKey>,
    /// The comment that the signature covers.
    pub(crate) comment: String,
    pub(crate) standing: Standing,
}

/// Checks a signature with the key that the person named, the one that is trusted for the plugin, or the
/// one that the signature itself names.
///
/// # Errors
/// When there is a signature that does not match or cannot be checked, or none although a key was named.
pub(crate) fn judge(
    component: &[u8],
    signature: Option<&str>,
    given: Option<&PublicKey>,
    trusted: Option<&PublicKey>,
) -> Result<Signer, SignatureError> {
    let Some(text) = signature else {
        return match given {
            Some(given) => Err(SignatureError::Missing(given.id())),
            None => Ok(Signer {
                key: None,
                comment: String::new(),
                standing: Standing::Unsigned {
                    trusted: trusted.cloned(),
                },
            }),
        };
    };
    let signature = Signature::parse(text)?;
    let trusted_one = trusted.filter(|key| key.id() == signature.key_id());
    let key = given.or(trusted_one).or(signature.named_key());
    let key = key.ok_or_else(|| SignatureError::UnknownKey(signature.key_id().to_owned()))?;
    let comment = signature.verify(key, component)?;
    let standing = match trusted {
        Some(trusted) if trusted == key => Standing::Trusted,
        Some(trusted) => Standing::Changed {
            trusted: trusted.clone(),
        },
        None if given.is_some() => Standing::Given,
        None => Standing::New,
    };
    Ok(Signer {
        key: Some(key.clone()),
        comment,
        standing,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use minisign::KeyPair;
    use std::io::Cursor;

    const COMPONENT: &[u8] = b"a component";

    struct Author {
        pair: KeyPair,
        public: PublicKey,
    }

    impl Author {
        fn new() -> Self {
            let pair = KeyPair::generate_unencrypted_keypair().expect("makes one");
            let public = PublicKey::parse(&pair.pk.to_base64()).expect("is one");
            Self { pair, public }
        }

        fn sign(&self, named: &str) -> String {
            let named = format!("signature {named}");
            let data = Cursor::new(COMPONENT);
            let signed = minisign::sign(None, &self.pair.sk, data, Some("c"), Some(&named));
            signed.expect("signs").to_string()
        }
    }

    #[test]
    fn every_combination_of_keys_has_its_standing() {
        let (ada, bob) = (Author::new(), Author::new());
        let named = ada.sign(ada.public.as_str());
        let unnamed = ada.sign("by ada");
        let (a, b) = (Some(&ada.public), Some(&bob.public));
        let changed = || Standing::Changed {
            trusted: bob.public.clone(),
        };
        let unsigned = |trusted: Option<&PublicKey>| Standing::Unsigned {
            trusted: trusted.cloned(),
        };
        let id = |author: &Author| author.public.id();
        for (signature, given, trusted, expected) in [
            (Some(&named), None, None, Ok(Standing::New)),
            (Some(&named), None, a, Ok(Standing::Trusted)),
            (Some(&named), None, b, Ok(changed())),
            (Some(&named), a, None, Ok(Standing::Given)),
            (Some(&named), a, a, Ok(Standing::Trusted)),
            (Some(&named), a, b, Ok(changed())),
            (
                Some(&named),
                b,
                None,
                Err(SignatureError::Mismatch(id(&bob))),
            ),
            (Some(&named), b, a, Err(SignatureError::Mismatch(id(&bob)))),
            (
                Some(&unnamed),
                None,
                None,
                Err(SignatureError::UnknownKey(id(&ada))),
            ),
            (
                Some(&unnamed),
                None,
                b,
                Err(SignatureError::UnknownKey(id(&ada))),
            ),
            (Some(&unnamed), None, a, Ok(Standing::Trusted)),
            (Some(&unnamed), a, None, Ok(Standing::Given)),
            (None, None, None, Ok(unsigned(None))),
            (None, None, a, Ok(unsigned(a))),
            (None, a, None, Err(SignatureError::Missing(id(&ada)))),
            (None, a, a, Err(SignatureError::Missing(id(&ada)))),
        ] {
            let found = judge(COMPONENT, signature.map(String::as_str), given, trusted);
            let found = found.map(|signer| signer.standing);
            assert_eq!(found, expected, "{signature:?} {given:?} {trusted:?}");
        }
    }

    #[test]
    fn a_signature_that_lies_about_its_key_is_refused() {
        let (ada, bob) = (Author::new(), Author::new());
        // Bob's signature under Ada's name, and Ada's under Bob's.
        for (author, named) in [(&bob, &ada), (&ada, &bob)] {
            let text = author.sign(named.public.as_str());
            for trusted in [None, Some(&named.public)] {
                let refused = judge(COMPONENT, Some(&text), None, trusted);
                assert_eq!(refused, Err(SignatureError::Mismatch(named.public.id())));
            }
        }
    }

    #[test]
    fn every_changed_byte_of_component_and_signature_counts() {
        let ada = Author::new();
        let text = ada.sign(ada.public.as_str());
        for n in 0..COMPONENT.len() {
            let mut changed = COMPONENT.to_vec();
            changed[n] ^= 1;
            assert!(
                judge(&changed, Some(&text), None, None).is_err(),
                "byte {n}"
            );
        }
        let first_line = text.find('\n').expect("has lines");
        for n in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[n] ^= 1;
            let changed = String::from_utf8_lossy(&changed).into_owned();
            let judged = judge(COMPONENT, Some(&changed), None, Some(&ada.public));
            // The words of the first line are not covered; the key in it is another one then.
            match judged {
                Ok(signer) if n < first_line => assert_eq!(signer.standing, Standing::Trusted),
                Ok(signer) => assert_eq!((signer.comment.as_str(), n), ("c", text.len() - 1)),
                Err(_) => {}
            }
        }
    }
}

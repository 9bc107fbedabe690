//! Removes secrets from what a server answers.
//!
//! A server that was sent a secret can repeat it, and then the guest would read it. Every response of
//! the call is searched for the value as it is and in the encodings that servers and libraries
//! usually apply: base64 in both alphabets at any offset, hexadecimal, and the [escapes](escape) of JSON,
//! HTML and URLs, of all characters or of some.
//!
//! This is a net and no proof. A server that wants to tell the plugin the secret can reverse it,
//! encrypt it or answer letter by letter; whoever grants a secret for a host trusts that host with it.
//! Encodings shorter than [`MIN_ENCODED`] bytes are not searched for, because they would match by
//! chance.

use crate::power::secret::SecretValue;
use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use escape::EscapedForms;
use footlight_vocabulary::manifest::Secret;

mod escape;

/// What stands in place of a secret.
pub(crate) const REDACTED: &str = "[redacted]";

/// The fewest bytes of an encoded form that is searched for.
const MIN_ENCODED: usize = 8;

/// The forms of all secrets that a call has sent.
#[derive(Default)]
pub(crate) struct Redactor {
    /// Forms that are searched for as they are.
    exact: Vec<Vec<u8>>,
    /// Forms with hexadecimal digits, in any case.
    in_any_case: Vec<Vec<u8>>,
    /// Forms of which a server may have escaped any character.
    escaped: EscapedForms,
    searches: Vec<AhoCorasick>,
}

impl Redactor {
    /// Searches for a secret from now on.
    pub(crate) fn add(&mut self, secret: &Secret, value: &SecretValue) {
        let value = value.expose();
        if self.exact.iter().any(|form| form == value.as_bytes()) {
            return;
        }
        self.add_text(value);
        // The value of `Basic` is an encoding of a name and a password.
        if secret.prefix.trim().eq_ignore_ascii_case("basic")
            && let Some(plain) = decode_base64(value)
        {
            self.add_text(&plain);
            if let Some((_, password)) = plain.split_once(':') {
                self.add_text(password);
            }
        }
        self.searches = [(&self.exact, false), (&self.in_any_case, true)]
            .into_iter()
            .filter_map(|(forms, in_any_case)| {
                let mut search = AhoCorasick::builder();
                search.match_kind(MatchKind::LeftmostLongest);
                search.ascii_case_insensitive(in_any_case).build(forms).ok()
            })
            .collect();
    }

    /// Adds the forms of one text.
    fn add_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let base64 = base64_forms(text).into_iter();
        let base64 = base64.filter(|form| form.len() >= MIN_ENCODED);
        let first = self.exact.len();
        self.exact.push(text.as_bytes().to_vec());
        self.exact.extend(base64.map(String::into_bytes));
        self.escaped.add(&self.exact[first..]);
        let hex = Some(hex(text)).filter(|form| form.len() >= MIN_ENCODED);
        self.in_any_case.extend(hex.map(String::into_bytes));
    }

    /// Replaces every secret in a text, and reports whether there was one.
    pub(crate) fn redact_text(&self, text: &mut String) -> bool {
        let mut bytes = std::mem::take(text).into_bytes();
        let found = self.redact(&mut bytes);
        *text = match String::from_utf8(bytes) {
            Ok(text) => text,
            // Forms and replacement are ASCII, so that a text stays one.
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        found
    }

    /// Replaces every secret in a body, and reports whether there was one.
    pub(crate) fn redact(&self, bytes: &mut Vec<u8>) -> bool {
        let mut found = false;
        for search in &self.searches {
            if search.is_match(bytes.as_slice()) {
                let mut clean = Vec::with_capacity(bytes.len());
                search.replace_all_with_bytes(bytes, &mut clean, |_, _, out| {
                    out.extend_from_slice(REDACTED.as_bytes());
                    true
                });
                *bytes = clean;
                found = true;
            }
        }
        if let Some(clean) = self.escaped.redact(bytes) {
            *bytes = clean;
            found = true;
        }
        found
    }
}

/// Returns the base64 of a text in both alphabets: by itself with and without padding, and the part
/// that does not depend on its neighbours, at each offset inside a longer text.
fn base64_forms(text: &str) -> Vec<String> {
    let mut forms = Vec::new();
    for offset in 0..3 {
        let mut bytes = vec![0; offset];
        bytes.extend_from_slice(text.as_bytes());
        let encoded = encode_base64(&bytes);
        // The first characters hold bits of the bytes before, the last one bits of those after.
        let first = [0, 2, 3][offset];
        let whole = bytes.len() * 8 / 6;
        if let Some(inner) = encoded.get(first..whole) {
            forms.push(inner.to_owned());
        }
        if offset == 0 {
            let padding = "=".repeat((4 - encoded.len() % 4) % 4);
            forms.push(format!("{encoded}{padding}"));
            forms.push(encoded);
        }
    }
    let url_safe = forms
        .iter()
        .map(|form| form.replace('+', "-").replace('/', "_"));
    let url_safe: Vec<String> = url_safe.collect();
    forms.extend(url_safe);
    forms
}

fn encode_base64(bytes: &[u8]) -> String {
    STANDARD_NO_PAD.encode(bytes)
}

/// Decodes base64 of either alphabet, if it is that of a text.
fn decode_base64(text: &str) -> Option<String> {
    let standard = text.replace('-', "+").replace('_', "/");
    let bytes = STANDARD_NO_PAD
        .decode(standard.trim_end_matches('='))
        .ok()?;
    String::from_utf8(bytes).ok()
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use footlight_vocabulary::manifest::Manifest;
    use proptest::prelude::*;

    /// Returns a secret of a manifest with this prefix.
    fn secret(prefix: &str) -> Secret {
        let text = format!(
            "[plugin]\nid = \"a\"\nversion = \"0.1.0\"\napi = \"0.1\"\ndescription = \"A\"\n\
             [[net]]\nhost = \"api.example.com\"\n\
             [[secret]]\nname = \"token\"\nhost = \"api.example.com\"\nheader = \"authorization\"\nprefix = \"{prefix}\"\n"
        );
        let manifest = Manifest::parse(&text).expect("valid");
        manifest.secrets[0].clone()
    }

    fn redactor(prefix: &str, value: &str) -> Redactor {
        let mut redactor = Redactor::default();
        let value = SecretValue::new(value).expect("a value");
        redactor.add(&secret(prefix), &value);
        redactor
    }

    /// Returns ways in which a server may repeat a value, made by other code than the redactor's.
    pub(in super::super) fn encodings(value: &str) -> Vec<String> {
        let base64 = |text: &str| {
            let packed = encode_base64(text.as_bytes());
            [
                packed.clone(),
                format!("{packed}=="),
                packed.replace('+', "-").replace('/', "_"),
            ]
        };
        let mut all = vec![value.to_owned()];
        for before in ["", "x", "ab", "Bearer ", "user:"] {
            for after in ["", "y", "zz"] {
                all.extend(base64(&format!("{before}{value}{after}")));
            }
        }
        let hex: String = value.bytes().map(|b| format!("{b:02x}")).collect();
        all.push(hex.to_uppercase());
        all.push(hex);
        let form = url::form_urlencoded::byte_serialize(value.as_bytes());
        all.push(form.collect());
        let percent: String = value.bytes().map(|b| format!("%{b:02X}")).collect();
        all.push(percent.to_lowercase());
        all.push(percent);
        let json = serde_json::to_string(value).expect("a string");
        all.push(json[1..json.len() - 1].to_owned());
        all.push(json[1..json.len() - 1].replace('/', "\\/"));
        let packed = encode_base64(value.as_bytes());
        for text in [value, packed.as_str()] {
            all.extend(escaped(text));
        }
        all
    }

    /// Returns a text with every combination of a way to escape and the characters that are escaped.
    fn escaped(text: &str) -> Vec<String> {
        let every = |_: char| true;
        let unusual = |c: char| !c.is_ascii_alphanumeric();
        let letters = |c: char| c.is_ascii_alphanumeric();
        let of_html = |c: char| "<>&'\"+/=\\".contains(c);
        let mut all = Vec::new();
        for is_escaped in [
            &every as &dyn Fn(char) -> bool,
            &unusual,
            &letters,
            &of_html,
        ] {
            for write in WAYS {
                let each = text.chars().map(|c| match is_escaped(c) {
                    true => write(c),
                    // What else would end the string of JSON, or begin an escape.
                    false if "\"\\".contains(c) => format!("\\{c}"),
                    false => c.to_string(),
                });
                all.push(each.collect());
            }
        }
        // Text of JSON in a string of JSON.
        let once = serde_json::to_string(text).expect("a string");
        let twice = serde_json::to_string(&once).expect("a string");
        all.push(twice[3..twice.len() - 3].to_owned());
        all
    }

    /// Ways to escape a character.
    const WAYS: [fn(char) -> String; 12] = [
        |c| format!("\\u{:04x}", u32::from(c)),
        |c| format!("\\u{:04X}", u32::from(c)),
        |c| format!("\\\\u{:04x}", u32::from(c)),
        |c| format!("\\x{:02X}", u32::from(c)),
        |c| format!("&#{};", u32::from(c)),
        |c| format!("&#{:07};", u32::from(c)),
        |c| format!("&#x{:x};", u32::from(c)),
        |c| format!("&#X{:04X};", u32::from(c)),
        |c| format!("&amp;#{};", u32::from(c)),
        |c| format!("%{:02x}", u32::from(c)),
        |c| format!("%{:02X}", u32::from(c)),
        |c| format!("%25{:02X}", u32::from(c)),
    ];

    /// Reports whether a text still has a long part of a value, plain or encoded.
    fn leaks(text: &[u8], value: &str) -> bool {
        let forms = encodings(value);
        forms.iter().any(|form| {
            let inner = form.trim_end_matches('=');
            // Base64 at an offset shares characters with its neighbours.
            let inner =
                &inner[inner.len().min(4)..inner.len().saturating_sub(4).max(inner.len().min(4))];
            inner.len() >= MIN_ENCODED
                && text
                    .windows(inner.len())
                    .any(|window| window == inner.as_bytes())
        })
    }

    #[test]
    fn every_usual_encoding_of_a_secret_is_removed() {
        for value in [
            "sk-live/9+8=7&\"quoted\\\" <x>",
            "ghp_AbCdEf0123456789AbCdEf",
            "a b c d e f g h",
        ] {
            let redactor = redactor("Bearer ", value);
            for form in encodings(value) {
                let mut body = format!("{{\"echo\":\"{form}\"}} and {form}, again").into_bytes();
                assert!(redactor.redact(&mut body), "{form}");
                assert!(
                    !leaks(&body, value),
                    "{form}: {}",
                    String::from_utf8_lossy(&body)
                );
                assert!(body.starts_with(b"{\"echo\":\"") && body.ends_with(b"again"));
            }
        }
    }

    #[test]
    fn a_secret_that_has_what_looks_like_an_escape_is_removed_in_every_encoding() {
        for value in [
            r"a%25b\c+dEf012345",
            r"\%41%2541\\u0041-%",
            r#"&amp;"&#65;\x41&lt"#,
            "%25 25+25%2B25%%25",
        ] {
            let redactor = redactor("", value);
            for form in encodings(value) {
                let mut body = format!("<{form}>").into_bytes();
                assert!(redactor.redact(&mut body), "{value}: {form}");
                assert!(
                    !leaks(&body, value),
                    "{value}: {form}: {}",
                    String::from_utf8_lossy(&body)
                );
            }
        }
    }

    #[test]
    fn the_password_inside_of_basic_credentials_is_removed_too() {
        let value = encode_base64(b"ada:correct horse battery");
        let redactor = redactor("Basic ", &value);
        for told in ["correct horse battery", "ada:correct horse battery", &value] {
            let mut text = format!("you are {told}.");
            assert!(redactor.redact_text(&mut text), "{told}");
            assert_eq!(text, format!("you are {REDACTED}."));
        }
    }

    #[test]
    fn what_is_no_secret_stays_as_it_is() {
        let redactor = redactor("", "tok");
        // A short value is removed as it is, but its encodings would match by chance.
        let mut text = "dG9r 746f6b tok".to_owned();
        assert!(redactor.redact_text(&mut text));
        assert_eq!(text, format!("dG9r 746f6b {REDACTED}"));
        let mut clean = vec![0, 159, 146, 150];
        assert!(!redactor.redact(&mut clean));
        assert_eq!(clean, [0, 159, 146, 150]);
        assert!(!Redactor::default().redact_text(&mut "tok".to_owned()));
    }

    /// Returns values, some of which have parts that look like escapes.
    fn values() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            "[!-~]{1,4}",
            Just(r"\".to_owned()),
            r"\\[nu\\/]|\\(u00|x)[2-7][0-9a-f]",
            "%(25){0,2}([2-7][0-9a-fA-F])?",
            "&(amp;){0,2}(#[0-9]{2};?|#x[2-7][0-9a-f];|lt;|amp|plus;)?",
            "[+;#]",
        ];
        let of_parts = prop::collection::vec(part, 6..16).prop_map(|parts| parts.concat());
        let of_parts = of_parts.prop_filter("a secret is long", |value| value.len() >= 12);
        prop_oneof!["[!-~]([ -~]{10,60}[!-~])", of_parts]
    }

    proptest! {
        #[test]
        fn no_value_survives_in_any_of_its_encodings(
            value in values(),
            before in "[ -~]{0,40}",
            after in "[ -~]{0,40}",
        ) {
            let redactor = redactor("", &value);
            for form in encodings(&value) {
                let mut body = format!("{before}{form}{after}").into_bytes();
                prop_assert!(redactor.redact(&mut body), "{}", form);
                let around = format!("{before}{after}");
                prop_assert!(!leaks(&body, &value) || leaks(around.as_bytes(), &value));
            }
        }
    }
}

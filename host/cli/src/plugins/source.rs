//! Where a plugin is installed from: a reference to a registry, a URL, or a file.
//!
//! A reference begins with its registry: there is no default one, so that no name means something that
//! nobody wrote.

use super::digest::Sha256;
use crate::data::display_path;
use crate::http_client::is_loopback;
use footlight_render::filter;
use reqwest::Url;
use std::fmt;
use std::path::{Path, PathBuf};

/// The longest source in characters. It is shown whole before the person accepts it.
const MAX_SOURCE: usize = 400;

/// The longest name of a repository and of a tag, as the specification of registries has it.
const MAX_REPOSITORY: usize = 255;
const MAX_TAG: usize = 128;

/// The tag of a reference that names none.
pub(crate) const DEFAULT_TAG: &str = "latest";

/// Where a component comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Registry(Reference),
    Url(Url),
    /// Absolute, and without links when it was installed.
    File(PathBuf),
}

/// An artifact of a registry: `HOST[:PORT]/PATH[:TAG][@DIGEST]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    /// The host, with its port if one was written.
    pub(crate) host: String,
    pub(crate) repository: String,
    pub(crate) tag: Option<String>,
    pub(crate) digest: Option<Sha256>,
    /// Whether the person allowed a connection without encryption. To this machine none is encrypted.
    pub(crate) plain_http: bool,
}

/// Why a text is no source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SourceError {
    #[error(
        "`{0}` is not where a plugin can come from; write a reference such as registry.example/acme/weather:1.2.0, a URL, or a `.wasm` file"
    )]
    Malformed(String),
    #[error(
        "`{0}` would be sent and received in the clear; write `https:`, or allow it with `--plain-http`"
    )]
    Plain(String),
    #[error(
        "`{0}` is a folder; plugins are installed as components, and a crate folder is used by its path"
    )]
    Folder(String),
}

impl Source {
    /// Reads what the person wrote, or what the lock file has.
    pub(crate) fn parse(text: &str, plain_http: bool) -> Result<Self, SourceError> {
        let shown = || filter::line(text, 200);
        let malformed = || SourceError::Malformed(shown());
        if text.len() > MAX_SOURCE || text.chars().any(char::is_control) {
            return Err(malformed());
        }
        if let Some(reference) = text.strip_prefix("oci://") {
            let reference = Reference::parse(reference, plain_http);
            return reference.map(Self::Registry).ok_or_else(malformed);
        }
        if text.starts_with("https://") || text.starts_with("http://") {
            let url = Url::parse(text).map_err(|_| malformed())?;
            let has_login = !url.username().is_empty() || url.password().is_some();
            if has_login || !url.has_host() || url.fragment().is_some() {
                return Err(malformed());
            }
            if url.scheme() == "http" && !plain_http && !is_loopback(&url) {
                return Err(SourceError::Plain(shown()));
            }
            return Ok(Self::Url(url));
        }
        if is_path(text) {
            return Ok(Self::File(PathBuf::from(text)));
        }
        let reference = Reference::parse(text, plain_http);
        reference.map(Self::Registry).ok_or_else(malformed)
    }

    /// Reports whether the source itself says which bytes are meant.
    pub(crate) fn is_pinned(&self) -> bool {
        matches!(
            self,
            Self::Registry(Reference {
                digest: Some(_),
                ..
            })
        )
    }

    /// Reports whether the person allowed a connection in the clear to another machine.
    pub(crate) fn is_plain_http(&self) -> bool {
        match self {
            Self::Registry(reference) => reference.plain_http,
            Self::Url(url) => url.scheme() == "http" && !is_loopback(url),
            Self::File(_) => false,
        }
    }
}

/// Reports whether a text is a path and no reference. What a folder contains does not matter: it may be
/// a stranger's.
fn is_path(text: &str) -> bool {
    let begins = ["/", "./", "../", "~"];
    let is_wasm = Path::new(text)
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("wasm"));
    begins.iter().any(|begin| text.starts_with(begin)) || [".", ".."].contains(&text) || is_wasm
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registry(reference) => reference.fmt(f),
            Self::Url(url) => f.write_str(&filter::line(url.as_str(), MAX_SOURCE)),
            Self::File(path) => f.write_str(&display_path(path)),
        }
    }
}

impl Reference {
    /// Reads a reference; none if it is malformed, or does not begin with a registry.
    pub(crate) fn parse(text: &str, plain_http: bool) -> Option<Self> {
        let (host, rest) = text.split_once('/')?;
        // Without this, `plugins/weather` would be the registry `plugins`.
        if !(host.contains('.') || host.contains(':') || host == "localhost") {
            return None;
        }
        let (rest, digest) = match rest.split_once('@') {
            Some((rest, digest)) => (rest, Some(Sha256::parse(digest)?)),
            None => (rest, None),
        };
        let (repository, tag) = match rest.split_once(':') {
            Some((repository, tag)) => (repository, Some(tag)),
            None => (rest, None),
        };
        if repository.len() > MAX_REPOSITORY
            || !repository.split('/').all(is_path_component)
            || !tag.is_none_or(is_tag)
        {
            return None;
        }
        let reference = Self {
            host: host.to_owned(),
            repository: repository.to_owned(),
            tag: tag.map(str::to_owned),
            digest,
            plain_http,
        };
        // The URL has what was written and nothing else: no login, no other host, no spelling of an address.
        let base = Url::parse(&format!("https://{host}/")).ok()?;
        let port = base
            .port()
            .map_or_else(String::new, |port| format!(":{port}"));
        let is_same = format!("{}{port}", base.host_str()?) == *host;
        (is_same && base.path() == "/").then_some(reference)
    }

    /// Returns the address of the registry.
    pub(crate) fn base(&self) -> Option<Url> {
        let plain = Url::parse(&format!("http://{}/", self.host)).ok()?;
        match self.plain_http || is_loopback(&plain) {
            true => Some(plain),
            false => Url::parse(&format!("https://{}/", self.host)).ok(),
        }
    }

    /// Returns what the registry is asked for: the digest, or the tag.
    pub(crate) fn wanted(&self) -> String {
        match (&self.digest, &self.tag) {
            (Some(digest), _) => digest.to_string(),
            (None, Some(tag)) => tag.clone(),
            (None, None) => DEFAULT_TAG.to_owned(),
        }
    }

    /// Returns the reference with a tag, or with a digest alone.
    pub(crate) fn with_tag(&self, tag: &str) -> Self {
        Self {
            tag: Some(tag.to_owned()),
            digest: None,
            ..self.clone()
        }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.host, self.repository)?;
        if let Some(tag) = &self.tag {
            write!(f, ":{tag}")?;
        }
        match &self.digest {
            Some(digest) => write!(f, "@{digest}"),
            None => Ok(()),
        }
    }
}

/// Reports whether a text is a component of a repository's name: words of lower-case letters and digits,
/// joined by `.`, `_`, `__` or hyphens.
fn is_path_component(text: &str) -> bool {
    let is_word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let bytes = text.as_bytes();
    let ends = [bytes.first(), bytes.last()];
    let is_between = |separator: &[u8]| {
        matches!(separator, b"." | b"_" | b"__") || separator.iter().all(|b| *b == b'-')
    };
    ends.iter().all(|end| end.is_some_and(|b| is_word(*b)))
        && bytes
            .split(|b| is_word(*b))
            .all(|separator| separator.is_empty() || is_between(separator))
}

pub(crate) fn is_tag(text: &str) -> bool {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut bytes = text.bytes();
    bytes.next().is_some_and(is_word)
        && bytes.all(|b| is_word(b) || b == b'.' || b == b'-')
        && text.len() <= MAX_TAG
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DIGEST: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn references_urls_and_files_are_told_apart_without_looking_at_the_disk() {
        let pinned = format!("r.example/a/weather:1@{DIGEST}");
        for text in [
            "r.example/acme/weather",
            "r.example/acme/weather:1.2.0",
            "r.example:5000/weather:v1",
            "127.0.0.1:5000/a/b/c:x",
            "localhost/weather",
            "[::1]:5000/weather:1",
            &pinned,
        ] {
            let source = Source::parse(text, false).expect(text);
            assert!(matches!(source, Source::Registry(_)), "{text}");
            assert_eq!(source.to_string(), text);
            assert_eq!(source.is_pinned(), text == pinned);
            let explicit = Source::parse(&format!("oci://{text}"), false);
            assert_eq!(explicit, Ok(source));
        }
        for text in ["https://a.example/x.wasm", "http://127.0.0.1:1/x.wasm?v=1"] {
            let source = Source::parse(text, false);
            assert_eq!(source, Ok(Source::Url(Url::parse(text).expect("is a URL"))));
        }
        for text in ["./x", "x.wasm", "a.b/x.WASM", "/x", "../x", "~/x"] {
            assert_eq!(Source::parse(text, false), Ok(Source::File(text.into())));
        }
    }

    #[test]
    fn what_is_no_source_is_refused() {
        for text in [
            "",
            "weather",
            "plugins/weather",
            "r.example/",
            "r.example//weather",
            "r.example/Weather",
            "r.example/a..b",
            "r.example/../b",
            "r.example/a/-b",
            "r.example/weather:",
            "r.example/weather:.x",
            "r.example/weather:a b",
            "r.example/weather@sha256:1",
            "r.example/weather@",
            "ada:secret@r.example/weather",
            "r.example:99999/weather",
            "R.example/weather",
            "0x7f.1/weather",
            "https://ada:secret@a.example/x.wasm",
            "https://a.example/x.wasm#a",
            "r.example/wea\u{1b}ther",
        ] {
            let refused = Source::parse(text, false);
            assert!(
                matches!(refused, Err(SourceError::Malformed(_))),
                "{text:?} {refused:?}"
            );
        }
    }

    #[test]
    fn a_connection_in_the_clear_is_to_this_machine_or_allowed() {
        let base = |text: &str, plain| match Source::parse(text, plain) {
            Ok(Source::Registry(reference)) => reference.base().map(String::from),
            other => panic!("{other:?}"),
        };
        let here = Some("http://127.0.0.1:5000/".to_owned());
        assert_eq!(base("127.0.0.1:5000/a", false), here);
        assert_eq!(
            base("r.example/a", false),
            Some("https://r.example/".to_owned())
        );
        assert_eq!(
            base("r.example/a", true),
            Some("http://r.example/".to_owned())
        );
        // A name that only looks like this machine.
        let near = Some("https://127.0.0.1.example:5000/".to_owned());
        assert_eq!(base("127.0.0.1.example:5000/a", false), near);
        let url = "http://a.example/x.wasm";
        assert!(matches!(
            Source::parse(url, false),
            Err(SourceError::Plain(_))
        ));
        assert!(Source::parse(url, true).is_ok_and(|source| source.is_plain_http()));
    }

    proptest! {
        #[test]
        fn whatever_is_read_is_asked_of_the_host_that_was_written(text in "[a-z0-9.:/@_\\[\\]%-]{1,40}|\\PC{0,30}") {
            if let Ok(Source::Registry(reference)) = Source::parse(&text, false) {
                let base = reference.base().expect("has an address");
                prop_assert!(text.starts_with(&reference.host));
                prop_assert_eq!(base.path(), "/");
                let url = base.join(&format!("v2/{}/manifests/{}", reference.repository, reference.wanted())).expect("joins");
                prop_assert_eq!(url.host_str(), base.host_str());
                prop_assert_eq!(url.path(), format!("/v2/{}/manifests/{}", reference.repository, reference.wanted()));
            }
        }
    }
}

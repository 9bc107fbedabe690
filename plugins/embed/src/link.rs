//! Links to media, and whose they are.
//!
//! A link is parsed strictly: `https` or `http`, a host without user, password or port, and only
//! characters that a URL can have. The host must be one of a provider's own names, exactly:
//! `youtube.com.evil.example` and `youtube.com@evil.example` are nobody's.

use footlight_sdk::prelude::*;

/// A provider of media.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Provider {
    YouTube,
    Vimeo,
    SoundCloud,
    Spotify,
}

impl Provider {
    pub(crate) const ALL: [Self; 4] = [Self::YouTube, Self::Vimeo, Self::SoundCloud, Self::Spotify];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::YouTube => "YouTube",
            Self::Vimeo => "Vimeo",
            Self::SoundCloud => "SoundCloud",
            Self::Spotify => "Spotify",
        }
    }

    /// Returns the hosts whose links are the provider's.
    fn hosts(self) -> &'static [&'static str] {
        match self {
            Self::YouTube => &[
                "www.youtube.com",
                "youtube.com",
                "m.youtube.com",
                "music.youtube.com",
                "youtu.be",
            ],
            Self::Vimeo => &["vimeo.com", "www.vimeo.com", "player.vimeo.com"],
            Self::SoundCloud => &["soundcloud.com", "www.soundcloud.com", "m.soundcloud.com"],
            Self::Spotify => &["open.spotify.com"],
        }
    }
}

/// A link to media of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) provider: Provider,
    /// The link, with `https` and without a fragment.
    pub(crate) url: String,
}

impl Link {
    /// Parses a link.
    ///
    /// # Errors
    /// If it is no link of a provider; the failure names the providers.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let unsupported = || {
            let names = Provider::ALL.map(Provider::name).join(", ");
            invalid!("this link cannot be embedded: only links to media of {names} can")
        };
        let text = text.trim();
        if !text.bytes().all(is_url_byte) {
            return Err(unsupported());
        }
        let (scheme, rest) = text.split_once("://").ok_or_else(unsupported)?;
        if !["https", "http"].contains(&scheme.to_ascii_lowercase().as_str()) {
            return Err(unsupported());
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (host, path) = rest.split_at(end);
        let host = host.to_ascii_lowercase();
        let path = path.split('#').next().unwrap_or_default();
        let mut providers = Provider::ALL.into_iter();
        let provider = providers.find(|provider| provider.hosts().contains(&host.as_str()));
        match provider {
            // The front page is no media.
            Some(provider) if path.len() > 1 => Ok(Self {
                provider,
                url: format!("https://{host}{path}"),
            }),
            _ => Err(unsupported()),
        }
    }

    /// Returns the request that asks the provider to describe the link.
    pub(crate) fn oembed(&self) -> Request {
        let request = match self.provider {
            Provider::YouTube => Request::get("https://www.youtube.com/oembed"),
            Provider::Vimeo => Request::get("https://vimeo.com/api/oembed.json"),
            Provider::SoundCloud => Request::get("https://soundcloud.com/oembed"),
            Provider::Spotify => Request::get("https://open.spotify.com/oembed"),
        };
        let request = request.query("format", "json").query("url", &self.url);
        request.header("accept", "application/json")
    }
}

/// Reports whether a URL can have this byte. A backslash, which some parsers take for a slash, is none.
fn is_url_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte)
}

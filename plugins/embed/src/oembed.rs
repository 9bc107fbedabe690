//! What a provider says about a link, as plain data.

use crate::link::{Link, Provider};
use footlight_sdk::prelude::*;

/// The most characters of a title or a name.
const MAX_CHARS: usize = 200;

/// The most bytes of the address of a picture.
const MAX_URL: usize = 1_000;

/// The hosts that the pictures of a provider may come from, by their ends.
fn picture_hosts(provider: Provider) -> &'static [&'static str] {
    match provider {
        Provider::YouTube => &[".ytimg.com"],
        Provider::Vimeo => &[".vimeocdn.com"],
        Provider::SoundCloud => &[".sndcdn.com"],
        Provider::Spotify => &[".spotifycdn.com", ".scdn.co"],
    }
}

/// The members of an oEmbed answer that are used. `html` is not among them.
#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "type")]
    media_type: String,
    title: Option<String>,
    author_name: Option<String>,
    thumbnail_url: Option<String>,
    width: Option<serde_json::Value>,
    height: Option<serde_json::Value>,
}

/// The content of an `embed` output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Embed {
    provider: &'static str,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbnail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
}

impl Embed {
    /// Reads the provider's answer.
    ///
    /// # Errors
    /// If the provider knows nothing of the link, or answers something else.
    pub(crate) fn read(link: &Link, response: &Response) -> Result<Self> {
        let provider = link.provider.name();
        match response.status() {
            200..300 => {}
            401 | 403 => return Err(invalid!("{provider} does not let this be embedded")),
            400 | 404 | 410 => return Err(invalid!("{provider} has nothing at {}", link.url)),
            status => return Err(unavailable!("{provider} answered with status {status}")),
        }
        let answer: Answer = response.json()?;
        if !["video", "rich"].contains(&answer.media_type.as_str()) {
            return Err(invalid!("{} is neither video nor music", link.url));
        }
        let hosts = picture_hosts(link.provider);
        let thumbnail = answer.thumbnail_url.filter(|url| is_picture(url, hosts));
        Ok(Self {
            provider,
            url: link.url.clone(),
            title: answer.title.and_then(|title| line(&title)),
            author: answer.author_name.and_then(|author| line(&author)),
            thumbnail,
            width: answer.width.as_ref().and_then(pixels),
            height: answer.height.as_ref().and_then(pixels),
        })
    }

    /// Returns the title of the output.
    pub(crate) fn heading(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.url)
    }

    /// Names the media: title and author if they are known, else the link.
    pub(crate) fn in_words(&self) -> String {
        match (&self.title, &self.author) {
            (Some(title), Some(author)) => format!("\"{title}\" by {author}"),
            (Some(title), None) => format!("\"{title}\""),
            (None, _) => self.url.clone(),
        }
    }
}

/// Reports whether an address is one of a picture at one of these hosts.
fn is_picture(url: &str, hosts: &[&str]) -> bool {
    let Some(rest) = url.strip_prefix("https://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"\"'<>\\^`{|}".contains(&byte);
    url.len() <= MAX_URL
        && url.bytes().all(is_plain)
        && host.bytes().all(is_name)
        && hosts.iter().any(|end| host.ends_with(end))
}

/// Returns a text on one line, without controls; `None` if nothing is left.
fn line(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let line: String = words.join(" ").chars().take(MAX_CHARS).collect();
    (!line.is_empty()).then_some(line)
}

/// Reads a size in pixels; SoundCloud's width is `100%`.
fn pixels(size: &serde_json::Value) -> Option<u32> {
    let size = u32::try_from(size.as_u64()?).ok()?;
    (1..=10_000).contains(&size).then_some(size)
}

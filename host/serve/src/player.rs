//! The players of other sites, which the page loads when a person asks for one.
//!
//! Invariant: an address is made of a provider's name and ids of letters, digits, `_` and `-`. Nothing else of a link
//! gets into it, and the page's policy permits no other site.

use crate::route::is_id;
use axum::http::Uri;
use footlight_vocabulary::item::{Content, Item, OutputKind};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The sites whose players the page may load.
pub(crate) const SITES: [&str; 4] = [
    "https://www.youtube-nocookie.com",
    "https://player.vimeo.com",
    "https://w.soundcloud.com",
    "https://open.spotify.com",
];

/// The player of a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Player {
    /// The name of the provider.
    name: &'static str,
    /// The address of the player.
    src: String,
    /// Whether it shows pictures that are wider than high.
    is_wide: bool,
}

impl Player {
    /// Returns the player of an output that is media of another site; none if it is not a provider's.
    pub(crate) fn of(item: &Item) -> Option<Self> {
        match &item.content {
            Content::Output(output) if output.kind == OutputKind::Embed => {
                Self::of_link(output.meta.as_ref()?.get("url").and_then(Value::as_str)?)
            }
            _ => None,
        }
    }

    fn of_link(link: &str) -> Option<Self> {
        let link: Uri = link.parse().ok()?;
        if !matches!(link.scheme_str(), Some("http" | "https")) {
            return None;
        }
        let host = link.host()?.to_ascii_lowercase();
        let short = ["www.", "m.", "music."];
        let host = short
            .iter()
            .find_map(|start| host.strip_prefix(start))
            .unwrap_or(&host);
        let path: Vec<&str> = link.path().strip_prefix('/')?.split('/').collect();
        let player = |name, src, is_wide| Some(Self { name, src, is_wide });
        let youtube = |id: &str| {
            let src = format!("{}/embed/{id}", SITES[0]);
            player("YouTube", src, true).filter(|_| (6..=20).contains(&id.len()) && is_id(id))
        };
        match (host, path.as_slice()) {
            ("youtu.be", [id]) | ("youtube.com", ["shorts" | "embed" | "live", id]) => youtube(id),
            ("youtube.com", _) => {
                let mut query = link.query().unwrap_or_default().split('&');
                youtube(query.find_map(|pair| pair.strip_prefix("v="))?)
            }
            ("vimeo.com" | "player.vimeo.com", [id] | ["video", id])
                if (1..=12).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                player("Vimeo", format!("{}/video/{id}?dnt=1", SITES[1]), true)
            }
            ("soundcloud.com", [by, rest @ ..])
                if matches!(rest, [_] | ["sets", _]) && path.iter().all(|part| is_id(part)) =>
            {
                let track = [by]
                    .into_iter()
                    .chain(rest)
                    .map(|part| format!("%2F{part}"));
                let track: String = track.collect();
                let src = format!(
                    "{}/player/?url=https%3A%2F%2Fsoundcloud.com{track}",
                    SITES[2]
                );
                player("SoundCloud", src, false)
            }
            (
                "open.spotify.com",
                [
                    kind @ ("track" | "album" | "playlist" | "episode" | "show" | "artist"),
                    id,
                ],
            ) if id.len() <= 40 && is_id(id) => {
                player("Spotify", format!("{}/embed/{kind}/{id}", SITES[3]), false)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_made_of_the_id_in_a_link_of_a_provider() {
        let youtube = "https://www.youtube-nocookie.com/embed/jNQXAC9IVRw";
        for (link, src) in [
            ("https://www.youtube.com/watch?t=3&v=jNQXAC9IVRw", youtube),
            ("https://M.youtube.com/shorts/jNQXAC9IVRw", youtube),
            ("https://youtu.be/jNQXAC9IVRw", youtube),
            (
                "https://vimeo.com/76979871",
                "https://player.vimeo.com/video/76979871?dnt=1",
            ),
            (
                "https://soundcloud.com/forss/sets/flickermood",
                "https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fforss%2Fsets%2Fflickermood",
            ),
            (
                "https://open.spotify.com/track/11dFghVXANMlKmJXsNCbNl",
                "https://open.spotify.com/embed/track/11dFghVXANMlKmJXsNCbNl",
            ),
        ] {
            let player = Player::of_link(link).expect(link);
            assert_eq!(player.src, src);
            assert!(
                SITES
                    .iter()
                    .any(|site| player.src.starts_with(&format!("{site}/")))
            );
        }
    }

    #[test]
    fn no_other_link_has_a_player() {
        for link in [
            "https://youtube.com.evil.example/watch?v=jNQXAC9IVRw",
            "https://youtu.be@evil.example/jNQXAC9IVRw",
            "https://youtu.be/../evil?x=jNQXAC9IVRw",
            "https://www.youtube.com/watch?v=a%22onload%3Dx",
            "https://www.youtube.com/watch?v=short",
            "javascript:alert(1)",
            "ftp://youtu.be/jNQXAC9IVRw",
            "https://vimeo.com/76979871/../..//evil.example",
            "https://vimeo.com/1234567890123",
            "https://soundcloud.com/forss",
            "https://soundcloud.com/forss/a%2Fb",
            "https://open.spotify.com/redirect/https:",
            "nonsense",
            "",
        ] {
            assert_eq!(Player::of_link(link), None, "{link}");
        }
    }
}

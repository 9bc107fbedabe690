//! Shows videos and music by their links.
//!
//! The tool asks the provider what a link leads to (oEmbed) and stores an output of kind `embed`: the
//! provider, the link, the title. The surface decides how to draw it, and whether to load anything
//! from the provider at all; the plugin cannot know. The provider's answer also has HTML, which is
//! never read: an output holds plain data.
//!
//! `link` decides whose a link is, by exact host names; `oembed` reads the provider's answer.

#![forbid(unsafe_code)]

mod link;
mod oembed;

#[cfg(test)]
mod tests;

use footlight_sdk::prelude::*;
use link::Link as MediaLink;

/// Embeds a video or music for the person, by its link: YouTube, Vimeo, SoundCloud or Spotify. The
/// model learns its title and nothing else.
#[tool(
    read_only,
    open_world,
    title = "Embed a video or music",
    example = "Play https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    example = "Embed https://vimeo.com/76979871"
)]
fn embed_media(
    stage: &Stage,
    /// The link, such as `https://vimeo.com/76979871`.
    #[arg(format = "uri", length = 1..=2_000)]
    url: String,
) -> Result<Text> {
    let link = MediaLink::parse(&url)?;
    stage.progress(format!("Asking {}", link.provider.name()));
    let response = stage.http(link.oembed())?;
    let embed = oembed::Embed::read(&link, &response)?;
    let output = Output::new(embed.heading())
        .kind("embed")
        .mime_type("application/json")
        .meta(&embed);
    let id = stage.output(output, serde_json::to_vec(&embed)?)?;
    let (provider, what) = (link.provider.name(), embed.in_words());
    Ok(Text::new(format!(
        "Embedding queued for {provider}: {what} [output:{id}]. It is drawn by the person's client, \
         which cannot be confirmed."
    )))
}

plugin!(
    tools: [embed_media],
    instructions: "`embed_media` only queues an embedding: do not tell the person that it plays.",
);

//! Tests of the tool with answers in the form that each provider gives, written by hand.

use super::*;
use footlight_sdk::testing::json;
use footlight_sdk::{FailureCode, HttpError, testing};
use serde_json::Value;

const YOUTUBE: &str = r#"{"title":"Me at the zoo","author_name":"jawed","author_url":"https://www.youtube.com/@jawed","type":"video","height":150,"width":200,"version":"1.0","provider_name":"YouTube","provider_url":"https://www.youtube.com/","thumbnail_height":360,"thumbnail_width":480,"thumbnail_url":"https://i.ytimg.com/vi/jNQXAC9IVRw/hqdefault.jpg","html":"<iframe src=\"https://www.youtube.com/embed/jNQXAC9IVRw\"></iframe>"}"#;
const SOUNDCLOUD: &str = r#"{"version":1.0,"type":"rich","provider_name":"SoundCloud","height":400,"width":"100%","title":"Flickermood by Forss","description":"From the Soulhack album","thumbnail_url":"https://i1.sndcdn.com/artworks-000067273316-t500x500.jpg","html":"<iframe></iframe>","author_name":"Forss"}"#;
const SPOTIFY: &str = r#"{"html":"<iframe></iframe>","iframe_url":"https://open.spotify.com/embed/track/1","width":456,"height":152,"version":"1.0","provider_name":"Spotify","type":"rich","title":"A track","thumbnail_url":"https://image-cdn-ak.spotifycdn.com/image/ab"}"#;

/// The address at which a provider describes a link that needs no encoding but of `:` and `/`.
fn asked(url: &str) -> String {
    let address = match url.split('/').nth(2) {
        Some("youtu.be") => "https://www.youtube.com/oembed",
        Some("vimeo.com") => "https://vimeo.com/api/oembed.json",
        Some("soundcloud.com") => "https://soundcloud.com/oembed",
        _ => "https://open.spotify.com/oembed",
    };
    let url = url.replace(':', "%3A").replace('/', "%2F");
    format!("{address}?format=json&url={url}")
}

/// Runs the tool with the provider's answer, and returns the text and the stored content.
fn embed(url: &str, response: Response) -> (Result<Text>, Vec<testing::StoredOutput>) {
    let stage = testing::stage().responds("GET", &asked(url), response);
    let said = embed_media(&stage, url.to_owned());
    (said, stage.outputs())
}

fn content(output: &testing::StoredOutput) -> Value {
    serde_json::from_slice(&output.content).expect("JSON")
}

#[test]
fn a_video_is_stored_as_data_and_the_model_reads_a_short_line() {
    let (said, outputs) = embed("https://youtu.be/jNQXAC9IVRw", Response::new(200, YOUTUBE));
    assert_eq!(
        said.expect("queued").data.content,
        "Embedding queued for YouTube: \"Me at the zoo\" by jawed [output:out_0_000000]. It is drawn by \
         the person's client, which cannot be confirmed."
    );
    let [output] = outputs.try_into().expect("one output");
    assert_eq!(
        (
            output.kind.as_str(),
            output.mime_type.as_str(),
            output.title.as_str()
        ),
        ("embed", "application/json", "Me at the zoo")
    );
    assert_eq!(
        content(&output),
        json!({
            "provider": "YouTube",
            "url": "https://youtu.be/jNQXAC9IVRw",
            "title": "Me at the zoo",
            "author": "jawed",
            "thumbnail": "https://i.ytimg.com/vi/jNQXAC9IVRw/hqdefault.jpg",
            "width": 200,
            "height": 150,
        })
    );
}

#[test]
fn every_provider_is_asked_at_its_own_address() {
    for (url, asked) in [
        (
            "https://www.youtube.com/watch?v=a_b-1&t=3#x",
            "https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Da_b-1%26t%3D3",
        ),
        (
            "http://VIMEO.com/76979871",
            "https://vimeo.com/api/oembed.json?format=json&url=https%3A%2F%2Fvimeo.com%2F76979871",
        ),
        (
            " https://soundcloud.com/forss/flickermood ",
            "https://soundcloud.com/oembed?format=json&url=https%3A%2F%2Fsoundcloud.com%2Fforss%2Fflickermood",
        ),
        (
            "HTTPS://open.spotify.com/track/1?si=2",
            "https://open.spotify.com/oembed?format=json&url=https%3A%2F%2Fopen.spotify.com%2Ftrack%2F1%3Fsi%3D2",
        ),
    ] {
        let video = r#"{"type":"video"}"#;
        let stage = testing::stage().responds("GET", asked, Response::new(200, video));
        embed_media(&stage, url.to_owned()).expect("queued");
    }
}

#[test]
fn answers_of_the_other_providers_are_read() {
    let (said, outputs) = embed(
        "https://soundcloud.com/forss/flickermood",
        Response::new(200, SOUNDCLOUD),
    );
    assert!(said.is_ok());
    assert_eq!(content(&outputs[0])["width"], Value::Null);
    assert_eq!(content(&outputs[0])["height"], 400);
    let (said, _) = embed(
        "https://open.spotify.com/track/1",
        Response::new(200, SPOTIFY),
    );
    assert!(
        said.expect("queued")
            .data
            .content
            .contains(": \"A track\" [output:")
    );
    let bare = Response::new(200, r#"{"type":"video","version":"1.0"}"#);
    let (said, _) = embed("https://vimeo.com/1", bare);
    assert!(
        said.expect("queued")
            .data
            .content
            .contains(": https://vimeo.com/1 [output:")
    );
}

#[test]
fn look_alikes_and_other_links_are_refused_and_nothing_is_stored() {
    for url in [
        "https://youtube.com.evil.example/watch?v=1",
        "https://evil.example/youtube.com/watch?v=1",
        "https://youtube.com@evil.example/watch?v=1",
        "https://user:pw@youtube.com/watch?v=1",
        "https://youtube.com:8443/watch?v=1",
        "https://youtube.com\\.evil.example/watch",
        "https://evilyoutube.com/watch?v=1",
        "https://xn--youtbe-3ya.com/watch",
        "https://youtubе.com/watch?v=1",
        "https://www.youtube.com./watch?v=1",
        "https://youtube.com",
        "https://youtube.com/",
        "https://youtube.com#/watch",
        "//youtube.com/watch?v=1",
        "youtube.com/watch?v=1",
        "javascript://youtube.com/%0aalert(1)",
        "file://youtube.com/etc/passwd",
        "data:text/html,https://youtube.com/watch",
        "https://youtube.com/wat\nch",
        "https:///youtube.com/watch",
        "https://127.0.0.1/watch",
        "",
    ] {
        let stage = testing::stage();
        let failure = embed_media(&stage, url.to_owned()).map(drop);
        let failure = failure.expect_err(url);
        assert_eq!(failure.code(), FailureCode::InvalidInput);
        for provider in ["YouTube", "Vimeo", "SoundCloud", "Spotify"] {
            assert!(failure.message().contains(provider));
        }
        assert!(stage.outputs().is_empty());
    }
}

#[test]
fn nothing_is_stored_if_the_provider_fails() {
    for (status, body, code) in [
        (404, "Not Found", FailureCode::InvalidInput),
        (401, "Unauthorized", FailureCode::InvalidInput),
        (500, "", FailureCode::Unavailable),
        (302, "", FailureCode::Unavailable),
        (200, "<html>", FailureCode::Unavailable),
        (200, r#"{"title":"no type"}"#, FailureCode::Unavailable),
        (200, r#"{"type":"link"}"#, FailureCode::InvalidInput),
    ] {
        let (said, outputs) = embed("https://vimeo.com/1", Response::new(status, body));
        let failure = said.map(drop).expect_err("a failure");
        assert_eq!(failure.code(), code, "{status} {body}");
        assert!(outputs.is_empty());
    }
    let url = asked("https://vimeo.com/1");
    for (error, code) in [
        (HttpError::Denied("no".into()), FailureCode::Denied),
        (
            HttpError::Unreachable("no".into()),
            FailureCode::Unavailable,
        ),
        (HttpError::Cancelled, FailureCode::Cancelled),
    ] {
        let stage = testing::stage().fails("GET", &url, error);
        let failure = embed_media(&stage, "https://vimeo.com/1".into()).map(drop);
        assert_eq!(failure.expect_err("a failure").code(), code);
        assert!(stage.outputs().is_empty());
    }
}

#[test]
fn no_markup_of_a_provider_is_stored_and_its_words_stay_on_one_line() {
    let hostile = json!({
        "type": "video",
        "html": "<script>alert(1)</script>",
        "title": format!("two\nlines\u{1b}[2J {}", "x".repeat(500)),
        "author_name": " \u{7}\n",
        "thumbnail_url": "https://i.ytimg.com/vi/\"onload=alert(1)",
        "width": 99_999_999_u64,
        "height": -1,
    });
    let response = Response::new(200, hostile.to_string());
    let (said, outputs) = embed("https://youtu.be/1", response);
    let said = said.expect("queued").data.content;
    assert!(said.len() < 400 && !said.contains('\n') && !said.contains('\u{1b}'));
    let stored = content(&outputs[0]);
    let members: Vec<&String> = stored.as_object().expect("an object").keys().collect();
    assert_eq!(members, ["provider", "url", "title"]);
}

#[test]
fn pictures_come_only_from_the_provider() {
    for (picture, is_kept) in [
        ("https://i.ytimg.com/vi/1/hq.jpg", true),
        ("http://i.ytimg.com/vi/1/hq.jpg", false),
        ("https://i.ytimg.com.evil.example/hq.jpg", false),
        ("https://evil.example/i.ytimg.com", false),
        ("https://a@i.ytimg.com/hq.jpg", false),
        ("https://i.ytimg.com:8443/hq.jpg", false),
        ("https://127.0.0.1/a.ytimg.com", false),
        ("data:image/png;base64,AA", false),
    ] {
        let body = json!({ "type": "video", "thumbnail_url": picture }).to_string();
        let (_, outputs) = embed("https://youtu.be/1", Response::new(200, body));
        assert_eq!(
            content(&outputs[0])["thumbnail"].is_string(),
            is_kept,
            "{picture}"
        );
    }
}

//! `embed` with the answers of the providers, from a server on loopback.

use super::services::{Service, answer, broken, load};
use super::{code, outputs};
use footlight::vocabulary::item::Content;
use footlight::{CallOutcome, Host};
use footlight_tests::loopback_tls::Authority;
use footlight_tests::plugins;
use serde_json::{Value, json};

const YOUTUBE: &str = include_str!("../fixtures/oembed/youtube.json");
const VIMEO: &str = include_str!("../fixtures/oembed/vimeo.json");
const SOUNDCLOUD: &str = include_str!("../fixtures/oembed/soundcloud.json");
const SPOTIFY: &str = include_str!("../fixtures/oembed/spotify.json");
const PHOTO: &str = include_str!("../fixtures/oembed/photo.json");

const VIDEO: &str = "https://www.youtube.com/watch?v=jNQXAC9IVRw";

/// A host with the plugin, and the service that stands for every provider.
async fn embed() -> (Host, Service) {
    let authority = Authority::new();
    let service = Service::start(&authority).await;
    let host = load(
        ("embed", plugins::EMBED),
        &authority,
        &[(
            &service,
            "www.youtube.com",
            &[
                ("https://www.youtube.com/oembed", "tube"),
                ("https://vimeo.com/api/oembed.json", "vimeo"),
                ("https://soundcloud.com/oembed", "sound"),
                ("https://open.spotify.com/oembed", "spot"),
            ],
        )],
    )
    .await;
    (host, service)
}

async fn media(host: &Host, url: &str) -> CallOutcome {
    let call = host.call("embed.embed_media", json!({ "url": url }));
    call.finish().await
}

/// What the tool says of the media. The model reads it and the ids of outputs, and nothing else.
fn said(ended: &CallOutcome) -> &str {
    let result = ended.result.as_ref().expect("it is queued");
    let text = result.data["content"].as_str().expect("text");
    let model = ended.model.to_string();
    assert!(model.len() < text.len() + 200, "{model}");
    assert!(!model.contains("iframe"), "{model}");
    text
}

#[tokio::test]
async fn media_of_each_provider_is_stored_as_data_with_a_short_line_for_the_model() {
    let (host, service) = embed().await;
    for (url, body, path, words, thumbnail) in [
        (
            VIDEO,
            YOUTUBE,
            "GET /tube",
            "YouTube: \"Me at the zoo\" by jawed",
            "https://i.ytimg.com/vi/jNQXAC9IVRw/hqdefault.jpg",
        ),
        (
            "https://vimeo.com/76979871",
            VIMEO,
            "GET /vimeo",
            "Vimeo: \"The New Vimeo Player (You Know, For Videos)\" by Vimeo",
            "https://i.vimeocdn.com/video/452001751-8216e0571c251a09-d_295x166",
        ),
        (
            "https://soundcloud.com/forss/flickermood",
            SOUNDCLOUD,
            "GET /sound",
            "SoundCloud: \"Flickermood by Forss\" by Forss",
            "https://i1.sndcdn.com/artworks-000067273316-smsiqx-t500x500.jpg",
        ),
        (
            "https://open.spotify.com/track/11dFghVXANMlKmJXsNCbNl",
            SPOTIFY,
            "GET /spot",
            "Spotify: \"Cut To The Feeling\" [output:",
            "https://image-cdn-ak.spotifycdn.com/image/ab67616d00001e027359994525d219f64872d3b1",
        ),
    ] {
        service.answers(answer("200 OK", body));
        let ended = media(&host, url).await;
        let text = said(&ended);
        assert!(text.starts_with("Embedding queued for "), "{text}");
        assert!(text.contains(words), "{text}");
        assert!(text.len() < 250, "{text}");
        let [output] = outputs(&ended).try_into().expect("one output");
        assert!(text.contains(&format!("[output:{}]", output.id)), "{text}");
        let Content::Output(stored) = &output.content else {
            panic!("an output: {output:?}");
        };
        let stored = serde_json::to_value(stored).expect("plain data");
        assert_eq!(stored["kind"], "embed", "{stored}");
        let (data, whole) = (&stored["meta"], stored.to_string());
        assert_eq!(data["url"], url, "{stored}");
        assert_eq!(data["thumbnail"], thumbnail, "{stored}");
        assert!(!whole.contains("iframe"), "no markup is kept: {whole}");
        let asked: Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(data["title"], asked["title"], "{stored}");
        let request = service.last_request();
        let query = url.replace(':', "%3A").replace('/', "%2F");
        let query = query.replace('?', "%3F").replace('=', "%3D");
        assert!(request.contains(path), "{request}");
        let query = format!("?format=json&url={query} HTTP/1.1\r\n");
        assert!(request.contains(&query), "{request}");
    }
}

#[tokio::test]
async fn what_a_provider_does_not_describe_is_a_failure_and_nothing_is_stored() {
    let (host, service) = embed().await;
    let mut answers: Vec<_> = broken(YOUTUBE)
        .into_iter()
        // An exchange that breaks off is the host's to name.
        .map(|(name, raw)| (name, raw, ["unavailable", "other"]))
        .collect();
    for (status, expected) in [
        ("400 Bad Request", "invalid-input"),
        ("401 Unauthorized", "invalid-input"),
        ("403 Forbidden", "invalid-input"),
        ("404 Not Found", "invalid-input"),
        ("410 Gone", "invalid-input"),
    ] {
        answers.push((status, answer(status, "Not Found"), [expected; 2]));
    }
    answers.push(("a photo", answer("200 OK", PHOTO), ["invalid-input"; 2]));
    for (name, raw, expected) in answers {
        service.answers(raw);
        let ended = media(&host, VIDEO).await;
        let found = code(&ended);
        assert!(expected.contains(&found), "{name}: {:?}", ended.result);
        assert!(outputs(&ended).is_empty(), "{name}");
    }
    service.answers(answer("200 OK", YOUTUBE));
    assert!(media(&host, VIDEO).await.result.is_ok());
}

#[tokio::test]
async fn lies_of_a_provider_are_left_out() {
    let (host, service) = embed().await;
    let lies = json!({
        "type": "video",
        "title": format!("One\nline\u{1b}[2J {}", "x".repeat(5_000)),
        "author_name": 7,
        "thumbnail_url": "https://i.ytimg.com.evil.example/a.jpg",
        "width": -1,
        "height": 1e9,
    });
    service.answers(answer("200 OK", &lies.to_string()));
    assert_eq!(code(&media(&host, VIDEO).await), "unavailable");
    let mut lies = lies;
    lies["author_name"] = Value::Null;
    service.answers(answer("200 OK", &lies.to_string()));
    let ended = media(&host, VIDEO).await;
    let text = said(&ended);
    assert!(text.len() < 500 && !text.contains('\u{1b}'), "{text}");
    let [output] = outputs(&ended).try_into().expect("one output");
    let stored = serde_json::to_string(&output.content).expect("plain data");
    assert!(!stored.contains("evil.example"), "{stored}");
}

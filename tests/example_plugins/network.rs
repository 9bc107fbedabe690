//! `weather` and `embed` where nobody grants the network.

use super::{code, host, outputs};
use footlight::vocabulary::item::Content;
use footlight_tests::plugins;
use serde_json::json;

#[tokio::test]
async fn without_network_the_forecast_is_the_sample_and_says_so() {
    let host = host(plugins::WEATHER, false).await;
    let ended = host
        .call("weather.compare", json!({ "cities": ["Oslo", "Rome"] }))
        .finish()
        .await;
    let result = ended.result.expect("a sample");
    let summary = result.summary.expect("a summary");
    assert!(summary.ends_with("(sample data)"), "{summary}");
    let sources = ended.items.iter().filter_map(|item| match &item.content {
        Content::Widget(widget) => Some(widget.data["source"].clone()),
        _ => None,
    });
    let sources: Vec<_> = sources.collect();
    assert_eq!(sources, ["sample data"; 3]);
}

#[tokio::test]
async fn without_network_nothing_is_embedded_and_nothing_stored() {
    let host = host(plugins::EMBED, false).await;
    for (url, expected) in [
        // Nobody can be asked, which is a denial to a plugin.
        ("https://vimeo.com/76979871", ["denied", "no-person"]),
        (
            "https://vimeo.com.evil.example/76979871",
            ["invalid-input"; 2],
        ),
    ] {
        let call = host.call("embed.embed_media", json!({ "url": url }));
        let ended = call.finish().await;
        assert!(expected.contains(&code(&ended)), "{}", code(&ended));
        assert!(outputs(&ended).is_empty());
    }
}

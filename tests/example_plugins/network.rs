//! `weather` and `embed` where the network is not granted, or leads to this machine.

use super::{code, host, outputs};
use footlight::policy::{Pattern, Rule, Rules, Target};
use footlight::vocabulary::item::Content;
use footlight::{Host, Network};
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use serde_json::json;
use std::net::Ipv4Addr;

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

/// A host on which every name leads to this machine, and the plugin may reach every host.
async fn rebound(id: &str, plugin: &str) -> Host {
    let rules = Rules::from(vec![Rule::allow(id, Target::Host(Pattern::ANY))]);
    let network = Network::new().resolver(|_| Ok(vec![Ipv4Addr::LOCALHOST.into()]));
    let host = builder().rules(rules).network(network).build();
    let host = host.expect("builds");
    host.load(plugin).await.expect("loads");
    host
}

#[tokio::test]
async fn a_service_whose_name_leads_to_this_machine_is_not_asked() {
    let weather = rebound("weather", plugins::WEATHER).await;
    let input = json!({ "city": "Oslo", "days": 2 });
    let ended = weather.call("weather.forecast", input).finish().await;
    let summary = ended.result.expect("a sample").summary;
    let summary = summary.expect("a summary");
    assert!(summary.ends_with("(sample data)"), "{summary}");

    let embed = rebound("embed", plugins::EMBED).await;
    let url = json!({ "url": "https://vimeo.com/76979871" });
    let ended = embed.call("embed.embed_media", url).finish().await;
    assert_eq!(code(&ended), "denied");
    assert!(outputs(&ended).is_empty());
}

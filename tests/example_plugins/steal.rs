//! `rogue.steal`: every way out of the sandbox is refused.

use super::host;
use footlight_tests::plugins;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[tokio::test]
async fn every_way_out_is_refused() {
    // Somebody could be asked, and nobody is: what no manifest declares is no question.
    for attended in [false, true] {
        let host = host(plugins::ROGUE, attended).await;
        let ended = host.call("rogue.steal", json!({})).finish().await;
        let attempts = ended.model.as_array().expect("a list");
        let ways: BTreeSet<&str> = attempts
            .iter()
            .filter_map(|one| one["way"].as_str())
            .collect();
        assert_eq!(ways.len(), attempts.len(), "each way is tried once");
        assert!(ways.len() >= 20, "{}", ways.len());
        let got_out = attempts.iter().filter(|one| one["refused"] != true);
        let got_out: Vec<&Value> = got_out.collect();
        assert!(got_out.is_empty(), "{got_out:?}");
        assert_eq!(ended.items.len(), 1, "nothing was shown, asked or stored");
    }
}

#[tokio::test]
async fn the_attempts_fit_on_one_screen() {
    let host = host(plugins::ROGUE, false).await;
    let ended = host.call("rogue.steal", json!({})).finish().await;
    let result = ended.result.expect("a result");
    let screen = result.data["content"].as_str().expect("text");
    assert!(screen.lines().count() <= 18, "{screen}");
    assert!(
        screen.lines().all(|line| line.chars().count() <= 80),
        "{screen}"
    );
}

//! The person's settings of a plugin are checked against its schema when it is loaded.

use footlight::{Host, LoadError};
use footlight_tests::plugins;
use serde_json::{Value, json};

async fn load(id: &str, settings: Value, path: &str) -> Result<(), LoadError> {
    let host = Host::builder()
        .settings(id, settings)
        .build()
        .expect("builds");
    host.load(path).await.map(drop)
}

#[tokio::test]
async fn settings_that_do_not_fit_their_schema_refuse_the_plugin() {
    for (settings, said) in [
        (json!({ "fahrenheit": "yes" }), "/fahrenheit"),
        (json!({ "home": 7 }), "/home"),
        (json!({ "farenheit": true }), "farenheit"),
        (json!([]), "object"),
        (json!("x"), "object"),
    ] {
        let error = load("weather", settings.clone(), plugins::WEATHER).await;
        let Err(LoadError::Settings { id, violations, .. }) = error else {
            panic!("{settings}: {error:?}");
        };
        assert_eq!(id, "weather");
        assert!(
            violations.iter().any(|wrong| wrong.contains(said)),
            "{settings}: {violations:?}"
        );
    }
}

#[tokio::test]
async fn settings_that_fit_and_those_of_other_plugins_refuse_nothing() {
    for settings in [
        json!({}),
        json!({ "fahrenheit": true, "home": "Oslo" }),
        json!({ "home": null }),
    ] {
        let loaded = load("weather", settings.clone(), plugins::WEATHER).await;
        assert!(loaded.is_ok(), "{settings}: {loaded:?}");
    }
    let wrong = json!({ "fahrenheit": "yes" });
    load("todo", wrong.clone(), plugins::WEATHER)
        .await
        .expect("not its settings");
    // A plugin without a schema gets whatever is set.
    load("hello", wrong, plugins::HELLO)
        .await
        .expect("it declares none");
}

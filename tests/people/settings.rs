//! Settings of a session in place of the host's: language, time zone, plugins and their settings.

use super::apart::{first_result, output};
use super::*;
use footlight::session::PressError;
use footlight::vocabulary::failure::FailureCode;
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{Person as Replies, press, turn};

async fn set_up() -> Host {
    let host = builder()
        .locale("fr")
        .timezone("Europe/Paris")
        .settings("weather", json!({ "home": "Bergen" }))
        .build()
        .expect("builds");
    for path in [
        plugins::HELLO,
        plugins::WEATHER,
        plugins::TODO,
        plugins::ROGUE,
    ] {
        host.load(path).await.expect("loads");
    }
    host
}

/// Makes one call in a session with these settings and returns its result.
async fn call_with(host: &Host, settings: Settings) -> CallResult {
    let session = host.session(settings).await.expect("a session");
    turn(&session, "Go", Replies::default()).await;
    first_result(&session)
}

#[tokio::test]
async fn language_and_time_zone_are_those_of_the_session() {
    let host = set_up().await;
    let asking = || settings([calls([("rogue__identities", json!({}))])]);
    for (settings, locale, timezone) in [
        (asking(), "fr", "Europe/Paris"),
        (asking().locale("nb-NO"), "nb-NO", "Europe/Paris"),
        (
            asking().locale("en").timezone("Asia/Tokyo"),
            "en",
            "Asia/Tokyo",
        ),
    ] {
        let result = call_with(&host, settings).await;
        let seen = &output(&result)["data"];
        assert_eq!(
            (&seen["locale"], &seen["timezone"]),
            (&json!(locale), &json!(timezone))
        );
    }
}

#[tokio::test]
async fn plugins_have_the_settings_of_the_session() {
    let host = set_up().await;
    let input = json!({ "city": "home", "days": 1 });
    let asking = || settings([calls([("weather__forecast", input.clone())])]);
    let moved = asking().plugin_settings("weather", json!({ "home": "Oslo" }));
    let of_other = asking().plugin_settings("todo", json!({ "home": "Oslo" }));
    for (settings, city) in [(asking(), "Bergen"), (moved, "Oslo"), (of_other, "Bergen")] {
        let result = call_with(&host, settings).await;
        assert!(output(&result).to_string().contains(city), "{result:?}");
    }
    // In place of the host's, not on top of them.
    let none = asking().plugin_settings("weather", json!({}));
    let result = call_with(&host, none).await;
    assert!(matches!(result, CallResult::Error { .. }), "{result:?}");
}

#[tokio::test]
async fn a_plugin_that_takes_no_part_is_neither_seen_nor_called_nor_pressed() {
    let host = set_up().await;
    let model = Scripted::new([
        calls([("todo__list", json!({}))]),
        says("This is your list."),
        calls([
            ("todo__add", json!({ "title": "milk" })),
            ("hello__greet", json!({ "name": "Ada" })),
        ]),
        says("Done."),
    ]);
    let all = Settings::new(model.clone()).attended();
    let session = host.session(all.clone()).await.expect("a session");
    turn(&session, "Show my list", Replies::default()).await;
    let some = all.plugins(["hello", "not-loaded"]);
    let session = host.resume(session.id(), some).await.expect("opens");
    turn(&session, "Add milk", Replies::default()).await;
    let sent = model.sent();
    let tools = |n: usize| -> Vec<&str> {
        let tools = sent[n].tools.iter().map(|tool| tool.name.as_str());
        tools
            .filter(|name| !name.starts_with("footlight__"))
            .collect()
    };
    assert!(tools(0).contains(&"todo__add"));
    assert!(
        tools(2).iter().all(|name| name.starts_with("hello__")),
        "{:?}",
        tools(2)
    );
    assert!(!sent[2].system.contains("id=\"todo\""));
    let items = session.items();
    let tool = |function: &str| {
        let mut found = items.iter().filter_map(|item| match &item.content {
            Content::Tool(tool) if tool.function == function => Some(tool.result.clone()),
            _ => None,
        });
        found.next().expect("it was called")
    };
    assert!(matches!(tool("hello.greet"), CallResult::Success { .. }));
    match tool("todo.add") {
        CallResult::Error { error, code, .. } => {
            assert_eq!(code, Some(FailureCode::InvalidInput));
            assert!(
                error.contains("hello__greet") && !error.contains("todo__list"),
                "{error}"
            );
        }
        other => panic!("{other:?}"),
    }
    // The card of the first turn is still there, and cannot be pressed.
    let is_card = |item: &&footlight::vocabulary::item::Item| item.content.type_name() == "widget";
    let card = items.iter().find(is_card).expect("a card");
    let refused = session.press(press(card, "add", json!({ "title": "milk" })));
    assert_eq!(refused.err(), Some(PressError::NoPlugin("todo".to_owned())));
}

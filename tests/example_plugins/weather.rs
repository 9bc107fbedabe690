//! `weather` with the answers of Open-Meteo, from servers on loopback.

use super::code;
use super::services::{Service, answer, broken, load};
use footlight::vocabulary::item::Content;
use footlight::{CallOutcome, Host};
use footlight_tests::loopback_tls::Authority;
use footlight_tests::plugins;
use serde_json::{Value, json};

const FORECAST: &str = include_str!("../fixtures/open-meteo/forecast.json");
const ERROR: &str = include_str!("../fixtures/open-meteo/error.json");
const ONE_PLACE: &str = include_str!("../fixtures/open-meteo/one_place.json");
const SEVERAL_PLACES: &str = include_str!("../fixtures/open-meteo/several_places.json");
const NO_PLACES: &str = include_str!("../fixtures/open-meteo/no_places.json");

/// A host with the plugin, the service of forecasts and the service of places.
async fn weather() -> (Host, Service, Service) {
    let authority = Authority::new();
    let forecasts = Service::start(&authority).await;
    let places = Service::start(&authority).await;
    forecasts.answers(answer("200 OK", FORECAST));
    places.answers(answer("200 OK", ONE_PLACE));
    let host = load(
        ("weather", plugins::WEATHER),
        &authority,
        &[
            (
                &forecasts,
                "api.open-meteo.com",
                &[("https://api.open-meteo.com/v1/forecast", "forecast")],
            ),
            (
                &places,
                "geocoding-api.open-meteo.com",
                &[("https://geocoding-api.open-meteo.com/v1/search", "search")],
            ),
        ],
    )
    .await;
    (host, forecasts, places)
}

async fn forecast(host: &Host, city: &str, days: u8) -> CallOutcome {
    let input = json!({ "city": city, "days": days });
    host.call("weather.forecast", input).finish().await
}

/// The data of the only widget.
fn shown(ended: &CallOutcome) -> &Value {
    let mut widgets = ended.items.iter().filter_map(|item| match &item.content {
        Content::Widget(widget) => Some(&widget.data),
        _ => None,
    });
    let widget = widgets.next().expect("a widget");
    assert!(widgets.next().is_none());
    widget
}

#[tokio::test]
async fn a_granted_forecast_is_open_meteos_and_says_so() {
    let (host, forecasts, places) = weather().await;
    let ended = forecast(&host, "Oslo", 7).await;
    let result = ended.result.as_ref().expect("a forecast");
    assert_eq!(
        result.summary.as_deref(),
        Some("7 days for Oslo, Norway: -5 to 8 °C, rain or snow likely on 4 (Open-Meteo)")
    );
    let widget = shown(&ended);
    assert_eq!(widget["source"], "Open-Meteo");
    let days = widget["days"].as_array().expect("days");
    let skies: Vec<&str> = days.iter().filter_map(|day| day["sky"].as_str()).collect();
    assert_eq!(
        skies,
        [
            "clear", "fair", "cloudy", "showers", "rain", "snow", "storm"
        ]
    );
    assert_eq!(days[0]["date"], "2026-11-18");
    assert_eq!((&days[0]["low"], &days[0]["high"]), (&json!(-3), &json!(2)));
    // What is not known yet is taken from the sky.
    assert_eq!(days[6]["rain"], 50);
    let request = forecasts.last_request();
    assert!(request.starts_with("localhost "), "{request}");
    for said in [
        "GET /forecast",
        "?latitude=59.91&longitude=10.75&daily=weather_code%2C",
        "&timezone=auto&forecast_days=7 HTTP/1.1\r\n",
        &format!("host: {}\r\n", forecasts.host()),
        "accept: application/json\r\n",
    ] {
        assert!(request.contains(said), "{said}: {request}");
    }
    assert_eq!((forecasts.count(), places.count()), (1, 0));
}

#[tokio::test]
async fn a_city_that_the_sample_does_not_have_is_looked_up() {
    let (host, forecasts, places) = weather().await;
    let ended = forecast(&host, "Trondheim", 3).await;
    assert_eq!(shown(&ended)["city"], "Trondheim, Trøndelag, Norway");
    let request = places.last_request();
    let asked = "?name=Trondheim&count=10&language=en&format=json HTTP/1.1\r\n";
    assert!(request.contains(asked), "{request}");
    let request = forecasts.last_request();
    assert!(
        request.contains("?latitude=63.43&longitude=10.40&"),
        "{request}"
    );

    places.answers(answer("200 OK", SEVERAL_PLACES));
    let ended = forecast(&host, "Manchester, United States", 3).await;
    assert_eq!(
        shown(&ended)["city"],
        "Manchester, New Hampshire, United States"
    );
    // Which one is meant is a question, and nobody can be asked.
    let ended = forecast(&host, "Manchester", 3).await;
    assert_eq!(code(&ended), "no-person");

    places.answers(answer("200 OK", NO_PLACES));
    let ended = forecast(&host, "Atlantis", 3).await;
    assert_eq!(code(&ended), "invalid-input");
    let asked = forecasts.count();
    for (name, raw) in broken(ONE_PLACE) {
        places.answers(raw);
        let ended = forecast(&host, "Trondheim", 3).await;
        assert_eq!(code(&ended), "invalid-input", "{name}");
    }
    assert_eq!(forecasts.count(), asked);
}

#[tokio::test]
async fn whatever_open_meteo_answers_there_is_a_forecast_that_says_where_it_is_from() {
    let (host, forecasts, _places) = weather().await;
    let mut answers = broken(FORECAST);
    answers.push(("an error", answer("400 Bad Request", ERROR)));
    let changed = |name, old: &str, new: &str| {
        assert!(FORECAST.contains(old), "{old}");
        (name, answer("200 OK", &FORECAST.replacen(old, new, 1)))
    };
    answers.extend([
        changed("a date that does not exist", "2026-11-18", "2026-02-30"),
        changed("a text for a number", "-3.2", "\"-3.2\""),
        changed("no first day", "-3.2", "null"),
        changed("other values", "\"weather_code\": [", "\"codes\": ["),
    ]);
    for (name, raw) in answers {
        forecasts.answers(raw);
        let before = forecasts.count();
        let ended = forecast(&host, "Oslo", 7).await;
        assert!(ended.result.is_ok(), "{name}: {:?}", ended.result);
        assert_eq!(shown(&ended)["source"], "sample data", "{name}");
        assert!(ended.model.to_string().len() > 2, "{name}");
        assert_eq!(forecasts.count(), before + 1, "{name}: it is asked once");
    }
    // A temperature that no weather has is still a number.
    forecasts.answers(answer("200 OK", &FORECAST.replacen("-3.2", "-1e300", 1)));
    let ended = forecast(&host, "Oslo", 7).await;
    assert!(ended.result.is_ok(), "{:?}", ended.result);
    // The same plugin, and the service is well again.
    forecasts.answers(answer("200 OK", FORECAST));
    let ended = forecast(&host, "Oslo", 7).await;
    assert_eq!(shown(&ended)["source"], "Open-Meteo");
}

#[tokio::test]
async fn several_cities_are_several_requests_and_one_that_fails_is_the_sample() {
    let (host, forecasts, _places) = weather().await;
    let input = json!({ "cities": ["Oslo", "Rome"], "days": 7 });
    let ended = host.call("weather.compare", input.clone()).finish().await;
    let result = ended.result.as_ref().expect("a comparison");
    let summary = result.summary.as_deref().unwrap_or_default();
    assert!(summary.ends_with("(Open-Meteo)"), "{summary}");
    assert_eq!(forecasts.count(), 2);
    forecasts.answers(answer("500 Internal Server Error", ""));
    let ended = host.call("weather.compare", input).finish().await;
    let result = ended.result.as_ref().expect("a comparison");
    let summary = result.summary.as_deref().unwrap_or_default();
    assert!(summary.ends_with("(sample data)"), "{summary}");
}

//! Tests with answers in the format of Open-Meteo, written by hand.

use super::*;
use footlight_sdk::HttpError;

const FORECAST: &str = include_str!("../answers/forecast.json");
const PLACES: &str = include_str!("../answers/places.json");
const SEVERAL_PLACES: &str = include_str!("../answers/several_places.json");

fn forecast_url(latitude: &str, longitude: &str, days: u8) -> String {
    format!(
        "https://api.open-meteo.com/v1/forecast?latitude={latitude}&longitude={longitude}\
         &daily=weather_code%2Ctemperature_2m_min%2Ctemperature_2m_max%2Cprecipitation_probability_max\
         &timezone=auto&forecast_days={days}"
    )
}

fn places_url(name: &str) -> String {
    format!(
        "https://geocoding-api.open-meteo.com/v1/search?name={name}&count=10&language=en&format=json"
    )
}

fn answers(stage: Stage, url: &str, body: &str) -> Stage {
    stage.responds("GET", url, Response::new(200, body))
}

#[test]
fn the_forecast_is_real_where_the_network_is_granted() {
    let url = forecast_url("59.91", "10.75", 3);
    let stage = answers(testing::stage(), &url, FORECAST);
    let table = forecast(&stage, "Oslo".into(), 3).expect("a forecast");
    let first = &table.data.rows[0];
    assert_eq!(first["date"], "2026-11-18");
    assert_eq!(first["weekday"], "Wed");
    assert_eq!((&first["low"], &first["high"]), (&json!(-1), &json!(4)));
    let skies: Vec<_> = table.data.rows.iter().map(|day| &day["sky"]).collect();
    assert_eq!(skies, ["cloudy", "rain", "snow"]);
    // Snow without a chance of it counts as likely.
    assert_eq!(table.data.rows[2]["rain"], 50);
    let shown = &stage.shown()[0];
    assert_eq!(shown.data["source"], "Open-Meteo");
    assert!(
        shown.fallback.ends_with("(Open-Meteo)"),
        "{}",
        shown.fallback
    );
    let summary = table.into_outcome().expect("JSON").summary;
    assert_eq!(
        summary.as_deref(),
        Some("3 days for Oslo, Norway: -5 to 4 °C, rain or snow likely on 2 (Open-Meteo)")
    );
}

#[test]
fn the_forecast_is_the_sample_whatever_goes_wrong() {
    let url = forecast_url("59.91", "10.75", 2);
    let errors = [
        HttpError::Denied("grant it".into()),
        HttpError::Unreachable("no route".into()),
        HttpError::TimedOut,
        HttpError::TooLarge(1),
        HttpError::UnknownOutcome,
        HttpError::Other("bad".into()),
    ];
    let failing = errors.map(|error| testing::stage().fails("GET", &url, error));
    let ragged = r#"{"daily":{"time":["2026-11-18"],"weather_code":[],"temperature_2m_min":[1],"temperature_2m_max":[1],"precipitation_probability_max":[1]}}"#;
    let wrong = [
        ("<html>", 200),
        ("{}", 200),
        (ragged, 200),
        (&ragged.replace("2026-11-18", "2026-13-40"), 200),
        (FORECAST, 500),
        (r#"{"error":true,"reason":"no"}"#, 400),
    ]
    .map(|(body, status)| testing::stage().responds("GET", &url, Response::new(status, body)));
    for stage in failing.into_iter().chain(wrong) {
        let table = forecast(&stage, "Oslo".into(), 2).expect("a sample");
        assert_eq!(table.len(), 2);
        assert_eq!(stage.shown()[0].data["source"], "sample data");
        assert!(
            stage.logs()[0].1.starts_with("no forecast: "),
            "{:?}",
            stage.logs()
        );
    }
}

#[test]
fn a_forecast_ends_before_the_first_day_that_is_incomplete() {
    let url = forecast_url("59.91", "10.75", 3);
    let cut = FORECAST.replace("[-0.6,1.4,-4.5]", "[-0.6,1.4,null]");
    let stage = answers(testing::stage(), &url, &cut);
    let table = forecast(&stage, "Oslo".into(), 3).expect("a forecast");
    assert_eq!(table.len(), 2);
    assert_eq!(stage.shown()[0].data["source"], "Open-Meteo");
}

#[test]
fn a_person_who_refuses_is_not_asked_about_the_next_city() {
    let url = forecast_url("59.91", "10.75", 4);
    let denied = HttpError::Denied("no".into());
    // A request for Rome would have no reply.
    let stage = testing::stage().fails("GET", &url, denied);
    compare(&stage, vec!["Oslo".into(), "Rome".into()], 4).expect("a table");
    assert_eq!(stage.shown()[2].data["source"], "sample data");
}

#[test]
fn a_comparison_of_both_says_so() {
    let stage = answers(
        testing::stage(),
        &forecast_url("59.91", "10.75", 3),
        FORECAST,
    );
    let rome = forecast_url("41.89", "12.51", 3);
    let stage = stage.responds("GET", &rome, Response::new(503, ""));
    compare(&stage, vec!["Oslo".into(), "Rome".into()], 3).expect("a table");
    assert_eq!(stage.shown()[2].data["source"], "partly sample data");
}

#[test]
fn a_city_beyond_the_sample_is_looked_up() {
    let stage = answers(testing::stage(), &places_url("Trondheim"), PLACES);
    let stage = answers(stage, &forecast_url("63.43", "10.40", 3), FORECAST);
    forecast(&stage, "Trondheim".into(), 3).expect("a forecast");
    assert_eq!(
        stage.shown()[0].data["city"],
        "Trondheim, Trøndelag, Norway"
    );
}

#[test]
fn one_of_several_cities_is_chosen_by_region_or_by_the_person() {
    let url = places_url("Manchester");
    let (england, america) = (
        forecast_url("53.48", "-2.24", 3),
        forecast_url("43.00", "-71.45", 3),
    );
    let stage = answers(testing::stage(), &url, SEVERAL_PLACES);
    let stage = answers(stage, &america, FORECAST);
    let stage = stage.answers("Which one?", "Manchester, New Hampshire, United States");
    forecast(&stage, "Manchester".into(), 3).expect("a forecast");
    let stage = answers(testing::stage(), &url, SEVERAL_PLACES);
    let stage = answers(stage, &england, FORECAST);
    forecast(&stage, "Manchester, England".into(), 3).expect("a forecast");
}

#[test]
fn a_city_that_nobody_knows_is_invalid_input() {
    let stage = answers(
        testing::stage(),
        &places_url("Lothl%C3%B3rien%26x%3D1"),
        r#"{"generationtime_ms":0.4}"#,
    );
    let failure = forecast(&stage, "Lothlórien&x=1".into(), 3).expect_err("no such city");
    assert_eq!(failure.code(), FailureCode::InvalidInput);
    assert_eq!(
        failure.message(),
        "there is no city called \"Lothlórien&x=1\""
    );
}

#[test]
fn a_known_city_without_a_forecast_is_unavailable_if_the_sample_lacks_it() {
    let stage = answers(testing::stage(), &places_url("Trondheim"), PLACES);
    let url = forecast_url("63.43", "10.40", 3);
    let stage = stage.fails("GET", &url, HttpError::TimedOut);
    let failure = forecast(&stage, "Trondheim".into(), 3).expect_err("no forecast");
    assert_eq!(failure.code(), FailureCode::Unavailable);
}

#[test]
fn a_cancelled_call_returns_no_sample() {
    let failure = forecast(&testing::stage().cancelled(), "Oslo".into(), 3);
    let failure = failure.expect_err("cancelled");
    assert_eq!(failure.code(), FailureCode::Cancelled);
}

#[test]
fn dates_are_parsed_or_refused() {
    for days in [0, 59, 789, 19_781, 19_782, 20_775, 2_932_896] {
        let date = Date::since_epoch(days);
        assert_eq!(Date::parse(&date.to_string()), Some(date));
    }
    for text in [
        "",
        "2026-02-30",
        "2026-13-01",
        "2026-00-10",
        "1969-12-31",
        "2026-1-1",
        "a-b-c",
        "2026-01-00",
    ] {
        assert_eq!(Date::parse(text), None, "{text}");
    }
}

#[test]
fn weather_codes_have_a_sky() {
    let skies = [0, 2, 3, 45, 53, 63, 75, 81, 86, 99, 255]
        .map(|code| outlook::Sky::of_code(code).to_string());
    assert_eq!(
        skies,
        [
            "clear", "fair", "cloudy", "cloudy", "showers", "rain", "snow", "showers", "snow",
            "storm", "storm"
        ]
    );
}

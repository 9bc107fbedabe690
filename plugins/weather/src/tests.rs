//! Tests of the tools on a scripted stage.

mod live;

use super::*;
use crate::cities::CITIES;
use footlight_sdk::testing::{Value, json};
use footlight_sdk::{Description, FailureCode, IntoOutcome, testing};

/// 28 February 2024, followed by a leap day and the end of a month.
const LATE_FEBRUARY: Date = Date::since_epoch(19_781);

/// A stage without network, on which every forecast is the sample.
fn stage() -> Stage {
    testing::stage().without_network()
}

fn oslo() -> &'static City {
    cities::find("Oslo").first().expect("Oslo is in the sample")
}

fn description() -> Description {
    testing::describe::<FootlightPlugin>()
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).expect("JSON")
}

/// Returns the failure message for an unknown city.
fn failure_message(city: &str) -> String {
    let failure = forecast(&stage(), city.into(), 3).expect_err("no such city");
    assert_eq!(failure.code(), FailureCode::InvalidInput);
    failure.message().to_owned()
}

#[test]
fn an_ambiguous_city_is_asked_about() {
    let stage = stage().answers("Which one?", "Springfield, MA");
    let table = forecast(&stage, "Springfield".into(), 3).expect("a forecast");
    assert_eq!(table.len(), 3);
    stage.assert_shown("weather-forecast").finish();
    assert_eq!(stage.shown()[0].data["city"], "Springfield, MA");
}

#[test]
fn a_city_with_its_region_is_not_asked_about() {
    let stage = stage();
    forecast(&stage, "paris, tx".into(), 1).expect("a forecast");
    assert_eq!(stage.shown()[0].data["city"], "Paris, TX");
}

#[test]
fn nothing_is_shown_when_the_question_is_skipped() {
    let stage = stage().skips("Which one?");
    assert!(compare(&stage, vec!["Oslo".into(), "Paris".into()], 3).is_err());
    assert!(stage.shown().is_empty());
}

#[test]
fn an_unknown_city_is_answered_with_the_nearest_names() {
    let message = failure_message("Olso");
    assert!(
        message.contains("\"Olso\"; the nearest names are Oslo, "),
        "{message}"
    );
    assert!(failure_message("Reykyavik, Iceland").contains("names are Reykjavik"));
}

#[test]
fn home_is_the_city_in_the_settings() {
    let stage = stage().with_settings(json!({ "home": "Bergen" }));
    forecast(&stage, "home".into(), 1).expect("a forecast");
    assert_eq!(stage.shown()[0].data["city"], "Bergen, Norway");
    assert!(failure_message("Home").contains("has set no home"));
}

#[test]
fn a_forecast_has_the_requested_number_of_days_or_five() {
    let rows = |input: &str| {
        let stage = stage();
        let outcome = testing::run::<FootlightPlugin>(&stage, "forecast", input).expect("a table");
        let days = stage.shown()[0].data["days"].as_array().map(Vec::len);
        let rows = parsed(&outcome.data)["rows"].as_array().map(Vec::len);
        assert_eq!(rows, days);
        rows.expect("rows")
    };
    assert_eq!(rows(r#"{"city":"Oslo"}"#), 5);
    assert_eq!(rows(r#"{"city":"Oslo","days":1}"#), 1);
    assert_eq!(rows(r#"{"city":"Oslo","days":14}"#), 14);
}

#[test]
fn show_forecast_shows_the_widget_and_returns_no_data() {
    let stage = stage();
    let outcome = show_forecast(&stage, "Oslo".into(), 2)
        .expect("shown")
        .into_outcome()
        .expect("JSON");
    assert_eq!(
        (outcome.kind.as_str(), outcome.data.as_str()),
        ("structured", r#"{"displayed":true}"#)
    );
    stage.assert_shown("weather-forecast");
}

#[test]
fn forecast_returns_a_table_with_labelled_columns() {
    let outcome = forecast(&stage(), "Oslo".into(), 2)
        .expect("a table")
        .into_outcome()
        .expect("JSON");
    let columns = parsed(&outcome.data)["columns"].clone();
    let headers = |column: &Value| {
        column["label"]
            .as_str()
            .or(column["key"].as_str())
            .map(str::to_owned)
    };
    let headers: Vec<_> = columns
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(headers)
        .collect();
    assert_eq!(
        headers,
        ["date", "weekday", "sky", "low °C", "high °C", "rain %"]
    );
    let summary = outcome.summary.expect("a summary");
    assert!(
        summary.starts_with("2 days for Oslo, Norway: "),
        "{summary}"
    );
    assert!(summary.ends_with("(sample data)"), "{summary}");
}

#[test]
fn compare_shows_each_forecast_then_the_comparison_and_returns_a_row_per_city() {
    let stage = stage();
    let table = compare(&stage, vec!["Oslo".into(), "Rome".into()], 4).expect("a table");
    assert_eq!(table.data.rows[1]["city"], "Rome, Italy");
    let shown: Vec<_> = stage
        .shown()
        .into_iter()
        .map(|shown| shown.widget)
        .collect();
    assert_eq!(
        shown,
        ["weather-forecast", "weather-forecast", "weather-comparison"]
    );
    // Derived from the view: the chart reads as one line per city.
    let fallback = &stage.shown()[2].fallback;
    assert!(fallback.contains("\nOslo, Norway: low °C "), "{fallback}");
}

#[test]
fn the_fahrenheit_setting_converts_every_temperature() {
    let stage = stage().with_settings(json!({ "fahrenheit": true }));
    let table = forecast(&stage, "Oslo".into(), 1).expect("a table");
    assert_eq!(table.data.columns[3].header(), "low °F");
    assert_eq!(stage.shown()[0].data["unit"], "°F");

    let sample = |unit| Week::sample(oslo(), LATE_FEBRUARY, 14, unit).days;
    for (celsius, fahrenheit) in sample(Unit::Celsius).iter().zip(sample(Unit::Fahrenheit)) {
        assert_eq!(Unit::Fahrenheit.of_celsius(celsius.high), fahrenheit.high);
        assert_eq!(celsius.sky, fahrenheit.sky);
    }
    for (celsius, fahrenheit) in [
        (-40, -40),
        (-18, 0),
        (-1, 30),
        (0, 32),
        (37, 99),
        (100, 212),
    ] {
        assert_eq!(Unit::Fahrenheit.of_celsius(celsius), fahrenheit);
    }
}

#[test]
fn the_same_city_and_day_have_the_same_weather() {
    let long = Week::sample(oslo(), LATE_FEBRUARY, 14, Unit::Celsius);
    assert_eq!(long, Week::sample(oslo(), LATE_FEBRUARY, 14, Unit::Celsius));
    let tomorrow = Week::sample(oslo(), LATE_FEBRUARY.plus(1), 1, Unit::Celsius);
    assert_eq!(tomorrow.days[0], long.days[1]);
    let dates: Vec<_> = long.days[..3].iter().map(|day| day.date.as_str()).collect();
    assert_eq!(dates, ["2024-02-28", "2024-02-29", "2024-03-01"]);
}

#[test]
fn every_city_has_plausible_weather_all_year_round() {
    for city in CITIES.iter() {
        // No more than 14 days at a time, so 27 fortnights make a year.
        for fortnight in 0..27 {
            let week = Week::sample(city, LATE_FEBRUARY.plus(14 * fortnight), 14, Unit::Celsius);
            for day in week.days {
                assert!(
                    day.low < day.high && day.low > -25 && day.high < 50,
                    "{city}: {day:?}"
                );
                assert!(day.rain <= 100, "{city}: {day:?}");
            }
        }
    }
}

#[test]
fn the_fallback_is_one_readable_line() {
    let stage = stage();
    stage
        .show(forecast_widget(&Week::sample(
            oslo(),
            LATE_FEBRUARY,
            2,
            Unit::Celsius,
        )))
        .expect("shown");
    assert_eq!(
        stage.shown()[0].fallback,
        "Oslo, Norway: Wed fair -7 to -1 °C, Thu clear -2 to 4 °C (sample data)"
    );
}

#[test]
fn widgets_have_the_members_that_their_declared_schemas_require() {
    let stage = stage();
    compare(&stage, vec!["Oslo".into(), "Rome".into()], 3).expect("a table");
    let more = parsed(&description().more);
    let types = more["widgets"].as_array().expect("declared types");
    for shown in stage.shown() {
        let declared = types
            .iter()
            .find(|declared| declared["name"] == shown.widget);
        assert_fits(&shown.data, &declared.expect("a declared type")["schema"]);
    }
}

/// Checks names and types recursively, the only parts of a schema that these widgets use.
fn assert_fits(data: &Value, schema: &Value) {
    let fits = match schema["type"].as_str() {
        Some("object") => data.is_object(),
        Some("array") => data.is_array(),
        Some("integer") => data.is_i64(),
        Some("string") => data.is_string(),
        other => panic!("{other:?} is not a type of these widgets"),
    };
    assert!(fits, "{data} does not fit {schema}");
    if let (Some(members), Some(properties)) = (data.as_object(), schema["properties"].as_object())
    {
        assert_eq!(members.len(), properties.len());
        members
            .iter()
            .for_each(|(name, member)| assert_fits(member, &properties[name]));
    }
    for item in data.as_array().into_iter().flatten() {
        assert_fits(item, &schema["items"]);
    }
    if let Some(words) = schema["enum"].as_array() {
        assert!(words.contains(data), "{data} is none of {words:?}");
    }
}

#[test]
fn the_plugin_lists_its_tools_with_prompts_that_should_lead_to_them() {
    let examples = |tool: &str| {
        let tools = description().tools;
        let tool = tools
            .iter()
            .find(|known| known.name == tool)
            .expect("a tool");
        parsed(&tool.traits)["examples"].clone()
    };
    assert_eq!(
        examples("forecast")[0],
        "What will the weather be in Oslo this week?"
    );
    assert_eq!(examples("forecast")[1], "Will it rain in Oslo this week?");
    assert_eq!(
        examples("show_forecast")[0],
        "Show me the forecast for Paris"
    );
    assert_eq!(
        examples("compare")[0],
        "Compare the weather in Oslo and Rome"
    );
    assert!(description().more.contains("sample data"));
}

//! A plugin that asks a web service.

#![forbid(unsafe_code)]

use footlight_sdk::prelude::*;

/// A holiday, as the service describes it.
#[derive(serde::Deserialize)]
struct Holiday {
    date: String,
    name: String,
}

/// Lists the public holidays of a country.
#[tool(
    read_only,
    open_world,
    example = "Which public holidays does Norway have in 2026?"
)]
fn holidays(
    stage: &Stage,
    /// The country's code of two letters, such as `NO`.
    #[arg(length = 2..=2)]
    country: String,
    /// The year.
    #[arg(range = 1975..=2075)]
    year: u16,
) -> Result<Vec<String>> {
    if !country.chars().all(|letter| letter.is_ascii_alphabetic()) {
        return Err(invalid!("`country` is a code of two letters"));
    }
    let url = format!("https://date.nager.at/api/v3/PublicHolidays/{year}/{country}");
    let response = stage.http(Request::get(url))?;
    if response.status() == 404 {
        return Err(invalid!("the service knows no country {country:?}"));
    }
    let found: Vec<Holiday> = response.ok()?.json()?;
    Ok(found
        .into_iter()
        .map(|day| format!("{}: {}", day.date, day.name))
        .collect())
}

plugin!(tools: [holidays]);

#[test]
fn holidays_are_listed_by_their_dates() {
    let url = "https://date.nager.at/api/v3/PublicHolidays/2026/NO";
    let answer = r#"[{"date":"2026-05-17","name":"Constitution Day"}]"#;
    let stage = footlight_sdk::testing::stage().responds("GET", url, Response::new(200, answer));
    let found = holidays(&stage, "NO".into(), 2026).expect("answers");
    assert_eq!(found, ["2026-05-17: Constitution Day"]);
}

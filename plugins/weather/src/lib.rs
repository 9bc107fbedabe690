//! Weather forecasts, and the three ways in which a tool can use widgets.
//!
//! | | tool | what the person sees | what the model reads |
//! | --- | --- | --- | --- |
//! | A | `show_forecast` | a forecast | only that it was shown |
//! | B | `forecast` | the same forecast | the days, as a table |
//! | C | `compare` | a forecast for each city, then a chart | one row for each city |
//!
//! The plugin does not use the network. It generates sample weather from what is typical for the city
//! and the month, and labels it as sample data everywhere. Dates are in UTC.

#![forbid(unsafe_code)]

mod card;
mod cities;
mod comparison;
mod date;
mod outlook;
mod random;

#[cfg(test)]
mod tests;

use cities::City;
use comparison::Comparison;
use date::Date;
use footlight_sdk::prelude::*;
use outlook::{Unit, Week};

/// Settings of the plugin.
#[derive(Config)]
struct Settings {
    /// Whether degrees are Fahrenheit.
    #[setting(default = false)]
    fahrenheit: bool,
    /// Where the person lives: the city that `home` stands for.
    home: Option<String>,
}

impl Settings {
    /// Returns the person's unit of temperature.
    fn unit(&self) -> Unit {
        if self.fahrenheit {
            Unit::Fahrenheit
        } else {
            Unit::Celsius
        }
    }

    /// Returns the city to look up, replacing `home` with the person's setting.
    fn city<'a>(&'a self, city: &'a str) -> Result<&'a str> {
        if !city.eq_ignore_ascii_case("home") {
            return Ok(city);
        }
        let home = self.home.as_deref();
        home.ok_or_else(|| invalid!("the person has set no home: name a city"))
    }
}

/// The result of a tool that only shows something.
#[derive(serde::Serialize)]
struct Displayed {
    displayed: bool,
}

/// Shows a weather card for a city to the person, and tells the model nothing of what is on it.
#[tool(
    read_only,
    asks,
    title = "Show the forecast",
    example = "Show me the forecast for Paris",
    example = "Put up a weather card for Tokyo"
)]
fn show_forecast(
    stage: &Stage,
    /// The city to show, such as `Oslo` or `Paris, France`; `home` is where the person lives.
    #[arg(length = 1..=80)]
    city: String,
    /// How many days to show, today included.
    #[arg(default = 5, range = 1..=14)]
    days: u8,
) -> Result<Structured<Displayed>> {
    let week = look_up(stage, &city, days)?;
    stage.show(forecast_widget(&week))?;
    // The person is looking at the widget: `displayed: true` beside it would only be noise.
    Ok(Structured::new(Displayed { displayed: true }).hidden())
}

/// Tells what the weather will be in a city, day by day: sky, temperature, chance of rain. Shows
/// it to the person as well.
#[tool(
    read_only,
    asks,
    title = "Forecast",
    example = "What will the weather be in Oslo this week?",
    example = "Will it rain in Oslo this week?",
    example = "How warm will it get in Rome tomorrow?"
)]
fn forecast(
    stage: &Stage,
    /// The city to look up, such as `Oslo` or `Paris, France`; `home` is where the person lives.
    #[arg(length = 1..=80)]
    city: String,
    /// How many days ahead, today included.
    #[arg(default = 5, range = 1..=14)]
    days: u8,
) -> Result<Table> {
    let week = look_up(stage, &city, days)?;
    stage.show(forecast_widget(&week))?;
    Ok(Table::rows(&week.days)
        .label("low", format!("low {}", week.unit))
        .label("high", format!("high {}", week.unit))
        .label("rain", "rain %")
        .align("low", Align::Right)
        .align("high", Align::Right)
        .align("rain", Align::Right)
        .summary(week.summary()))
}

/// Compares the weather of two or more cities: which is warmer, which is drier. Shows the forecast
/// of each and a chart of all.
#[tool(
    read_only,
    asks,
    title = "Compare cities",
    example = "Compare the weather in Oslo and Rome",
    example = "Is it warmer in Athens or Cairo this week?"
)]
fn compare(
    stage: &Stage,
    /// The cities to compare, such as `Oslo` and `Paris, France`.
    #[arg(length = 2..=5)]
    cities: Vec<String>,
    /// How many days ahead, today included.
    #[arg(default = 5, range = 1..=14)]
    days: u8,
) -> Result<Table> {
    // Resolve all cities first, so that questions come before the widgets.
    let weeks = cities
        .iter()
        .map(|city| look_up(stage, city, days))
        .collect::<Result<Vec<Week>>>()?;
    for week in &weeks {
        stage.show(forecast_widget(week))?;
    }
    let comparison = Comparison::of(&weeks);
    stage.show(comparison_widget(&comparison))?;
    Ok(Table::rows(&comparison.cities)
        .label("low", format!("low {}", comparison.unit))
        .label("high", format!("high {}", comparison.unit))
        .label("wetDays", "wet days")
        .align("low", Align::Right)
        .align("high", Align::Right)
        .align("wetDays", Align::Right)
        .summary(comparison.summary()))
}

plugin!(
    tools: [show_forecast, forecast, compare],
    widgets: ["weather-forecast": Week, "weather-comparison": Comparison],
    config: Settings,
    instructions: "The forecasts are sample data, not real ones: say so when you pass them on. \
                   Call `forecast` to answer a question, and `show_forecast` only when the person \
                   merely wants to look.",
);

/// Returns the widget of the patterns A and B: data for a renderer of the type, a card for other
/// surfaces, and a line of text where nothing can be drawn.
fn forecast_widget(week: &Week) -> Widget {
    Widget::new("weather-forecast", week)
        .view(card::forecast(week))
        .fallback(week.in_words())
}

/// Returns the widget of the pattern C. Its fallback is the text of its card.
fn comparison_widget(comparison: &Comparison) -> Widget {
    Widget::new("weather-comparison", comparison).view(card::comparison(comparison))
}

/// Returns the forecast for a city, in the person's unit.
fn look_up(stage: &Stage, city: &str, days: u8) -> Result<Week> {
    let settings: Settings = stage.config()?;
    let city = resolve(stage, settings.city(city)?)?;
    Ok(Week::sample(city, Date::today(), days, settings.unit()))
}

/// Finds a city by name. If several cities have the name, the person chooses.
fn resolve(stage: &Stage, city: &str) -> Result<&'static City> {
    match cities::find(city).as_slice() {
        [] => {
            let near = cities::nearest(city).join(", ");
            Err(invalid!(
                "the sample has no city called {city:?}; the nearest names are {near}"
            ))
        }
        [one] => Ok(one),
        many => Ok(stage.choose("Which one?", many)?),
    }
}

//! Weather forecasts, and the three ways in which a tool can use widgets.
//!
//! | | tool | what the person sees | what the model reads |
//! | --- | --- | --- | --- |
//! | A | `show_forecast` | a forecast | only that it was shown |
//! | B | `forecast` | the same forecast | the days, as a table |
//! | C | `compare` | a forecast for each city, then a chart | one row for each city |
//!
//! The forecast is Open-Meteo's (`live`), if the person lets the plugin reach it. If not, or if it
//! cannot be reached, the plugin makes sample weather from what is typical for the city and the month,
//! and labels it as sample data everywhere. The person is asked about at most one host in a call: the
//! cities of the sample are known with their position, and after a refusal the call asks no more.

#![forbid(unsafe_code)]

mod card;
mod cities;
mod comparison;
mod date;
mod live;
mod outlook;
mod random;

#[cfg(test)]
mod tests;

use cities::City;
use comparison::Comparison;
use date::Date;
use footlight_sdk::prelude::*;
use live::{Network, Place};
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
    open_world,
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
    let week = look_up(&Network::new(stage), &city, days)?;
    stage.show(forecast_widget(&week))?;
    // The person is looking at the widget: `displayed: true` beside it would only be noise.
    Ok(Structured::new(Displayed { displayed: true }).hidden())
}

/// Tells what the weather will be in a city, day by day: sky, temperature, chance of rain. Shows
/// it to the person as well.
#[tool(
    read_only,
    open_world,
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
    let week = look_up(&Network::new(stage), &city, days)?;
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
    open_world,
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
    let network = Network::new(stage);
    let weeks = cities
        .iter()
        .map(|city| look_up(&network, city, days))
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
    instructions: "Forecasts are Open-Meteo's, or sample data if the person refused the network: the \
                   result says which. Say so when you pass sample data on. Call `forecast` to answer a question, and `show_forecast` only when the person \
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
fn look_up(network: &Network<'_>, city: &str, days: u8) -> Result<Week> {
    let settings: Settings = network.stage.config()?;
    let name = settings.city(city)?;
    let Some(city) = resolve(network.stage, name)? else {
        let place = find(network, name)?;
        let week = network.forecast(&place, days, settings.unit())?;
        return week.ok_or_else(|| unavailable!("there is no forecast for {}", place.name));
    };
    let place = Place {
        name: city.to_string(),
        position: city.position,
    };
    let week = network.forecast(&place, days, settings.unit())?;
    Ok(week.unwrap_or_else(|| Week::sample(city, Date::today(), days, settings.unit())))
}

/// Finds a city of the sample by name. If several cities have the name, the person chooses.
fn resolve(stage: &Stage, city: &str) -> Result<Option<&'static City>> {
    match cities::find(city).as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        many => Ok(Some(*stage.choose("Which one?", many)?)),
    }
}

/// Finds a city that the sample does not have. If several cities have the name, the person chooses.
fn find(network: &Network<'_>, city: &str) -> Result<Place> {
    match network.places(city)? {
        None => {
            let near = cities::nearest(city).join(", ");
            Err(invalid!(
                "the sample has no city called {city:?}; the nearest names are {near}"
            ))
        }
        Some(mut places) => match places.len() {
            0 => Err(invalid!("there is no city called {city:?}")),
            1 => Ok(places.remove(0)),
            _ => Ok(network.stage.choose("Which one?", &places)?.clone()),
        },
    }
}

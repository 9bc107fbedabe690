//! Forecasts and places of Open-Meteo, which needs no key.
//!
//! Whatever goes wrong (the person says no, nobody can be asked, there is no network, the answer is
//! not the expected one) is no failure of the tool: there is no forecast then, and the log says why.

use crate::cities::Position;
use crate::date::Date;
use crate::outlook::{Day, Sky, Source, Unit, Week};
use footlight_sdk::prelude::*;
use serde::de::DeserializeOwned;
use std::cell::Cell;
use std::fmt;

/// The values of each day.
const DAILY: &str =
    "weather_code,temperature_2m_min,temperature_2m_max,precipitation_probability_max";

/// The most places with the same name that the person can choose from.
const MAX_PLACES: usize = 10;

/// How many times more people live in the place that is meant without asking.
const MUCH_LARGER: u64 = 10;

/// The network in one call. After a refusal it is not tried again, so that a person who says no is
/// not asked about the next city.
pub(crate) struct Network<'a> {
    pub(crate) stage: &'a Stage,
    is_refused: Cell<bool>,
}

/// A place with a forecast.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    /// The name with its region, such as `Oslo, Norway`.
    pub(crate) name: String,
    pub(crate) position: Position,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The answer to a request for a forecast.
#[derive(Deserialize)]
struct Forecast {
    daily: Daily,
}

/// One list for each value, with one element for each day. What is not known yet is null.
#[derive(Deserialize)]
struct Daily {
    time: Vec<String>,
    weather_code: Vec<Option<u8>>,
    temperature_2m_min: Vec<Option<f64>>,
    temperature_2m_max: Vec<Option<f64>>,
    precipitation_probability_max: Vec<Option<u8>>,
}

/// The answer to a search for places. Without results, the list is absent.
#[derive(Deserialize)]
struct SearchAnswer {
    #[serde(default)]
    results: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    name: String,
    latitude: f64,
    longitude: f64,
    country: Option<String>,
    country_code: Option<String>,
    admin1: Option<String>,
    population: Option<u64>,
}

impl<'a> Network<'a> {
    pub(crate) fn new(stage: &'a Stage) -> Self {
        let is_refused = Cell::new(false);
        Self { stage, is_refused }
    }

    /// Returns the forecast for a place, if there is one.
    ///
    /// # Errors
    /// Only if the call was cancelled.
    pub(crate) fn forecast(&self, place: &Place, days: u8, unit: Unit) -> Result<Option<Week>> {
        let Position {
            latitude,
            longitude,
        } = place.position;
        let request = Request::get("https://api.open-meteo.com/v1/forecast")
            .query("latitude", format!("{latitude:.2}"))
            .query("longitude", format!("{longitude:.2}"))
            .query("daily", DAILY)
            .query("timezone", "auto")
            .query("forecast_days", days.to_string());
        let Some(forecast) = self.get::<Forecast>(request)? else {
            return Ok(None);
        };
        let days = forecast.daily.days(unit);
        if days.is_empty() {
            self.log("the forecast is incomplete");
            return Ok(None);
        }
        Ok(Some(Week {
            city: place.name.clone(),
            unit,
            source: Source::OpenMeteo,
            days,
        }))
    }

    /// Returns the places with a name, which may include the region; `None` if it cannot be asked.
    ///
    /// # Errors
    /// Only if the call was cancelled.
    pub(crate) fn places(&self, name: &str) -> Result<Option<Vec<Place>>> {
        let (city, region) = match name.split_once(',') {
            Some((city, region)) => (city.trim(), Some(region.trim())),
            None => (name.trim(), None),
        };
        let request = Request::get("https://geocoding-api.open-meteo.com/v1/search")
            .query("name", city)
            .query("count", MAX_PLACES.to_string())
            .query("language", "en")
            .query("format", "json");
        let Some(mut places) = self.get::<SearchAnswer>(request)? else {
            return Ok(None);
        };
        if let Some(region) = region {
            places.results.retain(|found| found.is_in(region));
        }
        let people = |found: &Found| found.population.unwrap_or_default();
        if let [first, second, ..] = places.results.as_slice()
            && people(first) > people(second).saturating_mul(MUCH_LARGER)
        {
            places.results.truncate(1);
        }
        places.results.truncate(MAX_PLACES);
        Ok(Some(places.results.into_iter().map(Place::from).collect()))
    }

    /// Fetches JSON; `None` if that is not possible.
    fn get<T: DeserializeOwned>(&self, request: Request) -> Result<Option<T>> {
        if self.is_refused.get() {
            return Ok(None);
        }
        let request = request.header("accept", "application/json");
        let answer = self.stage.http(request);
        let problem = match answer {
            Ok(response) => match response.ok().and_then(|response| response.json()) {
                Ok(read) => return Ok(Some(read)),
                Err(failure) => failure.to_string(),
            },
            Err(HttpError::Cancelled) => return Err(HttpError::Cancelled.into()),
            Err(error) => {
                self.is_refused.set(true);
                error.to_string()
            }
        };
        self.log(&problem);
        Ok(None)
    }

    fn log(&self, problem: &str) {
        self.stage
            .log(Level::Info, format!("no forecast: {problem}"));
    }
}

impl Daily {
    /// Returns the days up to the first one that is incomplete.
    fn days(&self, unit: Unit) -> Vec<Day> {
        let days = self.time.iter().enumerate().map_while(|(at, time)| {
            let date = Date::parse(time)?;
            let sky = Sky::of_code((*self.weather_code.get(at)?)?);
            let rain = *self.precipitation_probability_max.get(at)?;
            Some(Day {
                date: date.to_string(),
                weekday: date.weekday(),
                sky,
                low: unit.of_degrees((*self.temperature_2m_min.get(at)?)?),
                high: unit.of_degrees((*self.temperature_2m_max.get(at)?)?),
                rain: rain.unwrap_or_else(|| sky.least_rain()).min(100),
            })
        });
        days.take(14).collect()
    }
}

impl Found {
    /// Reports whether the place is in a region, which may be a country or a part of one.
    fn is_in(&self, region: &str) -> bool {
        let names = [&self.country, &self.country_code, &self.admin1];
        let mut names = names.into_iter().flatten();
        names.any(|name| name.to_lowercase() == region.to_lowercase())
    }
}

impl From<Found> for Place {
    fn from(found: Found) -> Self {
        let parts = [Some(found.name), found.admin1, found.country];
        let mut parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.dedup();
        let name: String = parts.join(", ").chars().take(100).collect();
        Self {
            name,
            position: Position {
                latitude: found.latitude,
                longitude: found.longitude,
            },
        }
    }
}

//! The weather of the coming days: a real forecast, or one made from what is typical for the city and
//! the month.
//!
//! Invariant: the same city and date always have the same sample. Every forecast names its source.

use crate::cities::City;
use crate::date::Date;
use crate::random::Random;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// Where a forecast comes from. It is shown with every forecast, so that nobody relies on a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) enum Source {
    #[serde(rename = "Open-Meteo")]
    OpenMeteo,
    #[serde(rename = "sample data")]
    Sample,
    // Of several forecasts, some are samples. Not a doc comment: the schema stays a plain list of words.
    #[serde(rename = "partly sample data")]
    Mixed,
}

/// The chance of rain, in percent, from which a day counts as wet.
const WET: u8 = 50;

/// The forecast for one city: the data of the widget `weather-forecast`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Week {
    /// The city, such as `Oslo, Norway`.
    pub(crate) city: String,
    /// The unit of the temperatures.
    pub(crate) unit: Unit,
    /// The source of the forecast.
    pub(crate) source: Source,
    /// The days, in order.
    pub(crate) days: Vec<Day>,
}

/// The weather of one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Day {
    /// The date in ISO 8601 format.
    pub(crate) date: String,
    /// The weekday, in three letters.
    pub(crate) weekday: &'static str,
    /// The state of the sky.
    pub(crate) sky: Sky,
    /// The lowest temperature.
    pub(crate) low: i32,
    /// The highest temperature.
    pub(crate) high: i32,
    /// The chance of rain or snow, in percent.
    pub(crate) rain: u8,
}

/// The state of the sky.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Sky {
    Clear,
    Fair,
    Cloudy,
    Showers,
    Rain,
    Storm,
    Snow,
}

/// A unit of temperature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) enum Unit {
    #[serde(rename = "°C")]
    Celsius,
    #[serde(rename = "°F")]
    Fahrenheit,
}

impl Week {
    /// Generates the weather of a city on `days` days, starting with `first`.
    pub(crate) fn sample(city: &City, first: Date, days: u8, unit: Unit) -> Self {
        let dates = (0..u64::from(days)).map(|after| first.plus(after));
        Self {
            city: city.to_string(),
            unit,
            source: Source::Sample,
            days: dates.map(|date| Day::sample(city, date, unit)).collect(),
        }
    }

    /// Describes every day, on one line.
    pub(crate) fn in_words(&self) -> String {
        let in_words = |day: &Day| format!("{} {} {}", day.weekday, day.sky, day.range(self.unit));
        let days: Vec<String> = self.days.iter().map(in_words).collect();
        format!("{}: {} ({})", self.city, days.join(", "), self.source)
    }

    /// Summarises the forecast, on one line.
    pub(crate) fn summary(&self) -> String {
        let (count, city, unit) = (self.days.len(), &self.city, self.unit);
        let source = self.source;
        let plural = if count == 1 { "" } else { "s" };
        let low = self.days.iter().map(|day| day.low).min();
        let high = self.days.iter().map(|day| day.high).max();
        let (low, high) = (low.unwrap_or_default(), high.unwrap_or_default());
        let wet = match self.wet_days().count() {
            0 => "rain unlikely".to_owned(),
            wet => format!("rain or snow likely on {wet}"),
        };
        format!("{count} day{plural} for {city}: {low} to {high} {unit}, {wet} ({source})")
    }

    /// Returns the days on which rain or snow is likely.
    pub(crate) fn wet_days(&self) -> impl Iterator<Item = &Day> {
        self.days.iter().filter(|day| day.rain >= WET)
    }
}

impl Day {
    /// Formats the temperatures, such as `-3 to 4 °C`.
    pub(crate) fn range(&self, unit: Unit) -> String {
        format!("{} to {} {unit}", self.low, self.high)
    }

    /// Generates the weather of a city on one day.
    fn sample(city: &City, date: Date, unit: Unit) -> Self {
        let (_, month, _) = date.civil();
        let usual = month as usize - 1;
        let mut random = Random::of(city, date);
        // The sum of two numbers is more often near zero, so most days are near the typical value.
        let swing = random.within(3) + random.within(3);
        let low = i32::from(city.low[usual]) + swing;
        let high = i32::from(city.high[usual]) + swing;
        let rain = (i32::from(city.rain[usual]) + random.within(35)).clamp(0, 100) as u8;
        Self {
            date: date.to_string(),
            weekday: date.weekday(),
            sky: Sky::of(rain, high),
            low: unit.of_celsius(low),
            high: unit.of_celsius(high),
            rain,
        }
    }
}

impl Sky {
    /// Returns the sky for a weather code of the World Meteorological Organization.
    pub(crate) fn of_code(code: u8) -> Self {
        match code {
            0 => Self::Clear,
            1 | 2 => Self::Fair,
            51..=57 | 80..=82 => Self::Showers,
            58..=69 => Self::Rain,
            70..=79 | 85 | 86 => Self::Snow,
            95.. => Self::Storm,
            _ => Self::Cloudy,
        }
    }

    /// Returns the chance of rain, in percent, where a forecast names none.
    pub(crate) fn least_rain(self) -> u8 {
        match self {
            Self::Clear | Self::Fair | Self::Cloudy => 0,
            Self::Showers | Self::Rain | Self::Storm | Self::Snow => WET,
        }
    }

    /// Returns the sky for a chance of rain in percent and a highest temperature in °C.
    fn of(rain: u8, high: i32) -> Self {
        match (rain, high) {
            (WET.., ..=1) => Self::Snow,
            (70.., 27..) => Self::Storm,
            (65.., _) => Self::Rain,
            (WET.., _) => Self::Showers,
            (30.., _) => Self::Cloudy,
            (15.., _) => Self::Fair,
            _ => Self::Clear,
        }
    }
}

impl Unit {
    /// Converts a temperature in °C to this unit, rounded to the nearest degree.
    pub(crate) fn of_celsius(self, degrees: i32) -> i32 {
        match self {
            Self::Celsius => degrees,
            Self::Fahrenheit => rounded(degrees * 9, 5) + 32,
        }
    }

    /// Converts a measured temperature in °C to this unit, rounded to the nearest degree.
    pub(crate) fn of_degrees(self, degrees: f64) -> i32 {
        let degrees = match self {
            Self::Celsius => degrees,
            Self::Fahrenheit => degrees * 1.8 + 32.0,
        };
        degrees.round() as i32
    }
}

/// Divides and rounds to the nearest integer, also for negative numbers.
pub(crate) fn rounded(dividend: i32, divisor: i32) -> i32 {
    (2 * dividend + divisor).div_euclid(2 * divisor)
}

impl Source {
    /// Returns the source of forecasts from both.
    pub(crate) fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Mixed }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpenMeteo => "Open-Meteo",
            Self::Sample => "sample data",
            Self::Mixed => "partly sample data",
        })
    }
}

impl fmt::Display for Sky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Celsius => "°C",
            Self::Fahrenheit => "°F",
        })
    }
}

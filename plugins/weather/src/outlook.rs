//! The weather of the coming days, made from what is usual for the place and the month.
//!
//! Invariant: the same place and day always have the same weather. A real plugin would fetch it
//! with `stage.http` here, and nothing else would change.

use crate::cities::City;
use crate::date::Date;
use crate::random::Random;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// Said wherever the weather is seen, so that nobody packs an umbrella for it.
pub(crate) const SOURCE: &str = "sample data";

/// A day counts as wet from this chance of rain on, in percent.
const WET: u8 = 50;

/// The forecast for one place: the data of the widget `weather-forecast`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Week {
    /// The place, such as `Oslo, Norway`.
    pub(crate) city: String,
    /// What the temperatures are measured in.
    pub(crate) unit: Unit,
    /// Where the forecast comes from.
    pub(crate) source: &'static str,
    /// The days, in order.
    pub(crate) days: Vec<Day>,
}

/// The weather of one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Day {
    /// The date, as ISO 8601 writes it.
    pub(crate) date: String,
    /// The weekday, in three letters.
    pub(crate) weekday: &'static str,
    /// How the sky looks.
    pub(crate) sky: Sky,
    /// The lowest temperature.
    pub(crate) low: i32,
    /// The highest temperature.
    pub(crate) high: i32,
    /// The chance of rain or snow, in percent.
    pub(crate) rain: u8,
}

/// How the sky looks, from blue to white.
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

/// What temperatures are measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) enum Unit {
    #[serde(rename = "°C")]
    Celsius,
    #[serde(rename = "°F")]
    Fahrenheit,
}

impl Week {
    /// The weather in a place on `days` days from `first` on.
    pub(crate) fn sample(city: &City, first: Date, days: u8, unit: Unit) -> Self {
        let dates = (0..u64::from(days)).map(|after| first.plus(after));
        Self {
            city: city.to_string(),
            unit,
            source: SOURCE,
            days: dates.map(|date| Day::sample(city, date, unit)).collect(),
        }
    }

    /// Everything on one line.
    pub(crate) fn in_words(&self) -> String {
        let in_words = |day: &Day| format!("{} {} {}", day.weekday, day.sky, day.range(self.unit));
        let days: Vec<String> = self.days.iter().map(in_words).collect();
        format!("{}: {} ({SOURCE})", self.city, days.join(", "))
    }

    /// What matters most, on one line.
    pub(crate) fn summary(&self) -> String {
        let (count, city, unit) = (self.days.len(), &self.city, self.unit);
        let plural = if count == 1 { "" } else { "s" };
        let low = self.days.iter().map(|day| day.low).min();
        let high = self.days.iter().map(|day| day.high).max();
        let (low, high) = (low.unwrap_or_default(), high.unwrap_or_default());
        let wet = match self.wet_days().count() {
            0 => "rain unlikely".to_owned(),
            wet => format!("rain or snow likely on {wet}"),
        };
        format!("{count} day{plural} for {city}: {low} to {high} {unit}, {wet} ({SOURCE})")
    }

    /// The days that are rather wet than dry.
    pub(crate) fn wet_days(&self) -> impl Iterator<Item = &Day> {
        self.days.iter().filter(|day| day.rain >= WET)
    }
}

impl Day {
    /// How cold and how warm it gets, such as `-3 to 4 °C`.
    pub(crate) fn range(&self, unit: Unit) -> String {
        format!("{} to {} {unit}", self.low, self.high)
    }

    /// The weather in a place on one day.
    fn sample(city: &City, date: Date, unit: Unit) -> Self {
        let (_, month, _) = date.civil();
        let usual = month as usize - 1;
        let mut random = Random::of(city, date);
        // Two throws, so that a day is more often near what is usual than far from it.
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
    /// The sky that goes with a chance of rain and a highest temperature in °C.
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
    /// A temperature in this unit, to the nearest degree.
    pub(crate) fn of_celsius(self, degrees: i32) -> i32 {
        match self {
            Self::Celsius => degrees,
            Self::Fahrenheit => rounded(degrees * 9, 5) + 32,
        }
    }
}

/// A quotient to the nearest whole number, also below zero.
pub(crate) fn rounded(dividend: i32, divisor: i32) -> i32 {
    (2 * dividend + divisor).div_euclid(2 * divisor)
}

impl fmt::Display for Sky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Clear => "clear",
            Self::Fair => "fair",
            Self::Cloudy => "cloudy",
            Self::Showers => "showers",
            Self::Rain => "rain",
            Self::Storm => "storm",
            Self::Snow => "snow",
        })
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

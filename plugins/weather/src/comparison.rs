//! The comparison of several forecasts.

use crate::outlook::{Source, Unit, Week, rounded};
use schemars::JsonSchema;
use serde::Serialize;

/// Several cities compared: the data of the widget `weather-comparison`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Comparison {
    /// The unit of the temperatures.
    pub(crate) unit: Unit,
    /// The source of the forecasts.
    pub(crate) source: Source,
    /// The cities, in the order of the request.
    pub(crate) cities: Vec<CityMean>,
}

/// The forecast of one city in three numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CityMean {
    /// The city, such as `Oslo, Norway`.
    pub(crate) city: String,
    /// The mean of the lowest temperatures.
    pub(crate) low: i32,
    /// The mean of the highest temperatures.
    pub(crate) high: i32,
    /// The number of days on which rain or snow is likely.
    pub(crate) wet_days: usize,
}

impl Comparison {
    /// Computes the means of these forecasts, which share a unit.
    pub(crate) fn of(weeks: &[Week]) -> Self {
        Self {
            unit: weeks.first().map_or(Unit::Celsius, |week| week.unit),
            source: weeks
                .iter()
                .map(|week| week.source)
                .reduce(Source::and)
                .unwrap_or(Source::Sample),
            cities: weeks.iter().map(CityMean::of).collect(),
        }
    }

    /// Names the warmest and the driest city, on one line.
    pub(crate) fn summary(&self) -> String {
        let warmest = self.cities.iter().max_by_key(|mean| mean.high);
        let driest = self.cities.iter().min_by_key(|mean| mean.wet_days);
        let (Some(warmest), Some(driest)) = (warmest, driest) else {
            return "nothing to compare".to_owned();
        };
        format!(
            "warmest is {} with {} {} on average, driest is {} ({})",
            warmest.city, warmest.high, self.unit, driest.city, self.source
        )
    }
}

impl CityMean {
    fn of(week: &Week) -> Self {
        Self {
            city: week.city.clone(),
            low: mean(week.days.iter().map(|day| day.low)),
            high: mean(week.days.iter().map(|day| day.high)),
            wet_days: week.wet_days().count(),
        }
    }
}

/// Returns the mean, rounded to the nearest integer, or 0 without numbers.
fn mean(numbers: impl ExactSizeIterator<Item = i32>) -> i32 {
    let count = numbers.len().max(1);
    rounded(numbers.sum(), count as i32)
}

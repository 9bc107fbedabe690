//! Several forecasts side by side.

use crate::outlook::{SOURCE, Unit, Week, rounded};
use schemars::JsonSchema;
use serde::Serialize;

/// Several places side by side: the data of the widget `weather-comparison`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Comparison {
    /// What the temperatures are measured in.
    pub(crate) unit: Unit,
    /// Where the forecasts come from.
    pub(crate) source: &'static str,
    /// The places, in the order in which they were named.
    pub(crate) cities: Vec<CityMean>,
}

/// The forecast of one place in three numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CityMean {
    /// The place, such as `Oslo, Norway`.
    pub(crate) city: String,
    /// The mean of the lowest temperatures.
    pub(crate) low: i32,
    /// The mean of the highest temperatures.
    pub(crate) high: i32,
    /// On how many days rain or snow is likely.
    pub(crate) wet_days: usize,
}

impl Comparison {
    /// The means of these forecasts, which share a unit.
    pub(crate) fn of(weeks: &[Week]) -> Self {
        Self {
            unit: weeks.first().map_or(Unit::Celsius, |week| week.unit),
            source: SOURCE,
            cities: weeks.iter().map(CityMean::of).collect(),
        }
    }

    /// Who wins, on one line.
    pub(crate) fn summary(&self) -> String {
        let warmest = self.cities.iter().max_by_key(|mean| mean.high);
        let driest = self.cities.iter().min_by_key(|mean| mean.wet_days);
        let (Some(warmest), Some(driest)) = (warmest, driest) else {
            return "nothing to compare".to_owned();
        };
        format!(
            "warmest is {} with {} {} on average, driest is {} ({SOURCE})",
            warmest.city, warmest.high, self.unit, driest.city
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

/// The mean to the nearest whole number; of nothing it is 0.
fn mean(numbers: impl ExactSizeIterator<Item = i32>) -> i32 {
    let count = numbers.len().max(1);
    rounded(numbers.sum(), count as i32)
}

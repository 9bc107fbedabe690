//! The views of the widgets, for surfaces without a renderer for their types.

use crate::comparison::{CityMean, Comparison};
use crate::outlook::{Day, Sky, Source, Unit, Week};
use footlight_sdk::ui;

/// Returns a card with one line for each day.
pub(crate) fn forecast(week: &Week) -> ui::Card {
    ui::Card::new()
        .child(header(&week.city, week.source, week.unit))
        .child(ui::Divider::new())
        .children(week.days.iter().map(|day| line(day, week.unit)))
}

/// Returns a card with a chart of the temperatures, and a line about the rain in each city.
pub(crate) fn comparison(comparison: &Comparison) -> ui::Card {
    let unit = comparison.unit;
    let bars = [
        ui::Series::bar("low").label(format!("low {unit}")),
        ui::Series::bar("high").label(format!("high {unit}")),
    ];
    ui::Card::new()
        .child(header("On average", comparison.source, unit))
        .child(ui::Chart::new(&comparison.cities, bars, "city").show_legend(true))
        .child(ui::Divider::new())
        .children(comparison.cities.iter().map(wetness))
}

/// Returns the header: the title, the source of the data and the unit.
fn header(title: &str, source: Source, unit: Unit) -> ui::Row {
    ui::Row::new()
        .align(ui::Alignment::Baseline)
        .justify(ui::Justification::Between)
        .child(ui::Title::new(title))
        .child(ui::Caption::new(format!("{source} · {unit}")))
}

/// Returns the line of a day: weekday, sky, chance of rain, and temperatures.
fn line(day: &Day, unit: Unit) -> ui::Row {
    // An id contains the date, so that a text keeps its id when the first day changes.
    let id = |part: &str| format!("{}-{part}", day.date);
    let weekday = ui::Text::new(day.weekday).id(id("day"));
    ui::Row::new()
        .key(&day.date)
        .align(ui::Alignment::Center)
        .gap(3)
        .child(weekday.weight(ui::Weight::Semibold).width(48))
        .child(ui::Icon::new(icon(day.sky)))
        .child(ui::Badge::new(day.sky.to_string()).color(color(day.sky)))
        .child(ui::Spacer::new())
        .child(ui::Caption::new(format!("{} %", day.rain)))
        .child(ui::Text::new(day.range(unit)).id(id("range")))
}

/// Returns the line of a city: its name, and the number of wet days.
fn wetness(mean: &CityMean) -> ui::Row {
    let days = match mean.wet_days {
        0 => "no wet days".to_owned(),
        1 => "1 wet day".to_owned(),
        days => format!("{days} wet days"),
    };
    ui::Row::new()
        .justify(ui::Justification::Between)
        .child(ui::Text::new(&mean.city))
        .child(ui::Caption::new(days))
}

/// Returns the icon of a sky.
fn icon(sky: Sky) -> &'static str {
    match sky {
        Sky::Clear => "lucide:sun",
        Sky::Fair => "lucide:cloud-sun",
        Sky::Cloudy => "lucide:cloud",
        Sky::Showers => "lucide:cloud-drizzle",
        Sky::Rain => "lucide:cloud-rain",
        Sky::Storm => "lucide:cloud-lightning",
        Sky::Snow => "lucide:snowflake",
    }
}

/// Returns the colour of a sky: blue for rain or snow, orange for a storm.
fn color(sky: Sky) -> ui::BadgeColor {
    match sky {
        Sky::Clear | Sky::Fair => ui::BadgeColor::Success,
        Sky::Cloudy => ui::BadgeColor::Secondary,
        Sky::Showers | Sky::Rain | Sky::Snow => ui::BadgeColor::Info,
        Sky::Storm => ui::BadgeColor::Warning,
    }
}

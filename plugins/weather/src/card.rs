//! How the widgets look where nobody has a renderer of their own for them.

use crate::comparison::{CityMean, Comparison};
use crate::outlook::{Day, Sky, Unit, Week};
use footlight_sdk::component::{
    Alignment, Badge, BadgeColor, Caption, Card, Chart, Divider, Icon, Justification, Row, Series,
    Spacer, Text, Title, Weight,
};

/// A card with one line for each day.
pub(crate) fn forecast(week: &Week) -> Card {
    Card::new()
        .child(header(&week.city, week.source, week.unit))
        .child(Divider::new())
        .children(week.days.iter().map(|day| line(day, week.unit)))
}

/// A card with a chart of the temperatures, and one line on the rain for each city.
pub(crate) fn comparison(comparison: &Comparison) -> Card {
    let unit = comparison.unit;
    let bars = [
        Series::bar("low").label(format!("low {unit}")),
        Series::bar("high").label(format!("high {unit}")),
    ];
    Card::new()
        .child(header("On average", comparison.source, unit))
        .child(Chart::new(&comparison.cities, bars, "city").show_legend(true))
        .child(Divider::new())
        .children(comparison.cities.iter().map(wetness))
}

/// What it is about, and how far to trust it.
fn header(title: &str, source: &str, unit: Unit) -> Row {
    Row::new()
        .align(Alignment::Baseline)
        .justify(Justification::Between)
        .child(Title::new(title))
        .child(Caption::new(format!("{source} · {unit}")))
}

/// One day: `Mon`, the sky, how likely rain is, and how cold and warm it gets.
fn line(day: &Day, unit: Unit) -> Row {
    // The date tells the lines apart, so that a text keeps its id when the days move on.
    let id = |part: &str| format!("{}-{part}", day.date);
    let weekday = Text::new(day.weekday).id(id("day"));
    Row::new()
        .key(&day.date)
        .align(Alignment::Center)
        .gap(3)
        .child(weekday.weight(Weight::Semibold).width(48))
        .child(Icon::new(icon(day.sky)))
        .child(Badge::new(day.sky.to_string()).color(color(day.sky)))
        .child(Spacer::new())
        .child(Caption::new(format!("{} %", day.rain)))
        .child(Text::new(day.range(unit)).id(id("range")))
}

/// One city: its name, and on how many days it will be wet.
fn wetness(mean: &CityMean) -> Row {
    let days = match mean.wet_days {
        0 => "no wet days".to_owned(),
        1 => "1 wet day".to_owned(),
        days => format!("{days} wet days"),
    };
    Row::new()
        .justify(Justification::Between)
        .child(Text::new(&mean.city))
        .child(Caption::new(days))
}

/// What the sky looks like at a glance.
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

/// Blue for what makes wet, orange for what does harm.
fn color(sky: Sky) -> BadgeColor {
    match sky {
        Sky::Clear | Sky::Fair => BadgeColor::Success,
        Sky::Cloudy => BadgeColor::Secondary,
        Sky::Showers | Sky::Rain | Sky::Snow => BadgeColor::Info,
        Sky::Storm => BadgeColor::Warning,
    }
}

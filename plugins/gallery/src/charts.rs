//! Charts, one tool for each type.

use crate::data::{Show, With};
use footlight_sdk::kinds::ChartType;
use footlight_sdk::prelude::*;

/// Charts the seats sold in a week, in two series.
fn week(chart_type: ChartType, with: With) -> Chart {
    let chart = Chart::new(chart_type, with.nights())
        .title(with.or("Seats sold this week"))
        .x("night", "Night");
    if with == With::Wide {
        // More series than there are distinguishable colours.
        return (0..20).fold(chart, |chart, n| {
            chart.series(if n % 2 == 0 { "stalls" } else { "circle" }, with.title(n))
        });
    }
    chart.series("stalls", "Stalls").series("circle", "Circle")
}

/// Draws the seats sold in a week as bars.
#[tool(read_only, example = "Show me a bar chart")]
pub(crate) fn bars(#[args] Show { with }: Show) -> Chart {
    week(ChartType::Bar, with)
}

/// Draws the seats sold in a week as lines.
#[tool(read_only, example = "Show me a line chart")]
pub(crate) fn lines(#[args] Show { with }: Show) -> Chart {
    week(ChartType::Line, with)
}

/// Draws the seats sold in a week as areas.
#[tool(read_only, example = "Show me an area chart")]
pub(crate) fn areas(#[args] Show { with }: Show) -> Chart {
    week(ChartType::Area, with)
}

/// Draws the seats sold in a week as points.
#[tool(read_only, example = "Show me a scatter plot")]
pub(crate) fn points(#[args] Show { with }: Show) -> Chart {
    week(ChartType::Scatter, with)
}

/// Draws the seats sold in a week as shares of a pie.
#[tool(read_only, example = "Show me a pie chart")]
pub(crate) fn pie(#[args] Show { with }: Show) -> Chart {
    Chart::pie(with.nights())
        .title(with.or("Seats sold this week"))
        .x("night", "Night")
        .series("stalls", "Stalls")
}

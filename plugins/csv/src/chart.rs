//! The chart of groups, as a widget.

use footlight_sdk::prelude::*;

/// The most bars of a chart.
pub(crate) const MAX_BARS: usize = 20;

/// The data of a `csv-chart` widget.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Groups {
    /// The title, such as `sum of price by city`.
    pub(crate) title: String,
    /// What was read, such as `120 rows of sales.csv`.
    pub(crate) source: String,
    /// The groups, in the order of the chart.
    pub(crate) groups: Vec<Bar>,
}

/// One group.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Bar {
    /// The value that the rows of the group share.
    pub(crate) name: String,
    /// The number of rows, or what was computed of them.
    pub(crate) value: f64,
}

/// Returns the widget, with one bar for each group.
pub(crate) fn widget(groups: &Groups) -> Widget {
    let series = [ui::Series::bar("value").label(groups.title.as_str())];
    let card = ui::Card::new()
        .child(ui::Title::new(&groups.title))
        .child(ui::Chart::new(&groups.groups, series, "name"))
        .child(ui::Caption::new(&groups.source));
    Widget::new("csv-chart", groups).view(card)
}

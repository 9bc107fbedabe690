//! Components that show something at a glance: badges, pictures, charts, tables.
//!
//! `Table` is in ChatKit's JavaScript types only; `Progress` is ours.

use super::Node;
use super::declare::{component, described, either, shape};
use super::layout::sized;
use super::prop::Prop;
use super::shape::{Color, Dimension, IconName, Inset};
use super::token::{
    BadgeColor, BadgeSize, BadgeVariant, ColSize, CurveType, IconSize, ImageFit, ImagePosition,
    Radius, SeriesType, TextAlign,
};
use serde::Serialize;

component! {
    /// A word or two that says how something stands.
    Badge = "Badge" [] (
        /// The text.
        label = "label": String,
    )
    /// What its colour says.
    color = "color": BadgeColor,
    /// How it is filled.
    variant = "variant": BadgeVariant,
    /// How large it is.
    size = "size": BadgeSize,
    /// Whether its ends are fully round.
    pill = "pill": bool,
}

component! {
    /// An icon.
    Icon = "Icon" [] (
        /// The icon's name.
        name = "name": IconName,
    )
    /// A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme.
    color = "color": Color,
    /// How large it is.
    size = "size": IconSize,
}

sized! {
    /// A picture.
    Image = "Image" [] (
        /// The picture's address; what may be loaded is the host's decision.
        src = "src": String,
    )
    /// What it shows, in words.
    alt = "alt": String,
    /// How it fills its frame.
    fit = "fit": ImageFit,
    /// Which part of it stays in view.
    position = "position": ImagePosition,
    /// How round the corners are.
    radius = "radius": Radius,
    /// Whether it has a frame.
    frame = "frame": bool,
    /// Whether it reaches the edges of its container.
    flush = "flush": bool,
    /// The room outside the edges.
    margin = "margin": Inset,
    /// The background: a token such as `surface-secondary`, a primitive, a CSS colour.
    background = "background": Color,
}

component! {
    /// How far something is; without a value, merely that it is under way.
    Progress = "Progress" [] ()
    /// How far, of `max`.
    value = "value": f64,
    /// What counts as all; 100 unless said otherwise.
    max = "max": f64,
    /// What is under way.
    label = "label": String,
}

component! {
    /// Rows and columns; its children are [`TableRow`]s.
    Table = "Table" [TableRow] ()
}

component! {
    /// One row of a [`Table`]; its children are [`TableCell`]s.
    TableRow = "Table.Row" [TableCell] ()
    /// Whether it heads the columns.
    header = "header": bool,
}

component! {
    /// One cell of a [`TableRow`].
    TableCell = "Table.Cell" [Node] ()
    /// The width; pixels or a CSS string.
    width = "width": Dimension,
    /// The room inside the edges.
    padding = "padding": Inset,
    /// How many columns it spans.
    col_span = "colSpan": u32,
    /// How many rows it spans.
    row_span = "rowSpan": u32,
    /// Where its content stands between left and right.
    align = "align": TextAlign,
    /// Where its content stands between top and bottom.
    v_align = "vAlign": TextAlign,
    /// How wide its column is.
    col_size = "colSize": ColSize,
}

sized! {
    /// A chart of bars, lines and areas.
    Chart = "Chart" [] (
        /// The rows: objects whose members are text or numbers.
        data = "data": ChartRows,
        /// What is plotted from them.
        series = "series": SeriesList,
        /// The member of a row that stands on the x axis.
        x_axis = "xAxis": XAxis,
    )
    /// Whether the y axis is drawn.
    show_y_axis = "showYAxis": bool,
    /// Whether there is a legend.
    show_legend = "showLegend": bool,
    /// Whether pointing at a value shows it.
    show_tooltip = "showTooltip": bool,
    /// The room between bars of one category, in pixels.
    bar_gap = "barGap": u32,
    /// The room between categories, in pixels.
    bar_category_gap = "barCategoryGap": u32,
}

/// A chart's rows: a list of anything that serialises as an object of text and numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartRows(Prop);

impl<T: Serialize> From<&[T]> for ChartRows {
    fn from(rows: &[T]) -> Self {
        Self(Prop::json(rows))
    }
}

impl<T: Serialize> From<&Vec<T>> for ChartRows {
    fn from(rows: &Vec<T>) -> Self {
        rows.as_slice().into()
    }
}

impl<T: Serialize> From<Vec<T>> for ChartRows {
    fn from(rows: Vec<T>) -> Self {
        rows.as_slice().into()
    }
}

impl<T: Serialize, const N: usize> From<[T; N]> for ChartRows {
    fn from(rows: [T; N]) -> Self {
        rows.as_slice().into()
    }
}

impl From<ChartRows> for Prop {
    fn from(rows: ChartRows) -> Self {
        rows.0
    }
}

// A gap in the data is `null`, which ChatKit's types leave out and its charts draw as a gap.
described!(ChartRows = List(&Map(&OneOf(&[Str, Num, Null]))));

shape! {
    /// One series of a chart.
    Series (
        /// How it is plotted.
        kind = "type": SeriesType,
        /// The member of a row that is its value.
        data_key = "dataKey": String,
    )
    /// What the legend calls it. ChatKit wants it there, if only as `null`; we can do without.
    label = "label": SeriesLabel,
    /// Series with the same word are stacked.
    stack = "stack": String,
    /// A token such as `blue`, a primitive, a CSS colour, or one per theme.
    color = "color": Color,
    /// How the points of an area or a line are joined.
    curve_type = "curveType": CurveType,
}

impl Series {
    /// Bars.
    pub fn bar(data_key: impl Into<String>) -> Self {
        Self::new(SeriesType::Bar, data_key).label(())
    }

    /// An area.
    pub fn area(data_key: impl Into<String>) -> Self {
        Self::new(SeriesType::Area, data_key).label(())
    }

    /// A line.
    pub fn line(data_key: impl Into<String>) -> Self {
        Self::new(SeriesType::Line, data_key).label(())
    }
}

either! {
    /// What the legend calls a series, or `()` for nothing.
    SeriesLabel from &str, String, (); OneOf(&[Str, Null])
}

/// A chart's series: one, or a list of them.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesList(Prop);

impl From<Series> for SeriesList {
    fn from(one: Series) -> Self {
        [one].into()
    }
}

impl From<Vec<Series>> for SeriesList {
    fn from(series: Vec<Series>) -> Self {
        Self(Prop::list(series.into_iter().map(Prop::from)))
    }
}

impl<const N: usize> From<[Series; N]> for SeriesList {
    fn from(series: [Series; N]) -> Self {
        Vec::from(series).into()
    }
}

impl From<SeriesList> for Prop {
    fn from(series: SeriesList) -> Self {
        series.0
    }
}

described!(SeriesList = List(&Object(Series::SHAPE)));

shape! {
    /// The x axis of a chart; a plain string is its `dataKey`.
    XAxis (
        /// The member of a row that stands on the axis.
        data_key = "dataKey": String,
    )
    /// Whether the axis is not drawn.
    hide = "hide": bool,
    /// What to write in place of a value.
    labels = "labels": Labels,
}

described!(XAxis = OneOf(&[Str, Object(XAxis::SHAPE)]));

impl From<&str> for XAxis {
    fn from(data_key: &str) -> Self {
        Self::new(data_key)
    }
}

impl From<String> for XAxis {
    fn from(data_key: String) -> Self {
        Self::new(data_key)
    }
}

/// What to write in place of a value: pairs of value and label.
#[derive(Debug, Clone, PartialEq)]
pub struct Labels(Prop);

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Labels {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let labels: serde_json::Map<String, serde_json::Value> = pairs
            .into_iter()
            .map(|(value, label)| (value.into(), label.into().into()))
            .collect();
        Self(serde_json::Value::Object(labels).into())
    }
}

impl<K: Into<String>, V: Into<String>, const N: usize> From<[(K, V); N]> for Labels {
    fn from(pairs: [(K, V); N]) -> Self {
        pairs.into_iter().collect()
    }
}

impl From<Labels> for Prop {
    fn from(labels: Labels) -> Self {
        labels.0
    }
}

described!(Labels = Map(&Str));

#[cfg(test)]
mod tests {
    use super::super::*;
    use serde_json::json;

    #[test]
    fn a_chart_is_written_as_chatkit_reads_it() {
        let rows = vec![
            json!({ "day": "Mon", "high": 3 }),
            json!({ "day": "Tue", "high": 4.5 }),
        ];
        let chart = Chart::new(
            &rows,
            [
                Series::bar("high").label("High"),
                Series::line("low").curve_type("monotone"),
            ],
            XAxis::new("day").labels([("Mon", "Monday")]),
        )
        .show_legend(true)
        .bar_gap(2)
        .aspect_ratio("16/9");
        assert_eq!(
            serde_json::to_value(chart.node()).expect("serialises"),
            json!({
                "type": "Chart", "data": rows, "showLegend": true, "barGap": 2, "aspectRatio": "16/9",
                "series": [
                    { "type": "bar", "dataKey": "high", "label": "High" },
                    { "type": "line", "dataKey": "low", "label": null, "curveType": "monotone" }
                ],
                "xAxis": { "dataKey": "day", "labels": { "Mon": "Monday" } }
            })
        );
    }

    #[test]
    fn a_table_is_written_as_chatkit_reads_it() {
        let cell = |text: &str| TableCell::new().child(Text::new(text));
        let table = Table::new()
            .child(
                TableRow::new()
                    .header(true)
                    .children(["Day", "Sky"].map(cell)),
            )
            .child(TableRow::new().child(cell("Mon").col_span(2).v_align(TextAlign::Center)));
        assert_eq!(
            serde_json::to_value(table.node()).expect("serialises"),
            json!({ "type": "Table", "children": [
                { "type": "Table.Row", "header": true, "children": [
                    { "type": "Table.Cell", "children": [{ "type": "Text", "value": "Day" }] },
                    { "type": "Table.Cell", "children": [{ "type": "Text", "value": "Sky" }] }
                ] },
                { "type": "Table.Row", "children": [
                    { "type": "Table.Cell", "colSpan": 2, "vAlign": "center",
                      "children": [{ "type": "Text", "value": "Mon" }] }
                ] }
            ] })
        );
    }

    #[test]
    fn small_things_are_written_as_chatkit_reads_them() {
        for (node, expected) in [
            (
                Node::from(Badge::new("rain").color(BadgeColor::Info).pill(true)),
                json!({ "type": "Badge", "label": "rain", "color": "info", "pill": true }),
            ),
            (
                Icon::new("lucide:cloud").size(IconSize::Xl2).into(),
                json!({ "type": "Icon", "name": "lucide:cloud", "size": "2xl" }),
            ),
            (
                Image::new("https://a.example/b.png")
                    .alt("b")
                    .position(ImagePosition::TopLeft)
                    .radius(Radius::Whole)
                    .into(),
                json!({ "type": "Image", "src": "https://a.example/b.png", "alt": "b", "position": "top left", "radius": "100%" }),
            ),
            (
                Progress::new().value(0.5).max(1.0).label("Loading").into(),
                json!({ "type": "Progress", "value": 0.5, "max": 1.0, "label": "Loading" }),
            ),
        ] {
            assert_eq!(serde_json::to_value(&node).expect("serialises"), expected);
        }
    }
}

//! Badges, icons, pictures, progress, tables and charts.
//!
//! ChatKit has `Table` in its JavaScript types only, and no `Progress`.

use super::Node;
use super::declare::{component, described, either, shape};
use super::layout::sized;
use super::prop::Prop;
use super::shape::{Color, Dimension, IconName, Inset};
use super::token::{
    BadgeColor, BadgeSize, BadgeVariant, ColSize, CurveType, IconSize, ImageFit, ImagePosition,
    Radius, SeriesType, TextAlign,
};
use crate::builder::from_each;
use serde::Serialize;

component! {
    /// A short label for a state.
    Badge = "Badge" [] (
        /// The text.
        label = "label": String,
    )
    /// The meaning of the colour.
    color = "color": BadgeColor,
    /// The fill.
    variant = "variant": BadgeVariant,
    /// The size.
    size = "size": BadgeSize,
    /// Whether the ends are fully rounded.
    pill = "pill": bool,
}

component! {
    /// An icon.
    Icon = "Icon" [] (
        /// The name of the icon.
        name = "name": IconName,
    )
    /// A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme.
    color = "color": Color,
    /// The size.
    size = "size": IconSize,
}

sized! {
    /// A picture.
    Image = "Image" [] (
        /// The URL. The host decides which pictures are loaded.
        src = "src": String,
    )
    /// The alternative text.
    alt = "alt": String,
    /// How the picture fills its frame.
    fit = "fit": ImageFit,
    /// The part that stays visible when the picture is cropped.
    position = "position": ImagePosition,
    /// The radius of the corners.
    radius = "radius": Radius,
    /// Whether the picture has a frame.
    frame = "frame": bool,
    /// Whether the picture reaches the edges of its container.
    flush = "flush": bool,
    /// The margin.
    margin = "margin": Inset,
    /// The background: a token such as `surface-secondary`, a primitive, a CSS colour.
    background = "background": Color,
}

component! {
    /// A progress bar; indeterminate without a value.
    Progress = "Progress" [] ()
    /// The amount done, of `max`.
    value = "value": f64,
    /// The total amount; 100 by default.
    max = "max": f64,
    /// The label.
    label = "label": String,
}

component! {
    /// A table; its children are [`TableRow`]s.
    Table = "Table" [TableRow] ()
}

component! {
    /// A row of a [`Table`]; its children are [`TableCell`]s.
    TableRow = "Table.Row" [TableCell] ()
    /// Whether this is a header row.
    header = "header": bool,
}

component! {
    /// A cell of a [`TableRow`].
    TableCell = "Table.Cell" [Node] ()
    /// The width; pixels or a CSS string.
    width = "width": Dimension,
    /// The padding.
    padding = "padding": Inset,
    /// The number of columns the cell spans.
    col_span = "colSpan": u32,
    /// The number of rows the cell spans.
    row_span = "rowSpan": u32,
    /// The horizontal alignment of the content.
    align = "align": TextAlign,
    /// The vertical alignment of the content.
    v_align = "vAlign": TextAlign,
    /// The width of the column.
    col_size = "colSize": ColSize,
}

sized! {
    /// A chart of bars, lines and areas.
    Chart = "Chart" [] (
        /// The rows: objects whose members are text or numbers.
        data = "data": ChartRows,
        /// The series.
        series = "series": SeriesList,
        /// The x axis.
        x_axis = "xAxis": XAxis,
    )
    /// Whether the y axis is drawn.
    show_y_axis = "showYAxis": bool,
    /// Whether there is a legend.
    show_legend = "showLegend": bool,
    /// Whether a tooltip shows values.
    show_tooltip = "showTooltip": bool,
    /// The gap between bars of one category, in pixels.
    bar_gap = "barGap": u32,
    /// The gap between categories, in pixels.
    bar_category_gap = "barCategoryGap": u32,
}

either! {
    /// The rows of a chart: values that serialize to objects of strings and numbers.
    // `null` is a gap in the data. ChatKit's types do not list it, but its charts draw it.
    ChartRows; List(&Map(&OneOf(&[Str, Num, Null])))
}

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

shape! {
    /// A series of a chart.
    Series (
        /// The type of the series.
        kind = "type": SeriesType,
        /// The member of the rows that is plotted.
        data_key = "dataKey": String,
    )
    /// The label in the legend. ChatKit requires the member, at least as `null`; this host does not.
    label = "label": SeriesLabel,
    /// The stack: series with the same value are stacked.
    stack = "stack": String,
    /// A token such as `blue`, a primitive, a CSS colour, or one per theme.
    color = "color": Color,
    /// The curve of an area or a line.
    curve_type = "curveType": CurveType,
}

impl Series {
    /// Creates a series of bars.
    pub fn bar(data_key: impl Into<String>) -> Self {
        Self::new(SeriesType::Bar, data_key).label(())
    }

    /// Creates an area.
    pub fn area(data_key: impl Into<String>) -> Self {
        Self::new(SeriesType::Area, data_key).label(())
    }

    /// Creates a line.
    pub fn line(data_key: impl Into<String>) -> Self {
        Self::new(SeriesType::Line, data_key).label(())
    }
}

either! {
    /// The label of a series, or `()` for none.
    SeriesLabel from &str, String, (); OneOf(&[Str, Null])
}

either! {
    /// The series of a chart: one, or a list.
    SeriesList; List(&Object(Series::SHAPE))
}

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

shape! {
    /// The x axis of a chart; a plain string is its `dataKey`.
    XAxis (
        /// The member of the rows.
        data_key = "dataKey": String,
    )
    /// Whether the axis is hidden.
    hide = "hide": bool,
    /// Labels for values.
    labels = "labels": Labels,
}

described!(XAxis = OneOf(&[Str, Object(XAxis::SHAPE)]));

from_each!(XAxis: &str, String; data_key => Self::new(data_key));

either! {
    /// Labels for values: pairs of value and label.
    Labels; Map(&Str)
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Labels {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let pairs = pairs.into_iter();
        let labels = pairs.map(|(value, label)| (value.into(), label.into().into()));
        Self(serde_json::Value::Object(labels.collect()).into())
    }
}

impl<K: Into<String>, V: Into<String>, const N: usize> From<[(K, V); N]> for Labels {
    fn from(pairs: [(K, V); N]) -> Self {
        pairs.into_iter().collect()
    }
}

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

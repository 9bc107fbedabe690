//! Kind `chart`: rows drawn as bars, lines, areas, points or a pie.

use super::row::{Row, Unwritable};
use crate::outcome::Typed;
use crate::word::words;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A chart.
///
/// ```
/// use footlight_vocabulary::kinds::Chart;
/// use footlight_vocabulary::outcome::IntoOutcome;
///
/// #[derive(serde::Serialize)]
/// struct Day { name: &'static str, max: f32 }
///
/// let chart = Chart::bar(&[Day { name: "Mon", max: 21.5 }])
///     .title("This week")
///     .x("name", "Day")
///     .series("max", "Highest, °C");
/// assert_eq!(
///     chart.into_outcome()?.data,
///     r#"{"type":"bar","title":"This week","x":{"key":"name","label":"Day"},"series":[{"key":"max","label":"Highest, °C"}],"rows":[{"name":"Mon","max":21.5}]}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
pub type Chart = Typed<ChartData>;

/// The data of kind `chart`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChartData {
    /// The type of the chart.
    #[serde(rename = "type")]
    pub chart_type: ChartType,
    /// The title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The horizontal axis.
    pub x: Axis,
    /// The members of the rows that are drawn.
    pub series: Vec<Series>,
    /// The points, one object each.
    pub rows: Vec<Map<String, Value>>,
    #[serde(skip_deserializing, skip_serializing_if = "Unwritable::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    unwritable: Unwritable,
}

words! {
    /// The type of a chart.
    pub enum ChartType {
        /// Vertical bars, grouped by row.
        Bar = "bar",
        /// Lines.
        Line = "line",
        /// Lines with the area below them filled.
        Area = "area",
        /// Points.
        Scatter = "scatter",
        /// A pie of the first series.
        Pie = "pie",
    }
}

/// The horizontal axis.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Axis {
    /// The member of the rows.
    pub key: String,
    /// The label; the key if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// A member of the rows that is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Series {
    /// The member of the rows.
    pub key: String,
    /// The label; the key if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The type of this series, if different from that of the chart.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub series_type: Option<ChartType>,
}

impl Chart {
    /// Creates a chart of rows. Their first field is the horizontal axis unless [`x`](Self::x)
    /// names another; [`series`](Self::series) names the fields to draw.
    pub fn new(chart_type: ChartType, rows: impl IntoIterator<Item = impl Serialize>) -> Self {
        let mut data = ChartData {
            chart_type,
            title: None,
            x: Axis::default(),
            series: Vec::new(),
            rows: Vec::new(),
            unwritable: Unwritable::default(),
        };
        for row in rows {
            data.push(Row::of(&row));
        }
        Self::of(data)
    }

    /// Creates a bar chart.
    pub fn bar(rows: impl IntoIterator<Item = impl Serialize>) -> Self {
        Self::new(ChartType::Bar, rows)
    }

    /// Creates a line chart.
    pub fn line(rows: impl IntoIterator<Item = impl Serialize>) -> Self {
        Self::new(ChartType::Line, rows)
    }

    /// Creates a pie chart.
    pub fn pie(rows: impl IntoIterator<Item = impl Serialize>) -> Self {
        Self::new(ChartType::Pie, rows)
    }

    /// Sets the title.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.data.title = Some(title.into());
        self
    }

    /// Sets the field and the label of the horizontal axis.
    #[must_use]
    pub fn x(mut self, key: impl Into<String>, label: impl Into<String>) -> Self {
        self.data.x = Axis {
            key: key.into(),
            label: Some(label.into()),
        };
        self
    }

    /// Draws a field of the rows under a label.
    #[must_use]
    pub fn series(mut self, key: impl Into<String>, label: impl Into<String>) -> Self {
        self.data.series.push(Series {
            key: key.into(),
            label: Some(label.into()),
            series_type: None,
        });
        self
    }
}

impl ChartData {
    fn push(&mut self, row: Result<Row, Unwritable>) {
        match row {
            Ok(Row { keys, members }) => {
                if self.x.key.is_empty() {
                    self.x.key = keys.into_iter().next().unwrap_or_default();
                }
                self.rows.push(members);
            }
            Err(reason) => self.unwritable.note(reason),
        }
    }
}

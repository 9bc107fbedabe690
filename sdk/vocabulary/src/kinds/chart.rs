//! Kind `chart`: rows drawn as bars, lines and the like.

use super::row::{Row, Unwritable};
use crate::outcome::{KindData, Typed};
use crate::word::words;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Rows drawn as bars, lines and the like.
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
///     r#"{"type":"bar","title":"This week","x":{"key":"name","label":"Day"},"series":[{"key":"max","label":"Highest, °C"}],"rows":[{"max":21.5,"name":"Mon"}]}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
pub type Chart = Typed<ChartData>;

/// The data of kind `chart`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChartData {
    /// How the series are drawn.
    #[serde(rename = "type")]
    pub chart_type: ChartType,
    /// What stands above it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Which member of a row says where it stands.
    pub x: Axis,
    /// Which members of a row are drawn.
    pub series: Vec<Series>,
    /// The points, one object each.
    pub rows: Vec<Map<String, Value>>,
    #[serde(skip_deserializing, skip_serializing_if = "Unwritable::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    unwritable: Unwritable,
}

impl KindData for ChartData {
    const KIND: &'static str = "chart";
}

words! {
    /// How a chart's series are drawn.
    pub enum ChartType {
        /// Bars side by side.
        Bar = "bar",
        /// Points joined by lines.
        Line = "line",
        /// Lines with the space below them filled.
        Area = "area",
        /// Points alone.
        Scatter = "scatter",
        /// Shares of a whole, from the first series.
        Pie = "pie",
    }
}

/// Which member of a row says where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Axis {
    /// The member.
    pub key: String,
    /// What to call it; without it the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// One member of the rows that is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Series {
    /// The member.
    pub key: String,
    /// What to call it; without it the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// How it is drawn, where that differs from the rest of the chart.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub series_type: Option<ChartType>,
}

impl Chart {
    /// A chart of rows, along their first field unless [`x`](Self::x) names another. What is drawn
    /// is named with [`series`](Self::series).
    pub fn new<I>(chart_type: ChartType, rows: I) -> Self
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
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

    /// Bars side by side.
    pub fn bar<I>(rows: I) -> Self
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        Self::new(ChartType::Bar, rows)
    }

    /// Points joined by lines.
    pub fn line<I>(rows: I) -> Self
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        Self::new(ChartType::Line, rows)
    }

    /// Shares of a whole.
    pub fn pie<I>(rows: I) -> Self
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        Self::new(ChartType::Pie, rows)
    }

    /// What stands above it.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.data.title = Some(title.into());
        self
    }

    /// Which field says where a row stands, and what to call it.
    #[must_use]
    pub fn x(mut self, key: impl Into<String>, label: impl Into<String>) -> Self {
        self.data.x = Axis {
            key: key.into(),
            label: Some(label.into()),
        };
        self
    }

    /// Draws a field of the rows, and says what to call it.
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

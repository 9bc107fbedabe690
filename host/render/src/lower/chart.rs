//! Charts, from the kind `chart` and from the component `Chart`.

use super::{Lower, MAX_SERIES, cut, list, text};
use crate::format;
use crate::view::{Chart, ChartKind, Cut, Series, Unit, View};
use serde_json::{Map, Value};

/// The common form of both inputs.
struct ChartSpec<'a> {
    kind: ChartKind,
    title: Option<&'a str>,
    x_key: &'a str,
    x_label: &'a str,
    /// Replacements for the values on the x axis.
    labels: Option<&'a Map<String, Value>>,
    series: Vec<SeriesSpec<'a>>,
    rows: &'a [Value],
}

struct SeriesSpec<'a> {
    key: &'a str,
    name: &'a str,
    kind: ChartKind,
    stack: Option<&'a str>,
}

impl Lower<'_> {
    /// Lowers the data of the kind `chart`.
    pub(super) fn chart_kind(&self, data: &Value) -> Option<View> {
        let kind = kind(text(data, "type")?);
        let x = data.get("x")?;
        let x_key = text(x, "key")?;
        let series = |one| {
            let key = text(one, "key")?;
            Some(SeriesSpec {
                key,
                name: text(one, "label").unwrap_or(key),
                kind: text(one, "type").map_or(kind, self::kind),
                stack: None,
            })
        };
        let series: Option<Vec<_>> = data.get("series")?.as_array()?.iter().map(series).collect();
        let rows = data.get("rows")?.as_array()?;
        if !rows.iter().all(Value::is_object) {
            return None;
        }
        Some(self.chart(&ChartSpec {
            kind,
            title: text(data, "title").filter(|title| !title.trim().is_empty()),
            x_key,
            x_label: text(x, "label").unwrap_or(x_key),
            labels: None,
            series: series?,
            rows,
        }))
    }

    /// Lowers the component `Chart`, which was checked before.
    pub(super) fn chart_component(&self, chart: &Value) -> View {
        let axis = chart.get("xAxis").unwrap_or(&Value::Null);
        let x_key = axis.as_str().or(text(axis, "dataKey")).unwrap_or("");
        let series = |one| {
            let key = text(one, "dataKey")?;
            let label = text(one, "label").filter(|label| !label.is_empty());
            Some(SeriesSpec {
                key,
                name: label.unwrap_or(key),
                kind: kind(text(one, "type").unwrap_or("bar")),
                stack: text(one, "stack"),
            })
        };
        let series: Vec<_> = list(chart, "series").iter().filter_map(series).collect();
        self.chart(&ChartSpec {
            kind: series.first().map_or(ChartKind::Bar, |first| first.kind),
            title: None,
            x_key,
            x_label: x_key,
            labels: axis.get("labels").and_then(Value::as_object),
            series,
            rows: list(chart, "data"),
        })
    }

    fn chart(&self, spec: &ChartSpec<'_>) -> View {
        let rows = &spec.rows[..spec.rows.len().min(self.limits.points)];
        let series = &spec.series[..spec.series.len().min(MAX_SERIES)];
        if rows.is_empty() || series.is_empty() {
            let what = spec.title.map_or_else(|| "Chart".to_owned(), cut::name);
            return View::caption(format!("{what} (no points)"));
        }
        let label = |row: &Value| {
            let place = row.get(spec.x_key).unwrap_or(&Value::Null);
            let plain = format::value(place, None).to_text();
            let named = spec.labels.and_then(|labels| labels.get(&plain)?.as_str());
            cut::short(named.unwrap_or(&plain), 80)
        };
        let x = rows.iter().map(|row| row.get(spec.x_key)?.as_f64());
        let x: Option<Vec<f64>> = x.collect();
        let series = series.iter().map(|one| Series {
            name: cut::name(one.name),
            kind: one.kind,
            stack: one.stack.map(cut::name),
            values: rows.iter().map(|row| number(row.get(one.key)?)).collect(),
        });
        View::Chart(Chart {
            kind: spec.kind,
            title: spec.title.map(cut::name),
            x_label: cut::name(spec.x_label),
            labels: rows.iter().map(label).collect(),
            x: x.filter(|_| spec.labels.is_none()),
            more_points: Cut::of(spec.rows.len() - rows.len(), Unit::Points),
            more_series: Cut::of(spec.series.len() - series.len(), Unit::Series),
            series: series.collect(),
        })
    }
}

/// Parses a chart type. An unknown type is drawn as bars, which suit any data.
fn kind(word: &str) -> ChartKind {
    match word {
        "line" => ChartKind::Line,
        "area" => ChartKind::Area,
        "scatter" => ChartKind::Scatter,
        "pie" => ChartKind::Pie,
        _ => ChartKind::Bar,
    }
}

/// Parses a number, which some plugins send as a string. Values from 1e300 on are dropped: the
/// difference of two such values overflows.
fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    (number.is_finite() && number.abs() < 1e300).then_some(number)
}

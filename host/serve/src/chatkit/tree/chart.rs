//! Charts: data, series and axis, as ChatKit's types want them.

use footlight_render::filter::clean;
use footlight_vocabulary::component::{CurveType, SeriesType};
use serde_json::{Map, Value, json};

/// Writes the required props of a chart.
pub(super) fn props(chart: &Map<String, Value>, out: &mut Map<String, Value>) {
    let list = |name: &str| {
        let list = chart.get(name).and_then(Value::as_array);
        list.map_or(&[][..], Vec::as_slice)
    };
    let data = list("data").iter().map(row).collect();
    let series = list("series").iter().filter_map(series).collect();
    out.insert("data".to_owned(), data);
    out.insert("series".to_owned(), series);
    let axis = chart.get("xAxis").and_then(axis);
    out.insert("xAxis".to_owned(), axis.unwrap_or_else(|| "".into()));
}

/// Returns a row without its gaps, which ChatKit's types do not have.
fn row(row: &Value) -> Value {
    let members = row.as_object().into_iter().flatten();
    let members = members.filter_map(|(name, value)| match value {
        Value::String(text) => Some((clean(name).into_owned(), clean(text).into())),
        Value::Number(_) => Some((clean(name).into_owned(), value.clone())),
        _ => None,
    });
    Value::Object(members.collect())
}

/// Returns a series. Each has a label: ChatKit's types require the member.
fn series(series: &Value) -> Option<Value> {
    let text = |name: &str| series.get(name).and_then(Value::as_str).map(clean);
    let key = text("dataKey")?;
    let kind = match text("type")?.as_ref() {
        known if SeriesType::KNOWN.contains(&known) => known.to_owned(),
        _ => "line".to_owned(),
    };
    let label = text("label").unwrap_or_else(|| key.clone());
    let mut out = json!({ "type": kind, "dataKey": key, "label": label });
    let stack = text("stack").filter(|_| kind != "line");
    let curve = text("curveType").filter(|word| CurveType::KNOWN.contains(&word.as_ref()));
    let curve = curve.filter(|_| kind != "bar");
    for (name, value) in [("stack", stack), ("curveType", curve)] {
        if let Some(value) = value {
            out[name] = value.into();
        }
    }
    if let Some(color) = series.get("color").and_then(super::prop::style) {
        out["color"] = color;
    }
    Some(out)
}

fn axis(axis: &Value) -> Option<Value> {
    if let Some(key) = axis.as_str() {
        return Some(clean(key).into());
    }
    let key = axis.get("dataKey")?.as_str()?;
    let mut out = json!({ "dataKey": clean(key) });
    if axis.get("hide") == Some(&Value::Bool(true)) {
        out["hide"] = true.into();
    }
    if let Some(labels) = axis.get("labels").and_then(Value::as_object) {
        let labels = labels.iter().filter_map(|(value, label)| {
            Some((clean(value).into_owned(), clean(label.as_str()?).into()))
        });
        out["labels"] = Value::Object(labels.collect());
    }
    Some(out)
}

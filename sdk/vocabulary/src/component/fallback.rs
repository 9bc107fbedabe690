//! The text of a component tree, for the fallback of a widget.
//!
//! Guests contain this code, so it is kept small: it knows which members carry text, not which
//! component has which members.

use super::{MAX_DEPTH, children};
use serde_json::{Map, Value};

/// The most bytes of text. A chart repeats its values for each series, so a small tree could
/// otherwise have a very long text.
const MAX_TEXT: usize = 16 * 1024;

/// Returns the text of a component tree in reading order, one line per block.
///
/// A row of one-line children is one line. A button is `[Send]`, a chart has one line per row of
/// its data, and a component without text is replaced by its `fallback`.
#[must_use]
pub fn text_of(tree: &Value) -> String {
    tree.as_object().map(text).unwrap_or_default()
}

pub(crate) fn text(members: &Map<String, Value>) -> String {
    block(members, MAX_DEPTH, MAX_TEXT)
}

/// Returns the text of one component, at most about `room` bytes.
fn block(members: &Map<String, Value>, depth: usize, room: usize) -> String {
    let text = |name: &str| members.get(name).and_then(Value::as_str).unwrap_or("");
    let kind = text("type");
    let mut out = Lines::new("\n", room);
    out.add(member(members.get("status"), "text"));
    match kind {
        "Button" if !text("label").is_empty() => out.add(&format!("[{}]", text("label"))),
        "Progress" => out.add(&progress(members)),
        "Chart" => chart(members, &mut out),
        _ => {
            for name in ["label", "value", "alt"] {
                out.add(text(name));
            }
            match members.get("options").and_then(Value::as_array) {
                Some(options) => {
                    let labels = options.iter().map(|one| member(Some(one), "label"));
                    out.add(&labels.collect::<Vec<_>>().join(", "));
                }
                None => out.add(text("defaultValue")),
            }
        }
    }
    if let Some(depth) = depth.checked_sub(1) {
        let beside = matches!(kind, "Row" | "Table.Row") || text("direction") == "row";
        let between = if kind == "Table.Row" { " | " } else { " " };
        let mut inner = Lines::new("\n", out.left());
        let mut line = Lines::new(between, out.left());
        let mut one_line = beside;
        for child in children(members).iter().filter_map(Value::as_object) {
            let child = block(child, depth, inner.left());
            one_line &= !child.contains('\n');
            inner.add(&child);
            if one_line {
                line.add(&child);
            }
        }
        out.add(if one_line { &line.text } else { &inner.text });
    }
    for name in ["confirm", "cancel"] {
        let label = member(members.get(name), "label");
        if !label.is_empty() {
            out.add(&format!("[{label}]"));
        }
    }
    if out.text.is_empty() {
        out.add(text("fallback"));
    }
    out.text
}

fn progress(members: &Map<String, Value>) -> String {
    let label = members.get("label").and_then(Value::as_str).unwrap_or("");
    match members.get("value") {
        Some(value @ Value::Number(_)) => {
            let max = members.get("max").map_or("100".to_owned(), scalar);
            format!("{label} {}/{max}", scalar(value))
        }
        _ => label.to_owned(),
    }
}

/// Adds one line per row: the value on the x axis, then each series.
fn chart(members: &Map<String, Value>, out: &mut Lines) {
    let list = |name: &str| match members.get(name) {
        Some(Value::Array(list)) => list.as_slice(),
        _ => &[],
    };
    let axis = members.get("xAxis");
    let axis = axis
        .and_then(Value::as_str)
        .unwrap_or_else(|| member(axis, "dataKey"));
    for row in list("data") {
        let mut line = Lines::new(", ", out.left());
        for series in list("series") {
            let key = member(Some(series), "dataKey");
            let value = row.get(key).unwrap_or(&Value::Null);
            if !value.is_null() {
                let label = Some(member(Some(series), "label")).filter(|label| !label.is_empty());
                line.add(&format!("{} {}", label.unwrap_or(key), scalar(value)));
            }
            if line.left() == 0 {
                break;
            }
        }
        out.add(&match row.get(axis) {
            Some(place) => format!("{}: {}", scalar(place), line.text),
            None => line.text,
        });
        if out.left() == 0 {
            break;
        }
    }
}

/// Formats a string, number or bool; arrays and objects have no text.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // Plugins that compute with floats send `3.0` for `3`.
        Value::Number(number) => {
            let digits = number.to_string();
            digits.strip_suffix(".0").unwrap_or(&digits).to_owned()
        }
        Value::Bool(yes) => yes.to_string(),
        _ => String::new(),
    }
}

/// Returns a string member of an object, or an empty string.
fn member<'a>(object: Option<&'a Value>, name: &str) -> &'a str {
    let text = object.and_then(|object| object.get(name)?.as_str());
    text.unwrap_or("")
}

/// Pieces of text joined by a separator, up to a limit.
struct Lines {
    text: String,
    separator: &'static str,
    room: usize,
}

impl Lines {
    fn new(separator: &'static str, room: usize) -> Self {
        let text = String::new();
        Self {
            text,
            separator,
            room,
        }
    }

    fn add(&mut self, piece: &str) {
        let piece = piece.trim();
        if piece.is_empty() || self.left() == 0 {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str(self.separator);
        }
        self.text
            .push_str(&piece[..piece.floor_char_boundary(self.left())]);
    }

    fn left(&self) -> usize {
        self.room.saturating_sub(self.text.len())
    }
}

/// Returns the `value` of the `Text` or `Markdown` node with this id, to append to.
///
/// Recurses, so the tree must have passed [`check`](super::check), which bounds its depth.
#[must_use]
pub fn text_value_mut<'a>(node: &'a mut Value, id: &str) -> Option<&'a mut String> {
    if node.get("id").and_then(Value::as_str) == Some(id) {
        return match node.get_mut("value") {
            Some(Value::String(value)) => Some(value),
            _ => None,
        };
    }
    match node.get_mut("children")? {
        Value::Array(children) => children
            .iter_mut()
            .find_map(|child| text_value_mut(child, id)),
        child => text_value_mut(child, id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::{
        Action, Badge, Button, Caption, Card, CardAction, Chart, Checkbox, Col, Image, Node,
        Progress, Row, Select, Series, Table, TableCell, TableRow, Text, Title, Transition,
    };
    use serde_json::json;

    #[test]
    fn text_comes_in_reading_order_one_line_per_block() {
        let card = Card::new()
            .status("Weather")
            .child(Title::new("Oslo"))
            .child(Row::new().child(Text::new("Mon")).child(Badge::new("rain")))
            .child(
                Row::new()
                    .child(Col::new().child(Text::new("a")).child(Caption::new("b")))
                    .child(Text::new("c")),
            )
            .child(Transition::new().child(Image::new("x.png").alt("a cloud")))
            .child(Checkbox::new("mail").label("By mail"))
            .child(Select::new("unit", [("c", "Celsius"), ("f", "Fahrenheit")]))
            .child(Progress::new().value(3.0).max(5.0).label("Loading"))
            .child(
                Button::new()
                    .label("More")
                    .on_click_action(Action::new("more")),
            )
            .child(Node::new("Acme.Map").with("fallback", "a map of Oslo"))
            .confirm(CardAction::new("Save", Action::new("save")));
        assert_eq!(
            card.node().text(),
            "Weather\nOslo\nMon rain\na\nb\nc\na cloud\nBy mail\nCelsius, Fahrenheit\nLoading 3/5\n[More]\na map of Oslo\n[Save]"
        );
    }

    #[test]
    fn tables_and_charts_read_row_by_row() {
        let row = |words: [&str; 2]| {
            TableRow::new().children(words.map(|word| TableCell::new().child(Text::new(word))))
        };
        assert_eq!(
            Node::from(
                Table::new()
                    .child(row(["Day", "Sky"]))
                    .child(row(["Mon", "rain"]))
            )
            .text(),
            "Day | Sky\nMon | rain"
        );
        let rows = [
            json!({ "day": "Mon", "high": 3, "low": -1 }),
            json!({ "day": "Tue", "high": 4.5 }),
        ];
        let chart = Chart::new(
            rows,
            [Series::bar("high").label("High"), Series::line("low")],
            "day",
        );
        assert_eq!(chart.node().text(), "Mon: High 3, low -1\nTue: High 4.5");
    }

    #[test]
    fn a_tree_of_odd_shapes_has_whatever_text_it_has() {
        let odd = json!({ "type": 3, "children": [1, null, { "value": 4, "label": "x" }, []], "status": "no" });
        assert_eq!(text_of(&odd), "x");
        assert_eq!(text_of(&json!([1])), "");
    }

    #[test]
    fn a_small_tree_cannot_become_a_very_long_text() {
        let rows = vec![json!({ "a": "\u{1F327}".repeat(20) }); 500];
        let series: Vec<_> = (0..500).map(|_| Series::bar("a")).collect();
        let text = Chart::new(rows, series, "a").node().text();
        assert!(text.len() <= MAX_TEXT + 64, "{}", text.len());
    }
}

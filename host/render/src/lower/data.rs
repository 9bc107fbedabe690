//! Tables and trees from arbitrary JSON.

use super::{Lower, cut};
use crate::format;
use crate::view::{
    Align, Cell, Column, Content, Cut, Inline, Shape, Span, Table, Tree, TreeNode, Unit, View,
};
use footlight_vocabulary::display::{Display, FieldType};
use footlight_vocabulary::kinds;
use serde::Deserialize;
use serde_json::Value;

/// The maximum number of cells in a table, whatever the limits say: an empty cell costs as much as
/// any.
const MAX_CELLS: usize = 500_000;

/// Wraps a table in a view. An empty table gets a note, on every surface.
pub(super) fn table_view(table: Table) -> View {
    if table.rows.is_empty() {
        return View::column(vec![View::Table(table), View::caption("(no rows)")]);
    }
    View::Table(table)
}

/// Returns the columns and rows of tabular data: `{columns, rows}`, or a list of objects, whose
/// columns are the keys of the first object. Returns `None` for any other shape.
#[must_use]
pub fn tabular(data: &Value) -> Option<(Vec<kinds::Column>, &[Value])> {
    let (columns, rows): (Vec<kinds::Column>, _) = match data {
        Value::Object(members) => {
            let columns = members.get("columns")?.as_array()?;
            let columns: Result<_, _> = columns.iter().map(kinds::Column::deserialize).collect();
            (columns.ok()?, members.get("rows")?.as_array()?)
        }
        Value::Array(rows) => {
            let first = rows.first()?.as_object()?;
            (first.keys().map(kinds::Column::new).collect(), rows)
        }
        _ => return None,
    };
    let is_table = !columns.is_empty() && rows.iter().all(Value::is_object);
    is_table.then_some((columns, rows))
}

impl Lower<'_> {
    /// Lowers [tabular] data. Returns `None` for any other shape.
    pub(super) fn table(&self, data: &Value, display: Option<&Display>) -> Option<View> {
        let (columns, rows) = tabular(data)?;
        Some(table_view(self.cells(&columns, rows, display)))
    }

    fn cells(&self, columns: &[kinds::Column], rows: &[Value], display: Option<&Display>) -> Table {
        let shown = &columns[..columns.len().min(self.limits.columns)];
        let field_type = |column: &kinds::Column| {
            let own = column.column_type.clone().filter(FieldType::is_known);
            own.or_else(|| display?.field_type(&column.key))
        };
        let types: Vec<Option<FieldType>> = shown.iter().map(field_type).collect();
        let mut budget = self.limits.text;
        let mut drawn = Vec::new();
        let most = self.limits.rows.min(MAX_CELLS / shown.len().max(1));
        let decimals = |(column, kind): (&kinds::Column, &Option<FieldType>)| match kind {
            None | Some(FieldType::Number) => {
                let rows = &rows[..rows.len().min(most)];
                common_decimals(rows, &column.key, kind.is_some())
            }
            _ => 0,
        };
        let decimals: Vec<usize> = shown.iter().zip(&types).map(decimals).collect();
        for row in rows.iter().take(most) {
            let Some(row) = row.as_object() else { break };
            let mut size = 0;
            let cell = |(n, column): (usize, &kinds::Column)| {
                let value = row.get(&column.key).unwrap_or(&Value::Null);
                let mut leaf = self.leaf(value, types[n].as_ref());
                if let [number] = leaf.spans.as_mut_slice() {
                    number.text = format::with_decimals(&number.text, decimals[n]);
                }
                // An empty cell takes room as well.
                size += 4 + text_len(&leaf);
                Cell::new(Content::Inline(leaf))
            };
            let cells: Vec<Cell> = shown.iter().enumerate().map(cell).collect();
            if size > budget && !drawn.is_empty() {
                break;
            }
            budget = budget.saturating_sub(size);
            drawn.push(cells);
        }
        let column = |(column, kind): (&kinds::Column, &Option<FieldType>)| Column {
            header: Content::plain(cut::name(column.header())),
            align: match (&column.align, kind) {
                (Some(kinds::Align::Right), _) => Align::End,
                (Some(kinds::Align::Center), _) => Align::Center,
                (Some(kinds::Align::Left), _) => Align::Start,
                (_, Some(FieldType::Number | FieldType::Money)) => Align::End,
                _ => numbers(rows, &column.key),
            },
        };
        Table {
            columns: shown.iter().zip(&types).map(column).collect(),
            has_header: true,
            more_rows: Cut::of(rows.len() - drawn.len(), Unit::Rows),
            more_columns: Cut::of(columns.len() - shown.len(), Unit::Columns),
            rows: drawn,
        }
    }

    /// Formats a value for a cell or a leaf, and shortens it if it is long.
    pub(super) fn leaf(&self, value: &Value, kind: Option<&FieldType>) -> Inline {
        match value {
            Value::Array(_) | Value::Object(_) => {
                Inline::plain(cut::compact(value, self.limits.cell))
            }
            Value::String(text) if text.len() > self.limits.cell => {
                Inline::plain(cut::short(text, self.limits.cell))
            }
            _ => format::value(value, kind),
        }
    }

    /// Lowers any JSON to a tree of keys and values.
    pub(super) fn tree(&self, data: &Value, display: Option<&Display>) -> View {
        let mut left = self.limits.values;
        let mut room = self.limits.text;
        let builder = TreeBuilder {
            lower: self,
            display,
        };
        View::Tree(Tree {
            root: builder.node(None, data, self.limits.depth, &mut left, &mut room),
        })
    }
}

/// Builds a tree within limits that all its branches share.
struct TreeBuilder<'a> {
    lower: &'a Lower<'a>,
    display: Option<&'a Display>,
}

impl TreeBuilder<'_> {
    fn node(
        &self,
        key: Option<&str>,
        value: &Value,
        depth: usize,
        left: &mut usize,
        room: &mut usize,
    ) -> TreeNode {
        let (shape, parts): (Shape, Vec<(String, &Value)>) = match value {
            Value::Array(list) => {
                let parts = list.iter().take(*left).enumerate();
                let parts = parts.map(|(n, one)| (n.to_string(), one)).collect();
                (Shape::Array { len: list.len() }, parts)
            }
            Value::Object(members) => {
                let parts = members.iter().take(*left);
                let parts = parts.map(|(name, one)| (name.clone(), one)).collect();
                (Shape::Object { len: members.len() }, parts)
            }
            _ => (Shape::Leaf, Vec::new()),
        };
        let mut node = TreeNode {
            key: key.map(cut::name),
            shape,
            value: match shape {
                Shape::Leaf => self.leaf(key, value),
                _ => Inline::default(),
            },
            children: Vec::new(),
            more: None,
        };
        let size = node.key.as_deref().map_or(0, str::len) + text_len(&node.value);
        *room = room.saturating_sub(size);
        if shape == Shape::Leaf {
            return node;
        }
        if depth > 0 {
            // Reserves room for all children before descending, so that the reader sees the
            // outline.
            let reserved = parts.len().min(*left);
            *left -= reserved;
            for (name, part) in parts.iter().take(reserved) {
                if *room == 0 {
                    break;
                }
                let child = self.node(Some(name), part, depth - 1, left, room);
                node.children.push(child);
            }
        }
        let count = |one: &Value| 1 + cut::values_below(one);
        let hidden = cut::inner(value).skip(node.children.len());
        node.more = Cut::of(hidden.map(count).sum(), Unit::Values);
        node
    }

    fn leaf(&self, key: Option<&str>, value: &Value) -> Inline {
        match value {
            Value::Null => Span::muted("null").into(),
            Value::String(text) if text.is_empty() => Span::muted("(empty)").into(),
            _ => {
                let kind = key.and_then(|key| self.display?.field_type(key));
                self.lower.leaf(value, kind.as_ref())
            }
        }
    }
}

pub(super) fn text_len(inline: &Inline) -> usize {
    inline.spans.iter().map(|span| span.text.len()).sum()
}

/// The most decimals that the numbers of a column are brought to.
const MAX_DECIMALS: usize = 6;

/// Returns with how many decimals the numbers of a column are written, so that their points are below
/// each other: the most that one has. It is 0 where a value is no number, or has very many. Text is a
/// number where the column is said to have numbers.
fn common_decimals(rows: &[Value], key: &str, is_typed: bool) -> usize {
    let values = rows.iter().filter_map(|row| row.get(key));
    let mut values = values.filter(|value| !value.is_null());
    let most = values.try_fold(0, |most, value| {
        let decimals = match value {
            Value::Number(number) => format::decimals_of(&number.to_string()),
            Value::String(text) if is_typed => format::decimals_of(text),
            _ => None,
        };
        decimals.map(|decimals| decimals.max(most))
    });
    most.filter(|most| *most <= MAX_DECIMALS).unwrap_or(0)
}

/// Aligns a column of numbers to the end, where their digits line up.
fn numbers(rows: &[Value], key: &str) -> Align {
    let values = rows.iter().take(50).filter_map(|row| row.get(key));
    let mut values = values.filter(|value| !value.is_null()).peekable();
    match values.peek().is_some() && values.all(Value::is_number) {
        true => Align::End,
        false => Align::Start,
    }
}

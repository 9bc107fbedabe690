//! Tables of components, whose cells may contain any component.

use super::text::align;
use super::{ComponentBuilder, Props};
use crate::view::{Cell, Column, Content, Table, View};
use serde_json::Value;

impl ComponentBuilder<'_> {
    pub(super) fn table(&self, props: &Props<'_>) -> Table {
        let mut header = Vec::new();
        let mut rows = Vec::new();
        let mut has_header = false;
        for (n, (row, path)) in self.children_with_paths(props).into_iter().enumerate() {
            if !row.is_object() {
                continue;
            }
            let row = Props {
                value: row,
                path: &path,
            };
            let cells = self.children_with_paths(&row).into_iter();
            let cells: Vec<Cell> = cells.map(|(cell, path)| self.cell(cell, &path)).collect();
            if n == 0 && row.is("header") {
                has_header = true;
                header = cells;
            } else {
                rows.push(cells);
            }
        }
        let width = |row: &[Cell]| row.iter().map(|cell| cell.columns as usize).sum::<usize>();
        let widest = rows.iter().map(|row| width(row)).max().unwrap_or(0);
        let columns = widest.max(width(&header)).min(1_000);
        let mut header: Vec<Column> = header
            .into_iter()
            .flat_map(|cell| {
                let align = cell.align.unwrap_or_default();
                let more = cell.columns.min(1_000) as usize - 1;
                let header = cell.content;
                let blank = Column::new("", align);
                std::iter::once(Column { header, align }).chain(std::iter::repeat_n(blank, more))
            })
            .take(1_000)
            .collect();
        header.resize(columns.max(header.len()), Column::default());
        Table {
            has_header,
            ..Table::new(header, rows)
        }
    }

    fn cell(&self, value: &Value, path: &str) -> Cell {
        let props = Props { value, path };
        let mut views = self.children(&props);
        let content = match views.as_mut_slice() {
            [] => Content::plain(""),
            [View::Text(text)] if text.max_lines.is_none() => {
                Content::Inline(std::mem::take(&mut text.inline))
            }
            _ => Content::Block(views),
        };
        let span = |name| {
            let count = value.get(name).and_then(Value::as_u64).unwrap_or(1);
            u32::try_from(count.clamp(1, 100)).unwrap_or(1)
        };
        Cell {
            content,
            align: props.text("align").and_then(align),
            columns: span("colSpan"),
            rows: span("rowSpan"),
        }
    }
}

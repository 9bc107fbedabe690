//! Markdown tables within limits: a line of bars can declare ten thousand columns.

use crate::lower::Limits;
use crate::view::{Align, Cell, Column, Content, Cut, Inline, Table, Unit};
use pulldown_cmark::Alignment;

/// A table under construction.
pub(super) struct TableBuilder {
    table: Table,
    /// The maximum number of rows and columns.
    rows: usize,
    columns: usize,
    /// The number of rows and columns so far, and of cells in the current row or header.
    row: usize,
    column_count: usize,
    cell: usize,
}

impl TableBuilder {
    pub(super) fn new(alignments: &[Alignment], limits: &Limits) -> Self {
        let column = |alignment: &Alignment| {
            let align = match alignment {
                Alignment::Center => Align::Center,
                Alignment::Right => Align::End,
                Alignment::None | Alignment::Left => Align::Start,
            };
            Column::new("", align)
        };
        let shown = alignments.iter().take(limits.columns);
        Self {
            table: Table::new(shown.map(column).collect(), Vec::new()),
            rows: limits.rows,
            columns: limits.columns,
            row: 0,
            column_count: alignments.len(),
            cell: 0,
        }
    }

    pub(super) fn begin_row(&mut self) {
        self.row += 1;
        self.cell = 0;
        if self.row <= self.rows {
            self.table.rows.push(Vec::new());
        }
    }

    pub(super) fn add(&mut self, inline: Inline) {
        self.cell += 1;
        if self.cell > self.columns || self.row > self.rows {
            return;
        }
        let content = Content::Inline(inline);
        if let Some(row) = self.table.rows.last_mut() {
            row.push(Cell::new(content));
        } else if let Some(column) = self.table.columns.get_mut(self.cell - 1) {
            // The header's cells precede the first row.
            column.header = content;
        }
    }

    /// Removes the empty cells with which the parser pads short rows. Surfaces pad the rows
    /// themselves; otherwise a few bytes of Markdown could create thousands of cells.
    pub(super) fn end_row(&mut self) {
        let empty =
            |cell: &mut Cell| matches!(&cell.content, Content::Inline(text) if text.is_empty());
        if let Some(row) = self.table.rows.last_mut() {
            while row.pop_if(empty).is_some() {}
        }
    }

    pub(super) fn finish(self) -> Table {
        let columns = self.column_count.saturating_sub(self.columns);
        Table {
            more_rows: Cut::of(self.row.saturating_sub(self.rows), Unit::Rows),
            more_columns: Cut::of(columns, Unit::Columns),
            ..self.table
        }
    }
}

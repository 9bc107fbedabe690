//! Tables of Markdown, within limits: a line of bars can say that a table has ten thousand columns.

use crate::lower::Limits;
use crate::view::{Align, Cell, Column, Content, Cut, Inline, Table, Unit};
use pulldown_cmark::Alignment;

/// A table under way, within its limits.
pub(super) struct Grid {
    table: Table,
    /// How many rows and columns are drawn.
    rows: usize,
    columns: usize,
    /// How many rows and columns there are, and how many cells of this row, or of the head, have come.
    row: usize,
    column_count: usize,
    cell: usize,
}

impl Grid {
    pub(super) fn new(alignments: &[Alignment], limits: &Limits) -> Self {
        let column = |alignment: &Alignment| Column {
            header: Content::plain(""),
            align: match alignment {
                Alignment::Center => Align::Center,
                Alignment::Right => Align::End,
                Alignment::None | Alignment::Left => Align::Start,
            },
        };
        let shown = alignments.iter().take(limits.columns);
        Self {
            table: Table {
                columns: shown.map(column).collect(),
                has_header: true,
                rows: Vec::new(),
                more_rows: None,
                more_columns: None,
            },
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
        match self.table.rows.last_mut() {
            Some(row) => row.push(Cell::new(content)),
            // The head's cells come before the first row, one by one.
            None => {
                if let Some(column) = self.table.columns.get_mut(self.cell - 1) {
                    column.header = content;
                }
            }
        }
    }

    /// Short rows are filled up by the reader, as many as there are columns: that is left to whoever
    /// draws, or a few letters would become thousands of cells.
    pub(super) fn end_row(&mut self) {
        let Some(row) = self.table.rows.last_mut() else {
            return;
        };
        let empty = |cell: &Cell| matches!(&cell.content, Content::Inline(text) if text.is_empty());
        while row.last().is_some_and(empty) {
            row.pop();
        }
    }

    pub(super) fn finish(self) -> Table {
        Table {
            more_rows: Cut::of(self.row.saturating_sub(self.rows), Unit::Rows),
            more_columns: Cut::of(
                self.column_count.saturating_sub(self.columns),
                Unit::Columns,
            ),
            ..self.table
        }
    }
}

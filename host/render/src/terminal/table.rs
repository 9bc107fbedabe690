//! Tables: columns with a rule below the header, or one record per row if the columns do not fit.
//!
//! There are no lines between rows and no frame: the table is easier to read and to copy, and a
//! character that a terminal draws wider than expected does not break it.

use super::line::{Line, Lines, widest};
use super::text::natural;
use super::{BOLD, MAX_ROW_DEPTH, MUTED, PLAIN, Painter};
use crate::view::{Align, Cell, Content, Table};

/// The gap between two columns.
const GAP: usize = 2;

/// The minimum width to which a column is reduced.
const NARROW: usize = 8;

/// The terminal width below which a table that does not fit is drawn as records.
const SMALL: usize = 60;

/// A cell with its position.
struct PlacedCell<'v> {
    cell: &'v Cell,
    column: usize,
    columns: usize,
}

impl Painter<'_> {
    pub(super) fn table<'v>(self, table: &'v Table) -> Lines<'v> {
        let painter = Self {
            row_depth: self.row_depth + 1,
            ..self
        };
        let count = table.columns.len();
        let mut out = Vec::new();
        if count > 0 {
            let rows = place(table);
            let natural_widths = painter.natural_widths(table, &rows);
            match painter.column_widths(&natural_widths) {
                Some(widths) if painter.row_depth <= MAX_ROW_DEPTH => {
                    painter.columns(table, &rows, &widths, &mut out);
                }
                _ => painter.records(table, &rows, &mut out),
            }
        }
        out.extend(table.more_rows.map(|cut| self.cut(cut)));
        out.extend(table.more_columns.map(|cut| self.cut(cut)));
        out
    }

    /// Returns the width of each column if nothing is wrapped.
    fn natural_widths(self, table: &Table, rows: &[Vec<PlacedCell<'_>>]) -> Vec<usize> {
        let head = |header: &Content| match table.has_header {
            true => self.natural_width(header),
            false => 0,
        };
        let mut widths: Vec<usize> = table.columns.iter().map(|c| head(&c.header)).collect();
        for placed in rows.iter().flatten() {
            // A cell that spans several columns does not widen them.
            if placed.columns == 1 {
                let natural_width = self.natural_width(&placed.cell.content);
                widths[placed.column] = widths[placed.column].max(natural_width);
            }
        }
        widths
    }

    fn natural_width(self, content: &Content) -> usize {
        match content {
            Content::Inline(inline) if inline.spans.iter().all(|span| span.link.is_none()) => {
                natural(inline)
            }
            Content::Inline(_) | Content::Block(_) => widest(&self.content(content, PLAIN)),
        }
    }

    /// Returns the width of each column; `None` if the columns do not fit.
    fn column_widths(self, natural_widths: &[usize]) -> Option<Vec<usize>> {
        let gaps = GAP * (natural_widths.len() - 1);
        let room = self.width.checked_sub(gaps)?;
        let mut widths: Vec<usize> = natural_widths.iter().map(|width| (*width).max(1)).collect();
        let mut excess = widths.iter().sum::<usize>().saturating_sub(room);
        if excess > 0 && self.width < SMALL {
            return None;
        }
        // The widest columns shrink first, so that short columns are never wrapped for a long one.
        while excess > 0 {
            let most = *widths.iter().max()?;
            if most <= NARROW {
                return None;
            }
            let next = widths.iter().filter(|width| **width < most).max();
            let next = next.map_or(NARROW, |next| (*next).max(NARROW));
            let many = widths.iter().filter(|width| **width == most).count();
            let step = (most - next).min(excess.div_ceil(many)).max(1);
            for width in widths.iter_mut().filter(|width| **width == most) {
                let give = step.min(excess);
                *width -= give;
                excess -= give;
            }
        }
        Some(widths)
    }

    fn columns<'v>(
        self,
        table: &'v Table,
        rows: &[Vec<PlacedCell<'v>>],
        widths: &[usize],
        out: &mut Lines<'v>,
    ) {
        if table.has_header {
            let cells = table.columns.iter().zip(widths).enumerate();
            let cells = cells.map(|(n, (column, width))| {
                let lines = self.at(*width).content(&column.header, BOLD);
                (n, 1, column.align, lines)
            });
            row(cells.collect(), widths, out);
            if self.terminal.header_rules {
                let mut rule = Line::default();
                for (n, width) in widths.iter().enumerate() {
                    rule.pad(if n > 0 { GAP } else { 0 });
                    rule.repeat(self.symbols.horizontal, *width, MUTED);
                }
                out.push(rule);
            }
        }
        for placed in rows {
            let cells = placed.iter().map(|placed| {
                let covered = &widths[placed.column..placed.column + placed.columns];
                let width = covered.iter().sum::<usize>() + GAP * (placed.columns - 1);
                let align = placed.cell.align;
                let align = align.unwrap_or(table.columns[placed.column].align);
                let lines = self.at(width).content(&placed.cell.content, PLAIN);
                (placed.column, placed.columns, align, lines)
            });
            row(cells.collect(), widths, out);
        }
    }

    /// Draws each row as facts, labelled with the column headers.
    fn records<'v>(self, table: &'v Table, rows: &[Vec<PlacedCell<'v>>], out: &mut Lines<'v>) {
        for (n, placed) in rows.iter().enumerate() {
            let mut rule = self.rule(2);
            rule.push(&format!(" {} ", n + 1), MUTED);
            let rest = self.width.saturating_sub(rule.width()).min(20);
            rule.repeat(self.symbols.horizontal, rest, MUTED);
            out.push(rule);
            let names = placed.iter().map(|placed| match table.has_header {
                true => plain(&table.columns[placed.column].header),
                false => (placed.column + 1).to_string(),
            });
            for (placed, label) in placed.iter().zip(self.labels(names)) {
                let column = label.width();
                out.extend(self.labelled(label, column, &placed.cell.content));
            }
        }
    }

    /// Pads the labels to a common width.
    fn labels<'v>(self, names: impl Iterator<Item = String>) -> Lines<'v> {
        let most = (self.width / 3).max(10);
        let label = |name: String| self.clip(Line::of(&name, MUTED), most);
        let mut labels: Lines<'v> = names.map(label).collect();
        let column = widest(&labels) + GAP;
        for label in &mut labels {
            label.pad_to(column);
        }
        labels
    }
}

/// Assigns cells to columns. A cell that spans several rows keeps its columns free in the rows
/// below.
fn place(table: &Table) -> Vec<Vec<PlacedCell<'_>>> {
    let count = table.columns.len();
    // For each column, the number of rows for which it is still covered.
    let mut covered = vec![0_u32; count];
    let mut rows = Vec::with_capacity(table.rows.len());
    for row in &table.rows {
        let mut placed = Vec::with_capacity(row.len());
        let mut column = 0;
        let mut next = covered.clone();
        for cell in row {
            while column < count && covered[column] > 0 {
                column += 1;
            }
            if column >= count {
                break;
            }
            let wanted = usize::try_from(cell.columns).unwrap_or(1).max(1);
            let free = covered[column..].iter().take_while(|rows| **rows == 0);
            let columns = wanted.min(free.count());
            for below in &mut next[column..column + columns] {
                *below = cell.rows.max(1);
            }
            placed.push(PlacedCell {
                cell,
                column,
                columns,
            });
            column += columns;
        }
        covered = next.iter().map(|rows| rows.saturating_sub(1)).collect();
        rows.push(placed);
    }
    rows
}

/// Places cells side by side.
fn row<'v>(cells: Vec<(usize, usize, Align, Lines<'v>)>, widths: &[usize], out: &mut Lines<'v>) {
    let start = |column: usize| widths[..column].iter().sum::<usize>() + GAP * column;
    let height = cells.iter().map(|(.., lines)| lines.len()).max();
    let first = out.len();
    out.resize_with(first + height.unwrap_or(1), Line::default);
    for (column, columns, align, lines) in cells {
        let width = start(column + columns) - start(column) - GAP;
        for (line, cell) in out[first..].iter_mut().zip(lines) {
            let room = width.saturating_sub(cell.width());
            line.pad_to(start(column) + align.indent(room));
            line.append(cell);
        }
    }
}

/// Returns the text of a header.
fn plain(content: &Content) -> String {
    match content {
        Content::Inline(inline) => inline.to_text(),
        Content::Block(_) => String::new(),
    }
}

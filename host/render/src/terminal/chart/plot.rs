//! Lines, areas and points on a character grid.
//!
//! A character holds two by four Braille dots, so that a small grid shows a fine line. If the dots
//! of several series cannot be distinguished (no colours) or displayed (no Unicode), each value is
//! a symbol, connected by smaller ones.

use super::super::line::{Line, Lines, width};
use super::super::{MUTED, Painter};
use super::{number, part, series_style};
use crate::view::{Chart, ChartKind, Series, range};

/// The maximum width of the grid.
const WIDEST: usize = 100;

#[derive(Clone, Copy, Default)]
struct Dot {
    dots: u8,
    symbol: Option<&'static str>,
    series: usize,
}

struct Grid {
    width: usize,
    height: usize,
    dots_by_cell: Vec<Dot>,
    symbols: bool,
}

impl Grid {
    /// Sets a dot; `x` and `y` range from 0 to 1, with `y` pointing up.
    fn dot(&mut self, x: f64, y: f64, series: usize, symbol: &'static str, strong: bool) {
        let at =
            |part: f64, count: usize| ((part * (count - 1) as f64).round() as usize).min(count - 1);
        if self.symbols {
            let (column, row) = (at(x, self.width), at(1.0 - y, self.height));
            let cell = &mut self.dots_by_cell[row * self.width + column];
            if strong || cell.symbol.is_none() {
                (cell.symbol, cell.series) = (Some(symbol), series);
            }
            return;
        }
        // The Braille bits by row and column within a character.
        const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        let (column, row) = (at(x, self.width * 2), at(1.0 - y, self.height * 4));
        let cell = &mut self.dots_by_cell[row / 4 * self.width + column / 2];
        cell.dots |= BITS[row % 4][column % 2];
        cell.series = series;
    }
}

impl Painter<'_> {
    pub(super) fn plot<'v>(
        self,
        chart: &'v Chart,
        series: &[(usize, &'v Series)],
        out: &mut Lines<'v>,
    ) {
        let stacked = stacked(series);
        let values = stacked
            .iter()
            .flat_map(|(.., values)| values.iter().flatten());
        let area = series.iter().any(|(_, one)| one.kind == ChartKind::Area);
        let start = if area { 0.0 } else { f64::INFINITY };
        let (mut least, mut greatest) = range(values.copied(), start);
        if least == greatest {
            (least, greatest) = (least.min(0.0), greatest.max(0.0));
        }
        if least == greatest {
            greatest = 1.0;
        }
        // An odd number has a middle row.
        let height = if self.width >= 60 { 11 } else { 9 };
        let middle = least / 2.0 + greatest / 2.0;
        let marks = [number(greatest), number(middle), number(least)];
        let margin = marks.iter().map(|mark| width(mark)).max().unwrap_or(0);
        let columns = self.width.saturating_sub(margin + 2).clamp(8, WIDEST);
        let mut grid = Grid {
            width: columns,
            height,
            dots_by_cell: vec![Dot::default(); columns * height],
            // A single Braille dot is hard to see.
            symbols: !self.terminal.unicode
                || (!self.has_styles() && series.len() > 1)
                || series.iter().all(|(_, one)| one.kind == ChartKind::Scatter),
        };
        let place = x_positions(chart, &stacked);
        // The first series is drawn last, on top.
        for (n, one, values) in stacked.iter().rev() {
            let y = |value: f64| part(value, least, greatest);
            self.curve(&mut grid, *n, one.kind, values, &place, &y);
        }
        for row in 0..height {
            let mark = match row {
                0 => marks[0].as_str(),
                row if row + 1 == height => marks[2].as_str(),
                row if row == height / 2 => marks[1].as_str(),
                _ => "",
            };
            let axis = match mark {
                "" => self.symbols.vertical,
                _ => self.symbols.axis,
            };
            let mut line = Line::of(&format!("{mark:>margin$} {axis}"), MUTED);
            for cell in &grid.dots_by_cell[row * columns..(row + 1) * columns] {
                match (cell.symbol, cell.dots) {
                    (Some(symbol), _) => line.push(symbol, series_style(cell.series)),
                    (None, 0) => line.pad(1),
                    (None, dots) => {
                        let dots = char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ');
                        let dots = dots.to_string();
                        line.push(&dots, series_style(cell.series));
                    }
                }
            }
            out.push(line);
        }
        let mut axis = Line::spaces(margin + 1);
        axis.push(self.symbols.corner, MUTED);
        axis.repeat(self.symbols.horizontal, columns, MUTED);
        out.push(axis);
        out.extend(self.axis_ends(chart, margin + 2, columns));
    }

    /// Draws one series: points, connected or filled according to its kind.
    fn curve(
        self,
        grid: &mut Grid,
        n: usize,
        kind: ChartKind,
        values: &[Option<f64>],
        place: &dyn Fn(usize) -> f64,
        y: &dyn Fn(f64) -> f64,
    ) {
        let point = self.point(n);
        let joint = match (self.terminal.unicode, kind) {
            (_, ChartKind::Area) => self.fill(n),
            (true, _) => "·",
            (false, _) => ".",
        };
        let zero = y(0.0);
        let mut last: Option<(f64, f64)> = None;
        for (i, value) in values.iter().enumerate() {
            let Some(value) = value else {
                last = None;
                continue;
            };
            let here = (place(i), y(*value));
            if let Some((from_x, from_y)) = last.filter(|_| kind != ChartKind::Scatter) {
                let fine = if grid.symbols { 1 } else { 4 };
                let across = (here.0 - from_x).abs() * (grid.width * fine) as f64;
                let up = (here.1 - from_y).abs() * (grid.height * fine) as f64;
                let steps = across.max(up).ceil().max(1.0) as usize;
                for step in 0..=steps {
                    let t = step as f64 / steps as f64;
                    let x = from_x + (here.0 - from_x) * t;
                    let top = from_y + (here.1 - from_y) * t;
                    grid.dot(x, top, n, joint, false);
                    if kind == ChartKind::Area {
                        let rows = grid.height * 4;
                        for row in 0..=rows {
                            let height = row as f64 / rows as f64;
                            if (zero.min(top)..=zero.max(top)).contains(&height) {
                                grid.dot(x, height, n, joint, false);
                            }
                        }
                    }
                }
            }
            grid.dot(here.0, here.1, n, point, true);
            last = Some(here);
        }
    }

    /// Draws the first and the last label below the axis, and one in the middle if there is room.
    fn axis_ends<'v>(self, chart: &'v Chart, margin: usize, columns: usize) -> Option<Line<'v>> {
        let last = chart.labels.len().checked_sub(1)?;
        let most = columns / 3;
        let label = |n: usize| self.clip(Line::of(&chart.labels[n], MUTED), most);
        let mut line = Line::spaces(margin);
        line.append(label(0));
        if last == 0 {
            return Some(line);
        }
        let end = label(last);
        let middle = label(last / 2);
        let start = margin + (columns * (last / 2) / last).saturating_sub(middle.width() / 2);
        let room = margin + columns - end.width();
        if chart.x.is_none() && last > 1 && line.width() < start && start + middle.width() < room {
            line.pad_to(start);
            line.append(middle);
        }
        line.pad_to(room.max(line.width() + 1));
        line.append(end);
        Some(self.fit(line))
    }
}

/// Returns the position of each point along the x axis, from 0 to 1.
fn x_positions(
    chart: &Chart,
    series: &[(usize, &Series, Vec<Option<f64>>)],
) -> Box<dyn Fn(usize) -> f64> {
    let counts = series.iter().map(|(.., values)| values.len());
    let count = counts.max().unwrap_or(0);
    match &chart.x {
        Some(x) if x.len() >= count && !x.is_empty() => {
            let (least, greatest) = range(x.iter().copied(), f64::INFINITY);
            let x = x.clone();
            Box::new(move |n| part(x[n], least, greatest))
        }
        _ if count < 2 => Box::new(|_| 0.5),
        _ => Box::new(move |n| n as f64 / (count - 1) as f64),
    }
}

/// Returns the values to draw: areas of one stack add up.
fn stacked<'c>(series: &[(usize, &'c Series)]) -> Vec<(usize, &'c Series, Vec<Option<f64>>)> {
    let mut out: Vec<(usize, &Series, Vec<Option<f64>>)> = Vec::new();
    for (n, one) in series {
        let beneath = out.iter().rev().find(|(_, other, _)| {
            one.kind == ChartKind::Area && one.stack.is_some() && other.stack == one.stack
        });
        let values = match beneath {
            None => one.values.clone(),
            Some((.., beneath)) => {
                let sum = |(n, value): (usize, &Option<f64>)| {
                    let below = beneath.get(n).copied().flatten().unwrap_or(0.0);
                    value.map(|value| (value + below).clamp(f64::MIN, f64::MAX))
                };
                one.values.iter().enumerate().map(sum).collect()
            }
        };
        out.push((*n, one, values));
    }
    out
}

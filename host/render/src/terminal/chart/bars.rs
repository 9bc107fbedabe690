//! Horizontal bars: one per value, or one with segments for stacked values.

use super::super::line::{Line, Lines, width};
use super::super::{BOLD, MUTED, Painter};
use super::{MAX_BARS, number, part, series_style};
use crate::view::{Chart, Series, Style, range};

/// The maximum length of a bar.
const LONGEST: usize = 60;

/// The series that share a bar, with their indices.
type Bar<'c> = Vec<(usize, &'c Series)>;

impl Painter<'_> {
    /// Draws bars; returns the number of points left out.
    pub(super) fn bars<'v>(
        self,
        chart: &'v Chart,
        series: &[(usize, &'v Series)],
        out: &mut Lines<'v>,
    ) -> usize {
        let bars = grouped(series);
        let counts = series.iter().map(|(_, one)| one.values.len());
        let count = counts.max().unwrap_or(0);
        let shown = count.min((MAX_BARS / bars.len().max(1)).max(4));
        let sums = |n: usize| bars.iter().filter_map(move |bar| sum(bar, n));
        let all: Vec<f64> = (0..shown).flat_map(sums).collect();
        let ends = range(all.iter().copied(), 0.0);
        let numbers = all.iter().map(|value| width(&number(*value)));
        let numbers = numbers.max().unwrap_or(0);
        let (labels, column) = self.axis_labels(&chart.labels, shown);
        let room = self.width.saturating_sub(column + numbers + 3);
        let room = room.clamp(4, LONGEST);
        for (n, label) in labels.into_iter().enumerate() {
            for (row, bar) in bars.iter().enumerate() {
                let mut line = match row {
                    0 => label.clone(),
                    _ => Line::default(),
                };
                line.pad_to(column + 1);
                match sum(bar, n) {
                    Some(total) => {
                        self.bar(bar, n, ends, room, &mut line);
                        line.pad(1);
                        line.push(&number(total), BOLD);
                    }
                    None => line.push("-", MUTED),
                }
                out.push(self.fit(line));
            }
        }
        count - shown
    }

    fn bar<'v>(
        self,
        bar: &Bar<'_>,
        n: usize,
        (least, greatest): (f64, f64),
        room: usize,
        line: &mut Line<'v>,
    ) {
        let columns = |value: f64| part(value, least, greatest) * room as f64;
        let zero = columns(0.0).round() as usize;
        if let [(place, series)] = bar.as_slice() {
            let value = series.value(n).unwrap_or(0.0);
            let style = series_style(*place);
            if value < 0.0 {
                let start = (columns(value).round() as usize).min(zero.saturating_sub(1));
                line.pad(start);
                line.repeat(self.fill(*place), zero - start, style);
                return;
            }
            line.pad(zero);
            let eighths =
                (part(value, 0.0, greatest) * (room - zero) as f64 * 8.0).round() as usize;
            // A positive value is always visible.
            let eighths = if value > 0.0 { eighths.max(1) } else { 0 };
            return self.fill_eighths(line, eighths, self.fill(*place), style);
        }
        line.pad(zero);
        let mut sum = 0.0;
        let mut drawn = zero;
        for (place, series) in bar {
            sum += series.value(n).unwrap_or(0.0);
            let end = (columns(sum).round() as usize).max(drawn);
            line.repeat(self.fill(*place), end - drawn, series_style(*place));
            drawn = end;
        }
    }

    /// Fills a number of eighths of a column. Only the solid fill has symbols for a part of one.
    fn fill_eighths(self, line: &mut Line<'_>, eighths: usize, fill: &str, style: Style) {
        line.repeat(fill, eighths / 8, style);
        if !eighths.is_multiple_of(8) && fill == self.symbols.full {
            line.push(self.symbols.eighths[eighths % 8 - 1], style);
        } else if eighths % 8 >= 4 {
            line.push(fill, style);
        }
    }

    /// Draws the shares of a pie chart; returns the number of shares left out.
    pub(super) fn shares<'v>(self, chart: &'v Chart, out: &mut Lines<'v>) -> usize {
        let Some(series) = chart.series.first() else {
            return 0;
        };
        let count = series.values.len();
        let shown = count.min(MAX_BARS);
        let positive = |value: &Option<f64>| value.filter(|value| *value > 0.0).unwrap_or(0.0);
        let total: f64 = series.values.iter().map(|one| positive(one) / 2.0).sum();
        let (labels, column) = self.axis_labels(&chart.labels, shown);
        let text = |value: &Option<f64>| value.map_or_else(|| "-".to_owned(), number);
        let values: Vec<String> = series.values[..shown].iter().map(text).collect();
        let numbers = values.iter().map(|value| width(value)).max().unwrap_or(0);
        let room = self.width.saturating_sub(column + numbers + 10);
        let room = room.clamp(4, 40);
        for (n, (label, value)) in labels.into_iter().zip(values).enumerate() {
            let share = positive(&series.values[n]) / 2.0 / total;
            let share = if share.is_finite() { share } else { 0.0 };
            let mut line = label;
            line.pad_to(column + 1);
            let eighths = (share * room as f64 * 8.0).round() as usize;
            self.fill_eighths(&mut line, eighths, self.symbols.full, series_style(n));
            line.pad_to(column + 1 + room);
            line.push(&format!(" {:>3.0}%", share * 100.0), BOLD);
            line.push(&format!("  {value:>numbers$}"), MUTED);
            out.push(self.fit(line));
        }
        count - shown
    }
}

/// Groups series into bars. With negative values, series are not stacked.
fn grouped<'c>(series: &[(usize, &'c Series)]) -> Vec<Bar<'c>> {
    let below = |one: &Series| one.values.iter().flatten().any(|value| *value < 0.0);
    let flat = series.iter().any(|(_, one)| below(one));
    let mut bars: Vec<Bar<'c>> = Vec::new();
    for (n, one) in series {
        let with = bars.iter_mut().find(|bar| {
            !flat && one.stack.is_some() && bar.iter().any(|(_, other)| other.stack == one.stack)
        });
        match with {
            Some(bar) => bar.push((*n, one)),
            None => bars.push(vec![(*n, one)]),
        }
    }
    bars
}

/// Returns the total of a bar at a point; `None` if no series has a value there.
fn sum(bar: &Bar<'_>, n: usize) -> Option<f64> {
    let values = bar.iter().filter_map(|(_, series)| series.value(n));
    let sum = values.reduce(|sum, value| sum + value)?;
    Some(sum.clamp(f64::MIN, f64::MAX))
}

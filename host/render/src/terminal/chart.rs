//! Charts in characters: bars as blocks, lines and points as Braille dots, pie charts as bars.
//!
//! Colours distinguish series; without colours, fills and symbols do. The value of each bar is
//! printed beside it, so that nothing depends on seeing the blocks.

mod bars;
mod plot;

use super::group::flow;
use super::line::{Line, Lines, widest};
use super::{BOLD, MUTED, PLAIN, Painter};
use crate::format;
use crate::view::{Ansi, Chart, ChartKind, Cut, Series, Style, Unit};

/// The maximum number of bars.
const MAX_BARS: usize = 60;

impl Painter<'_> {
    pub(super) fn chart<'v>(self, chart: &'v Chart) -> Lines<'v> {
        let mut out = Vec::new();
        if let Some(title) = &chart.title {
            out.extend(self.words(title, BOLD));
        }
        let pie = chart.kind == ChartKind::Pie;
        let is_bar = |(_, series): &(usize, &Series)| series.kind == ChartKind::Bar;
        let series = chart.series.iter().enumerate();
        let (bars, lines): (Vec<_>, Vec<_>) = series.partition(is_bar);
        let has = |series: &Series| series.values.iter().any(Option::is_some);
        let mut hidden = 0;
        if !chart.series.iter().any(has) {
            out.push(Line::of("(no values)", MUTED));
        } else if pie {
            hidden = self.shares(chart, &mut out);
        } else {
            if bars.iter().any(|(_, series)| has(series)) {
                hidden = self.bars(chart, &bars, &mut out);
            }
            if lines.iter().any(|(_, series)| has(series)) {
                self.plot(chart, &lines, &mut out);
            }
        }
        if !pie {
            out.extend(self.legend(chart, !lines.is_empty()));
        }
        let more = chart.more_points.map_or(0, |cut| cut.count);
        let more = usize::try_from(more).unwrap_or(usize::MAX);
        let points = Cut::of(more.saturating_add(hidden), Unit::Points);
        out.extend(points.map(|cut| self.cut(cut)));
        out.extend(chart.more_series.map(|cut| self.cut(cut)));
        out
    }

    /// Draws the names of the series with their colours or symbols, and the label of the x axis.
    fn legend<'v>(self, chart: &'v Chart, plotted: bool) -> Lines<'v> {
        let named = chart.series.iter().enumerate();
        let mut entries: Lines<'v> = named
            .filter(|(_, series)| !series.name.trim().is_empty())
            .map(|(n, series)| {
                let mut entry = Line::default();
                if chart.series.len() > 1 {
                    let point = plotted && series.kind != ChartKind::Bar;
                    let symbol = match (self.has_styles(), point) {
                        (true, _) => self.symbols.full,
                        (false, true) => self.point(n),
                        (false, false) => self.fill(n),
                    };
                    entry = Line::mark(symbol, series_style(n));
                }
                entry.push(&series.name, PLAIN);
                self.clip(entry, self.width / 2)
            })
            .collect();
        if !chart.x_label.trim().is_empty() && plotted {
            let mut entry = Line::of("x: ", MUTED);
            entry.push(&chart.x_label, MUTED);
            entries.push(self.clip(entry, self.width / 2));
        }
        entries.retain(|entry| entry.width() > 0);
        flow(entries, self.width, 3)
    }

    /// Returns the fill of series `n`.
    fn fill(self, n: usize) -> &'static str {
        match self.has_styles() {
            true => self.symbols.full,
            false => self.symbols.fills[n % self.symbols.fills.len()],
        }
    }

    /// Returns the symbol for a point of series `n`, if it is not drawn as dots.
    fn point(self, n: usize) -> &'static str {
        self.symbols.points[n % self.symbols.points.len()]
    }

    /// Shortens labels to a common width.
    fn axis_labels<'v>(self, labels: &'v [String], count: usize) -> (Lines<'v>, usize) {
        let most = (self.width / 4).max(6);
        let label = |n: usize| {
            let label = labels.get(n).map_or("", String::as_str);
            self.clip(Line::of(label, PLAIN), most)
        };
        let labels: Lines<'v> = (0..count).map(label).collect();
        let column = widest(&labels);
        (labels, column)
    }
}

/// Returns the colour of series `n`, from the person's own theme.
fn series_style(n: usize) -> Style {
    const COLOURS: [u8; 6] = [4, 2, 3, 5, 6, 1];
    Style {
        color: Some(Ansi::new(COLOURS[n % COLOURS.len()])),
        ..PLAIN
    }
}

/// Returns the position of a value between two others, from 0 to 1. The operands are halved first,
/// because the difference of two large numbers may overflow.
fn part(value: f64, least: f64, greatest: f64) -> f64 {
    let part = (value / 2.0 - least / 2.0) / (greatest / 2.0 - least / 2.0);
    if part.is_finite() {
        part.clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// Formats a value with at most two decimals; very large and very small values use an exponent.
fn number(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(0.01..1e12).contains(&size) {
        return format!("{value:.2e}");
    }
    format::grouped(&format::decimals(value, 2))
}

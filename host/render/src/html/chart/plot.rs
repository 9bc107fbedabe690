//! Bars, lines, areas and points between two axes.

use super::scale::{self, Scale};
use super::{HEIGHT, WIDTH, series_class};
use crate::markup::{Element, Keyword, Number, Outline, Tag};
use crate::view::{Chart, ChartKind, Series, range};
use std::collections::HashMap;

/// The margins around the plot area, which hold the axis labels.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;

/// A chart with its scales.
pub(super) struct Plot<'a> {
    chart: &'a Chart,
    y: Scale,
    /// The scale of a numeric x axis; otherwise points are spaced evenly.
    x: Option<Scale>,
    /// The start and end of each bar or area, by series and point: a stacked one starts where the
    /// one below ends.
    spans: Vec<Vec<Option<(f64, f64)>>>,
}

impl<'a> Plot<'a> {
    pub(super) fn of(chart: &'a Chart) -> Self {
        let spans = stacked(&chart.series, chart.labels.len());
        let has = |kind| chart.series.iter().any(|series| series.kind == kind);
        // Bars and areas start at zero or at the one below; both ends must be visible.
        let filled = has(ChartKind::Bar) || has(ChartKind::Area);
        let start = if filled { 0.0 } else { f64::INFINITY };
        let ends = spans.iter().flatten().flatten();
        let ends = ends.flat_map(|(from, to)| [if filled { *from } else { *to }, *to]);
        let (low, high) = range(ends, start);
        let x = chart.x.as_ref().filter(|_| !has(ChartKind::Bar)).map(|x| {
            let (low, high) = range(x.iter().copied(), f64::INFINITY);
            Scale::new(low, high, LEFT + 8.0, f64::from(WIDTH) - RIGHT - 8.0)
        });
        let y = Scale::new(low, high, f64::from(HEIGHT) - BOTTOM, TOP);
        Self { chart, y, x, spans }
    }

    fn band(&self) -> f64 {
        (f64::from(WIDTH) - LEFT - RIGHT) / self.chart.labels.len().max(1) as f64
    }

    fn x(&self, n: usize) -> f64 {
        match (&self.x, &self.chart.x) {
            (Some(scale), Some(x)) => scale.at(x.get(n).copied().unwrap_or(0.0)),
            _ => LEFT + self.band() * (n as f64 + 0.5),
        }
    }

    pub(super) fn draw(&self, svg: Element) -> Element {
        use ChartKind::{Area, Bar, Line, Pie, Scatter};
        let mut svg = svg.child(self.axes());
        // Filled shapes come first, so that they do not cover lines and points.
        for kind in [Area, Bar, Line, Scatter] {
            for (n, series) in self.chart.series.iter().enumerate() {
                if series.kind == kind || (kind == Bar && series.kind == Pie) {
                    svg = svg.child(self.series(n, kind));
                }
            }
        }
        svg
    }

    fn axes(&self) -> Element {
        let right = f64::from(WIDTH) - RIGHT;
        let mut axes = Element::of(Tag::G, "fl-axes");
        for tick in self.y.ticks() {
            let y = self.y.at(tick);
            let line = Element::of(Tag::Line, if tick == 0.0 { "fl-zero" } else { "fl-grid" })
                .number(Number::X1, LEFT)
                .number(Number::X2, right)
                .number(Number::Y1, y)
                .number(Number::Y2, y);
            let mark = label(LEFT - 6.0, y + 4.0, "end", scale::short(tick));
            axes = axes.child(line).child(mark);
        }
        let foot = f64::from(HEIGHT) - BOTTOM + 18.0;
        match &self.x {
            Some(scale) => {
                for tick in scale.ticks() {
                    axes = axes.child(label(scale.at(tick), foot, "middle", scale::short(tick)));
                }
            }
            None => {
                let every = self.chart.labels.len().div_ceil(10).max(1);
                for (n, text) in self.chart.labels.iter().enumerate().step_by(every) {
                    let most = if self.chart.labels.len() > 5 { 9 } else { 18 };
                    let mark = label(self.x(n), foot, "middle", shortened(text, most));
                    // A narrow page has room for every other one.
                    let is_odd = n / every % 2 == 1;
                    axes = axes.child(mark.class(is_odd.then_some("fl-odd")));
                }
            }
        }
        let (middle, foot) = ((LEFT + right) / 2.0, f64::from(HEIGHT) - 6.0);
        let text = shortened(&self.chart.x_label, 60);
        axes.child(label(middle, foot, "middle", text))
    }

    fn series(&self, n: usize, kind: ChartKind) -> Element {
        let group = series_class(Element::new(Tag::G), n);
        match kind {
            ChartKind::Bar | ChartKind::Pie => self.bars(group, n),
            ChartKind::Scatter => self.points(group, n, 4.0),
            ChartKind::Line => {
                let lines = self.lines(group, n);
                match self.chart.labels.len() {
                    ..=40 => self.points(lines, n, 3.0),
                    _ => lines,
                }
            }
            ChartKind::Area => self.lines(self.areas(group, n), n),
        }
    }

    fn bars(&self, mut group: Element, n: usize) -> Element {
        // Bars of one stack share a slot; the others stand side by side.
        let mut slots: Vec<Option<&str>> = Vec::new();
        let mut slot = 0;
        for (other, series) in self.chart.series.iter().enumerate() {
            if !matches!(series.kind, ChartKind::Bar | ChartKind::Pie) {
                continue;
            }
            let stack = series.stack.as_deref();
            let shared = |known: &Option<&str>| stack.is_some() && *known == stack;
            let at = slots.iter().position(shared).unwrap_or_else(|| {
                slots.push(stack);
                slots.len() - 1
            });
            if other == n {
                slot = at;
            }
        }
        let band = self.band();
        let width = (band * 0.8 / slots.len().max(1) as f64).min(80.0);
        let whole = width * slots.len() as f64;
        for (at, span) in self.spans[n].iter().enumerate() {
            let Some((from, to)) = span else { continue };
            let (top, foot) = (self.y.at(from.max(*to)), self.y.at(from.min(*to)));
            let left = self.x(at) - whole / 2.0 + width * slot as f64;
            let bar = Element::new(Tag::Rect)
                .number(Number::X, left)
                .number(Number::Y, top)
                .number(Number::Width, (width - 1.0).max(0.5))
                .number(Number::Height, (foot - top).max(0.0));
            group = group.child(bar.child(Element::new(Tag::Title).text(self.tooltip(n, at))));
        }
        group
    }

    fn points(&self, mut group: Element, n: usize, radius: f64) -> Element {
        for (at, span) in self.spans[n].iter().enumerate() {
            let Some((_, to)) = span else { continue };
            let point = Element::of(Tag::Circle, "fl-point")
                .number(Number::Cx, self.x(at))
                .number(Number::Cy, self.y.at(*to))
                .number(Number::R, radius);
            group = group.child(point.child(Element::new(Tag::Title).text(self.tooltip(n, at))));
        }
        group
    }

    /// Draws one line for each run of points without a gap.
    fn lines(&self, mut group: Element, n: usize) -> Element {
        for run in runs(&self.spans[n]) {
            let mut outline = Outline::default();
            for (at, _, to) in &run {
                outline.to("", &[self.x(*at), self.y.at(*to)]);
            }
            group = group.child(Element::of(Tag::Polyline, "fl-line").outline(&outline));
        }
        group
    }

    fn areas(&self, mut group: Element, n: usize) -> Element {
        for run in runs(&self.spans[n]) {
            let mut outline = Outline::default();
            for (n, (at, _, to)) in run.iter().enumerate() {
                let command = if n == 0 { "M" } else { "L" };
                outline.to(command, &[self.x(*at), self.y.at(*to)]);
            }
            for (at, from, _) in run.iter().rev() {
                outline.to("L", &[self.x(*at), self.y.at(*from)]);
            }
            outline.to("Z", &[]);
            group = group.child(Element::of(Tag::Path, "fl-area").outline(&outline));
        }
        group
    }

    /// Describes a point, for its tooltip.
    fn tooltip(&self, n: usize, at: usize) -> String {
        let series = &self.chart.series[n];
        let value = series.value(at).map(crate::format::exact);
        let value = value.unwrap_or_default();
        let label = self.chart.labels.get(at).map_or("", String::as_str);
        format!("{label}: {} {value}", series.name)
    }
}

/// Computes where each value starts and ends. Positive and negative values of a stack add up
/// separately.
fn stacked(series: &[Series], points: usize) -> Vec<Vec<Option<(f64, f64)>>> {
    let mut heights: HashMap<&str, Vec<(f64, f64)>> = HashMap::new();
    let mut spans = Vec::new();
    for one in series {
        let stacks = matches!(one.kind, ChartKind::Bar | ChartKind::Area);
        let Some(stack) = one.stack.as_deref().filter(|_| stacks) else {
            let alone = |value: &Option<f64>| value.map(|value| (0.0, value));
            spans.push(one.values.iter().map(alone).collect());
            continue;
        };
        let height = heights
            .entry(stack)
            .or_insert_with(|| vec![(0.0, 0.0); points]);
        let span = |(n, value): (usize, &Option<f64>)| {
            let value = (*value)?;
            let (up, down) = height.get_mut(n)?;
            let side = if value < 0.0 { down } else { up };
            let from = *side;
            *side += value;
            Some((from, *side))
        };
        spans.push(one.values.iter().enumerate().map(span).collect());
    }
    spans
}

/// Splits a series into runs without gaps: index, start and end of each point.
fn runs(spans: &[Option<(f64, f64)>]) -> Vec<Vec<(usize, f64, f64)>> {
    let points: Vec<_> = spans.iter().enumerate().collect();
    let runs = points.split(|(_, span)| span.is_none());
    let point = |(n, span): &(usize, &Option<(f64, f64)>)| span.map(|(from, to)| (*n, from, to));
    let runs = runs.map(|run| run.iter().filter_map(point).collect());
    runs.filter(|run: &Vec<_>| !run.is_empty()).collect()
}

fn label(x: f64, y: f64, anchor: &'static str, text: String) -> Element {
    Element::of(Tag::SvgText, "fl-axis-label")
        .number(Number::X, x)
        .number(Number::Y, y)
        .keyword(Keyword::TextAnchor, anchor)
        .text(text)
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

//! Bars, lines, areas and points between two axes.

use super::scale::{self, Scale};
use super::{HEIGHT, WIDTH, series_class};
use crate::markup::{Element, Keyword, Number, Outline, Tag};
use crate::view::{Chart, ChartKind, Series};

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
        let all = spans.iter().flatten().flatten();
        let filled = chart
            .series
            .iter()
            .any(|series| matches!(series.kind, ChartKind::Bar | ChartKind::Area));
        let (mut low, mut high) = if filled {
            (0.0, 0.0)
        } else {
            (f64::INFINITY, f64::NEG_INFINITY)
        };
        for (from, to) in all {
            let lowest = if filled { from.min(*to) } else { *to };
            let highest = if filled { from.max(*to) } else { *to };
            low = f64::min(low, lowest);
            high = f64::max(high, highest);
        }
        let bars = chart
            .series
            .iter()
            .any(|series| series.kind == ChartKind::Bar);
        let x = chart.x.as_ref().filter(|_| !bars).map(|x| {
            let low = x.iter().copied().fold(f64::INFINITY, f64::min);
            let high = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
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
        let mut svg = svg.child(self.axes());
        // Filled shapes come first, so that they do not cover lines and points.
        for kind in [
            ChartKind::Area,
            ChartKind::Bar,
            ChartKind::Line,
            ChartKind::Scatter,
        ] {
            for (n, series) in self.chart.series.iter().enumerate() {
                let drawn = if series.kind == ChartKind::Pie {
                    ChartKind::Bar
                } else {
                    series.kind
                };
                if drawn == kind {
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
            axes = axes.child(
                Element::of(Tag::Line, if tick == 0.0 { "fl-zero" } else { "fl-grid" })
                    .number(Number::X1, LEFT)
                    .number(Number::X2, right)
                    .number(Number::Y1, y)
                    .number(Number::Y2, y),
            );
            axes = axes.child(label(LEFT - 6.0, y + 4.0, "end", scale::short(tick)));
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
                    axes = axes.child(label(self.x(n), foot, "middle", shortened(text, most)));
                }
            }
        }
        let middle = (LEFT + right) / 2.0;
        axes.child(label(
            middle,
            f64::from(HEIGHT) - 6.0,
            "middle",
            shortened(&self.chart.x_label, 60),
        ))
    }

    fn series(&self, n: usize, kind: ChartKind) -> Element {
        let group = series_class(Element::new(Tag::G), n);
        match kind {
            ChartKind::Bar | ChartKind::Pie => self.bars(group, n),
            ChartKind::Scatter => self.points(group, n, 4.0),
            ChartKind::Line => {
                let few = self.chart.labels.len() <= 40;
                let lines = self.lines(group, n);
                if few {
                    self.points(lines, n, 3.0)
                } else {
                    lines
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
            let at = slots
                .iter()
                .position(|known| stack.is_some() && *known == stack);
            let at = at.unwrap_or_else(|| {
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
            for (at, _, to) in &run {
                let command = if outline == Outline::default() {
                    "M"
                } else {
                    "L"
                };
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
        let value = series
            .values
            .get(at)
            .copied()
            .flatten()
            .map(crate::format::exact)
            .unwrap_or_default();
        let label = self.chart.labels.get(at).map_or("", String::as_str);
        format!("{label}: {} {value}", series.name)
    }
}

/// Computes where each value starts and ends. Positive and negative values of a stack add up
/// separately.
fn stacked(series: &[Series], points: usize) -> Vec<Vec<Option<(f64, f64)>>> {
    let mut heights: Vec<(&str, Vec<(f64, f64)>)> = Vec::new();
    let mut spans = Vec::new();
    for one in series {
        let stack = one
            .stack
            .as_deref()
            .filter(|_| matches!(one.kind, ChartKind::Bar | ChartKind::Area));
        let Some(stack) = stack else {
            spans.push(
                one.values
                    .iter()
                    .map(|value| value.map(|value| (0.0, value)))
                    .collect(),
            );
            continue;
        };
        let at = heights
            .iter()
            .position(|(name, _)| *name == stack)
            .unwrap_or_else(|| {
                heights.push((stack, vec![(0.0, 0.0); points]));
                heights.len() - 1
            });
        let height = &mut heights[at].1;
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
    let mut found = vec![Vec::new()];
    for (n, span) in spans.iter().enumerate() {
        match (span, found.last_mut()) {
            (Some((from, to)), Some(last)) => last.push((n, *from, *to)),
            (None, Some(last)) if !last.is_empty() => found.push(Vec::new()),
            _ => {}
        }
    }
    found.retain(|run| !run.is_empty());
    found
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

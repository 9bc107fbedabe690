//! Pie charts.

use super::{HEIGHT, WIDTH, legend, series_class};
use crate::markup::{Element, Number, Outline, Tag};
use crate::view::Chart;
use std::f64::consts::TAU;

/// The maximum number of separate slices; the rest is one slice.
const MAX_SHARES: usize = 11;

/// Draws the slices of the first series, clockwise from the top, and their legend.
pub(super) fn draw(mut svg: Element, chart: &Chart) -> (Element, Element) {
    let first = chart.series.first().into_iter();
    let values = first.flat_map(|series| &series.values);
    let positive = chart.labels.iter().zip(values);
    let mut shares: Vec<(String, f64)> = positive
        .filter_map(|(label, value)| Some((label.clone(), value.filter(|value| *value > 0.0)?)))
        .collect();
    if shares.len() > MAX_SHARES + 1 {
        let rest = shares.split_off(MAX_SHARES);
        let sum = rest.iter().map(|(_, value)| value).sum();
        shares.push((format!("{} others", rest.len()), sum));
    }
    let sum: f64 = shares.iter().map(|(_, value)| value).sum();
    let mut turn = 0.0;
    for (n, (label, value)) in shares.iter().enumerate() {
        let part = value / sum;
        let shape = series_class(share(turn, part), n).class("fl-share");
        let said = format!("{label}: {}", percent(part));
        svg = svg.child(shape.child(Element::new(Tag::Title).text(said)));
        turn += part;
    }
    let name = |(label, value): (String, f64)| format!("{label} ({})", percent(value / sum));
    (svg, legend(shares.into_iter().map(name)))
}

fn share(from: f64, part: f64) -> Element {
    let (x, y) = (f64::from(WIDTH) / 2.0, f64::from(HEIGHT) / 2.0);
    let radius = y - 12.0;
    // SVG does not draw an arc that ends where it starts.
    if part > 0.9999 {
        return Element::new(Tag::Circle)
            .number(Number::Cx, x)
            .number(Number::Cy, y)
            .number(Number::R, radius);
    }
    let at = |turn: f64| {
        let (sin, cos) = (turn * TAU).sin_cos();
        (x + radius * sin, y - radius * cos)
    };
    let ((x1, y1), (x2, y2)) = (at(from), at(from + part));
    let large = if part > 0.5 { 1.0 } else { 0.0 };
    let mut outline = Outline::default();
    outline.to("M", &[x, y]).to("L", &[x1, y1]);
    outline.to("A", &[radius, radius, 0.0, large, 1.0, x2, y2]);
    Element::new(Tag::Path).outline(outline.to("Z", &[]))
}

fn percent(part: f64) -> String {
    let percent = part * 100.0;
    let decimals = usize::from(percent < 1.0 && percent != 0.0);
    format!("{percent:.decimals$}%")
}

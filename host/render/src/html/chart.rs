//! Charts as SVG, with a title, a legend and a table of the numbers.

mod pie;
mod plot;
mod scale;

use super::{HtmlWriter, cut};
use crate::markup::{Element, Keyword, Tag, TextAttr};
use crate::view::{Chart, ChartKind};
use plot::Plot;

/// The size of the drawing, which the page scales.
const WIDTH: u32 = 640;
const HEIGHT: u32 = 320;

impl HtmlWriter<'_> {
    pub(super) fn chart(self, chart: &Chart) -> Element {
        let name = chart.title.clone().unwrap_or_else(|| {
            let names = chart.series.iter().map(|series| series.name.as_str());
            let names = names.collect::<Vec<_>>().join(", ");
            format!("{names} by {}", chart.x_label)
        });
        let title = chart.title.as_deref();
        let title = title.map(|title| Element::of(Tag::Figcaption, "fl-chart-title").text(title));
        let svg = Element::of(Tag::Svg, "fl-svg")
            .view_box(WIDTH, HEIGHT)
            .keyword(Keyword::Role, "img")
            .text_attr(TextAttr::AriaLabel, name.as_str())
            .child(Element::new(Tag::Title).text(name));
        let (svg, legend) = match chart.kind {
            ChartKind::Pie => pie::draw(svg, chart),
            _ => (
                Plot::of(chart).draw(svg),
                legend(chart.series.iter().map(|series| series.name.clone())),
            ),
        };
        let numbers = Element::new(Tag::Details)
            .child(Element::new(Tag::Summary).text("Numbers"))
            .children(self.table(&chart.numbers()));
        Element::of(Tag::Figure, "fl-chart")
            .children(title)
            .children([svg, legend, numbers])
            .children(chart.more_points.map(cut))
            .children(chart.more_series.map(cut))
    }
}

/// Renders the legend: each colour with its name.
fn legend(names: impl Iterator<Item = String>) -> Element {
    let entry = |(n, name): (usize, String)| {
        let colour = series_class(Element::of(Tag::Span, "fl-swatch"), n)
            .keyword(Keyword::AriaHidden, "true");
        Element::new(Tag::Li).child(colour).text(" ").text(name)
    };
    Element::of(Tag::Ul, "fl-legend").children(names.enumerate().map(entry))
}

/// Adds the colour of series `n`.
fn series_class(element: Element, n: usize) -> Element {
    element.numbered_class("fl-s", n % 12)
}

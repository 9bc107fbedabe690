//! Renders views as HTML markup, for the web page and for exported files.
//!
//! [`Html`] is one `match` over [`View`]. It can produce only what [`markup`](crate::markup)
//! allows, so that this module is about appearance and semantics: table headers have scopes, images
//! have alternative texts, charts come with their numbers, and fields have labels.
//!
//! The classes are those of [`style::sheet`](crate::style::sheet).

mod chart;
mod code;
mod data;
mod form;
mod image;
mod item;
mod math;
mod text;

use crate::highlight::HighlightBudget;
use crate::icon;
use crate::markup::{Element, Flag, Keyword, Node, Number, Tag, TextAttr};
use crate::view::{Cut, Frame, Group, Justify, Layout, Press, Progress, Tone, View};

/// Renders views as markup.
#[derive(Debug, Clone, Copy, Default)]
#[must_use]
pub struct Html {
    inert: bool,
    split: bool,
}

impl Html {
    /// Renders for a static file: fields and buttons are disabled, and stored content is not
    /// linked.
    pub fn inert(mut self) -> Self {
        self.inert = true;
        self
    }

    /// Renders diffs in two columns, before and after.
    pub fn split(mut self) -> Self {
        self.split = true;
        self
    }

    /// Renders a view; a hidden one gives no nodes.
    #[must_use]
    pub fn draw(self, view: &View) -> Vec<Node> {
        self.draw_all([view])
    }

    /// Renders views below each other.
    #[must_use]
    pub fn draw_all<'v>(self, views: impl IntoIterator<Item = &'v View>) -> Vec<Node> {
        let colours = HighlightBudget::for_drawing();
        let writer = HtmlWriter {
            inert: self.inert,
            split: self.split,
            colours: &colours,
        };
        writer.all(views)
    }
}

/// The settings and the highlighting budget of one drawing.
#[derive(Clone, Copy)]
struct HtmlWriter<'a> {
    inert: bool,
    split: bool,
    colours: &'a HighlightBudget,
}

impl HtmlWriter<'_> {
    fn draw(self, view: &View) -> Vec<Node> {
        self.all([view])
    }

    fn all<'v>(self, views: impl IntoIterator<Item = &'v View>) -> Vec<Node> {
        let mut out = Vec::new();
        for view in views {
            self.add(view, &mut out);
        }
        out
    }

    fn add(self, view: &View, out: &mut Vec<Node>) {
        let element = match view {
            View::Hidden => return,
            View::Text(text) => {
                out.push(self.text(text).into());
                return out.extend(text.cut.map(cut));
            }
            View::Code(code) => self.code(code),
            View::Diff(diff) => self.diff(diff),
            View::Table(table) => return out.extend(self.table(table)),
            View::Tree(tree) => self.tree(tree),
            View::Image(image) => self.image(image),
            View::Chart(chart) => self.chart(chart),
            View::Facts(facts) => return out.extend(self.facts(facts)),
            View::List(list) => return out.extend(self.list(list)),
            View::Log(log) => return out.extend(self.log(log)),
            View::Quote(views) => {
                Element::of(Tag::Blockquote, "fl-quote").children(self.all(views))
            }
            View::Badge { label, tone } => badge(label, *tone),
            View::Icon { name, tone } => icon(name)
                .class(tone_class(*tone))
                .keyword(Keyword::Role, "img")
                .text_attr(TextAttr::AriaLabel, icon::words(name).as_str()),
            View::Progress(progress) => self.progress(progress),
            View::Notice { tone, text } => Element::of(Tag::Div, "fl-notice")
                .class(tone_class(*tone))
                .keyword(Keyword::Role, "note")
                .children(self.inline(text)),
            View::Divider => Element::of(Tag::Hr, "fl-divider"),
            View::Space => Element::of(Tag::Span, "fl-space"),
            View::Group(group) => self.group(group),
            View::Field(field) => self.field(field),
            View::Button(button) => self.button(button),
            View::Frame(frame) => self.frame(frame),
            View::Thought(thought) => self.thought(thought),
            View::Call(call) => self.call(call),
            View::Widget(widget) => self.widget(widget),
            View::Output(output) => self.output(output),
            View::Ask(ask) => self.ask(ask),
            View::Cut(left) => return out.push(cut(*left)),
        };
        out.push(element.into());
    }

    fn progress(self, progress: &Progress) -> Element {
        let name = progress.label.as_deref().unwrap_or("Progress");
        let bar = Element::of(Tag::Progress, "fl-bar")
            .text_attr(TextAttr::AriaLabel, name)
            .number(Number::Part, progress.part)
            .number(Number::Whole, progress.part.map(|_| 1.0));
        let label = progress.label.as_deref();
        let words = progress.words.as_deref();
        Element::of(Tag::Div, "fl-progress")
            .children(label.map(|label| Element::new(Tag::Span).text(label)))
            .child(bar)
            .children(words.map(|words| span("fl-caption", words)))
    }

    fn group(self, group: &Group) -> Element {
        // A static file has no forms.
        let form = if self.inert { Tag::Section } else { Tag::Form };
        let (tag, class) = match (group.layout, &group.form) {
            (Layout::Card, None) => (Tag::Section, "fl-card"),
            (Layout::Card, Some(_)) => (form, "fl-card"),
            (Layout::Row, _) => (Tag::Div, "fl-row"),
            (Layout::Column, _) => (Tag::Div, "fl-col"),
            (Layout::List, _) => (Tag::Div, "fl-list-view"),
            (Layout::Item, _) => (Tag::Div, "fl-item"),
            (Layout::Form, _) => (form, "fl-form"),
        };
        let mut element = Element::of(tag, class).class(match group.justify {
            Justify::Start => None,
            Justify::Center => Some("fl-center"),
            Justify::End => Some("fl-end"),
            Justify::Between => Some("fl-between"),
        });
        if let Some(status) = &group.status {
            let header = Element::of(Tag::Header, "fl-status");
            let icon = status.icon.as_deref().map(icon_beside_text);
            let header = header.with(icon, |header, icon| header.child(icon).text(" "));
            element = element.child(header.text(status.text.as_str()));
        }
        let press = group.press.as_ref();
        if !self.inert {
            element = element
                .text_attr(TextAttr::DataForm, group.form.as_deref())
                .with(press.filter(|_| group.layout == Layout::Form), with_press);
        }
        element = match group.layout {
            Layout::List => {
                let row = |view| Element::new(Tag::Li).children(self.draw(view));
                let seen = group.children.iter().filter(|view| !view.is_hidden());
                element.child(Element::new(Tag::Ul).children(seen.map(row)))
            }
            _ => element.children(self.all(&group.children)),
        };
        if let Some(press) = press.filter(|_| group.layout == Layout::Item) {
            // A button must not contain headings and lists, so it is placed beside them.
            let name = group.children.iter().find_map(View::first_text);
            let name = name.unwrap_or_else(|| "Choose".to_owned());
            let button = Element::of(Tag::Button, "fl-more")
                .keyword(Keyword::Type, "button")
                .text_attr(TextAttr::AriaLabel, name.as_str())
                .flag(Flag::Disabled, self.inert)
                .text("›");
            element = element.child(button.with(self.active(press), with_press));
        }
        if group.footer.is_empty() {
            return element;
        }
        let buttons = group.footer.iter().map(|button| self.button(button));
        element.child(Element::of(Tag::Footer, "fl-footer").children(buttons))
    }

    /// Returns the action, unless the output is static.
    fn active<'p>(self, press: impl Into<Option<&'p Press>>) -> Option<&'p Press> {
        press.into().filter(|_| !self.inert)
    }

    fn frame(self, frame: &Frame) -> Element {
        let body = Element::of(Tag::Div, "fl-body")
            .children(self.draw(&frame.body))
            .with(frame.max_height, |body, lines| {
                body.class(height_class(lines))
                    .number(Number::MaxHeight, lines as f64)
                    .number(Number::TabIndex, 0.0)
            });
        let (tag, line) = match frame.collapsed {
            true => (Tag::Details, Element::of(Tag::Summary, "fl-summary")),
            false => (Tag::Section, Element::of(Tag::P, "fl-caption")),
        };
        let kind = frame.kind.as_str();
        let caption = frame.caption.as_deref();
        let caption = caption.or(frame.collapsed.then_some(kind));
        let known = Some(kind).filter(|kind| !kind.is_empty());
        Element::of(tag, "fl-result")
            .text_attr(TextAttr::DataResult, known)
            .number(Number::Priority, frame.priority)
            .children(caption.map(|caption| line.keyword(Keyword::Dir, "auto").text(caption)))
            .child(body)
    }
}

/// Renders the count of omitted content.
fn cut(cut: Cut) -> Node {
    Element::of(Tag::P, "fl-cut")
        .text(format!("… {cut}"))
        .into()
}

/// Wraps a wide element. A region that scrolls sideways must be reachable by keyboard.
fn scrollable(element: Element) -> Element {
    Element::of(Tag::Div, "fl-scroll")
        .number(Number::TabIndex, 0.0)
        .child(element)
}

/// Renders a run of text with a class.
fn span(class: &'static str, text: impl Into<String>) -> Element {
    Element::of(Tag::Span, class).text(text)
}

fn badge(label: &str, tone: Tone) -> Element {
    span("fl-badge", label).class(tone_class(tone))
}

/// Renders an icon beside text with the same meaning.
fn icon_beside_text(name: &str) -> Element {
    icon(name).keyword(Keyword::AriaHidden, "true")
}

fn icon(name: &str) -> Element {
    let icon = icon::find(name);
    Element::of(Tag::Svg, "fl-icon")
        .class(icon.is_filled.then_some("fl-filled"))
        .view_box(24, 24)
        .child(Element::new(Tag::Path).drawing(icon.outline))
}

fn with_press(element: Element, press: &Press) -> Element {
    let form = press.form.as_deref().filter(|_| element.tag() != Tag::Form);
    element
        .text_attr(TextAttr::DataPress, press.path.as_str())
        .number(Number::Press, press.number as f64)
        .text_attr(TextAttr::DataForm, form)
}

fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "fl-plain",
        Tone::Muted => "fl-muted",
        Tone::Accent => "fl-accent",
        Tone::Info => "fl-info",
        Tone::Success => "fl-success",
        Tone::Warning => "fl-warning",
        Tone::Danger => "fl-danger",
        Tone::Discovery => "fl-discovery",
    }
}

/// Returns the class for a maximum height. The style sheet has heights in steps, because markup has
/// no inline styles. The attribute `data-max-height` carries the exact number.
fn height_class(lines: u64) -> &'static str {
    match lines {
        0..=5 => "fl-h5",
        6..=10 => "fl-h10",
        11..=20 => "fl-h20",
        21..=40 => "fl-h40",
        _ => "fl-h80",
    }
}

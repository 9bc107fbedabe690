//! Parses Markdown into views.
//!
//! `pulldown-cmark` parses it once for every surface. Raw HTML is treated as text, an image of
//! another site becomes a link, and a link that must not be followed becomes text.
//!
//! Invariant: nothing here recurses, and views nest no deeper than [`MAX_DEPTH`], however deeply
//! quotes are nested.

mod math;
mod table;

use super::{Limits, Lower, cut, image};
use crate::view::{
    Address, Code, Content, Image, Inline, List, ListItem, Role, Source, Span, Style, Text, View,
};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use table::TableBuilder;

/// The maximum nesting of quotes and lists; deeper ones are flattened into their parent.
const MAX_DEPTH: usize = 16;

impl Lower<'_> {
    /// Parses Markdown into one view per block.
    #[must_use]
    pub fn markdown(&self, text: &str) -> Vec<View> {
        let (shown, cut) = cut::text(text, self.limits.lines, self.limits.text);
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_MATH;
        let mut builder = BlockBuilder {
            limits: self.limits.clone(),
            ..BlockBuilder::default()
        };
        for (event, range) in Parser::new_ext(shown, options).into_offset_iter() {
            match event {
                Event::InlineMath(source) if math::is_text(&source, shown, &range) => {
                    builder.text(&format!("${source}$"));
                }
                event => builder.event(event),
            }
        }
        let mut views = builder.finish();
        views.extend(cut.map(View::Cut));
        views
    }
}

/// A block that has been opened and not closed.
enum Open {
    Quote(Vec<View>),
    List(List),
    Item(Vec<View>, Option<bool>),
    Table(TableBuilder),
    /// A block below [`MAX_DEPTH`]: its content goes to its parent.
    Flattened,
}

#[derive(Default)]
struct BlockBuilder {
    limits: Limits,
    done: Vec<View>,
    open: Vec<Open>,
    /// The number of open blocks that are not [`Open::Flattened`].
    depth: usize,
    spans: Vec<Span>,
    style: Style,
    bold: usize,
    italic: usize,
    strike: usize,
    links: Vec<Option<Address>>,
    /// The current code block.
    code: Option<Code>,
    /// The current images, innermost last, with their alternative text so far.
    pictures: Vec<(String, Source)>,
    /// Images to draw below the current paragraph.
    below: Vec<Image>,
    in_heading: bool,
    /// Whether the white space that follows a formula on a line of its own is left out.
    after_formula: bool,
}

impl BlockBuilder {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::InlineMath(source) => self.math(&source, false),
            Event::DisplayMath(source) => self.math(&source, true),
            Event::Code(text) => {
                self.style.code = true;
                self.text(&text);
                self.style.code = false;
            }
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.text("\n"),
            Event::Rule => {
                self.flush(Role::Body);
                self.push(View::Divider);
            }
            Event::TaskListMarker(done) => {
                if let Some(Open::Item(_, checked)) = self.open.last_mut() {
                    *checked = Some(done);
                }
            }
            Event::FootnoteReference(name) => self.text(&format!("[{name}]")),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::BlockQuote(_) => self.begin(Open::Quote(Vec::new())),
            Tag::List(start) => self.begin(Open::List(List {
                start,
                ..List::default()
            })),
            Tag::Item => self.begin(Open::Item(Vec::new(), None)),
            Tag::Table(alignments) => {
                self.begin(Open::Table(TableBuilder::new(&alignments, &self.limits)));
            }
            Tag::TableRow => {
                if let Some(Open::Table(table)) = self.open.last_mut() {
                    table.begin_row();
                }
            }
            Tag::CodeBlock(kind) => {
                self.flush(Role::Body);
                let language = match &kind {
                    CodeBlockKind::Fenced(info) => info.split([' ', ',', '{', '\t']).next(),
                    CodeBlockKind::Indented => None,
                };
                let language = language.filter(|word| !word.is_empty() && word.len() <= 40);
                let language = language.map(str::to_ascii_lowercase);
                self.code = Some(Code {
                    text: String::new(),
                    language,
                    path: None,
                    cut: None,
                });
            }
            Tag::Heading { .. } => self.in_heading = true,
            Tag::Strong => self.bold += 1,
            Tag::Emphasis => self.italic += 1,
            Tag::Strikethrough => self.strike += 1,
            Tag::Link { dest_url, .. } => self.links.push(Address::parse(&dest_url)),
            Tag::Image { dest_url, .. } => {
                let source = image::source(&dest_url);
                self.pictures.push((String::new(), source));
            }
            _ => {}
        }
        self.restyle();
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.flush(Role::Body),
            TagEnd::Heading(level) => {
                self.flush(Role::Heading(level as u8));
                self.in_heading = false;
            }
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::Table => self.close(),
            TagEnd::TableCell => self.cell(),
            TagEnd::TableRow => {
                if let Some(Open::Table(table)) = self.open.last_mut() {
                    table.end_row();
                }
            }
            TagEnd::CodeBlock => {
                if let Some(mut code) = self.code.take() {
                    code.text.truncate(code.text.trim_end_matches('\n').len());
                    self.push(View::Code(code));
                }
            }
            TagEnd::Strong => self.bold = self.bold.saturating_sub(1),
            TagEnd::Emphasis => self.italic = self.italic.saturating_sub(1),
            TagEnd::Strikethrough => self.strike = self.strike.saturating_sub(1),
            TagEnd::Link => drop(self.links.pop()),
            TagEnd::Image => self.picture(),
            _ => {}
        }
        self.restyle();
    }

    fn restyle(&mut self) {
        self.style.bold = self.bold > 0;
        self.style.italic = self.italic > 0;
        self.style.strike = self.strike > 0;
    }

    fn text(&mut self, text: &str) {
        if let Some(code) = &mut self.code {
            code.text.push_str(text);
            return;
        }
        if let Some((alt, _)) = self.pictures.last_mut() {
            alt.push_str(text);
            return;
        }
        let text = match std::mem::take(&mut self.after_formula) {
            true => text.trim_start_matches([' ', '\n']),
            false => text,
        };
        let link = self.links.last().and_then(Option::as_ref);
        match self.spans.last_mut() {
            Some(last)
                if last.style == self.style
                    && last.link.as_ref() == link
                    && last.math.is_none() =>
            {
                last.text.push_str(text);
            }
            _ => self.spans.push(Span {
                text: text.to_owned(),
                style: self.style,
                link: link.cloned(),
                math: None,
            }),
        }
    }

    fn picture(&mut self) {
        let Some((alt, source)) = self.pictures.pop() else {
            return;
        };
        let image = image::image(&alt, source);
        if !self.pictures.is_empty() {
            self.text(&image.alt);
            return;
        }
        match image.source {
            Source::Output { .. } | Source::Inline(_) => self.below.push(image),
            Source::Remote(address) => {
                self.links.push(Some(address));
                self.text(&image.alt);
                self.links.pop();
            }
            Source::Refused(_) => self.text(&image.alt),
        }
    }

    /// Closes the current paragraph.
    fn flush(&mut self, role: Role) {
        let mut spans = std::mem::take(&mut self.spans);
        if let Some(last) = spans.last_mut() {
            last.text.truncate(last.text.trim_end_matches('\n').len());
        }
        if spans.iter().any(|span| !span.text.trim().is_empty()) {
            self.push(View::Text(Text::new(role, Inline { spans })));
        }
        for image in std::mem::take(&mut self.below) {
            self.push(View::Image(image));
        }
    }

    fn cell(&mut self) {
        // A cell has no room for an image, so its alternative text is shown.
        let words = self.below.drain(..).map(|image| Span::plain(image.alt));
        self.spans.extend(words);
        match self.open.last_mut() {
            Some(Open::Table(table)) => {
                let spans = std::mem::take(&mut self.spans);
                table.add(Inline { spans });
            }
            _ => self.flush(Role::Body),
        }
    }

    fn begin(&mut self, open: Open) {
        self.flush(Role::Body);
        // The items of a list must fit inside it, so a list is never the last level that is kept.
        if self.depth >= MAX_DEPTH && !matches!(self.open.last(), Some(Open::List(_))) {
            self.open.push(Open::Flattened);
            return;
        }
        self.depth += 1;
        self.open.push(open);
    }

    fn close(&mut self) {
        self.flush(Role::Body);
        let Some(open) = self.open.pop() else { return };
        self.depth -= usize::from(!matches!(open, Open::Flattened));
        match open {
            Open::Quote(views) => self.push(View::Quote(views)),
            Open::List(list) => self.push(View::List(list)),
            Open::Table(table) => self.push(View::Table(table.finish())),
            Open::Item(mut views, checked) => {
                let content = match views.as_mut_slice() {
                    [View::Text(text)] if text.role == Role::Body => {
                        Content::Inline(std::mem::take(&mut text.inline))
                    }
                    _ => Content::Block(views),
                };
                let item = ListItem {
                    checked,
                    ..ListItem::new(content)
                };
                match self.open.last_mut() {
                    Some(Open::List(list)) => list.items.push(item),
                    _ => self.push(View::List(List {
                        items: vec![item],
                        ..List::default()
                    })),
                }
            }
            Open::Flattened => {}
        }
    }

    fn push(&mut self, view: View) {
        let target = self.open.iter_mut().rev().find_map(|open| match open {
            Open::Quote(views) | Open::Item(views, _) => Some(views),
            Open::List(_) | Open::Table(_) | Open::Flattened => None,
        });
        target.unwrap_or(&mut self.done).push(view);
    }

    fn finish(mut self) -> Vec<View> {
        while !self.open.is_empty() {
            self.close();
        }
        self.flush(Role::Body);
        self.done
    }
}

//! Renders views as Markdown, for chat protocols and other agents.
//!
//! The output is CommonMark with tables and strikethrough and nothing else: text of a plugin is
//! still plain text for whoever reads the Markdown next.
//!
//! Invariant: parsing the Markdown gives the text back, and no HTML. An image is described by its
//! alternative text; the Markdown neither embeds nor loads it.

mod data;
mod inline;
mod item;

#[cfg(test)]
mod tests;

use crate::filter::clean;
use crate::icon;
use crate::view::{
    Code, Cut, Diff, Frame, Group, Image, Layout, List, Progress, Role, Source, Text, Tone, View,
};
use inline::{Context, escaped, inline};

/// Renders a view: blocks separated by blank lines, without a line feed at the end. A hidden view
/// gives an empty string.
#[must_use]
pub fn markdown(view: &View) -> String {
    markdown_all([view])
}

/// Renders views below each other.
#[must_use]
pub fn markdown_all<'a>(views: impl IntoIterator<Item = &'a View>) -> String {
    let mut blocks = Blocks::default();
    blocks.views(views);
    blocks.finish()
}

/// The blocks of one nesting level.
#[derive(Default)]
struct Blocks {
    blocks: Vec<String>,
    /// Whether the last block is a list: an adjacent list needs another marker, or the two would
    /// merge.
    after_list: bool,
    /// Whether the last list used the alternative marker.
    other_mark: bool,
}

impl Blocks {
    fn finish(self) -> String {
        self.blocks.join("\n\n")
    }

    fn push(&mut self, block: impl Into<String>) {
        let block = block.into();
        if !block.trim().is_empty() {
            self.blocks.push(block);
            self.after_list = false;
        }
    }

    /// Adds a list of rendered items. A `tight` list has no blank lines between them.
    fn push_list(&mut self, start: Option<u64>, items: &[String], tight: bool) {
        self.other_mark = self.after_list && !self.other_mark;
        let mut out = String::new();
        for (n, item) in items.iter().enumerate() {
            let mark = match (start, self.other_mark) {
                (None, false) => "- ".to_owned(),
                (None, true) => "+ ".to_owned(),
                // CommonMark allows at most nine digits.
                (Some(start), other) => {
                    let number = start.saturating_add(n as u64).min(999_999_999);
                    format!("{number}{} ", if other { ')' } else { '.' })
                }
            };
            if n > 0 {
                out.push_str(if tight { "\n" } else { "\n\n" });
            }
            out.push_str(&mark);
            out.push_str(&indented(item, &" ".repeat(mark.len()), ""));
        }
        if !items.is_empty() {
            self.blocks.push(out);
            self.after_list = true;
        }
    }

    fn views<'a>(&mut self, views: impl IntoIterator<Item = &'a View>) {
        for view in views {
            self.view(view);
        }
    }

    fn view(&mut self, view: &View) {
        match view {
            View::Hidden | View::Space => {}
            View::Text(text) => self.text(text),
            View::Code(code) => self.code(code),
            View::Diff(diff) => self.diff(diff),
            View::Table(table) => self.table(table),
            View::Tree(tree) => self.tree(tree),
            View::Image(image) => self.push(picture(image)),
            View::Chart(chart) => self.chart(chart),
            View::Facts(facts) => self.facts(facts),
            View::List(list) => self.list(list),
            View::Log(log) => self.log(log),
            View::Quote(views) => self.push(quoted(&markdown_all(views))),
            View::Badge { label, .. } => self.push(escaped(label, Context::Line)),
            View::Icon { name, .. } => self.push(escaped(icon::symbol(name), Context::Line)),
            View::Progress(progress) => {
                self.push(escaped(&progress_words(progress), Context::Line))
            }
            View::Notice { tone, text } => {
                let word = match tone {
                    Tone::Danger => "**Error:** ",
                    Tone::Warning => "**Warning:** ",
                    _ => "**Note:** ",
                };
                self.push(quoted(&format!("{word}{}", inline(text, Context::Lines))));
            }
            View::Divider => self.push("---"),
            View::Group(group) => self.group(group),
            View::Field(field) => self.field(field),
            View::Button(button) => self.push(item::button(button)),
            View::Frame(frame) => self.frame(frame),
            View::Thought(thought) => self.thought(thought),
            View::Call(call) => self.call(call),
            View::Widget(widget) => self.view(&widget.body),
            View::Output(output) => self.output(output),
            View::Ask(ask) => self.ask(ask),
            View::Cut(left) => self.cut(Some(*left)),
        }
    }

    fn cut(&mut self, cut: Option<Cut>) {
        self.push(cut.map(|cut| format!("*… {cut}*")).unwrap_or_default());
    }

    fn text(&mut self, text: &Text) {
        match text.role {
            Role::Heading(level) => {
                let words = inline(&text.inline, Context::Heading);
                if !words.is_empty() {
                    let marks = "#".repeat(usize::from(level.clamp(1, 6)));
                    self.push(format!("{marks} {words}"));
                }
            }
            Role::Lines if shaped(&text.inline.to_text()) => {
                self.push(fenced("", &text.inline.to_text()));
            }
            _ => self.push(inline(&text.inline, Context::Lines)),
        }
        self.cut(text.cut);
    }

    fn code(&mut self, code: &Code) {
        if let Some(path) = &code.path {
            self.push(inline::code(path, Context::Line));
        }
        let language = code.language.as_deref().unwrap_or("");
        self.push(fenced(language, &code.text));
        self.cut(code.cut);
    }

    fn diff(&mut self, diff: &Diff) {
        let new = if diff.is_new { "new, " } else { "" };
        let path = inline::code(&diff.path, Context::Line);
        self.push(format!("{path} ({new}{})", diff.counts()));
        if !diff.hunks.is_empty() {
            let mut text = String::new();
            for hunk in diff.hunks.iter() {
                text.push_str(&format!("{}\n", hunk.header()));
                for line in &hunk.lines {
                    let words = crate::filter::clean_line(&line.text);
                    text.push_str(&format!("{}{words}\n", line.mark.symbol()));
                }
            }
            self.push(fenced("diff", &text));
        }
        self.cut(diff.cut);
    }

    fn list(&mut self, list: &List) {
        let mut items = Vec::new();
        let mut tight = true;
        for item in &list.items {
            let mark = match item.checked {
                Some(true) => "[x] ",
                Some(false) => "[ ] ",
                None => "",
            };
            let (text, block) = data::content(&item.content);
            tight &= !block;
            let text = format!("{mark}{text}");
            let detail = item.detail.as_ref();
            let detail = detail.map(|detail| inline(detail, Context::Lines));
            let detail = detail.unwrap_or_default();
            let gap = match block {
                _ if text.is_empty() || detail.is_empty() => "",
                true => "\n\n",
                false => "\\\n",
            };
            items.push(format!("{text}{gap}{detail}"));
        }
        self.push_list(list.start, &items, tight);
        self.cut(list.cut);
    }

    fn group(&mut self, group: &Group) {
        if let Some(status) = &group.status {
            self.push(escaped(&status.text, Context::Line));
        }
        match group.layout {
            Layout::Row | Layout::Item => match row(&group.children) {
                Some(line) => self.push(line),
                None => self.views(&group.children),
            },
            Layout::List => {
                let mut items = Vec::new();
                let mut rest = Vec::new();
                for child in &group.children {
                    match child {
                        View::Group(_) => items.push(markdown(child)),
                        // Markdown cannot be unfolded, so folded items are shown.
                        View::Frame(frame) if frame.kind.is_empty() => match &*frame.body {
                            View::Group(more) => items.extend(more.children.iter().map(markdown)),
                            other => rest.push(other),
                        },
                        other => rest.push(other),
                    }
                }
                items.retain(|item| !item.is_empty());
                let tight = items.iter().all(|item| !item.contains("\n\n"));
                self.push_list(None, &items, tight);
                self.views(rest);
            }
            Layout::Card | Layout::Column | Layout::Form => self.views(&group.children),
        }
        let buttons: Vec<String> = group.footer.iter().map(item::button).collect();
        self.push(buttons.join(" "));
    }

    fn frame(&mut self, frame: &Frame) {
        if let Some(caption) = &frame.caption {
            self.push(escaped(caption, Context::Line));
        }
        self.view(&frame.body);
    }
}

/// Renders views on one line; `None` if one of them needs more than a line.
fn row(views: &[View]) -> Option<String> {
    let mut pieces = Vec::new();
    for view in views {
        let piece = match view {
            View::Space | View::Hidden => continue,
            // A heading in a row is rendered like its neighbours.
            View::Text(text) => inline(&text.inline, Context::Line),
            View::Badge { .. } | View::Icon { .. } | View::Button(_) | View::Progress(_) => {
                markdown(view)
            }
            View::Group(group) if group.layout == Layout::Row && group.footer.is_empty() => {
                row(&group.children)?
            }
            _ => return None,
        };
        if piece.contains('\n') {
            return None;
        }
        if !piece.is_empty() {
            pieces.push(piece);
        }
    }
    Some(pieces.join(" "))
}

fn progress_words(progress: &Progress) -> String {
    let parts = [progress.label.as_deref(), progress.words.as_deref()];
    match parts.into_iter().flatten().collect::<Vec<_>>().join(" ") {
        line if line.is_empty() => "in progress".to_owned(),
        line => line,
    }
}

fn picture(image: &Image) -> String {
    let alt = escaped(&image.alt, Context::Line);
    match &image.source {
        Source::Output { id } => format!("{alt} (picture, `/api/outputs/{id}`)"),
        Source::Inline(picture) => {
            let size = picture.size().map(|(x, y)| format!(", {x} × {y}"));
            let size = size.unwrap_or_default();
            format!("{alt} (picture, {}{size})", picture.format().mime_type())
        }
        Source::Remote(address) => {
            let host = escaped(&format!("(picture at {})", address.host()), Context::Line);
            format!("{} {host}", inline::link(&alt, address))
        }
        Source::Refused(reason) => format!("{alt} ({reason})"),
    }
}

/// Encloses text in a fence that is longer than any backtick run inside.
fn fenced(language: &str, text: &str) -> String {
    let text = clean(text);
    let text = text.trim_end_matches('\n');
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '_' | '#' | '.');
    let language: String = language.chars().filter(|c| plain(*c)).take(40).collect();
    format!("{fence}{language}\n{text}\n{fence}")
}

/// Reports whether the text has white space that a paragraph would not preserve.
fn shaped(text: &str) -> bool {
    text.lines().any(|line| {
        line.starts_with([' ', '\t']) || line.trim_end().contains("  ") || line.contains('\t')
    })
}

fn quoted(block: &str) -> String {
    indented(block, "> ", "> ")
}

/// Prefixes the first line with `first` and every other line with `before`.
fn indented(block: &str, before: &str, first: &str) -> String {
    let line = |(n, line): (usize, &str)| {
        let before = if n == 0 { first } else { before };
        match line {
            // Avoids trailing white space on empty lines.
            "" => before.trim_end().to_owned(),
            line => format!("{before}{line}"),
        }
    };
    let lines = block.split('\n').enumerate().map(line);
    lines.collect::<Vec<_>>().join("\n")
}

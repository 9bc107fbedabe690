//! Tables, trees, charts, facts, logs and stored content.

use super::inline::{Context, escaped, inline};
use super::{Blocks, fenced};
use crate::format;
use crate::view::{Align, Chart, Column, Content, Facts, Log, Shape, Table, Tree, TreeNode, View};
use std::iter::{once, repeat, repeat_n};

/// Renders content; the flag tells whether it consists of blocks.
pub(super) fn content(content: &Content) -> (String, bool) {
    match content {
        Content::Inline(text) => (inline(text, Context::Lines), false),
        Content::Block(views) => {
            let text = super::markdown_all(views);
            let block = text.contains("\n\n")
                || !matches!(views.as_slice(), [View::Text(_) | View::Badge { .. }]);
            (text, block)
        }
    }
}

/// Renders content for a cell: one line of text.
fn cell(content: &Content) -> String {
    match content {
        Content::Inline(text) => inline(text, Context::Cell),
        Content::Block(views) => {
            let mut words = String::new();
            flat(views, &mut words);
            escaped(words.trim(), Context::Cell)
        }
    }
}

/// Collects the text of views.
fn flat(views: &[View], out: &mut String) {
    for view in views {
        match view {
            View::Text(text) => out.push_str(&text.inline.to_text()),
            View::Badge { label, .. } => out.push_str(label),
            View::Button(button) => out.push_str(&format!("[{}]", button.label)),
            View::Image(image) => out.push_str(&image.alt),
            View::Code(code) => out.push_str(&code.text),
            View::Progress(progress) => out.push_str(&super::progress_words(progress)),
            View::Icon { name, .. } => out.push_str(crate::icon::symbol(name)),
            View::Group(group) => flat(&group.children, out),
            View::Field(field) => out.push_str(field.label.as_deref().unwrap_or(&field.name)),
            _ => continue,
        }
        out.push(' ');
    }
}

impl Blocks {
    pub(super) fn table(&mut self, table: &Table) {
        if table.columns.is_empty() {
            return;
        }
        let rule = |column: &Column| match column.align {
            Align::Start => "---".to_owned(),
            Align::Center => ":-:".to_owned(),
            Align::End => "--:".to_owned(),
        };
        let header = line(table.columns.iter().map(|column| cell(&column.header)));
        let rule = line(table.columns.iter().map(rule));
        let rows = table.rows.iter().map(|row| {
            let cells = row.iter().flat_map(|one| {
                let blank = (one.columns as usize).saturating_sub(1);
                once(cell(&one.content)).chain(repeat_n(String::new(), blank))
            });
            line(cells.chain(repeat(String::new())).take(table.columns.len()))
        });
        let lines: Vec<String> = [header, rule].into_iter().chain(rows).collect();
        self.push(lines.join("\n"));
        self.cut(table.more_rows);
        self.cut(table.more_columns);
    }

    pub(super) fn tree(&mut self, tree: &Tree) {
        match tree.root.shape {
            Shape::Leaf => self.push(inline(&tree.root.value, Context::Lines)),
            Shape::Object { len: 0 } => self.push("(no fields)"),
            Shape::Array { len: 0 } => self.push("(no entries)"),
            _ => {
                let items: Vec<String> = tree.root.children.iter().map(branch).collect();
                self.push_list(None, &items, true);
                self.cut(tree.root.more);
            }
        }
    }

    pub(super) fn chart(&mut self, chart: &Chart) {
        if let Some(title) = &chart.title {
            self.push(escaped(title, Context::Line));
        }
        self.table(&Table {
            more_rows: chart.more_points,
            more_columns: chart.more_series,
            ..chart.numbers()
        });
    }

    pub(super) fn facts(&mut self, facts: &Facts) {
        let mut tight = true;
        let mut items = Vec::new();
        for fact in &facts.facts {
            let (value, block) = content(&fact.value);
            tight &= !block;
            let label = escaped(fact.label.trim(), Context::Line);
            let gap = if block { "\n\n" } else { " " };
            items.push(match label.as_str() {
                "" => value,
                label => format!("**{label}:**{gap}{value}"),
            });
        }
        self.push_list(None, &items, tight);
        self.cut(facts.cut);
    }

    pub(super) fn log(&mut self, log: &Log) {
        self.cut(log.cut);
        let mut text = String::new();
        for one in &log.lines {
            let time = one.time.iter().map(|time| format!("{time} "));
            let level = one.level.iter().map(|level| format!("{} ", level.as_str()));
            text.extend(time.chain(level));
            text.push_str(&one.text.to_text());
            text.push('\n');
        }
        self.push(fenced("", &text));
    }

    pub(super) fn output(&mut self, output: &crate::view::Output) {
        let until = output.until();
        let parts = [output.name(), &*output.mime_type, &*until];
        let [name, mime, until] = parts.map(|text| escaped(text, Context::Line));
        let (size, path) = (format::size(output.size), output.path());
        self.push(format!("{name} ({mime}, {size}, `{path}`, {until})"));
    }
}

/// Renders a node and its children as a list item.
fn branch(node: &TreeNode) -> String {
    let key = escaped(node.key.as_deref().unwrap_or(""), Context::Line);
    let mut out = match node.shape {
        Shape::Leaf => format!("{key}: {}", inline(&node.value, Context::Line)),
        Shape::Object { len: 0 } => format!("{key}: {{}}"),
        Shape::Array { len: 0 } => format!("{key}: \\[\\]"),
        _ => format!("{key}:"),
    };
    let mut inner = Blocks::default();
    let mut items: Vec<String> = node.children.iter().map(branch).collect();
    items.extend(node.more.map(|left| format!("*… {left}*")));
    inner.push_list(None, &items, true);
    for block in inner.blocks {
        out.push_str(&format!("\n{block}"));
    }
    out
}

fn line(cells: impl Iterator<Item = String>) -> String {
    cells.fold("|".to_owned(), |line, cell| match cell.as_str() {
        "" => line + " |",
        cell => line + " " + cell + " |",
    })
}

//! Tables, trees, facts, lists and logs.

use super::text::align_class;
use super::{HtmlWriter, cut, scrollable, span};
use crate::markup::{Element, Flag, Keyword, Node, Number, Tag, TextAttr};
use crate::view::{
    Align, Cell, Column, Content, Facts, List, ListItem, Log, LogLevel, LogLine, Shape, Table,
    Tree, TreeNode,
};
use std::iter::once;

impl HtmlWriter<'_> {
    pub(super) fn content(self, content: &Content) -> Vec<Node> {
        match content {
            Content::Inline(inline) => self.inline(inline),
            Content::Block(views) => self.all(views),
        }
    }

    pub(super) fn table(self, table: &Table) -> Vec<Node> {
        let mut element = Element::of(Tag::Table, "fl-table");
        if table.has_header {
            let cell = |column: &Column| {
                Element::of(Tag::Th, align_class(column.align))
                    .keyword(Keyword::Scope, "col")
                    .keyword(Keyword::Dir, "auto")
                    .children(self.content(&column.header))
            };
            let row = Element::new(Tag::Tr).children(table.columns.iter().map(cell));
            element = element.child(Element::new(Tag::Thead).child(row));
        }
        let rows = table.rows.iter().map(|row| {
            let mut at = 0;
            let cells = row.iter().map(|cell| {
                let align = table.columns.get(at).map(|column| column.align);
                at += cell.columns as usize;
                self.cell(cell, align.unwrap_or_default())
            });
            Element::new(Tag::Tr).children(cells)
        });
        element = element.child(Element::new(Tag::Tbody).children(rows));
        let cuts = [table.more_rows, table.more_columns];
        let cuts = cuts.into_iter().flatten().map(cut);
        once(scrollable(element).into()).chain(cuts).collect()
    }

    fn cell(self, cell: &Cell, align: Align) -> Element {
        let span = |count: u32| (count > 1).then_some(f64::from(count));
        Element::of(Tag::Td, align_class(cell.align.unwrap_or(align)))
            .keyword(Keyword::Dir, "auto")
            .number(Number::ColSpan, span(cell.columns))
            .number(Number::RowSpan, span(cell.rows))
            .children(self.content(&cell.content))
    }

    pub(super) fn tree(self, tree: &Tree) -> Element {
        let element = Element::of(Tag::Div, "fl-tree");
        match tree.root.shape {
            Shape::Leaf => element.children(self.inline(&tree.root.value)),
            Shape::Object { len: 0 } => element.child(span("fl-muted", "(no fields)")),
            Shape::Array { len: 0 } => element.child(span("fl-muted", "(no entries)")),
            _ => element.child(self.branches(&tree.root)),
        }
    }

    fn branches(self, node: &TreeNode) -> Element {
        Element::new(Tag::Ul)
            .children(node.children.iter().map(|child| self.branch(child)))
            .children(node.more.map(|more| Element::new(Tag::Li).child(cut(more))))
    }

    fn branch(self, node: &TreeNode) -> Element {
        let key = span("fl-key", node.key.as_deref().unwrap_or(""));
        let item = Element::new(Tag::Li);
        let count = match node.shape {
            Shape::Leaf => return item.child(key).text(" ").children(self.inline(&node.value)),
            Shape::Object { len: 0 } => "{}".to_owned(),
            Shape::Array { len: 0 } => "[]".to_owned(),
            Shape::Object { len } => format!("{{{len}}}"),
            Shape::Array { len } => format!("[{len}]"),
        };
        let count = span("fl-muted", count);
        if let Shape::Object { len: 0 } | Shape::Array { len: 0 } = node.shape {
            return item.child(key).text(" ").child(count);
        }
        let summary = Element::new(Tag::Summary).child(key).text(" ").child(count);
        let details = Element::new(Tag::Details).flag(Flag::Open, !node.children.is_empty());
        item.child(details.child(summary).child(self.branches(node)))
    }

    pub(super) fn facts(self, facts: &Facts) -> Vec<Node> {
        let rows = facts.facts.iter().map(|fact| {
            let label = Element::new(Tag::Dt)
                .keyword(Keyword::Dir, "auto")
                .text(fact.label.as_str());
            let value = Element::new(Tag::Dd)
                .keyword(Keyword::Dir, "auto")
                .children(self.content(&fact.value));
            Element::new(Tag::Div).child(label).child(value)
        });
        let list = Element::of(Tag::Dl, "fl-facts").children(rows);
        once(list.into()).chain(facts.cut.map(cut)).collect()
    }

    pub(super) fn list(self, list: &List) -> Vec<Node> {
        let tag = list.start.map_or(Tag::Ul, |_| Tag::Ol);
        let start = list.start.filter(|start| *start != 1);
        let element = Element::of(tag, "fl-list")
            .number(Number::Start, start.map(|start| start as f64))
            .children(list.items.iter().map(|item| self.list_item(item)));
        once(element.into()).chain(list.cut.map(cut)).collect()
    }

    fn list_item(self, item: &ListItem) -> Element {
        let mut element = Element::new(Tag::Li).keyword(Keyword::Dir, "auto");
        if let Some(checked) = item.checked {
            let tick = Element::new(Tag::Input)
                .keyword(Keyword::Type, "checkbox")
                .text_attr(TextAttr::AriaLabel, if checked { "done" } else { "to do" })
                .flag(Flag::Checked, checked)
                .flag(Flag::Disabled, true);
            element = element.class("fl-task").child(tick).text(" ");
        }
        let detail = |detail| Element::of(Tag::Div, "fl-caption").children(self.inline(detail));
        element
            .children(self.content(&item.content))
            .children(item.detail.as_ref().map(detail))
    }

    pub(super) fn log(self, log: &Log) -> Vec<Node> {
        let mut pre = Element::of(Tag::Pre, "fl-log").number(Number::TabIndex, 0.0);
        for line in &log.lines {
            pre = pre.child(self.log_line(line)).text("\n");
        }
        log.cut.map(cut).into_iter().chain([pre.into()]).collect()
    }

    fn log_line(self, line: &LogLine) -> Element {
        let mut element = Element::of(Tag::Span, "fl-log-line");
        if let Some(time) = &line.time {
            let time = Element::of(Tag::Time, "fl-muted").text(time.as_str());
            element = element.child(time).text(" ");
        }
        if let Some(level) = &line.level {
            let class = match level {
                LogLevel::Trace | LogLevel::Debug | LogLevel::Other(_) => "fl-muted",
                LogLevel::Info => "fl-info",
                LogLevel::Warn => "fl-warning",
                LogLevel::Error => "fl-danger",
            };
            element = element.child(span(class, level.as_str())).text(" ");
        }
        element.children(self.spans(&line.text, false))
    }
}

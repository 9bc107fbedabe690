//! Tables, trees, facts, lists and logs.

use super::text::align_class;
use super::{HtmlWriter, cut, scrollable};
use crate::markup::{Element, Flag, Keyword, Node, Number, Tag, TextAttr};
use crate::view::{self, Align};
use crate::view::{
    Cell, Column, Content, Facts, List, ListItem, Log, LogLevel, LogLine, Shape, Table, Tree,
};

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
                Node::from(
                    Element::of(Tag::Th, align_class(column.align))
                        .keyword(Keyword::Scope, "col")
                        .keyword(Keyword::Dir, "auto")
                        .children(self.content(&column.header)),
                )
            };
            let row = Element::new(Tag::Tr).children(table.columns.iter().map(cell));
            element = element.child(Element::new(Tag::Thead).child(row));
        }
        let rows = table.rows.iter().map(|row| {
            let mut at = 0;
            let cells = row.iter().map(|cell| {
                let align = table
                    .columns
                    .get(at)
                    .map_or(Align::Start, |column| column.align);
                at += cell.columns as usize;
                self.cell(cell, align)
            });
            Node::from(Element::new(Tag::Tr).children(cells.collect::<Vec<_>>()))
        });
        element = element.child(Element::new(Tag::Tbody).children(rows));
        let mut nodes = vec![scrollable(element).into()];
        nodes.extend(
            [table.more_rows, table.more_columns]
                .into_iter()
                .flatten()
                .map(cut),
        );
        nodes
    }

    fn cell(self, cell: &Cell, align: Align) -> Node {
        let mut element = Element::of(Tag::Td, align_class(cell.align.unwrap_or(align)))
            .keyword(Keyword::Dir, "auto");
        if cell.columns > 1 {
            element = element.number(Number::ColSpan, cell.columns.into());
        }
        if cell.rows > 1 {
            element = element.number(Number::RowSpan, cell.rows.into());
        }
        element.children(self.content(&cell.content)).into()
    }

    pub(super) fn tree(self, tree: &Tree) -> Element {
        let element = Element::of(Tag::Div, "fl-tree");
        match tree.root.shape {
            Shape::Leaf => element.children(self.inline(&tree.root.value)),
            Shape::Object { len: 0 } => {
                element.child(Element::of(Tag::Span, "fl-muted").text("(no fields)"))
            }
            Shape::Array { len: 0 } => {
                element.child(Element::of(Tag::Span, "fl-muted").text("(no entries)"))
            }
            _ => element.child(self.branches(&tree.root)),
        }
    }

    fn branches(self, node: &view::TreeNode) -> Element {
        Element::new(Tag::Ul)
            .children(node.children.iter().map(|child| self.branch(child)))
            .with(node.more, |list, more| {
                list.child(Element::new(Tag::Li).child(cut(more)))
            })
    }

    fn branch(self, node: &view::TreeNode) -> Node {
        let key = node.key.as_deref().unwrap_or("");
        let key = Element::of(Tag::Span, "fl-key").text(key);
        let count = |text: String| Element::of(Tag::Span, "fl-muted").text(text);
        let item = Element::new(Tag::Li);
        let item = match node.shape {
            Shape::Leaf => item.child(key).text(" ").children(self.inline(&node.value)),
            Shape::Object { len: 0 } => item.child(key).text(" ").child(count("{}".to_owned())),
            Shape::Array { len: 0 } => item.child(key).text(" ").child(count("[]".to_owned())),
            Shape::Object { len } | Shape::Array { len } => {
                let count = match node.shape {
                    Shape::Array { .. } => count(format!("[{len}]")),
                    _ => count(format!("{{{len}}}")),
                };
                let summary = Element::new(Tag::Summary).child(key).text(" ").child(count);
                let details =
                    Element::new(Tag::Details).flag(Flag::Open, !node.children.is_empty());
                item.child(details.child(summary).child(self.branches(node)))
            }
        };
        item.into()
    }

    pub(super) fn facts(self, facts: &Facts) -> Vec<Node> {
        let rows = facts.facts.iter().map(|fact| {
            let label = Element::new(Tag::Dt)
                .keyword(Keyword::Dir, "auto")
                .text(fact.label.as_str());
            let value = Element::new(Tag::Dd)
                .keyword(Keyword::Dir, "auto")
                .children(self.content(&fact.value));
            Node::from(Element::new(Tag::Div).child(label).child(value))
        });
        let mut nodes = vec![Element::of(Tag::Dl, "fl-facts").children(rows).into()];
        nodes.extend(facts.cut.map(cut));
        nodes
    }

    pub(super) fn list(self, list: &List) -> Vec<Node> {
        let mut element = match list.start {
            None => Element::of(Tag::Ul, "fl-list"),
            Some(1) => Element::of(Tag::Ol, "fl-list"),
            Some(start) => Element::of(Tag::Ol, "fl-list").number(Number::Start, start as f64),
        };
        element = element.children(list.items.iter().map(|item| self.list_item(item)));
        let mut nodes = vec![element.into()];
        nodes.extend(list.cut.map(cut));
        nodes
    }

    fn list_item(self, item: &ListItem) -> Node {
        let mut element = Element::new(Tag::Li).keyword(Keyword::Dir, "auto");
        if let Some(checked) = item.checked {
            let tick = Element::new(Tag::Input)
                .keyword(Keyword::Type, "checkbox")
                .text_attr(TextAttr::AriaLabel, if checked { "done" } else { "to do" })
                .flag(Flag::Checked, checked)
                .flag(Flag::Disabled, true);
            element = element.class("fl-task").child(tick).text(" ");
        }
        element = element.children(self.content(&item.content));
        if let Some(detail) = &item.detail {
            element =
                element.child(Element::of(Tag::Div, "fl-caption").children(self.inline(detail)));
        }
        element.into()
    }

    pub(super) fn log(self, log: &Log) -> Vec<Node> {
        let mut nodes: Vec<Node> = log.cut.map(cut).into_iter().collect();
        let mut pre = Element::of(Tag::Pre, "fl-log").number(Number::TabIndex, 0.0);
        for line in &log.lines {
            pre = pre.child(self.log_line(line)).text("\n");
        }
        nodes.push(pre.into());
        nodes
    }

    fn log_line(self, line: &LogLine) -> Element {
        let mut element = Element::of(Tag::Span, "fl-log-line");
        if let Some(time) = &line.time {
            element = element
                .child(Element::of(Tag::Time, "fl-muted").text(time.as_str()))
                .text(" ");
        }
        if let Some(level) = &line.level {
            let class = match level {
                LogLevel::Trace | LogLevel::Debug | LogLevel::Other(_) => "fl-muted",
                LogLevel::Info => "fl-info",
                LogLevel::Warn => "fl-warning",
                LogLevel::Error => "fl-danger",
            };
            element = element
                .child(Element::of(Tag::Span, class).text(level.as_str()))
                .text(" ");
        }
        element.children(line.text.spans.iter().map(|span| self.span(span, false)))
    }
}

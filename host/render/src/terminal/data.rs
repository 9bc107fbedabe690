//! Trees, facts, lists, logs and progress bars.

use super::line::{Line, Lines, over, prefixed, width};
use super::wrap::{Wrap, Wrapper};
use super::{BOLD, MAX_DEPTH, MUTED, PLAIN, Painter, tone};
use crate::filter::clean_line;
use crate::view::{
    Content, Cut, Fact, Facts, List, ListItem, Log, LogLevel, LogLine, Progress, Shape, Style,
    Tone, Tree, TreeNode, Unit,
};

impl Painter<'_> {
    pub(super) fn tree<'v>(self, tree: &'v Tree) -> Lines<'v> {
        let mut out = self.node(&tree.root, &Line::default(), &Line::default());
        self.branches(&tree.root, &Line::default(), 0, &mut out);
        out
    }

    /// Draws the line of a node: its key, and its value or size.
    fn node<'v>(self, node: &'v TreeNode, first: &Line<'v>, rest: &Line<'v>) -> Lines<'v> {
        let mut head = first.clone();
        if let Some(key) = &node.key {
            let room = (self.width / 2).max(8);
            head.append(self.clip(Line::of(key, tone(Tone::Accent)), room));
            let mark = match node.shape {
                Shape::Leaf => ": ",
                Shape::Object { .. } | Shape::Array { .. } => " ",
            };
            head.push(mark, MUTED);
        }
        match node.shape {
            Shape::Object { len } => head.push(&format!("{{{len}}}"), MUTED),
            Shape::Array { len } => head.push(&format!("[{len}]"), MUTED),
            Shape::Leaf => {
                let inner = self.at(self.width.saturating_sub(head.width()).max(8));
                let lines = match node.value.is_empty() {
                    true => vec![Line::of("(empty)", MUTED)],
                    false => inner.inline(&node.value, PLAIN, Wrap::Words),
                };
                let mut hang = rest.clone();
                hang.pad_to(head.width());
                return prefixed(lines, &head, &hang);
            }
        }
        vec![self.fit(head)]
    }

    fn branches<'v>(self, node: &'v TreeNode, stem: &Line<'v>, depth: usize, out: &mut Lines<'v>) {
        // A deeply nested node would leave no room for its children.
        if depth > MAX_DEPTH || stem.width() + 24 > self.width {
            if let Some(cut) = Cut::of(values_below(node), Unit::Values) {
                let mut line = stem.clone();
                line.append(self.cut(cut));
                out.push(self.fit(line));
            }
            return;
        }
        let twigs = node.children.len() + usize::from(node.more.is_some());
        for (n, child) in node.children.iter().enumerate() {
            let last = n + 1 == twigs;
            let mut first = stem.clone();
            let mut rest = stem.clone();
            if last {
                first.push(self.symbols.last_branch, MUTED);
            } else {
                first.push(self.symbols.branch, MUTED);
                rest.push(self.symbols.vertical, MUTED);
            }
            rest.pad_to(first.width());
            out.extend(self.node(child, &first, &rest));
            self.branches(child, &rest, depth + 1, out);
        }
        if let Some(more) = node.more {
            let mut line = stem.clone();
            line.push(self.symbols.last_branch, MUTED);
            line.append(self.cut(more));
            out.push(self.fit(line));
        }
    }

    pub(super) fn facts<'v>(self, facts: &'v Facts) -> Lines<'v> {
        let most = (self.width / 3).max(10);
        let label = |fact: &Fact| width(&clean_line(&fact.label));
        let widths = facts.facts.iter().map(label);
        let column = widths.filter(|width| *width <= most).max().unwrap_or(0);
        let mut out = Vec::new();
        for fact in &facts.facts {
            let mut label = Line::of(&fact.label, MUTED);
            if label.width() > column {
                out.extend(self.words(&fact.label, MUTED));
                label = Line::default();
            }
            out.extend(self.labelled(label, column + 2, &fact.value));
        }
        out.extend(facts.cut.map(|cut| self.cut(cut)));
        out
    }

    /// Draws content beside a label of `column` columns, or below it if there is too little width.
    pub(super) fn labelled<'v>(
        self,
        mut label: Line<'v>,
        column: usize,
        content: &'v Content,
    ) -> Lines<'v> {
        let inner = self.inset(column);
        let gap = Line::spaces(self.width - inner.width);
        let mut lines = inner.content(content, PLAIN);
        if gap.width() < label.width() {
            lines.insert(0, label);
            return lines;
        }
        label.pad_to(gap.width());
        prefixed(lines, &label, &gap)
    }

    /// Draws the content of a cell, a fact or a list item.
    pub(super) fn content<'v>(self, content: &'v Content, base: Style) -> Lines<'v> {
        let mut lines = match content {
            Content::Inline(inline) => self.inline(inline, base, Wrap::Words),
            Content::Block(views) => self.views(views),
        };
        if lines.is_empty() {
            lines.push(Line::default());
        }
        lines
    }

    pub(super) fn list<'v>(self, list: &'v List) -> Lines<'v> {
        let more = list.items.len().saturating_sub(1) as u64;
        let last = list.start.map(|start| start.saturating_add(more));
        let digits = last.map_or(0, |last| last.to_string().len());
        let mut out = Vec::new();
        for (n, item) in list.items.iter().enumerate() {
            let mark = match (item.checked, list.start) {
                (Some(true), _) => Line::of(self.symbols.tick[1], tone(Tone::Success)),
                (Some(false), _) => Line::of(self.symbols.tick[0], MUTED),
                (None, Some(start)) => {
                    let number = start.saturating_add(n as u64);
                    Line::of(&format!("{number:>digits$}."), MUTED)
                }
                (None, None) => Line::of(self.bullet(), MUTED),
            };
            out.extend(self.item(item, mark));
        }
        out.extend(list.cut.map(|cut| self.cut(cut)));
        out
    }

    /// Returns the bullet for the current depth.
    fn bullet(self) -> &'static str {
        let symbols = self.symbols.bullets;
        symbols[self.depth.saturating_sub(1) / 2 % symbols.len()]
    }

    fn item<'v>(self, item: &'v ListItem, mut mark: Line<'v>) -> Lines<'v> {
        mark.pad(1);
        let narrow = self.at(self.width.min(super::PROSE));
        narrow.marked(mark, |inner| {
            let mut lines = match &item.content {
                Content::Inline(inline) => inner.prose(inline, PLAIN),
                Content::Block(views) => inner.tight(views),
            };
            if let Some(detail) = item.detail.as_ref().filter(|detail| !detail.is_empty()) {
                lines.extend(inner.prose(detail, MUTED));
            }
            lines
        })
    }

    pub(super) fn log<'v>(self, log: &'v Log) -> Lines<'v> {
        let earlier = log
            .cut
            .map(|cut| self.cut_line(cut, &cut.describe("earlier")));
        let mut out: Lines<'v> = earlier.into_iter().collect();
        let name = |line: &LogLine| line.level.as_ref().map_or(0, |level| width(level.as_str()));
        let column = log.lines.iter().map(name).max().unwrap_or(0).min(8);
        for line in &log.lines {
            let mut head = Line::default();
            if let Some(time) = &line.time {
                head.push(time, MUTED);
                head = self.clip(head, self.width / 3);
                head.pad(1);
            }
            if column > 0 {
                let start = head.width();
                if let Some(level) = &line.level {
                    let word = clean_line(level.as_str()).to_uppercase();
                    head.append(Line::of(&word, level_style(level)).clip(column, ""));
                }
                head.pad_to(start + column + 1);
            }
            // If the prefix is wide, the text continues below it instead of beside it.
            let hang = match head.width() * 3 > self.width {
                true => 2,
                false => head.width(),
            };
            let mut writer = Wrapper::after(head, hang, self.width);
            self.write(&mut writer, &line.text, PLAIN);
            out.extend(writer.finish());
        }
        out
    }

    pub(super) fn progress<'v>(self, progress: &'v Progress) -> Line<'v> {
        let mut line = Line::default();
        if let Some(label) = &progress.label {
            line.append(self.clip(Line::of(label, PLAIN), self.width / 2));
            line.pad(1);
        }
        if let Some(part) = progress.part {
            let part = part.clamp(0.0, 1.0);
            let columns = self.width.saturating_sub(line.width() + 14).clamp(4, 30);
            // Rounds down, so that the bar is full only when the activity is complete.
            let full = (part * columns as f64).floor() as usize;
            line.repeat(self.symbols.full, full.min(columns), tone(Tone::Success));
            line.repeat(self.symbols.empty, columns - full.min(columns), MUTED);
            line.push(&format!(" {:>3}%", (part * 100.0).floor()), BOLD);
        }
        match &progress.words {
            Some(words) => line.push(&format!("  {words}"), MUTED),
            None if progress.part.is_none() => line.push(self.symbols.ellipsis, MUTED),
            None => {}
        }
        self.fit(line)
    }
}

/// Counts the descendants of a node, including those omitted before. Iterative, because it is
/// called where the recursion limit is reached.
fn values_below(node: &TreeNode) -> usize {
    let mut count = 0_usize;
    let mut ahead = vec![node];
    while let Some(node) = ahead.pop() {
        let more = node.more.map_or(0, |cut| cut.count);
        let more = usize::try_from(more).unwrap_or(usize::MAX);
        count = count.saturating_add(more.saturating_add(node.children.len()));
        ahead.extend(&node.children);
    }
    count
}

fn level_style(level: &LogLevel) -> Style {
    match level {
        LogLevel::Trace | LogLevel::Debug => MUTED,
        LogLevel::Info => tone(Tone::Info),
        LogLevel::Warn => over(tone(Tone::Warning), BOLD),
        LogLevel::Error => over(tone(Tone::Danger), BOLD),
        LogLevel::Other(_) => PLAIN,
    }
}

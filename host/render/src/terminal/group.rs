//! Containers: cards, rows, columns, lists and forms.
//!
//! A card has a line along its left side only. A right border would need the exact width of every
//! line, on which terminals disagree.

use super::line::{Line, Lines, prefixed, widest};
use super::{BOLD, MAX_DEPTH, MAX_ROW_DEPTH, MUTED, Painter};
use crate::view::{Group, Justify, Layout, Role, View};

/// The gap between views in a row.
const GAP: usize = 2;

/// The minimum width of a view in a row.
const NARROW: usize = 16;

/// Reports whether a blank line separates two views below each other.
pub(super) fn needs_gap(above: &View, below: &View) -> bool {
    let small = |view: &View| match view {
        View::Text(text) => text.role != Role::Body,
        View::Badge { .. }
        | View::Icon { .. }
        | View::Progress(_)
        | View::Divider
        | View::Space
        | View::Button(_)
        | View::Field(_)
        | View::Cut(_)
        | View::Image(_)
        | View::Hidden => true,
        View::Group(group) => matches!(group.layout, Layout::Row | Layout::Item),
        _ => false,
    };
    let heading =
        |view: &View| matches!(view, View::Text(text) if matches!(text.role, Role::Heading(_)));
    match (above, below) {
        // A heading belongs to the view that follows it.
        (above, _) if heading(above) => false,
        (_, below) if heading(below) => true,
        (above, below) => !small(above) && !small(below),
    }
}

impl Painter<'_> {
    pub(super) fn group<'v>(self, group: &'v Group) -> Lines<'v> {
        match group.layout {
            Layout::Card if self.terminal.plain => self.contents(group),
            Layout::Card => self.boxed(None, |painter| painter.contents(group)),
            Layout::Form => Self {
                submit: group.press.as_ref().map(|press| press.number),
                ..self
            }
            .contents(group),
            Layout::Column | Layout::List => self.contents(group),
            Layout::Row => self.pressed(group, |painter| painter.row(group)),
            Layout::Item => self.pressed(group, |painter| painter.views(&group.children)),
        }
    }

    /// Draws the contents of a container, without its frame.
    pub(super) fn contents<'v>(self, group: &'v Group) -> Lines<'v> {
        let mut out = Vec::new();
        if let Some(status) = &group.status {
            let mut line = Line::default();
            if let Some(icon) = &status.icon {
                line.push(self.icon_symbol(icon), MUTED);
                line.pad(1);
            }
            line.push(&status.text, MUTED);
            out.push(self.fit(line));
        }
        let compact = matches!(group.layout, Layout::Card | Layout::Form | Layout::List);
        for (n, view) in group.children.iter().enumerate() {
            let lines = match group.layout {
                Layout::List => self.list_item(view),
                _ => self.view(view),
            };
            let above = group.children[..n].iter().rfind(|view| !view.is_hidden());
            let room = above.is_some_and(|above| match compact {
                // Cards have compact spacing.
                true => is_block(above) && is_block(view),
                false => needs_gap(above, view),
            });
            if room && !lines.is_empty() && !out.is_empty() {
                out.push(Line::default());
            }
            out.extend(lines);
        }
        if !group.footer.is_empty() {
            out.push(Line::default());
            let buttons = group.footer.iter().map(|button| self.button(button));
            out.extend(flow(buttons, self.width, GAP));
        }
        if let Some(press) = &group.press
            && group.layout == Layout::Form
            && submit_label(&group.children, 0).is_none()
        {
            let mut line = self.number(press);
            line.push("Submit", BOLD);
            out.push(line);
        }
        out
    }

    fn list_item<'v>(self, view: &'v View) -> Lines<'v> {
        match view {
            View::Group(group) if group.layout == Layout::Item && group.press.is_none() => {
                let mark = Line::mark(self.symbols.bullets[0], MUTED);
                prefixed(self.inset(2).view(view), &mark, &Line::spaces(2))
            }
            _ => self.view(view),
        }
    }

    /// Draws a container with the number of its action.
    fn pressed<'v>(self, group: &'v Group, draw: impl FnOnce(Self) -> Lines<'v>) -> Lines<'v> {
        let Some(press) = &group.press else {
            return draw(self);
        };
        self.marked(self.number(press), draw)
    }

    /// Draws a line along the left side, with an optional title at the top.
    pub(super) fn boxed<'v>(
        self,
        head: Option<Line<'v>>,
        draw: impl FnOnce(Self) -> Lines<'v>,
    ) -> Lines<'v> {
        let inner = self.inset(2);
        if inner.width == self.width {
            return draw(self);
        }
        let bar = Line::mark(self.symbols.vertical, MUTED);
        let mut top = Line::of(self.symbols.top, MUTED);
        top.repeat(self.symbols.horizontal, 1, MUTED);
        if let Some(head) = head {
            top.pad(1);
            top.append(head.clip(self.width - 5, self.symbols.ellipsis));
            top.pad(1);
            top.repeat(self.symbols.horizontal, 1, MUTED);
        }
        let mut bottom = Line::of(self.symbols.bottom, MUTED);
        bottom.repeat(self.symbols.horizontal, 1, MUTED);
        let mut out = vec![top];
        out.extend(prefixed(draw(inner), &bar, &bar));
        out.push(bottom);
        out
    }

    /// Draws views side by side if they fit, else below each other.
    fn row<'v>(self, group: &'v Group) -> Lines<'v> {
        let painter = Self {
            row_depth: self.row_depth + 1,
            ..self
        };
        if painter.row_depth > MAX_ROW_DEPTH {
            return painter.views(&group.children);
        }
        let mut cells: Vec<(&View, Lines<'v>)> = Vec::new();
        // The index of the view before which the free space goes.
        let mut pushed = None;
        for view in &group.children {
            if matches!(view, View::Space) {
                pushed = Some(cells.len());
                continue;
            }
            let lines = painter.view(view);
            if !lines.is_empty() {
                cells.push((view, lines));
            }
        }
        let gaps = GAP * cells.len().saturating_sub(1);
        let total: usize = cells.iter().map(|(_, lines)| widest(lines)).sum();
        if total + gaps <= self.width {
            let cells = cells.into_iter().map(|(_, lines)| lines).collect();
            return side_by_side(cells, self.width, pushed, group.justify);
        }
        let single = |(_, lines): &(&View, Lines<'v>)| match lines.as_slice() {
            [line] if line.width() * 2 <= self.width => Some(line.clone()),
            _ => None,
        };
        if let Some(words) = cells.iter().map(single).collect::<Option<Vec<_>>>() {
            return flow(words, self.width, GAP);
        }
        match painter.narrowed(&cells, self.width - gaps.min(self.width)) {
            Some(cells) => side_by_side(cells, self.width, None, Justify::Start),
            None => cells.into_iter().flat_map(|(_, lines)| lines).collect(),
        }
    }

    /// Draws the views again with less width. Views that are narrow enough keep their width.
    fn narrowed<'v>(self, cells: &[(&'v View, Lines<'v>)], room: usize) -> Option<Vec<Lines<'v>>> {
        let mut left = room;
        let natural: Vec<usize> = cells.iter().map(|(_, lines)| widest(lines)).collect();
        let mut shares = vec![0; cells.len()];
        let mut pending: Vec<usize> = (0..cells.len()).collect();
        while !pending.is_empty() {
            let share = left / pending.len();
            let (fits, wide): (Vec<usize>, _) = pending.iter().partition(|n| natural[**n] <= share);
            if fits.is_empty() {
                if share < NARROW {
                    return None;
                }
                wide.iter().for_each(|n: &usize| shares[*n] = share);
                break;
            }
            for n in fits {
                shares[n] = natural[n];
                left -= natural[n];
            }
            pending = wide;
        }
        let draw = |((view, lines), width): (&(&'v View, Lines<'v>), usize)| match widest(lines) {
            own if own <= width => lines.clone(),
            _ => self.at(width).view(view),
        };
        let drawn: Vec<Lines<'v>> = cells.iter().zip(shares).map(draw).collect();
        let total: usize = drawn.iter().map(|lines| widest(lines)).sum();
        (total <= room).then_some(drawn)
    }
}

/// Places views side by side; `pushed` or `justify` determines where the free space goes.
fn side_by_side<'v>(
    cells: Vec<Lines<'v>>,
    width: usize,
    pushed: Option<usize>,
    justify: Justify,
) -> Lines<'v> {
    let gaps = cells.len().saturating_sub(1);
    let total: usize = cells.iter().map(|lines| widest(lines)).sum();
    let left = width.saturating_sub(total + GAP * gaps);
    let before = |n: usize| match (pushed, justify) {
        (Some(at), _) if at == n => left,
        (Some(_), _) => 0,
        (None, Justify::Center) if n == 0 => left / 2,
        (None, Justify::End) if n == 0 => left,
        (None, Justify::Between) if n > 0 => left * n / gaps - left * (n - 1) / gaps,
        (None, _) => 0,
    };
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let mut out: Lines<'v> = vec![Line::default(); height];
    let mut start = 0;
    for (n, lines) in cells.into_iter().enumerate() {
        start += before(n) + if n > 0 { GAP } else { 0 };
        let width = widest(&lines);
        for (line, cell) in out.iter_mut().zip(lines) {
            line.pad_to(start);
            line.append(cell);
        }
        start += width;
    }
    out
}

/// Places short lines side by side with a gap between them, on as many rows as needed.
pub(super) fn flow<'v>(
    lines: impl IntoIterator<Item = Line<'v>>,
    width: usize,
    gap: usize,
) -> Lines<'v> {
    let mut out: Lines<'v> = Vec::new();
    for line in lines {
        match out.last_mut() {
            Some(last) if last.width() + gap + line.width() <= width => {
                last.pad(gap);
                last.append(line);
            }
            _ => out.push(line),
        }
    }
    out
}

/// Returns the label of the button that submits the enclosing form.
pub(super) fn submit_label(views: &[View], depth: usize) -> Option<&str> {
    views.iter().find_map(|view| match view {
        View::Button(button) if button.submit && !button.disabled => Some(button.label.as_str()),
        View::Group(group) if depth < MAX_DEPTH => submit_label(&group.children, depth + 1),
        _ => None,
    })
}

/// Reports whether a view is a block rather than text or a control.
fn is_block(view: &View) -> bool {
    match view {
        View::Group(group) => matches!(group.layout, Layout::Card | Layout::Form),
        View::Table(_)
        | View::Chart(_)
        | View::Code(_)
        | View::Diff(_)
        | View::Facts(_)
        | View::Tree(_)
        | View::Log(_)
        | View::List(_) => true,
        _ => false,
    }
}

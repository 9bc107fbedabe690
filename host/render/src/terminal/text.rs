//! Text, headings, quotes, notices, badges and icons.

use super::line::{Line, Lines, over, prefixed, width};
use super::wrap::{Wrap, Wrapper};
use super::{BOLD, MUTED, PLAIN, PROSE, Painter, tone};
use crate::filter::clean;
use crate::view::{Inline, LinkEnd, Role, Span, Style, Text, Tone, View};

impl Painter<'_> {
    pub(super) fn text(self, text: &Text) -> Lines<'_> {
        let prose = self.at(self.width.min(PROSE));
        let mut lines = match &text.role {
            Role::Body => prose.prose(&text.inline, PLAIN),
            Role::Caption => prose.inline(&text.inline, MUTED, Wrap::Words),
            Role::Label { .. } => prose.inline(&text.inline, BOLD, Wrap::Words),
            Role::Lines => self.inline(&text.inline, PLAIN, Wrap::Words),
            Role::Heading(level) => prose.heading(&text.inline, *level),
        };
        if let Some(most) = text.max_lines {
            let most = usize::try_from(most).unwrap_or(usize::MAX).max(1);
            if let Some(last) = lines.get(most - 1).filter(|_| lines.len() > most) {
                let last = last.clone().unfinished(self.width, self.symbols.ellipsis);
                lines.splice(most - 1.., [last]);
            }
        }
        for line in &mut lines {
            let room = self.width.saturating_sub(line.width());
            let mut moved = Line::spaces(text.align.unwrap_or_default().indent(room));
            moved.append(std::mem::take(line));
            *line = moved;
        }
        lines.extend(text.cut.map(|cut| self.cut(cut)));
        lines
    }

    /// Wraps text at words. Without styles, code and struck-through text get markers.
    pub(super) fn prose<'v>(self, inline: &'v Inline, base: Style) -> Lines<'v> {
        let mut writer = Wrapper::new(self.width, Wrap::Words);
        for (span, end) in self.spans(inline) {
            let style = over(span.style, base);
            let mark = match (self.has_styles(), span.style) {
                (false, style) if style.code && span.link.is_none() => "`",
                (false, style) if style.strike => "~~",
                _ => "",
            };
            writer.write(mark, style, None);
            self.write_span(&mut writer, span, style, end);
            writer.write(mark, style, None);
        }
        writer.finish()
    }

    /// Wraps text without markers: a cell, a value, a line of code.
    pub(super) fn inline<'v>(self, inline: &'v Inline, base: Style, how: Wrap) -> Lines<'v> {
        let mut writer = Wrapper::new(self.width, how);
        self.write(&mut writer, inline, base);
        writer.finish()
    }

    pub(super) fn write<'v>(self, writer: &mut Wrapper<'v>, inline: &'v Inline, base: Style) {
        for (span, end) in self.spans(inline) {
            self.write_span(writer, span, over(span.style, base), end);
        }
    }

    /// Returns the runs of text. One that names the host of the link before it is skipped if the whole
    /// address is written out instead.
    fn spans(self, inline: &Inline) -> Vec<(&Span, Option<LinkEnd<'_>>)> {
        let mut spans = inline.spans_and_link_ends();
        if !self.terminal.links {
            let mut host_follows = false;
            spans.retain(|(_, end)| {
                let follows = end.as_ref().is_some_and(|end| end.host_follows);
                !std::mem::replace(&mut host_follows, follows)
            });
        }
        spans
    }

    /// Writes a run of text. The end of a link shows its host; without hyperlinks it shows the whole
    /// address.
    fn write_span<'v>(
        self,
        writer: &mut Wrapper<'v>,
        span: &'v Span,
        style: Style,
        end: Option<LinkEnd<'_>>,
    ) {
        let link = span.link.as_ref();
        if link.is_none() {
            writer.write(&clean(&span.text), style, None);
            return;
        }
        let linked = Style {
            underline: true,
            tone: match style.tone {
                Tone::Plain => Tone::Info,
                tone => tone,
            },
            ..style
        };
        writer.write(&clean(&span.text), linked, link);
        let Some(end) = end else { return };
        let bare = end.address.as_str().trim_start_matches("mailto:");
        if self.terminal.links {
            if let Some(host) = end.host() {
                writer.write(&clean(&host), MUTED, None);
            }
        } else if end.text.trim_end_matches('/') != bare.trim_end_matches('/') {
            writer.write(&clean(&format!(" <{bare}>")), MUTED, None);
        }
    }

    fn heading<'v>(self, inline: &'v Inline, level: u8) -> Lines<'v> {
        let style = match level {
            1 | 2 => Style {
                tone: Tone::Accent,
                ..BOLD
            },
            _ => BOLD,
        };
        let mut lines = self.inline(inline, style, Wrap::Words);
        let rule = match level {
            1 => self.symbols.double,
            2 => self.symbols.horizontal,
            _ => return lines,
        };
        let mut under = Line::default();
        under.repeat(rule, super::line::widest(&lines), MUTED);
        lines.push(under);
        lines
    }

    pub(super) fn quote<'v>(self, views: &'v [View]) -> Lines<'v> {
        let bar = Line::mark(self.symbols.quote, MUTED);
        let inner = self.inset(2);
        let lines = inner.views(views);
        if inner.width == self.width {
            return lines;
        }
        prefixed(lines, &bar, &bar)
    }

    /// Draws a message of the host, or a note about data that cannot be drawn.
    pub(super) fn notice<'v>(self, which: Tone, text: &'v Inline) -> Lines<'v> {
        let symbol = match which {
            Tone::Danger => self.symbols.cross,
            Tone::Warning => "!",
            Tone::Success => self.symbols.check,
            Tone::Discovery => self.symbols.star,
            Tone::Plain | Tone::Muted | Tone::Accent | Tone::Info => self.symbols.info,
        };
        let mark = Line::mark(symbol, over(tone(which), BOLD));
        let inner = self.at(self.width.min(PROSE) - 2);
        let base = if which == Tone::Muted { MUTED } else { PLAIN };
        prefixed(inner.prose(text, base), &mark, &Line::spaces(2))
    }

    pub(super) fn badge<'v>(self, label: &str, which: Tone) -> Line<'v> {
        let style = over(tone(which), BOLD);
        let mut line = Line::of("[", style);
        line.append(self.clip(Line::of(label, style), self.width - 2));
        line.push("]", style);
        line
    }

    pub(super) fn icon<'v>(self, name: &str, which: Tone) -> Line<'v> {
        Line::of(self.icon_symbol(name), tone(which))
    }

    /// Returns the symbol for an icon of ChatKit's set.
    pub(super) fn icon_symbol(self, name: &str) -> &'static str {
        let symbol = crate::icon::symbol(name);
        match (self.terminal.unicode, symbol) {
            (true, symbol) => symbol,
            (false, symbol) if symbol.is_ascii() => symbol,
            (false, "✓" | "✔") => self.symbols.check,
            (false, "▶" | "›" | "↗") => self.symbols.arrow,
            (false, "☆" | "★" | "✦") => self.symbols.star,
            (false, "ℹ") => self.symbols.info,
            (false, _) => self.symbols.bullets[0],
        }
    }
}

/// Returns the width of unwrapped text.
pub(super) fn natural(inline: &Inline) -> usize {
    let text = inline.to_text();
    clean(&text).split('\n').map(width).max().unwrap_or(0)
}

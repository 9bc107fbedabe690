//! Source code with line numbers, and diffs in one or two columns.

use super::line::{Line, Lines, prefixed};
use super::wrap::{Wrap, Wrapper, wrap_text};
use super::{BOLD, MUTED, PLAIN, Painter, tone};
use crate::highlight::Class;
use crate::view::{Ansi, Code, Diff, DiffHunk, DiffLine, Mark, Style, Tone};

/// The minimum width of a two-column diff.
const SPLIT: usize = 120;

impl Painter<'_> {
    pub(super) fn code<'v>(self, code: &'v Code) -> Lines<'v> {
        let mut out = Vec::new();
        if let Some(path) = &code.path {
            out.push(self.one_line(path, BOLD));
        }
        let language = code.language.as_deref().filter(|_| self.has_styles());
        let lines = self.colours.lines(&code.text, language);
        // Line numbers help to discuss a file; a snippet is easier to copy without them.
        let digits = match code.path.is_some() && lines.len() > 1 {
            true => lines.len().to_string().len(),
            false => 0,
        };
        let bar = match (digits, self.terminal.plain) {
            (0, true) => Line::spaces(4),
            (0, false) => Line::mark(self.symbols.vertical, MUTED),
            _ => Line::spaces(digits + 2),
        };
        let inner = self.at(self.width - bar.width().min(self.width / 2));
        for (n, tokens) in lines.iter().enumerate() {
            let mut writer = Wrapper::new(inner.width, Wrap::Exact);
            for token in tokens {
                writer.write(&crate::filter::clean(token.text), colour(token.class), None);
            }
            let first = match digits {
                0 => bar.clone(),
                _ => Line::of(&format!("{:>digits$}  ", n + 1), MUTED),
            };
            out.extend(prefixed(writer.finish(), &first, &bar));
        }
        out.extend(code.cut.map(|cut| self.cut(cut)));
        out
    }

    pub(super) fn diff<'v>(self, diff: &'v Diff) -> Lines<'v> {
        let new = if diff.is_new { "  new file" } else { "" };
        let counts = diff.counts().len() + 2;
        let room = self.width.saturating_sub(counts + new.len());
        let mut head = self.clip(Line::of(&diff.path, BOLD), room.max(8));
        head.push(new, tone(Tone::Info));
        head.pad(2);
        match (diff.added, diff.removed) {
            (0, 0) => head.push("no changes", MUTED),
            (added, removed) => {
                head.push(&format!("+{added}"), tone(Tone::Success));
                head.pad(1);
                head.push(&format!("-{removed}"), tone(Tone::Danger));
            }
        }
        let mut out = vec![self.fit(head)];
        for hunk in diff.hunks.iter() {
            out.push(self.one_line(&hunk.header(), tone(Tone::Info)));
            if self.width >= SPLIT && !diff.is_new && !self.terminal.plain {
                self.split(hunk, &mut out);
            } else {
                self.unified(hunk, &mut out);
            }
        }
        out.extend(diff.cut.map(|cut| self.cut(cut)));
        out
    }

    fn unified<'v>(self, hunk: &'v DiffHunk, out: &mut Lines<'v>) {
        let digits = digits(hunk);
        for line in &hunk.lines {
            let (old, new) = (number(line.old), number(line.new));
            let numbers = format!("{old:>digits$} {new:>digits$} ");
            out.extend(diff_line(line, &numbers, self.width));
        }
    }

    /// Draws a diff in two columns, before and after.
    fn split<'v>(self, hunk: &'v DiffHunk, out: &mut Lines<'v>) {
        let digits = digits(hunk);
        let column = (self.width - 3) / 2;
        let side = |line: Option<&DiffLine>, n: Option<u64>| -> Lines<'v> {
            let numbers = format!("{:>digits$} ", number(n));
            line.map_or_else(Vec::new, |line| diff_line(line, &numbers, column))
        };
        for (old, new) in hunk.split() {
            let mut left = side(old, old.and_then(|line| line.old)).into_iter();
            let mut right = side(new, new.and_then(|line| line.new)).into_iter();
            loop {
                let (left, right) = (left.next(), right.next());
                if left.is_none() && right.is_none() {
                    break;
                }
                let mut line = left.unwrap_or_default();
                line.pad_to(column);
                line.push(&format!(" {} ", self.symbols.vertical), MUTED);
                line.append(right.unwrap_or_default());
                out.push(line);
            }
        }
    }
}

/// Draws a line of a diff after its line numbers, wrapped to `columns`.
fn diff_line<'v>(line: &DiffLine, numbers: &str, columns: usize) -> Lines<'v> {
    let style = style(line.mark);
    let mut first = Line::of(numbers, MUTED);
    first.push(&format!("{} ", line.mark.symbol()), style);
    let rest = Line::spaces(first.width());
    let room = columns.saturating_sub(first.width()).max(8);
    let lines = wrap_text(&line.text, style, room, Wrap::Exact);
    prefixed(lines, &first, &rest)
}

/// Returns the number of digits of the highest line number.
fn digits(hunk: &DiffHunk) -> usize {
    let numbers = hunk.lines.iter().flat_map(|line| [line.old, line.new]);
    numbers.flatten().max().unwrap_or(0).to_string().len()
}

fn number(line: Option<u64>) -> String {
    line.map(|line| line.to_string()).unwrap_or_default()
}

fn style(mark: Mark) -> Style {
    match mark {
        Mark::Same => PLAIN,
        Mark::Added => tone(Tone::Success),
        Mark::Removed => tone(Tone::Danger),
    }
}

/// Maps token classes to the colours of the person's theme, which suit the background.
fn colour(class: Class) -> Style {
    let ansi = |number| Style {
        color: Some(Ansi::new(number)),
        ..PLAIN
    };
    match class {
        Class::Plain => PLAIN,
        Class::Comment => Style {
            italic: true,
            ..MUTED
        },
        Class::Keyword | Class::Tag => ansi(5),
        Class::String => ansi(2),
        Class::Number | Class::Constant => ansi(3),
        Class::Function => ansi(4),
        Class::Type | Class::Property => ansi(6),
        Class::Heading => BOLD,
        Class::Added => tone(Tone::Success),
        Class::Removed => tone(Tone::Danger),
    }
}

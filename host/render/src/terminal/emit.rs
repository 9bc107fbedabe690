//! Lines as one string: the only place where escape sequences are made.
//!
//! Each piece says its style and takes it back, so that a line can be cut, searched or shown in a
//! pager by itself. A link is OSC 8 with an [`Address`], which is printable ASCII by its type.
//! Text that runs from right to left is isolated, so that it does not pull its neighbours, such as
//! the next column, to its other side.

use super::line::Line;
use super::{Terminal, palette};
use crate::view::{Address, Style};
use std::collections::HashMap;

/// The lines, each with a line feed.
pub(super) fn string(lines: &[Line<'_>], terminal: &Terminal) -> String {
    let mut emit = Emit {
        terminal,
        out: String::with_capacity(lines.len() * 64),
        sequences: HashMap::new(),
    };
    for line in lines {
        emit.line(line);
        emit.out.push('\n');
    }
    emit.out
}

struct Emit<'t> {
    terminal: &'t Terminal,
    out: String,
    /// What begins and ends each style: a drawing has few styles and many pieces.
    sequences: HashMap<Style, (String, String)>,
}

impl Emit<'_> {
    fn line(&mut self, line: &Line<'_>) {
        let mut link: Option<&Address> = None;
        for piece in line.pieces() {
            let next = piece.link.filter(|_| self.terminal.links);
            if next != link {
                open(&mut self.out, next);
                link = next;
            }
            if piece.style == Style::default() {
                write_text(&mut self.out, piece.text(), self.terminal);
                continue;
            }
            let terminal = self.terminal;
            let (begin, end) = self.sequences.entry(piece.style).or_insert_with(|| {
                let style = palette::of(piece.style, terminal).unwrap_or_default();
                (style.render().to_string(), style.render_reset().to_string())
            });
            self.out.push_str(begin);
            write_text(&mut self.out, piece.text(), terminal);
            self.out.push_str(end);
        }
        if link.is_some() {
            open(&mut self.out, None);
        }
    }
}

fn open(out: &mut String, address: Option<&Address>) {
    out.push_str("\u{1b}]8;;");
    out.push_str(address.map_or("", Address::as_str));
    out.push_str("\u{1b}\\");
}

fn write_text(out: &mut String, text: &str, terminal: &Terminal) {
    let inner = text.trim_matches(' ');
    if terminal.plain || text.is_ascii() || !inner.contains(is_right_to_left) {
        out.push_str(text);
        return;
    }
    let start = text.len() - text.trim_start_matches(' ').len();
    out.push_str(&text[..start]);
    out.push('\u{2068}');
    out.push_str(inner);
    out.push('\u{2069}');
    out.push_str(&text[start + inner.len()..]);
}

fn is_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

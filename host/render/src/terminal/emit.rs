//! Serialises lines to a string. This is the only place that writes escape sequences.
//!
//! Each piece sets its style and resets it, so that a line can be cut, searched or paged by itself.
//! A hyperlink is OSC 8 with an [`Address`], which is printable ASCII by construction.
//! Right-to-left text is isolated, so that it does not reorder its neighbours, such as the next
//! column.

use super::line::Line;
use super::{Terminal, palette};
use crate::view::{Address, Style};
use std::collections::HashMap;

/// Serialises lines, each terminated by a line feed.
pub(super) fn string(lines: &[Line<'_>], terminal: &Terminal) -> String {
    let mut emitter = Emitter {
        terminal,
        out: String::with_capacity(lines.len() * 64),
        sequences: HashMap::new(),
    };
    for line in lines {
        emitter.line(line);
        emitter.out.push('\n');
    }
    emitter.out
}

struct Emitter<'t> {
    terminal: &'t Terminal,
    out: String,
    /// The start and end sequences of each style: a drawing has few styles and many pieces.
    sequences: HashMap<Style, (String, String)>,
}

impl Emitter<'_> {
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
    let (before, after) = (&text[..start], &text[start + inner.len()..]);
    out.push_str(&format!("{before}\u{2068}{inner}\u{2069}{after}"));
}

fn is_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

//! What stands on the screen, as far as it can still be drawn anew.
//!
//! A [`Screen`] is the blocks that were written last, from top to bottom. An item that changes is
//! drawn anew in its place, together with everything below it; one that has left the screen can no
//! longer be reached, and is drawn once more at the end. It writes nothing: it says what to write.
//!
//! Invariant: all blocks were written on a screen of one width. The cursor stands at the beginning of the line below the last block.

use footlight_render::filter;
use footlight_render::terminal::Drawing;
use footlight_vocabulary::item::{ItemId, Position};
use std::io;
use unicode_width::UnicodeWidthChar;

/// No screen has more rows than this, so that what is above is forgotten.
const MAX_ROWS: usize = 500;

/// Which item a block is, and where it belongs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ItemKey {
    pub(crate) id: ItemId,
    pub(crate) position: Position,
}

/// How many columns and rows the screen has.
pub(crate) type Size = (usize, usize);

/// Something that was written.
#[derive(Debug, Clone)]
pub(super) enum Block {
    /// An item, which may change.
    Item { key: ItemKey, drawing: Drawing },
    /// Lines that stay as they are.
    Lines(String),
}

impl Block {
    fn key(&self) -> Option<&ItemKey> {
        match self {
            Self::Item { key, .. } => Some(key),
            Self::Lines(_) => None,
        }
    }

    /// How many rows it takes; nothing if that cannot be known.
    fn rows(&self, width: usize) -> Option<usize> {
        match self {
            Self::Item { drawing, .. } => Some(drawing.rows(width)),
            Self::Lines(text) => {
                let mut place = CursorPosition::default();
                place.write(text, width);
                (!place.is_unknown).then_some(place.row)
            }
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Item { drawing, .. } => &drawing.text,
            Self::Lines(text) => text,
        }
    }
}

/// The blocks that were written last.
#[derive(Debug, Default)]
pub(super) struct Screen {
    blocks: Vec<Block>,
}

impl Screen {
    /// Something was written at the end.
    pub(super) fn push(&mut self, block: Block, (width, _): Size) {
        self.blocks.push(block);
        let mut rows = 0;
        let above = self.blocks.iter().rposition(|block| {
            rows += block.rows(width).unwrap_or(MAX_ROWS);
            rows > MAX_ROWS
        });
        if let Some(above) = above {
            self.blocks.drain(..above);
        }
    }

    /// What is on the screen is not known any more.
    pub(super) fn forget(&mut self) {
        self.blocks.clear();
    }

    /// What to write so that an item stands in its place: where it was, or before what comes after
    /// it on the record; at the end if that has left the screen.
    pub(super) fn put(&mut self, key: ItemKey, drawing: Drawing, size: Size) -> String {
        let is_same = |block: &Block| block.key().is_some_and(|known| known.id == key.id);
        let comes_after = |block: &Block| {
            block
                .key()
                .is_some_and(|known| known.position > key.position)
        };
        let known = self.blocks.iter().position(is_same);
        let at = known.or_else(|| self.blocks.iter().position(comes_after));
        let block = Block::Item { key, drawing };
        match at.and_then(|at| Some((at, self.rows_from(at, size)?))) {
            Some((at, up)) => {
                match known {
                    Some(_) => self.blocks[at] = block,
                    None => self.blocks.insert(at, block),
                }
                self.redraw_from(at, up)
            }
            None => {
                if let Some(at) = known {
                    // It stays where it is, as it was.
                    let text = self.blocks[at].text().to_owned();
                    self.blocks[at] = Block::Lines(text);
                }
                let text = block.text().to_owned();
                self.push(block, size);
                text
            }
        }
    }

    /// What to write so that an item is gone; nothing if it cannot be reached.
    pub(super) fn remove(&mut self, id: &ItemId, size: Size) -> Option<String> {
        let is_it = |block: &Block| block.key().is_some_and(|key| key.id == *id);
        let at = self.blocks.iter().position(is_it)?;
        let up = self.rows_from(at, size)?;
        self.blocks.remove(at);
        Some(self.redraw_from(at, up))
    }

    /// How many rows above the cursor a block begins, if that is still on the screen.
    fn rows_from(&self, at: usize, (width, height): Size) -> Option<usize> {
        let rows = self.blocks[at..].iter().map(|block| block.rows(width));
        let rows = rows.sum::<Option<usize>>()?;
        (rows < height).then_some(rows)
    }

    fn redraw_from(&self, at: usize, up: usize) -> String {
        let mut out = erase_rows(up);
        for block in &self.blocks[at..] {
            out.push_str(block.text());
        }
        out
    }
}

/// Takes back what stands in the line of the cursor and in so many rows above it.
pub(crate) fn erase_rows(rows: usize) -> String {
    match rows {
        0 => "\r\u{1b}[J".to_owned(),
        rows => format!("\u{1b}[{rows}A\r\u{1b}[J"),
    }
}

/// Where the cursor is after something was written, as far as that can be known.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CursorPosition {
    pub(crate) row: usize,
    pub(crate) column: usize,
    /// Terminals differ about what was written.
    pub(crate) is_unknown: bool,
}

impl CursorPosition {
    /// Text was written, with colours of ours, on a screen of this width.
    pub(crate) fn write(&mut self, text: &str, width: usize) {
        for c in filter::clean(text).chars() {
            if c == '\n' {
                self.row += 1;
                self.column = 0;
                continue;
            }
            // Marks, joiners and tabs take as much room as the terminal likes.
            let wide = c.width().unwrap_or(0);
            // So do colours of skin, which some draw in the emoji before them.
            self.is_unknown |= wide == 0 || ('\u{1f3fb}'..='\u{1f3ff}').contains(&c);
            self.column += wide;
            if self.column > width {
                self.row += 1;
                self.column = wide;
            }
        }
    }
}

/// The text on one line of at most so many columns, by the widths of its characters: no terminal
/// takes more.
pub(super) fn truncate_to_row(text: &str, columns: usize) -> String {
    let text = filter::line(text, columns);
    let (mut wide, mut fits) = (0, 0);
    for c in text.chars() {
        wide += c.width().unwrap_or(0);
        // One is left for the sign that something is missing.
        fits += usize::from(wide < columns);
    }
    match wide > columns {
        true => format!("{}…", text.chars().take(fits).collect::<String>()),
        false => text,
    }
}

/// How many columns and rows the terminal has.
pub(crate) fn size() -> Size {
    let said = |name| {
        let said = std::env::var(name).ok()?.parse().ok();
        said.filter(|n| *n > 0)
    };
    terminal_size().unwrap_or((said("COLUMNS").unwrap_or(80), said("LINES").unwrap_or(24)))
}

#[cfg(unix)]
fn terminal_size() -> Option<Size> {
    let of = |size: rustix::termios::Winsize| {
        (size.ws_col > 0 && size.ws_row > 0).then(|| (size.ws_col.into(), size.ws_row.into()))
    };
    let measured = rustix::termios::tcgetwinsize(io::stderr())
        .ok()
        .and_then(of);
    measured.or_else(|| {
        rustix::termios::tcgetwinsize(io::stdout())
            .ok()
            .and_then(of)
    })
}

#[cfg(not(unix))]
fn terminal_size() -> Option<Size> {
    None
}

//! Keeps track of what is on the screen, so that items can be redrawn in place.
//!
//! A [`Screen`] holds the last blocks from top to bottom. An item that changes is redrawn together
//! with everything below it; one that has scrolled off the screen is drawn again at the end. A
//! screen writes nothing itself, but returns the text to write.
//!
//! Invariant: all blocks were written at the same width, and the cursor is at the start of the line
//! below the last block.

use footlight_render::filter;
use footlight_render::terminal::Drawing;
use footlight_vocabulary::item::{ItemId, Position};
use std::io;
use unicode_width::UnicodeWidthChar;

/// How many rows are remembered; more than any screen has.
const MAX_ROWS: usize = 500;

/// The item that a block shows, and its position.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ItemKey {
    pub(crate) id: ItemId,
    pub(crate) position: Position,
}

/// Columns and rows of the screen.
pub(crate) type Size = (usize, usize);

/// A part of the output.
#[derive(Debug, Clone)]
pub(super) enum Block {
    /// An item that may change.
    Item { key: ItemKey, drawing: Drawing },
    /// Lines that do not change.
    Lines(String),
}

impl Block {
    fn key(&self) -> Option<&ItemKey> {
        match self {
            Self::Item { key, .. } => Some(key),
            Self::Lines(_) => None,
        }
    }

    /// Returns the number of rows; `None` if it depends on the terminal.
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

/// The last blocks of output.
#[derive(Debug, Default)]
pub(super) struct Screen {
    blocks: Vec<Block>,
}

impl Screen {
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

    /// Forgets all blocks, because the state of the screen is unknown.
    pub(super) fn forget(&mut self) {
        self.blocks.clear();
    }

    /// Returns the text that draws an item in its place: where it was, or before the items that follow
    /// it, or at the end if that place has scrolled off the screen.
    pub(super) fn put(&mut self, key: ItemKey, drawing: Drawing, size: Size) -> String {
        let is_same = |block: &Block| block.key().is_some_and(|known| known.id == key.id);
        let is_later = |known: &ItemKey| known.position > key.position;
        let comes_after = |block: &Block| block.key().is_some_and(is_later);
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
                    // The old drawing cannot be erased and becomes plain lines.
                    let text = self.blocks[at].text().to_owned();
                    self.blocks[at] = Block::Lines(text);
                }
                let text = block.text().to_owned();
                self.push(block, size);
                text
            }
        }
    }

    /// Returns the text that erases an item; `None` if it has scrolled off the screen.
    pub(super) fn remove(&mut self, id: &ItemId, size: Size) -> Option<String> {
        let is_it = |block: &Block| block.key().is_some_and(|key| key.id == *id);
        let at = self.blocks.iter().position(is_it)?;
        let up = self.rows_from(at, size)?;
        self.blocks.remove(at);
        Some(self.redraw_from(at, up))
    }

    /// Returns how many rows above the cursor a block starts, if it is still on the screen.
    fn rows_from(&self, at: usize, (width, height): Size) -> Option<usize> {
        let rows = self.blocks[at..].iter().map(|block| block.rows(width));
        let rows = rows.sum::<Option<usize>>()?;
        (rows < height).then_some(rows)
    }

    fn redraw_from(&self, at: usize, up: usize) -> String {
        let texts = self.blocks[at..].iter().map(Block::text);
        erase_rows(up) + &texts.collect::<String>()
    }
}

/// Returns the sequence that erases the current row and this many rows above it.
pub(crate) fn erase_rows(rows: usize) -> String {
    match rows {
        0 => "\r\u{1b}[J".to_owned(),
        rows => format!("\u{1b}[{rows}A\r\u{1b}[J"),
    }
}

/// The position of the cursor relative to where writing started.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CursorPosition {
    pub(crate) row: usize,
    pub(crate) column: usize,
    /// Whether terminals differ about the width of the text.
    pub(crate) is_unknown: bool,
}

impl CursorPosition {
    /// Advances over text, ignoring colours, on a screen of this width.
    pub(crate) fn write(&mut self, text: &str, width: usize) {
        for c in filter::clean(text).chars() {
            if c == '\n' {
                self.row += 1;
                self.column = 0;
                continue;
            }
            // Terminals differ about the width of marks, joiners and tabs,
            let wide = c.width().unwrap_or(0);
            // and of skin tones, which some draw as part of the emoji before them.
            self.is_unknown |= wide == 0 || ('\u{1f3fb}'..='\u{1f3ff}').contains(&c);
            self.column += wide;
            if self.column > width {
                self.row += 1;
                self.column = wide;
            }
        }
    }
}

/// Truncates text to one row of at most this many columns.
pub(super) fn truncate_to_row(text: &str, columns: usize) -> String {
    let text = filter::line(text, columns);
    let (mut wide, mut fits) = (0, 0);
    for c in text.chars() {
        wide += c.width().unwrap_or(0);
        // Leave one column for the ellipsis.
        fits += usize::from(wide < columns);
    }
    match wide > columns {
        true => format!("{}…", text.chars().take(fits).collect::<String>()),
        false => text,
    }
}

/// Returns the columns and rows of the terminal.
pub(crate) fn size() -> Size {
    let said = |name| {
        let said = std::env::var(name).ok()?.parse().ok();
        said.filter(|n| *n > 0)
    };
    terminal_size().unwrap_or((said("COLUMNS").unwrap_or(80), said("LINES").unwrap_or(24)))
}

#[cfg(unix)]
fn terminal_size() -> Option<Size> {
    use rustix::termios::tcgetwinsize;
    let sizes = [tcgetwinsize(io::stderr()), tcgetwinsize(io::stdout())];
    let mut sizes = sizes.into_iter().flatten();
    let measured = sizes.find(|size| size.ws_col > 0 && size.ws_row > 0)?;
    Some((measured.ws_col.into(), measured.ws_row.into()))
}

#[cfg(not(unix))]
fn terminal_size() -> Option<Size> {
    None
}

//! A line of a drawing: a sequence of styled pieces.
//!
//! Invariant: text enters a [`Piece`] only through [`Line::push`], which filters it. Everything
//! written to a terminal has therefore passed [`clean_line`](crate::filter::clean_line), and a line
//! contains no line feed.

use crate::filter::clean_line;
use crate::view::{Address, Cut, Picture, Style, Tone};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Text with one style and one link.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece<'v> {
    text: String,
    pub(super) style: Style,
    pub(super) link: Option<&'v Address>,
    /// Whether this is spacing between two pieces. Right-to-left isolation must not extend over it.
    gap: bool,
    /// The image for which these spaces are reserved.
    pub(super) picture: Option<&'v Picture>,
}

impl Piece<'_> {
    /// Returns the text, which is filtered and has no line feed.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// A line of a drawing.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Line<'v> {
    pieces: Vec<Piece<'v>>,
    width: usize,
    /// What the line says was left out here.
    pub(super) cut: Option<Cut>,
}

/// Lines below each other.
pub(super) type Lines<'v> = Vec<Line<'v>>;

impl<'v> Line<'v> {
    /// Creates a line from text.
    pub(super) fn of(text: &str, style: Style) -> Self {
        let mut line = Self::default();
        line.push(text, style);
        line
    }

    /// Creates a marker: a symbol and a space.
    pub(super) fn mark(symbol: &str, style: Style) -> Self {
        let mut line = Self::of(symbol, style);
        line.pad(1);
        line
    }

    /// Creates a line of spaces.
    pub(super) fn spaces(columns: usize) -> Self {
        let mut line = Self::default();
        line.pad(columns);
        line
    }

    /// Returns the pieces from left to right.
    pub(super) fn pieces(&self) -> &[Piece<'v>] {
        &self.pieces
    }

    /// Returns the width in columns.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Reports whether the line consists of spaces only.
    pub(super) fn is_blank(&self) -> bool {
        self.pieces.iter().all(|piece| piece.text.trim().is_empty())
    }

    /// Appends text.
    pub(super) fn push(&mut self, text: &str, style: Style) {
        self.push_linked(text, style, None);
    }

    /// Appends text that may be a link.
    pub(super) fn push_linked(&mut self, text: &str, style: Style, link: Option<&'v Address>) {
        let text = clean_line(text);
        self.push_clean(&text, width(&text), style, link);
    }

    /// Appends text that is already filtered and whose width is known.
    pub(super) fn push_clean(
        &mut self,
        text: &str,
        width: usize,
        style: Style,
        link: Option<&'v Address>,
    ) {
        debug_assert!(!text.contains('\n') && !text.contains(crate::filter::is_forbidden));
        if text.is_empty() {
            return;
        }
        self.width += width;
        match self.pieces.last_mut() {
            Some(last) if last.style == style && last.link == link && !last.gap => {
                last.text.push_str(text);
            }
            _ => self.pieces.push(Piece {
                text: text.to_owned(),
                style,
                link,
                gap: false,
                picture: None,
            }),
        }
    }

    /// Appends spaces.
    pub(super) fn pad(&mut self, columns: usize) {
        match self.pieces.last_mut() {
            Some(last) if last.gap && last.picture.is_none() => {
                self.width += columns;
                last.text.extend(std::iter::repeat_n(' ', columns));
            }
            _ if columns == 0 => {}
            _ => self.push_gap(columns, None),
        }
    }

    /// Appends spaces, which may be reserved for an image.
    pub(super) fn push_gap(&mut self, columns: usize, picture: Option<&'v Picture>) {
        self.width += columns;
        self.pieces.push(Piece {
            text: " ".repeat(columns),
            style: Style::default(),
            link: None,
            gap: true,
            picture,
        });
    }

    /// Appends a one-column symbol several times.
    pub(super) fn repeat(&mut self, one: &str, times: usize, style: Style) {
        self.push_clean(&one.repeat(times), times, style, None);
    }

    /// Appends spaces up to the given width.
    pub(super) fn pad_to(&mut self, columns: usize) {
        self.pad(columns.saturating_sub(self.width));
    }

    /// Appends another line.
    pub(super) fn append(&mut self, other: Line<'v>) {
        self.pieces.extend(other.pieces);
        self.width += other.width;
        self.cut = self.cut.or(other.cut);
    }

    /// Removes trailing spaces, except visible ones.
    pub(super) fn trimmed(mut self) -> Self {
        while let Some(last) = self.pieces.last_mut() {
            let seen = last.style.background.is_some() || last.style.underline;
            if seen || last.picture.is_some() {
                break;
            }
            let kept = last.text.trim_end_matches(' ').len();
            self.width -= last.text.len() - kept;
            last.text.truncate(kept);
            if kept > 0 {
                break;
            }
            self.pieces.pop();
        }
        self
    }

    /// Appends an ellipsis, because the text continues beyond this line.
    pub(super) fn unfinished(self, columns: usize, ellipsis: &str) -> Self {
        let line = self.trimmed();
        let style = line.pieces.last().map(|last| last.style);
        let style = style.unwrap_or_default();
        let mut line = line.clip(columns.saturating_sub(width(ellipsis)), "");
        line.push_clean(ellipsis, width(ellipsis), style, None);
        line
    }

    /// Shortens the line to `columns`, with an ellipsis if something is cut off.
    pub(super) fn clip(self, columns: usize, ellipsis: &str) -> Self {
        if self.width <= columns {
            return self;
        }
        let room = columns.saturating_sub(width(ellipsis));
        let mut out = Line {
            cut: self.cut,
            ..Line::default()
        };
        let mut style = Style::default();
        'all: for piece in &self.pieces {
            style = piece.style;
            for cluster in piece.text.graphemes(true) {
                let width = width(cluster);
                if out.width + width > room {
                    break 'all;
                }
                out.push_clean(cluster, width, piece.style, piece.link);
            }
        }
        if out.width + width(ellipsis) <= columns {
            out.push_clean(ellipsis, width(ellipsis), style, None);
        }
        out
    }
}

/// Returns the width of a text in columns.
pub(super) fn width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.width()
    }
}

/// Combines two styles; `top` takes precedence.
pub(super) fn over(top: Style, beneath: Style) -> Style {
    Style {
        bold: top.bold | beneath.bold,
        italic: top.italic | beneath.italic,
        strike: top.strike | beneath.strike,
        underline: top.underline | beneath.underline,
        dim: top.dim | beneath.dim,
        code: top.code | beneath.code,
        tone: match top.tone {
            Tone::Plain => beneath.tone,
            tone => tone,
        },
        color: top.color.or(beneath.color),
        background: top.background.or(beneath.background),
    }
}

/// Returns the maximum width of the lines.
pub(super) fn widest(lines: &[Line<'_>]) -> usize {
    lines.iter().map(Line::width).max().unwrap_or(0)
}

/// Prefixes the first line with `first` and every other line with `rest`.
pub(super) fn prefixed<'v>(lines: Lines<'v>, first: &Line<'v>, rest: &Line<'v>) -> Lines<'v> {
    let prefix = |(n, line)| {
        let mut whole = if n == 0 { first.clone() } else { rest.clone() };
        whole.append(line);
        whole
    };
    lines.into_iter().enumerate().map(prefix).collect()
}

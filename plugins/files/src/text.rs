//! Text files in pieces: what is text, and which lines are wanted.

use crate::folder::Place;
use footlight_sdk::prelude::*;
use std::fs::File;
use std::io::Read;

/// The bytes at the start of a file that tell text from other content, and the size of a piece.
const PIECE: usize = 64 << 10;

/// The most bytes that are read in order to count lines.
const MAX_SCANNED: u64 = 256 << 20;

/// Reports whether content is not text: it has a NUL near the start.
pub(crate) fn is_binary(content: &[u8]) -> bool {
    content[..content.len().min(PIECE)].contains(&0)
}

/// Cuts a text to this many characters, the last of which is then `…`.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(most.saturating_sub(1)).collect();
            format!("{kept}…")
        }
    }
}

/// A range of lines, counted from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range {
    from: u64,
    /// The first line after the range.
    end: u64,
}

impl Range {
    pub(crate) fn new(from: u32, lines: u32) -> Self {
        let from = u64::from(from);
        let end = from + u64::from(lines);
        Self { from, end }
    }
}

/// Lines of a file.
pub(crate) struct Lines {
    /// The text, with `\n` at the end of each line but perhaps the last.
    pub(crate) text: String,
    /// The first and the last line in `text`; the last is before the first if there is none.
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// The lines of the file, unless it was too long to count them.
    pub(crate) total: Option<u64>,
    /// The size of the file in bytes.
    pub(crate) size: u64,
    /// Whether lines of the range are missing because they have too many bytes.
    pub(crate) is_cut: bool,
}

impl Lines {
    /// Reads lines of a text file, at most `most` bytes of them.
    ///
    /// # Errors
    /// If the file cannot be read, is not text, or ends before the range.
    pub(crate) fn read(file: &Place, range: Range, most: usize) -> Result<Self> {
        let mut opened = open(file)?;
        let metadata = opened.metadata().map_err(|error| file.failure(&error))?;
        let mut wanted = Vec::new();
        let mut is_cut = false;
        let (mut line, mut scanned, mut ends_open) = (1_u64, 0_u64, false);
        let mut piece = vec![0; PIECE];
        let total = loop {
            let length = opened
                .read(&mut piece)
                .map_err(|error| file.failure(&error))?;
            if length == 0 {
                break Some(line - u64::from(!ends_open));
            }
            if scanned == 0 && is_binary(&piece[..length]) {
                return Err(not_text(file));
            }
            scanned += length as u64;
            for part in piece[..length].split_inclusive(|byte| *byte == b'\n') {
                if (range.from..range.end).contains(&line) {
                    let room = most - wanted.len();
                    is_cut |= part.len() > room;
                    wanted.extend_from_slice(&part[..part.len().min(room)]);
                }
                ends_open = !part.ends_with(b"\n");
                line += u64::from(!ends_open);
            }
            if scanned > MAX_SCANNED {
                break None;
            }
        };
        if let Some(total) = total.filter(|total| range.from > (*total).max(1)) {
            return Err(invalid!(
                "`{}` has {total} lines: there is no line {}",
                file.name,
                range.from
            ));
        }
        if is_cut {
            // Not in the middle of a line, if there is another way.
            let whole = wanted.iter().rposition(|byte| *byte == b'\n');
            wanted.truncate(whole.map_or(wanted.len(), |end| end + 1));
        }
        let text = String::from_utf8_lossy(&wanted).into_owned();
        let count = text.lines().count() as u64;
        Ok(Self {
            first: range.from,
            last: range.from + count - 1,
            text,
            total,
            size: metadata.len(),
            is_cut,
        })
    }

    /// Says which lines these are: `lines 3 to 9 of 120`.
    pub(crate) fn in_words(&self) -> String {
        let of = self
            .total
            .map_or_else(|| "more".to_owned(), |total| total.to_string());
        match (self.first, self.last) {
            (first, last) if last < first => "empty".to_owned(),
            (first, last) if first == last => format!("line {first} of {of}"),
            (first, last) => format!("lines {first} to {last} of {of}"),
        }
    }
}

/// Opens a file, and nothing but a file: opening a pipe could wait for ever.
pub(crate) fn open(file: &Place) -> Result<File> {
    let metadata = std::fs::metadata(&file.path).map_err(|error| file.failure(&error))?;
    if metadata.is_dir() {
        return Err(invalid!("`{}` is a folder: call `list`", file.name));
    }
    if !metadata.is_file() {
        return Err(invalid!("`{}` is not an ordinary file", file.name));
    }
    File::open(&file.path).map_err(|error| file.failure(&error))
}

/// Reads a whole text file.
///
/// # Errors
/// If the file cannot be read, is not text in UTF-8, or has more than `most` bytes.
pub(crate) fn whole(file: &Place, most: u64) -> Result<String> {
    let mut content = Vec::new();
    let read = open(file)?.take(most + 1).read_to_end(&mut content);
    read.map_err(|error| file.failure(&error))?;
    if content.len() as u64 > most {
        return Err(invalid!("`{}` has more than {most} bytes", file.name));
    }
    if is_binary(&content) {
        return Err(not_text(file));
    }
    String::from_utf8(content).map_err(|_| not_text(file))
}

fn not_text(file: &Place) -> Failure {
    invalid!("`{}` is not a text file", file.name)
}

//! Reads the rows of a file through a buffer of fixed size.
//!
//! | in the file | what becomes of it |
//! | --- | --- |
//! | a byte order mark | left out |
//! | `\n`, `\r\n` and `\r` | each ends a row, except within quotes |
//! | quotes within quotes | `""` is one quote |
//! | an empty line | no row |
//! | fewer values than columns | the rest is empty, and counted |
//! | more values than columns | ignored, and counted |
//! | bytes that are not UTF-8 | replaced by `U+FFFD`, and counted |
//! | a value of more than 32 KiB | cut, and counted |
//! | a quote that is never closed | the rest of the file is one value, which is cut |
//! | a line that is not a JSON object, or has more than 1 MiB | left out, and counted |

mod delimited;
mod json;

use std::io::{self, BufRead};

/// The most columns of a file.
pub(crate) const MAX_COLUMNS: usize = 1_000;

/// The most bytes of one value.
pub(crate) const MAX_VALUE: usize = 32 << 10;

/// The most bytes of one row; values beyond it are empty.
pub(crate) const MAX_ROW: usize = 4 << 20;

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Values between this character.
    Delimited(u8),
    /// One JSON object on each line.
    JsonLines,
}

impl Format {
    /// Guesses the format from the start of a file: JSON lines begin with a brace, and of the possible
    /// separators the most frequent one in the first line is meant.
    pub(crate) fn guess(head: &[u8]) -> Self {
        let start = head.iter().find(|byte| !byte.is_ascii_whitespace());
        if start == Some(&b'{') {
            return Self::JsonLines;
        }
        let mut counts = [(b',', 0_usize), (b';', 0), (b'\t', 0), (b'|', 0)];
        let mut is_quoted = false;
        for byte in head {
            match byte {
                b'"' => is_quoted = !is_quoted,
                b'\n' | b'\r' if !is_quoted => break,
                byte if !is_quoted => {
                    let counted = counts.iter_mut().find(|(separator, _)| separator == byte);
                    if let Some((_, count)) = counted {
                        *count += 1;
                    }
                }
                _ => {}
            }
        }
        // The first of equals: a comma, unless another one is more frequent.
        let best = counts.iter().rev().max_by_key(|(_, count)| count);
        Self::Delimited(best.map_or(b',', |(separator, _)| *separator))
    }
}

/// One row: the text of its values, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Row {
    text: String,
    ends: Vec<usize>,
}

impl Row {
    /// Returns a value; empty if the row has none.
    pub(crate) fn get(&self, column: usize) -> &str {
        let Some(end) = self.ends.get(column) else {
            return "";
        };
        let start = column.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..*end]
    }

    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    fn push(&mut self, value: &str) {
        self.text.push_str(value);
        self.ends.push(self.text.len());
    }
}

/// What was repaired or left out while reading.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Repairs {
    /// Rows with fewer values than columns.
    pub(crate) short: u64,
    /// Rows with more values than columns.
    pub(crate) long: u64,
    /// Values that were cut.
    pub(crate) cut: u64,
    /// Rows that were not UTF-8.
    pub(crate) repaired: u64,
    /// Lines that are not JSON objects.
    pub(crate) malformed: u64,
}

impl Repairs {
    /// Says in words what was repaired or left out.
    pub(crate) fn in_words(&self) -> String {
        let all = [
            (self.short, "with missing values"),
            (self.long, "with values beyond the columns, ignored"),
            (self.cut, "with values cut to 32 KiB"),
            (self.repaired, "not in UTF-8, repaired"),
            (self.malformed, "not JSON objects, left out"),
        ];
        let said = all.iter().filter(|(count, _)| *count > 0);
        said.map(|(count, what)| format!("; {count} {what}"))
            .collect()
    }
}

/// The rows of a file.
pub(crate) struct Rows<R> {
    reader: Reader<R>,
    pub(crate) columns: Vec<String>,
    pub(crate) repairs: Repairs,
}

enum Reader<R> {
    Delimited(Box<delimited::Delimited<R>>),
    Json(json::JsonLines<R>),
}

impl<R: BufRead> Rows<R> {
    /// Starts to read a file without its byte order mark. The columns of JSON lines are those of
    /// `sample`, the first lines of the same file.
    ///
    /// # Errors
    /// If the file cannot be read, or has no or too many columns; the error says so.
    pub(crate) fn new(format: Format, input: R, sample: impl BufRead) -> io::Result<Self> {
        let mut rows = Self {
            reader: match format {
                Format::Delimited(separator) => {
                    Reader::Delimited(Box::new(delimited::Delimited::new(separator, input)))
                }
                Format::JsonLines => Reader::Json(json::JsonLines::new(input)),
            },
            columns: Vec::new(),
            repairs: Repairs::default(),
        };
        rows.columns = match &mut rows.reader {
            Reader::Delimited(reader) => {
                let mut header = Row::default();
                reader.read(&mut header, &mut Repairs::default())?;
                unique((0..header.len()).map(|column| header.get(column)))
            }
            Reader::Json(reader) => {
                let columns = json::columns(sample)?;
                reader.expect(&columns);
                columns
            }
        };
        match rows.columns.len() {
            0 => Err(invalid("the file has no columns")),
            1..=MAX_COLUMNS => Ok(rows),
            _ => Err(invalid("the file has more than 1000 columns")),
        }
    }

    /// Reads the next row; `false` at the end.
    pub(crate) fn read(&mut self, row: &mut Row) -> io::Result<bool> {
        let is_row = match &mut self.reader {
            Reader::Delimited(reader) => reader.read(row, &mut self.repairs)?,
            Reader::Json(reader) => return reader.read(row, &mut self.repairs),
        };
        self.repairs.short += u64::from(is_row && row.len() < self.columns.len());
        self.repairs.long += u64::from(is_row && row.len() > self.columns.len());
        Ok(is_row)
    }
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// Returns names for columns: without white space around them, each different, none empty.
fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut columns: Vec<String> = Vec::new();
    let mut known = std::collections::BTreeSet::new();
    for (at, name) in names.enumerate() {
        let name = match name.trim() {
            "" => format!("column {}", at + 1),
            name => name[..name.floor_char_boundary(200)].to_owned(),
        };
        let mut unique = name.clone();
        let mut number = 2;
        while !known.insert(unique.clone()) {
            unique = format!("{name} ({number})");
            number += 1;
        }
        columns.push(unique);
    }
    columns
}

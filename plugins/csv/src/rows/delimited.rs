//! Rows of values between separators, with quotes as in RFC 4180.

use super::{MAX_COLUMNS, MAX_ROW, MAX_VALUE, Repairs, Row};
use csv_core::{ReadFieldResult, ReaderBuilder};
use std::io::{self, BufRead};

/// The bytes of a value that are decoded at once.
const PIECE: usize = 4 << 10;

pub(super) struct Delimited<R> {
    parser: csv_core::Reader,
    input: R,
    piece: [u8; PIECE],
    raw: Vec<u8>,
    ends: Vec<usize>,
}

impl<R: BufRead> Delimited<R> {
    pub(super) fn new(separator: u8, input: R) -> Self {
        Self {
            parser: ReaderBuilder::new().delimiter(separator).build(),
            input,
            piece: [0; PIECE],
            raw: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Reads the next row; `false` at the end. It has one value more than there can be columns if the
    /// file has even more.
    pub(super) fn read(&mut self, row: &mut Row, repairs: &mut Repairs) -> io::Result<bool> {
        row.clear();
        self.raw.clear();
        self.ends.clear();
        let (mut start, mut is_cut) = (0, false);
        loop {
            let input = self.input.fill_buf()?;
            let (result, read, written) = self.parser.read_field(input, &mut self.piece);
            self.input.consume(read);
            if self.ends.len() <= MAX_COLUMNS {
                let room = (MAX_VALUE - (self.raw.len() - start)).min(MAX_ROW - self.raw.len());
                is_cut |= written > room;
                self.raw.extend_from_slice(&self.piece[..written.min(room)]);
            }
            match result {
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
                ReadFieldResult::Field { record_end } => {
                    if self.ends.len() <= MAX_COLUMNS {
                        start = self.raw.len();
                        self.ends.push(start);
                    }
                    if record_end {
                        break;
                    }
                }
                ReadFieldResult::End => return Ok(false),
            }
        }
        repairs.cut += u64::from(is_cut);
        self.decode(row, repairs);
        Ok(true)
    }

    /// Copies the values into the row, as text.
    fn decode(&mut self, row: &mut Row, repairs: &mut Repairs) {
        match std::str::from_utf8(&self.raw) {
            // The end of one value and the start of the next can look like one character.
            Ok(text) if self.ends.iter().all(|end| text.is_char_boundary(*end)) => {
                row.text.push_str(text);
                row.ends.extend_from_slice(&self.ends);
            }
            _ => {
                repairs.repaired += 1;
                let mut start = 0;
                for end in &self.ends {
                    row.push(&String::from_utf8_lossy(&self.raw[start..*end]));
                    start = *end;
                }
            }
        }
    }
}

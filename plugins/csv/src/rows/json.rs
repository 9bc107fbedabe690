//! Rows of one JSON object on each line.

use super::{MAX_COLUMNS, MAX_VALUE, Repairs, Row};
use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::{Deserializer, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead};

/// The most bytes of a line.
const MAX_LINE: usize = 1 << 20;

/// The lines at the start of a file whose members are the columns.
const SAMPLE: usize = 1_000;

pub(super) struct JsonLines<R> {
    lines: Lines<R>,
    columns: BTreeMap<String, usize>,
}

impl<R: BufRead> JsonLines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            lines: Lines::new(input),
            columns: BTreeMap::new(),
        }
    }

    /// Sets the columns.
    pub(super) fn expect(&mut self, columns: &[String]) {
        let columns = columns.iter().cloned().zip(0..);
        self.columns = columns.collect();
    }

    /// Reads the next row; `false` at the end.
    pub(super) fn read(&mut self, row: &mut Row, repairs: &mut Repairs) -> io::Result<bool> {
        while let Some(line) = self.lines.next()? {
            let Some(members) = members(line) else {
                repairs.malformed += 1;
                continue;
            };
            let mut cells = vec![None; self.columns.len()];
            let mut is_long = false;
            for (name, value) in members {
                match self.columns.get(&name) {
                    Some(column) => cells[*column] = Some(text(value)),
                    None => is_long = true,
                }
            }
            row.clear();
            let mut is_cut = false;
            for cell in &cells {
                let value = cell.as_deref().unwrap_or_default();
                is_cut |= value.len() > MAX_VALUE;
                row.push(&value[..value.floor_char_boundary(MAX_VALUE)]);
            }
            repairs.short += u64::from(cells.contains(&None));
            repairs.long += u64::from(is_long);
            repairs.cut += u64::from(is_cut);
            return Ok(true);
        }
        Ok(false)
    }
}

/// Returns the names of all members in the first lines, in the order of their first occurrence.
pub(super) fn columns(sample: impl BufRead) -> io::Result<Vec<String>> {
    let mut lines = Lines::new(sample);
    let mut columns: Vec<String> = Vec::new();
    for _ in 0..SAMPLE {
        let Some(line) = lines.next()? else {
            break;
        };
        for (name, _) in members(line).unwrap_or_default() {
            if columns.len() <= MAX_COLUMNS && !columns.contains(&name) {
                columns.push(name);
            }
        }
    }
    Ok(columns)
}

/// Formats a value as text: nothing for null, lists and objects as JSON.
fn text(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Parses an object, keeping the order of its members.
fn members(line: Option<&[u8]>) -> Option<Vec<(String, Value)>> {
    let mut parser = Deserializer::from_slice(line?);
    let members = parser.deserialize_map(Members).ok()?;
    parser.end().ok()?;
    Some(members)
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if members.len() <= MAX_COLUMNS {
                members.push((name, map.next_value()?));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(members)
    }
}

/// The lines of a file that are not empty.
struct Lines<R> {
    input: R,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    fn new(input: R) -> Self {
        let line = Vec::new();
        Self { input, line }
    }

    /// Reads the next line: `None` at the end, `Some(None)` for a line that is too long.
    fn next(&mut self) -> io::Result<Option<Option<&[u8]>>> {
        loop {
            self.line.clear();
            let (mut is_long, mut is_over) = (false, false);
            while !is_over {
                let input = self.input.fill_buf()?;
                if input.is_empty() {
                    if self.line.is_empty() && !is_long {
                        return Ok(None);
                    }
                    break;
                }
                let end = input.iter().position(|byte| *byte == b'\n');
                let length = end.map_or(input.len(), |end| end + 1);
                is_long |= self.line.len() + length > MAX_LINE;
                if !is_long {
                    self.line.extend_from_slice(&input[..length]);
                }
                is_over = end.is_some();
                self.input.consume(length);
            }
            if is_long {
                return Ok(Some(None));
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(Some(Some(&self.line)));
            }
        }
    }
}

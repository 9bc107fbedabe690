//! Tables of rows for the person, and the same as short text for the model.

use crate::rows::Row;
use crate::source;
use crate::value::number;
use footlight_sdk::display::FieldType;
use footlight_sdk::kinds::Column;
use footlight_sdk::prelude::*;
use serde_json::{Map, Number, Value};

/// The most columns of a listing, and characters of a value in it.
const MAX_LISTED_COLUMNS: usize = 30;
const MAX_CHARS: usize = 120;

/// The most bytes of a listing.
const MAX_BYTES: usize = 128 << 10;

/// The columns that a listing has.
pub(crate) struct Listed {
    columns: Vec<(usize, String)>,
    omitted: usize,
}

impl Listed {
    /// Chooses columns: the wanted ones, or the first ones.
    pub(crate) fn new(all: &[String], wanted: &[String]) -> Result<Self> {
        let chosen: Vec<usize> = match wanted {
            [] => (0..all.len()).collect(),
            wanted => {
                let found = wanted.iter().map(|name| source::find(all, name));
                let mut found = found.collect::<Result<Vec<usize>>>()?;
                let mut seen = std::collections::BTreeSet::new();
                found.retain(|column| seen.insert(*column));
                found
            }
        };
        let listed = chosen.iter().take(MAX_LISTED_COLUMNS);
        let columns = listed.map(|column| (*column, all[*column].clone()));
        Ok(Self {
            omitted: chosen.len().saturating_sub(MAX_LISTED_COLUMNS),
            columns: columns.collect(),
        })
    }

    /// Copies the listed values of a row.
    pub(crate) fn copy(&self, row: &Row) -> Vec<String> {
        let columns = self.columns.iter();
        columns
            .map(|(column, _)| shortened(row.get(*column), MAX_CHARS))
            .collect()
    }

    /// Returns a table of copied rows.
    pub(crate) fn table(&self, rows: &[Vec<String>], mut summary: String) -> Table {
        if self.omitted > 0 {
            summary.push_str(&format!("; {} more columns", self.omitted));
        }
        let mut bytes = 0;
        let fitting = rows.iter().take_while(|row| {
            let values = row.iter().map(|value| value.len() + 8);
            bytes += values.sum::<usize>();
            bytes <= MAX_BYTES
        });
        let fitting: Vec<&Vec<String>> = fitting.collect();
        if fitting.len() < rows.len() {
            summary.push_str(&format!("; {} are listed", fitting.len()));
        }
        let mut table = Table::new();
        for (at, (_, name)) in self.columns.iter().enumerate() {
            let mut column = Column::new(name);
            if are_numbers(fitting.iter().map(|row| row[at].as_str())) {
                column = column.typed(FieldType::Number).align(Align::Right);
            }
            table = table.column(column);
        }
        let mut said = self.line(self.columns.iter().map(|(_, name)| name.as_str()));
        for row in fitting {
            said.push_str(&self.line(row.iter().map(String::as_str)));
            let cells = self.columns.iter().zip(row);
            let cells = cells.map(|((_, name), value)| (name.clone(), cell(value)));
            table.data.rows.push(cells.collect::<Map<_, _>>());
        }
        let for_model = format!("{summary}\n{said}");
        table.summary(summary).for_model(for_model)
    }

    /// Returns values on one line, with tabs between them.
    fn line<'v>(&self, values: impl Iterator<Item = &'v str>) -> String {
        let values = values.map(|value| value.replace(['\t', '\n', '\r'], " "));
        format!("{}\n", values.collect::<Vec<_>>().join("\t"))
    }
}

/// Reports whether values are those of a column of numbers, some of which may be empty.
pub(crate) fn are_numbers<'v>(values: impl Iterator<Item = &'v str>) -> bool {
    let mut filled = values.filter(|value| !value.is_empty()).peekable();
    filled.peek().is_some() && filled.all(is_number)
}

/// Returns a value as JSON: a number only if nothing is lost, as it would be of `007`.
pub(crate) fn cell(value: &str) -> Value {
    match exact(value) {
        _ if value.is_empty() => Value::Null,
        Some(number) => Value::Number(number),
        None => Value::from(value),
    }
}

/// Reports whether a value is a number and not an identifier, such as `007` or `+47`. One that JSON would
/// change, such as `12.50`, stays text in a column of numbers.
fn is_number(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let mut bytes = digits.bytes();
    let is_padded = bytes.next() == Some(b'0') && bytes.next().is_some_and(|b| b.is_ascii_digit());
    !is_padded && digits.starts_with(|c: char| c.is_ascii_digit()) && number(value).is_some()
}

fn exact(value: &str) -> Option<Number> {
    let number: Number = serde_json::from_str(value).ok()?;
    (number.to_string() == value).then_some(number)
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

//! `summarise`: what each column holds.

use crate::listing::shortened;
use crate::rows::Row;
use crate::source::Source;
use crate::value::{Sum, Type, format, number};
use footlight_sdk::prelude::*;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The most different values of a column that are told apart.
const MAX_DISTINCT: usize = 1_000;

/// The examples of a column, and the most characters of one.
const EXAMPLES: usize = 3;
const MAX_CHARS: usize = 24;

/// The most columns of the result.
const MAX_LISTED: usize = 200;

/// What is known of a column.
#[derive(Default)]
struct Column {
    filled: u64,
    value_type: Option<Type>,
    numbers: Sum,
    /// The first and the last text in the order of the alphabet.
    texts: Option<(String, String)>,
    /// Hashes of the different values.
    distinct: BTreeSet<u64>,
    examples: Vec<String>,
}

/// A row of the result.
#[derive(Serialize)]
struct Line<'a> {
    column: &'a str,
    #[serde(rename = "type")]
    value_type: &'static str,
    filled: u64,
    empty: u64,
    distinct: String,
    min: String,
    max: String,
    mean: String,
    examples: String,
}

pub(crate) fn run(mut source: Source<'_>) -> Result<Table> {
    let mut columns: Vec<Column> = Vec::new();
    columns.resize_with(source.columns().len(), Column::default);
    source.each(|row: &Row| {
        for (at, column) in columns.iter_mut().enumerate() {
            column.add(row.get(at));
        }
        Ok(())
    })?;
    let lines = columns.iter().zip(source.columns()).take(MAX_LISTED);
    let lines: Vec<Line<'_>> = lines
        .map(|(column, name)| column.line(name, source.count))
        .collect();
    let count = columns.len();
    let plural = if count == 1 { "" } else { "s" };
    let mut summary = format!("{count} column{plural}, {}", source.in_words());
    if count > MAX_LISTED {
        summary.push_str(&format!("; the first {MAX_LISTED} columns are listed"));
    }
    let said = lines.iter().map(Line::in_words).collect::<String>();
    let for_model = format!("{summary}\n{said}");
    let mut table = Table::rows(&lines);
    for number in ["filled", "empty", "distinct", "min", "max", "mean"] {
        table = table.align(number, Align::Right);
    }
    Ok(table.summary(summary).for_model(for_model))
}

impl Column {
    fn add(&mut self, value: &str) {
        if value.is_empty() {
            return;
        }
        self.filled += 1;
        if self.distinct.len() <= MAX_DISTINCT {
            let mut hasher = DefaultHasher::new();
            value.hash(&mut hasher);
            if self.distinct.insert(hasher.finish()) && self.examples.len() < EXAMPLES {
                self.examples.push(shortened(value, MAX_CHARS));
            }
        }
        let number = number(value);
        let value_type = match self.value_type {
            // Nothing widens it any more.
            Some(Type::Text) => Type::Text,
            None => Type::of(value, number),
            Some(known) => known.and(Type::of(value, number)),
        };
        self.value_type = Some(value_type);
        if let Some(number) = number {
            self.numbers.add(number);
        } else {
            self.widen(value);
        }
    }

    /// Extends the range of texts.
    fn widen(&mut self, value: &str) {
        let start = || value[..value.floor_char_boundary(200)].to_owned();
        match &mut self.texts {
            None => self.texts = Some((start(), start())),
            Some((first, _)) if value < first.as_str() => *first = start(),
            Some((_, last)) if value > last.as_str() => *last = start(),
            Some(_) => {}
        }
    }

    fn line<'a>(&self, name: &'a str, rows: u64) -> Line<'a> {
        let is_numeric = matches!(self.value_type, Some(Type::Integer | Type::Number));
        let (min, max, mean) = match (&self.texts, self.numbers) {
            (_, numbers) if is_numeric => (
                format(numbers.min),
                format(numbers.max),
                numbers.mean().map(format).unwrap_or_default(),
            ),
            (Some((first, last)), _) => {
                let short = |text: &str| shortened(text, MAX_CHARS);
                (short(first), short(last), String::new())
            }
            _ => Default::default(),
        };
        Line {
            column: name,
            value_type: self.value_type.map_or("empty", Type::name),
            filled: self.filled,
            empty: rows - self.filled,
            distinct: match self.distinct.len() {
                more if more > MAX_DISTINCT => format!("over {MAX_DISTINCT}"),
                known => known.to_string(),
            },
            min,
            max,
            mean,
            examples: self.examples.join(", "),
        }
    }
}

impl Line<'_> {
    /// Describes the column on one line, for the model.
    fn in_words(&self) -> String {
        let mut said = format!(
            "{}: {}, {} filled",
            self.column, self.value_type, self.filled
        );
        if self.empty > 0 {
            said.push_str(&format!(", {} empty", self.empty));
        }
        said.push_str(&format!(", {} distinct", self.distinct));
        if !self.min.is_empty() {
            said.push_str(&format!(", {} to {}", self.min, self.max));
        }
        if !self.mean.is_empty() {
            said.push_str(&format!(", mean {}", self.mean));
        }
        said.push_str(&format!(", such as {}\n", self.examples));
        said
    }
}

//! `group`: what the rows with the same value in a column have in common.

use super::Query;
use crate::chart::{self, Bar, Groups, MAX_BARS};
use crate::listing::{are_numbers, cell, shortened};
use crate::source::Source;
use crate::value::{Sum, format, number};
use footlight_sdk::display::FieldType;
use footlight_sdk::kinds::Column;
use footlight_sdk::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The most groups: each takes up to 500 bytes of memory.
pub(crate) const MAX_GROUPS: usize = 50_000;

/// The most bytes of a value that names a group.
const MAX_NAME: usize = 256;

/// What is computed of each group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Measure {
    #[default]
    Count,
    Sum,
    Mean,
    Min,
    Max,
}

impl Measure {
    fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Mean => "mean",
            Self::Min => "min",
            Self::Max => "max",
        }
    }

    /// Returns the measure of a group; none of numbers that it does not have.
    fn of(self, group: &Group) -> Option<f64> {
        let sum = group.sum;
        match self {
            Self::Count => Some(group.rows as f64),
            _ if sum.count == 0 => None,
            Self::Sum => Some(sum.total()),
            Self::Mean => sum.mean(),
            Self::Min => Some(sum.min),
            Self::Max => Some(sum.max),
        }
    }
}

/// The rows with one value.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    rows: u64,
    sum: Sum,
}

pub(crate) fn run(
    stage: &Stage,
    query: &Query,
    mut source: Source<'_>,
    by: &str,
    measure: Measure,
    of: Option<&str>,
) -> Result<Table> {
    let by = source.column(by)?;
    let of = of.map(|of| source.column(of)).transpose()?;
    if measure != Measure::Count && of.is_none() {
        let name = measure.name();
        return Err(invalid!(
            "the {name} of what? name a column of numbers as `of`"
        ));
    }
    let conditions = query.conditions(&source)?;
    let name = source.columns()[by].clone();
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    source.each(|row| {
        if !conditions.iter().all(|condition| condition.holds(row)) {
            return Ok(());
        }
        let value = row.get(by);
        let value = &value[..value.floor_char_boundary(MAX_NAME)];
        if !groups.contains_key(value) {
            if groups.len() == MAX_GROUPS {
                return Err(invalid!(
                    "`{name}` has more than {MAX_GROUPS} different values: group by another column"
                ));
            }
            groups.insert(value.to_owned(), Group::default());
        }
        let Some(group) = groups.get_mut(value) else {
            return Ok(());
        };
        group.rows += 1;
        if let Some(number) = of.and_then(|of| number(row.get(of))) {
            group.sum.add(number);
        }
        Ok(())
    })?;
    let all = groups.len();
    let by_number = are_numbers(groups.keys().map(String::as_str));
    let mut groups: Vec<(String, Group, Option<f64>)> = groups
        .into_iter()
        .map(|(name, group)| (name, group, measure.of(&group)))
        .collect();
    // The largest first; a group without numbers last; equal ones by name, as they are already.
    let rank = |value: Option<f64>| value.unwrap_or(f64::NEG_INFINITY);
    groups.sort_by(|one, other| rank(other.2).total_cmp(&rank(one.2)));
    groups.truncate(query.limit);
    let title = match of {
        Some(of) if measure != Measure::Count => {
            let of = &source.columns()[of];
            format!("{} of {of} by {name}", measure.name())
        }
        _ => format!("rows by {name}"),
    };
    let title = shortened(&title, 80);
    let shown = Groups {
        title: title.clone(),
        source: source.in_words(),
        groups: groups.iter().take(MAX_BARS).filter_map(bar).collect(),
    };
    if !shown.groups.is_empty() {
        stage.show(chart::widget(&shown))?;
    }
    let listed = match groups.len() {
        listed if listed < all => format!("the first {listed} of {all} groups"),
        _ => format!("{all} groups"),
    };
    let summary = format!("{title}: {listed}, {}", source.in_words());
    let column = match by_number {
        true => numbers(&name),
        false => Column::new(&name),
    };
    Ok(table(column, &groups, of.is_some(), summary))
}

fn bar((name, _, value): &(String, Group, Option<f64>)) -> Option<Bar> {
    let value = value.filter(|value| value.is_finite())?;
    let name = label(name);
    Some(Bar { name, value })
}

/// Returns the name of a group; what is empty has one, too.
fn label(name: &str) -> String {
    match name {
        "" => "(empty)".to_owned(),
        name => shortened(name, 40),
    }
}

/// Returns a column of numbers.
fn numbers(key: &str) -> Column {
    Column::new(key)
        .typed(FieldType::Number)
        .align(Align::Right)
}

/// Lists groups, with the column of what names them first.
fn table(
    by: Column,
    groups: &[(String, Group, Option<f64>)],
    with_numbers: bool,
    summary: String,
) -> Table {
    let mut said = summary.clone();
    let by_number = by.column_type == Some(FieldType::Number);
    let key = by.key.clone();
    let rows = groups.iter().map(|(name, group, _)| {
        let mut row = Map::new();
        let name = label(name);
        let name = if by_number { cell(&name) } else { name.into() };
        row.insert(key.clone(), name);
        row.insert("rows".to_owned(), json!(group.rows));
        let measures = [Measure::Sum, Measure::Mean, Measure::Min, Measure::Max];
        for measure in measures.iter().filter(|_| with_numbers) {
            let value = measure.of(group).map(format);
            let value = value.map_or(Value::Null, |value| cell(&value));
            row.insert(measure.name().to_owned(), value);
        }
        row
    });
    let mut table = Table::new().column(by);
    let names = ["rows", "sum", "mean", "min", "max"];
    for name in &names[..if with_numbers { 5 } else { 1 }] {
        table = table.column(numbers(name));
    }
    for row in rows {
        let line: Vec<String> = table
            .data
            .columns
            .iter()
            .map(|column| match row.get(&column.key) {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Number(number)) => number.to_string(),
                _ => "-".to_owned(),
            })
            .collect();
        said.push_str(&format!("\n{}", line.join("\t")));
        table.data.rows.push(row);
    }
    table.summary(summary).for_model(said)
}

//! `sort`: the first rows in the order of a column.

use super::Query;
use crate::source::Source;
use crate::value::Key;
use footlight_sdk::prelude::*;
use std::cmp::Ordering;

/// Keeps only as many rows as are listed, so that memory does not grow with the file.
pub(crate) fn run(
    query: &Query,
    mut source: Source<'_>,
    by: &str,
    descending: bool,
) -> Result<Table> {
    let by = source.column(by)?;
    let name = source.columns()[by].clone();
    let (conditions, listed) = (query.conditions(&source)?, query.listed(&source)?);
    // Sorted; equal rows in the order of the file.
    let mut kept: Vec<(Key, Vec<String>)> = Vec::new();
    source.each(|row| {
        if !conditions.iter().all(|condition| condition.holds(row)) {
            return Ok(());
        }
        let key = Key::of(row.get(by));
        let before =
            |other: &(Key, Vec<String>)| other.0.compare(&key, descending) != Ordering::Greater;
        let at = kept.partition_point(before);
        if at < query.limit {
            kept.truncate(query.limit - 1);
            kept.insert(at, (key, listed.copy(row)));
        }
        Ok(())
    })?;
    let rows: Vec<Vec<String>> = kept.into_iter().map(|(_, row)| row).collect();
    let order = if descending { "largest" } else { "smallest" };
    let summary = format!(
        "the {} with the {order} `{name}` of {}",
        rows.len(),
        source.in_words()
    );
    Ok(listed.table(&rows, summary))
}

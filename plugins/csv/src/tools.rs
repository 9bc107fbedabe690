//! The tools: their arguments, and what each does with the rows.

pub(crate) mod groups;
pub(crate) mod order;
pub(crate) mod summary;

use crate::condition::Condition;
use crate::listing::Listed;
use crate::source::Source;
use footlight_sdk::prelude::*;

use groups::Measure;

/// Summarises a CSV file or JSON lines: the columns, their types, how many values each has, the
/// smallest, the largest and the mean, and examples.
#[tool(
    read_only,
    title = "Summarise a table",
    example = "Summarise \"sales.csv\"",
    example = "Which columns does \"sales.csv\" have?"
)]
pub(crate) fn summarise(
    stage: &Stage,
    /// The file.
    #[arg(length = 1..=1_024)]
    path: String,
) -> Result<Table> {
    summary::run(Source::open(stage, &path)?)
}

/// Filters the rows of a CSV file or JSON lines: lists those for which all conditions hold, and
/// counts them.
#[tool(
    read_only,
    title = "Filter rows",
    example = "Filter the rows of \"sales.csv\""
)]
pub(crate) fn filter(
    stage: &Stage,
    /// The file.
    #[arg(length = 1..=1_024)]
    path: String,
    /// What must hold, such as `price >= 10`, `city = Oslo`, `name contains ann` or `note is empty`.
    #[arg(length = 1..=10)]
    conditions: Vec<String>,
    /// The columns to list; the first 30 if absent.
    columns: Option<Vec<String>>,
    /// The most rows to list.
    #[arg(default = 20, range = 1..=200)]
    limit: u32,
) -> Result<Table> {
    let query = Query::new(Some(conditions), columns, limit);
    query.filter(Source::open(stage, &path)?)
}

/// Sorts the rows of a CSV file or JSON lines by a column, and lists the first ones: the largest, the
/// smallest, the newest.
#[tool(
    read_only,
    title = "Sort rows",
    example = "Sort \"sales.csv\" by \"price\""
)]
pub(crate) fn sort(
    stage: &Stage,
    /// The file.
    #[arg(length = 1..=1_024)]
    path: String,
    /// The column that decides.
    #[arg(length = 1..=200)]
    by: String,
    /// Whether the largest comes first.
    #[arg(default = true)]
    descending: bool,
    /// What must hold for a row, such as `price >= 10`.
    conditions: Option<Vec<String>>,
    /// The columns to list; the first 30 if absent.
    columns: Option<Vec<String>>,
    /// The most rows to list.
    #[arg(default = 20, range = 1..=200)]
    limit: u32,
) -> Result<Table> {
    let query = Query::new(conditions, columns, limit);
    order::run(&query, Source::open(stage, &path)?, &by, descending)
}

/// Groups the rows of a CSV file or JSON lines by a column: how many rows each value has, and the sum,
/// mean, smallest or largest of another column. Shows the person a chart.
#[tool(
    read_only,
    title = "Group rows",
    example = "Group \"sales.csv\" by \"region\"",
    example = "Count the rows of \"sales.csv\" by \"region\""
)]
pub(crate) fn group(
    stage: &Stage,
    /// The file.
    #[arg(length = 1..=1_024)]
    path: String,
    /// The column whose values make the groups.
    #[arg(length = 1..=200)]
    by: String,
    /// What to compute of the column `of`.
    measure: Option<Measure>,
    /// The column of numbers to compute from.
    of: Option<String>,
    /// What must hold for a row, such as `price >= 10`.
    conditions: Option<Vec<String>>,
    /// The most groups to list, the largest first.
    #[arg(default = 20, range = 1..=200)]
    limit: u32,
) -> Result<Table> {
    let query = Query::new(conditions, None, limit);
    let measure = measure.unwrap_or_default();
    let source = Source::open(stage, &path)?;
    groups::run(stage, &query, source, &by, measure, of.as_deref())
}

/// Which rows and columns are wanted.
#[derive(Debug, Default)]
pub(crate) struct Query {
    pub(crate) conditions: Vec<String>,
    pub(crate) columns: Vec<String>,
    pub(crate) limit: usize,
}

impl Query {
    fn new(conditions: Option<Vec<String>>, columns: Option<Vec<String>>, limit: u32) -> Self {
        Self {
            conditions: conditions.unwrap_or_default(),
            columns: columns.unwrap_or_default(),
            limit: limit as usize,
        }
    }

    pub(crate) fn conditions(&self, source: &Source<'_>) -> Result<Vec<Condition>> {
        Condition::all(&self.conditions, source.columns())
    }

    pub(crate) fn listed(&self, source: &Source<'_>) -> Result<Listed> {
        Listed::new(source.columns(), &self.columns)
    }

    /// `filter`: the first rows for which the conditions hold, and the number of all of them.
    pub(crate) fn filter(&self, mut source: Source<'_>) -> Result<Table> {
        let (conditions, listed) = (self.conditions(&source)?, self.listed(&source)?);
        let mut kept = Vec::new();
        let mut matching = 0_u64;
        source.each(|row| {
            if conditions.iter().all(|condition| condition.holds(row)) {
                matching += 1;
                if kept.len() < self.limit {
                    kept.push(listed.copy(row));
                }
            }
            Ok(())
        })?;
        let first = match kept.len() as u64 {
            all if all == matching => String::new(),
            first => format!(", the first {first} are listed"),
        };
        let summary = format!("{matching} of {}{first}", source.in_words());
        Ok(listed.table(&kept, summary))
    }
}

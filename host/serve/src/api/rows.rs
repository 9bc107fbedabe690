//! The rows of a table: paged, sorted and filtered, for clients that show more than a page of them.

use crate::App;
use crate::guard::Client;
use crate::markup::{self, Markup};
use crate::problem::{Problem, ProblemCode};
use crate::route::{Ids, Json, Query};
use axum::extract::State;
use footlight_render::lower::tabular;
use footlight_vocabulary::display::{Display, FieldType};
use footlight_vocabulary::item::{CallResult, Content, Item, ItemId, Timestamp};
use footlight_vocabulary::kinds::Column;
use footlight_vocabulary::normalise::normalise;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;
use std::sync::Arc;

/// How many rows a page has, by default and at most.
const PAGE: usize = 100;
const MAX_PAGE: usize = 1_000;

/// The most bytes of a filter, and of the key of a column to sort by.
const MAX_FILTER: usize = 256;

/// The query of the rows of a table.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RowsQuery {
    /// How many of the matching rows come before the page.
    #[serde(default)]
    offset: usize,
    /// How many rows the page has at most: 100 by default, 1,000 at most.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
    /// The key of the column to sort by; without it the rows are in the order of the table.
    #[serde(default)]
    #[schemars(length(max = 256))]
    sort: Option<String>,
    /// The order of sorted rows. Rows without a value come last in both.
    #[serde(default)]
    order: SortOrder,
    /// Only rows with a cell that contains this text, whatever its case.
    #[serde(default)]
    #[schemars(length(max = 256))]
    filter: Option<String>,
    /// Whether the page carries what a page draws of it.
    #[serde(default)]
    markup: bool,
}

/// An order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SortOrder {
    /// The least first.
    #[default]
    Asc,
    /// The greatest first.
    Desc,
}

/// A page of the rows of a table.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RowsPage {
    /// The columns, from left to right.
    columns: Vec<Column>,
    /// The rows: objects with the keys of the columns.
    rows: Vec<Value>,
    /// How many of the matching rows come before the page.
    offset: usize,
    /// How many rows match the filter.
    matched: usize,
    /// How many rows the table has.
    total: usize,
    /// What a page draws of these rows, if the client asked for `markup`.
    #[serde(skip_serializing_if = "Option::is_none")]
    markup: Option<Markup>,
}

/// `GET /api/sessions/{id}/items/{item}/rows`
pub(crate) async fn rows(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Ids((id, item)): Ids<(String, String)>,
    Query(query): Query<RowsQuery>,
) -> Result<Json<RowsPage>, Problem> {
    let session = app.sessions.open(&app, &client, &id.into()).await?;
    let item = session.item(&ItemId::from(item));
    let item = item.ok_or_else(Problem::not_found)?;
    // A table can have many rows, and others are served meanwhile.
    let page = tokio::task::spawn_blocking(move || page(item, &query)).await;
    let failed = |_| Problem::new(ProblemCode::Unavailable, "the rows cannot be read");
    Ok(Json(page.map_err(failed)??))
}

fn page(item: Item, query: &RowsQuery) -> Result<RowsPage, Problem> {
    let limit = query.limit.unwrap_or(PAGE);
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Problem::invalid("`limit` is a number from 1 to 1,000"));
    }
    let words = query.filter.iter().chain(&query.sort);
    if words.into_iter().any(|word| word.len() > MAX_FILTER) {
        return Err(Problem::invalid(
            "`filter` and `sort` have at most 256 bytes",
        ));
    }
    let no_rows = || Problem::new(ProblemCode::NotFound, "this item has no rows");
    let (data, display) = data(item).ok_or_else(no_rows)?;
    let (mut columns, rows) = tabular(&data).ok_or_else(no_rows)?;
    for column in &mut columns {
        let known = column.column_type.take().filter(FieldType::is_known);
        let hinted = || display.as_ref()?.field_type(&column.key);
        column.column_type = known.or_else(hinted);
    }
    let total = rows.len();
    let mut rows: Vec<&Map<String, Value>> = rows.iter().filter_map(Value::as_object).collect();
    if let Some(filter) = query.filter.as_deref().filter(|filter| !filter.is_empty()) {
        let filter = filter.to_lowercase();
        rows.retain(|row| matches(row, &columns, &filter));
    }
    if let Some(key) = &query.sort {
        let column = columns.iter().find(|column| column.key == *key);
        let column = column.ok_or_else(|| Problem::invalid("`sort` is not a column"))?;
        sort(&mut rows, column, query.order);
    }
    let matched = rows.len();
    let rows = rows.into_iter().skip(query.offset).take(limit);
    let rows: Vec<Value> = rows.cloned().map(Value::Object).collect();
    let markup = query.markup.then(|| markup::table(&columns, &rows));
    Ok(RowsPage {
        columns,
        rows,
        offset: query.offset,
        matched,
        total,
        markup,
    })
}

/// Returns what an item has instead of a table: the data of its result or of its widget.
fn data(item: Item) -> Option<(Value, Option<Display>)> {
    match item.content {
        Content::Tool(tool) => match tool.result {
            CallResult::Success { output } => {
                let result = normalise(output).ok()?;
                Some((result.data, result.display))
            }
            _ => None,
        },
        Content::Widget(widget) => Some((widget.data, None)),
        _ => None,
    }
}

/// Reports whether a row has a cell that contains a text of lower case.
fn matches(row: &Map<String, Value>, columns: &[Column], filter: &str) -> bool {
    let mut cells = columns.iter().filter_map(|column| row.get(&column.key));
    cells.any(|cell| match cell {
        Value::String(text) => text.to_lowercase().contains(filter),
        Value::Null => false,
        value => value.to_string().to_lowercase().contains(filter),
    })
}

/// Sorts rows by a column. Rows that are equal stay in their order.
fn sort(rows: &mut [&Map<String, Value>], column: &Column, order: SortOrder) {
    let key = column.key.as_str();
    let is_numeric = match column.column_type {
        Some(FieldType::Number | FieldType::Money) => true,
        Some(_) => false,
        None => rows.iter().all(|row| {
            let cell = row.get(key).unwrap_or(&Value::Null);
            cell.is_number() || cell.is_null()
        }),
    };
    let key_of = |row: &&Map<String, Value>| {
        let cell = row.get(key).unwrap_or(&Value::Null);
        SortKey::of(cell, is_numeric, column.column_type.as_ref())
    };
    // A key is made once for each row, not for each comparison.
    let mut keyed: Vec<(Option<SortKey>, &Map<String, Value>)> =
        rows.iter().map(|row| (key_of(row), *row)).collect();
    keyed.sort_by(|(a, _), (b, _)| match (a, b) {
        (Some(a), Some(b)) if order == SortOrder::Desc => b.cmp(a),
        (Some(a), Some(b)) => a.cmp(b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    for (row, (_, sorted)) in rows.iter_mut().zip(keyed) {
        *row = sorted;
    }
}

/// What a cell is sorted by. Kinds are in the order of the cases.
#[derive(Debug)]
enum SortKey {
    Boolean(bool),
    Number(Number),
    Time(i64),
    Text(String),
}

impl SortKey {
    fn of(cell: &Value, is_numeric: bool, kind: Option<&FieldType>) -> Option<Self> {
        match cell {
            Value::Null => None,
            Value::Bool(value) => Some(Self::Boolean(*value)),
            Value::Number(number) if is_numeric => Some(Self::Number(number.clone())),
            Value::String(text) if is_numeric => match text.trim().parse::<f64>() {
                Ok(number) => Number::from_f64(number).map(Self::Number),
                Err(_) => Some(Self::Text(text.to_lowercase())),
            },
            Value::String(text) if kind == Some(&FieldType::Date) => {
                Some(match text.parse::<Timestamp>() {
                    Ok(time) => Self::Time(time.millis()),
                    // The year comes first, so that the order of the letters is that of the days.
                    Err(_) => Self::Text(text.clone()),
                })
            }
            Value::String(text) => Some(Self::Text(text.to_lowercase())),
            value => Some(Self::Text(value.to_string())),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Boolean(_) => 0,
            Self::Number(_) => 1,
            Self::Time(_) => 2,
            Self::Text(_) => 3,
        }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Boolean(a), Self::Boolean(b)) => a.cmp(b),
            (Self::Number(a), Self::Number(b)) => compare_numbers(a, b),
            (Self::Time(a), Self::Time(b)) => a.cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

/// Compares integers exactly, and anything else as a fraction.
fn compare_numbers(a: &Number, b: &Number) -> Ordering {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => {
            let fraction = |number: &Number| number.as_f64().unwrap_or(f64::NAN);
            fraction(a).total_cmp(&fraction(b))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight_vocabulary::item::{Position, Widget};
    use serde_json::json;

    fn table(data: Value) -> Item {
        Item {
            content: Content::Widget(
                serde_json::from_value::<Widget>(json!({
                    "call": "call_1", "widget": "w", "fallback": "", "data": data,
                }))
                .expect("a widget"),
            ),
            id: ItemId::from("itm_1"),
            position: Position::default(),
            rev: 0,
            start: Timestamp::default(),
            end: None,
        }
    }

    fn cells(query: RowsQuery) -> Vec<Value> {
        let data = json!({
            "columns": [
                { "key": "n", "type": "number" }, { "key": "name" },
                { "key": "day", "type": "date" }, { "key": "open", "type": "boolean" },
            ],
            "rows": [
                { "n": 10, "name": "beta", "day": "2026-01-10", "open": true },
                { "n": 9, "name": "Alpha", "day": "2025-12-31", "open": false },
                { "n": "11.5", "name": "gamma", "day": "2026-01-09" },
                { "name": "Delta", "n": null, "open": false },
                { "n": 9_007_199_254_740_993_u64, "name": "ALPHA 2" },
            ],
        });
        let page = page(table(data), &query).expect("a table");
        assert_eq!(page.total, 5);
        page.rows
            .into_iter()
            .map(|row| row["name"].clone())
            .collect()
    }

    fn sorted(key: &str, order: SortOrder) -> Vec<Value> {
        let sort = Some(key.to_owned());
        cells(RowsQuery {
            sort,
            order,
            ..RowsQuery::default()
        })
    }

    #[test]
    fn rows_are_sorted_by_the_type_of_their_column_and_empty_cells_come_last() {
        use SortOrder::{Asc, Desc};
        assert_eq!(
            sorted("n", Asc),
            ["Alpha", "beta", "gamma", "ALPHA 2", "Delta"]
        );
        assert_eq!(
            sorted("n", Desc),
            ["ALPHA 2", "gamma", "beta", "Alpha", "Delta"]
        );
        assert_eq!(
            sorted("name", Asc),
            ["Alpha", "ALPHA 2", "beta", "Delta", "gamma"]
        );
        assert_eq!(
            sorted("day", Desc),
            ["beta", "gamma", "Alpha", "Delta", "ALPHA 2"]
        );
        assert_eq!(
            sorted("open", Asc),
            ["Alpha", "Delta", "beta", "gamma", "ALPHA 2"]
        );
    }

    #[test]
    fn rows_are_filtered_whatever_the_case_and_then_paged() {
        let filter = Some("aLPHa".to_owned());
        let query = RowsQuery {
            filter,
            ..RowsQuery::default()
        };
        assert_eq!(cells(query.clone()), ["Alpha", "ALPHA 2"]);
        assert_eq!(
            cells(RowsQuery {
                offset: 1,
                ..query.clone()
            }),
            ["ALPHA 2"]
        );
        assert_eq!(
            cells(RowsQuery {
                limit: Some(1),
                ..query.clone()
            }),
            ["Alpha"]
        );
        assert!(
            cells(RowsQuery {
                offset: usize::MAX,
                ..query
            })
            .is_empty()
        );
        let filter = Some("2026-01".to_owned());
        assert_eq!(
            cells(RowsQuery {
                filter,
                ..RowsQuery::default()
            }),
            ["beta", "gamma"]
        );
    }

    #[test]
    fn what_is_not_a_table_and_what_is_out_of_bounds_is_refused() {
        for data in [
            json!("text"),
            json!([1, 2]),
            json!({ "rows": [] }),
            json!(null),
        ] {
            let refused = page(table(data), &RowsQuery::default());
            assert_eq!(refused.expect_err("no table").code, ProblemCode::NotFound);
        }
        let list = || table(json!([{ "a": 1 }]));
        for query in [
            RowsQuery {
                limit: Some(0),
                ..RowsQuery::default()
            },
            RowsQuery {
                limit: Some(1_001),
                ..RowsQuery::default()
            },
            RowsQuery {
                sort: Some("b".to_owned()),
                ..RowsQuery::default()
            },
            RowsQuery {
                filter: Some("x".repeat(257)),
                ..RowsQuery::default()
            },
        ] {
            let refused = page(list(), &query);
            assert_eq!(refused.expect_err("refused").code, ProblemCode::Invalid);
        }
    }
}

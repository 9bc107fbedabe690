//! Kind `table`: rows and columns.

use super::row::{Row, Unwritable};
use crate::builder::setters;
use crate::display::FieldType;
use crate::outcome::Typed;
use crate::word::words;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A table.
///
/// ```
/// use footlight_vocabulary::kinds::{Align, Table};
/// use footlight_vocabulary::outcome::IntoOutcome;
///
/// #[derive(serde::Serialize)]
/// struct Day { name: &'static str, max: f32 }
///
/// let week = [Day { name: "Mon", max: 21.5 }, Day { name: "Tue", max: 19.0 }];
/// let table = Table::rows(&week)
///     .label("name", "Day")
///     .align("max", Align::Right);
/// assert_eq!(table.len(), 2);
///
/// let outcome = table.into_outcome()?;
/// assert!(outcome.data.starts_with(r#"{"columns":[{"key":"name","label":"Day"},{"key":"max","align":"right"}]"#));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub type Table = Typed<TableData>;

/// The data of kind `table`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TableData {
    /// The columns, from left to right.
    pub columns: Vec<Column>,
    /// The rows: objects with the keys of the columns. A missing member is an empty cell.
    pub rows: Vec<Map<String, Value>>,
    #[serde(skip_deserializing, skip_serializing_if = "Unwritable::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    unwritable: Unwritable,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Column {
    /// The member of the rows.
    pub key: String,
    /// The header; the key if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The format of the cells.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub column_type: Option<FieldType>,
    /// The alignment of the cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub align: Option<Align>,
}

words! {
    /// The alignment of a column.
    pub enum Align {
        /// Left.
        Left = "left",
        /// Centred.
        Center = "center",
        /// Right.
        Right = "right",
    }
}

impl Column {
    /// Creates a column for a member of the rows.
    pub fn new(key: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            label: None,
            column_type: None,
            align: None,
        }
    }

    setters! {
        /// Sets the header.
        label => label: String;
        /// Sets the format of the cells.
        typed => column_type: FieldType;
        /// Sets the alignment of the cells.
        align => align: Align;
    }

    /// Returns the header: the label, else the key.
    #[must_use]
    pub fn header(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.key)
    }
}

impl Table {
    /// Creates an empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a table of rows. Their fields become columns in the order of declaration.
    ///
    /// A row that is not an object has the column `value`. A field that only a later row has becomes
    /// the last column, so that no data is hidden.
    pub fn rows(rows: impl IntoIterator<Item = impl Serialize>) -> Self {
        let mut table = Self::new();
        for row in rows {
            table.data.push(Row::of(&row), true);
        }
        table
    }

    /// Adds a row. Without columns, the fields of the first row become columns.
    #[must_use]
    pub fn row(mut self, row: impl Serialize) -> Self {
        let derive = self.data.columns.is_empty();
        self.data.push(Row::of(&row), derive);
        self
    }

    /// Adds a column, or replaces the one with the same key.
    #[must_use]
    pub fn column(mut self, column: Column) -> Self {
        let at = self.data.column_mut(&column.key);
        *at = column;
        self
    }

    /// Sets the header of the column `key`; adds the column if it does not exist.
    #[must_use]
    pub fn label(mut self, key: &str, label: impl Into<String>) -> Self {
        self.data.column_mut(key).label = Some(label.into());
        self
    }

    /// Sets the format of the column `key`; adds the column if it does not exist.
    #[must_use]
    pub fn typed(mut self, key: &str, column_type: FieldType) -> Self {
        self.data.column_mut(key).column_type = Some(column_type);
        self
    }

    /// Sets the alignment of the column `key`; adds the column if it does not exist.
    #[must_use]
    pub fn align(mut self, key: &str, align: Align) -> Self {
        self.data.column_mut(key).align = Some(align);
        self
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.data.rows.len()
    }

    /// Reports whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data.rows.is_empty()
    }
}

impl TableData {
    fn push(&mut self, row: Result<Row, Unwritable>, derive: bool) {
        match row {
            Ok(Row { keys, members }) => {
                if derive {
                    for key in keys {
                        self.column_mut(&key);
                    }
                }
                self.rows.push(members);
            }
            Err(reason) => self.unwritable.note(reason),
        }
    }

    fn column_mut(&mut self, key: &str) -> &mut Column {
        let at = self.columns.iter().position(|column| column.key == key);
        let at = at.unwrap_or_else(|| {
            self.columns.push(Column::new(key));
            self.columns.len() - 1
        });
        &mut self.columns[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::IntoOutcome;
    use serde_json::json;
    use std::collections::BTreeMap;

    fn keys(table: &Table) -> Vec<&str> {
        let columns = table.data.columns.iter();
        columns.map(|column| column.key.as_str()).collect()
    }

    #[test]
    fn columns_keep_the_order_of_the_fields() {
        #[derive(Serialize)]
        struct Day {
            name: &'static str,
            max: f32,
            #[serde(skip_serializing_if = "Option::is_none")]
            alert: Option<&'static str>,
            a: u8,
        }
        let day = |name, alert| Day {
            name,
            max: 1.0,
            alert,
            a: 0,
        };
        let table = Table::rows([day("Mon", None), day("Tue", Some("storm"))]);
        assert_eq!(keys(&table), ["name", "max", "a", "alert"]);
    }

    #[test]
    fn row_that_is_no_object_becomes_a_value() {
        let table = Table::rows([json!(1), json!("b"), json!(null), json!([2])]);
        assert_eq!(keys(&table), ["value"]);
        assert_eq!(table.data.rows[3]["value"], json!([2]));
    }

    #[test]
    fn given_columns_are_not_extended_by_rows() {
        let table = Table::new()
            .column(Column::new("a"))
            .row(json!({ "a": 1, "b": 2 }))
            .row(json!({ "a": 3 }));
        assert_eq!((keys(&table), table.len()), (vec!["a"], 2));
    }

    #[test]
    fn row_that_cannot_be_written_is_reported_in_the_end_and_does_not_panic() {
        let row = BTreeMap::from([((1, 2), 3)]);
        let error = Table::rows([row]).summary("one").into_outcome();
        let message = error.expect_err("keys are no strings").to_string();
        assert!(message.contains("key must be a string"), "{message}");
    }

    #[test]
    fn table_survives_its_own_json() {
        let table = Table::rows([json!({ "a": 1 })]).align("a", Align::Right);
        let json = table.clone().into_outcome().expect("serialises").data;
        let read: TableData = serde_json::from_str(&json).expect("a table");
        assert_eq!(read, table.data);
    }
}

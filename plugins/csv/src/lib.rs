//! Answers questions about CSV files and JSON lines, of any size.
//!
//! | tool | what it returns |
//! | --- | --- |
//! | `summarise` | for each column its type, how many values it has, and their range |
//! | `filter` | rows for which conditions hold |
//! | `sort` | the first rows in the order of a column |
//! | `group` | for each value of a column the number of rows, and sums and means of another one |
//!
//! A file is read once, from start to end, through a buffer of fixed size (`rows`), so that memory
//! does not grow with the file. What cannot be known in advance has a bound: the number of columns and
//! groups, the length of a value. A result says what was left out or repaired (`rows::Repairs`).
//!
//! Values are text; what looks like a number is compared and added up as one (`value`).

#![forbid(unsafe_code)]

mod chart;
mod condition;
mod listing;
mod rows;
mod source;
mod tools;
mod value;

#[cfg(test)]
mod tests;

use footlight_sdk::prelude::*;

plugin!(
    tools: [tools::summarise, tools::filter, tools::sort, tools::group],
    widgets: ["csv-chart": chart::Groups],
    instructions: "Call `summarise` first: it tells you the columns. A condition is a column, an \
                   operator and a value, such as `price >= 10`.",
);

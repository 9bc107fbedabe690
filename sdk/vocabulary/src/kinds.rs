//! The well-known kinds of results.
//!
//! Each kind has a struct for its data, such as [`TableData`], and an alias for the whole result,
//! such as [`Table`], a [`Typed`](crate::outcome::Typed) with that data. [`Custom`] makes results of
//! other kinds.
//!
//! Invariant: no constructor fails or panics. The error of a value that does not serialize is kept
//! until `into_outcome`, so that builder chains need no `?`.
//!
//! To add a kind: a file here, its name in [`kind::WELL_KNOWN`](crate::kind::WELL_KNOWN), and a
//! line in `result`, `summary` and `schema`.

mod chart;
#[cfg(feature = "host")]
mod compare;
mod diff;
mod files;
#[cfg(feature = "host")]
pub(crate) mod fit;
mod image;
mod lists;
mod row;
mod structured;
mod table;
mod text;

#[cfg(feature = "host")]
pub(crate) use compare::Changes;

pub use chart::{Axis, Chart, ChartData, ChartType, Series};
pub use diff::{Diff, DiffData, Hunk};
pub use files::{Entry, EntryType, FileContent, FileContentData, FileList, FileListData};
pub use image::{Image, ImageData};
pub use lists::{Fact, Facts, FactsData, Level, List, ListData, ListItem, Log, LogData, LogLine};
pub use structured::{Custom, CustomData, Structured, StructuredData};
pub use table::{Align, Column, Table, TableData};
pub use text::{Code, CodeData, Link, LinkData, Markdown, MarkdownData, Text, TextData};

//! The well-known kinds, typed: what a plugin returns, and how a host reads it back.
//!
//! Each kind is a plain struct of data, such as [`TableData`], and a name for the whole result,
//! such as [`Table`], which is a [`Typed`](crate::outcome::Typed) with that data: the kind's own
//! constructors and the hints of every result on one value. A kind that is not here is made with
//! [`Custom`].
//!
//! Invariant: no constructor fails or panics. A value that cannot be written as JSON is
//! remembered and reported by `into_outcome`, so that a tool's builder chain needs no `?`.
//!
//! To add a kind: a file here, its name in [`kind::WELL_KNOWN`](crate::kind::WELL_KNOWN), and a
//! line in `result`, `summary` and `schema`.

mod text;

mod diff;

mod files;

mod table;

mod chart;

mod lists;

mod image;

mod structured;

mod row;

#[cfg(feature = "host")]
mod compare;

#[cfg(feature = "host")]
pub(crate) mod fit;

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

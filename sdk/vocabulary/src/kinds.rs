//! The well-known kinds of results.
//!
//! Each kind has a struct for its data, such as [`TableData`], and an alias for the whole result,
//! such as [`Table`], a [`Typed`](crate::outcome::Typed) with that data. [`Custom`] makes results of
//! other kinds.
//!
//! Invariant: no constructor fails or panics. The error of a value that does not serialize is kept
//! until `into_outcome`, so that builder chains need no `?`.
//!
//! To add a kind: a file here, a line in `well_known!`, and one in `summary`.

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
pub use files::{
    Entry, EntryType, FileContent, FileContentData, FileList, FileListData, language_of,
};
pub use image::{Image, ImageData};
pub use lists::{Fact, Facts, FactsData, Level, List, ListData, ListItem, Log, LogData, LogLine};
pub use structured::{Custom, CustomData, Structured, StructuredData};
pub use table::{Align, Column, Table, TableData};
pub use text::{Code, CodeData, Link, LinkData, Markdown, MarkdownData, Text, TextData};

use crate::outcome::KindData;

/// Declares the well-known kinds and the types of their data.
macro_rules! well_known {
    ($($kind:literal = $data:ident $(<$value:ident>)?,)+) => {
        /// The kinds whose data has a fixed shape.
        pub const WELL_KNOWN: &[&str] = &[$($kind),+];

        $(impl$(<$value: serde::Serialize>)? KindData for $data$(<$value>)? {
            const KIND: &'static str = $kind;
        })+

        /// Checks data against its kind. Data of a kind that is not well known always fits.
        #[cfg(feature = "host")]
        pub(crate) fn check(kind: &str, data: &serde_json::Value) -> Result<(), fit::FitError> {
            match kind {
                $($kind => fit::read::<$data>(data).map(drop),)+
                _ => Ok(()),
            }
        }

        /// Returns the JSON Schema of the data of each kind.
        #[cfg(feature = "schema")]
        pub(crate) fn schemas() -> Vec<(&'static str, serde_json::Value)> {
            vec![$(($kind, crate::schema::of::<$data>())),+]
        }
    };
}

well_known! {
    "text" = TextData,
    "diff" = DiffData,
    "file_content" = FileContentData,
    "file_list" = FileListData,
    "table" = TableData,
    "image" = ImageData,
    "structured" = StructuredData<T>,
    "markdown" = MarkdownData,
    "code" = CodeData,
    "chart" = ChartData,
    "facts" = FactsData,
    "list" = ListData,
    "log" = LogData,
    "link" = LinkData,
}

//! Tests of the rows and the tools on files in a temporary folder.

mod naive;
mod reading;
mod tools;

use crate::source::Source;
use footlight_sdk::prelude::*;
use footlight_sdk::{FailureCode, IntoOutcome};

/// A folder with one file, `t`.
struct Sample(tempfile::TempDir);

impl Sample {
    fn new(content: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("t"), content).expect("a file");
        Self(folder)
    }

    fn source<'a>(&self, stage: &'a Stage) -> Source<'a> {
        self.open(stage, "t").expect("a table")
    }

    fn open<'a>(&self, stage: &'a Stage, path: &str) -> Result<Source<'a>> {
        Source::open_in(stage, self.0.path(), path)
    }
}

/// What the model reads of a table.
fn for_model(table: Table) -> String {
    let outcome = table.into_outcome().expect("JSON");
    let more: Value = serde_json::from_str(&outcome.more.unwrap_or_default()).expect("hints");
    more["model"].as_str().expect("text").to_owned()
}

#[track_caller]
fn invalid_input<T>(result: Result<T>) -> String {
    let Err(failure) = result else {
        panic!("it must be refused");
    };
    assert_eq!(failure.code(), FailureCode::InvalidInput, "{failure:?}");
    failure.message().to_owned()
}

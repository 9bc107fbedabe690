//! Tests of the tools in a temporary folder.

mod reading;
mod searching;
mod writing;

use super::*;
use crate::folder::Folder;
use footlight_sdk::testing;
use footlight_sdk::{FailureCode, IntoOutcome};
use serde_json::Value;
use std::path::Path;

/// A folder with these files.
struct Sample(tempfile::TempDir);

impl Sample {
    fn new<C: AsRef<[u8]>>(files: impl IntoIterator<Item = (&'static str, C)>) -> Self {
        let sample = Self(tempfile::tempdir().expect("a folder"));
        for (name, content) in files {
            sample.write(name, content);
        }
        sample
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        let parent = path.parent().expect("a parent");
        std::fs::create_dir_all(parent).expect("a folder");
        std::fs::write(path, content).expect("a file");
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn folder(&self) -> Folder {
        Folder::at(self.path())
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).expect("a file")
    }

    /// The names of everything in the folder.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// What the model reads of a result.
fn for_model(result: impl IntoOutcome) -> String {
    let outcome = result.into_outcome().expect("JSON");
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

#[test]
fn paths_are_relative_to_the_folder_and_stay_inside() {
    let folder = Folder::at("/root");
    for (given, name) in [
        ("a.txt", "a.txt"),
        ("./a//b/./c.txt", "a/b/c.txt"),
        ("a/../b", "b"),
        ("/data/a", "a"),
        ("/data", "."),
        ("", "."),
        ("data/a", "data/a"),
        (" a ", " a "),
        ("..a/b..", "..a/b.."),
    ] {
        let place = folder.resolve(given).expect("inside");
        assert_eq!(place.name, name);
        let below = if name == "." { "" } else { name };
        assert_eq!(place.path, Path::new("/root").join(below));
    }
    for outside in [
        "..",
        "../a",
        "a/../../b",
        "/etc/passwd",
        "/",
        "/database",
        "/data/../etc",
        "//data/..",
        "a\0b",
    ] {
        invalid_input(folder.resolve(outside));
    }
    invalid_input(folder.file("."));
}

#[test]
fn every_tool_refuses_a_path_outside_the_folder() {
    let outside = serde_json::json!("../secret.txt");
    for (tool, arguments) in [
        ("list", &["folder"][..]),
        ("search", &["folder"]),
        ("read", &["path"]),
        ("show", &["path"]),
        ("diff", &["before"]),
        ("diff", &["after"]),
        ("write", &["path"]),
    ] {
        let mut input = serde_json::json!({
            "pattern": "a", "content": "a", "before": "/data", "after": "/data"
        });
        for argument in arguments {
            input[*argument] = outside.clone();
        }
        let stage = testing::stage();
        invalid_input(testing::run::<FootlightPlugin>(
            &stage,
            tool,
            &input.to_string(),
        ));
    }
}

#[test]
fn descriptions_say_when_to_show_and_when_to_read() {
    let tools = testing::describe::<FootlightPlugin>().tools;
    let description = |name: &str| {
        let mut tools = tools.iter();
        let tool = tools.find(|tool| tool.name == name).expect("a tool");
        let words: Vec<&str> = tool.description.split_whitespace().collect();
        words.join(" ")
    };
    assert!(description("show").contains("\"show me\""));
    assert!(description("show").contains("call `read`"));
    assert!(description("read").contains("to fix it"));
    assert!(description("read").contains("call `show`"));
}

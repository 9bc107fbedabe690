//! `list`: the entries of a folder.

use crate::folder::Folder;
use crate::glob::Globs;
use crate::walk::{Skipped, Walk};
use footlight_sdk::kinds::{Entry, EntryType};
use footlight_sdk::prelude::*;
use serde_json::{Value, json};

/// The most entries of a list.
const MAX_LISTED: usize = 1_000;

/// What to list.
pub(crate) struct Query {
    pub(crate) folder: String,
    pub(crate) depth: usize,
    pub(crate) globs: Vec<String>,
    pub(crate) hidden: bool,
}

pub(crate) fn run(stage: &Stage, folder: &Folder, query: &Query) -> Result<FileList> {
    let start = folder.resolve(&query.folder)?;
    let globs = Globs::new(&query.globs)?;
    let mut list = FileList::new(&start.name);
    let mut walk = Walk::new(stage, &start, query.depth, query.hidden)?;
    let prefix = match start.name.as_str() {
        "." => String::new(),
        name => format!("{name}/"),
    };
    for found in walk.by_ref() {
        let found = found?;
        let is_folder = found.entry_type == EntryType::Directory;
        let name = &found.place.name;
        // Globs choose files: a list of matching files has no folders in between.
        if (is_folder && !query.globs.is_empty()) || (!is_folder && !globs.admit(name)) {
            continue;
        }
        if list.data.entries.len() == MAX_LISTED {
            list = list.truncated();
            break;
        }
        let name = name.strip_prefix(&prefix).unwrap_or(name);
        let size = match found.entry_type {
            EntryType::File => std::fs::metadata(&found.place.path).ok(),
            _ => None,
        };
        list = list.entry(Entry {
            size: size.map(|metadata| metadata.len()),
            ..Entry::new(name, found.entry_type)
        });
    }
    if walk.is_cut {
        list = list.truncated();
    }
    Ok(with_skipped(list, walk.skipped))
}

/// Says what was passed over, to the person in the summary and to the model beside the entries.
fn with_skipped(list: FileList, skipped: Skipped) -> FileList {
    let words = skipped.in_words();
    if words.is_empty() {
        return list;
    }
    let count = list.data.entries.len();
    let entries = if count == 1 { "entry" } else { "entries" };
    let more = match list.data.truncated {
        true => ", there are more",
        false => "",
    };
    let words = words.join("; ");
    let summary = format!(
        "Listed {count} {entries} in {}{more}; {words}",
        list.data.path
    );
    let mut for_model = json!(list.data);
    for_model["skipped"] = Value::from(words);
    list.summary(summary).for_model(for_model)
}

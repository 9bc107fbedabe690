//! Listings of folders, a few entries at a time: a folder can have millions.

use super::FileResult;
use crate::sandbox::limits::Caps;
use cap_std::fs::{Dir, FileType, ReadDir};
use std::collections::VecDeque;

/// An entry of a folder.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) kind: FileType,
}

/// A folder that is being listed.
pub(crate) struct Listing(ReadDir);

impl Listing {
    pub(crate) fn open(dir: &Dir) -> FileResult<Self> {
        Ok(Self(dir.entries()?))
    }

    /// Returns the next entries, and none at the end. Names that are not Unicode are left out: a
    /// guest could not open them.
    pub(crate) fn next(&mut self) -> FileResult<VecDeque<Entry>> {
        let mut entries = VecDeque::new();
        for entry in self.0.by_ref() {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let mut kind = entry.file_type()?;
            if kind == FileType::unknown() {
                // Some file systems tell only when asked for each.
                kind = entry.metadata().map_or(kind, |about| about.file_type());
            }
            entries.push_back(Entry { name, kind });
            if entries.len() >= Caps::LISTED_ENTRIES {
                break;
            }
        }
        Ok(entries)
    }
}

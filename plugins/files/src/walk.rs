//! A bounded walk through a folder, in the order of names.
//!
//! Links are listed and never followed. Unless wanted, what starts with a dot, the folders `target` and
//! `node_modules`, and the content of folders that say that they are caches (`CACHEDIR.TAG`, as build
//! tools write it) are passed over, and counted.

use crate::folder::Place;
use footlight_sdk::kinds::EntryType;
use footlight_sdk::prelude::*;

/// The most entries that one walk sees.
pub(crate) const MAX_ENTRIES: usize = 50_000;

/// The folders that build tools and package managers fill.
const GENERATED: [&str; 2] = ["node_modules", "target"];

/// The number of entries after which the walk looks whether the call was cancelled.
const CANCEL_CHECK: usize = 64;

/// An entry of the folder.
pub(crate) struct Found {
    pub(crate) place: Place,
    pub(crate) entry_type: EntryType,
}

/// What a walk passed over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Skipped {
    pub(crate) folders: usize,
    pub(crate) files: usize,
}

impl Skipped {
    /// Returns each count that is not zero, with what was counted.
    pub(crate) fn in_words(self) -> Vec<String> {
        let counted = |count: usize, what: &str| {
            let plural = if count == 1 { "" } else { "s" };
            (count > 0).then(|| format!("{count} {what}{plural} skipped"))
        };
        let counts = [
            counted(self.folders, "hidden or generated folder"),
            counted(self.files, "hidden file"),
        ];
        counts.into_iter().flatten().collect()
    }
}

/// A walk, as an iterator over entries; a folder comes before its content.
pub(crate) struct Walk<'a> {
    stage: &'a Stage,
    hidden: bool,
    depth: usize,
    /// The entries that are still to be visited, one list for each level.
    levels: Vec<std::vec::IntoIter<Found>>,
    /// A folder whose content comes next.
    next: Option<Place>,
    seen: usize,
    /// Whether there were more entries than a walk sees.
    pub(crate) is_cut: bool,
    /// The folders that could not be read.
    pub(crate) unreadable: usize,
    /// What is not wanted.
    pub(crate) skipped: Skipped,
}

impl<'a> Walk<'a> {
    /// Starts a walk that descends at most `depth` levels.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub(crate) fn new(stage: &'a Stage, start: &Place, depth: usize, hidden: bool) -> Result<Self> {
        let mut walk = Self {
            stage,
            hidden,
            depth,
            levels: Vec::new(),
            next: None,
            seen: 0,
            is_cut: false,
            unreadable: 0,
            skipped: Skipped::default(),
        };
        let entries = walk.entries(start).map_err(|error| start.failure(&error))?;
        walk.levels.push(entries.into_iter());
        Ok(walk)
    }

    /// Returns the entries of a folder, sorted by name.
    fn entries(&mut self, folder: &Place) -> std::io::Result<Vec<Found>> {
        let mut entries = Vec::new();
        let mut skipped = self.skipped;
        for entry in std::fs::read_dir(&folder.path)? {
            if self.seen == MAX_ENTRIES {
                self.is_cut = true;
                break;
            }
            self.seen += 1;
            let entry = entry?;
            // A name that is not text cannot be given to a model, nor come back from it.
            let Ok(name) = entry.file_name().into_string() else {
                self.unreadable += 1;
                continue;
            };
            if !self.hidden && name == "CACHEDIR.TAG" && !self.levels.is_empty() {
                // The folder counts, and nothing in it.
                self.skipped.folders += 1;
                return Ok(Vec::new());
            }
            let file_type = entry.file_type()?;
            let is_generated = file_type.is_dir() && GENERATED.contains(&name.as_str());
            if !self.hidden && (name.starts_with('.') || is_generated) {
                match file_type.is_dir() {
                    true => skipped.folders += 1,
                    false => skipped.files += 1,
                }
                continue;
            }
            let entry_type = match () {
                () if file_type.is_dir() => EntryType::Directory,
                () if file_type.is_file() => EntryType::File,
                () if file_type.is_symlink() => EntryType::Symlink,
                // Devices, pipes and sockets are not for a plugin.
                () => continue,
            };
            let place = folder.child(&name);
            entries.push(Found { place, entry_type });
        }
        self.skipped = skipped;
        entries.sort_by(|a, b| a.place.name.cmp(&b.place.name));
        Ok(entries)
    }

    fn step(&mut self) -> Result<Option<Found>> {
        if let Some(folder) = self.next.take()
            && self.levels.len() < self.depth
        {
            match self.entries(&folder) {
                Ok(entries) => self.levels.push(entries.into_iter()),
                Err(_) => self.unreadable += 1,
            }
        }
        while let Some(level) = self.levels.last_mut() {
            let Some(found) = level.next() else {
                self.levels.pop();
                continue;
            };
            if found.entry_type == EntryType::Directory {
                self.next = Some(found.place.clone());
            }
            return Ok(Some(found));
        }
        Ok(None)
    }
}

impl Iterator for Walk<'_> {
    type Item = Result<Found>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.seen.is_multiple_of(CANCEL_CHECK)
            && let Err(cancelled) = self.stage.ensure_not_cancelled()
        {
            return Some(Err(cancelled));
        }
        self.step().transpose()
    }
}

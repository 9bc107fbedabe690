//! Notices saves: the folder of a plugin, and those of the crates beside it that a crate is built from, are
//! read again and again, and compared by path, size and time of change.
//!
//! Reading a few hundred entries takes a millisecond, works on every file system, and tells at once when a
//! save is complete: when two readings are equal.
//!
//! Invariant: what a build writes is no save. `target`, the other folders that tools write, hidden files and
//! `Cargo.lock` do not count.

use super::Event;
use crate::plugin_source::quick::QuickBuilder;
use crate::plugin_source::{Toolchain, cargo};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant, SystemTime};

/// How long to wait between two readings.
const INTERVAL: Duration = Duration::from_millis(80);

/// A reading that takes longer is done more rarely: it takes at most this part of the time.
const PART: u32 = 10;

/// How long a folder may go on changing until it is built all the same.
const MAX_UNREST: Duration = Duration::from_secs(2);

/// How many files are compared, and how deep they are.
const MAX_FILES: usize = 20_000;
const MAX_DEPTH: usize = 16;

/// The files of some folders: their sizes and times of change.
type Reading = HashMap<PathBuf, (u64, Option<SystemTime>)>;

/// What is watched. Clones share it.
#[derive(Clone)]
pub(super) struct Watched {
    folder: PathBuf,
    toolchain: Toolchain,
    /// Whether the crates that it is built from may be others now.
    is_stale: Arc<AtomicBool>,
}

impl Watched {
    pub(super) fn new(builder: &QuickBuilder) -> Self {
        let toolchain = builder.toolchain();
        Self {
            folder: builder.folder().to_owned(),
            toolchain,
            is_stale: Arc::new(AtomicBool::new(toolchain == Toolchain::Cargo)),
        }
    }

    /// The first build may have made what tells the folders of the other crates.
    pub(super) fn look_again(&self) {
        let is_crate = self.toolchain == Toolchain::Cargo;
        self.is_stale.store(is_crate, Ordering::Relaxed);
    }

    /// Watches for as long as somebody receives what is noticed.
    pub(super) fn spawn(self, events: Sender<Event>) {
        // On this thread: what is saved from now on is noticed.
        let outputs = self.toolchain.outputs();
        let mut known = reading(std::slice::from_ref(&self.folder), outputs);
        std::thread::spawn(move || {
            let mut folders = vec![self.folder.clone()];
            let mut unrest: Option<Instant> = None;
            let mut pause = INTERVAL;
            loop {
                std::thread::sleep(pause);
                let before = Instant::now();
                let now = reading(&folders, outputs);
                let changed = changed(&known, &now);
                let is_manifest = |path: &&Path| path.file_name() == Some("Cargo.toml".as_ref());
                if changed.iter().any(is_manifest) {
                    self.look_again();
                }
                let rests = changed.is_empty();
                if !rests && unrest.is_none() {
                    unrest = Some(before);
                }
                known = now;
                pause = INTERVAL.max(before.elapsed() * PART);
                if unrest.is_some_and(|since| rests || since.elapsed() > MAX_UNREST) {
                    let since = unrest.take().unwrap_or(before);
                    if events.send(Event::Saved(since)).is_err() {
                        return;
                    }
                } else if rests && self.is_stale.swap(false, Ordering::Relaxed) {
                    let before = folders;
                    folders = cargo::source_folders(&self.folder);
                    // What is watched from now on was not saved just now.
                    let added = folders.iter().filter(|folder| !before.contains(folder));
                    known.extend(reading(&added.cloned().collect::<Vec<_>>(), outputs));
                    known.retain(|path, _| folders.iter().any(|folder| path.starts_with(folder)));
                }
            }
        });
    }
}

/// Reads folders, without those of these names.
fn reading(folders: &[PathBuf], outputs: &[&str]) -> Reading {
    let mut reading = Reading::new();
    for folder in folders {
        read(folder, outputs, 0, &mut reading);
    }
    reading
}

/// Returns what differs between two readings.
fn changed<'a>(before: &'a Reading, now: &'a Reading) -> Vec<&'a Path> {
    let differs =
        |(path, file): &(&'a PathBuf, &(u64, Option<SystemTime>))| before.get(*path) != Some(file);
    let changed = now.iter().filter(differs).map(|(path, _)| path.as_path());
    let gone = before.keys().filter(|path| !now.contains_key(*path));
    changed.chain(gone.map(PathBuf::as_path)).collect()
}

/// Reads a folder. Links to folders are not followed: they may lead back.
fn read(folder: &Path, outputs: &[&str], depth: usize, reading: &mut Reading) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let (name, path) = (entry.file_name(), entry.path());
        let name = name.to_string_lossy();
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if reading.len() >= MAX_FILES || is_ignored(&name) {
            continue;
        }
        if kind.is_dir() {
            let is_output = path.join("CACHEDIR.TAG").exists() || outputs.contains(&&*name);
            if depth < MAX_DEPTH && !is_output {
                read(&path, outputs, depth + 1, reading);
            }
        } else if let Ok(metadata) = fs::metadata(&path)
            && metadata.is_file()
        {
            reading.insert(path, (metadata.len(), metadata.modified().ok()));
        }
    }
}

/// Reports whether an entry is hidden, is written by cargo, or is an editor's own.
fn is_ignored(name: &str) -> bool {
    let is_editors = [".swp", ".tmp", "~"].iter().any(|end| name.ends_with(end));
    name.starts_with('.') || name == "Cargo.lock" || name == "4913" || is_editors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_save_differs_and_what_a_build_or_an_editor_writes_does_not() {
        let root = tempfile::tempdir().expect("a folder for the test");
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("is made");
            fs::write(path, text).expect("is written");
        };
        let folders = [root.path().to_owned()];
        let reading = || reading(&folders, Toolchain::Cargo.outputs());
        write("src/lib.rs", "a");
        write("target/CACHEDIR.TAG", "");
        let mut before = reading();
        for quiet in [
            "target/debug/x",
            "Cargo.lock",
            ".git/index",
            "src/.lib.rs.swp",
            "src/lib.rs~",
        ] {
            write(quiet, quiet);
            let now = reading();
            assert!(changed(&before, &now).is_empty(), "{quiet}");
        }
        for saved in [
            "src/lib.rs",
            "plugin.toml",
            "card.widget",
            "src/target/mod.rs",
        ] {
            write(saved, saved);
            let now = reading();
            assert_eq!(changed(&before, &now), [root.path().join(saved)]);
            before = now;
        }
        fs::remove_file(root.path().join("card.widget")).expect("is removed");
        assert_eq!(changed(&before, &reading()).len(), 1);
    }

    #[test]
    fn what_componentize_writes_is_no_save_of_a_plugin_in_python() {
        let root = tempfile::tempdir().expect("a folder for the test");
        let folders = [root.path().to_owned()];
        let files = |toolchain: Toolchain| reading(&folders, toolchain.outputs()).len();
        for path in [
            "build/demo.wasm",
            "__pycache__/plugin.pyc",
            "footlight/ui.py",
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("is made");
            fs::write(path, "").expect("is written");
        }
        assert_eq!(files(Toolchain::Python), 1);
        assert_eq!(
            files(Toolchain::Cargo),
            3,
            "a crate can call its folders so"
        );
    }
}

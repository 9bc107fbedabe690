//! The size of a folder on disk. Also compiled into the tests of the command line, which do not need the rest.

use std::fs;
use std::path::Path;

/// Returns how many bytes the files below a folder have.
///
/// # Panics
/// When a folder cannot be read.
#[must_use]
pub fn folder_size(path: &Path) -> u64 {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            let entries = fs::read_dir(path).expect("a folder").flatten();
            entries.map(|entry| folder_size(&entry.path())).sum()
        }
        Ok(found) => found.len(),
        // Deleted meanwhile.
        Err(_) => 0,
    }
}

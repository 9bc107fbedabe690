//! Tests that only concern a store on disk.

mod bounded;
mod child;
mod damage;
mod files;
mod full;
mod kill;
mod owners;
mod processes;

use super::SqliteStore;
use std::path::Path;

fn open(folder: &Path) -> SqliteStore {
    SqliteStore::open(folder).expect("opens")
}

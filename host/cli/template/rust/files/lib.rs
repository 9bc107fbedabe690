//! A plugin that reads a folder.

#![forbid(unsafe_code)]

use footlight_sdk::prelude::*;
use std::fs;
use std::io;
use std::path::Path;

/// Finds the notes that contain a word.
#[tool(read_only, example = "Which notes mention the roof?")]
fn find(
    /// The word to look for.
    #[arg(length = 1..=80)]
    word: String,
) -> Result<Vec<String>> {
    Ok(notes_with(&word, Path::new("/notes"))?)
}

/// Returns the names of the files in a folder that contain a word. A file that is no text contains none.
fn notes_with(word: &str, folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let contains = |text: String| text.to_lowercase().contains(&word.to_lowercase());
        if entry.file_type()?.is_file() && fs::read_to_string(entry.path()).is_ok_and(contains) {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

plugin!(tools: [find]);

#[test]
fn only_notes_with_the_word_are_found() {
    let folder = std::env::temp_dir().join(format!("{{id}}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the test");
    fs::write(folder.join("house.txt"), "The Roof leaks.").expect("is written");
    fs::write(folder.join("shop.txt"), "Milk").expect("is written");
    let found = notes_with("roof", &folder).expect("is read");
    fs::remove_dir_all(&folder).expect("is removed");
    assert_eq!(found, ["house.txt"]);
}

//! Checks the tables of attacks in `adversarial/`: every row names tests or data of tests that exist, or says with `-`
//! that there is nothing to attack.

use crate::promises::has_test;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const TABLES: [(&str, &str); 2] = [
    ("files.md", include_str!("adversarial/files.md")),
    ("network.md", include_str!("adversarial/network.md")),
];

/// Where tests and their data are.
const FOLDERS: [&str; 2] = ["tests", "host/core/src"];

fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("tests/ is in the workspace").into()
}

/// Returns the paths of all files with tests or data, relative to the repository.
fn files() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders: Vec<String> = FOLDERS.map(str::to_owned).into();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = format!("{folder}/{}", entry.file_name().display());
            match entry.file_type().expect("a type") {
                // What is built.
                kind if kind.is_dir() && entry.file_name() == "target" => {}
                kind if kind.is_dir() => folders.push(path),
                _ => found.push(path),
            }
        }
    }
    found
}

/// Reports whether a module path can mean a file: its path ends so, or that of the module around it if the path
/// is that of an inner module `tests`.
fn is_meant(file: &str, module: &str) -> bool {
    let ends = |module: &str| file.ends_with(&format!("/{}.rs", module.replace("::", "/")));
    ends(module) || module.strip_suffix("::tests").is_some_and(ends)
}

/// Returns what is wrong with the last cell of a row.
fn wrong_with(cell: &str, files: &[String]) -> Option<String> {
    if cell == "-" {
        return None;
    }
    let mut proofs = 0;
    for name in cell.split('`').skip(1).step_by(2) {
        let found = if let Some((module, test)) = name.rsplit_once("::") {
            let has_it = |file: &&String| {
                let source = std::fs::read_to_string(root().join(file));
                is_meant(file, module) && has_test(&source.unwrap_or_default(), test)
            };
            files.iter().filter(has_it).count()
        } else if name.ends_with(".txt") {
            let ending = format!("/{name}");
            files.iter().filter(|file| file.ends_with(&ending)).count()
        } else {
            // A tool or an argument within a test.
            continue;
        };
        if found != 1 {
            return Some(format!("{found} tests are `{name}`"));
        }
        proofs += 1;
    }
    (proofs == 0).then(|| "it names no test".to_owned())
}

#[test]
fn every_attack_of_the_tables_has_a_test_that_exists() {
    let files = files();
    let mut wrong = BTreeSet::new();
    for (table, text) in TABLES {
        let rows = text.lines().filter(|line| line.starts_with("| ")).skip(2);
        for row in rows {
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            let [number, attack, _, tests] = cells[..] else {
                panic!("four cells: {row}");
            };
            if let Some(what) = wrong_with(tests, &files) {
                wrong.insert(format!("{table} {number} {attack}: {what}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_row_without_a_test_is_noticed() {
    let files = files();
    let own = "`adversarial::a_row_without_a_test_is_noticed`";
    assert_eq!(wrong_with(own, &files), None);
    for cell in [
        "",
        "the same",
        "`read_stdin`",
        "`adversarial::files`",
        "`adversarial::no_such_test`",
        "`nowhere::a_row_without_a_test_is_noticed`",
        "`none.txt`",
    ] {
        assert!(wrong_with(cell, &files).is_some(), "{cell}");
    }
}

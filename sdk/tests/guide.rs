//! The pages of the authoring guide: compiled, linked, and with manifests that a host accepts.
//!
//! `components.md` and `results.md` are generated: `tests/guide.rs` of the workspace writes and checks them.

use footlight_vocabulary::manifest::Manifest;
use std::path::{Path, PathBuf};

fn guide() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("guide")
}

/// Returns the pages.
fn pages() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(guide()).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect()
}

#[test]
fn every_page_is_compiled_and_linked_from_the_readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| std::fs::read_to_string(path).expect("readable");
    let (readme, library) = (
        read(&root.join("README.md")),
        read(&root.join("src/guide.rs")),
    );
    for page in pages() {
        let name = page
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name");
        assert!(
            readme.contains(&format!("]: guide/{name}\n")),
            "the README links {name}"
        );
        assert!(
            library.contains(&format!("../guide/{name}\"")),
            "src/guide.rs includes {name}"
        );
    }
}

#[test]
fn the_widget_file_of_the_guide_is_the_one_that_is_compiled() {
    let page = std::fs::read_to_string(guide().join("widget-file.md")).expect("readable");
    let block = |language: &str| {
        let rest = page
            .split(&format!("```{language}\n"))
            .nth(1)
            .expect("a block");
        rest.split("```").next().expect("ends").to_owned()
    };
    assert_eq!(block("json"), include_str!("accepted/sky.widget"));
    let compiled: Vec<&str> = include_str!("accepted/widget_file.rs")
        .lines()
        .map(str::trim)
        .collect();
    for line in block("rust,ignore").lines() {
        assert!(compiled.contains(&line.trim()), "{line}");
    }
}

#[test]
fn the_manifests_of_the_pages_are_accepted() {
    let mut manifests = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("readable");
        for block in text.split("```toml\n").skip(1) {
            let block = block.split("```").next().unwrap_or_default();
            if block.contains("[plugin]") {
                manifests += 1;
                Manifest::parse(block)
                    .unwrap_or_else(|wrong| panic!("{}: {wrong}", page.display()));
            }
        }
    }
    assert_eq!(manifests, 3);
}

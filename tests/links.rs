//! Every link between the documents leads somewhere: to a file or a folder that is there, and to a heading in it.

use std::path::{Path, PathBuf};

/// The documents that people read: these files, and every file of these folders.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "docs",
    "sdk/README.md",
    "sdk/guide",
    "wit/README.md",
    "host/core/README.md",
    "tests/fuzz/README.md",
];

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

pub(crate) fn documents() -> Vec<PathBuf> {
    fn walk(path: PathBuf, found: &mut Vec<PathBuf>) {
        if path.is_dir() {
            for entry in std::fs::read_dir(path).expect("is read") {
                walk(entry.expect("is read").path(), found);
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    let mut found = Vec::new();
    for document in DOCUMENTS {
        let path = root().join(document);
        assert!(path.exists(), "{document} is there");
        walk(path, &mut found);
    }
    found.sort();
    found
}

/// Returns the text without blocks and pieces of code, whose brackets are no links.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code && !line.starts_with("    ") {
            let outside = line.split('`').step_by(2);
            prose.push_str(&outside.collect::<Vec<_>>().join("`"));
            prose.push('\n');
        }
    }
    prose
}

/// Returns the targets of the links in a text, and of the definitions that links and pictures name.
fn targets(text: &str) -> Vec<String> {
    let prose = prose(text);
    let parts = prose.split("](").skip(1);
    let targets = parts.filter_map(|part| Some(part.split_once(')')?.0));
    let definitions = prose.lines().filter(|line| line.starts_with('['));
    let definitions = definitions.filter_map(|line| Some(line.split_once("]: ")?.1));
    targets.chain(definitions).map(str::to_owned).collect()
}

/// Returns the anchor of each heading, as GitHub and mdbook make it.
fn anchors(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut anchors = Vec::new();
    for line in text.lines() {
        is_code ^= line.trim_start().starts_with("```");
        let Some(heading) = line.strip_prefix('#').filter(|_| !is_code) else {
            continue;
        };
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let letters = heading.chars().filter_map(|letter| match letter {
            ' ' => Some('-'),
            letter if letter.is_alphanumeric() || "-_".contains(letter) => Some(letter),
            _ => None,
        });
        anchors.push(letters.collect());
    }
    anchors
}

#[test]
fn every_relative_link_and_anchor_resolves() {
    let mut broken = Vec::new();
    let mut checked = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("is text");
        for target in targets(&text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            checked += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let linked = match path {
                "" => document.clone(),
                path => document.parent().expect("a folder").join(path),
            };
            let has_anchor = || {
                let text = std::fs::read_to_string(&linked).unwrap_or_default();
                anchors(&text).iter().any(|known| known == anchor)
            };
            if !linked.exists() || (!anchor.is_empty() && !has_anchor()) {
                broken.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(checked > 20, "{checked} links were found");
    assert!(broken.is_empty(), "these links lead nowhere: {broken:#?}");
}

#[test]
fn links_and_anchors_are_found() {
    let text = "# One `two`, three\n[a](b.md#c) `[x](y)`\n```\n[z](z)\n# no\n```\n    [i](i)\n![p](q.png)\n[r]: s.svg\n";
    assert_eq!(targets(text), ["b.md#c", "q.png", "s.svg"]);
    assert_eq!(anchors(text), ["one-two-three"]);
}

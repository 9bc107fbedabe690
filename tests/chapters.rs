//! The chapters of the book: every document is one, their links lead somewhere, and their code is what they say.

use crate::links::{documents, root};
use crate::tidy::files;
use footlight::model::Script;
use footlight_tests::programs::program;
use footlight_vocabulary::manifest::Manifest;
use scraper::{Html, Selector};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Documents whose examples are compiled as they are, with the documentation of a crate.
const DOCTESTS: &[&str] = &["sdk/README.md", "sdk/guide/", "host/core/README.md"];

/// The chapters, as paths from the root of the repository.
fn chapters() -> Vec<String> {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("a summary");
    let links = summary
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'));
    let paths = links.map(|(link, _)| match link.strip_prefix("../") {
        Some(outside) => outside.to_owned(),
        None => format!("docs/{link}"),
    });
    paths.collect()
}

#[test]
fn every_document_is_a_chapter() {
    let chapters = chapters();
    let mut missing = Vec::new();
    for document in documents() {
        let path = document
            .strip_prefix(root())
            .expect("in the repository")
            .display()
            .to_string();
        if path != "docs/SUMMARY.md" && !chapters.contains(&path) {
            missing.push(path);
        }
    }
    assert!(
        missing.is_empty(),
        "docs/SUMMARY.md does not list {missing:?}"
    );
}

/// Removes `..` from a path without looking at the disk.
fn resolved(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(resolved.pop()),
            other => resolved.push(other),
        }
    }
    resolved
}

/// Returns every page of the book with what it links and the anchors that it has.
fn pages(folder: &Path, found: &mut BTreeMap<PathBuf, (Vec<String>, BTreeSet<String>)>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the book") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            pages(&path, found);
        // The page for an address that is not there has paths from the root of a site.
        } else if path
            .extension()
            .is_some_and(|extension| extension == "html")
            && !path.ends_with("404.html")
        {
            let page = Html::parse_document(&std::fs::read_to_string(&path).expect("a page"));
            let all = Selector::parse("[href], [src], [id]").expect("a selector");
            let (mut links, mut anchors) = (Vec::new(), BTreeSet::new());
            for element in page.select(&all) {
                let link = element.attr("href").or(element.attr("src"));
                links.extend(link.map(str::to_owned));
                anchors.extend(element.attr("id").map(str::to_owned));
            }
            found.insert(path, (links, anchors));
        }
    }
}

#[test]
fn mdbook_builds_the_chapters_and_their_links_lead_somewhere() {
    let remedy = "cargo install --locked mdbook@0.5.4 --no-default-features --features search";
    let Some(_) = program("mdbook", remedy) else {
        return;
    };
    let built = Command::new(root().join(".ci/book"))
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    assert!(!said.contains("WARN") && !said.contains("ERROR"), "{said}");

    let html = root()
        .join("target/book/html")
        .canonicalize()
        .expect("the book");
    let mut site = BTreeMap::new();
    pages(&html, &mut site);
    assert!(site.len() > chapters().len(), "{} pages", site.len());
    let (mut broken, mut checked) = (Vec::new(), 0);
    for (page, (links, _)) in &site {
        for link in links {
            if link.contains("://") || link.starts_with("data:") || link.starts_with("mailto:") {
                continue;
            }
            checked += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = match path.split('?').next().unwrap_or_default() {
                "" => page.clone(),
                path => resolved(&page.parent().expect("a folder").join(path)),
            };
            let has_anchor = || match site.get(&path) {
                Some((_, anchors)) => anchors.contains(anchor),
                None => false,
            };
            if !path.is_file() || (!anchor.is_empty() && !has_anchor()) {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(checked > 1_000, "{checked} links were found");
    assert!(
        broken.is_empty(),
        "these links of the book lead nowhere: {broken:#?}"
    );
}

/// A block of code: where it is, its language with what is said of it, and its text.
struct Block {
    at: String,
    info: String,
    text: String,
}

impl Block {
    fn language(&self) -> &str {
        self.info.split(',').next().unwrap_or_default()
    }
}

fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    for chapter in chapters() {
        let text = std::fs::read_to_string(root().join(&chapter)).expect("a chapter");
        let mut open: Option<Block> = None;
        for (number, line) in text.lines().enumerate() {
            match (line.trim_start().strip_prefix("```"), &mut open) {
                (Some(info), None) => {
                    open = Some(Block {
                        at: format!("{chapter}:{}", number + 1),
                        info: info.to_owned(),
                        text: String::new(),
                    });
                }
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (None, Some(block)) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, None) => {}
            }
        }
    }
    blocks
}

/// Reports whether the lines are lines of the source, in the same order.
fn is_quoted_from(lines: &[&str], source: &str) -> bool {
    let mut source = source.lines().map(str::trim);
    lines.iter().all(|line| source.any(|other| other == *line))
}

#[test]
fn every_block_of_rust_is_compiled() {
    let sources: Vec<String> = files("rs")
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("text"))
        .collect();
    let (blocks, mut checked, mut loose) = (blocks(), 0, Vec::new());
    for block in blocks
        .iter()
        .filter(|block| ["rust", "no_run", ""].contains(&block.language()))
    {
        checked += 1;
        let is_doctest = DOCTESTS
            .iter()
            .any(|document| block.at.starts_with(document));
        let is_left_out = block.info.contains("ignore") || block.info.contains("text");
        let lines: Vec<&str> = block
            .text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let is_compiled = is_doctest && !is_left_out;
        if !is_compiled && !sources.iter().any(|source| is_quoted_from(&lines, source)) {
            loose.push(&block.at);
        }
    }
    assert!(checked > 60, "{checked} blocks were found");
    assert!(
        loose.is_empty(),
        "neither a doctest nor quoted from a source file: {loose:#?}"
    );
}

/// Says what is wrong with a block of data.
fn problem(block: &Block) -> Option<String> {
    let text = &block.text;
    match block.language() {
        "toml" if text.contains("[plugin]") => {
            Manifest::parse(text).err().map(|why| why.to_string())
        }
        "toml" => toml::from_str::<toml::Table>(text)
            .err()
            .map(|why| why.to_string()),
        "json" => serde_json::from_str::<Value>(text)
            .err()
            .map(|why| why.to_string()),
        // The only YAML is a script for a model.
        "yaml" => Script::parse("script", text)
            .err()
            .map(|why| why.to_string()),
        // Checked by other tests: `sh` by those of the command line.
        "rust" | "no_run" | "" | "js" | "python" | "sh" | "text" => None,
        other => Some(format!("`{other}` is checked nowhere")),
    }
}

#[test]
fn every_block_of_data_is_valid() {
    for block in blocks() {
        if let Some(problem) = problem(&block) {
            panic!("{}: {problem}", block.at);
        }
    }
}

#[test]
fn every_block_of_javascript_and_python_parses() {
    let folder = tempfile::tempdir().expect("a folder");
    for (language, name, words) in [
        ("js", "node", &["--check", "block.mjs"][..]),
        ("python", "python3", &["-m", "py_compile", "block.py"]),
    ] {
        let Some(interpreter) = program(name, "install it from Debian") else {
            continue;
        };
        for block in blocks().iter().filter(|block| block.language() == language) {
            let file = words.last().expect("a file");
            std::fs::write(folder.path().join(file), &block.text).expect("writable");
            let checked = Command::new(&interpreter)
                .args(words)
                .current_dir(folder.path())
                .output()
                .expect("starts");
            assert!(
                checked.status.success(),
                "{}: {}",
                block.at,
                String::from_utf8_lossy(&checked.stderr)
            );
        }
    }
}

#[test]
fn quoted_lines_are_found_in_their_order() {
    let source = "fn a() {\n    b();\n\n    c();\n}\n";
    assert!(is_quoted_from(&["fn a() {", "c();", "}"], source));
    assert!(!is_quoted_from(&["c();", "b();"], source));
}

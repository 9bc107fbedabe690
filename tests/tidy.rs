//! Rules of the repository that a reviewer would otherwise have to check by eye.

mod language;
mod source;

use std::path::{Path, PathBuf};
use wit_parser::{Docs, Resolve, TypeDefKind};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The path as seen from the root of the repository, with `/` on every platform.
fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).expect("a path of the repository");
    path.to_string_lossy().replace('\\', "/")
}

/// Folders that builds and tools write.
const GENERATED: &[&str] = &[
    "target",
    "corpus",
    "artifacts",
    "node_modules",
    "__pycache__",
];

/// Every file of the repository with this extension.
pub(crate) fn files(extension: &str) -> Vec<PathBuf> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder of the repository") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if !path.is_dir() {
                found.push(path);
            } else if !name.starts_with('.') && !GENERATED.contains(&&*name) {
                walk(&path, found);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root(), &mut found);
    found.retain(|path| path.extension().is_some_and(|found| found == extension));
    found.sort();
    assert!(!found.is_empty(), "there are .{extension} files");
    found
}

#[test]
fn every_rust_file_says_what_it_is_for() {
    let silent: Vec<_> = files("rs")
        .into_iter()
        .filter(|path| !read(path).trim_start().starts_with("//!"))
        .collect();
    assert!(
        silent.is_empty(),
        "these do not open with `//!`: {silent:#?}"
    );
}

#[test]
fn no_file_is_long_and_most_are_short() {
    let files = files("rs");
    let longer_than = |limit: usize| -> Vec<String> {
        let long = files
            .iter()
            .filter(|path| read(path).lines().count() > limit);
        long.map(|path| relative(path)).collect()
    };
    assert_eq!(longer_than(500), [""; 0], "longer than 500 lines");
    let long = longer_than(400);
    assert!(
        long.len() * 8 < files.len(),
        "{} of {} files have more than 400 lines: {long:#?}",
        long.len(),
        files.len()
    );
}

#[test]
fn every_crate_forbids_unsafe_code_but_for_one_loader() {
    let exceptions = ["sdk/src/lib.rs", "host/core/src/lib.rs"];
    for root_file in files("rs") {
        let crate_root = ["src/lib.rs", "src/main.rs"]
            .iter()
            .any(|name| root_file.ends_with(name));
        if crate_root
            && !exceptions
                .iter()
                .any(|exception| root_file.ends_with(exception))
        {
            assert!(
                read(&root_file).contains("#![forbid(unsafe_code)]"),
                "{}",
                root_file.display()
            );
        }
    }
    // The generated bindings need it, in a component and nowhere else.
    assert!(
        read("sdk/src/lib.rs")
            .contains("cfg_attr(not(target_family = \"wasm\"), forbid(unsafe_code))")
    );
    // Loading compiled code needs it, in one file.
    assert!(read("host/core/src/lib.rs").contains("#![deny(unsafe_code)]"));
    let allowed = ["allow(", "unsafe_code"].concat();
    let with: Vec<_> = files("rs")
        .into_iter()
        .filter(|path| {
            read(path)
                .split_whitespace()
                .collect::<String>()
                .contains(&allowed)
        })
        .collect();
    assert!(
        matches!(with.as_slice(), [one] if one.ends_with("host/core/src/plugin/cache/trusted.rs")),
        "{with:#?}"
    );
}

#[test]
fn every_item_of_the_contract_is_documented() {
    let mut resolve = Resolve::default();
    let (package, _) = resolve
        .push_path(root().join("wit"))
        .expect("the contract parses");
    let mut silent = Vec::new();
    let mut check = |name: String, docs: &Docs| {
        if docs
            .contents
            .as_deref()
            .is_none_or(|docs| docs.trim().is_empty())
        {
            silent.push(name);
        }
    };
    check("package".into(), &resolve.packages[package].docs);
    for (name, world) in &resolve.packages[package].worlds {
        check(format!("world {name}"), &resolve.worlds[*world].docs);
    }
    for (name, id) in &resolve.packages[package].interfaces {
        let interface = &resolve.interfaces[*id];
        check(format!("interface {name}"), &interface.docs);
        for (function, item) in &interface.functions {
            check(format!("{name}.{function}"), &item.docs);
        }
        for (type_name, id) in &interface.types {
            let item = &resolve.types[*id];
            match &item.kind {
                // `use types.{json}` is documented where it is declared.
                TypeDefKind::Type(wit_parser::Type::Id(_)) => continue,
                TypeDefKind::Record(record) => {
                    for field in &record.fields {
                        check(format!("{name}.{type_name}.{}", field.name), &field.docs);
                    }
                }
                TypeDefKind::Variant(variant) => {
                    for case in &variant.cases {
                        check(format!("{name}.{type_name}.{}", case.name), &case.docs);
                    }
                }
                TypeDefKind::Enum(words) => {
                    for case in &words.cases {
                        check(format!("{name}.{type_name}.{}", case.name), &case.docs);
                    }
                }
                _ => {}
            }
            check(format!("{name}.{type_name}"), &item.docs);
        }
    }
    assert!(silent.is_empty(), "undocumented in wit/: {silent:#?}");
}

#[test]
fn published_copies_of_the_contract_are_equal() {
    let names = |folder: &str| -> Vec<_> {
        let entries = std::fs::read_dir(root().join(folder)).expect("a folder of the repository");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        names.retain(|name| {
            Path::new(name)
                .extension()
                .is_some_and(|ending| ending == "wit")
        });
        names.sort();
        names
    };
    // Each published crate carries the contract it binds.
    for copy in ["sdk/wit", "host/core/wit"] {
        assert_eq!(names(copy), names("wit"), "copy wit/*.wit to {copy}");
        for name in names("wit") {
            let (ours, theirs) = (
                read(Path::new(copy).join(&name)),
                read(Path::new("wit").join(&name)),
            );
            assert!(
                ours == theirs,
                "{copy}/{} differs from wit/: copy it again",
                name.display()
            );
        }
    }
}

#[test]
fn readme_shows_hello_whole() {
    let hello = read("plugins/hello/src/lib.rs");
    // `sdk/tests/readme.rs` says the same of the authoring guide.
    assert!(
        read("README.md").contains(&format!("```rust\n{hello}```")),
        "README.md shows another hello than plugins/hello"
    );
}

/// Reports whether `name` appears in `text` as a word of its own.
fn names(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
        .any(|word| word == name)
}

#[test]
fn architecture_names_every_crate_and_stays_a_map() {
    let map = read("ARCHITECTURE.md");
    assert!(
        map.lines().count() <= 200,
        "ARCHITECTURE.md is a map, at most 200 lines"
    );
    for manifest in files("toml")
        .iter()
        .filter(|path| path.ends_with("Cargo.toml"))
    {
        let folder = manifest
            .parent()
            .and_then(Path::file_name)
            .unwrap_or_default()
            .to_string_lossy();
        assert!(
            folder == ".." || names(&map, &folder),
            "ARCHITECTURE.md does not name `{folder}`"
        );
    }
}

#[test]
fn architecture_names_every_module_of_the_host() {
    let map = read("ARCHITECTURE.md");
    let mut unnamed = Vec::new();
    for folder in ["host/core/src", "host/cli/src"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let module = path.file_stem().unwrap_or_default().to_string_lossy();
            if !names(&map, &module) {
                unnamed.push(format!("{folder}/{module}"));
            }
        }
    }
    unnamed.sort();
    unnamed.dedup();
    assert_eq!(unnamed, [""; 0], "not in ARCHITECTURE.md");
}

#[test]
fn fuzz_targets_are_all_wired() {
    let manifest = read("tests/fuzz/Cargo.toml");
    for target in files("rs")
        .iter()
        .filter(|path| path.to_string_lossy().contains("fuzz/targets/"))
    {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        assert!(
            manifest.contains(&format!("path = \"targets/{name}\"")),
            "{name} is in no [[bin]]"
        );
    }
}

#[test]
fn nothing_names_a_machine() {
    // Written in pieces, so that this file does not name them either.
    let words = [
        ["/ro", "ot/"].concat(),
        ["/ho", "me/"].concat(),
        ["crates", ".io"].concat(),
        ["py", "pi.org"].concat(),
    ];
    for extension in ["rs", "toml", "md", "wit", "py"] {
        for path in files(extension) {
            let text = read(&path);
            for word in &words {
                assert!(
                    !text.contains(word.as_str()),
                    "{} contains `{word}`",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn no_type_is_named_for_saying_nothing() {
    for path in files("rs") {
        for line in read(&path).lines() {
            let mut words = line
                .split_whitespace()
                .skip_while(|word| word.starts_with("pub"));
            let declares = matches!(words.next(), Some("struct" | "enum" | "trait" | "mod"));
            let name = words.next().unwrap_or_default();
            let empty = ["Manager", "Helper", "Util", "helper", "util"]
                .iter()
                .any(|word| name.contains(word));
            assert!(
                !(declares && empty),
                "{}: `{name}` says nothing",
                path.display()
            );
        }
    }
}

/// Names that are results in the prelude and components in `ui`.
const RESULTS_AND_COMPONENTS: &[&str] = &["Chart", "Image", "Markdown", "Table", "Text"];

#[test]
fn components_with_the_name_of_a_result_are_written_with_their_module() {
    let imports = ["use footlight_sdk::ui::", "use crate::ui::"];
    let mut unclear = Vec::new();
    for path in files("rs").into_iter().chain(files("md")) {
        let text = read(&path);
        for import in imports {
            for rest in text.split(import).skip(1) {
                let names = rest.split(';').next().unwrap_or_default();
                let mut words = names.split(|c: char| !c.is_alphanumeric());
                if words.any(|word| RESULTS_AND_COMPONENTS.contains(&word)) || names.contains('*') {
                    unclear.push(format!("{}: {names}", relative(&path)));
                }
            }
        }
    }
    assert_eq!(unclear, [""; 0], "write `ui::Text`");
    // The list is complete: what the prelude takes from the kinds, and what `ui` has.
    let library = read("sdk/src/lib.rs");
    let kinds = library.split("pub use crate::kinds::{").nth(1);
    let kinds = kinds
        .and_then(|rest| rest.split('}').next())
        .expect("the prelude");
    let kinds: Vec<&str> = kinds.split([',', ' ', '\n']).collect();
    let components = footlight::vocabulary::component::COMPONENTS.iter();
    let mut both: Vec<&str> = components.map(|component| component.builder).collect();
    both.retain(|name| kinds.contains(name));
    both.sort_unstable();
    assert_eq!(both, RESULTS_AND_COMPONENTS);
}

//! The files of each template.

use crate::plugin_source::componentize::{JAVASCRIPT, PYTHON};
use clap::ValueEnum;
use footlight_vocabulary::manifest::CONTRACT;

/// The language of a plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    Rust,
    Python,
    Js,
}

/// What a plugin in Rust begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Template {
    /// One tool that computes
    Tool,
    /// A card with a button, and state
    Card,
    /// A question and an approval
    Ask,
    /// Requests to one host
    Http,
    /// A folder that is read
    Files,
}

/// A plugin as it is written.
#[derive(Debug)]
pub(super) struct Project {
    /// The path and the text of each file.
    pub(super) files: Vec<(&'static str, String)>,
    /// `Cargo.toml` without a profile; empty in another language.
    pub(super) cargo_toml: String,
    /// What to type next, in the folder.
    pub(super) next: Vec<String>,
}

/// The settings that a plugin is built with. Only the root of a workspace can have them.
pub(super) const PROFILE: &str = include_str!("../../../template/rust/profile.toml.txt");

/// Makes a crate the root of a workspace of its own.
pub(super) const WORKSPACE: &str = include_str!("../../../template/rust/workspace.toml.txt");

const SERDE: &str = "serde = { version = \"1\", features = [\"derive\"] }\n";
const SERDE_JSON: &str = "serde_json = \"1\"\n";
const SCHEMARS: &str =
    "schemars = { version = \"1\", default-features = false, features = [\"derive\"] }\n";

/// Includes the files of a template of Rust.
macro_rules! sources {
    ($name:literal) => {
        [
            (
                "src/lib.rs",
                include_str!(concat!("../../../template/rust/", $name, "/lib.rs")),
            ),
            (
                "plugin.toml",
                include_str!(concat!("../../../template/rust/", $name, "/plugin.toml")),
            ),
        ]
    };
}

/// Includes files that are the same in every plugin of a language.
macro_rules! library {
    ($language:literal: $($file:literal),+ $(,)?) => {
        [$((
            concat!("footlight/", $file),
            include_str!(concat!("../../../template/", $language, "/footlight/", $file)),
        )),+]
    };
}

/// Returns a crate. `sdk` is the right-hand side of the dependency on the SDK.
pub(super) fn rust(template: Template, name: &str, id: &str, sdk: &str) -> Project {
    let (sources, dependencies, calls) = match template {
        Template::Tool => (
            sources!("tool"),
            vec![],
            vec!["footlight call . greet name=Ada"],
        ),
        Template::Card => (
            sources!("card"),
            vec![SCHEMARS, SERDE, SERDE_JSON],
            vec!["footlight call . count by=2"],
        ),
        Template::Ask => (
            sources!("ask"),
            vec![SERDE_JSON],
            vec!["footlight call . order"],
        ),
        Template::Http => (
            sources!("http"),
            vec![SERDE],
            vec!["footlight call . holidays country=NO year=2026"],
        ),
        Template::Files => (
            sources!("files"),
            vec![],
            vec!["footlight call . find word=plugin --dir /notes=.:ro"],
        ),
    };
    let dependencies: String = dependencies.concat();
    let shown: Vec<String> = calls.iter().map(|call| format!("    {call}")).collect();
    let fill = |text: &str| {
        fill(text, name, id)
            .replace("{{sdk}}", sdk)
            .replace("{{dependencies}}", dependencies.trim_end())
            .replace("{{calls}}", &shown.join("\n"))
    };
    let cargo_toml = fill(include_str!("../../../template/rust/Cargo.toml.txt"));
    let cargo_toml = format!("{}\n", cargo_toml.trim_end());
    let mut files = vec![
        ("Cargo.toml", format!("{cargo_toml}{PROFILE}")),
        (
            "README.md",
            fill(include_str!("../../../template/rust/README.md")),
        ),
        (
            ".gitignore",
            include_str!("../../../template/rust/gitignore").to_owned(),
        ),
    ];
    files.extend(sources.map(|(path, text)| (path, fill(text))));
    let next = ["cargo test"].into_iter().chain(calls);
    Project {
        files,
        cargo_toml,
        next: next.map(str::to_owned).collect(),
    }
}

/// Returns a plugin in Python.
pub(super) fn python(name: &str, id: &str) -> Project {
    let own = [
        (
            "plugin.py",
            include_str!("../../../template/python/plugin.py"),
        ),
        (
            "test_plugin.py",
            include_str!("../../../template/python/test_plugin.py"),
        ),
        (
            "plugin.toml",
            include_str!("../../../template/python/plugin.toml"),
        ),
        (
            "README.md",
            include_str!("../../../template/python/README.md"),
        ),
        (
            ".gitignore",
            include_str!("../../../template/python/gitignore"),
        ),
    ];
    let library = library!("python":
        "__init__.py", "_derived.py", "_host.py", "_json.py", "_shape.py", "_stage.py", "_text.py",
        "field.py", "result.py", "testing.py", "ui.py",
    );
    let install = format!(".venv/bin/pip install {}", PYTHON.package);
    let next: [&str; 5] = [
        "python3 -m venv .venv",
        &install,
        "python3 -m unittest",
        "footlight call . greet name=Ada",
        "footlight call . count by=2",
    ];
    other(&own, &library, name, id, &next)
}

/// Returns a plugin in JavaScript.
pub(super) fn javascript(name: &str, id: &str) -> Project {
    let own = [
        ("plugin.js", include_str!("../../../template/js/plugin.js")),
        (
            "plugin.test.js",
            include_str!("../../../template/js/plugin.test.js"),
        ),
        (
            "package.json",
            include_str!("../../../template/js/package.json"),
        ),
        (
            "tsconfig.json",
            include_str!("../../../template/js/tsconfig.json"),
        ),
        (
            "plugin.toml",
            include_str!("../../../template/js/plugin.toml"),
        ),
        ("README.md", include_str!("../../../template/js/README.md")),
        (".gitignore", include_str!("../../../template/js/gitignore")),
    ];
    let library = library!("js":
        "component.js", "derived.js", "field.d.ts", "field.js", "index.d.ts", "index.js", "result.d.ts",
        "result.js", "shape.js", "stage.js", "testing.d.ts", "testing.js", "text.js", "ui.d.ts", "ui.js",
    );
    let next = [
        "npm install",
        "npm test",
        "footlight call . greet name=Ada",
        "footlight call . count by=2",
    ];
    other(&own, &library, name, id, &next)
}

fn other(
    own: &[(&'static str, &str)],
    library: &[(&'static str, &str)],
    name: &str,
    id: &str,
    next: &[&str],
) -> Project {
    let contract = (
        "footlight/footlight.wit",
        include_str!("../../../template/footlight.wit"),
    );
    let own = own.iter().map(|(path, text)| (*path, fill(text, name, id)));
    let library = library.iter().chain([&contract]);
    Project {
        files: own
            .chain(library.map(|(path, text)| (*path, (*text).to_owned())))
            .collect(),
        cargo_toml: String::new(),
        next: next.iter().map(|command| (*command).to_owned()).collect(),
    }
}

fn fill(text: &str, name: &str, id: &str) -> String {
    let (_, version) = JAVASCRIPT.package.rsplit_once('@').unwrap_or_default();
    text.replace("{{name}}", name)
        .replace("{{id}}", id)
        .replace("{{api}}", CONTRACT)
        .replace("{{componentize-py}}", PYTHON.package)
        .replace("{{componentize-js}}", version)
}

//! The tools that make components of other languages, and how they are called. Tests of other crates include this
//! file, so that they build what a person builds.

/// A tool that makes components.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// The package with its version, as the language's package manager names it.
    pub(crate) package: &'static str,
    /// The arguments, in the folder of a plugin. The path of the component follows.
    pub(crate) arguments: &'static [&'static str],
}

/// The tool for Python.
pub(crate) const PYTHON: Tool = Tool {
    name: "componentize-py",
    package: "componentize-py==0.25.1",
    arguments: &[
        "--quiet",
        "--wit-path",
        "footlight/footlight.wit",
        "--world",
        "plugin",
        "componentize",
        "plugin",
        "--output",
    ],
};

/// The tool for JavaScript.
pub(crate) const JAVASCRIPT: Tool = Tool {
    name: "componentize-js",
    package: "@bytecodealliance/componentize-js@0.23.0",
    arguments: &[
        "footlight/component.js",
        "--wit",
        "footlight/footlight.wit",
        "--world-name",
        "plugin",
        "--disable",
        "http",
        "--disable",
        "fetch-event",
        "--out",
    ],
};

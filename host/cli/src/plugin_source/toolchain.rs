//! What builds a folder: told by the files in it.

use super::componentize;
use std::path::Path;

/// The tools that build a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// Cargo, for a crate.
    Cargo,
    /// `componentize-py`, for `plugin.py`.
    Python,
    /// `componentize-js`, for `plugin.js`.
    JavaScript,
}

impl Toolchain {
    /// Returns what builds a folder; `None` if it is no plugin.
    pub(crate) fn of(folder: &Path) -> Option<Self> {
        let markers = [
            ("Cargo.toml", Self::Cargo),
            ("plugin.py", Self::Python),
            ("plugin.js", Self::JavaScript),
        ];
        let found = markers.iter().find(|(file, _)| folder.join(file).is_file());
        found.map(|(_, toolchain)| *toolchain)
    }

    /// Returns the files and folders that make the build run code, in the folder or in any above it. Of the folder
    /// itself everything is looked through.
    pub(super) fn inputs(self) -> &'static [&'static str] {
        match self {
            Self::Cargo => &[
                "Cargo.toml",
                "Cargo.lock",
                "build.rs",
                ".cargo",
                ".cargo/config",
                ".cargo/config.toml",
                "rust-toolchain",
                "rust-toolchain.toml",
                "target",
            ],
            Self::Python => &[
                "plugin.py",
                "plugin.toml",
                "footlight",
                ".venv",
                ".venv/bin",
                ".venv/bin/componentize-py",
                ".venv/bin/python3",
            ],
            Self::JavaScript => &[
                "plugin.js",
                "plugin.toml",
                "footlight",
                "package.json",
                "node_modules",
                "node_modules/.bin",
                "node_modules/.bin/componentize-js",
                "node_modules/@bytecodealliance",
            ],
        }
    }

    /// Returns the folders that a build or a package manager writes, which are no part of the source.
    pub(crate) fn outputs(self) -> &'static [&'static str] {
        match self {
            // Cargo marks its own.
            Self::Cargo => &["node_modules"],
            Self::Python | Self::JavaScript => &[
                componentize::OUTPUT,
                "node_modules",
                "target",
                "__pycache__",
            ],
        }
    }

    /// Returns an example of the native code that a build runs.
    pub(super) fn native_code(self) -> &'static str {
        match self {
            Self::Cargo => "build scripts, macros",
            // Seen with componentize-py 0.25: while it imports the plugin, both the folder and the packages of the
            // Python that runs it are open for writing.
            Self::Python => "the tools in `.venv`, whose packages `plugin.py` can change",
            Self::JavaScript => "the tools in `node_modules`",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_built_by_what_is_in_it() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        assert_eq!(Toolchain::of(folder.path()), None);
        for (file, expected) in [
            ("plugin.js", Toolchain::JavaScript),
            ("plugin.py", Toolchain::Python),
            ("Cargo.toml", Toolchain::Cargo),
        ] {
            std::fs::write(folder.path().join(file), "").expect("is written");
            assert_eq!(Toolchain::of(folder.path()), Some(expected));
        }
    }
}

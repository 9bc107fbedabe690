//! Resolves a `<PLUGIN>` argument: a component file, or a crate folder to build.
//!
//! Building a crate runs native code (build scripts, macros) without a sandbox, so [`resolve`] asks
//! first, unless the person named a crate of their own project (`permission`).

pub(crate) mod cargo;
pub(crate) mod component;
mod permission;

use crate::consent::CrateFolder;
use crate::data::display_path;
use crate::ownership::Ownership;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, bail};
use footlight_render::filter;
use std::fs;
use std::path::{Path, PathBuf};

/// Why a crate is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuildCause {
    /// The person named it, on the command line or in their own configuration.
    Named,
    /// The project's `footlight.toml` names it.
    Project,
    /// It is inspected, which people do to decide whether to trust a plugin.
    Inspected,
}

/// Where a plugin comes from.
#[derive(Debug, Clone)]
pub(crate) struct PluginSource {
    /// The component file.
    pub(crate) component: PathBuf,
    /// The crate that it was built from, if any.
    pub(crate) crate_folder: Option<CrateFolder>,
}

/// Returns the component of a path: the file itself, or what its crate builds, with the person's
/// consent.
pub(crate) fn resolve(path: &Path, cause: BuildCause, ui: &Ui) -> Result<PluginSource> {
    let crate_folder = crate_folder(path)?;
    let component = match &crate_folder {
        None => path.to_owned(),
        Some(folder) => {
            permission::ensure(folder, cause, ui)?;
            cargo::build(&folder.path, ui)?
        }
    };
    Ok(PluginSource {
        component,
        crate_folder,
    })
}

/// Returns the crate folder that a path leads to; `None` for a file.
pub(crate) fn crate_folder(path: &Path) -> Result<Option<CrateFolder>> {
    let name = display_path(path);
    let found = fs::metadata(path).with_context(|| {
        format!("there is no plugin `{name}`; name a `.wasm` file or a crate folder")
    })?;
    if !found.is_dir() {
        return Ok(None);
    }
    // Whoever names a `.wasm` wants a file, which runs in a sandbox, and no build.
    let extension = path.extension().unwrap_or_default();
    if extension.eq_ignore_ascii_case("wasm") {
        bail!("`{name}` is a folder, although it is named like a component; rename it");
    }
    if !path.join("Cargo.toml").is_file() {
        bail!("the folder `{name}` has no Cargo.toml; name a crate folder, or a `.wasm` file");
    }
    // Resolved once, so that what is checked is what is built.
    let path = path.canonicalize();
    let path = path.with_context(|| format!("cannot open `{name}`"))?;
    let ownership = Ownership::of_path(&path);
    let ownership = ownership.with_context(|| format!("cannot open `{name}`"))?;
    Ok(Some(CrateFolder {
        path,
        owner: ownership.owner,
    }))
}

/// Formats a number of bytes.
pub(crate) fn format_size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{}.{} KB", bytes / 1_000, bytes % 1_000 / 100),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

/// Quotes a word for a shell.
pub(crate) fn shell_quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+,".contains(c);
    let word = filter::line(word, 400);
    match word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder for the test");
        for folder in ["project", "other/c.wasm", "other/c.WASM"] {
            fs::create_dir_all(root.path().join(folder)).expect("is made");
        }
        for file in [
            "project/Cargo.toml",
            "other/c.wasm/Cargo.toml",
            "other/c.WASM/Cargo.toml",
        ] {
            fs::write(root.path().join(file), "").expect("is written");
        }
        root
    }

    #[test]
    fn a_file_is_its_own_component_and_a_missing_one_is_an_error() {
        let root = folders();
        let file = root.path().join("project/Cargo.toml");
        let source = resolve(&file, BuildCause::Project, &Ui::silent()).expect("is a file");
        assert_eq!((source.component, source.crate_folder), (file, None));
        for (path, expected) in [
            ("x.wasm", "there is no plugin `"),
            ("other", "has no Cargo.toml"),
            ("other/c.wasm", "is a folder, although"),
            ("other/c.WASM", "is a folder, although"),
        ] {
            let error = crate_folder(&root.path().join(path)).expect_err("is no plugin");
            assert!(error.to_string().contains(expected), "{path}: {error}");
        }
    }

    #[test]
    fn sizes_are_read_at_a_glance() {
        assert_eq!(
            [0, 999, 75_432, 1_250_000].map(format_size),
            ["0 bytes", "999 bytes", "75.4 KB", "1.2 MB"]
        );
    }
}

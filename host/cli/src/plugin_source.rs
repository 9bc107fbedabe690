//! Resolves a `<PLUGIN>` argument: a component file, or a crate folder to build.
//!
//! Building a crate runs native code (build scripts, macros) without a sandbox, so [`component()`]
//! asks before it builds a folder outside the current project.

pub(crate) mod cargo;
pub(crate) mod component;

use crate::exit::ExitError;
use crate::terminal::prompt;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, bail};
use footlight_render::filter;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Returns the component of a path: the file itself, or what its crate builds.
pub(crate) fn component(path: &Path, ui: &Ui) -> Result<PathBuf> {
    let name = path.display();
    let found = fs::metadata(path).with_context(|| {
        format!("there is no plugin `{name}`; name a `.wasm` file or a crate folder")
    })?;
    if !found.is_dir() {
        return Ok(path.to_owned());
    }
    if !path.join("Cargo.toml").is_file() {
        bail!("the folder `{name}` has no Cargo.toml; name a crate folder, or a `.wasm` file");
    }
    let here = std::env::current_dir().context("cannot open the current folder")?;
    if !ui.yes && !is_within_project(path, &here)? {
        confirm_build(path, ui)?;
    }
    cargo::build(path, ui)
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

/// Asks whether to build a folder outside the current project.
fn confirm_build(path: &Path, ui: &Ui) -> Result<()> {
    let name = path.display();
    if !ui.can_ask {
        return Err(ExitError::needs_person(format!(
            "`{name}` is outside the current project, and building it runs its native code (build scripts, macros) without a sandbox; build it with `--yes` if you trust it"
        )));
    }
    ui.end_partial_line();
    let question = format!(
        "`{name}` is outside the current project. Building it runs its native code (build scripts,\nmacros) without a sandbox. Build it?"
    );
    match prompt::confirm(&mut io::stdin().lock(), &mut io::stderr().lock(), &question)? {
        true => Ok(()),
        false => Err(ExitError::denied(format!("`{name}` was not built"))),
    }
}

/// Reports whether a folder is inside the project of `here`: the nearest folder above with a
/// Cargo.toml or a .git.
fn is_within_project(folder: &Path, here: &Path) -> Result<bool> {
    let real = |path: &Path| {
        let place = path.canonicalize();
        place.with_context(|| format!("cannot open `{}`", path.display()))
    };
    // Resolve links first: one inside the project may lead outside.
    let (folder, here) = (real(folder)?, real(here)?);
    let is_root = |place: &&Path| place.join("Cargo.toml").is_file() || place.join(".git").exists();
    let project = here.ancestors().find(is_root);
    Ok(project.is_some_and(|project| folder.starts_with(project)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;

    fn folders() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder for the test");
        for folder in ["project/plugins/a", "project/src", "other/b"] {
            fs::create_dir_all(root.path().join(folder)).expect("is made");
        }
        for file in [
            "project/Cargo.toml",
            "project/plugins/a/Cargo.toml",
            "other/b/Cargo.toml",
        ] {
            fs::write(root.path().join(file), "").expect("is written");
        }
        root
    }

    #[test]
    fn folders_in_the_project_are_built_without_asking() {
        let root = folders();
        let at = |path: &str| root.path().join(path);
        for (folder, here, expected) in [
            ("project/plugins/a", "project", true),
            ("project/plugins/a", "project/src", true),
            ("project/plugins/a", "project/plugins/a", true),
            ("other/b", "project", false),
            ("project/../other/b", "project", false),
            ("other/b", "other", false),
            ("project", "project/plugins/a", false),
        ] {
            let within = is_within_project(&at(folder), &at(here)).expect("both are there");
            assert_eq!(within, expected, "{folder} from {here}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn link_out_of_the_project_is_outside() {
        let root = folders();
        let link = root.path().join("project/link");
        std::os::unix::fs::symlink(root.path().join("other/b"), &link).expect("is made");
        assert!(!is_within_project(&link, &root.path().join("project")).expect("is there"));
    }

    #[test]
    fn an_outside_folder_without_a_person_to_ask_is_rejected_with_the_remedy() {
        let root = folders();
        let error = component(&root.path().join("other/b"), &Ui::silent()).expect_err("is refused");
        assert_eq!(Exit::of_error(&error), Exit::NeedsPerson);
        assert!(error.to_string().contains("`--yes`"), "{error}");
    }

    #[test]
    fn a_file_is_its_own_component_and_a_missing_one_is_an_error() {
        let root = folders();
        let file = root.path().join("project/Cargo.toml");
        assert_eq!(component(&file, &Ui::silent()).expect("is a file"), file);
        let error =
            component(&root.path().join("x.wasm"), &Ui::silent()).expect_err("is not there");
        assert!(
            error.to_string().starts_with("there is no plugin `"),
            "{error}"
        );
        let error = component(&root.path().join("other"), &Ui::silent()).expect_err("is no crate");
        assert!(error.to_string().contains("has no Cargo.toml"), "{error}");
    }

    #[test]
    fn sizes_are_read_at_a_glance() {
        assert_eq!(
            [0, 999, 75_432, 1_250_000].map(format_size),
            ["0 bytes", "999 bytes", "75.4 KB", "1.2 MB"]
        );
    }
}

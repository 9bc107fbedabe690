//! The person's consent to build a crate.
//!
//! A crate that the person named, in a project of their own, is built without asking. Every other
//! crate is asked about once: the answer is remembered by path and owner.
//!
//! Neither holds while somebody else can change anything that the build reads (`inputs`).

use super::BuildCause;
use super::inputs::foreign_input;
use super::toolchain::Toolchain;
use crate::consent::{self, Consents, CrateFolder};
use crate::data::display_path;
use crate::exit::ExitError;
use crate::ownership::Ownership;
use crate::project;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result};
use footlight_render::terminal::{ConsentCard, ConsentGroup};
use std::path::Path;

/// Returns if the crate may be built.
///
/// # Errors
/// When the person declines, or cannot be asked.
pub(super) fn ensure(
    folder: &CrateFolder,
    toolchain: Toolchain,
    cause: BuildCause,
    ui: &Ui,
) -> Result<()> {
    let (is_allowed, flag) = match cause {
        BuildCause::Project => (ui.consent.trust_project, "--trust-project"),
        _ => (ui.consent.yes, "--yes"),
    };
    if is_allowed {
        return Ok(());
    }
    let foreign = foreign_input(folder, toolchain);
    let mut consents = Consents::open()?;
    if foreign.is_none() && (consents.allows_build(folder) || is_own(folder, cause)?) {
        return Ok(());
    }
    let name = display_path(&folder.path);
    let reason = match (&foreign, cause) {
        (Some((path, problem)), _) => format!("`{}` {problem}", display_path(path)),
        _ if !is_trusted(&folder.path) => format!("`{name}` belongs to another user"),
        (None, BuildCause::Named) => format!("`{name}` is outside your own project"),
        (None, BuildCause::Remembered) => format!("a stored session names `{name}`"),
        (None, BuildCause::Project) => format!("the project's `footlight.toml` names `{name}`"),
        (None, BuildCause::Inspected) => format!("`{name}` is a folder, not a component"),
    };
    let code = toolchain.native_code();
    let headless = || {
        format!(
            "{reason}, and building it runs its native code ({code}) without a sandbox; build it with `{flag}` if you trust it"
        )
    };
    let card = ConsentCard {
        head: format!("{reason}."),
        groups: vec![ConsentGroup {
            title: format!("building it runs its native code ({code}) without a sandbox"),
            items: vec![folder.path.display().to_string()],
            is_whole: false,
        }],
        question: "Build it?".to_owned(),
    };
    if !consent::ask(&card, headless, ui)? {
        return Err(ExitError::denied(format!("`{name}` was not built")));
    }
    match foreign {
        // Somebody else can change it again before the next build.
        Some(_) => Ok(()),
        None => consents.allow_builds(std::slice::from_ref(folder)),
    }
}

/// Reports whether a folder belongs to the person and nobody else can change what a build runs of it.
pub(super) fn is_owned(folder: &CrateFolder) -> bool {
    let is_own = Ownership::of_path(&folder.path).is_ok_and(Ownership::is_own);
    let toolchain = Toolchain::of(&folder.path);
    is_own && toolchain.is_some_and(|toolchain| foreign_input(folder, toolchain).is_none())
}

fn is_trusted(path: &Path) -> bool {
    Ownership::of_path(path).is_ok_and(Ownership::is_trusted)
}

/// Reports whether the person named a crate of their own project.
fn is_own(folder: &CrateFolder, cause: BuildCause) -> Result<bool> {
    if cause != BuildCause::Named {
        return Ok(false);
    }
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let here = here.context("cannot open the current folder")?;
    Ok(is_in_project_of(&folder.path, &here))
}

/// Reports whether a folder is in the project of `here`, and nobody else can write to it or to a
/// folder between it and the project's root. Both paths must be canonical.
fn is_in_project_of(folder: &Path, here: &Path) -> bool {
    let Some(root) = project::root(here).filter(|root| folder.starts_with(root)) else {
        return false;
    };
    let mut between = folder
        .ancestors()
        .take_while(|folder| folder.starts_with(&root));
    between.all(|folder| Ownership::of_path(folder).is_ok_and(Ownership::is_own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;
    use std::fs;
    use std::path::PathBuf;

    fn folders() -> (tempfile::TempDir, PathBuf) {
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
        let path = root.path().canonicalize().expect("is there");
        (root, path)
    }

    fn crate_at(path: &Path) -> CrateFolder {
        let found = super::super::crate_folder(path).expect("is there");
        found.expect("is a crate")
    }

    #[test]
    fn only_folders_of_the_project_are_the_persons_own() {
        let (_root, root) = folders();
        for (folder, here, expected) in [
            ("project/plugins/a", "project", true),
            ("project/plugins/a", "project/src", true),
            ("project/plugins/a", "project/plugins/a", true),
            ("other/b", "project", false),
            ("other/b", "other", false),
            ("project", "project/plugins/a", false),
        ] {
            let found = is_in_project_of(&root.join(folder), &root.join(here));
            assert_eq!(found, expected, "{folder} from {here}");
        }
        fs::create_dir(root.join("project/.git")).expect("is made");
        let (project, a) = (root.join("project"), root.join("project/plugins/a"));
        assert!(is_in_project_of(&project, &a), "the repository counts");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_project_is_outside() {
        let (_root, root) = folders();
        let link = root.join("project/link");
        std::os::unix::fs::symlink(root.join("other/b"), &link).expect("is made");
        let found = crate_at(&link);
        assert_eq!(found.path, root.join("other/b"));
        assert!(!is_in_project_of(&found.path, &root.join("project")));
    }

    #[cfg(unix)]
    #[test]
    fn what_every_user_can_change_is_foreign_wherever_cargo_reads_it() {
        use std::os::unix::fs::PermissionsExt;
        let everyone = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("is set");
        };
        let (_root, root) = folders();
        let a = root.join("project/plugins/a");
        assert_eq!(foreign_input(&crate_at(&a), Toolchain::Cargo), None);
        for folder in ["project/plugins/a", "project/plugins", "project", "."] {
            fs::create_dir_all(root.join(folder).join(".cargo")).expect("is made");
            for input in Toolchain::Cargo.inputs() {
                let path = root.join(folder).join(input);
                let made = !path.exists();
                if made {
                    fs::write(&path, "").expect("is written");
                }
                let mode = fs::metadata(&path).expect("is there").permissions().mode();
                everyone(&path, mode | 0o002);
                let (found, problem) =
                    foreign_input(&crate_at(&a), Toolchain::Cargo).expect("is foreign");
                assert_eq!(found.canonicalize().ok(), path.canonicalize().ok());
                assert_eq!(problem, "can be changed by every user");
                everyone(&path, mode);
                if made {
                    fs::remove_file(&path).expect("is removed");
                }
            }
        }
        assert_eq!(foreign_input(&crate_at(&a), Toolchain::Cargo), None);
        everyone(&a, 0o777);
        assert_eq!(
            foreign_input(&crate_at(&a), Toolchain::Cargo)
                .expect("is foreign")
                .0,
            a
        );
        assert!(!is_in_project_of(&a, &root.join("project")));
    }

    #[cfg(unix)]
    #[test]
    fn what_a_plugin_in_python_can_import_is_foreign_if_every_user_can_change_it() {
        use std::os::unix::fs::PermissionsExt;
        let (_root, root) = folders();
        let folder = root.join("project/snake");
        for file in ["plugin.py", "helper.py", "footlight/ui.py", "build/x.wasm"] {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("is made");
            fs::write(&path, "").expect("is written");
        }
        let snake = crate_at(&folder);
        let foreign = || foreign_input(&snake, Toolchain::Python).map(|(path, _)| path);
        let with_mode = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("is set");
        };
        assert_eq!(foreign(), None);
        // A component that is newer than its source is loaded as it is.
        for file in ["helper.py", "footlight/ui.py", "build/x.wasm"] {
            let path = folder.join(file);
            with_mode(&path, 0o666);
            assert_eq!(foreign(), Some(path.clone()), "{file}");
            with_mode(&path, 0o644);
        }
        assert!(is_owned(&snake));
        with_mode(&folder.join("helper.py"), 0o666);
        assert!(!is_owned(&snake));
    }

    #[test]
    fn without_a_person_to_ask_the_remedy_is_named() {
        let (_root, root) = folders();
        for (cause, flag) in [
            (BuildCause::Named, "`--yes`"),
            (BuildCause::Inspected, "`--yes`"),
            (BuildCause::Remembered, "`--yes`"),
            (BuildCause::Project, "`--trust-project`"),
        ] {
            let other = crate_at(&root.join("other/b"));
            let error = ensure(&other, Toolchain::Cargo, cause, &Ui::silent());
            let error = error.expect_err("is refused");
            assert_eq!(Exit::of_error(&error), Exit::NeedsPerson);
            assert!(error.to_string().contains(flag), "{error}");
        }
    }
}

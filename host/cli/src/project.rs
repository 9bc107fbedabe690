//! The project of a folder: how far the person's own files around it reach.
//!
//! A project is what a person works on, so it never includes their home folder or anything above it,
//! even if the home is a repository, and it ends where folders belong to somebody else.

use crate::ownership::Ownership;
use std::path::{Path, PathBuf};

/// Returns the root of the project that `here` is in: the nearest repository, or else the nearest
/// crate, or plugin in another language. `here` must be canonical.
pub(crate) fn root(here: &Path) -> Option<PathBuf> {
    let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    root_below(here, home.as_deref())
}

fn root_below(here: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let own_folders = || {
        here.ancestors().take_while(|folder| {
            let holds_home = home.is_some_and(|home| home.starts_with(folder));
            let is_own = Ownership::of_path(folder).is_ok_and(Ownership::is_own);
            is_own && !holds_home && folder.parent().is_some()
        })
    };
    let with = |marker: &str| own_folders().find(|folder| folder.join(marker).exists());
    with(".git")
        .or_else(|| with("Cargo.toml"))
        .or_else(|| with("plugin.toml"))
        .map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Creates `home/repo/crates/a` and `home/downloads/x`, and markers in some of them.
    fn tree(markers: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let root = tempfile::tempdir().expect("a folder for the test");
        for folder in ["home/repo/crates/a/src", "home/downloads/x"] {
            fs::create_dir_all(root.path().join(folder)).expect("is made");
        }
        for marker in markers {
            fs::write(root.path().join(marker), "").expect("is written");
        }
        let path = root.path().canonicalize().expect("is there");
        (root, path)
    }

    #[test]
    fn a_project_is_the_nearest_repository_or_crate_below_the_home_folder() {
        for (markers, here, expected) in [
            (
                vec!["home/repo/.git"],
                "home/repo/crates/a",
                Some("home/repo"),
            ),
            (vec!["home/repo/.git"], "home/repo", Some("home/repo")),
            (
                vec!["home/repo/.git", "home/repo/crates/a/Cargo.toml"],
                "home/repo/crates/a/src",
                Some("home/repo"),
            ),
            (
                vec!["home/repo/Cargo.toml", "home/repo/crates/a/Cargo.toml"],
                "home/repo/crates/a/src",
                Some("home/repo/crates/a"),
            ),
            (vec![], "home/repo", None),
            // A home that is a repository or a crate is no project.
            (vec!["home/.git"], "home/downloads/x", None),
            (vec!["home/.git", "home/Cargo.toml"], "home", None),
            (vec![".git", "Cargo.toml"], "home/repo", None),
            (
                vec!["home/.git", "home/downloads/x/Cargo.toml"],
                "home/downloads/x",
                Some("home/downloads/x"),
            ),
        ] {
            let (_root, path) = tree(&markers);
            let found = root_below(&path.join(here), Some(&path.join("home")));
            let expected = expected.map(|expected| path.join(expected));
            assert_eq!(found, expected, "{markers:?} from {here}");
        }
        assert_eq!(root_below(Path::new("/"), None), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_project_ends_where_every_user_can_write() {
        use std::os::unix::fs::PermissionsExt;
        let (_root, path) = tree(&["home/repo/.git", "home/repo/crates/a/Cargo.toml"]);
        let shared = path.join("home/repo/crates");
        for mode in [0o777, 0o1777] {
            fs::set_permissions(&shared, fs::Permissions::from_mode(mode)).expect("is set");
            let found = root_below(&shared.join("a"), None);
            assert_eq!(found, Some(shared.join("a")), "{mode:o}");
        }
    }
}

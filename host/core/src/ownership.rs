//! Who owns a file, and whether others can change it.
//!
//! Only Unix tells: elsewhere every file counts as the person's own.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

/// The administrator, who can change every file anyway.
const ROOT: u32 = 0;

/// The owner of a file or folder, and whether every user can change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ownership {
    /// The user id of the owner.
    pub owner: u32,
    /// Whether every user can change it.
    pub is_writable_by_all: bool,
}

impl Ownership {
    /// Returns the ownership of a path. Of a symbolic link it is that of the link, or that of its
    /// target if the target is less trusted.
    ///
    /// # Errors
    /// When there is nothing at the path, or the link leads nowhere.
    pub fn of_path(path: &Path) -> io::Result<Self> {
        let link = fs::symlink_metadata(path)?;
        let target = match link.is_symlink() {
            true => Self::of(&fs::metadata(path)?),
            false => Self::of(&link),
        };
        // Nobody but its owner can change a link, whatever its mode says.
        match link.is_symlink() && !is_trusted_owner(owner(&link)) {
            true => Ok(Self {
                owner: owner(&link),
                ..target
            }),
            false => Ok(target),
        }
    }

    /// Returns the ownership of an open file.
    #[must_use]
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            owner: owner(metadata),
            is_writable_by_all: is_writable_by_all(metadata),
        }
    }

    /// Reports whether anybody but the owner can read or change a file.
    #[must_use]
    pub fn is_readable_by_others(metadata: &Metadata) -> bool {
        mode(metadata) & 0o077 != 0
    }

    /// Reports whether a file is the person's or the administrator's, and every user can change it.
    #[must_use]
    pub fn is_own_but_writable(self) -> bool {
        self.is_writable_by_all && is_trusted_owner(self.owner)
    }

    /// Reports whether only the person can change the file: it is theirs and not writable by all.
    #[must_use]
    pub fn is_own(self) -> bool {
        self.owner == me() && !self.is_writable_by_all
    }

    /// Reports whether the file is the person's or the administrator's, and not writable by all.
    #[must_use]
    pub fn is_trusted(self) -> bool {
        is_trusted_owner(self.owner) && !self.is_writable_by_all
    }

    /// Reports whether a file can hold a secret: only its owner can read it or, if it is the
    /// administrator's, a group to which the administrator gives it.
    #[must_use]
    pub fn is_secret(metadata: &Metadata) -> bool {
        match owner(metadata) == ROOT && me() != ROOT {
            true => mode(metadata) & 0o007 == 0,
            false => !Self::is_readable_by_others(metadata),
        }
    }

    /// Says why a file is not trusted, such as `belongs to another user`.
    #[must_use]
    pub fn problem(self) -> &'static str {
        match self.is_own_but_writable() {
            true => "can be changed by every user",
            false => "belongs to another user",
        }
    }
}

fn is_trusted_owner(owner: u32) -> bool {
    owner == me() || owner == ROOT
}

#[cfg(unix)]
fn me() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(unix)]
fn owner(metadata: &Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::uid(metadata)
}

#[cfg(unix)]
fn mode(metadata: &Metadata) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions())
}

fn is_writable_by_all(metadata: &Metadata) -> bool {
    mode(metadata) & 0o002 != 0
}

#[cfg(not(unix))]
fn me() -> u32 {
    ROOT
}

#[cfg(not(unix))]
fn owner(_: &Metadata) -> u32 {
    ROOT
}

#[cfg(not(unix))]
fn mode(_: &Metadata) -> u32 {
    0
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn only_files_that_others_cannot_change_are_trusted() {
        let mine = |owner, is_writable_by_all| Ownership {
            owner,
            is_writable_by_all,
        };
        let (me, other) = (me(), me() + 12_345);
        for (ownership, own, trusted) in [
            (mine(me, false), true, true),
            (mine(me, true), false, false),
            (mine(ROOT, false), me == ROOT, true),
            (mine(ROOT, true), false, false),
            (mine(other, false), false, false),
            (mine(other, true), false, false),
        ] {
            assert_eq!(ownership.is_own(), own, "{ownership:?}");
            assert_eq!(ownership.is_trusted(), trusted, "{ownership:?}");
        }
        assert_eq!(mine(other, true).problem(), "belongs to another user");
        assert_eq!(mine(me, true).problem(), "can be changed by every user");
    }

    #[test]
    fn a_link_is_judged_by_its_target_as_well() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "").expect("is written");
        symlink(&file, &link).expect("is made");
        assert!(Ownership::of_path(&link).expect("is there").is_own());
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).expect("is set");
        assert!(!Ownership::of_path(&link).expect("is there").is_own());
        fs::remove_file(&file).expect("is removed");
        assert!(Ownership::of_path(&link).is_err());
    }
}

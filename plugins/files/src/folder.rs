//! The granted folder: paths in it, and what its errors tell the model.

use footlight_sdk::prelude::*;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The guest's path of the folder, as in `plugin.toml`.
const GUEST: &str = "/data";

/// The folder in which everything happens.
pub(crate) struct Folder {
    root: PathBuf,
}

/// A path in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The path as the model and the person read it: relative to the folder, `.` for the folder itself.
    pub(crate) name: String,
    /// The path to open.
    pub(crate) path: PathBuf,
}

impl Folder {
    /// Returns the folder that the person granted.
    pub(crate) fn granted() -> Self {
        Self::at(GUEST)
    }

    /// Returns a folder of the machine, for tests.
    pub(crate) fn at(root: impl AsRef<Path>) -> Self {
        let root = root.as_ref().to_owned();
        Self { root }
    }

    /// Resolves a path that the model gave.
    ///
    /// # Errors
    /// If the path leads out of the folder. The host would refuse it in any case.
    pub(crate) fn resolve(&self, given: &str) -> Result<Place> {
        let outside =
            || invalid!("`{given}` is outside the folder: give a path relative to the folder");
        let inside = match given.strip_prefix(GUEST) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => rest,
            _ if given.starts_with('/') => return Err(outside()),
            _ => given,
        };
        if inside.contains('\0') {
            return Err(invalid!("a path cannot contain NUL"));
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in inside.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop().ok_or_else(outside)?),
                part => parts.push(part),
            }
        }
        Ok(Place::new(&self.root, &parts.join("/")))
    }

    /// Resolves the path of a file.
    pub(crate) fn file(&self, given: &str) -> Result<Place> {
        let place = self.resolve(given)?;
        match place.name.as_str() {
            "." => Err(invalid!("`{given}` is the folder: name a file in it")),
            _ => Ok(place),
        }
    }
}

impl Place {
    fn new(root: &Path, name: &str) -> Self {
        Self {
            name: if name.is_empty() { "." } else { name }.to_owned(),
            path: root.join(name),
        }
    }

    /// Returns an entry of this folder.
    pub(crate) fn child(&self, name: &str) -> Self {
        Self {
            name: match self.name.as_str() {
                "." => name.to_owned(),
                folder => format!("{folder}/{name}"),
            },
            path: self.path.join(name),
        }
    }

    /// Says what an error means for this path.
    pub(crate) fn failure(&self, error: &io::Error) -> Failure {
        let name = &self.name;
        match error.kind() {
            ErrorKind::NotFound => invalid!("there is no `{name}` in the folder"),
            ErrorKind::NotADirectory => invalid!("`{name}` is not a folder"),
            ErrorKind::IsADirectory => invalid!("`{name}` is a folder"),
            ErrorKind::ReadOnlyFilesystem => denied!("`{name}` is read-only"),
            ErrorKind::PermissionDenied => denied!("`{name}` cannot be opened: {error}"),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                let message = format!("`{name}` was not written: the quota is exhausted");
                Failure::new(FailureCode::Other, message)
            }
            _ => unavailable!("`{name}`: {error}"),
        }
    }
}

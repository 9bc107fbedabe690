//! Folders that a person granted: each is opened and checked once, and from then on held as a
//! handle, so that nothing that happens to its path later leads a plugin elsewhere.
//!
//! Links are followed while a person names a folder, and never again: a grant has the path that they
//! led to, and is opened without following any. A plugin that can write beside or above a granted
//! folder can put a link in its place.
//!
//! A folder is refused if it overlaps a folder of the host, in either direction: a plugin that could
//! write there could grant itself anything. The overlap is looked for by path, by the identity of
//! every folder above both, and in the table of mounts, so that links and bind mounts do not hide it.

mod mounts;
mod system;
mod table;
mod walk;

pub(crate) use table::FolderTable;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use footlight_vocabulary::manifest::Mode;
use mounts::{Location, Mounts};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// How many links on the way to a folder of the host are looked at. The system follows 40.
const MAX_LINKS: usize = 64;

/// How many folders above one are looked at. No path is that deep.
const MAX_DEPTH: usize = 4_096;

/// A folder of the machine, open. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Folder(Arc<OpenFolder>);

#[derive(Debug)]
struct OpenFolder {
    dir: Dir,
    path: PathBuf,
}

/// A folder as one call holds it.
#[derive(Debug, Clone)]
pub(crate) struct BoundFolder {
    /// The path that the guest knows it by.
    pub(crate) guest_path: String,
    pub(crate) folder: Folder,
    /// What this call can do, whatever was granted.
    pub(crate) mode: Mode,
    /// The action that a person must approve in this call before it can write.
    pub(crate) approval: Option<String>,
    /// How many files all calls of the host have open.
    pub(crate) open_files: Arc<AtomicUsize>,
}

/// Why a folder cannot be granted.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// Nothing is there.
    #[error("there is no folder `{path}`; create it, or choose another")]
    Missing {
        /// The path as it was given.
        path: PathBuf,
    },
    /// It is a file, or something else.
    #[error("`{path}` is not a folder; choose the folder that contains it")]
    NotAFolder {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The operating system refused to open it.
    #[error("the folder `{path}` cannot be opened: {reason}; choose one that you can read")]
    Unreadable {
        /// The path as it was given.
        path: PathBuf,
        /// The reason, from the operating system.
        reason: String,
    },
    /// It is or lies behind a link, and what was granted is not.
    #[error(
        "`{path}` leads to `{real}` through a link, and links of a granted path are not followed; grant the folder by that path if you mean it"
    )]
    Link {
        /// The path that was granted.
        path: PathBuf,
        /// Where it leads now.
        real: PathBuf,
    },
    /// It was deleted while this process held it. What is there now is another folder.
    #[error(
        "the folder that was granted as `{path}` was deleted; name the one that is there now, or start again if a rule does"
    )]
    Deleted {
        /// The path that was granted.
        path: PathBuf,
    },
    /// It was replaced while it was checked.
    #[error("the folder `{path}` changed while it was opened; try again")]
    Changed {
        /// The path as it was given.
        path: PathBuf,
    },
    /// It belongs to the operating system, or contains a part of it.
    #[error("`{path}` belongs to the operating system; choose a folder of your own")]
    System {
        /// The path as it was given.
        path: PathBuf,
    },
    /// It is the person's home folder, or contains it.
    #[error("`{path}` contains everything of yours, keys included; choose a folder in it")]
    Home {
        /// The path as it was given.
        path: PathBuf,
    },
    /// It overlaps a folder of the host.
    #[error(
        "`{path}` overlaps `{reserved}`, where the host keeps its own files; choose a folder apart from it"
    )]
    Reserved {
        /// The path as it was given.
        path: PathBuf,
        /// The folder of the host.
        reserved: PathBuf,
    },
}

/// The folders of the host itself, which are never granted.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReservedFolders(Vec<PathBuf>);

impl ReservedFolders {
    /// Reserves a folder, which need not exist yet.
    pub(crate) fn add(&mut self, path: &Path) {
        // A relative path means the working directory of now, not of a later check.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if !self.0.contains(&path) {
            self.0.push(path);
        }
    }
}

impl Folder {
    /// Opens a folder that a person names, unless it must not be granted. Links are followed.
    ///
    /// # Errors
    /// When there is no folder at `path`, when it is the system's, the whole home folder or overlaps
    /// a reserved one, and when any of this cannot be found out.
    pub(crate) fn named(path: &Path, reserved: &ReservedFolders) -> Result<Self, FolderError> {
        let canonical = path.canonicalize().map_err(|error| failed(path, &error))?;
        Self::open(path, &canonical, reserved)
    }

    /// Opens a folder by the path that was granted, unless it must not be granted. No part of the path
    /// may be a link.
    ///
    /// # Errors
    /// As [`named`](Self::named), and when a part of the path is a link.
    pub(crate) fn granted(path: &Path, reserved: &ReservedFolders) -> Result<Self, FolderError> {
        Self::open(path, path, reserved)
    }

    /// Opens the folder at `canonical`, a path without links. Errors are about the path as it was given.
    fn open(
        path: &Path,
        canonical: &Path,
        reserved: &ReservedFolders,
    ) -> Result<Self, FolderError> {
        let given = || path.to_owned();
        let failed = |error: io::Error| failed(path, &error);
        let dir = walk::open(canonical).map_err(|error| match canonical.canonicalize() {
            Ok(real) if real != canonical => FolderError::Link {
                path: given(),
                real,
            },
            _ => failed(error),
        })?;
        let about = std::fs::symlink_metadata(canonical).map_err(failed)?;
        let above = lineage(&dir).map_err(failed)?;
        // What was opened must be what the path names, or the checks by path are of another folder.
        if identity(&about).as_ref() != above.first() {
            return Err(FolderError::Changed { path: given() });
        }
        let mounts = Mounts::read();
        if system::contains(canonical, &dir) || mounts.has_system_below(canonical) {
            return Err(FolderError::System { path: given() });
        }
        let candidate = Candidate {
            path: canonical,
            above: &above,
            mounts: &mounts,
        };
        // The environment can name another one than the system does.
        let homes = [std::env::home_dir(), system::home()].into_iter();
        let mut homes = homes.filter_map(|home| home?.canonicalize().ok());
        if homes.any(|home| home.starts_with(canonical) || candidate.is(&home)) {
            return Err(FolderError::Home { path: given() });
        }
        if let Some(reserved) = reserved.0.iter().find(|folder| candidate.overlaps(folder)) {
            return Err(FolderError::Reserved {
                path: given(),
                reserved: reserved.clone(),
            });
        }
        Ok(Self(Arc::new(OpenFolder {
            dir,
            path: canonical.to_owned(),
        })))
    }

    /// Returns the path on the machine, for the person and nobody else.
    pub(crate) fn path(&self) -> &Path {
        &self.0.path
    }

    /// Reports whether the folder has not been deleted.
    #[cfg(unix)]
    pub(crate) fn exists(&self) -> bool {
        use cap_std::fs::MetadataExt as _;
        self.0
            .dir
            .dir_metadata()
            .is_ok_and(|about| about.nlink() > 0)
    }

    /// Reports whether the folder has not been deleted, which cannot be found out here.
    #[cfg(not(unix))]
    pub(crate) fn exists(&self) -> bool {
        true
    }

    /// Returns another handle of the same folder.
    pub(crate) fn dir(&self) -> io::Result<Dir> {
        self.0.dir.try_clone()
    }
}

/// Returns why a folder cannot be opened.
fn failed(path: &Path, error: &io::Error) -> FolderError {
    let path = path.to_owned();
    match error.kind() {
        io::ErrorKind::NotFound => FolderError::Missing { path },
        io::ErrorKind::NotADirectory => FolderError::NotAFolder { path },
        _ => FolderError::Unreadable {
            path,
            reason: error.to_string(),
        },
    }
}

/// What tells one folder from all others: device and inode. Where there is no such thing, only paths
/// are compared.
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(about: &std::fs::Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    Some((about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn identity(_: &std::fs::Metadata) -> Option<Identity> {
    None
}

fn identity_of(path: &Path) -> Option<Identity> {
    identity(&std::fs::metadata(path).ok()?)
}

/// Returns the identity of an open folder and of each folder above it, found through handles.
fn lineage(dir: &Dir) -> io::Result<Vec<Identity>> {
    let mut above = Vec::new();
    let mut dir = dir.try_clone()?;
    for _ in 0..MAX_DEPTH {
        let about = dir.try_clone()?.into_std_file().metadata()?;
        match identity(&about) {
            // The root is its own parent.
            Some(found) if above.last() != Some(&found) => above.push(found),
            _ => return Ok(above),
        }
        dir = match dir.open_parent_dir(ambient_authority()) {
            Ok(parent) => parent,
            // A folder above that cannot be opened is compared by path alone.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(above),
            Err(error) => return Err(error),
        };
    }
    Err(io::Error::other("it lies too deep"))
}

/// A folder that is about to be granted.
struct Candidate<'a> {
    path: &'a Path,
    /// Its own identity, and those of the folders above it.
    above: &'a [Identity],
    mounts: &'a Mounts,
}

impl Candidate<'_> {
    /// Reports whether a path leads to this folder, whatever it is called.
    fn is(&self, path: &Path) -> bool {
        let own = self.above.first();
        own.is_some() && identity_of(path).as_ref() == own
    }

    fn overlaps(&self, reserved: &Path) -> bool {
        let links = folders_of_links(reserved).into_iter();
        // Whoever can write where a link stands leads the host elsewhere.
        let mut above =
            links.flat_map(|folder| folder.ancestors().map(Path::to_owned).collect::<Vec<_>>());
        if above.any(|folder| self.path == folder || self.is(&folder)) {
            return true;
        }
        let reserved = resolve(reserved);
        let touches = |one: &Path, other: &Path| one.starts_with(other) || other.starts_with(one);
        if touches(self.path, &reserved) {
            return true;
        }
        if let Some(identity) = identity_of(&reserved)
            && self.above.contains(&identity)
        {
            return true;
        }
        if reserved.ancestors().any(|folder| self.is(folder)) {
            return true;
        }
        let (ours, theirs) = (
            self.mounts.reachable(self.path),
            self.mounts.reachable(&reserved),
        );
        let meets = |one: &Location| {
            let mut theirs = theirs.iter();
            theirs.any(|other| one.device == other.device && touches(&one.path, &other.path))
        };
        ours.iter().any(meets)
    }
}

/// Returns the folders that have the links on the way to a path.
fn folders_of_links(path: &Path) -> Vec<PathBuf> {
    let (mut found, mut left) = (Vec::new(), vec![path.to_owned()]);
    while let Some(path) = left.pop().filter(|_| found.len() < MAX_LINKS) {
        for part in path.ancestors() {
            let (Some(above), Ok(target)) = (part.parent(), part.read_link()) else {
                continue;
            };
            if let Ok(above) = above.canonicalize() {
                left.push(above.join(target));
                found.push(above);
            }
        }
    }
    found
}

/// Resolves links in the part of a path that exists. The rest is kept as it is.
fn resolve(path: &Path) -> PathBuf {
    for existing in path.ancestors() {
        if let Ok(canonical) = existing.canonicalize() {
            let rest = path.strip_prefix(existing).unwrap_or(Path::new(""));
            return canonical.join(rest);
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests;

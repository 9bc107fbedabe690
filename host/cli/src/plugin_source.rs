//! Resolves a `<PLUGIN>` argument: the name of an installed plugin, a component file, or a folder to build.
//!
//! A word that can be a name means the installed plugin first, whatever the current folder contains; a
//! path says `./`. In a project's file it is the other way round, because its folders are its own.
//!
//! A folder is a crate (`cargo`), or a plugin in Python or JavaScript (`componentize`); `toolchain` tells which.
//! `quick` builds either again and again.
//! Building runs native code without a sandbox, such as build scripts, so [`resolve`] asks first, unless the person
//! named a folder of their own project (`permission`).

pub(crate) mod cargo;
pub(crate) mod component;
pub(crate) mod componentize;
mod inputs;
mod permission;
pub(crate) mod quick;
mod toolchain;

pub(crate) use toolchain::Toolchain;

use crate::consent::CrateFolder;
use crate::data::{Data, display_path};
use crate::ownership::Ownership;
use crate::plugins::{self, Installed};
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, anyhow, bail};
use footlight_render::filter;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a crate is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuildCause {
    /// The person named it, on the command line or in their own configuration.
    Named,
    /// The project's `footlight.toml` names it.
    Project,
    /// A stored session names it, which does not tell who named it first.
    Remembered,
    /// It is inspected, which people do to decide whether to trust a plugin.
    Inspected,
}

/// What an argument, an entry of `plugins` or a stored session names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PluginArgument {
    /// An installed plugin, and nothing else.
    Installed(String),
    Path(PathBuf),
    /// A word that can be either.
    Word {
        name: String,
        path: PathBuf,
    },
}

/// Where a plugin comes from.
#[derive(Debug, Clone)]
pub(crate) struct PluginSource {
    /// Who names it.
    pub(crate) cause: BuildCause,
    /// What names it: a path, or the name of an installed plugin.
    pub(crate) typed: PathBuf,
    /// The component file.
    pub(crate) component: PathBuf,
    /// The folder that it was built from, if any.
    pub(crate) crate_folder: Option<CrateFolder>,
    /// The bytes of an installed component, which have the digest of the lock file.
    pub(crate) installed: Option<Arc<[u8]>>,
}

/// A plugin of a command, and what names it.
#[derive(Debug, Clone)]
pub(crate) struct LoadedSource {
    pub(crate) id: String,
    /// A path, or the name of an installed plugin.
    pub(crate) typed: PathBuf,
    pub(crate) cause: BuildCause,
    pub(crate) is_installed: bool,
}

/// What stands before the name of an installed plugin in the metadata of a session.
const INSTALLED: &str = "installed:";

/// What stands before a path that the person named themselves. A path of a project's file has nothing before it, so
/// that resuming the session never builds it on the person's behalf.
const NAMED: &str = "named:";

impl LoadedSource {
    /// Returns what a session remembers, to load the same plugin again.
    pub(crate) fn to_remember(&self) -> String {
        match self.is_installed {
            true => format!("{INSTALLED}{}", self.id),
            false => {
                let path = self.typed.canonicalize();
                let path = path.unwrap_or_else(|_| self.typed.clone());
                // A path that is not Unicode is remembered as another one.
                match path.to_str().filter(|_| self.cause == BuildCause::Named) {
                    Some(path) => format!("{NAMED}{path}"),
                    None => path.to_string_lossy().into_owned(),
                }
            }
        }
    }
}

impl PluginArgument {
    /// Reads an argument of the command line.
    pub(crate) fn typed(path: &Path) -> Self {
        Self::listed(Path::new(""), path)
    }

    /// Reads the arguments of a command line.
    pub(crate) fn all_typed(paths: &[PathBuf]) -> Vec<Self> {
        paths.iter().map(|path| Self::typed(path)).collect()
    }

    /// Reads an entry of a file, whose paths are relative to its folder.
    pub(crate) fn listed(folder: &Path, entry: &Path) -> Self {
        let path = folder.join(entry);
        match entry.to_str().filter(|word| plugins::is_name(word)) {
            Some(name) => Self::Word {
                name: name.to_owned(),
                path,
            },
            None => Self::Path(path),
        }
    }

    /// Reads what a session remembers, and who named it.
    pub(crate) fn remembered(text: &str) -> (Self, BuildCause) {
        if let Some(name) = text.strip_prefix(INSTALLED) {
            return (Self::Installed(name.to_owned()), BuildCause::Remembered);
        }
        match text.strip_prefix(NAMED) {
            Some(path) => (Self::Path(PathBuf::from(path)), BuildCause::Named),
            None => (Self::Path(PathBuf::from(text)), BuildCause::Remembered),
        }
    }

    /// Decides which of its meanings an argument has.
    ///
    /// # Errors
    /// When it is a name, and no plugin is installed under it.
    pub(crate) fn locate(&self, cause: BuildCause, installed: &Installed, ui: &Ui) -> Result<Self> {
        let Self::Word { name, path } = self else {
            return match self {
                Self::Installed(name) if installed.find(name).is_none() => {
                    Err(not_installed(name, installed))
                }
                other => Ok(other.clone()),
            };
        };
        let is_there = path.symlink_metadata().is_ok();
        match (installed.find(name), is_there) {
            (Some(_), true) if cause == BuildCause::Project => Ok(Self::Path(path.clone())),
            (Some(_), is_there) => {
                if is_there {
                    ui.note(&format!(
                        "`{name}` is the installed plugin; for what is in the folder, write `./{name}`"
                    ));
                }
                Ok(Self::Installed(name.clone()))
            }
            (None, true) => Ok(Self::Path(path.clone())),
            (None, false) => Err(not_installed(name, installed)),
        }
    }
}

fn not_installed(name: &str, installed: &Installed) -> anyhow::Error {
    let meant = installed.did_you_mean(name);
    anyhow!(
        "there is no plugin `{name}`: none is installed under this name, and there is no such file or folder{meant}; `footlight plugins add` installs one"
    )
}

/// Returns the component of an argument: an installed one, a file, or what a crate builds with the
/// person's consent.
pub(crate) fn resolve(
    argument: &PluginArgument,
    cause: BuildCause,
    data: &Data,
    ui: &Ui,
) -> Result<PluginSource> {
    // A path needs no list of what is installed, and works without one.
    let installed = match argument {
        PluginArgument::Path(path) => return resolve_path(path, cause, ui),
        _ => Installed::open(data)?,
    };
    match argument.locate(cause, &installed, ui)? {
        PluginArgument::Installed(name) => {
            let entry = installed.find(&name).context("it is installed")?;
            Ok(PluginSource {
                cause,
                typed: PathBuf::from(&name),
                component: installed.component_path(entry),
                crate_folder: None,
                installed: Some(installed.read(entry)?.into()),
            })
        }
        PluginArgument::Path(path) | PluginArgument::Word { path, .. } => {
            resolve_path(&path, cause, ui)
        }
    }
}

/// Returns the component of a path: the file itself, or what its crate builds, with the person's
/// consent.
pub(crate) fn resolve_path(path: &Path, cause: BuildCause, ui: &Ui) -> Result<PluginSource> {
    let crate_folder = crate_folder(path)?;
    let component = match &crate_folder {
        None => path.to_owned(),
        Some(folder) => {
            let toolchain = Toolchain::of(&folder.path).context("the folder has changed")?;
            permission::ensure(folder, toolchain, cause, ui)?;
            match toolchain {
                Toolchain::Cargo => cargo::build(&folder.path, ui)?,
                Toolchain::Python | Toolchain::JavaScript => {
                    componentize::build(&folder.path, toolchain, ui)?
                }
            }
        }
    };
    Ok(PluginSource {
        cause,
        typed: path.to_owned(),
        component,
        crate_folder,
        installed: None,
    })
}

/// Reports whether a folder belongs to the person and nobody else can change what a build runs of it.
pub(crate) fn is_owned(folder: &CrateFolder) -> bool {
    permission::is_owned(folder)
}

/// Returns the folder to build that a path leads to; `None` for a file.
pub(crate) fn crate_folder(path: &Path) -> Result<Option<CrateFolder>> {
    let name = display_path(path);
    let found = fs::metadata(path).with_context(|| {
        format!("there is no plugin `{name}`; name a `.wasm` file, a crate folder or an installed plugin")
    })?;
    if !found.is_dir() {
        return Ok(None);
    }
    // Whoever names a `.wasm` wants a file, which runs in a sandbox, and no build.
    let extension = path.extension().unwrap_or_default();
    if extension.eq_ignore_ascii_case("wasm") {
        bail!("`{name}` is a folder, although it is named like a component; rename it");
    }
    if Toolchain::of(path).is_none() {
        bail!(
            "the folder `{name}` has no Cargo.toml, plugin.py or plugin.js; name the folder of a plugin, or a `.wasm` file"
        );
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
        let source = resolve_path(&file, BuildCause::Project, &Ui::silent()).expect("is a file");
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
    fn only_a_bare_word_can_be_an_installed_plugin() {
        let here = |text: &str| PluginArgument::typed(Path::new(text));
        let word = PluginArgument::Word {
            name: "weather".to_owned(),
            path: "weather".into(),
        };
        assert_eq!(here("weather"), word);
        for path in [
            "./weather",
            "weather/",
            "a/weather",
            "weather.wasm",
            ".",
            "..",
            "Weather",
            "",
        ] {
            assert_eq!(here(path), PluginArgument::Path(path.into()), "{path}");
        }
        let listed = PluginArgument::listed(Path::new("/p"), Path::new("weather"));
        let path = PathBuf::from("/p/weather");
        let name = "weather".to_owned();
        assert_eq!(listed, PluginArgument::Word { name, path });
        let installed = PluginArgument::Installed("weather".to_owned());
        assert_eq!(PluginArgument::remembered("installed:weather").0, installed);
        assert_eq!(
            PluginArgument::remembered("weather").0,
            PluginArgument::Path("weather".into()),
            "a session never remembers a word that can be either"
        );
    }

    #[test]
    fn a_session_remembers_who_named_a_path_and_only_the_persons_own_word_counts_as_theirs() {
        for (cause, is_installed, expected) in [
            (BuildCause::Named, false, BuildCause::Named),
            (BuildCause::Project, false, BuildCause::Remembered),
            (BuildCause::Remembered, false, BuildCause::Remembered),
            (BuildCause::Inspected, false, BuildCause::Remembered),
            (BuildCause::Named, true, BuildCause::Remembered),
        ] {
            let source = LoadedSource {
                id: "a".to_owned(),
                typed: "/nowhere/a".into(),
                cause,
                is_installed,
            };
            let (argument, found) = PluginArgument::remembered(&source.to_remember());
            assert_eq!(found, expected, "{cause:?}");
            let path = PluginArgument::Path("/nowhere/a".into());
            let installed = PluginArgument::Installed("a".to_owned());
            assert_eq!(argument, if is_installed { installed } else { path });
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

//! Builds a folder again and again, as quickly as its tools can, for `footlight dev`.

use super::componentize::{self, Job, Prepared};
use super::toolchain::Toolchain;
use super::{BuildCause, cargo, permission};
use crate::consent::CrateFolder;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A folder with what builds it.
pub(crate) struct QuickBuilder {
    folder: CrateFolder,
    toolchain: Toolchain,
    /// The words of cargo's command; none for other tools, whose words differ each time.
    cargo: Vec<OsString>,
}

/// What a build is done with.
pub(crate) enum QuickBuild {
    /// Nothing has changed since this component was built.
    Fresh(PathBuf),
    Cargo {
        words: Vec<OsString>,
        manifest: PathBuf,
    },
    Componentize(Job),
}

impl QuickBuilder {
    /// Asks the person if the folder is not known to be theirs, and finds its tools.
    pub(crate) fn new(folder: &CrateFolder, ui: &Ui) -> Result<Self> {
        let toolchain = Toolchain::of(&folder.path).context("the folder has changed")?;
        let mut builder = Self {
            folder: folder.clone(),
            toolchain,
            cargo: Vec::new(),
        };
        // Nothing is served of a folder that may not be built.
        builder.ensure_may_build(ui)?;
        if toolchain == Toolchain::Cargo {
            builder.cargo = cargo::quick_build(&folder.path, ui)?;
        }
        Ok(builder)
    }

    pub(crate) fn toolchain(&self) -> Toolchain {
        self.toolchain
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder.path
    }

    /// Returns the next build, if the folder may still be built: somebody else may have got hold of it.
    pub(crate) fn prepare(&self, ui: &Ui) -> Result<QuickBuild> {
        self.ensure_may_build(ui)?;
        Ok(match self.toolchain {
            Toolchain::Cargo => QuickBuild::Cargo {
                words: self.cargo.clone(),
                manifest: self.folder.path.join("Cargo.toml"),
            },
            other => match componentize::prepare(&self.folder.path, other)? {
                Prepared::Fresh(component) => QuickBuild::Fresh(component),
                Prepared::Build(job) => QuickBuild::Componentize(job),
            },
        })
    }

    fn ensure_may_build(&self, ui: &Ui) -> Result<()> {
        permission::ensure(&self.folder, self.toolchain, BuildCause::Named, ui)
    }
}

impl QuickBuild {
    /// Returns the words of the command, the program first.
    pub(crate) fn words(&self) -> Vec<OsString> {
        match self {
            Self::Fresh(_) => Vec::new(),
            Self::Cargo { words, .. } => words.clone(),
            Self::Componentize(job) => job.words(),
        }
    }

    /// Returns what the environment of the command has in addition.
    pub(crate) fn variables(&self) -> Vec<(&'static str, OsString)> {
        match self {
            Self::Componentize(job) => job.variables(),
            Self::Fresh(_) | Self::Cargo { .. } => Vec::new(),
        }
    }

    /// Returns what the tool says to people, of what it printed to stdout and stderr.
    pub(crate) fn said(&self, stdout: &[u8], stderr: &[u8]) -> String {
        let said = match self {
            // Its stdout is for programs.
            Self::Cargo { .. } => stderr.to_vec(),
            Self::Fresh(_) | Self::Componentize(_) => [stdout, stderr].concat(),
        };
        String::from_utf8_lossy(&said).into_owned()
    }

    /// Returns the component, after the command has ended with success.
    pub(crate) fn component(self, stdout: &[u8]) -> Result<PathBuf> {
        match self {
            Self::Fresh(component) => Ok(component),
            Self::Cargo { manifest, .. } => cargo::artifact(stdout, &manifest),
            Self::Componentize(job) => job.finish(),
        }
    }
}

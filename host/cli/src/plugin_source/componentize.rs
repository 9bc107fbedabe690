//! Builds a plugin in Python or JavaScript into a component, with the manifest in it.
//!
//! The tools are those of the folder, `.venv` or `node_modules`, or else those in PATH. A component that is newer than
//! every file of the folder is used as it is, because building one of Python takes a quarter of a minute.

mod tool;

pub(crate) use tool::{JAVASCRIPT, PYTHON};

use super::component::with_manifest;
use super::toolchain::Toolchain;
use crate::data::display_path;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, anyhow, bail};
use footlight::bounded_file;
use footlight_render::filter;
use footlight_vocabulary::manifest::{self, Manifest};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;
use tempfile::NamedTempFile;
use tool::Tool;

/// The folder of the component.
pub(super) const OUTPUT: &str = "build";

/// The most files and folders that are looked at.
const MAX_ENTRIES: usize = 10_000;

/// The most characters of a tool's output that are shown.
const MAX_SHOWN: usize = 20_000;

/// What a folder needs.
pub(crate) enum Prepared {
    /// Nothing: the component is newer than every file of the folder.
    Fresh(PathBuf),
    Build(Job),
}

/// A build that can start.
pub(crate) struct Job {
    tool: &'static Tool,
    program: PathBuf,
    folder: PathBuf,
    /// The text of the manifest.
    manifest: String,
    /// What the tool writes. It is removed if the job does not finish.
    made: NamedTempFile,
    output: PathBuf,
    /// What is saved from then on is not in the component.
    started: SystemTime,
}

/// Builds a folder and returns the path of the component.
pub(super) fn build(folder: &Path, toolchain: Toolchain, ui: &Ui) -> Result<PathBuf> {
    match prepare(folder, toolchain)? {
        Prepared::Fresh(component) => Ok(component),
        Prepared::Build(job) => {
            if ui.stderr_is_terminal() {
                ui.note(&format!("building with {}", job.tool.name));
            }
            job.run(ui)?;
            job.finish()
        }
    }
}

/// Reads the manifest of a folder, and finds what builds it.
pub(super) fn prepare(folder: &Path, toolchain: Toolchain) -> Result<Prepared> {
    let path = folder.join("plugin.toml");
    let named = || format!("`{}`", display_path(&path));
    let text = bounded_file::read_to_string(&path, manifest::MAX_BYTES);
    let text = text.with_context(|| format!("cannot read the manifest {}", named()))?;
    let id = Manifest::parse(&text).with_context(named)?.id;
    let output = folder.join(OUTPUT).join(format!("{id}.wasm"));
    if is_fresh(&output, folder, toolchain) {
        return Ok(Prepared::Fresh(output));
    }
    let (tool, program) = find_tool(folder, toolchain)?;
    fs::create_dir_all(folder.join(OUTPUT))
        .with_context(|| format!("cannot make `{}`", display_path(&folder.join(OUTPUT))))?;
    let started = SystemTime::now();
    let made = tempfile::Builder::new()
        .suffix(".wasm")
        .tempfile_in(folder.join(OUTPUT))
        .context("cannot make a file for the component")?;
    Ok(Prepared::Build(Job {
        tool,
        program,
        folder: folder.to_owned(),
        manifest: text,
        made,
        output,
        started,
    }))
}

/// Finds the tool: the plugin's own copy, or the one in PATH.
fn find_tool(folder: &Path, toolchain: Toolchain) -> Result<(&'static Tool, PathBuf)> {
    let (tool, place, install) = match toolchain {
        Toolchain::JavaScript => (&JAVASCRIPT, "node_modules/.bin", "npm install"),
        Toolchain::Python | Toolchain::Cargo => (
            &PYTHON,
            ".venv/bin",
            "python3 -m venv .venv && .venv/bin/pip install",
        ),
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    // A relative entry would be a folder of the plugin.
    let in_path = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let mut places = [folder.join(place)].into_iter().chain(in_path);
    let found = places.find_map(|place| Some(place.join(tool.name)).filter(|file| file.is_file()));
    let program = found.ok_or_else(|| {
        anyhow!(
            "building `{}` needs {}, which is neither in `{place}` nor in PATH; install it there with: {install} {}",
            display_path(folder),
            tool.name,
            tool.package
        )
    })?;
    Ok((tool, program))
}

impl Job {
    /// Returns the words of the command, which runs in the folder.
    pub(super) fn words(&self) -> Vec<OsString> {
        let words = [self.program.clone().into_os_string()].into_iter();
        let arguments = self.tool.arguments.iter().map(OsString::from);
        let output = self.made.path().as_os_str().to_owned();
        words.chain(arguments).chain([output]).collect()
    }

    /// Returns what its environment has in addition.
    pub(super) fn variables(&self) -> Vec<(&'static str, OsString)> {
        // Where the tool itself was says nothing to an author.
        let mut variables = vec![("RUST_BACKTRACE", OsString::from("0"))];
        let environment = self.folder.join(".venv");
        if self.tool.name == PYTHON.name && self.program.starts_with(&environment) {
            // Packages that the plugin imports are looked for there.
            variables.push(("VIRTUAL_ENV", environment.into_os_string()));
        }
        variables
    }

    fn run(&self, ui: &Ui) -> Result<()> {
        let mut command = Command::new(&self.program);
        crate::secrets::remove_from_environment(&mut command);
        command.args(self.words().iter().skip(1));
        command.envs(self.variables());
        command.current_dir(&self.folder).stdin(Stdio::null());
        let ended = command.output();
        let ended = ended.with_context(|| format!("cannot run {}", self.tool.name))?;
        if ended.status.success() {
            return Ok(());
        }
        let said = [ended.stdout, ended.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let said: String = filter::clean(&said).chars().take(MAX_SHOWN).collect();
        ui.note(said.trim_end());
        bail!(
            "cannot build `{}`; see the output of {} above",
            display_path(&self.folder),
            self.tool.name
        )
    }

    /// Puts what the tool made in its place, with the manifest in it.
    pub(super) fn finish(self) -> Result<PathBuf> {
        let (made, output) = (self.made, self.output);
        let bytes = bounded_file::read(made.path(), footlight::MAX_BYTES);
        let bytes = bytes.with_context(|| format!("cannot read what {} made", self.tool.name))?;
        let (packed, _) = with_manifest(&bytes, &self.manifest)?;
        // The tool may have replaced the file by another one.
        fs::write(made.path(), packed)
            .and_then(|()| set_usual_permissions(made.path()))
            .and_then(|()| fs::File::open(made.path())?.set_modified(self.started))
            .and_then(|()| made.persist(&output).map_err(|error| error.error))
            .with_context(|| format!("cannot write `{}`", display_path(&output)))?;
        Ok(output)
    }
}

/// A temporary file is private, but a component is an ordinary file.
fn set_usual_permissions(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o644))?;
    }
    let _ = path;
    Ok(())
}

/// Reports whether a component is newer than every file of the folder.
fn is_fresh(output: &Path, folder: &Path, toolchain: Toolchain) -> bool {
    let built = fs::symlink_metadata(output).and_then(|found| found.modified());
    let (Ok(built), Some(sources)) = (built, sources(folder, toolchain)) else {
        return false;
    };
    sources.iter().all(|path| {
        fs::symlink_metadata(path).is_ok_and(|found| {
            // The time of a folder changes with each file that a tool puts there for a moment.
            found.is_dir() || found.modified().is_ok_and(|time| time < built)
        })
    })
}

/// Returns the files and folders that a component is built from; none if they are too many, or cannot be read.
fn sources(folder: &Path, toolchain: Toolchain) -> Option<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).ok()? {
            let entry = entry.ok()?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_folder = entry.file_type().ok()?.is_dir();
            if is_folder && (name.starts_with('.') || toolchain.outputs().contains(&&*name)) {
                continue;
            }
            if is_folder {
                folders.push(entry.path());
            }
            found.push(entry.path());
            if found.len() > MAX_ENTRIES {
                return None;
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_component_is_fresh_until_a_file_of_the_source_changes() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let at = |path: &str, seconds: u64| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("has one")).expect("is made");
            let file = fs::File::create(&path).expect("is made");
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            file.set_modified(time).expect("is set");
        };
        let is_fresh = || {
            is_fresh(
                &folder.path().join("build/a.wasm"),
                folder.path(),
                Toolchain::Python,
            )
        };
        at("plugin.py", 100);
        assert!(!is_fresh(), "there is no component");
        at("build/a.wasm", 200);
        at("node_modules/x.js", 900);
        at(".venv/x.py", 900);
        at("footlight/ui.py", 150);
        assert!(is_fresh());
        at("footlight/ui.py", 300);
        assert!(!is_fresh());
    }
}

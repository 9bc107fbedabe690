//! Builds a plugin in Python or JavaScript into a component, with the manifest in it.
//!
//! The tools are those of the folder, `.venv` or `node_modules`, or else those in PATH. A component that is newer than
//! every file of the folder is used as it is, because building one of Python takes a quarter of a minute.

use super::component::with_manifest;
use super::toolchain::Toolchain;
use crate::data::display_path;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, anyhow, bail};
use footlight::bounded_file;
use footlight_render::filter;
use footlight_vocabulary::manifest::{self, Manifest};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// The tool for Python, as pip names it.
pub(crate) const PYTHON_PACKAGE: &str = "componentize-py==0.25.1";

/// The tool for JavaScript, as npm names it.
pub(crate) const JAVASCRIPT_PACKAGE: &str = "@bytecodealliance/componentize-js@0.23.0";

/// The folder of the component.
const OUTPUT: &str = "build";

/// Folders that do not belong to the source.
const SKIPPED: &[&str] = &[OUTPUT, "node_modules", "target", "__pycache__"];

/// The most files and folders whose times are compared.
const MAX_ENTRIES: usize = 10_000;

/// The most characters of a tool's output that are shown.
const MAX_SHOWN: usize = 20_000;

/// A tool that makes components.
struct Tool {
    name: &'static str,
    /// The folder of the plugin's own copy.
    folder: &'static str,
    install: &'static str,
    package: &'static str,
    arguments: &'static [&'static str],
}

const PYTHON: Tool = Tool {
    name: "componentize-py",
    folder: ".venv/bin",
    install: "python3 -m venv .venv && .venv/bin/pip install",
    package: PYTHON_PACKAGE,
    arguments: &[
        "--quiet",
        "--wit-path",
        "footlight/footlight.wit",
        "--world",
        "plugin",
        "componentize",
        "plugin",
        "--output",
    ],
};

const JAVASCRIPT: Tool = Tool {
    name: "componentize-js",
    folder: "node_modules/.bin",
    install: "npm install",
    package: JAVASCRIPT_PACKAGE,
    arguments: &[
        "footlight/component.js",
        "--wit",
        "footlight/footlight.wit",
        "--world-name",
        "plugin",
        "--disable",
        "http",
        "--disable",
        "fetch-event",
        "--out",
    ],
};

/// Builds a folder and returns the path of the component.
pub(super) fn build(folder: &Path, toolchain: Toolchain, ui: &Ui) -> Result<PathBuf> {
    let tool = match toolchain {
        Toolchain::JavaScript => &JAVASCRIPT,
        Toolchain::Python | Toolchain::Cargo => &PYTHON,
    };
    let path = folder.join("plugin.toml");
    let named = || format!("`{}`", display_path(&path));
    let text = bounded_file::read_to_string(&path, manifest::MAX_BYTES);
    let text = text.with_context(|| format!("cannot read the manifest {}", named()))?;
    let id = Manifest::parse(&text).with_context(named)?.id;
    let output = folder.join(OUTPUT).join(format!("{id}.wasm"));
    if is_fresh(&output, folder) {
        return Ok(output);
    }
    fs::create_dir_all(folder.join(OUTPUT))
        .with_context(|| format!("cannot make `{}`", display_path(&folder.join(OUTPUT))))?;
    let made = tempfile::Builder::new()
        .suffix(".wasm")
        .tempfile_in(folder.join(OUTPUT))
        .context("cannot make a file for the component")?;
    if ui.stderr_is_terminal() {
        ui.note(&format!("building with {}", tool.name));
    }
    run(tool, folder, made.path(), ui)?;
    let bytes = bounded_file::read(made.path(), footlight::MAX_BYTES);
    let bytes = bytes.with_context(|| format!("cannot read what {} made", tool.name))?;
    let (packed, _) = with_manifest(&bytes, &text)?;
    fs::write(made.path(), packed)
        .and_then(|()| set_usual_permissions(made.path()))
        .and_then(|()| fs::rename(made.path(), &output))
        .with_context(|| format!("cannot write `{}`", display_path(&output)))?;
    Ok(output)
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

fn run(tool: &Tool, folder: &Path, output: &Path, ui: &Ui) -> Result<()> {
    let own = folder.join(tool.folder).join(tool.name);
    let is_own = own.is_file();
    let mut command = Command::new(if is_own {
        own.as_os_str()
    } else {
        OsStr::new(tool.name)
    });
    crate::secrets::remove_from_environment(&mut command);
    if is_own && tool.name == PYTHON.name {
        // Packages that the plugin imports are looked for there.
        command.env("VIRTUAL_ENV", folder.join(".venv"));
    }
    command.args(tool.arguments).arg(output);
    command.current_dir(folder).stdin(Stdio::null());
    let ended = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => anyhow!(
            "building `{}` needs {}, which is neither in `{}` nor in PATH; install it there with: {} {}",
            display_path(folder),
            tool.name,
            tool.folder,
            tool.install,
            tool.package
        ),
        _ => anyhow::Error::new(error).context(format!("cannot run {}", tool.name)),
    })?;
    if ended.status.success() {
        return Ok(());
    }
    let said = [ended.stdout, ended.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let said: String = filter::clean(&said).chars().take(MAX_SHOWN).collect();
    ui.note(said.trim_end());
    bail!(
        "cannot build `{}`; see the output of {} above",
        display_path(folder),
        tool.name
    )
}

/// Reports whether a component is newer than every file of the folder.
fn is_fresh(output: &Path, folder: &Path) -> bool {
    let modified = |path: &Path| {
        fs::symlink_metadata(path)
            .and_then(|found| found.modified())
            .ok()
    };
    let built = modified(output);
    built.is_some_and(|built| {
        let mut entries = 0;
        is_older(folder, built, &mut entries).is_some_and(|is_older| is_older)
    })
}

/// Reports whether everything in a folder is older than a time. Returns `None` if it cannot be told.
fn is_older(folder: &Path, time: SystemTime, entries: &mut usize) -> Option<bool> {
    for entry in fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        *entries += 1;
        if *entries > MAX_ENTRIES {
            return None;
        }
        let (name, found) = (entry.file_name(), entry.metadata().ok()?);
        let name = name.to_string_lossy();
        let is_older = match found.is_dir() {
            true if name.starts_with('.') || SKIPPED.contains(&&*name) => true,
            true => is_older(&entry.path(), time, entries)?,
            false => found.modified().ok()? < time,
        };
        if !is_older {
            return Some(false);
        }
    }
    Some(true)
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
        let is_fresh = || is_fresh(&folder.path().join("build/a.wasm"), folder.path());
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

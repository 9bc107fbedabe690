//! Builds a crate folder into a component with cargo.
//!
//! [`build`] adds the target `wasm32-wasip2` through rustup if it is missing. It uses the profile
//! `plugin` if the workspace has one, and otherwise `release` with the settings of that profile through
//! environment variables.

use crate::exit::ExitError;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, anyhow, bail};
use footlight::bounded_file;
use footlight_render::filter;
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The target that plugins are compiled for.
pub(crate) const TARGET: &str = "wasm32-wasip2";

/// The largest `Cargo.toml` that is read, in bytes.
pub(crate) const MAX_MANIFEST: usize = 1 << 20;

/// The settings of the profile `plugin`, for a release build.
const PLUGIN_RELEASE: &[(&str, &str)] = &[
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "2"),
    ("CARGO_PROFILE_RELEASE_LTO", "true"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
    ("CARGO_PROFILE_RELEASE_PANIC", "abort"),
    ("CARGO_PROFILE_RELEASE_STRIP", "true"),
    ("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "false"),
];

/// The profile of a plugin that its author is working on.
const QUICK: &str = "plugin-dev";

/// The settings of that profile, for a workspace that has none. Without optimisation a component is so much
/// larger that the host compiles it for longer than the compiler saves.
const QUICK_SETTINGS: &[&str] = &[
    "inherits=\"dev\"",
    "opt-level=1",
    "debug=false",
    "strip=true",
    "lto=\"off\"",
    "codegen-units=16",
    "incremental=true",
    "panic=\"abort\"",
];

/// Returns the words of the command that builds a crate quickly, and what has to be there for it. The folder
/// must be canonical.
pub(crate) fn quick_build(folder: &Path, ui: &Ui) -> Result<Vec<OsString>> {
    check_package(folder)?;
    let root = workspace(folder)?;
    ensure_target(folder, ui)?;
    let mut words = vec![cargo(folder).get_program().to_owned()];
    let mut add = |word: &str| words.push(word.into());
    for word in ["build", "--quiet", "--lib", "--target", TARGET] {
        add(word);
    }
    for word in [
        "--message-format",
        "json-render-diagnostics",
        "--color",
        "always",
    ] {
        add(word);
    }
    for word in ["--profile", QUICK] {
        add(word);
    }
    if !has_profile(&root, QUICK) {
        for setting in QUICK_SETTINGS {
            add("--config");
            add(&format!("profile.{QUICK}.{setting}"));
        }
    }
    Ok(words)
}

/// Returns the folders of the crate and of all crates on this machine that it is built from. The folder must be
/// canonical.
pub(crate) fn source_folders(folder: &Path) -> Vec<PathBuf> {
    let mut cargo = cargo(folder);
    cargo.args(["metadata", "--format-version", "1", "--offline", "--quiet"]);
    cargo.args(["--filter-platform", TARGET]);
    let output = cargo.output().ok().filter(|output| output.status.success());
    let metadata = output.and_then(|output| serde_json::from_slice::<Value>(&output.stdout).ok());
    let mut folders = metadata.map_or_else(Vec::new, |metadata| local_packages(&metadata, folder));
    if !folders.iter().any(|found| found == folder) {
        folders.push(folder.to_owned());
    }
    folders
}

/// Returns the folders of the packages without a registry that the package of a folder depends on.
fn local_packages(metadata: &Value, folder: &Path) -> Vec<PathBuf> {
    let packages = || metadata["packages"].as_array().into_iter().flatten();
    let folder_of = |package: &Value| {
        let manifest = package["manifest_path"].as_str().map(Path::new);
        manifest.and_then(Path::parent).map(Path::to_owned)
    };
    let local = |id: &Value| {
        let found = packages().find(|package| package["id"] == *id);
        found
            .filter(|package| package["source"].is_null())
            .and_then(folder_of)
    };
    let own = packages().find(|package| folder_of(package).is_some_and(|of| of == folder));
    let mut wanted: Vec<&Value> = own.iter().map(|package| &package["id"]).collect();
    let (mut seen, mut folders) = (Vec::new(), Vec::new());
    while let Some(id) = wanted.pop() {
        let Some(folder) = local(id).filter(|_| !seen.contains(&id)) else {
            continue;
        };
        seen.push(id);
        folders.push(folder);
        let nodes = metadata["resolve"]["nodes"]
            .as_array()
            .into_iter()
            .flatten();
        let nodes = nodes.filter(|node| node["id"] == *id);
        wanted.extend(nodes.flat_map(|node| node["dependencies"].as_array().into_iter().flatten()));
    }
    folders
}

/// Builds a crate and returns the path of the component.
pub(crate) fn build(folder: &Path, ui: &Ui) -> Result<PathBuf> {
    // Cargo and rustup read their settings from the folder they run in.
    let folder = folder
        .canonicalize()
        .with_context(|| format!("cannot open `{}`", folder.display()))?;
    check_package(&folder)?;
    let root = workspace(&folder)?;
    ensure_target(&folder, ui)?;

    let mut cargo = cargo(&folder);
    cargo.args(["build", "--message-format", "json-render-diagnostics"]);
    cargo.args(["--target", TARGET, "--lib"]);
    if has_profile(&root, "plugin") {
        cargo.args(["--profile", "plugin"]);
    } else {
        cargo.arg("--release").envs(PLUGIN_RELEASE.iter().copied());
    }
    ui.end_partial_line();
    let stderr = match ui.stderr_is_terminal() {
        true => Stdio::inherit(),
        false => Stdio::piped(),
    };
    let output = cargo.stderr(stderr).output().map_err(no_cargo)?;
    if !output.status.success() {
        ui.note(String::from_utf8_lossy(&output.stderr).trim_end());
        bail!(
            "cannot build `{}`; see the output of cargo above",
            folder.display()
        );
    }
    artifact(&output.stdout, &folder.join("Cargo.toml"))
}

/// Returns the root of the workspace of a crate, which may be the crate itself. Runs nothing that the
/// crate chooses: `footlight new` asks this of a folder in a stranger's project.
pub(crate) fn workspace(folder: &Path) -> Result<PathBuf> {
    // A toolchain file counts in the folder that cargo runs in, wherever the crate is.
    let mut cargo = cargo(Path::new(MAIN_SEPARATOR_STR));
    cargo.args(["locate-project", "--workspace", "--message-format", "plain"]);
    cargo.arg("--manifest-path").arg(folder.join("Cargo.toml"));
    let output = cargo.output().map_err(no_cargo)?;
    if !output.status.success() {
        bail!("{}", error_line(&output));
    }
    let manifest = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim_end());
    let root = manifest.parent().context("cargo reports no workspace")?;
    Ok(root.to_owned())
}

/// Returns cargo, or the one that started this process (`cargo run`), in a folder.
fn cargo(folder: &Path) -> Command {
    tool("CARGO", "cargo", folder)
}

fn tool(variable: &str, name: &str, folder: &Path) -> Command {
    let set = std::env::var_os(variable).filter(|path| !path.is_empty());
    let mut command = Command::new(set.unwrap_or_else(|| OsString::from(name)));
    crate::secrets::remove_from_environment(&mut command);
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn no_cargo(error: io::Error) -> anyhow::Error {
    if error.kind() == io::ErrorKind::NotFound {
        return anyhow!(
            "building a plugin needs cargo, which is not in PATH; install Rust from https://rustup.rs, or name a `.wasm` file"
        );
    }
    anyhow::Error::new(error).context("cannot run cargo")
}

/// Rejects a workspace without a crate, because cargo would build all of its members.
fn check_package(folder: &Path) -> Result<()> {
    let path = folder.join("Cargo.toml");
    let text = bounded_file::read_to_string(&path, MAX_MANIFEST);
    let text = text.with_context(|| format!("cannot read `{}`", path.display()))?;
    let manifest: toml::Table =
        toml::from_str(&text).with_context(|| format!("`{}` is not TOML", path.display()))?;
    if manifest.contains_key("package") {
        return Ok(());
    }
    Err(ExitError::usage(format!(
        "`{}` is a workspace, not a crate; name the folder of a plugin",
        folder.display()
    )))
}

fn has_profile(root: &Path, name: &str) -> bool {
    let text = bounded_file::read_to_string(&root.join("Cargo.toml"), MAX_MANIFEST);
    let text = text.unwrap_or_default();
    let manifest: toml::Table = toml::from_str(&text).unwrap_or_default();
    let profiles = manifest.get("profile").and_then(toml::Value::as_table);
    profiles.is_some_and(|profiles| profiles.contains_key(name))
}

/// Returns the version of the cargo that runs in a folder.
pub(crate) fn version(folder: &Path) -> Result<String> {
    let output = cargo(folder).arg("--version").output().map_err(no_cargo)?;
    Ok(filter::line(&String::from_utf8_lossy(&output.stdout), 80))
}

/// Reports whether the target is installed.
pub(crate) fn has_target(folder: &Path) -> Result<bool> {
    let mut rustc = tool("RUSTC", "rustc", folder);
    rustc.args(["--print", "target-libdir", "--target", TARGET]);
    let output = rustc
        .output()
        .context("building a plugin needs rustc; install Rust from https://rustup.rs")?;
    let library = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim_end());
    if !output.status.success() && !error_line(&output).contains(TARGET) {
        bail!("rustc failed: {}", error_line(&output));
    }
    Ok(output.status.success() && library.is_dir())
}

/// Adds the target if it is missing.
fn ensure_target(folder: &Path, ui: &Ui) -> Result<()> {
    if has_target(folder)? {
        return Ok(());
    }
    ui.note(&format!(
        "the target {TARGET} is missing; adding it with `rustup target add {TARGET}`"
    ));
    let mut rustup = Command::new("rustup");
    crate::secrets::remove_from_environment(&mut rustup);
    rustup.current_dir(folder).stdin(Stdio::null());
    match rustup.args(["target", "add", TARGET]).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => bail!("cannot add the target {TARGET}: {}", error_line(&output)),
        Err(_) => bail!(
            "the target {TARGET} is missing, and there is no rustup to add it; install Rust from https://rustup.rs, or your distribution's package for {TARGET}"
        ),
    }
}

/// Returns the error output of a program on one line.
fn error_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let text = filter::line(text.trim(), 600);
    text.strip_prefix("error: ").unwrap_or(&text).to_owned()
}

/// Finds the component among the artifacts that cargo reports.
pub(crate) fn artifact(messages: &[u8], manifest: &Path) -> Result<PathBuf> {
    let text = String::from_utf8_lossy(messages);
    let messages = text.lines();
    for message in messages.filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let is_ours = message["reason"] == "compiler-artifact"
            && message["manifest_path"].as_str().map(Path::new) == Some(manifest);
        let kinds = message["target"]["crate_types"].as_array();
        let is_library = kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "cdylib"));
        if !(is_ours && is_library) {
            continue;
        }
        let files = message["filenames"].as_array().into_iter().flatten();
        let mut files = files.filter_map(Value::as_str).map(PathBuf::from);
        if let Some(found) = files.find(|file| file.extension() == Some(OsStr::new("wasm"))) {
            return Ok(found);
        }
    }
    bail!(
        "`{}` does not build a component; write `crate-type = [\"cdylib\"]` under [lib]",
        manifest.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn line(manifest: &str, kind: &str, file: &str) -> String {
        serde_json::json!({
            "reason": "compiler-artifact",
            "manifest_path": manifest,
            "target": { "crate_types": [kind] },
            "filenames": [file],
        })
        .to_string()
    }

    #[test]
    fn component_is_the_cdylib_of_the_crate_itself() {
        let messages = [
            "not json".to_owned(),
            line("/dep/Cargo.toml", "cdylib", "/t/dep.wasm"),
            line("/a/Cargo.toml", "bin", "/t/bin.wasm"),
            line("/a/Cargo.toml", "cdylib", "/t/a.wasm"),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        let messages = messages.join("\n");
        let found = artifact(messages.as_bytes(), Path::new("/a/Cargo.toml"));
        assert_eq!(found.expect("is there"), Path::new("/t/a.wasm"));
        let none = artifact(messages.as_bytes(), Path::new("/b/Cargo.toml")).expect_err("is not");
        assert!(
            none.to_string().contains("crate-type = [\"cdylib\"]"),
            "{none}"
        );
    }

    #[test]
    fn workspace_without_a_crate_is_a_usage_error() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        fs::write(folder.path().join("Cargo.toml"), "[workspace]\n").expect("is written");
        let error = check_package(folder.path()).expect_err("is no crate");
        assert!(
            error.to_string().contains("is a workspace, not a crate"),
            "{error}"
        );
        assert!(!has_profile(folder.path(), "plugin"));
        fs::write(folder.path().join("Cargo.toml"), "[profile.plugin]\n").expect("is written");
        assert!(has_profile(folder.path(), "plugin"));
    }
}

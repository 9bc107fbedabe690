//! Builds every plugin of the workspace and the guests of the tests for `wasm32-wasip2`, and writes a
//! constant with the path of each.
//!
//! A missing target is installed with a message, so that `cargo test` is the only command even on a
//! fresh machine. `host/cli/tests` use the same target folder and profile, and so the same build.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-wasip2";
const PROFILE: &str = "plugin";

/// The end of the names of folders with guests that are no examples, such as `tests/bench-guest` for the
/// crate `bench`.
const GUEST: &str = "-guest";

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("..");
    let plugins = crates(&root.join("plugins"), "")?;
    let guests = crates(&root.join("tests"), GUEST)?;
    let folders = guests.iter().map(|guest| format!("tests/{guest}{GUEST}"));
    let inputs = ["plugins", "sdk", "wit", "Cargo.toml", "Cargo.lock"];
    for input in inputs.map(str::to_owned).into_iter().chain(folders) {
        println!("cargo:rerun-if-changed={}", root.join(input).display());
    }
    install_target()?;
    let artifacts = build(&root, plugins.iter().chain(&guests))?;

    let mut constants = String::new();
    for plugin in &plugins {
        let path = artifacts.join(plugin).with_extension("wasm");
        let name = plugin.to_uppercase();
        writeln!(constants, "/// The component of `plugins/{plugin}`.")?;
        writeln!(constants, "pub const {name}: &str = {path:?};")?;
    }
    for guest in &guests {
        let path = artifacts.join(guest).with_extension("wasm");
        let name = guest.to_uppercase();
        writeln!(constants, "/// The component of `tests/{guest}{GUEST}`.")?;
        writeln!(constants, "pub const {name}: &str = {path:?};")?;
    }
    writeln!(constants, "/// Every plugin of the workspace, by name.")?;
    writeln!(constants, "pub const ALL: &[(&str, &str)] = &[")?;
    for plugin in &plugins {
        writeln!(constants, "    ({plugin:?}, {}),", plugin.to_uppercase())?;
    }
    writeln!(constants, "];")?;
    std::fs::write(
        Path::new(&std::env::var("OUT_DIR")?).join("plugins.rs"),
        constants,
    )?;
    Ok(())
}

/// Returns the names of the crates in `folder`: those of their folders, without `suffix`, which they
/// must have.
fn crates(folder: &Path, suffix: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut crates = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.path().join("Cargo.toml").is_file() {
            let name = entry.file_name().into_string();
            let name = name.map_err(|name| format!("{name:?} is not UTF-8"))?;
            crates.extend(name.strip_suffix(suffix).map(str::to_owned));
        }
    }
    crates.sort();
    Ok(crates)
}

fn install_target() -> Result<(), Box<dyn Error>> {
    let rustc = std::env::var("RUSTC")?;
    let libraries = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()?;
    if Path::new(String::from_utf8(libraries.stdout)?.trim()).is_dir() {
        return Ok(());
    }
    println!("cargo:warning=installing the target {TARGET} with rustup");
    let installed = Command::new("rustup")
        .args(["target", "add", TARGET])
        .status();
    match installed {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!(
            "the target {TARGET} is missing: install it with `rustup target add {TARGET}`"
        )
        .into()),
    }
}

/// Builds all crates with one call of cargo and returns the folder of the components.
fn build<'a>(
    root: &Path,
    crates: impl Iterator<Item = &'a String>,
) -> Result<PathBuf, Box<dyn Error>> {
    let mut cargo = Command::new(std::env::var("CARGO")?);
    cargo.current_dir(root).args([
        "build",
        "--target",
        TARGET,
        "--profile",
        PROFILE,
        "--message-format",
        "json-render-diagnostics",
    ]);
    for name in crates {
        cargo.args(["--package", name]);
    }
    // Cargo sets these for the tests; they must not apply to the plugins.
    for name in [
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTFLAGS",
        "RUSTC_WORKSPACE_WRAPPER",
        "CARGO_BUILD_TARGET",
    ] {
        cargo.env_remove(name);
    }
    let output = cargo.output()?;
    if !output.status.success() {
        return Err(format!(
            "the plugins do not build:\n{}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into());
    }
    // Cargo reports where the artifacts are: the target folder can be anywhere.
    let messages = String::from_utf8(output.stdout)?;
    let file = messages
        .split('"')
        .find(|text| text.ends_with(".wasm") && text.contains(TARGET))
        .ok_or("cargo named no component")?;
    Ok(Path::new(file)
        .parent()
        .ok_or("a component lies in a folder")?
        .to_owned())
}

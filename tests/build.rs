//! Builds every plugin of the workspace and the benchmark's plugin for `wasm32-wasip2`, and writes a
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

/// The crate in `bench-guest/`, which is not an example and so not below `plugins/`.
const BENCH: &str = "bench";

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("..");
    for input in [
        "plugins",
        "sdk",
        "wit",
        "tests/bench-guest",
        "Cargo.toml",
        "Cargo.lock",
    ] {
        println!("cargo:rerun-if-changed={}", root.join(input).display());
    }
    let plugins = plugins(&root)?;
    install_target()?;
    let artifacts = build(&root, &plugins)?;

    let mut constants = String::new();
    for plugin in &plugins {
        let path = artifacts.join(plugin).with_extension("wasm");
        let name = plugin.to_uppercase();
        writeln!(constants, "/// The component of `plugins/{plugin}`.")?;
        writeln!(constants, "pub const {name}: &str = {path:?};")?;
    }
    let path = artifacts.join(BENCH).with_extension("wasm");
    writeln!(constants, "/// The component of `tests/bench-guest`.")?;
    writeln!(constants, "pub const BENCH: &str = {path:?};")?;
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

/// Returns the names of the crates below `plugins/`.
fn plugins(root: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut plugins = Vec::new();
    for entry in std::fs::read_dir(root.join("plugins"))? {
        let entry = entry?;
        if entry.path().join("Cargo.toml").is_file() {
            plugins.push(
                entry
                    .file_name()
                    .into_string()
                    .map_err(|name| format!("{name:?} is not UTF-8"))?,
            );
        }
    }
    plugins.sort();
    Ok(plugins)
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

/// Builds all plugins with one call of cargo and returns the folder of the components.
fn build(root: &Path, plugins: &[String]) -> Result<PathBuf, Box<dyn Error>> {
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
    for plugin in plugins.iter().map(String::as_str).chain([BENCH]) {
        cargo.args(["--package", plugin]);
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
        .find(|text| text.ends_with(&format!("{}.wasm", plugins[0])) && text.contains(TARGET))
        .ok_or("cargo named no component")?;
    Ok(Path::new(file)
        .parent()
        .ok_or("a component lies in a folder")?
        .to_owned())
}

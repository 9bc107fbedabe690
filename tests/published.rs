//! Builds a plugin against the packaged SDK, outside this workspace, as an author does.

use footlight_tests::bare::Guest;
use std::path::Path;
use std::process::Command;

#[test]
fn plugin_builds_against_the_packaged_sdk_outside_the_workspace() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let packages = [
        "footlight-vocabulary",
        "footlight-sdk-macros",
        "footlight-sdk",
    ];
    package(&root, folder.path(), &packages);
    for name in packages {
        let mut unpack = Command::new("tar");
        let archive = folder
            .path()
            .join(format!("packaged/package/{name}-0.1.0.crate"));
        unpack.arg("xzf").arg(archive).arg("-C").arg(folder.path());
        finish(unpack);
    }

    let plugin = folder.path().join("mine");
    std::fs::create_dir_all(plugin.join("src")).expect("a folder");
    let hello = root.join("plugins/hello");
    for file in ["src/lib.rs", "plugin.toml"] {
        std::fs::copy(hello.join(file), plugin.join(file)).expect("hello is there");
    }
    std::fs::write(plugin.join("Cargo.toml"), MANIFEST).expect("writable");
    // The locked versions of this workspace, so that nothing newer is fetched.
    std::fs::copy(root.join("Cargo.lock"), plugin.join("Cargo.lock"))
        .expect("there is a lock file");
    // In the workspace's target folder, with the same profile: only the packaged crates are built anew.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("the target folder");
    let mut build = cargo(&plugin);
    build
        .args(["build", "--profile", "plugin", "--target", "wasm32-wasip2"])
        .arg("--target-dir")
        .arg(target);
    finish(build);

    let guest = Guest::load(target.join("wasm32-wasip2/plugin/mine.wasm")).expect("loads");
    let greeting = guest.data("greet", r#"{"name":"Ada"}"#);
    assert_eq!(greeting, r#"{"content":"Hello, Ada!"}"#);
}

/// Packages crates of the workspace into `packaged/package` below a folder, without building them.
fn package(root: &Path, folder: &Path, names: &[&str]) {
    let mut package = cargo(root);
    package
        .args(["package", "--no-verify", "--allow-dirty", "--target-dir"])
        .arg(folder.join("packaged"));
    for name in names {
        package.args(["--package", name]);
    }
    finish(package);
}

#[test]
fn every_crate_that_can_be_published_packages_with_what_it_needs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Of each crate, files without which it would not build or not be understood.
    let crates: [(&str, &[&str]); 8] = [
        ("footlight-vocabulary", &["src/lib.rs"]),
        ("footlight-sdk-macros", &["src/lib.rs"]),
        (
            "footlight-sdk",
            &["README.md", "guide/ask.md", "wit/world.wit"],
        ),
        ("footlight", &["README.md", "wit/world.wit"]),
        ("footlight-offline", &["src/lib.rs"]),
        ("footlight-render", &["src/lib.rs"]),
        ("footlight-serve", &["page/index.html"]),
        ("footlight-cli", &["README.md", "template/rust/card/lib.rs"]),
    ];
    package(&root, folder.path(), &crates.map(|(name, _)| name));
    for (name, needed) in crates {
        let mut list = Command::new("tar");
        let archive = format!("packaged/package/{name}-0.1.0.crate");
        list.arg("tzf").arg(folder.path().join(archive));
        let listed = list.output().expect("tar runs");
        let listed = String::from_utf8_lossy(&listed.stdout);
        for file in needed {
            let path = format!("{name}-0.1.0/{file}");
            assert!(listed.lines().any(|line| line == path), "{path}");
        }
    }
}

const MANIFEST: &str = r#"
[package]
name = "mine"
version = "0.1.0"
edition = "2024"

[lib]
crate-type = ["cdylib"]

[dependencies]
footlight-sdk = "0.1"

# Stands in for the registry.
[patch.crates-io]
footlight-sdk = { path = "../footlight-sdk-0.1.0" }
footlight-sdk-macros = { path = "../footlight-sdk-macros-0.1.0" }
footlight-vocabulary = { path = "../footlight-vocabulary-0.1.0" }

[profile.plugin]
inherits = "release"
opt-level = 2
lto = true
codegen-units = 1
panic = "abort"
strip = true

[workspace]
"#;

fn cargo(folder: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(folder);
    cargo
}

fn finish(mut command: Command) {
    let output = command.output().expect("the command runs");
    assert!(
        output.status.success(),
        "{command:?}:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

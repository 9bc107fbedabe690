//! Finds the SDK that a new plugin depends on.
//!
//! While the SDK is not published, it is the one of a checkout: around the current folder, around this program, or
//! where this program was built. Building a dependency runs its code, so a folder counts only if it is the SDK by name
//! and version, and nobody but the person and the administrator can change it.

use crate::exit::ExitError;
use crate::ownership::Ownership;
use crate::plugin_source::cargo::MAX_MANIFEST;
use anyhow::{Context, Result, bail};
use footlight::bounded_file;
use serde_json::json;
use std::path::{Path, PathBuf};

/// The name of the SDK crate.
const SDK: &str = "footlight-sdk";

/// The version of the SDK that belongs to this program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a person types to depend on the published SDK.
const REGISTRY: &str = "registry";

/// Returns the right-hand side of the dependency on the SDK.
pub(super) fn dependency(named: Option<&Path>) -> Result<String> {
    let folder = match named {
        Some(path) if path == Path::new(REGISTRY) => return Ok(format!("\"{VERSION}\"")),
        Some(path) => checked(path)?,
        None => {
            let here = std::env::current_dir().ok();
            let program = std::env::current_exe().ok();
            let built = Some(PathBuf::from(env!("CARGO_MANIFEST_DIR")));
            let starts: Vec<PathBuf> = [here, program, built].into_iter().flatten().collect();
            find(&starts).ok_or_else(|| {
                ExitError::usage(format!(
                    "cannot find `{SDK}` {VERSION}, which a plugin in Rust depends on; name the folder `sdk` of a checkout of Footlight with `--sdk`, or the published one with `--sdk {REGISTRY}`"
                ))
            })?
        }
    };
    let path = folder.to_str();
    let path = path.with_context(|| format!("the path `{}` is not text", folder.display()))?;
    // A JSON string is a valid TOML string: serde_json does not write the one escape that differs.
    Ok(format!("{{ path = {} }}", json!(path)))
}

/// Returns the SDK in a folder that the person named.
fn checked(path: &Path) -> Result<PathBuf> {
    let wrong = || {
        format!(
            "`{}` is not the SDK; name the folder of the crate `{SDK}`",
            path.display()
        )
    };
    // The crate can be in any folder, so the path must be absolute.
    let path = path.canonicalize().with_context(wrong)?;
    let manifest = read(&path.join("Cargo.toml")).with_context(wrong)?;
    if text(&manifest, &["package", "name"]) != Some(SDK) {
        bail!(wrong());
    }
    Ok(path)
}

/// Returns the SDK of the first checkout around one of these places.
fn find(starts: &[PathBuf]) -> Option<PathBuf> {
    let starts = starts.iter().filter_map(|start| start.canonicalize().ok());
    let places: Vec<PathBuf> = starts
        .flat_map(|start| start.ancestors().map(Path::to_owned).collect::<Vec<_>>())
        .collect();
    places.iter().find_map(|root| of_checkout(root))
}

/// Returns the SDK of a checkout, if the folder is one of this version that no stranger can change.
fn of_checkout(root: &Path) -> Option<PathBuf> {
    let folder = root.join("sdk");
    let manifest = read(&folder.join("Cargo.toml"))?;
    let workspace = read(&root.join("Cargo.toml"))?;
    // The SDK has the version of its workspace.
    let version = text(&workspace, &["workspace", "package", "version"]);
    let is_ours = text(&manifest, &["package", "name"]) == Some(SDK) && version == Some(VERSION);
    let is_trusted = |path: &Path| Ownership::of_path(path).is_ok_and(Ownership::is_trusted);
    let own = [
        root,
        &folder,
        &root.join("Cargo.toml"),
        &folder.join("Cargo.toml"),
    ];
    (is_ours && own.into_iter().all(is_trusted)).then_some(folder)
}

fn read(path: &Path) -> Option<toml::Table> {
    let text = bounded_file::read_to_string(path, MAX_MANIFEST).ok()?;
    toml::from_str(&text).ok()
}

/// Returns the text at a path of keys.
fn text<'a>(table: &'a toml::Table, keys: &[&str]) -> Option<&'a str> {
    let (last, before) = keys.split_last()?;
    let inner = before
        .iter()
        .try_fold(table, |table, key| table.get(*key)?.as_table());
    inner?.get(*last)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn checkout(name: &str, version: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder for the test");
        fs::create_dir_all(root.path().join("sdk")).expect("is made");
        fs::create_dir_all(root.path().join("plugins/mine")).expect("is made");
        let workspace = format!("[workspace.package]\nversion = \"{version}\"\n");
        fs::write(root.path().join("Cargo.toml"), workspace).expect("is written");
        let package = format!("[package]\nname = \"{name}\"\nversion.workspace = true\n");
        fs::write(root.path().join("sdk/Cargo.toml"), package).expect("is written");
        root
    }

    fn found(root: &tempfile::TempDir) -> Option<PathBuf> {
        find(&[root.path().join("plugins/mine")])
    }

    #[test]
    fn a_checkout_above_is_found_by_name_and_version() {
        let ours = checkout(SDK, VERSION);
        let root = ours.path().canonicalize().expect("is there");
        assert_eq!(found(&ours), Some(root.join("sdk")));
        assert_eq!(found(&checkout("another-sdk", VERSION)), None);
        assert_eq!(found(&checkout(SDK, "9.9.9")), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_checkout_that_every_user_can_change_is_not_taken() {
        use std::os::unix::fs::PermissionsExt;
        for path in ["", "sdk", "Cargo.toml", "sdk/Cargo.toml"] {
            let ours = checkout(SDK, VERSION);
            let path = ours.path().join(path);
            let mode = fs::metadata(&path).expect("is there").permissions().mode();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode | 0o002)).expect("is set");
            assert_eq!(found(&ours), None, "{}", path.display());
        }
    }
}

//! The folders for configuration, data and cache.
//!
//! An environment variable overrides the default of the platform.

use footlight::private_file;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The kind of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DirKind {
    Config,
    Data,
    Cache,
}

/// Returns the folder of `footlight.toml` and `rules.toml`.
pub(crate) fn config() -> Option<PathBuf> {
    own_dir("FOOTLIGHT_CONFIG_DIR", DirKind::Config)
}

/// Returns the folder of sessions, plugin state and outputs.
pub(crate) fn data() -> Option<PathBuf> {
    own_dir("FOOTLIGHT_DATA_DIR", DirKind::Data)
}

/// Returns the folder of compiled plugins.
pub(crate) fn cache() -> Option<PathBuf> {
    let cache = platform_dir(DirKind::Cache, std::env::consts::OS, env_var);
    cache.map(|cache| cache.join("compiled"))
}

/// Reports whether files can be made in a folder, which is made if it is not there.
pub(crate) fn is_writable(folder: &Path) -> bool {
    let made = private_file::create_dir(folder);
    made.is_ok() && tempfile::tempfile_in(folder).is_ok()
}

fn own_dir(variable: &str, kind: DirKind) -> Option<PathBuf> {
    let set = env_var(variable).map(PathBuf::from);
    set.or_else(|| platform_dir(kind, std::env::consts::OS, env_var))
}

fn env_var(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns the default folder of a platform; `None` without a home folder.
fn platform_dir(kind: DirKind, os: &str, of: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let at = |name: &str| of(name).map(PathBuf::from);
    let home = |rest: &str| at("HOME").map(|home| home.join(rest));
    let folder = match (os, kind) {
        ("windows", DirKind::Config) => at("APPDATA"),
        ("windows", DirKind::Data) => at("LOCALAPPDATA"),
        ("windows", DirKind::Cache) => at("LOCALAPPDATA").map(|local| local.join("cache")),
        ("macos", DirKind::Config | DirKind::Data) => home("Library/Application Support"),
        ("macos", DirKind::Cache) => home("Library/Caches"),
        (_, DirKind::Config) => at("XDG_CONFIG_HOME").or_else(|| home(".config")),
        (_, DirKind::Data) => at("XDG_DATA_HOME").or_else(|| home(".local/share")),
        (_, DirKind::Cache) => at("XDG_CACHE_HOME").or_else(|| home(".cache")),
    };
    folder.map(|folder| folder.join("footlight"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_platform_has_its_default_folders() {
        let set = |name: &str| match name {
            "HOME" => Some("/people/ada".into()),
            "XDG_DATA_HOME" => Some("/data".into()),
            "APPDATA" => Some("/roaming".into()),
            "LOCALAPPDATA" => Some("/local".into()),
            _ => None,
        };
        for (os, kind, expected) in [
            ("linux", DirKind::Config, "/people/ada/.config/footlight"),
            ("linux", DirKind::Data, "/data/footlight"),
            ("freebsd", DirKind::Cache, "/people/ada/.cache/footlight"),
            (
                "macos",
                DirKind::Data,
                "/people/ada/Library/Application Support/footlight",
            ),
            (
                "macos",
                DirKind::Cache,
                "/people/ada/Library/Caches/footlight",
            ),
            ("windows", DirKind::Config, "/roaming/footlight"),
            ("windows", DirKind::Data, "/local/footlight"),
        ] {
            let found = platform_dir(kind, os, set).expect("there is a home");
            assert_eq!(found, Path::new(expected), "{os} {kind:?}");
        }
        assert_eq!(platform_dir(DirKind::Data, "linux", |_| None), None);
    }
}

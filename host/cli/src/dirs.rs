//! Where things are kept: configuration, data, what was compiled.
//!
//! Each has a variable that names it outright, and otherwise the platform's usual place.

use std::ffi::OsString;
use std::path::PathBuf;

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Config,
    Data,
    Cache,
}

/// The folder of what the person lays down: `footlight.toml`, `rules.toml`.
pub(crate) fn config() -> Option<PathBuf> {
    named("FOOTLIGHT_CONFIG_DIR").or_else(|| usual(Kind::Config, std::env::consts::OS, variable))
}

/// The folder of what lasts: sessions, state, outputs.
pub(crate) fn data() -> Option<PathBuf> {
    named("FOOTLIGHT_DATA_DIR").or_else(|| usual(Kind::Data, std::env::consts::OS, variable))
}

/// The folder of what can be made again: compiled plugins.
pub(crate) fn cache() -> Option<PathBuf> {
    let cache = usual(Kind::Cache, std::env::consts::OS, variable);
    cache.map(|cache| cache.join("compiled"))
}

fn named(name: &str) -> Option<PathBuf> {
    variable(name).map(PathBuf::from)
}

fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The platform's usual place; none where there is no home.
fn usual(kind: Kind, os: &str, of: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let at = |name: &str| of(name).map(PathBuf::from);
    let home = |rest: &str| at("HOME").map(|home| home.join(rest));
    let folder = match (os, kind) {
        ("windows", Kind::Config) => at("APPDATA"),
        ("windows", Kind::Data) => at("LOCALAPPDATA"),
        ("windows", Kind::Cache) => at("LOCALAPPDATA").map(|local| local.join("cache")),
        ("macos", Kind::Config | Kind::Data) => home("Library/Application Support"),
        ("macos", Kind::Cache) => home("Library/Caches"),
        (_, Kind::Config) => at("XDG_CONFIG_HOME").or_else(|| home(".config")),
        (_, Kind::Data) => at("XDG_DATA_HOME").or_else(|| home(".local/share")),
        (_, Kind::Cache) => at("XDG_CACHE_HOME").or_else(|| home(".cache")),
    };
    folder.map(|folder| folder.join("footlight"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_platform_has_its_usual_places() {
        let set = |name: &str| match name {
            "HOME" => Some("/people/ada".into()),
            "XDG_DATA_HOME" => Some("/data".into()),
            "APPDATA" => Some("/roaming".into()),
            "LOCALAPPDATA" => Some("/local".into()),
            _ => None,
        };
        for (os, kind, expected) in [
            ("linux", Kind::Config, "/people/ada/.config/footlight"),
            ("linux", Kind::Data, "/data/footlight"),
            ("freebsd", Kind::Cache, "/people/ada/.cache/footlight"),
            (
                "macos",
                Kind::Data,
                "/people/ada/Library/Application Support/footlight",
            ),
            ("macos", Kind::Cache, "/people/ada/Library/Caches/footlight"),
            ("windows", Kind::Config, "/roaming/footlight"),
            ("windows", Kind::Data, "/local/footlight"),
        ] {
            let found = usual(kind, os, set).expect("there is a home");
            assert_eq!(found, Path::new(expected), "{os} {kind:?}");
        }
        assert_eq!(usual(Kind::Data, "linux", |_| None), None);
    }
}

//! The logins that `docker login` keeps in `config.json`.
//!
//! Only logins in the file itself are used: the programs that it names as helpers are not started.

use crate::data;
use anyhow::{Context, Result};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use footlight_render::filter;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The most bytes of the file.
const MAX_FILE: usize = 1 << 20;

/// The name and password of one registry. It has no `Debug`, so that nothing prints it.
#[derive(Clone)]
pub(crate) struct Credentials {
    pub(super) user: String,
    pub(super) password: String,
}

#[derive(Deserialize)]
struct DockerConfig {
    #[serde(default)]
    auths: BTreeMap<String, Auth>,
}

#[derive(Deserialize)]
struct Auth {
    #[serde(default)]
    auth: String,
}

impl Credentials {
    /// Finds the login of a registry; none without a file, or without a login in it.
    pub(crate) fn find(host: &str) -> Result<Option<Self>> {
        let Some(path) = file() else {
            return Ok(None);
        };
        Self::in_file(&path, host)
            .with_context(|| format!("cannot read the login of `{}`", filter::line(host, 100)))
    }

    fn in_file(path: &Path, host: &str) -> Result<Option<Self>> {
        let Some(text) = data::read_own(path, MAX_FILE)? else {
            return Ok(None);
        };
        // The error would quote the text, which has passwords.
        let config: DockerConfig = serde_json::from_str(&text)
            .ok()
            .with_context(|| format!("`{}` is not JSON", data::display_path(path)))?;
        let mut auths = config.auths.iter();
        let found = auths.find(|(name, auth)| host_of(name) == host && !auth.auth.is_empty());
        let decoded = |auth: &Auth| -> Option<Self> {
            let bytes = BASE64_STANDARD.decode(&auth.auth).ok()?;
            let text = String::from_utf8(bytes).ok()?;
            let (user, password) = text.split_once(':')?;
            Some(Self {
                user: user.to_owned(),
                password: password.trim_end_matches('\0').to_owned(),
            })
        };
        found
            .map(|(_, auth)| decoded(auth).context("it is not base64 of `name:password`"))
            .transpose()
    }
}

/// Returns the host and port of a key, which older versions wrote as a URL.
fn host_of(name: &str) -> &str {
    let name = name.strip_prefix("https://").unwrap_or(name);
    let name = name.strip_prefix("http://").unwrap_or(name);
    name.split('/').next().unwrap_or_default()
}

fn file() -> Option<PathBuf> {
    let set = std::env::var_os("DOCKER_CONFIG").filter(|folder| !folder.is_empty());
    let folder = match set {
        Some(folder) => PathBuf::from(folder),
        None => std::env::home_dir()?.join(".docker"),
    };
    Some(folder.join("config.json"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;

    #[test]
    fn a_login_is_found_for_its_own_host_alone() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("config.json");
        let auth = BASE64_STANDARD.encode("ada:se:cret");
        let config = json!({ "auths": {
            "r.example": { "auth": auth },
            "https://old.example/v1/": { "auth": auth },
            "r.example:5000": {},
            "broken.example": { "auth": "!" },
        }, "credsStore": "desktop" });
        fs::write(&path, config.to_string()).expect("is written");
        let find = |host: &str| Credentials::in_file(&path, host);
        for host in ["r.example", "old.example"] {
            let found = find(host).expect("is read").expect("is there");
            assert_eq!((&*found.user, &*found.password), ("ada", "se:cret"));
        }
        for host in [
            "example",
            "r.example.evil.example",
            "r.example:5000",
            "other.example",
            "",
        ] {
            assert!(find(host).expect("is read").is_none(), "{host}");
        }
        assert!(find("broken.example").is_err());
        fs::write(&path, format!("{{\"auths\": \"{auth}\"}}")).expect("is written");
        let error = format!(
            "{:#}",
            find("r.example").err().expect("is no JSON of this kind")
        );
        assert!(!error.contains(&auth), "{error}");
        assert!(Credentials::in_file(&folder.path().join("none"), "r.example").is_ok());
    }
}

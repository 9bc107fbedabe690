//! `secrets.json`: which secrets there are, and the values of those that are not in the keyring.
//!
//! Invariant: only its owner can read the file. One that others can read is an error, because they may
//! know the values by now.

use super::keyring;
use crate::data::{self, Data};
use anyhow::{Context, Result, bail};
use footlight::private_file;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};

/// The file name.
pub(super) const NAME: &str = "secrets.json";

/// The most secrets, and the largest file in bytes: as many of the largest values.
const MAX_SECRETS: usize = 256;
const MAX_BYTES: usize = 8 << 20;

/// Where a value is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SecretsStore {
    /// The file `secrets.json` in the data folder, which only you can read
    File,
    /// The keyring of the operating system
    Keyring,
}

impl SecretsStore {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Keyring => "keyring",
        }
    }
}

/// One secret.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredSecret {
    pub(crate) plugin: String,
    pub(crate) name: String,
    /// The value; none if the keyring has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<String>,
}

impl fmt::Debug for StoredSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredSecret")
            .field("plugin", &self.plugin)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl StoredSecret {
    pub(crate) fn store(&self) -> SecretsStore {
        match self.value {
            Some(_) => SecretsStore::File,
            None => SecretsStore::Keyring,
        }
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    #[serde(default)]
    secrets: Vec<StoredSecret>,
}

/// The file, as it was read.
#[derive(Debug)]
pub(crate) struct SecretsFile {
    path: PathBuf,
    content: Content,
}

impl SecretsFile {
    /// Reads the file in the data folder, which is created if it is missing.
    pub(crate) fn open(data: &Data) -> Result<Self> {
        Self::at(data.folder()?.join(NAME))
    }

    /// Reads the file without creating anything; none without a data folder.
    pub(crate) fn peek(data: &Data) -> Result<Option<Self>> {
        let path = data.location().map(|folder| folder.join(NAME));
        path.map(Self::at).transpose()
    }

    pub(super) fn at(path: PathBuf) -> Result<Self> {
        let content = read(&path)?;
        Ok(Self { path, content })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the secrets, sorted by plugin and name.
    pub(crate) fn secrets(&self) -> &[StoredSecret] {
        &self.content.secrets
    }

    pub(crate) fn find(&self, plugin: &str, name: &str) -> Option<&StoredSecret> {
        let mut secrets = self.content.secrets.iter();
        secrets.find(|secret| secret.plugin == plugin && secret.name == name)
    }

    /// Keeps a value in one of the stores. If it was in the other one, it is there no more.
    pub(crate) fn keep(
        &mut self,
        plugin: &str,
        name: &str,
        value: String,
        store: SecretsStore,
    ) -> Result<()> {
        let before = self.find(plugin, name).map(StoredSecret::store);
        match store {
            SecretsStore::Keyring => {
                keyring::set(plugin, name, value)?;
                self.set(plugin, name, None)
            }
            SecretsStore::File => {
                if before == Some(SecretsStore::Keyring) {
                    keyring::remove(plugin, name)?;
                }
                self.set(plugin, name, Some(value))
            }
        }
    }

    /// Sets a value, or without one says that the keyring has it.
    pub(super) fn set(&mut self, plugin: &str, name: &str, value: Option<String>) -> Result<()> {
        self.update(|secrets| {
            secrets.retain(|known| known.plugin != plugin || known.name != name);
            secrets.push(StoredSecret {
                plugin: plugin.to_owned(),
                name: name.to_owned(),
                value,
            });
            secrets
                .sort_by(|one, other| (&one.plugin, &one.name).cmp(&(&other.plugin, &other.name)));
        })
    }

    /// Removes a secret, and returns where it was kept.
    pub(crate) fn remove(&mut self, plugin: &str, name: &str) -> Result<Option<SecretsStore>> {
        let Some(store) = self.find(plugin, name).map(StoredSecret::store) else {
            return Ok(None);
        };
        if store == SecretsStore::Keyring {
            keyring::remove(plugin, name)?;
        }
        self.update(|secrets| {
            secrets.retain(|known| known.plugin != plugin || known.name != name);
        })?;
        Ok(Some(store))
    }

    /// Changes the file, also while other processes do.
    fn update(&mut self, change: impl FnOnce(&mut Vec<StoredSecret>)) -> Result<()> {
        let path = &self.path;
        let failed = || format!("cannot write `{}`", data::display_path(path));
        // A file of its own, since the other one is replaced. It unlocks when it is closed.
        let lock = private_file::open(&path.with_extension("lock")).with_context(failed)?;
        lock.lock().with_context(failed)?;
        self.content = read(path)?;
        change(&mut self.content.secrets);
        if self.content.secrets.len() > MAX_SECRETS {
            bail!(
                "`{}` has {MAX_SECRETS} secrets already; remove one with `footlight secrets remove`",
                data::display_path(path)
            );
        }
        let mut text = serde_json::to_string_pretty(&self.content).with_context(failed)?;
        text.push('\n');
        private_file::replace(path, &[text.as_bytes()]).with_context(failed)
    }
}

fn read(path: &Path) -> Result<Content> {
    let Some(text) = data::read_private(path, MAX_BYTES)? else {
        return Ok(Content::default());
    };
    // The error of the parser could quote a value.
    serde_json::from_str(&text).map_err(|_| {
        let name = data::display_path(path);
        anyhow::anyhow!("`{name}` is damaged; remove it, and set the secrets again")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn file() -> (tempfile::TempDir, SecretsFile) {
        let home = tempfile::tempdir().expect("a folder for the test");
        let file = SecretsFile::at(home.path().join(NAME)).expect("opens");
        (home, file)
    }

    #[test]
    fn secrets_are_set_replaced_listed_and_removed() {
        let (_home, mut file) = file();
        for (plugin, name, value) in [
            ("mail", "token", "a"),
            ("files", "key", "b"),
            ("mail", "token", "c"),
        ] {
            file.set(plugin, name, Some(value.to_owned()))
                .expect("is written");
        }
        let names = |file: &SecretsFile| -> Vec<String> {
            let secrets = file.secrets().iter();
            secrets
                .map(|secret| format!("{}.{}", secret.plugin, secret.name))
                .collect()
        };
        assert_eq!(names(&file), ["files.key", "mail.token"]);
        let mut again = SecretsFile::at(file.path().to_owned()).expect("opens");
        assert_eq!(
            again
                .find("mail", "token")
                .and_then(|secret| secret.value.as_deref()),
            Some("c")
        );
        assert_eq!(
            again.remove("mail", "token").expect("is written"),
            Some(SecretsStore::File)
        );
        assert_eq!(again.remove("mail", "token").expect("is not there"), None);
        assert_eq!(names(&again), ["files.key"]);
        assert!(!format!("{again:?}").contains("\"b\""), "{again:?}");
    }

    #[test]
    fn a_damaged_file_is_an_error_that_does_not_quote_it() {
        let (home, file) = file();
        let damaged = b"{\"secrets\":[{\"value\":\"canary\"";
        private_file::replace(file.path(), &[damaged]).expect("is written");
        let error = SecretsFile::at(home.path().join(NAME)).expect_err("is damaged");
        assert!(
            !format!("{error:?}{error:#}").contains("canary"),
            "{error:?}"
        );
    }

    #[test]
    fn there_are_only_so_many_secrets() {
        let (_home, mut file) = file();
        for n in 0..MAX_SECRETS {
            file.content.secrets.push(StoredSecret {
                plugin: "a".to_owned(),
                name: format!("n{n}"),
                value: Some("x".to_owned()),
            });
        }
        let text = serde_json::to_string(&file.content).expect("is written");
        private_file::replace(file.path(), &[text.as_bytes()]).expect("is written");
        assert!(file.set("a", "one_more", Some("x".to_owned())).is_err());
        assert!(file.set("a", "n0", Some("y".to_owned())).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let (_home, mut file) = file();
        file.set("mail", "token", Some("a".to_owned()))
            .expect("is written");
        let mode = |path: &Path| fs::metadata(path).expect("is there").permissions().mode() & 0o777;
        assert_eq!(mode(file.path()), 0o600);
        for open in [0o640, 0o604, 0o666] {
            fs::set_permissions(file.path(), fs::Permissions::from_mode(open)).expect("is set");
            let error = SecretsFile::at(file.path().to_owned()).expect_err("others can read it");
            assert!(error.to_string().contains("chmod 600"), "{error}");
        }
    }
}

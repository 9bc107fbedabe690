//! The person's secrets: values that the host adds to requests of one plugin.
//!
//! `secrets.json` in the data folder, which only its owner can read, lists them: with their values, or
//! with the note that the keyring of the system has the value. It is not in the configuration folder,
//! which people publish.
//!
//! Invariant: a value is printed nowhere, nor its length. It leaves this module as a [`SecretValue`],
//! which no output can show.

mod file;
mod keyring;

pub(crate) use file::{SecretsFile, SecretsStore, StoredSecret};

use crate::data::{self, Data};
use crate::exit::ExitError;
use crate::plugins::signing::PASSWORD_VARIABLE;
use crate::power::SecretFlag;
use crate::terminal::keyboard::{Dismissal, HiddenInput, Keyboard};
use crate::terminal::ui::Ui;
use anyhow::{Context, Result};
use footlight::{MemorySecrets, SecretError, SecretId, SecretSource, SecretValue};
use footlight_render::filter;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The person of the command line.
pub(crate) const LOCAL: &str = "local";

/// What the names of environment variables with secrets begin with.
const PREFIX: &str = "FOOTLIGHT_SECRET_";

/// The most bytes that are read for one value: a little more than a value can have, and a line break.
const MAX_READ: usize = 16 << 10;

/// Returns the environment variable with the value of a secret for one run.
pub(crate) fn variable(name: &str) -> String {
    format!("{PREFIX}{}", name.to_ascii_uppercase())
}

/// Removes secrets, and the password of a key that signs, from the environment of a child process: a build script is a stranger's program.
pub(crate) fn remove_from_environment(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let upper = name.to_string_lossy().to_ascii_uppercase();
        if upper.starts_with(PREFIX) || upper == PASSWORD_VARIABLE {
            command.env_remove(name);
        }
    }
}

/// The secrets of one run: those of flags first, then those that are stored.
#[derive(Debug, Default)]
pub(crate) struct RunSecrets {
    given: MemorySecrets,
    /// The file, which another process can change at any time.
    path: Option<PathBuf>,
}

impl RunSecrets {
    pub(crate) fn new(data: &Data) -> Self {
        Self {
            path: data.location().map(|folder| folder.join(file::NAME)),
            given: MemorySecrets::default(),
        }
    }

    /// Finds the value of a secret that a flag grants: in the file that the flag names, in the
    /// environment, among the stored ones, or at the terminal.
    ///
    /// # Errors
    /// When there is no value, or it cannot be read.
    pub(crate) fn give(&self, plugin: &str, name: &str, flag: &SecretFlag, ui: &Ui) -> Result<()> {
        let (_, file) = flag.parts()?;
        let text = match (file, std::env::var(variable(name))) {
            (Some(path), _) => data::read_secret(path, MAX_READ)?,
            (None, Ok(text)) => text,
            (None, Err(std::env::VarError::NotUnicode(_))) => {
                let variable = variable(name);
                return Err(ExitError::usage(format!("{variable} is not text")));
            }
            (None, Err(_)) if self.has(plugin, name)? => return Ok(()),
            (None, Err(_)) => match typed(plugin, name, ui)? {
                Some(text) => text,
                None => {
                    let (variable, id) = (variable(name), filter::line(plugin, 60));
                    return Err(ExitError::needs_person(format!(
                        "the secret `{name}` of `{id}` has no value; set {variable}, write `--secret {name}=@FILE`, or store it with `footlight secrets set {id} {name}`"
                    )));
                }
            },
        };
        self.accept(plugin, name, &text)
    }

    /// Keeps a value for this run.
    ///
    /// # Errors
    /// When it cannot stand in a header.
    pub(crate) fn accept(&self, plugin: &str, name: &str, text: &str) -> Result<()> {
        let value = value(text, name)?;
        self.given.insert(&id(plugin, name), value);
        Ok(())
    }

    /// Reports whether there is a value, given or stored.
    ///
    /// # Errors
    /// When the stored ones cannot be read.
    pub(crate) fn has_value(&self, plugin: &str, name: &str) -> Result<bool> {
        Ok(self.given.get(&id(plugin, name))?.is_some() || self.has(plugin, name)?)
    }

    /// Reports whether a value is stored.
    fn has(&self, plugin: &str, name: &str) -> Result<bool> {
        let Some(path) = &self.path else {
            return Ok(false);
        };
        let file = SecretsFile::at(path.clone())?;
        Ok(file.find(plugin, name).is_some())
    }

    fn stored(&self, id: &SecretId<'_>) -> Result<Option<SecretValue>> {
        let Some(path) = self.path.clone().filter(|_| id.person == LOCAL) else {
            return Ok(None);
        };
        let file = SecretsFile::at(path)?;
        let Some(stored) = file.find(id.plugin, id.name) else {
            return Ok(None);
        };
        let text = match &stored.value {
            Some(text) => text.clone(),
            None => keyring::get(id.plugin, id.name)?,
        };
        Ok(Some(SecretValue::new(text)?))
    }
}

impl SecretSource for RunSecrets {
    fn get(&self, id: &SecretId<'_>) -> Result<Option<SecretValue>, SecretError> {
        match self.given.get(id)? {
            Some(value) => Ok(Some(value)),
            None => self
                .stored(id)
                .map_err(|error| SecretError::Unavailable(format!("{error:#}"))),
        }
    }
}

/// Names a secret of the person of the command line.
fn id<'a>(plugin: &'a str, name: &'a str) -> SecretId<'a> {
    SecretId {
        person: LOCAL,
        plugin,
        name,
    }
}

/// Checks a value. A line break at its end belongs to the file or the terminal it came from.
fn value(text: &str, name: &str) -> Result<SecretValue> {
    SecretValue::new(trimmed(text)).map_err(|error| {
        let name = filter::line(name, 60);
        ExitError::usage(format!("the secret `{name}`: {error}"))
    })
}

fn trimmed(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}

/// Reads the value for `footlight secrets set`: from a file, from piped stdin, or at the terminal.
///
/// # Errors
/// When there is no value, or it cannot stand in a header.
pub(crate) fn read_value(plugin: &str, name: &str, file: Option<&Path>, ui: &Ui) -> Result<String> {
    use std::io::IsTerminal as _;
    let text = match file {
        Some(path) => data::read_text(path, MAX_READ)?,
        None if !io::stdin().is_terminal() => data::read_text(Path::new("-"), MAX_READ)?,
        None => typed(plugin, name, ui)?.ok_or_else(|| {
            ExitError::needs_person("missing value; pipe it to stdin, or name a file with `--file`")
        })?,
    };
    value(&text, name)?;
    Ok(trimmed(&text).to_owned())
}

/// Prompts for a value without echo; none if nobody can be asked.
fn typed(plugin: &str, name: &str, ui: &Ui) -> Result<Option<String>> {
    if !ui.can_ask {
        return Ok(None);
    }
    ui.end_partial_line();
    let (plugin, name) = (filter::line(plugin, 60), filter::line(name, 60));
    let _hidden = HiddenInput::begin().context("cannot read from the terminal")?;
    ui.note(&format!(
        "the secret `{name}` for requests of `{plugin}` (what you type is not shown):"
    ));
    let typed = Keyboard::new(Dismissal::default()).read_hidden_line();
    Ok(Some(typed.context("cannot read from the terminal")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_break_at_the_end_is_not_part_of_a_value() {
        for (text, expected) in [
            ("abc", Some("abc")),
            ("abc\n", Some("abc")),
            ("abc\r\n", Some("abc")),
            ("abc\n\n", None),
            ("", None),
            ("\n", None),
            ("a\tb", None),
        ] {
            assert_eq!(
                value(text, "token").ok(),
                expected.map(|text| SecretValue::new(text).expect("a value")),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_stored_secret_is_found_and_a_given_one_comes_first() {
        let home = tempfile::tempdir().expect("a folder for the test");
        let data = Data::new(Some(home.path().join("data")));
        let secrets = RunSecrets::new(&data);
        let id = SecretId {
            person: LOCAL,
            plugin: "mail",
            name: "token",
        };
        assert_eq!(secrets.get(&id).expect("no file"), None);
        let mut file = SecretsFile::open(&data).expect("opens");
        file.set("mail", "token", Some("stored".to_owned()))
            .expect("is written");
        let get = |id: &SecretId<'_>| secrets.get(id).expect("is read");
        assert_eq!(get(&id), SecretValue::new("stored").ok());
        assert_eq!(
            get(&SecretId {
                person: "bob",
                ..id
            }),
            None
        );
        assert_eq!(
            get(&SecretId {
                plugin: "other",
                ..id
            }),
            None
        );
        secrets
            .given
            .insert(&id, SecretValue::new("given").expect("a value"));
        assert_eq!(get(&id), SecretValue::new("given").ok());
        assert!(!format!("{secrets:?}{file:?}").contains("stored"));
    }
}

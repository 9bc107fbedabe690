//! `footlight secrets`: values that the host adds to requests of plugins.

use crate::data::{Data, display_path};
use crate::exit::{Exit, ExitError};
use crate::secrets::{self, SecretsFile, SecretsStore, StoredSecret};
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::Result;
use clap::{Args, Subcommand};
use footlight_render::filter;
use footlight_vocabulary::manifest::is_id;
use serde_json::json;
use std::path::PathBuf;

/// Set, list and remove secrets that are added to requests of plugins.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight secrets set mail token                   prompt for the value
  footlight secrets set mail token --file token.txt
  pass show mail | footlight secrets set mail token
  footlight secrets list
  footlight secrets remove mail token

A secret is for one plugin, under the name that its manifest declares (`footlight inspect` shows it).
No plugin and no model ever sees it: the host adds it to requests that you granted. Setting a value
grants nothing: you are asked when it is used, unless a rule or `--secret` allows it.")]
pub(crate) struct Secrets {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Set the value of a secret: typed without echo, piped to stdin, or from a file
    Set {
        #[command(flatten)]
        secret: SecretArgs,
        /// Read the value from a file; `-` is stdin
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
        /// Where to keep the value
        #[arg(long, value_enum, default_value_t = SecretsStore::File)]
        store: SecretsStore,
    },
    /// List the secrets, without their values
    List,
    /// Remove a secret
    Remove {
        #[command(flatten)]
        secret: SecretArgs,
    },
}

#[derive(Debug, Args)]
struct SecretArgs {
    /// The plugin id
    plugin: String,
    /// The name in the plugin's manifest
    name: String,
}

impl SecretArgs {
    fn check(&self) -> Result<(&str, &str)> {
        for (what, word) in [("plugin id", &self.plugin), ("name", &self.name)] {
            if !is_id(word) {
                // It may be the value, typed in the wrong place.
                return Err(ExitError::usage(format!(
                    "this is not a {what}; write `footlight secrets set PLUGIN NAME`, such as `footlight secrets set mail token`"
                )));
            }
        }
        Ok((&self.plugin, &self.name))
    }
}

impl Secrets {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        match &self.command {
            Command::Set {
                secret,
                file,
                store,
            } => {
                let (plugin, name) = secret.check()?;
                let mut known = SecretsFile::open(data)?;
                let value = secrets::read_value(plugin, name, file.as_deref(), ui)?;
                known.keep(plugin, name, value, *store)?;
                ui.note(&format!(
                    "{plugin}.{name}: kept in {}",
                    place(*store, &known)
                ));
                if ui.json {
                    ui.print_json(&row(plugin, name, *store))?;
                }
            }
            Command::List => {
                let known = SecretsFile::open(data)?;
                let rows = known
                    .secrets()
                    .iter()
                    .map(|secret: &StoredSecret| row(&secret.plugin, &secret.name, secret.store()));
                let rows: Vec<_> = rows.collect();
                let none = "no secrets; `footlight secrets set PLUGIN NAME` sets one";
                ui.print_rows(&rows, none, |row| {
                    let word = |key: &str| filter::line(row[key].as_str().unwrap_or_default(), 60);
                    let name = format!("{}.{}", word("plugin"), word("name"));
                    let name = ui.styled_out(Emphasis::Bold, &name);
                    format!("{name}  in the {}", word("store"))
                })?;
            }
            Command::Remove { secret } => {
                let (plugin, name) = secret.check()?;
                let mut known = SecretsFile::open(data)?;
                let Some(store) = known.remove(plugin, name)? else {
                    return Err(ExitError::usage(format!(
                        "there is no secret `{name}` of `{plugin}`; `footlight secrets list` shows all"
                    )));
                };
                ui.note(&format!(
                    "{plugin}.{name}: removed from {}",
                    place(store, &known)
                ));
                if ui.json {
                    let mut row = row(plugin, name, store);
                    row["removed"] = true.into();
                    ui.print_json(&row)?;
                }
            }
        }
        Ok(Exit::Done)
    }
}

fn row(plugin: &str, name: &str, store: SecretsStore) -> serde_json::Value {
    json!({ "plugin": plugin, "name": name, "store": store })
}

/// Says where a value is kept.
fn place(store: SecretsStore, file: &SecretsFile) -> String {
    match store {
        SecretsStore::File => {
            let path = display_path(file.path());
            format!("the file `{path}`, unencrypted; only you can read it")
        }
        SecretsStore::Keyring => "the keyring of the operating system".to_owned(),
    }
}

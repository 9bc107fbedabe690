//! `footlight new`: creates a plugin that builds, passes its tests and runs.
//!
//! The files are those under `template/` (`template`), with the names in double braces replaced. A plugin in Rust
//! depends on the SDK, which `sdk` finds.

mod sdk;
mod template;

use crate::exit::{Exit, ExitError};
use crate::plugin_source::cargo::{self, MAX_MANIFEST};
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::{Context, Result};
use clap::Args;
use footlight::bounded_file;
use footlight_vocabulary::manifest::{PluginIdError, check_plugin_id};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use template::{Language, Project, Template};

/// Create a plugin.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight new weather                      create ./weather
  footlight new weather plugins/weather      create it in another folder
  footlight new counter --template card      with a card, a button and state
  footlight new weather --lang python        in Python; also js
  footlight new weather --sdk ../footlight/sdk

Templates of Rust:
  tool    one tool that computes
  card    a card with a button, and state
  ask     a question and an approval
  http    requests to one host
  files   a folder that is read

A plugin in Rust depends on the SDK: the one in a checkout of Footlight around the current folder or
around this program, unless --sdk names another. Then:
  cd weather && footlight call . greet name=Ada")]
pub(crate) struct New {
    /// The plugin name: lower-case letters, digits, `-` and `_`
    name: String,
    /// The folder to create; `./<NAME>` by default
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// What the plugin begins with
    #[arg(long, value_name = "TEMPLATE", value_enum, default_value_t = Template::Tool)]
    template: Template,
    /// The language of the plugin
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value_t = Language::Rust)]
    lang: Language,
    /// Depend on the SDK in this folder; `registry` names the published one
    #[arg(long, value_name = "PATH")]
    sdk: Option<PathBuf>,
}

impl New {
    pub(crate) fn run(&self, ui: &Ui) -> Result<Exit> {
        let (folder, project) = self.write()?;
        self.say(&folder, &project, ui)?;
        Ok(Exit::Done)
    }

    /// Writes the plugin and returns its folder.
    fn write(&self) -> Result<(PathBuf, Project)> {
        let id = id(&self.name)?;
        if self.lang != Language::Rust && (self.template != Template::Tool || self.sdk.is_some()) {
            return Err(ExitError::usage(
                "`--template` and `--sdk` are for plugins in Rust".to_owned(),
            ));
        }
        let folder = self.folder.clone();
        let folder = folder.unwrap_or_else(|| PathBuf::from(&self.name));
        if folder.symlink_metadata().is_ok() && !is_empty(&folder) {
            return Err(ExitError::usage(format!(
                "`{}` already exists; choose another folder",
                folder.display()
            )));
        }
        let project = match self.lang {
            Language::Rust => {
                let sdk = sdk::dependency(self.sdk.as_deref())?;
                template::rust(self.template, &self.name, &id, &sdk)
            }
            Language::Python => template::python(&self.name, &id),
            Language::Js => template::javascript(&self.name, &id),
        };
        for (path, text) in &project.files {
            write(&folder.join(path), text)?;
        }
        if self.lang == Language::Rust {
            settle_workspace(&folder, &project)?;
        }
        Ok((folder, project))
    }

    fn say(&self, folder: &Path, project: &Project, ui: &Ui) -> Result<()> {
        if ui.json {
            return Ok(ui.print_json(
                &json!({ "path": crate::data::path_text(folder), "next": project.next }),
            )?);
        }
        let shown = crate::data::display_path(folder);
        let head = format!("Created the plugin `{}` in {shown}.", self.name);
        let head = ui.styled_out(Emphasis::Bold, &head);
        let next = project.next.join("\n  ");
        Ok(ui.print(&format!("{head}\n\nNext:\n  cd {shown}\n  {next}"))?)
    }
}

/// A crate inside a workspace must be a member of it or have its own, and only a workspace root can
/// have profiles. Cargo knows which applies.
fn settle_workspace(folder: &Path, project: &Project) -> Result<()> {
    let (cargo_toml, profile) = (&project.cargo_toml, template::PROFILE);
    let ours = folder
        .canonicalize()
        .with_context(|| format!("cannot open `{}`", folder.display()))?;
    let text = match cargo::workspace(&ours) {
        Ok(root) if root == ours => return Ok(()),
        // The workspace decides how its members are built.
        Ok(_) => cargo_toml.to_owned(),
        Err(_) if has_workspace_above(&ours) => {
            let own = template::WORKSPACE;
            format!("{cargo_toml}{own}{profile}")
        }
        // Cargo is missing, or reports the problem itself at the first build.
        Err(_) => return Ok(()),
    };
    write(&folder.join("Cargo.toml"), &text)
}

/// Returns the plugin id: the name with underscores.
fn id(name: &str) -> Result<String> {
    let id = name.replace('-', "_");
    // Cargo rejects these only when it builds.
    let is_keyword = matches!(
        id.as_str(),
        "test" | "core" | "std" | "alloc" | "crate" | "self" | "super" | "proc_macro"
    );
    let why = match check_plugin_id(&id) {
        Ok(()) if !is_keyword => return Ok(id),
        Ok(()) => "is reserved by Rust; choose another name",
        Err(PluginIdError::Malformed(_)) => {
            "is not a valid plugin name; write a lower-case letter and up to 30 letters, digits, single `-` or `_`, such as `weather`"
        }
        Err(_) => "is reserved by Footlight; choose another name",
    };
    Err(ExitError::usage(format!(
        "`{}` {why}",
        footlight_render::filter::line(name, 60)
    )))
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

fn has_workspace_above(folder: &Path) -> bool {
    let above = folder.ancestors().skip(1);
    let mut texts = above.filter_map(|place| {
        bounded_file::read_to_string(&place.join("Cargo.toml"), MAX_MANIFEST).ok()
    });
    texts.any(|text| {
        toml::from_str::<toml::Table>(&text).is_ok_and(|table| table.contains_key("workspace"))
    })
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .with_context(|| format!("cannot write `{}`", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_becomes_an_id_or_is_refused() {
        assert_eq!(id("open-meteo2").expect("is one"), "open_meteo2");
        for name in [
            "", "Weather", "2go", "a--b", "a b", "../x", "ö", "-a", "test", "a/b",
        ] {
            assert!(id(name).is_err(), "{name}");
        }
        assert!(id(&"a".repeat(32)).is_err());
    }

    #[test]
    fn no_placeholder_is_left_and_the_manifest_is_sound() {
        for (lang, template) in [
            (Language::Rust, Template::Tool),
            (Language::Rust, Template::Card),
            (Language::Rust, Template::Ask),
            (Language::Rust, Template::Http),
            (Language::Rust, Template::Files),
            (Language::Python, Template::Tool),
            (Language::Js, Template::Tool),
        ] {
            let folder = tempfile::tempdir().expect("a folder for the test");
            let new = New {
                name: "my-demo".into(),
                folder: Some(folder.path().join("x")),
                template,
                lang,
                sdk: (lang == Language::Rust).then(|| "registry".into()),
            };
            let (_, project) = new.write().expect("is written");
            for (file, _) in &project.files {
                let text =
                    fs::read_to_string(folder.path().join("x").join(file)).expect("is there");
                assert!(!text.contains("{{"), "{file}: {text}");
            }
            let manifest = fs::read_to_string(folder.path().join("x/plugin.toml"));
            let manifest =
                footlight_vocabulary::manifest::Manifest::parse(&manifest.expect("is there"));
            assert_eq!(manifest.expect("is sound").id, "my_demo");
            let again = new.write().expect_err("already exists");
            assert!(again.to_string().contains("already exists"), "{again}");
        }
    }
}

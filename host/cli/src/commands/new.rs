//! `footlight new`: creates a plugin crate that builds, passes its test and runs.
//!
//! The files are those under `template/`, with `{{name}}`, `{{id}}`, `{{api}}` and `{{sdk}}`
//! replaced.

use crate::exit::{Exit, ExitError};
use crate::plugin_source::cargo::{self, MAX_MANIFEST};
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::{Context, Result, bail};
use clap::Args;
use footlight::bounded_file;
use footlight_vocabulary::manifest::{CONTRACT, PluginIdError, check_plugin_id};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// Create a plugin crate.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight new weather                      create ./weather
  footlight new weather plugins/weather      create it in another folder
  footlight new weather --sdk ../footlight/sdk

Then:
  cd weather && footlight call . greet name=Ada")]
pub(crate) struct New {
    /// The plugin name: lower-case letters, digits, `-` and `_`
    name: String,
    /// The folder to create; `./<NAME>` by default
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Depend on the SDK in this folder instead of the published one
    #[arg(long, value_name = "PATH")]
    sdk: Option<PathBuf>,
}

/// The name of the SDK crate.
const SDK: &str = "footlight-sdk";

impl New {
    pub(crate) fn run(&self, ui: &Ui) -> Result<Exit> {
        let folder = self.write()?;
        self.say(&folder, ui)?;
        Ok(Exit::Done)
    }

    /// Writes the crate and returns its folder.
    fn write(&self) -> Result<PathBuf> {
        let id = id(&self.name)?;
        let folder = self.folder.clone();
        let folder = folder.unwrap_or_else(|| PathBuf::from(&self.name));
        if folder.symlink_metadata().is_ok() && !is_empty(&folder) {
            return Err(ExitError::usage(format!(
                "`{}` already exists; choose another folder",
                folder.display()
            )));
        }
        let sdk = self.sdk()?;
        let fill = |template: &str| {
            template
                .replace("{{name}}", &self.name)
                .replace("{{id}}", &id)
                .replace("{{api}}", CONTRACT)
                .replace("{{sdk}}", &sdk)
        };
        let cargo_toml = fill(include_str!("../../template/Cargo.toml.txt"));
        let profile = include_str!("../../template/profile.toml.txt");
        write(
            &folder.join("Cargo.toml"),
            &format!("{cargo_toml}{profile}"),
        )?;
        for (path, template) in [
            ("plugin.toml", include_str!("../../template/plugin.toml")),
            ("src/lib.rs", include_str!("../../template/src/lib.rs")),
            ("README.md", include_str!("../../template/README.md")),
            (".gitignore", include_str!("../../template/gitignore")),
        ] {
            write(&folder.join(path), &fill(template))?;
        }
        settle_workspace(&folder, &cargo_toml, profile)?;
        Ok(folder)
    }

    fn say(&self, folder: &Path, ui: &Ui) -> Result<()> {
        if ui.json {
            return Ok(ui.print_json(&json!({ "path": folder }))?);
        }
        let shown = crate::data::display_path(folder);
        let head = format!("Created the plugin `{}` in {shown}.", self.name);
        let head = ui.styled_out(Emphasis::Bold, &head);
        Ok(ui.print(&format!(
            "{head}\n\nNext:\n  cd {shown}\n  cargo test\n  footlight call . greet name=Ada"
        ))?)
    }

    /// Returns the right-hand side of the dependency on the SDK.
    fn sdk(&self) -> Result<String> {
        let Some(path) = &self.sdk else {
            return Ok(format!("\"{}\"", env!("CARGO_PKG_VERSION")));
        };
        let wrong = || {
            format!(
                "`{}` is not the SDK; name the folder of the crate `{SDK}`",
                path.display()
            )
        };
        // The crate can be in any folder, so the path must be absolute.
        let path = path.canonicalize().with_context(wrong)?;
        let manifest = bounded_file::read_to_string(&path.join("Cargo.toml"), MAX_MANIFEST)
            .with_context(wrong)?;
        let manifest: toml::Table = toml::from_str(&manifest).with_context(wrong)?;
        let name = manifest
            .get("package")
            .and_then(|package| package.get("name"));
        if name.and_then(toml::Value::as_str) != Some(SDK) {
            bail!(wrong());
        }
        let path = path
            .to_str()
            .with_context(|| format!("the path `{}` is not text", path.display()))?;
        // A JSON string is a valid TOML string: serde_json does not write the one escape that differs.
        Ok(format!("{{ path = {} }}", json!(path)))
    }
}

/// A crate inside a workspace must be a member of it or have its own, and only a workspace root can
/// have profiles. Cargo knows which applies.
fn settle_workspace(folder: &Path, cargo_toml: &str, profile: &str) -> Result<()> {
    let ours = folder
        .canonicalize()
        .with_context(|| format!("cannot open `{}`", folder.display()))?;
    let text = match cargo::workspace(&ours) {
        Ok(root) if root == ours => return Ok(()),
        // The workspace decides how its members are built.
        Ok(_) => cargo_toml.to_owned(),
        Err(_) if has_workspace_above(&ours) => {
            let own = include_str!("../../template/workspace.toml.txt");
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
        let folder = tempfile::tempdir().expect("a folder for the test");
        let new = New {
            name: "my-demo".into(),
            folder: Some(folder.path().join("x")),
            sdk: None,
        };
        new.write().expect("is written");
        for file in [
            "Cargo.toml",
            "plugin.toml",
            "src/lib.rs",
            "README.md",
            ".gitignore",
        ] {
            let text = fs::read_to_string(folder.path().join("x").join(file)).expect("is there");
            assert!(!text.contains("{{"), "{file}: {text}");
        }
        let manifest = fs::read_to_string(folder.path().join("x/plugin.toml")).expect("is there");
        let manifest = footlight_vocabulary::manifest::Manifest::parse(&manifest);
        assert_eq!(manifest.expect("is sound").id, "my_demo");
        let again = new.write().expect_err("already exists");
        assert!(again.to_string().contains("already exists"), "{again}");
    }
}

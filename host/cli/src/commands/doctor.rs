//! `footlight doctor`: whether everything is where it should be, and what to do if not.
//!
//! Nothing is repaired here; the data folder is made if it is not there, as every command does.

use crate::commands::sessions::Opened;
use crate::config::Config;
use crate::conversation::host;
use crate::conversation::model::choose;
use crate::data::Data;
use crate::dirs;
use crate::exit::Exit;
use crate::plugin_source::cargo;
use crate::terminal::ui::{Ink, Ui};
use anyhow::{Result, anyhow, bail};
use clap::Args;
use footlight::model::discovery;
use footlight_render::filter;
use serde_json::json;
use std::path::Path;

/// Look whether everything is where it should be.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight doctor
  footlight doctor --json | jq 'select(.ok == false)'")]
pub(crate) struct Doctor {}

/// What one look came to: what was found, or what to do.
type Found = Result<String>;

impl Doctor {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        let mut is_well = true;
        // Without these nothing works.
        for (name, found) in [
            ("data folder", folder(data)),
            ("store", store(data)),
            ("configuration", configuration()),
            ("rules", rules()),
            ("compiled cache", cache()),
        ] {
            is_well &= found.is_ok();
            say(name, &found, false, ui)?;
        }
        // Without these some things do.
        for (name, found) in [
            ("cargo", cargo::version()),
            ("target", target()),
            ("model", model()),
            ("model servers", servers()),
        ] {
            say(name, &found, true, ui)?;
        }
        #[cfg(feature = "images")]
        say("pictures", &pictures(ui), true, ui)?;
        Ok(if is_well { Exit::Done } else { Exit::Error })
    }
}

fn say(name: &str, found: &Found, may_lack: bool, ui: &Ui) -> Result<()> {
    let words = match found {
        Ok(words) => filter::line(words, 400),
        Err(error) => filter::line(&format!("{error:#}"), 600),
    };
    if ui.json {
        let line =
            json!({ "name": name, "ok": found.is_ok(), "required": !may_lack, "words": words });
        return Ok(ui.print(&filter::json_line(&line))?);
    }
    let mark = match (found.is_ok(), may_lack) {
        (true, _) => ui.out(Ink::Green, "ok      "),
        (false, true) => ui.out(Ink::Yellow, "missing "),
        (false, false) => ui.out(Ink::Red, "problem "),
    };
    Ok(ui.print(&format!("{mark}  {name:14}  {words}"))?)
}

fn folder(data: &Data) -> Found {
    let folder = data.folder()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&folder)?.permissions().mode();
        if mode & 0o077 != 0 {
            let name = folder.display();
            return Ok(format!(
                "{name}; others may look into it: close it with `chmod 700 {name}`"
            ));
        }
    }
    Ok(folder.display().to_string())
}

fn store(data: &Data) -> Found {
    let opened = Opened::new(data)?;
    let sessions = opened
        .runtime
        .block_on(opened.store.sessions(usize::MAX >> 1))?;
    let pending = opened.runtime.block_on(opened.store.pending())?;
    Ok(format!(
        "opens; {} sessions, {} waiting for a person",
        sessions.len(),
        pending.len()
    ))
}

fn configuration() -> Found {
    let config = Config::find()?;
    for plugin in &config.plugins {
        if !plugin.exists() {
            bail!(
                "the plugin `{}` is not there; mend `footlight.toml`",
                plugin.display()
            );
        }
    }
    if config.files.is_empty() {
        return Ok("no footlight.toml, which is fine".to_owned());
    }
    let files = config.files.iter().map(|path| path.display().to_string());
    Ok(files.collect::<Vec<_>>().join(", "))
}

fn rules() -> Found {
    let file = host::rules()?
        .ok_or_else(|| anyhow!("there is no home folder for them; set FOOTLIGHT_CONFIG_DIR"))?;
    let rules = file.entries().len();
    Ok(format!("{rules} in {}", file.path().display()))
}

fn cache() -> Found {
    let folder = dirs::cache().ok_or_else(|| {
        anyhow!("there is no home folder for it; set XDG_CACHE_HOME, or each start compiles anew")
    })?;
    footlight::Host::builder().calls(1).cache(&folder).build()?;
    Ok(folder.display().to_string())
}

fn target() -> Found {
    if cargo::has_target(Path::new("."))? {
        return Ok(format!("{} is installed", cargo::TARGET));
    }
    bail!(
        "{0} is not installed: `rustup target add {0}`; building a plugin does it, too",
        cargo::TARGET
    )
}

fn model() -> Found {
    Ok(choose(None, &Config::find()?).to_string())
}

#[cfg(feature = "images")]
fn pictures(ui: &Ui) -> Found {
    if ui.terminal(crate::terminal::ui::To::Stdout).pictures {
        return Ok("shown as half blocks".to_owned());
    }
    bail!("shown in words: this is no terminal with UTF-8 and at least 256 colours")
}

fn servers() -> Found {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let found = runtime.block_on(discovery::discover());
    if found.is_empty() {
        bail!("none answers on this machine, which is only needed for `--model local`");
    }
    let names = found
        .iter()
        .map(|found| format!("{} at {}", found.name, found.address));
    Ok(names.collect::<Vec<_>>().join(", "))
}

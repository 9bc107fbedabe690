//! `footlight doctor`: checks the installation.
//!
//! It repairs nothing, but creates the data folder if it is missing, as every command does.

mod server;

use crate::config::Config;
use crate::conversation::host;
use crate::conversation::model::choose;
use crate::data::{self, Data, OpenStore, display_path};
use crate::dirs;
use crate::exit::Exit;
use crate::plugin_source::{PluginArgument, cargo, format_size};
use crate::plugins::Installed;
use crate::suggest::counted;
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::{Result, anyhow, bail};
use clap::Args;
use footlight::model::discover;
use footlight_render::filter;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Check the installation, or a running server.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight doctor
  footlight doctor --json | jq 'select(.ok == false)'
  footlight doctor --server http://127.0.0.1:7390")]
pub(crate) struct Doctor {
    /// Check this running `footlight serve` instead
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// The file with the token of the server
    #[arg(long, value_name = "FILE", requires = "server")]
    token_file: Option<PathBuf>,
}

/// The result of one check: what was found, or what to do.
type CheckResult = Result<String>;

/// What it means that a check fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Severity {
    /// Other commands fail as well.
    Problem,
    /// Other commands work, with a disadvantage.
    Warning,
    /// Something that few commands need is not there.
    Missing,
}

impl Doctor {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        let mut all_passed = true;
        if let Some(url) = &self.server {
            for (name, found) in server::checks(url, self.token_file.clone(), data)? {
                all_passed &= found.is_ok();
                print_check(name, &found, Severity::Problem, ui)?;
            }
            return Ok(if all_passed { Exit::Done } else { Exit::Error });
        }
        // Required.
        for (name, found) in [
            ("data folder", folder(data)),
            ("store", store(data)),
            ("configuration", configuration(data, ui)),
            ("plugins", plugins(data)),
            ("rules", rules()),
        ] {
            all_passed &= found.is_ok();
            print_check(name, &found, Severity::Problem, ui)?;
        }
        let (severity, found) = cache();
        all_passed &= found.is_ok() || severity != Severity::Problem;
        print_check("compiled cache", &found, severity, ui)?;
        // Optional.
        for (name, found) in [
            ("cargo", cargo_version(data)),
            ("target", target(data)),
            ("model", model(ui)),
            ("model servers", servers()),
        ] {
            print_check(name, &found, Severity::Missing, ui)?;
        }
        #[cfg(feature = "images")]
        print_check("pictures", &pictures(ui), Severity::Missing, ui)?;
        Ok(if all_passed { Exit::Done } else { Exit::Error })
    }
}

fn print_check(name: &str, found: &CheckResult, severity: Severity, ui: &Ui) -> Result<()> {
    let words = match found {
        Ok(words) => filter::line(words, 400),
        Err(error) => filter::line(&format!("{error:#}"), 600),
    };
    if ui.json {
        let required = severity == Severity::Problem;
        let line =
            json!({ "name": name, "ok": found.is_ok(), "required": required, "words": words });
        return Ok(ui.print_json(&line)?);
    }
    let mark = match (found, severity) {
        (Ok(_), _) => ui.styled_out(Emphasis::Green, "ok      "),
        (Err(_), Severity::Problem) => ui.styled_out(Emphasis::Red, "problem "),
        (Err(_), Severity::Warning) => ui.styled_out(Emphasis::Yellow, "warning "),
        (Err(_), Severity::Missing) => ui.styled_out(Emphasis::Yellow, "missing "),
    };
    Ok(ui.print_row(&format!("{mark}  {name:14}  {words}"))?)
}

fn folder(data: &Data) -> CheckResult {
    let folder = data.folder()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&folder)?.permissions().mode();
        if mode & 0o077 != 0 {
            let name = folder.display();
            return Ok(format!(
                "{name}; other users can read it; run `chmod 700 {name}`"
            ));
        }
    }
    Ok(folder.display().to_string())
}

fn store(data: &Data) -> CheckResult {
    let opened = OpenStore::new(data)?;
    let sessions = opened.wait(opened.store.sessions(usize::MAX >> 1))?;
    let pending = opened.wait(opened.store.pending())?;
    Ok(format!(
        "{} sessions, {} open requests, {}",
        sessions.len(),
        pending.len(),
        format_size(size(&data.folder()?))
    ))
}

/// Returns the size of all files below a folder. What cannot be read is not counted.
fn size(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => size(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}

fn configuration(data: &Data, ui: &Ui) -> CheckResult {
    let config = Config::load_unasked(ui)?;
    let installed = Installed::open(data)?;
    for plugin in &config.plugins {
        let located = plugin.argument.locate(plugin.cause, &installed, ui)?;
        if let PluginArgument::Path(path) = &located
            && !path.exists()
        {
            bail!(
                "the plugin `{}` does not exist; correct `footlight.toml`",
                display_path(path)
            );
        }
    }
    if config.files.is_empty() {
        return Ok("no footlight.toml (optional)".to_owned());
    }
    let files = config.files.iter().map(|path| path.display().to_string());
    Ok(files.collect::<Vec<_>>().join(", "))
}

/// Reads every installed component, and compares it with the lock file.
fn plugins(data: &Data) -> CheckResult {
    let installed = Installed::open(data)?;
    for entry in installed.entries() {
        installed.read(entry)?;
    }
    Ok(counted(installed.entries().len(), "installed plugin"))
}

fn rules() -> CheckResult {
    let file = host::required_rules_file()?;
    let rules = file.entries().len();
    Ok(format!("{rules} in {}", file.path().display()))
}

/// Checks the cache as other commands do: they run without one that cannot be written.
fn cache() -> (Severity, CheckResult) {
    let slow = "so each command compiles its plugins again, which takes seconds for a large one";
    let Some(folder) = dirs::cache() else {
        let found = anyhow!("no home folder for the cache, {slow}; set XDG_CACHE_HOME");
        return (Severity::Warning, Err(found));
    };
    let name = folder.display();
    if !dirs::is_writable(&folder) {
        let found = anyhow!(
            "cannot write to `{name}`, {slow}; make it writable, or set XDG_CACHE_HOME to a folder that is"
        );
        return (Severity::Warning, Err(found));
    }
    let built = footlight::Host::builder().calls(1).cache(&folder).build();
    let found = built.map(|_| name.to_string()).map_err(Into::into);
    (Severity::Problem, found)
}

/// Runs cargo in the data folder: in the current one, a toolchain file of a stranger's project could
/// choose the program that runs.
fn cargo_version(data: &Data) -> CheckResult {
    cargo::version(&data.folder()?)
}

fn target(data: &Data) -> CheckResult {
    if cargo::has_target(&data.folder()?)? {
        return Ok(format!("{} is installed", cargo::TARGET));
    }
    bail!(
        "{0} is not installed; `footlight build` adds it, as does `rustup target add {0}`",
        cargo::TARGET
    )
}

fn model(ui: &Ui) -> CheckResult {
    Ok(choose(None, &Config::load_unasked(ui)?).to_string())
}

#[cfg(feature = "images")]
fn pictures(ui: &Ui) -> CheckResult {
    if ui.terminal(crate::terminal::ui::OutStream::Stdout).pictures {
        return Ok("shown as half blocks".to_owned());
    }
    bail!("described in text: they need a terminal with UTF-8 and at least 256 colours")
}

fn servers() -> CheckResult {
    let runtime = data::runtime()?;
    let found = runtime.block_on(discover());
    if found.is_empty() {
        bail!("none on this machine; only `--model local` needs one");
    }
    let names = found
        .iter()
        .map(|found| format!("{} at {}", found.name, found.address));
    Ok(names.collect::<Vec<_>>().join(", "))
}

//! `footlight test`: replays the cases of a plugin.

use crate::case::play::{self, Played};
use crate::case::{self, Case, FoundCase, compare, file};
use crate::data::{self, Data};
use crate::exit::{Exit, ExitError};
use crate::plugin_source::{self, BuildCause, PluginSource};
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::Result;
use clap::Args;
use footlight_render::filter;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Replay recorded calls of a plugin, and compare what comes of them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight call . forecast city=Oslo --record cases/oslo.toml   record a case
  footlight test                                 build the plugin in this folder, replay its cases
  footlight test plugins/weather oslo            only cases with `oslo` in their name
  footlight test weather.wasm --cases cases      a component, with the cases of a folder
  footlight test --accept                        expect what comes now

A case is a TOML file with one call and everything that it was answered: the person's replies, HTTP
exchanges, the clock, the seed of randomness, settings and state. It is replayed without network, disk,
clock or person; a request or a question that the case does not have is a failure, and so is one that it
has and the plugin no longer makes.

Exit code 1 if a case differs. With --json, each case is a line; the last one has the counts.")]
pub(crate) struct Test {
    /// A crate folder to build, or a component file
    #[arg(default_value = ".")]
    plugin: PathBuf,
    /// Replay only the cases whose names contain one of these
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// The folder of the cases [default: `cases` in the crate folder, or beside the component]
    #[arg(long, value_name = "FOLDER")]
    cases: Option<PathBuf>,
    /// Rewrite the expectations of cases that differ
    #[arg(long)]
    accept: bool,
}

/// What came of the cases.
#[derive(Debug, Default)]
struct Counts {
    passed: usize,
    failed: usize,
    accepted: usize,
}

impl Test {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        let folder = self.folder();
        let found = case::cases_in(&folder)?;
        let shown = data::display_path(&folder);
        if found.is_empty() {
            return Err(ExitError::usage(format!(
                "no cases in `{shown}`; record one with `footlight call {} TOOL KEY=VALUE --record {}`",
                data::display_path(&self.plugin),
                data::display_path(&folder.join("NAME.toml"))
            )));
        }
        let is_wanted = |found: &FoundCase| {
            self.names.is_empty() || self.names.iter().any(|name| found.name.contains(name))
        };
        let wanted: Vec<FoundCase> = found.into_iter().filter(is_wanted).collect();
        if wanted.is_empty() {
            return Err(ExitError::usage(format!(
                "no case in `{shown}` has such a name"
            )));
        }
        let source = plugin_source::resolve_path(&self.plugin, BuildCause::Named, ui)?;
        let mut counts = Counts::default();
        for found in &wanted {
            self.replay(found, &source, &mut counts, data, ui)?;
        }
        let Counts {
            passed,
            failed,
            accepted,
        } = counts;
        if ui.json {
            ui.print_json(&json!({
                "type": "test_finished", "passed": passed, "failed": failed, "accepted": accepted,
            }))?;
        } else {
            let accepted = match accepted {
                0 => String::new(),
                accepted => format!(", {accepted} accepted"),
            };
            ui.print(&format!("{passed} passed, {failed} failed{accepted}"))?;
            if failed > 0 && !self.accept {
                ui.note("if the new behaviour is right: footlight test --accept");
            }
        }
        match failed {
            0 => Ok(Exit::Done),
            _ => Ok(Exit::Error),
        }
    }

    fn folder(&self) -> PathBuf {
        if let Some(folder) = &self.cases {
            return folder.clone();
        }
        let beside = match self.plugin.is_dir() {
            true => Some(self.plugin.as_path()),
            false => self.plugin.parent(),
        };
        beside.unwrap_or(Path::new("")).join("cases")
    }

    /// Replays one case and reports what came of it.
    fn replay(
        &self,
        found: &FoundCase,
        source: &PluginSource,
        counts: &mut Counts,
        data: &Data,
        ui: &Ui,
    ) -> Result<()> {
        let read = file::read(&found.path);
        let replayed = read.and_then(|case| {
            let played = play::play(&case, source, data, ui)?;
            Ok((case, played))
        });
        let (case, played) = match replayed {
            Ok(replayed) => replayed,
            Err(error) => {
                counts.failed += 1;
                let problem = filter::line(&format!("{error:#}"), 500);
                return report(found, Outcome::Unusable(&problem), ui);
            }
        };
        if played.is_as_expected(&case) {
            counts.passed += 1;
            return report(found, Outcome::Passed, ui);
        }
        // What the case does not answer cannot be accepted: it has to be recorded again.
        if self.accept && played.problems.is_empty() {
            let text = data::read_text(&found.path, case::MAX_BYTES)?;
            let text = file::with_expectation(&text, &played.actual)?;
            file::replace(&found.path, &text)?;
            counts.accepted += 1;
            return report(found, Outcome::Accepted, ui);
        }
        counts.failed += 1;
        report(found, Outcome::Failed(&case, &played), ui)
    }
}

/// What came of a case.
enum Outcome<'a> {
    Passed,
    Accepted,
    Failed(&'a Case, &'a Played),
    /// The case or the plugin cannot be read.
    Unusable(&'a str),
}

fn report(found: &FoundCase, outcome: Outcome<'_>, ui: &Ui) -> Result<()> {
    let name = filter::line(&found.name, 200);
    let (word, emphasis) = match &outcome {
        Outcome::Passed => ("passed", Emphasis::Green),
        Outcome::Accepted => ("accepted", Emphasis::Yellow),
        Outcome::Failed(..) | Outcome::Unusable(_) => ("failed", Emphasis::Red),
    };
    if ui.json {
        let mut line = json!({ "type": "case", "name": found.name, "outcome": word });
        match outcome {
            Outcome::Failed(case, played) => {
                line["problems"] = json!(played.problems);
                line["expected"] =
                    json!({ "record": case.expect.record, "state": case.expect.state });
                line["actual"] =
                    json!({ "record": played.actual.record, "state": played.actual.state });
            }
            Outcome::Unusable(problem) => line["problems"] = json!([problem]),
            Outcome::Passed | Outcome::Accepted => {}
        }
        ui.print_json(&line)?;
        return Ok(());
    }
    ui.print(&format!("{} {name}", ui.styled_out(emphasis, word)))?;
    match outcome {
        Outcome::Failed(case, played) => compare::print(&name, case, played, ui)?,
        Outcome::Unusable(problem) => ui.print(&format!("  {problem}"))?,
        Outcome::Passed | Outcome::Accepted => {}
    }
    Ok(())
}

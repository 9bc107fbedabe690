//! `footlight sessions`: lists, shows, resumes, exports and deletes sessions.

mod export;
mod powers;

use crate::commands::chat;
use crate::config::Uses;
use crate::conversation::host::{PluginHost, now};
use crate::conversation::model::SelectedModel;
use crate::conversation::session::{self, Conversation, remembered};
use crate::conversation::transcript::{Format, transcript_text};
use crate::data::{ControlNumbers, Data, OpenStore, resolve_prefix};
use crate::exit::{Exit, ExitError};
use crate::suggest::counted;
use crate::terminal::pager;
use crate::terminal::ui::{OutStream, Ui};
use anyhow::Result;
use clap::{Args, Subcommand};
use footlight::store::SessionRow;
use footlight_render::detail::ViewBuilder;
use footlight_render::filter;
use footlight_render::transcript::document;
use footlight_vocabulary::item::Timestamp;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// How many sessions are searched for an id.
const MAX_SESSIONS: usize = 10_000;

/// List, show, resume, export and delete sessions.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight sessions list
  footlight sessions show last --json | jq .turns[0].output
  footlight sessions show last --powers         what the plugins used and were denied
  footlight sessions export last -o talk.html   a single file to share
  footlight sessions resume ses_4f1c            a prefix of the id is enough
  footlight sessions resume last \"And tomorrow?\"
  footlight sessions delete ses_4f1c")]
pub(crate) struct Sessions {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List sessions, most recently used first
    List {
        /// The maximum number of sessions
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// Show the prompts and what came of them
    Show {
        /// The session id, a prefix of it, or `last`
        id: String,
        /// The output format
        #[arg(long, value_name = "FORMAT", value_enum)]
        output: Option<Format>,
        /// Show what each call did with folders, hosts and secrets, and what it was denied
        #[arg(long, conflicts_with = "output")]
        powers: bool,
    },
    /// Finish an interrupted turn, send a prompt, or continue in a chat
    Resume {
        /// The session id, a prefix of it, or `last`
        id: String,
        /// The prompt; without one, open a chat
        prompt: Option<String>,
        #[command(flatten)]
        flags: Box<session::ConversationFlags>,
    },
    /// Write a session to a single file without scripts or external resources
    Export {
        /// The session id, a prefix of it, or `last`
        id: String,
        /// Write HTML (the default)
        #[arg(long, conflicts_with = "markdown")]
        html: bool,
        /// Write Markdown
        #[arg(long)]
        markdown: bool,
        /// The file to write; stdout by default
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Overwrite an existing file
        #[arg(long, requires = "output")]
        force: bool,
    },
    /// Delete sessions with their outputs and state
    Delete {
        /// Session ids, or prefixes of them
        #[arg(required = true)]
        ids: Vec<String>,
    },
}

/// Finds a session by its id, a unique prefix of it, or `last`.
fn find(opened: &OpenStore, id: &str) -> Result<SessionRow> {
    let rows = opened.wait(opened.store.sessions(MAX_SESSIONS))?;
    let missing = "there is no session `{}`; `footlight sessions list` shows all";
    match id {
        // The most recently used session comes first.
        "last" => resolve_prefix(rows.into_iter().take(1), |_| "last", id, missing),
        id => resolve_prefix(rows, |row| row.id.as_str(), id, missing),
    }
}

impl Sessions {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        match &self.command {
            Command::List { limit } => list(*limit, data, ui)?,
            Command::Show {
                id, powers: true, ..
            } => {
                let opened = OpenStore::new(data)?;
                let row = find(&opened, id)?;
                powers::show(&opened.wait(opened.store.open(&row.id))?, ui)?;
            }
            Command::Show { id, output, .. } => show(id, *output, data, ui)?,
            Command::Export {
                id,
                html: _,
                markdown,
                output,
                force,
            } => {
                let format = match markdown {
                    true => Format::Markdown,
                    false => Format::Html,
                };
                let opened = OpenStore::new(data)?;
                let row = find(&opened, id)?;
                let snapshot = opened.wait(opened.store.open(&row.id))?;
                export::export(&opened, snapshot, format, output.as_deref(), *force, ui)?;
            }
            Command::Delete { ids } => delete(ids, data, ui)?,
            Command::Resume { id, prompt, flags } => {
                return resume(id, prompt.as_deref(), flags, data, ui);
            }
        }
        Ok(Exit::Done)
    }
}

fn list(limit: usize, data: &Data, ui: &Ui) -> Result<()> {
    let opened = OpenStore::new(data)?;
    let rows = opened.wait(opened.store.sessions(limit))?;
    let none = "no sessions yet; `footlight run` and `footlight chat` start one";
    Ok(ui.print_rows(&rows, none, |row| {
        let turns = counted(row.turns as usize, "turn");
        let title = filter::line(&row.title, 80);
        format!("{}  {:>8}  {turns:>8}  {title}", row.id, ago(row.updated))
    })?)
}

fn show(id: &str, format: Option<Format>, data: &Data, ui: &Ui) -> Result<()> {
    let opened = OpenStore::new(data)?;
    let row = find(&opened, id)?;
    let turns = footlight_serve::export::turns(&opened.wait(opened.store.open(&row.id))?, now());
    let mut builder = ViewBuilder::default();
    if let Some(format) = if ui.json { Some(Format::Json) } else { format } {
        let id = Some(row.id.as_str());
        ui.print(&document(
            &turns,
            &mut builder,
            format.into(),
            &row.title,
            id,
        ))?;
        return Ok(());
    }
    let text = transcript_text(&turns, &mut builder, &ui.terminal(OutStream::Stdout));
    Ok(pager::show(ui, &text)?)
}

fn delete(ids: &[String], data: &Data, ui: &Ui) -> Result<()> {
    let opened = OpenStore::new(data)?;
    // Every id is resolved before anything is deleted.
    let rows = ids.iter().map(|id| find(&opened, id));
    for row in rows.collect::<Result<Vec<_>>>()? {
        opened.wait(opened.store.delete(&row.id))?;
        ControlNumbers::new(data, &row.id).forget();
        ui.note(&format!("deleted {}", row.id));
        if ui.json {
            ui.print_json(&json!({ "deleted": row.id }))?;
        }
    }
    Ok(())
}

fn resume(
    id: &str,
    prompt: Option<&str>,
    flags: &session::ConversationFlags,
    data: &Data,
    ui: &Ui,
) -> Result<Exit> {
    flags.powers.check()?;
    let opened = OpenStore::new(data)?;
    let row = find(&opened, id)?;
    let (plugins, model) = remembered(&row.meta)?;
    let uses = flags.uses();
    let uses = Uses {
        plugins: false,
        model: uses.model && model.is_none(),
        ..uses
    };
    let mut config = flags.outputs.config(uses, ui)?;
    // A session resumes with exactly the plugins it started with.
    config.plugins = plugins;
    if model.is_some() {
        (config.model, config.script) = (model, None);
    }
    let mut loaded = PluginHost::over(Arc::clone(&opened.store), &config, data)?;
    loaded.load_all(&config, &[], ui)?;
    let chosen = match &config.model {
        Some(name) if flags.model.model.is_none() && config.script.is_none() => {
            SelectedModel::named(name, &flags.model, &loaded.runtime)?
        }
        _ => SelectedModel::open(&flags.model, &config, data, &loaded.runtime, ui)?,
    };
    let mut conversation = Conversation::new(loaded, chosen, Some(&row.id), flags, &config, ui)?;
    if let Some(exit) = conversation.resume_turn()?
        && prompt.is_none()
    {
        return conversation.end(exit);
    }
    match prompt {
        Some(prompt) => {
            let exit = conversation.turn(prompt, None)?;
            conversation.end(exit)
        }
        None if ui.can_ask => {
            conversation.recap()?;
            chat::run_loop(conversation, data, ui)
        }
        None => Err(ExitError::usage(
            "this session has no interrupted turn; write a prompt: footlight sessions resume <id> \"<prompt>\"",
        )),
    }
}

/// Formats how long ago a time was.
pub(crate) fn ago(then: Timestamp) -> String {
    let seconds = (now().millis() - then.millis()).max(0) / 1000;
    match seconds {
        0..60 => "now".to_owned(),
        60..3600 => format!("{} min", seconds / 60),
        3600..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn age_is_formatted_in_the_largest_fitting_unit() {
        let before = |seconds: i64| ago(Timestamp::from_millis(now().millis() - seconds * 1000));
        let said = [0, 59, 61, 7200, 259_200, -5].map(before);
        assert_eq!(said, ["now", "now", "1 min", "2 h", "3 days", "now"]);
    }
}

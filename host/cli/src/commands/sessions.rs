//! `footlight sessions`: conversations that were held.

mod export;

use crate::commands::chat;
use crate::config::Config;
use crate::conversation::host::{PluginHost, now};
use crate::conversation::model::SelectedModel;
use crate::conversation::session::{self, Conversation, remembered};
use crate::conversation::transcript::{Format, TurnTranscript, document, transcript_text};
use crate::conversation::views::ViewBuilder;
use crate::data::{Data, OpenStore, resolve_prefix};
use crate::exit::{Exit, ExitError};
use crate::terminal::pager;
use crate::terminal::ui::{OutStream, Ui};
use anyhow::Result;
use clap::{Args, Subcommand};
use footlight::store::SessionRow;
use footlight_render::filter;
use footlight_vocabulary::item::{Item, SessionId, Timestamp};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// How many sessions are looked at.
const MAX_SESSIONS: usize = 10_000;

/// List, show, go on with and delete conversations.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight sessions list
  footlight sessions show last --json | jq .turns[0].output
  footlight sessions export last -o conversation.html     one file, for a colleague
  footlight sessions resume ses_4f1c            go on with it; the beginning of its id will do
  footlight sessions resume last \"And tomorrow?\"
  footlight sessions delete ses_4f1c")]
pub(crate) struct Sessions {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Those that were used last
    List {
        /// How many
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// What was said and what came of it
    Display {
        /// The id, its beginning, or `last`
        id: String,
        /// Write it as this
        #[arg(long, value_name = "FORMAT", value_enum)]
        output: Option<Format>,
    },
    /// Go on with an unfinished turn, say something more, or talk
    Resume {
        /// The id, its beginning, or `last`
        id: String,
        /// What to say; without it the conversation is opened
        prompt: Option<String>,
        #[command(flatten)]
        flags: session::ConversationFlags,
    },
    /// Write it to one file that loads and runs nothing
    Export {
        /// The id, its beginning, or `last`
        id: String,
        /// As a page, which is the usual
        #[arg(long, conflicts_with = "markdown")]
        html: bool,
        /// As Markdown
        #[arg(long)]
        markdown: bool,
        /// The file; without it, stdout
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Write over a file that is there
        #[arg(long, requires = "output")]
        force: bool,
    },
    /// Forget sessions with all that belongs to them
    Delete {
        /// Their ids, or their beginnings
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
            Command::Display { id, output } => show(id, *output, data, ui)?,
            Command::Export {
                id,
                html: _,
                markdown,
                output,
                force,
            } => {
                if ui.json {
                    return Err(ExitError::usage(
                        "an export is a page or Markdown; `footlight sessions show <id> --json` writes JSON",
                    ));
                }
                let format = match markdown {
                    true => Format::Markdown,
                    false => Format::Html,
                };
                let opened = OpenStore::new(data)?;
                let row = find(&opened, id)?;
                let snapshot = opened.wait(opened.store.open(&row.id))?;
                export::export(&opened, &snapshot, format, output.as_deref(), *force, ui)?;
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
    if rows.is_empty() && !ui.json {
        ui.note("there are none yet; `footlight run` and `footlight chat` make them");
    }
    ui.print_rows(&rows, |row| {
        let turns = match row.turns {
            1 => "1 turn".to_owned(),
            turns => format!("{turns} turns"),
        };
        let title = filter::line(&row.title, 80);
        format!("{}  {:>8}  {turns:>8}  {title}", row.id, ago(row.updated))
    })?;
    Ok(())
}

fn show(id: &str, format: Option<Format>, data: &Data, ui: &Ui) -> Result<()> {
    let opened = OpenStore::new(data)?;
    let row = find(&opened, id)?;
    let snapshot = opened.wait(opened.store.open(&row.id))?;
    let of = |n: u32| -> Vec<Item> {
        let own = snapshot.items.iter().filter(|item| item.position.turn == n);
        own.cloned().collect()
    };
    if ui.json {
        let turns: Vec<_> = snapshot
            .turns
            .iter()
            .map(|turn| json!({ "prompt": turn.prompt, "output": of(turn.n) }))
            .collect();
        ui.print_json(&json!({ "id": row.id, "turns": turns }))?;
        return Ok(());
    }
    let turns: Vec<TurnTranscript> = snapshot
        .turns
        .iter()
        .map(|turn| TurnTranscript {
            prompt: Some(turn.prompt.clone()),
            items: of(turn.n),
            status: turn.status.clone(),
        })
        .collect();
    let mut builder = ViewBuilder::default();
    if let Some(format) = format {
        let id = Some(row.id.as_str());
        ui.print(&document(&turns, &mut builder, format, &row.title, id))?;
        return Ok(());
    }
    let text = transcript_text(&turns, &mut builder, &ui.terminal(OutStream::Stdout));
    Ok(pager::show(ui, &text)?)
}

fn delete(ids: &[String], data: &Data, ui: &Ui) -> Result<()> {
    let opened = OpenStore::new(data)?;
    // All are found before any is gone.
    let rows: Vec<SessionRow> = ids
        .iter()
        .map(|id| find(&opened, id))
        .collect::<Result<_>>()?;
    for row in rows {
        opened.wait(opened.store.delete(&row.id))?;
        ui.note(&format!("deleted {}", row.id));
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
    let opened = OpenStore::new(data)?;
    let row = find(&opened, id)?;
    let session: SessionId = row.id.clone();
    let (plugins, model) = remembered(&row.meta)?;
    let mut config = Config::load()?;
    // It is held with the plugins it was held with, and those alone.
    config.plugins.clear();
    config.model = model.or(config.model);
    let mut loaded = PluginHost::over(Arc::clone(&opened.store), &config)?;
    loaded.load_all(&config, &plugins, ui)?;
    let chosen = match &config.model {
        Some(name) if flags.model.model.is_none() => {
            SelectedModel::named(name, &flags.model, &loaded.runtime)?
        }
        _ => SelectedModel::open(&flags.model, &config, data, &loaded.runtime, ui)?,
    };
    let mut conversation = Conversation::new(loaded, chosen, Some(&session), flags, &config, ui)?;
    if conversation.session.is_unfinished() {
        let exit = conversation.resume_turn()?;
        if prompt.is_none() {
            return Ok(exit);
        }
    }
    match prompt {
        Some(prompt) => conversation.turn(prompt),
        None if ui.can_ask => {
            conversation.recap()?;
            chat::run_loop(conversation, data, &flags.model, ui)
        }
        None => Err(ExitError::usage(
            "nothing is unfinished in this session; say what to go on with: footlight sessions resume <id> \"<prompt>\"",
        )),
    }
}

/// How long ago that was, as a person says it.
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
    fn how_long_ago_is_said_in_the_unit_that_fits() {
        let before = |seconds: i64| ago(Timestamp::from_millis(now().millis() - seconds * 1000));
        let said = [0, 59, 61, 7200, 259_200, -5].map(before);
        assert_eq!(said, ["now", "now", "1 min", "2 h", "3 days", "now"]);
    }
}

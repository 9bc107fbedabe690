//! `footlight run`: runs one turn.

use crate::conversation::host::PluginHost;
use crate::conversation::model::SelectedModel;
use crate::conversation::remote::ServerFlags;
use crate::conversation::session::{self, Conversation};
use crate::conversation::transcript::Format;
use crate::data::Data;
use crate::exit::{Exit, ExitError};
use crate::plugin_source::PluginArgument;
use crate::plugins::{self, Installed};
use crate::terminal::ui::Ui;
use anyhow::{Context, Result};
use clap::Args;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

/// The maximum length of stdin in bytes.
const CONTEXT: u64 = 1 << 20;

/// How long stdin may be silent before a note says that the command is reading it.
const SILENCE: Duration = Duration::from_secs(2);

/// Send one prompt to a model that can call plugins.
#[derive(Debug, Args)]
#[command(override_usage = "footlight run [OPTIONS] [PLUGIN]... <PROMPT>")]
#[command(after_help = "Examples:
  footlight run plugins/weather \"What will the weather be in Oslo this week?\"
  footlight run weather.wasm todo.wasm \"Remind me to take an umbrella to Bergen\" --model openai:gpt-6-sol
  footlight run todo.wasm \"/clear what=done\" --allow todo.clear --no-input
  footlight run files.wasm \"Which files mention rust?\" --dir /data=docs:ro
  footlight run weather.wasm \"Will it rain?\" --allow-net api.open-meteo.com
  footlight run weather \"Will it rain?\"          an installed plugin, see `footlight plugins`
  git diff | footlight run notes.wasm \"What changed?\" --model local
  footlight run todo.wasm \"/clear\" --wait=10m       wait, and in another terminal:
  footlight pending list
  footlight run --server http://127.0.0.1:7390 \"Will it rain?\"     in a running `footlight serve`

Plugins listed in `footlight.toml` are always loaded. Without an API key or --model, the prompt goes
to `offline`, which matches words and is not a language model; if it finds no tool, it exits with 2.

The answer goes to stdout, progress and questions to stderr. Piped stdin is prepended to the prompt.
With --json, every event is a line; the last one is {\"type\":\"turn_finished\",…,\"output\":[items]}.")]
pub(crate) struct Run {
    /// Installed plugins, component files or crate folders (with --server, ids of its plugins), then
    /// the prompt
    #[arg(value_name = "PLUGIN | PROMPT", required = true)]
    words: Vec<String>,
    /// Write the whole turn to stdout in this format, not only the answer
    #[arg(long, value_name = "FORMAT", value_enum)]
    output: Option<Format>,
    #[command(flatten)]
    server: ServerFlags,
    #[command(flatten)]
    flags: session::ConversationFlags,
}

impl Run {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        let (prompt, plugins) = split(&self.words)?;
        if let Some(url) = &self.server.server {
            let ids = self.server.check(&self.flags, &plugins)?;
            let context = context(ui)?;
            let opened = Conversation::remote(&self.server, url, &ids, &self.flags, data, ui);
            return self.send(opened?, prompt, context, ui);
        }
        let named = PluginArgument::all_typed(&plugins);
        let is_name = named.is_empty() && plugins::is_name(prompt);
        if is_name && Installed::open(data)?.find(prompt).is_some() {
            return Err(missing_prompt());
        }
        self.flags.powers.check()?;
        let config = self.flags.outputs.config(self.flags.uses(), ui)?;
        let mut loaded = PluginHost::new(&config, data)?;
        loaded.load_all(&config, &named, ui)?;
        let chosen = SelectedModel::open(&self.flags.model, &config, data, &loaded.runtime, ui)?;
        let context = context(ui)?;
        let conversation = Conversation::new(loaded, chosen, None, &self.flags, &config, ui)?;
        self.send(conversation, prompt, context, ui)
    }

    /// Sends the prompt, with what stdin has.
    fn send(
        &self,
        conversation: Conversation<'_>,
        prompt: &str,
        context: Option<String>,
        ui: &Ui,
    ) -> Result<Exit> {
        let mut conversation = conversation.with_format(self.output);
        // `offline` would take lines of the text for typed calls.
        let context = match context.is_some() && conversation.is_offline() {
            true => {
                ui.note("`offline` does not read stdin; choose a language model with `--model`");
                None
            }
            false => context,
        };
        conversation.resume_turn()?;
        let exit = conversation.turn(prompt, context.as_deref())?;
        conversation.end(exit)
    }
}

/// Splits the arguments: the last is the prompt, the others are plugins.
fn split(words: &[String]) -> Result<(&str, Vec<PathBuf>)> {
    let (prompt, plugins) = words.split_last().context("missing prompt")?;
    let is_plugin = Path::new(prompt).exists() && !prompt.contains(char::is_whitespace);
    if prompt.trim().is_empty() || is_plugin {
        return Err(missing_prompt());
    }
    Ok((prompt, plugins.iter().map(PathBuf::from).collect()))
}

fn missing_prompt() -> anyhow::Error {
    ExitError::usage(
        "missing prompt; write it last, in quotes: footlight run <plugin> \"<prompt>\", or use `footlight chat`",
    )
}

/// Reads piped stdin, which is prepended to the prompt.
fn context(ui: &Ui) -> Result<Option<String>> {
    if io::stdin().is_terminal() {
        return Ok(None);
    }
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let read = io::stdin().lock().take(CONTEXT + 1).read_to_end(&mut text);
        // The receiver may have gone away on an error.
        let _ = sender.send(read.map(|_| text));
    });
    let read = match receiver.recv_timeout(SILENCE) {
        Ok(read) => read,
        Err(_) => {
            ui.note(
                "reading stdin, which is prepended to the prompt; to send none, add: < /dev/null",
            );
            receiver.recv().context("cannot read stdin")?
        }
    };
    let text = match read {
        Ok(text) => text,
        // The process was started without stdin.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).context("cannot read stdin"),
    };
    if text.len() as u64 > CONTEXT {
        return Err(ExitError::usage(format!(
            "stdin is longer than {CONTEXT} bytes; shorten it"
        )));
    }
    let text = String::from_utf8(text).map_err(|_| ExitError::usage("stdin is not UTF-8 text"))?;
    let text = text.trim_end();
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_argument_is_the_prompt() {
        let words = [
            "a.wasm".to_owned(),
            "b".to_owned(),
            "Will it rain?".to_owned(),
        ];
        let (prompt, plugins) = split(&words).expect("has a prompt");
        assert_eq!(
            (prompt, plugins),
            ("Will it rain?", vec!["a.wasm".into(), "b".into()])
        );
        for forgotten in ["src", " "] {
            let error = split(&[forgotten.to_owned()]).expect_err("is no prompt");
            assert_eq!(Exit::of_error(&error), Exit::Usage);
        }
    }
}

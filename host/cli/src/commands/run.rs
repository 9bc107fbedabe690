//! `footlight run`: one turn.

use crate::config::Config;
use crate::conversation::host::PluginHost;
use crate::conversation::model::SelectedModel;
use crate::conversation::session::{self, Conversation};
use crate::conversation::transcript::Format;
use crate::data::Data;
use crate::exit::{Exit, ExitError};
use crate::terminal::ui::Ui;
use anyhow::{Context, Result};
use clap::Args;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

/// The most that is read from stdin, in bytes.
const CONTEXT: u64 = 1 << 20;

/// After what time it is said that stdin is waited for.
const SILENCE: Duration = Duration::from_secs(2);

/// Say something to a model that can call plugins, and see what comes of it.
#[derive(Debug, Args)]
#[command(override_usage = "footlight run [OPTIONS] [PLUGIN]... <PROMPT>")]
#[command(after_help = "Examples:
  footlight run plugins/weather \"What will the weather be in Oslo this week?\"
  footlight run weather.wasm todo.wasm \"Remind me to take an umbrella to Bergen\" --model openai:gpt-6-sol
  footlight run todo.wasm \"/clear\" --allow todo.clear --no-input
  git diff | footlight run notes.wasm \"What changed?\" --model local
  footlight run todo.wasm \"/clear\" --wait=10m       in one terminal, and in another:
  footlight pending list

Plugins that `footlight.toml` names need not be repeated. Without a key or --model the prompt goes
to `offline`, which matches words and is no language model.

stdout has the answer, stderr progress and questions; piped stdin is put before the prompt.
With --json every event is a line, the last one {\"type\":\"turn_finished\",…,\"output\":[items]}.")]
pub(crate) struct Run {
    /// Components or crate folders, then the prompt
    #[arg(value_name = "PLUGIN | PROMPT", required = true)]
    words: Vec<String>,
    /// Write everything that came of it to stdout as this, not the answer alone
    #[arg(long, value_name = "FORMAT", value_enum)]
    output: Option<Format>,
    #[command(flatten)]
    flags: session::ConversationFlags,
}

impl Run {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        let (prompt, plugins) = split(&self.words)?;
        let config = Config::load()?;
        let mut loaded = PluginHost::new(&config, data)?;
        loaded.load_all(&config, &plugins, ui)?;
        let chosen = SelectedModel::open(&self.flags.model, &config, data, &loaded.runtime, ui)?;
        let prompt = match context(ui)? {
            Some(context) => format!("{context}\n\n{prompt}"),
            None => prompt.to_owned(),
        };
        let conversation = Conversation::new(loaded, chosen, None, &self.flags, &config, ui)?;
        conversation.with_format(self.output).turn(&prompt)
    }
}

/// The last word is the prompt, the others are plugins.
fn split(words: &[String]) -> Result<(&str, Vec<PathBuf>)> {
    let (prompt, plugins) = words.split_last().context("nothing was said")?;
    let is_plugin = Path::new(prompt).exists() && !prompt.contains(char::is_whitespace);
    if prompt.trim().is_empty() || is_plugin {
        return Err(ExitError::usage(
            "what is the prompt? write it last, in quotes: footlight run <plugin> \"<prompt>\"; `footlight chat` needs none",
        ));
    }
    Ok((prompt, plugins.iter().map(PathBuf::from).collect()))
}

/// What is piped in, to stand before the prompt.
fn context(ui: &Ui) -> Result<Option<String>> {
    if io::stdin().is_terminal() {
        return Ok(None);
    }
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let read = io::stdin().lock().take(CONTEXT + 1).read_to_end(&mut text);
        // Nobody may be there any more to hear of it.
        let _ = sender.send(read.map(|_| text));
    });
    let read = match receiver.recv_timeout(SILENCE) {
        Ok(read) => read,
        Err(_) => {
            ui.note("reading stdin to its end, which is put before the prompt; if none is meant, add: < /dev/null");
            receiver.recv().context("stdin was not read")?
        }
    };
    let text = match read {
        Ok(text) => text,
        // A program that was started without one.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).context("cannot read stdin"),
    };
    if text.len() as u64 > CONTEXT {
        return Err(ExitError::usage(format!(
            "stdin is longer than {CONTEXT} bytes; pipe in a part of it"
        )));
    }
    let text = String::from_utf8(text).map_err(|_| {
        ExitError::usage("stdin is not text; only text can be put before the prompt")
    })?;
    let text = text.trim_end();
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_is_the_prompt() {
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

//! `footlight chat`: an interactive conversation.

use crate::conversation::host::PluginHost;
use crate::conversation::model::SelectedModel;
use crate::conversation::remote::ServerFlags;
use crate::conversation::session::{self, Conversation};
use crate::data::Data;
use crate::exit::{Exit, ExitError};
use crate::plugin_source::PluginArgument;
use crate::remedy;
use crate::terminal::interrupt;
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::{Context, Result};
use clap::Args;
use footlight_render::filter;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{self, BufRead};
use std::path::PathBuf;

const HELP: &str = "  /help            show this help
  /tools           list the tools
  /do [N ...]      activate the control with the number N, with field=value for a form;
                   without N, list the controls
  /model [NAME]    show the model, or switch to another one
  /quit            quit (also Ctrl-D)
  Ctrl-C           cancel the current turn";

/// Chat with a model that can call plugins.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight chat plugins/todo
  footlight chat weather.wasm todo.wasm --model anthropic:claude-sonnet-5
  footlight sessions resume last                 continue the last conversation
  footlight chat --server http://127.0.0.1:7390  chat in a running `footlight serve`

Type /help in a chat for its commands. Without a terminal, every line of stdin is a prompt.")]
pub(crate) struct Chat {
    /// Installed plugins, component files or crate folders; with --server, ids of its plugins
    plugins: Vec<PathBuf>,
    #[command(flatten)]
    server: ServerFlags,
    #[command(flatten)]
    flags: session::ConversationFlags,
}

impl Chat {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        if let Some(url) = &self.server.server {
            let ids = self.server.check(&self.flags, &self.plugins)?;
            let opened = Conversation::remote(&self.server, url, &ids, &self.flags, data, ui);
            let mut conversation = opened?;
            if self.server.session.is_some() {
                conversation.recap()?;
                conversation.resume_turn()?;
            }
            return run_loop(conversation, data, ui);
        }
        self.flags.powers.check()?;
        let config = self.flags.outputs.config(self.flags.uses(), ui)?;
        let mut loaded = PluginHost::new(&config, data)?;
        loaded.load_all(&config, &PluginArgument::all_typed(&self.plugins), ui)?;
        let chosen = SelectedModel::open(&self.flags.model, &config, data, &loaded.runtime, ui)?;
        let conversation = Conversation::new(loaded, chosen, None, &self.flags, &config, ui)?;
        run_loop(conversation, data, ui)
    }
}

/// A line of input.
enum Line<'a> {
    Empty,
    Help,
    Tools,
    Do(&'a str),
    Model(Option<&'a str>),
    Quit,
    Unknown(&'a str),
    Prompt(&'a str),
}

/// Parses a line. The model `offline` handles `/tool` itself.
fn read(line: &str, is_offline: bool) -> Line<'_> {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match first {
        "" => Line::Empty,
        "/help" | "/?" => Line::Help,
        "/tools" => Line::Tools,
        "/do" => Line::Do(rest.trim()),
        "/model" => Line::Model(Some(rest.trim()).filter(|name| !name.is_empty())),
        "/quit" | "/exit" => Line::Quit,
        first if first.starts_with('/') && !is_offline => Line::Unknown(first),
        _ => Line::Prompt(line),
    }
}

/// Reads and handles lines until the person quits.
pub(crate) fn run_loop(mut conversation: Conversation<'_>, data: &Data, ui: &Ui) -> Result<Exit> {
    let mut lines = Lines::open(data, ui)?;
    if ui.can_ask {
        let model = conversation.model_name();
        ui.dim_note(&format!("{model}; type /help for commands"));
    }
    let mut last = Exit::Done;
    while let Some(line) = lines.next(ui)? {
        match read(&line, conversation.is_offline()) {
            Line::Empty => {}
            Line::Help => ui.note(HELP),
            Line::Tools => tools(&conversation, ui),
            Line::Do(rest) => last = conversation.press(rest)?.unwrap_or(last),
            Line::Model(None) => ui.note(&conversation.model_name()),
            Line::Model(Some(name)) => match conversation.switch(name) {
                Ok(()) => ui.note(&format!("model: {}", conversation.model_name())),
                Err(error) => ui.note(&filter::clean(&remedy::describe(&error))),
            },
            Line::Quit => break,
            Line::Unknown(word) => ui.note(&format!(
                "there is no command `{}`; /help lists all",
                filter::line(word, 40)
            )),
            Line::Prompt(prompt) => last = conversation.turn(prompt, None)?,
        }
    }
    if !ui.json {
        ui.dim_note("continue with:");
        ui.command(&conversation.command_to_continue());
    }
    conversation.end(if ui.can_ask { Exit::Done } else { last })
}

fn tools(conversation: &Conversation<'_>, ui: &Ui) {
    for (name, description) in conversation.tools() {
        ui.note(&format!(
            "  {}: {}",
            ui.styled_err(Emphasis::Green, &filter::line(&name, 120)),
            filter::line(&description, 160)
        ));
    }
}

/// Reports whether a line goes into the history file. Form values stay out: they may be private.
fn is_kept(line: &str) -> bool {
    !matches!(read(line, false), Line::Do(rest) if rest.contains('='))
}

/// The source of prompts.
enum Lines {
    /// A person at a line editor.
    Typed {
        editor: Box<DefaultEditor>,
        history: Option<PathBuf>,
    },
    /// A file or a pipe.
    Piped(io::Lines<io::BufReader<io::Stdin>>),
}

impl Lines {
    fn open(data: &Data, ui: &Ui) -> Result<Self> {
        if !ui.can_ask {
            return Ok(Self::Piped(io::BufReader::new(io::stdin()).lines()));
        }
        // The line editor changes the mode of the terminal while it reads.
        interrupt::guard_terminal();
        let mut editor =
            Box::new(DefaultEditor::new().context("cannot open a line editor on the terminal")?);
        // A chat works without its history.
        let history = data.folder().ok().map(|folder| folder.join("history"));
        if let Some(history) = &history {
            let _ = editor.load_history(history);
        }
        Ok(Self::Typed { editor, history })
    }

    /// Returns the next line, or `None` when the person quits.
    fn next(&mut self, ui: &Ui) -> Result<Option<String>> {
        let (editor, history) = match self {
            Self::Typed { editor, history } => (editor, history),
            Self::Piped(lines) => {
                let line = lines.next().transpose();
                return line.map_err(|_| ExitError::usage("stdin is not text"));
            }
        };
        let mut warned = false;
        loop {
            match editor.readline("> ") {
                Ok(line) => {
                    if is_kept(&line)
                        && let Ok(true) = editor.add_history_entry(line.as_str())
                        && let Some(history) = history
                    {
                        let _ = editor.save_history(history);
                    }
                    ui.note_external_output(Some(format!("> {line}\n")));
                    return Ok(Some(line));
                }
                Err(ReadlineError::Interrupted) if !warned => {
                    warned = true;
                    ui.note_external_output(None);
                    ui.note("(press Ctrl-C again, Ctrl-D, or type /quit to quit)");
                }
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(error).context("cannot read from the terminal"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_differ_from_prompts_and_from_tools_of_offline() {
        assert!(matches!(read("  /help ", false), Line::Help));
        assert!(matches!(read("/model", true), Line::Model(None)));
        assert!(matches!(
            read("/model  offline", true),
            Line::Model(Some("offline"))
        ));
        assert!(matches!(read("/exit", true), Line::Quit));
        assert!(matches!(read("/do 2 a=b", true), Line::Do("2 a=b")));
        assert!(matches!(read("", true), Line::Empty));
        assert!(matches!(read("/forecast city=Oslo", true), Line::Prompt(_)));
        assert!(matches!(
            read("/forecast city=Oslo", false),
            Line::Unknown("/forecast")
        ));
        assert!(matches!(
            read(" hello /help", false),
            Line::Prompt("hello /help")
        ));
    }

    #[test]
    fn form_values_stay_out_of_the_history() {
        assert!(!is_kept(" /do 3 key=hunter2"));
        assert!(!is_kept("/do\t3 'key=hunter 2'"));
        for line in ["/do", "/do 3", "what is 1 + 1 = ?", "/forecast city=Oslo"] {
            assert!(is_kept(line), "{line}");
        }
    }
}

//! The command `footlight`.
//!
//! A command is a file: its arguments, its help and what it does. `main` chooses one and turns how
//! it ended into an exit code.

#![forbid(unsafe_code)]

mod commands;

mod conversation;

mod terminal;

mod plugin_source;

mod config;
mod data;
mod dirs;

mod input_schema;
mod suggest;

mod exit;
mod remedy;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use commands::{
    build, call, chat, doctor, grants, inspect, models, new, outputs, pack, pending, render, run,
    sessions,
};
use data::Data;
use exit::Exit;
use footlight_render::filter;
use std::path::PathBuf;
use std::process::ExitCode;
use terminal::ui::{Emphasis, OutputFlags, Ui};

/// A host for sandboxed tool plugins that a language model calls.
#[derive(Debug, Parser)]
#[command(
    name = "footlight",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = "Examples:
  footlight run plugins/weather \"Will it rain in Oslo this week?\"
  footlight chat plugins/todo                    talk, with a plugin at hand
  footlight new demo && cd demo                  write a plugin
  footlight call . greet name=Ada                build it and call its tool
  footlight inspect weather.wasm                 what may it do?

Where <PLUGIN> stands, a .wasm file or a crate folder will do; a folder is built first.

Exit codes: 0 done, 1 error, 2 usage, 3 denied, 4 needs a person, 5 plugin failure,
6 limit reached, 130 cancelled"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Write JSON, one value for each line
    #[arg(long, global = true, help_heading = "Global options")]
    json: bool,
    /// No colours, no lines that redraw themselves
    #[arg(long, global = true, help_heading = "Global options")]
    plain: bool,
    /// Ask nobody: what would be asked fails with exit code 4
    #[arg(long, global = true, help_heading = "Global options")]
    no_input: bool,
    /// Keep sessions, state and outputs in this folder [env: FOOTLIGHT_DATA_DIR]
    #[arg(
        long,
        global = true,
        value_name = "FOLDER",
        help_heading = "Global options"
    )]
    data_dir: Option<PathBuf>,
    /// Show all at once what is longer than the screen
    #[arg(long, global = true, help_heading = "Global options")]
    no_pager: bool,
    /// Build a crate folder outside the current project without asking
    #[arg(long, short, global = true, help_heading = "Global options")]
    yes: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Run),
    Chat(chat::Chat),
    Call(call::Call),
    Inspect(inspect::Inspect),
    New(new::New),
    Build(build::Build),
    Pack(pack::Pack),
    Render(render::Render),
    Sessions(sessions::Sessions),
    Pending(pending::Pending),
    Outputs(outputs::Outputs),
    Grants(grants::Grants),
    Models(models::Models),
    Doctor(doctor::Doctor),
    /// Write completions for a shell
    #[command(after_help = "Example:
  footlight completions bash > ~/.local/share/bash-completion/completions/footlight")]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let ui = Ui::new(OutputFlags {
        json: cli.json,
        plain: cli.plain,
        no_input: cli.no_input,
        yes: cli.yes,
        no_pager: cli.no_pager,
    });
    let data = Data::new(cli.data_dir);
    let exit = run(&cli.command, &data, &ui).unwrap_or_else(|error| {
        let exit = Exit::of_error(&error);
        if exit != Exit::Done {
            // A plugin's words may be among the causes.
            let chain = format!("{error:#}");
            let chain = filter::clean(&chain);
            ui.note(&format!(
                "{} {chain}",
                ui.styled_err(Emphasis::Red, "footlight:")
            ));
        }
        exit
    });
    exit.into()
}

fn run(command: &Command, data: &Data, ui: &Ui) -> Result<Exit> {
    match command {
        Command::Run(run) => return run.run(data, ui),
        Command::Chat(chat) => return chat.run(data, ui),
        Command::Call(call) => return call.run(data, ui),
        Command::Sessions(sessions) => return sessions.run(data, ui),
        Command::Pending(pending) => return pending.run(data, ui),
        Command::Outputs(outputs) => return outputs.run(data, ui),
        Command::Grants(grants) => return grants.run(ui),
        Command::Models(models) => return models.run(ui),
        Command::Doctor(doctor) => return doctor.run(data, ui),
        Command::Inspect(inspect) => inspect.run(ui)?,
        Command::New(new) => new.run(ui)?,
        Command::Build(build) => build.run(ui)?,
        Command::Pack(pack) => pack.run(ui)?,
        Command::Render(render) => render.run(ui)?,
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "footlight", &mut script);
            ui.print(&String::from_utf8_lossy(&script))?;
        }
    }
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_is_sound() {
        Cli::command().debug_assert();
    }
}

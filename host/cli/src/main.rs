//! The command `footlight`.
//!
//! Each command is a file in `commands/` with its arguments, its help and its implementation; `main`
//! runs one and turns the outcome into an exit code.

#![forbid(unsafe_code)]

mod build_child;
mod case;
mod commands;
mod compile_child;
mod config;
mod consent;
mod conversation;
mod data;
mod dirs;
#[cfg(test)]
mod documented;
mod duration;
mod exit;
mod http_client;
mod input_schema;
mod ownership;
mod plugin_source;
mod plugins;
mod power;
mod project;
mod remedy;
mod secrets;
mod suggest;
mod terminal;
mod trace;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use commands::{
    build, call, chat, dev, doctor, grants, inspect, models, new, outputs, pack, pending,
    plugins as plugins_command, publish, render, run, secrets as secrets_command, serve, sessions,
    test,
};
use consent::ConsentFlags;
use data::Data;
use exit::Exit;
use footlight_render::filter;
use serde_json::json;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use terminal::ui::{Emphasis, Ui};

/// A host for sandboxed tool plugins that a language model calls.
#[derive(Debug, Parser)]
#[command(
    name = "footlight",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = "Examples:
  footlight run plugins/weather \"Will it rain in Oslo this week?\"
  footlight chat plugins/todo                    chat with a model that can call a plugin
  footlight new demo && cd demo                  create a plugin
  footlight call . greet name=Ada                build it and call its tool
  footlight dev                                  rebuild it on each save, beside a page with its tools
  footlight test                                 replay its recorded calls
  footlight inspect weather.wasm                 show what it may do
  footlight plugins add registry.example/acme/weather && footlight chat weather

<PLUGIN> is an installed plugin, a .wasm file or the folder of a plugin, which is built first.

Exit codes: 0 success, 1 error, 2 usage or no tool for the prompt, 3 denied, 4 needs a person,
5 plugin failure, 6 limit reached, 130 cancelled"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    flags: GlobalFlags,
}

/// The flags of every command.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Global options")]
struct GlobalFlags {
    /// Print JSON, one value per line; an error is {"type":"error","error":…,"exit":…}
    #[arg(long, global = true)]
    json: bool,
    /// Print no colours and redraw no lines
    #[arg(long, global = true)]
    plain: bool,
    /// Never prompt; what needs a prompt fails with exit code 4
    #[arg(long, global = true)]
    no_input: bool,
    /// Store sessions, plugin state and outputs in this folder [env: FOOTLIGHT_DATA_DIR]
    #[arg(long, global = true, value_name = "FOLDER")]
    data_dir: Option<PathBuf>,
    /// Do not use a pager for long output
    #[arg(long, global = true)]
    no_pager: bool,
    #[command(flatten)]
    consent: ConsentFlags,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Run),
    Chat(chat::Chat),
    Call(call::Call),
    Inspect(inspect::Inspect),
    New(new::New),
    Dev(dev::Dev),
    Build(build::Build),
    Test(test::Test),
    Pack(pack::Pack),
    Publish(publish::Publish),
    Plugins(plugins_command::Plugins),
    Render(render::Render),
    Sessions(sessions::Sessions),
    Pending(pending::Pending),
    Outputs(outputs::Outputs),
    Grants(grants::Grants),
    Secrets(secrets_command::Secrets),
    Models(models::Models),
    Serve(serve::Serve),
    Doctor(doctor::Doctor),
    /// Generate shell completions
    #[command(after_help = "Example:
  footlight completions bash > ~/.local/share/bash-completion/completions/footlight")]
    Completions {
        /// The shell to generate them for
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    if compile_child::is_requested() {
        return footlight::compile_child();
    }
    if build_child::is_requested() {
        return build_child::run();
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return invalid_command_line(&error),
    };
    let ui = Ui::new(&cli.flags);
    let data = Data::new(cli.flags.data_dir);
    let exit = run(&cli.command, &data, &ui).unwrap_or_else(|error| {
        let exit = Exit::of_error(&error);
        if exit != Exit::Done {
            // Text of a plugin may be among the causes.
            let text = remedy::describe(&error);
            let text = filter::clean(&text);
            let name = ui.styled_err(Emphasis::Red, "footlight:");
            ui.note(&format!("{name} {text}"));
            print_json_error(&ui, &text, exit);
        }
        exit
    });
    exit.into()
}

/// Prints an error as JSON, if JSON is wanted.
fn print_json_error(ui: &Ui, text: &str, exit: Exit) {
    if ui.json {
        // If stdout fails, too, the exit code is all that is left.
        let _ = ui.print_json(&json!({ "type": "error", "error": text, "exit": exit as u8 }));
    }
}

/// Prints help, the version, or what is wrong with the command line.
fn invalid_command_line(error: &clap::Error) -> ExitCode {
    // The flags were not parsed; what follows `--` are no flags.
    let mut words = std::env::args_os().take_while(|word| word != "--");
    let flags = GlobalFlags {
        json: words.any(|word| word == "--json"),
        ..GlobalFlags::default()
    };
    let text = error.to_string();
    let answer = match error.kind() {
        ErrorKind::DisplayHelp => Some(json!({ "type": "help", "help": text })),
        ErrorKind::DisplayVersion => {
            Some(json!({ "type": "version", "version": env!("CARGO_PKG_VERSION") }))
        }
        _ => None,
    };
    match answer {
        Some(answer) if flags.json => {
            let printed = Ui::new(&flags).print_json(&answer);
            return printed.map_or(Exit::Error, |()| Exit::Done).into();
        }
        Some(_) => {
            let printed = error.print().and_then(|()| io::stdout().flush());
            let exit = match printed {
                Err(error) => Exit::of_error(&error.into()),
                Ok(()) => Exit::Done,
            };
            return exit.into();
        }
        None => {
            // If stderr fails, the exit code is all that is left.
            let _ = error.print();
        }
    }
    let what = text.split("\n\n").next().unwrap_or_default();
    let what = what.strip_prefix("error: ").unwrap_or("missing command");
    print_json_error(&Ui::new(&flags), &filter::clean(what), Exit::Usage);
    Exit::Usage.into()
}

fn run(command: &Command, data: &Data, ui: &Ui) -> Result<Exit> {
    match command {
        Command::Run(run) => run.run(data, ui),
        Command::Chat(chat) => chat.run(data, ui),
        Command::Call(call) => call.run(data, ui),
        Command::Inspect(inspect) => inspect.run(data, ui),
        Command::New(new) => new.run(ui),
        Command::Dev(dev) => dev.run(data, ui),
        Command::Build(build) => build.run(ui),
        Command::Test(test) => test.run(data, ui),
        Command::Pack(pack) => pack.run(ui),
        Command::Publish(publish) => publish.run(ui),
        Command::Plugins(plugins) => plugins.run(data, ui),
        Command::Render(render) => render.run(ui),
        Command::Sessions(sessions) => sessions.run(data, ui),
        Command::Pending(pending) => pending.run(data, ui),
        Command::Outputs(outputs) => outputs.run(data, ui),
        Command::Grants(grants) => grants.run(data, ui),
        Command::Secrets(secrets) => secrets.run(data, ui),
        Command::Models(models) => models.run(ui),
        Command::Serve(serve) => serve.run(data, ui),
        Command::Doctor(doctor) => doctor.run(data, ui),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "footlight", &mut script);
            let script = String::from_utf8_lossy(&script);
            match ui.json {
                true => ui.print_json(&json!({ "shell": shell.to_string(), "script": script }))?,
                false => ui.print(&script)?,
            }
            Ok(Exit::Done)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_definition_is_valid() {
        Cli::command().debug_assert();
    }
}

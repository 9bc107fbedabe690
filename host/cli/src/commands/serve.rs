//! `footlight serve`: a server for clients on this machine, and beyond it if told so.

mod listen;
mod log;

use crate::config::Uses;
use crate::conversation::host::PluginHost;
use crate::conversation::model::{ModelFlags, SelectedModel};
use crate::conversation::remote::token_file_name;
use crate::conversation::session::OutputFlags;
use crate::data::{self, Data};
use crate::exit::{Exit, ExitError};
use crate::plugin_source::PluginArgument;
use crate::power::PowerFlags;
use crate::secrets::LOCAL;
use crate::terminal::interrupt::Interrupts;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result};
use clap::Args;
use footlight_serve::{BoundServer, Identity, Permission, Server, Tokens};
use listen::ListenFlags;
use log::LogFormat;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// How often lasting approvals are saved and the rules are read again, which another terminal may change.
const RULES: Duration = Duration::from_secs(1);

/// Where the hashes of tokens from logins are kept.
const SIGNED_IN_FILE: &str = "serve.tokens.json";

/// Serve a page and an API for your plugins
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight serve plugins/todo plugins/weather --open
  curl -H \"Authorization: Bearer $(cat TOKEN-FILE)\" http://127.0.0.1:7390/api/sessions
  footlight serve plugins/todo --listen 0.0.0.0 --name tools.example:7390 \\
    --tokens people.toml --tls-cert cert.pem --tls-key key.pem
  footlight serve plugins/todo --public-url https://tools.example   behind a proxy; for `footlight pending link`

The link that is printed opens the page and signs one browser in. The server listens on loopback alone
unless told otherwise. Every other request needs a token; the one in a file that only you can read is
yours, and the path is printed at the start. `/api/openapi.json` describes the API. Turns go on while no
client is connected, and unfinished ones are resumed at the next start. Ctrl-C ends the server.

A file with tokens has a table for each, with the SHA-256 of the token: `printf %s TOKEN | sha256sum`
  [[token]]
  hash = \"9f86d081...\"
  person = \"ada\"
  may = \"approve\"      # or view, or use: everything but deciding approvals")]
pub(crate) struct Serve {
    /// Installed plugins, component files or crate folders
    #[arg(value_name = "PLUGIN")]
    plugins: Vec<PathBuf>,
    #[command(flatten)]
    listen: ListenFlags,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Load the modules (.js) of this folder into the page, to draw widgets in their own way
    #[arg(long, value_name = "FOLDER")]
    renderers: Option<PathBuf>,
    /// Run this program for each new question or approval, with JSON on its standard input
    #[arg(long, value_name = "PROGRAM")]
    notify: Option<PathBuf>,
    /// Write a line for each request to stderr, and for what goes wrong
    #[arg(long, value_name = "FORMAT", value_enum)]
    log_format: Option<LogFormat>,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    powers: PowerFlags,
    #[command(flatten)]
    outputs: OutputFlags,
    /// Require ChatKit front ends to name this key of their domain, beside the token
    #[arg(long, value_name = "KEY")]
    chatkit_domain_key: Option<String>,
}

impl Serve {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        self.powers.check()?;
        self.listen.check()?;
        if let Some(format) = self.log_format {
            format.install()?;
        }
        let uses = Uses {
            plugins: true,
            model: self.model.model.is_none(),
            settings: true,
            limits: true,
        };
        let config = self.outputs.config(uses, ui)?;
        let mut loaded = PluginHost::new(&config, data)?;
        loaded.load_all(&config, &PluginArgument::all_typed(&self.plugins), ui)?;
        loaded.grant(&self.powers, ui)?;
        let chosen = SelectedModel::open(&self.model, &config, data, &loaded.runtime, ui)?;
        let folder = data.folder()?;
        let mut tokens = Tokens::new(Some(folder.join(SIGNED_IN_FILE)))?;
        let token = self.listen.token(&mut tokens, local())?;
        let mut server = Server::shared(loaded.host.clone(), Arc::clone(&chosen.model), tokens)
            .keeps_rules_of(LOCAL);
        if let Some(folder) = &self.renderers {
            if !folder.is_dir() {
                let folder = data::display_path(folder);
                return Err(ExitError::usage(format!("`{folder}` is no folder")));
            }
            server = server.renderers(folder);
        }
        if let Some(program) = &self.notify {
            server = server.notify(program);
        }
        if let Some(key) = &self.chatkit_domain_key {
            server = server.chatkit_domain_key(key);
        }
        let server = self.listen.bind(server, &loaded.runtime)?;
        let own_file = folder.join(token_file_name(server.address().port()));
        if let Some(token) = &token {
            footlight::private_file::replace(&own_file, &[token.as_bytes()])
                .with_context(|| format!("cannot write `{}`", data::display_path(&own_file)))?;
        }
        let token_file = token.as_ref().map(|_| own_file.as_path());
        let token_file = token_file.or(self.listen.token_file.as_deref());
        let resumed = loaded.runtime.block_on(server.resume_all());
        let resumed = resumed.map_err(|problem| anyhow::anyhow!("{}", problem.detail))?;
        self.say_started(&server, token_file, resumed, ui)?;
        let (end, ended) = oneshot::channel::<()>();
        Interrupts::watch().on_interrupt(move || drop(end));
        let mut serving = loaded.runtime.spawn(server.run(async {
            let _ = ended.await;
        }));
        loop {
            let ended = async { tokio::time::timeout(RULES, &mut serving).await };
            let ended = loaded.runtime.block_on(ended);
            loaded.save_always_rules(ui);
            loaded.reload_rules_or_deny(&config, ui);
            if let Ok(ended) = ended {
                ended.context("the server failed")?;
                break;
            }
        }
        if token.is_some() {
            // It does not outlive the server that accepts it.
            let _ = std::fs::remove_file(&own_file);
        }
        Ok(Exit::Done)
    }

    fn say_started(
        &self,
        server: &BoundServer,
        token_file: Option<&Path>,
        resumed: usize,
        ui: &Ui,
    ) -> Result<()> {
        let url = self.listen.url(server);
        // After `#`, which a browser sends to nobody.
        let page = format!("{url}/#c={}", server.mint_code(local())?);
        if ui.json {
            ui.print_json(&json!({
                "type": "serving", "url": url, "page": page, "tokenFile": token_file, "resumed": resumed,
            }))?;
        } else {
            ui.print(&format!("{page}\n"))?;
            ui.note("the link signs one browser in, once, in the next five minutes");
            match token_file {
                Some(file) => ui.note(&format!(
                    "the token for other clients is in `{}`; Ctrl-C ends the server",
                    data::display_path(file)
                )),
                None => ui.note("Ctrl-C ends the server"),
            }
        }
        if self.open && open_in_browser(&page).is_err() {
            ui.note("no browser could be started; open the link yourself");
        }
        if let Some(warning) = self.listen.warning() {
            ui.note(&warning);
        }
        if resumed > 0 && !ui.json {
            ui.note(&format!("{resumed} unfinished turns were resumed"));
        }
        Ok(())
    }
}

/// Returns whoever has started the server.
pub(super) fn local() -> Identity {
    Identity {
        person: LOCAL.to_owned(),
        may: Permission::Approve,
    }
}

/// Opens a page in the person's browser. No shell is involved.
pub(super) fn open_in_browser(page: &str) -> std::io::Result<()> {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut opener = std::process::Command::new(program)
        .args(first)
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    // It may run for as long as the browser does.
    std::thread::spawn(move || opener.wait());
    Ok(())
}

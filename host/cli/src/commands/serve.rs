//! `footlight serve`: a server for clients on this machine.

use crate::config::Uses;
use crate::conversation::host::PluginHost;
use crate::conversation::model::{ModelFlags, SelectedModel};
use crate::conversation::remote::token_file_name;
use crate::conversation::session::OutputFlags;
use crate::data::{self, Data};
use crate::exit::{Exit, ExitError};
use crate::power::PowerFlags;
use crate::secrets::LOCAL;
use crate::terminal::interrupt::Interrupts;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result};
use clap::Args;
use footlight_serve::{Identity, Permission, Server, Tokens};
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use tokio::sync::oneshot;

/// Where the hashes of tokens from logins are kept.
const SIGNED_IN_FILE: &str = "serve.tokens.json";

/// Serve sessions over HTTP, for clients on this machine
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight serve plugins/todo plugins/weather --open
  curl -H \"Authorization: Bearer $(cat TOKEN-FILE)\" http://127.0.0.1:7390/api/sessions

The link that is printed opens the page and signs one browser in. The server listens on loopback alone. Every
other request needs the token, which is in a file that only you can read; its path is printed at the start. `/api/openapi.json` describes the API. Turns go on while no client
is connected, and unfinished ones are resumed at the next start. Ctrl-C ends the server.")]
pub(crate) struct Serve {
    /// Component files or crate folders
    #[arg(value_name = "PLUGIN")]
    plugins: Vec<PathBuf>,
    /// The port on 127.0.0.1; 0 for any that is free
    #[arg(long, default_value_t = 7390, value_name = "PORT")]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Load the modules (.js) of this folder into the page, to draw widgets in their own way
    #[arg(long, value_name = "FOLDER")]
    renderers: Option<PathBuf>,
    /// How many connections are open at once
    #[arg(long, default_value_t = 256, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    max_connections: u32,
    /// Accept the tokens in this file as well, each with the person whose it is
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,
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
        let uses = Uses {
            plugins: true,
            model: self.model.model.is_none(),
            settings: true,
            limits: true,
        };
        let config = self.outputs.config(uses, ui)?;
        let mut loaded = PluginHost::new(&config, data)?;
        loaded.load_all(&config, &self.plugins, ui)?;
        loaded.grant(&self.powers, ui)?;
        let chosen = SelectedModel::open(&self.model, &config, data, &loaded.runtime, ui)?;
        let folder = data.folder()?;
        let identity = Identity {
            person: LOCAL.to_owned(),
            may: Permission::Approve,
        };
        let mut tokens = Tokens::new(Some(folder.join(SIGNED_IN_FILE)))?;
        if let Some(file) = &self.tokens {
            tokens.configure(file)?;
        }
        let token = tokens.mint(identity.clone())?;
        let mut server = Server::shared(loaded.host.clone(), Arc::clone(&chosen.model), tokens)
            .max_connections(self.max_connections as usize);
        if let Some(folder) = &self.renderers {
            if !folder.is_dir() {
                let folder = data::display_path(folder);
                return Err(ExitError::usage(format!("`{folder}` is no folder")).into());
            }
            server = server.renderers(folder);
        }
        if let Some(key) = &self.chatkit_domain_key {
            server = server.chatkit_domain_key(key);
        }
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), self.port);
        let bound = loaded.runtime.block_on(server.bind(address));
        let server = bound.map_err(|error| {
            ExitError::usage(format!(
                "cannot listen on {address}: {error}; choose another port with `--port`, or 0 for any"
            ))
        })?;
        let token_file = folder.join(token_file_name(server.address().port()));
        footlight::private_file::replace(&token_file, &[token.as_bytes()])
            .with_context(|| format!("cannot write `{}`", data::display_path(&token_file)))?;
        let resumed = loaded.runtime.block_on(server.resume(LOCAL));
        let resumed = resumed.map_err(|problem| anyhow::anyhow!("{}", problem.detail))?;
        let url = format!("http://{}", server.address());
        // After `#`, which a browser sends to nobody.
        let page = format!("{url}/#c={}", server.mint_code(identity)?);
        if ui.json {
            ui.print_json(&json!({
                "type": "serving", "url": url, "page": page, "tokenFile": token_file, "resumed": resumed,
            }))?;
        } else {
            ui.print(&format!("{page}\n"))?;
            ui.note("the link signs one browser in, once, in the next five minutes");
            ui.note(&format!(
                "the token for other clients is in `{}`; Ctrl-C ends the server",
                data::display_path(&token_file)
            ));
            if resumed > 0 {
                ui.note(&format!("{resumed} unfinished turns were resumed"));
            }
        }
        if self.open && open_in_browser(&page).is_err() {
            ui.note("no browser could be started; open the link yourself");
        }
        let (end, ended) = oneshot::channel::<()>();
        Interrupts::watch().on_interrupt(move || drop(end));
        loaded.runtime.block_on(server.run(async {
            let _ = ended.await;
        }));
        // It does not outlive the server that accepts it.
        let _ = std::fs::remove_file(&token_file);
        Ok(Exit::Done)
    }
}

/// Opens a page in the person's browser. No shell is involved.
fn open_in_browser(page: &str) -> std::io::Result<()> {
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

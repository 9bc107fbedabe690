//! `footlight pending link`: asks a running server for a link that opens one request on another device.

use crate::conversation::remote::{Client, ServerError, token_file_port};
use crate::data::{Data, resolve_prefix};
use crate::exit::ExitError;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result};
use clap::Args;
use footlight_render::filter;
use footlight_vocabulary::item::Timestamp;
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct LinkArgs {
    /// The request id, or a prefix of it
    id: String,
    /// The server where it waits, such as http://127.0.0.1:7390; by default the one on this machine
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// The file with the token of the server
    #[arg(long, value_name = "FILE", requires = "server")]
    token_file: Option<PathBuf>,
}

#[derive(Deserialize)]
struct PendingList {
    pending: Vec<PendingRequest>,
}

#[derive(Deserialize)]
struct PendingRequest {
    request: RequestHead,
}

#[derive(Deserialize)]
struct RequestHead {
    id: String,
}

/// A link, as the server answers it.
#[derive(Deserialize)]
struct Link {
    url: String,
    expires: Timestamp,
}

/// Prints a link for a request.
pub(super) fn run(args: &LinkArgs, data: &Data, ui: &Ui) -> Result<()> {
    let url = match &args.server {
        Some(url) => url.clone(),
        None => server_here(data)?,
    };
    let client = Client::new(&url, args.token_file.clone(), data)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("no runtime")?;
    let link: Link = runtime.block_on(async {
        let listed: PendingList = client.get("/api/pending").await?;
        let requests = listed.pending.into_iter().map(|pending| pending.request);
        let none = "there is no open request `{}` in the server; `footlight pending list` shows all on this machine";
        let request = resolve_prefix(requests, |request| request.id.as_str(), &args.id, none)?;
        let path = format!("/api/pending/{}/link", request.id);
        let made = match client.post(&path, json!({})).await {
            Err(ServerError::Refused { status: 501, .. }) => {
                return Err(ExitError::usage(
                    "the server has no address for other devices; start it with `--public-url`",
                ));
            }
            made => made?,
        };
        Ok(serde_json::from_value(made)?)
    })?;
    if ui.json {
        return Ok(ui.print_json(&json!({ "url": link.url, "expires": link.expires }))?);
    }
    ui.print(&format!("{}\n", filter::line(&link.url, 1_000)))?;
    ui.note(&format!(
        "whoever opens it can reply to this one request, once, until {}",
        link.expires
    ));
    Ok(())
}

/// Returns the address of the only server on this machine that has written its token for this person.
fn server_here(data: &Data) -> Result<String> {
    let entries = data.location().and_then(|folder| folder.read_dir().ok());
    let names = entries.into_iter().flatten().flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let ports: Vec<u16> = names.filter_map(|name| token_file_port(&name)).collect();
    match ports.as_slice() {
        [port] => Ok(format!("http://127.0.0.1:{port}")),
        [] => Err(ExitError::usage(
            "no server is known on this machine; start one with `footlight serve --public-url URL`, or name it with `--server`",
        )),
        _ => Err(ExitError::usage(
            "several servers run on this machine; name one with `--server`",
        )),
    }
}

//! A session in a running `footlight serve`.
//!
//! `flags` is what the command line says, `client` makes requests, `events` is the live stream, `frame` is
//! what it carries, `record` is what this process knows of the session.
//!
//! Turns run in the server, with its plugins, its model and its powers. This process draws them, asks the
//! person, and sends prompts, presses and replies.

mod client;
mod events;
mod flags;
mod frame;
mod record;

pub(crate) use client::{Client, ServerError, token_file_name, token_file_port};
pub(crate) use events::{Arrival, Events, Prompts};
pub(crate) use flags::ServerFlags;
pub(crate) use frame::{Frame, RequestOrigin, approval, question};
pub(crate) use record::SharedRecord;

use crate::conversation::follow::{RemoteTurn, Source};
use crate::conversation::host::now;
use crate::data::Data;
use crate::exit::ExitError;
use crate::suggest::{did_you_mean, quoted_list};
use crate::terminal::prompt::ApprovablePlugin;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result};
use footlight::session::Press;
use footlight_render::filter;
use footlight_vocabulary::item::{Item, SessionId, TurnId};
use frame::Snapshot;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// A server that answers, with what it says of itself.
pub(crate) struct RemoteServer {
    runtime: Runtime,
    client: Arc<Client>,
    /// The name of its model.
    model: String,
    /// The plugins that take part in a session.
    plugins: Vec<RemotePlugin>,
}

#[derive(Deserialize)]
struct ServerInfo {
    version: String,
    model: ModelInfo,
}

#[derive(Deserialize)]
struct ModelInfo {
    name: String,
}

#[derive(Deserialize)]
struct PluginPage {
    plugins: Vec<RemotePlugin>,
}

/// A plugin of a server.
#[derive(Deserialize)]
struct RemotePlugin {
    id: String,
    tools: Vec<RemoteTool>,
    approvals: Vec<String>,
}

#[derive(Deserialize)]
struct RemoteTool {
    name: String,
    description: String,
}

/// A session with its contents.
#[derive(Deserialize)]
struct SessionDetail {
    session: SessionHead,
    running: bool,
    record: Snapshot,
}

#[derive(Deserialize)]
struct SessionHead {
    id: SessionId,
}

impl RemoteServer {
    /// Finds the server that the flags name. `plugins` are the ids of those that take part; all, if empty.
    ///
    /// # Errors
    /// When no server of this version answers there, it does not accept the token, or it has not loaded
    /// a plugin.
    pub(crate) fn connect(
        flags: &ServerFlags,
        url: &str,
        plugins: &[String],
        data: &Data,
    ) -> Result<Self> {
        let client = Arc::new(Client::new(url, flags.token_file.clone(), data)?);
        // One worker thread, because this thread may block on input.
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .context("no runtime")?;
        let version = |what: String| ServerError::Version {
            url: client.url(),
            what,
        };
        let info: ServerInfo = match runtime.block_on(client.get("/api/server")) {
            Err(ServerError::Unreadable(_) | ServerError::Refused { status: 404, .. }) => {
                return Err(version("none of this version".to_owned()).into());
            }
            info => info?,
        };
        if info.version != env!("CARGO_PKG_VERSION") {
            let what = format!("version {}", filter::line(&info.version, 40));
            return Err(version(what).into());
        }
        let mut known: PluginPage = runtime.block_on(client.get("/api/plugins"))?;
        for id in plugins {
            if !known.plugins.iter().any(|plugin| plugin.id == *id) {
                return Err(not_loaded(id, &known.plugins));
            }
        }
        if !plugins.is_empty() {
            known.plugins.retain(|plugin| plugins.contains(&plugin.id));
        }
        Ok(Self {
            runtime,
            client,
            model: info.model.name,
            plugins: known.plugins,
        })
    }

    /// Returns what the plugins can be approved for.
    pub(crate) fn known_plugins(&self) -> Vec<ApprovablePlugin> {
        let plugin = |plugin: &RemotePlugin| ApprovablePlugin {
            id: plugin.id.clone(),
            tools: plugin.tools.iter().map(|tool| tool.name.clone()).collect(),
            actions: plugin.approvals.clone(),
        };
        self.plugins.iter().map(plugin).collect()
    }

    /// Starts a session with these settings, or opens one.
    pub(crate) fn session(self, before: Option<&str>, settings: Value) -> Result<RemoteSession> {
        let detail: SessionDetail = self.runtime.block_on(async {
            let id = match before {
                Some(id) => id.to_owned(),
                None => {
                    let made = self.client.post("/api/sessions", settings).await?;
                    let id = made["id"].as_str().ok_or_else(|| self.client.unreadable());
                    id?.to_owned()
                }
            };
            match self.client.get(&format!("/api/sessions/{id}")).await {
                Err(ServerError::Refused { status: 404, .. }) => Err(ExitError::usage(format!(
                    "the server has no session `{}` of yours",
                    filter::line(&id, 60)
                ))),
                detail => Ok(detail?),
            }
        })?;
        let is_running = detail.running;
        let record = SharedRecord::new(detail.record);
        Ok(RemoteSession {
            open_turn: record.open_turn().filter(|_| is_running),
            server: self,
            id: detail.session.id,
            record,
            prompts: 0,
        })
    }
}

fn not_loaded(id: &str, known: &[RemotePlugin]) -> anyhow::Error {
    let ids = || known.iter().map(|plugin| plugin.id.as_str());
    let meant = match did_you_mean(id, ids()).as_str() {
        "" => format!("; it has {}", filter::line(&quoted_list(ids()), 300)),
        meant => meant.to_owned(),
    };
    ExitError::usage(format!(
        "the server has no plugin `{}`{meant}",
        filter::line(id, 60)
    ))
}

/// A session in a server.
pub(crate) struct RemoteSession {
    server: RemoteServer,
    id: SessionId,
    record: SharedRecord,
    /// The turn that was running when the session was opened.
    open_turn: Option<TurnId>,
    /// How many prompts were sent.
    prompts: u32,
}

impl RemoteSession {
    pub(crate) fn id(&self) -> &SessionId {
        &self.id
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        &self.server.runtime
    }

    pub(crate) fn items(&self) -> Vec<Item> {
        self.record.items()
    }

    pub(crate) fn model(&self) -> &str {
        &self.server.model
    }

    pub(crate) fn url(&self) -> String {
        self.server.client.url()
    }

    /// Returns the name and the description of each tool.
    pub(crate) fn tools(&self) -> Vec<(String, String)> {
        let plugins = self.server.plugins.iter();
        let tools = plugins.flat_map(|plugin| {
            let tool = |tool: &RemoteTool| {
                let name = format!("{}.{}", plugin.id, tool.name);
                (name, tool.description.clone())
            };
            plugin.tools.iter().map(tool)
        });
        tools.collect()
    }

    /// Returns the turn that was running when the session was opened, once.
    ///
    /// # Errors
    /// When the server cannot be reached.
    pub(crate) fn take_open_turn(&mut self) -> Result<Option<Source>> {
        let Some(turn) = self.open_turn.take() else {
            return Ok(None);
        };
        let events = self.server.runtime.block_on(self.follow())?;
        Ok(Some(self.source(turn, events)))
    }

    /// Sends a prompt, and follows its turn.
    ///
    /// # Errors
    /// When the server cannot be reached, or refuses the prompt.
    pub(crate) fn prompt(&mut self, words: &str, context: Option<&str>, ui: &Ui) -> Result<Source> {
        self.prompts += 1;
        let mut body = json!({ "prompt": words });
        if let Some(context) = context {
            body["context"] = context.into();
        }
        let known = self.record.turns();
        let said = match context {
            Some(context) => format!("{context}\n\n{words}"),
            None => words.to_owned(),
        };
        let prompt = SentPrompt {
            path: format!("/api/sessions/{}/prompts", self.id),
            // Another client of the session must not have the same.
            key: format!("{}-{}-{}", std::process::id(), now().millis(), self.prompts),
            body,
            said,
            known,
        };
        let started = self.server.runtime.block_on(async {
            let events = match self.follow().await {
                Err(error) if error.is_passing() => {
                    ui.dim_note(&format!(
                        "the connection to {} was lost; trying again",
                        self.url()
                    ));
                    self.server.client.again(|| self.follow()).await?
                }
                events => events?,
            };
            let turn = match self.send(&prompt).await {
                Err(error) if error.is_passing() => {
                    self.server
                        .client
                        .again(|| self.send_again(&prompt))
                        .await?
                }
                turn => turn?,
            };
            Ok::<_, ServerError>((turn, events))
        });
        let (turn, events) = started?;
        Ok(self.source(turn, events))
    }

    /// Presses a control, and follows the turn. The inner error is the server's reason not to.
    ///
    /// # Errors
    /// When the server cannot be reached.
    pub(crate) fn press(&mut self, press: Press) -> Result<Result<Source, String>> {
        let body = json!({
            "session": self.id, "item": press.item, "rev": press.rev,
            "path": press.path, "values": press.values,
        });
        let started = self.server.runtime.block_on(async {
            let events = self.server.client.again(|| self.follow()).await?;
            // A press that was lost may have been carried out: it is not sent again.
            let answer = self.server.client.post("/api/actions", body).await?;
            Ok((self.started(&answer)?, events))
        });
        match started {
            Ok((turn, events)) => Ok(Ok(self.source(turn, events))),
            Err(ServerError::Refused { detail, .. }) => Ok(Err(detail)),
            Err(error) => Err(error.into()),
        }
    }

    async fn follow(&self) -> Result<Events, ServerError> {
        Events::open(&self.server.client, &self.id, self.record.seq()).await
    }

    async fn send(&self, prompt: &SentPrompt) -> Result<TurnId, ServerError> {
        let client = &self.server.client;
        let body = prompt.body.clone();
        let answer = client
            .post_with_key(&prompt.path, body, &prompt.key)
            .await?;
        self.started(&answer)
    }

    /// Sends a prompt that may have arrived. A server that was restarted has forgotten its key, but not
    /// its turn.
    async fn send_again(&self, prompt: &SentPrompt) -> Result<TurnId, ServerError> {
        let path = format!("/api/sessions/{}", self.id);
        let session: SessionDetail = self.server.client.get(&path).await?;
        let mut turns = session.record.turns.into_iter().skip(prompt.known);
        match turns.find(|turn| turn.prompt == prompt.said) {
            Some(turn) => Ok(turn.id),
            None => self.send(prompt).await,
        }
    }

    fn started(&self, answer: &Value) -> Result<TurnId, ServerError> {
        let turn = answer["turn"].as_str().map(TurnId::from);
        turn.ok_or_else(|| self.server.client.unreadable())
    }

    fn source(&self, turn: TurnId, events: Events) -> Source {
        let server = &self.server;
        let runtime = server.runtime.handle().clone();
        let followed = RemoteTurn::new(
            Arc::clone(&server.client),
            runtime,
            (self.id.clone(), turn),
            events,
            self.record.clone(),
        );
        Source::Remote(Box::new(followed))
    }
}

/// A prompt on its way.
struct SentPrompt {
    path: String,
    key: String,
    body: Value,
    /// What the turn will have as its prompt.
    said: String,
    /// How many turns there were before.
    known: usize,
}

/// Returns the settings of a new session.
pub(crate) fn new_session(
    attended: bool,
    plugins: &[String],
    reply_timeout: Option<Duration>,
) -> Value {
    let mut settings = json!({ "attended": attended });
    if !plugins.is_empty() {
        settings["plugins"] = json!(plugins);
    }
    if let Some(timeout) = reply_timeout {
        settings["replySeconds"] = timeout.as_secs().clamp(1, u32::MAX.into()).into();
    }
    settings
}

//! Runs a program of the operator for each new request to a person, so that somebody hears of it.
//!
//! The program reads one JSON object from its standard input. It cannot reply: whatever it does, the
//! request is settled elsewhere, and its failure harms nothing.

use crate::App;
use footlight::policy::ApprovalRequest;
use footlight::store::{RequestKind, RequestRow};
use footlight::{Observed, Observer};
use footlight_render::filter;
use footlight_vocabulary::item::{Content, ItemId};
use footlight_vocabulary::question::Question;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use tokio::sync::{Semaphore, mpsc};

/// How many notices wait for the program. More are dropped, and the log says so.
const MAX_WAITING: usize = 256;

/// How many run at once, and for how long each at most.
const MAX_RUNNING: usize = 4;
const TIMEOUT: Duration = Duration::from_secs(10);

/// The most characters of a text.
const MAX_TEXT: usize = 500;

/// Takes notice of new requests.
pub(crate) struct Notices(mpsc::Sender<(String, RequestRow)>);

/// The requests that the program has not been told of.
pub(crate) struct Inbox {
    program: PathBuf,
    requests: mpsc::Receiver<(String, RequestRow)>,
}

impl Observer for Notices {
    fn observe(&self, event: &Observed<'_>) {
        if let Observed::RequestOpened {
            person,
            request,
            is_new: true,
            ..
        } = event
        {
            let notice = ((*person).to_owned(), (*request).clone());
            if self.0.try_send(notice).is_err() {
                tracing::warn!(request = %request.id, "too many requests to notify of");
            }
        }
    }
}

/// Returns somebody who takes notice of requests, and what is to be told to a program.
pub(crate) fn channel(program: PathBuf) -> (Notices, Inbox) {
    let (sender, requests) = mpsc::channel(MAX_WAITING);
    (Notices(sender), Inbox { program, requests })
}

impl Inbox {
    /// Tells the program of each request, for as long as the server runs.
    pub(crate) async fn run(mut self, app: Arc<App>) {
        let slots = Arc::new(Semaphore::new(MAX_RUNNING));
        while let Some((person, request)) = self.requests.recv().await {
            let Ok(slot) = Arc::clone(&slots).acquire_owned().await else {
                return;
            };
            let notice = Notice::new(&app, &person, &request);
            let program = self.program.clone();
            tokio::spawn(async move {
                let _held = slot;
                let told = tokio::time::timeout(TIMEOUT, tell(&program, &notice)).await;
                let failed = match told {
                    Ok(Ok(status)) if status.success() => return,
                    Ok(Ok(status)) => status.to_string(),
                    Ok(Err(error)) => error.to_string(),
                    Err(_) => format!("it ran for more than {} s", TIMEOUT.as_secs()),
                };
                tracing::warn!(request = notice.id, failed, "the program to notify failed");
            });
        }
    }
}

/// Runs the program. It is killed if this is dropped.
async fn tell(program: &Path, notice: &Notice) -> std::io::Result<ExitStatus> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let mut line = serde_json::to_vec(notice)?;
    line.push(b'\n');
    if let Some(mut stdin) = child.stdin.take() {
        // One that does not read is told nothing, and may still succeed.
        let _ = stdin.write_all(&line).await;
    }
    child.wait().await
}

/// What the program reads. Texts of a plugin are filtered and short.
#[derive(Debug, Serialize)]
struct Notice {
    id: String,
    session: String,
    person: String,
    /// `ask`, `approval` or `folder`.
    kind: &'static str,
    plugin: String,
    /// Plugin and tool, such as `mail.send`.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// The question.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<String>,
    /// What an action applies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
}

impl Notice {
    fn new(app: &App, person: &str, request: &RequestRow) -> Self {
        let line = |text: &str| filter::line(text, MAX_TEXT);
        let call = ItemId::from(request.call.as_str());
        let item = app.sessions.held(&request.session);
        let item = item.and_then(|session| session.item(&call));
        let tool = item.and_then(|item| match item.content {
            Content::Tool(tool) => Some(line(&tool.function)),
            _ => None,
        });
        let body = request.body.clone();
        let (kind, prompt, subject) = match request.kind {
            RequestKind::Ask => {
                let question = serde_json::from_value::<Question>(body).ok();
                ("ask", question.map(|it| line(&it.prompt)), None)
            }
            kind => {
                let asked = serde_json::from_value::<ApprovalRequest>(body).ok();
                let kind = match kind {
                    RequestKind::Binding => "folder",
                    _ => "approval",
                };
                let subject = asked.and_then(|asked| asked.subject);
                (kind, None, subject.map(|it| line(&it)))
            }
        };
        Self {
            id: request.id.to_string(),
            session: request.session.to_string(),
            person: person.to_owned(),
            kind,
            plugin: line(&request.plugin),
            tool,
            prompt,
            subject,
        }
    }
}

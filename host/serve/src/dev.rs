//! A plugin that its author is working on: screens at `/dev` that show each build and call its tools.
//!
//! Whoever builds the plugin holds a [`Dev`] and tells it of each build; [`Server::dev`](crate::Server::dev)
//! adds the screens and their routes, which no other server has. A call is a prompt of a session whose model
//! ([`caller`]) calls the tool that the prompt names. So policy, questions, approvals, buttons and outputs are
//! those of every session, and what that model is sent is what a language model would read.
//!
//! `calls` starts calls and follows them, `api` has the routes, `files` the files of the screens.
//!
//! Invariant: it belongs to one person. For everybody else its routes do not exist.

mod api;
mod caller;
mod calls;
pub(crate) mod files;

pub(crate) use api::routes;
pub(crate) use calls::serve;

use crate::log::LogLines;
use caller::Reading;
use footlight::store::RequestRow;
use footlight::{Observed, Observer, Session};
use footlight_vocabulary::event::Status;
use footlight_vocabulary::item::{Item, SessionId, TurnId};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// How many characters of a compiler's output are kept.
const MAX_OUTPUT: usize = 64 << 10;

/// How many lines of the plugin's log, and how many of its calls to the host, are kept of a call and the presses
/// that follow it.
const MAX_LINES: usize = 2_000;

/// What the program that builds the plugin does for the screens.
pub trait DevSurface: Send + Sync + 'static {
    /// Draws a call as a terminal with so many columns would.
    fn draw(&self, call: &DevCall, columns: usize) -> String;

    /// Is told that a call waits for the person, or has ended.
    fn called(&self, call: DevCall);

    /// Describes a call of the plugin to the host in a line; none if the event is another one.
    fn host_call(&self, event: &Observed<'_>) -> Option<String> {
        let _ = event;
        None
    }
}

/// A call, as far as it has got.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct DevCall {
    /// The tool.
    pub tool: String,
    /// Why it was not started; none if it was.
    pub problem: Option<String>,
    /// How the call ended; none while it runs.
    pub status: Option<Status>,
    /// What it has shown, in order, and what presses in it have shown since.
    pub items: Vec<Item>,
    /// What it waits for.
    pub requests: Vec<RequestRow>,
    /// What a language model would read of the result, once there is one.
    pub reads: Option<String>,
    /// The estimated size of that in tokens.
    pub tokens: usize,
    /// What the plugin has logged and printed.
    pub log: Vec<String>,
    /// What the plugin has called of the host, as [`DevSurface::host_call`] describes it.
    pub trace: Vec<String>,
}

/// A build that was loaded.
#[derive(Debug, Clone, Default)]
pub struct DevBuild {
    /// The id of the plugin.
    pub plugin: String,
    /// How long it took to build and load it, in milliseconds.
    pub millis: u64,
    /// The size of the component.
    pub bytes: usize,
    /// How it differs from the build before, a line for each.
    pub changes: Vec<String>,
    /// The warnings of the compiler.
    pub warnings: String,
}

/// The state of a plugin that its author is working on. Clones share it.
#[derive(Clone)]
pub struct Dev(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    person: String,
    /// The folder of the plugin, as people write it.
    folder: String,
    surface: Box<dyn DevSurface>,
    state: Mutex<State>,
    /// Held while a call is started.
    starting: tokio::sync::Mutex<()>,
    /// Counts the changes of the state.
    revision: watch::Sender<u64>,
    /// Counts the builds that were loaded.
    loaded: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    plugin: Option<String>,
    build: BuildView,
    /// The number of the build that is loaded.
    loaded: u64,
    session: Option<OpenSession>,
    call: Option<LastCall>,
}

/// The session of the calls.
struct OpenSession {
    session: Session,
    /// The plugin whose tools it calls.
    plugin: String,
    calls: usize,
}

/// The call that was started last.
#[derive(Clone, Default)]
struct LastCall {
    tool: String,
    input: Map<String, Value>,
    /// Whether each build calls it again.
    again: bool,
    /// The number of the build that it called.
    build: u64,
    session: Option<SessionId>,
    turn: Option<TurnId>,
    status: Option<Status>,
    reads: Option<Reading>,
    log: Option<LogLines>,
    trace: Option<LogLines>,
}

/// Returns the lines of a log that may not have begun.
fn lines(log: Option<LogLines>) -> Vec<String> {
    log.map_or_else(Vec::new, |log| log.to_vec())
}

/// What has become of the last build.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub(crate) struct BuildView {
    /// Counts the builds.
    number: u64,
    state: BuildState,
    /// How long it took to build and load it, in milliseconds.
    millis: u64,
    /// The size of the component.
    bytes: usize,
    /// Why the build failed, or what the compiler warns of.
    output: String,
    /// How the loaded build differs from the one before.
    changes: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum BuildState {
    /// The compiler runs, or has not been started yet.
    #[default]
    Running,
    /// It was not loaded. The build before goes on serving.
    Failed,
    /// It is loaded.
    Loaded,
}

impl Dev {
    /// Creates the state of a plugin that nothing was built of yet, for the person whose screens they are.
    pub fn new(
        person: impl Into<String>,
        folder: impl Into<String>,
        surface: impl DevSurface,
    ) -> Self {
        Self(Arc::new(Inner {
            person: person.into(),
            folder: folder.into(),
            surface: Box::new(surface),
            state: Mutex::default(),
            starting: tokio::sync::Mutex::default(),
            revision: watch::Sender::default(),
            loaded: watch::Sender::default(),
        }))
    }

    /// A build has started.
    pub fn building(&self) {
        self.change(|state| {
            state.build = BuildView {
                number: state.build.number + 1,
                ..BuildView::default()
            };
        });
    }

    /// The build has failed, or was not loaded. The output may have the colours of a terminal.
    pub fn failed(&self, output: &str) {
        self.change(|state| {
            state.build.state = BuildState::Failed;
            state.build.output = short(output);
        });
    }

    /// The build was loaded. If a call is to be made again with each build, it is.
    pub fn loaded(&self, build: DevBuild) {
        self.change(|state| {
            state.build = BuildView {
                number: state.build.number,
                state: BuildState::Loaded,
                millis: build.millis,
                bytes: build.bytes,
                output: short(&build.warnings),
                changes: build.changes,
            };
            state.plugin = Some(build.plugin);
            state.loaded = state.build.number;
        });
        self.0.loaded.send_modify(|count| *count += 1);
    }

    /// Calls a tool with each build that is loaded from now on, until a person calls another one.
    pub fn call_with_each_build(&self, tool: impl Into<String>, input: Map<String, Value>) {
        self.change(|state| {
            state.call = Some(LastCall {
                tool: tool.into(),
                input,
                again: true,
                ..LastCall::default()
            });
        });
    }

    /// Changes the state, and tells the screens.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.state());
        self.0.revision.send_modify(|revision| *revision += 1);
        changed
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Dev {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dev")
            .field("folder", &self.0.folder)
            .finish_non_exhaustive()
    }
}

/// Collects what the plugin logs and calls in the session of the calls.
impl Observer for Dev {
    fn observe(&self, event: &Observed<'_>) {
        let (Observed::GuestLogged { session, .. } | Observed::HostCall { session, .. }) = event
        else {
            return;
        };
        let is_own = |call: &LastCall| call.session.as_ref() == Some(*session);
        if !self.state().call.as_ref().is_some_and(is_own) {
            return;
        }
        // What is described is described before the state is locked.
        let trace = match event {
            Observed::GuestLogged { .. } => None,
            _ => match self.0.surface.host_call(event) {
                None => return,
                line => line,
            },
        };
        self.change(|state| {
            let Some(call) = &mut state.call else {
                return;
            };
            let lines = || LogLines::new(MAX_LINES);
            if let Observed::GuestLogged { source, text, .. } = event {
                call.log.get_or_insert_with(lines).push(*source, text);
            } else if let Some(line) = &trace {
                call.trace.get_or_insert_with(lines).push_line(line);
            }
        });
    }

    fn watches_guests(&self) -> bool {
        true
    }
}

/// Returns the beginning of a compiler's output: the first error causes the others.
fn short(output: &str) -> String {
    let output = output.trim_end();
    let end = output.floor_char_boundary(MAX_OUTPUT);
    match end < output.len() {
        true => format!("{}\n…", &output[..end]),
        false => output.to_owned(),
    }
}

//! Calls of the plugin's tools: starting one in place of the last, following it, and calling again with each
//! build.

use super::caller::{Caller, prompt};
use super::{Dev, DevCall, LastCall, OpenSession, lines};
use crate::App;
use crate::problem::{Problem, ProblemCode};
use crate::sessions::check_prompt;
use footlight::session::{Prompt, Updates};
use footlight::{Session, Settings, Update};
use footlight_vocabulary::event::{EventBody, Status};
use footlight_vocabulary::item::{Item, TurnId};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

/// How many calls a session has. The next one begins another session.
const MAX_CALLS: usize = 100;

/// How long a call that runs has to end before another takes its place.
const END: Duration = Duration::from_secs(5);

/// Calls again with each build that is loaded, for as long as the server runs.
pub(crate) async fn serve(app: Arc<App>, dev: Dev) {
    let mut loaded = dev.0.loaded.subscribe();
    // What was loaded before the server runs counts, too.
    loaded.mark_changed();
    while loaded.changed().await.is_ok() {
        if *loaded.borrow_and_update() == 0 {
            continue;
        }
        let last = dev.state().call.clone();
        let Some(last) = last.filter(|last| last.again) else {
            continue;
        };
        if let Err(problem) = dev.call(&app, &last.tool, last.input, true).await {
            dev.0.surface.called(DevCall {
                tool: last.tool,
                problem: Some(problem.detail),
                ..DevCall::default()
            });
        }
    }
}

impl Dev {
    /// Starts a call in place of the last one. Returns once it is stored.
    pub(super) async fn call(
        &self,
        app: &Arc<App>,
        tool: &str,
        input: Map<String, Value>,
        again: bool,
    ) -> Result<TurnId, Problem> {
        let _one_at_a_time = self.0.starting.lock().await;
        let plugin = self.state().plugin.clone();
        let plugin = plugin.and_then(|id| app.host.plugin(&id));
        let plugin = plugin.ok_or_else(|| {
            Problem::new(
                ProblemCode::Conflict,
                "no build of the plugin is loaded yet",
            )
        })?;
        if plugin.tool(tool).is_none() {
            return Err(Problem::invalid("the plugin has no tool of this name"));
        }
        let words = prompt(plugin.id(), tool, &input);
        check_prompt(&words)?;
        let session = self.session(app, plugin.id()).await?;
        stop(&session).await?;
        self.change(|state| {
            state.call = Some(LastCall {
                tool: tool.to_owned(),
                input,
                again,
                build: state.loaded,
                session: Some(session.id().clone()),
                ..LastCall::default()
            });
        });
        let updates = session.follow();
        let (turn, _) = app.sessions.prompt(&session, Prompt::new(words)).await?;
        self.change(|state| {
            if let Some(call) = &mut state.call {
                call.turn = Some(turn.clone());
            }
        });
        tokio::spawn(follow(self.clone(), Arc::clone(app), updates, turn.clone()));
        Ok(turn)
    }

    /// Returns the session of the calls, which is begun if there is none.
    async fn session(&self, app: &Arc<App>, plugin: &str) -> Result<Session, Problem> {
        {
            let mut state = self.state();
            let open = state.session.as_mut();
            if let Some(open) = open.filter(|open| open.plugin == plugin && open.calls < MAX_CALLS)
            {
                open.calls += 1;
                return Ok(open.session.clone());
            }
        }
        self.forget(app).await;
        let mut settings = Settings::new(Caller::new(self)).attended();
        // A form calls the tools of buttons, too.
        settings.stands_for_person = true;
        settings.plugins = Some([plugin.to_owned()].into());
        let person = app.host.person(&self.0.person);
        let session = person.session(settings).await?;
        self.state().session = Some(OpenSession {
            session: session.clone(),
            plugin: plugin.to_owned(),
            calls: 1,
        });
        Ok(session)
    }

    /// Ends the session of the calls and deletes it with everything that belongs to it.
    pub(crate) async fn forget(&self, app: &Arc<App>) {
        let open = self.state().session.take();
        let Some(OpenSession { session, .. }) = open else {
            return;
        };
        let id = session.id().clone();
        app.sessions.close(&id);
        // One that cannot be deleted now is a session like any other.
        if stop(&session).await.is_ok() {
            drop(session);
            let deleted = app.host.person(&self.0.person).delete(&id).await;
            if let Err(error) = deleted {
                tracing::debug!(%error, "the session of the calls was not deleted");
            }
        }
    }

    /// Begins anew: the next call has a session of its own, without what the last ones have kept.
    pub(super) async fn begin_anew(&self, app: &Arc<App>) {
        let _one_at_a_time = self.0.starting.lock().await;
        self.forget(app).await;
        self.change(|state| {
            if let Some(call) = &mut state.call {
                (call.session, call.turn, call.status) = (None, None, None);
                call.reads = None;
                (call.log, call.trace) = (None, None);
            }
        });
    }

    /// Returns the last call, as far as it has got.
    pub(super) async fn last_call(&self, app: &Arc<App>) -> Option<DevCall> {
        let (last, session) = {
            let state = self.state();
            let session = state.session.as_ref()?.session.clone();
            (state.call.clone()?, session)
        };
        let turn = last.turn.as_ref()?;
        let pending = app.host.person(&self.0.person).pending().await;
        let mut requests = pending.unwrap_or_default();
        requests.retain(|request| request.session == *session.id());
        let reads = last.reads.unwrap_or_default();
        Some(DevCall {
            problem: None,
            items: items_from(&session, turn),
            tool: last.tool,
            status: last.status,
            requests,
            tokens: reads.tokens,
            reads: Some(reads.text).filter(|text| !text.is_empty()),
            log: lines(last.log),
            trace: lines(last.trace),
        })
    }
}

/// Returns the items of a turn and of those that follow it: presses in what it has shown.
fn items_from(session: &Session, turn: &TurnId) -> Vec<Item> {
    let own = session.items_of(turn);
    let Some(first) = own.first().map(|item| item.position.turn) else {
        return Vec::new();
    };
    let mut items = session.items();
    items.retain(|item| item.position.turn >= first);
    items
}

/// Ends what runs in a session.
async fn stop(session: &Session) -> Result<(), Problem> {
    let busy = || Problem::new(ProblemCode::Busy, "the last call does not end");
    let mut updates = session.follow();
    session.cancel();
    let ended = async {
        while session.is_running() {
            match updates.next().await {
                Some(Ok(Update::Event(event))) if is_end(&event.what).is_some() => break,
                Some(Ok(_)) => {}
                _ => break,
            }
        }
        // The turn is released just after its end was sent.
        while session.is_running() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(END, ended).await.map_err(|_| busy())
}

fn is_end(event: &EventBody) -> Option<&Status> {
    match event {
        EventBody::TurnFinished { status, .. } if *status != Status::Waiting => Some(status),
        _ => None,
    }
}

/// Follows a call to its end and tells the surface of it.
async fn follow(dev: Dev, app: Arc<App>, mut updates: Updates, turn: TurnId) {
    while let Some(Ok(update)) = updates.next().await {
        let status = match &update {
            Update::Pending(_) => None,
            Update::Event(event) if event.turn == turn => match is_end(&event.what) {
                Some(status) => Some(status.clone()),
                None => continue,
            },
            _ => continue,
        };
        let is_current = dev.change(|state| {
            let call = state.call.as_mut();
            let call = call.filter(|call| call.turn.as_ref() == Some(&turn));
            call.map(|call| call.status.clone_from(&status)).is_some()
        });
        if !is_current {
            return;
        }
        if let Some(call) = dev.last_call(&app).await {
            dev.0.surface.called(call);
        }
        if status.is_some() {
            return;
        }
    }
}

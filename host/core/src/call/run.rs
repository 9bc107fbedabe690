//! One call from the first check to the record: find the tool, check the input, get approval, run
//! the guest, settle the record. Each step can end the call.

use super::outcome::{ToolResult, end};
use crate::call::Call;
use crate::call::approval::{ApprovalContext, ApprovalGate};
use crate::call::event::{CallEvent, CallOutcome, Failure};
use crate::call::fault::Fault;
use crate::call::guest_log::GuestLog;
use crate::call::hydration;
use crate::call::identity::identity;
use crate::call::outputs;
use crate::call::stage::{Stage, StageParts, now};
use crate::host::{CallRequest, Host, HostInner, LOCAL_PERSON};
use crate::observer::{Observed, duration};
use crate::plugin::description::Tool;
use crate::plugin::digest::hex;
use crate::plugin::{Code, Plugin};
use crate::policy::{Assessment, Caller};
use crate::sandbox;
use crate::session::{SessionScope, Settings};
use crate::simulation::Simulated;
use crate::sync::{self, lock};
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::function::FunctionName;
use footlight_vocabulary::item::{
    CallId, CallResult, Content, Item, ItemId, PendingReason, Position, Receipt, Tool as ToolItem,
};
use footlight_vocabulary::json;
use footlight_vocabulary::manifest::Manifest;
use serde_json::{Map, Value};
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use tracing::Instrument as _;

/// A call of a tool that exists.
pub(super) struct CallTask {
    pub(super) host: Arc<HostInner>,
    pub(super) plugin: Plugin,
    /// The tool's index among the plugin's tools.
    tool: usize,
    pub(super) caller: Caller,
    pub(super) stage: Arc<Stage>,
    /// The seed of the guest's randomness.
    pub(super) seed: [u8; 32],
    /// The session of the call; without one, the call settles its own outputs.
    pub(super) session: Option<SessionScope>,
}

/// Prepares a call. It runs while the returned stream is polled.
pub(crate) fn start(host: &Host, request: CallRequest<'_>) -> Call {
    let host = &host.0;
    let CallRequest {
        caller,
        function,
        input,
        ..
    } = request;
    let simulated = host.simulated.as_ref();
    let (id, seed) = simulated.map_or_else(random, Simulated::next_call);
    let mint = || CallId::from(format!("call_{}", hex(&id)));
    let call = request.call.unwrap_or_else(mint);
    let (session, person) = (request.session, request.person);
    let admits = |plugin: &str| {
        let session = session.as_ref();
        session.is_none_or(|session| session.settings.admits(plugin))
    };
    let found = find_tool(host, function).filter(|(plugin, _)| admits(plugin.id()));
    let (manifest, identity) = match &found {
        Some((plugin, _)) => (
            Arc::clone(&plugin.0.manifest),
            match (&session, &person) {
                (None, None) => Arc::clone(&plugin.0.identity),
                (session, person) => {
                    let (session, person) = (session.as_ref(), person.as_ref());
                    Arc::new(identity(host, session, person, plugin.id()))
                }
            },
        ),
        None => {
            let manifest = Manifest::powerless("unknown").expect("`unknown` is a valid id");
            let identity = identity(host, session.as_ref(), person.as_ref(), &manifest.id);
            (Arc::new(manifest), Arc::new(identity))
        }
    };
    let tool_item = Item {
        content: Content::Tool(ToolItem {
            function: function.to_owned(),
            input,
            result: CallResult::Pending {
                reason: PendingReason::Running,
            },
            verdict: None,
            verdicts: Vec::new(),
            powers: Vec::new(),
            model_id: None,
            extra: Map::new(),
        }),
        id: ItemId::from(call),
        position: Position::default(),
        rev: 0,
        start: now(),
        end: None,
    };
    // Nobody can return to a session of the host's own, so its state is not stored.
    let (session_state, id, person) = match (&session, person) {
        (Some(session), _) => {
            let person = session.settings.person.clone().into();
            (&host.store, session.id.clone(), person)
        }
        (None, Some(person)) => (&host.own_state, person.session, person.name.into()),
        (None, None) => (&host.own_state, host.session.clone(), LOCAL_PERSON.into()),
    };
    let stage = Arc::new(Stage::new(StageParts {
        tool_item,
        manifest,
        identity,
        store: Arc::clone(&host.store),
        session_state: Arc::clone(session_state),
        output_lifetime: host.output_lifetime,
        session: id,
        person,
        pending: host.pending.clone(),
        attended: request.attended,
        first_number: request.first_number,
    }));
    // A call of a session is not refused: its turn is about to be suspended, and resumed elsewhere.
    let is_shut_down = session.is_none() && host.shut_down.load(Ordering::SeqCst);
    let found = match found {
        _ if is_shut_down => Err(shut_down()),
        found => found.ok_or_else(|| no_such_tool(host, function)),
    };
    let running: Pin<Box<dyn Future<Output = CallOutcome> + Send>> = match found {
        Err(failure) => {
            let stage = Arc::clone(&stage);
            let observed = session.is_none().then(|| Arc::clone(host));
            Box::pin(async move {
                let outcome = end(&stage, Err(failure), None, GuestLog::default());
                if let Some(host) = observed {
                    observe_end(&host, &stage, &outcome);
                }
                outcome
            })
        }
        Ok((plugin, tool)) => {
            let task = CallTask {
                host: Arc::clone(host),
                plugin,
                tool,
                caller,
                stage: Arc::clone(&stage),
                seed,
                session,
            };
            // A call of a session has the span of its turn.
            match task.session {
                Some(_) => Box::pin(task.run()),
                None => {
                    let Stage { session, call, .. } = &*stage;
                    let span = tracing::info_span!("call", %session, %call, function);
                    Box::pin(task.run().instrument(span))
                }
            }
        }
    };
    Call {
        stage,
        running: Some(running),
    }
}

impl CallTask {
    async fn run(self) -> CallOutcome {
        let (id, tool) = (self.plugin.id(), &self.tool().name);
        let observers = &self.host.observers;
        let trace = observers.trace(&self.stage, || format!("{id}.{tool}"));
        let guest_log = GuestLog::traced(trace);
        // A panic of the host ends this call and no other.
        let checked = {
            let checking = pin!(self.run_checked(&guest_log));
            catch_panic(checking).await
        };
        let (mut result, receipt) = checked.unwrap_or_else(|| {
            let what = "it panicked while it served the plugin".to_owned();
            (Err(self.stopped_by(Fault::Internal(what))), None)
        });
        if let Err(Failure {
            fault: Some(fault), ..
        }) = &result
        {
            let digest = self.plugin.digest();
            self.host.circuit_breaker.record_fault(digest, fault);
        }
        if self.session.is_none() && self.stage.has_held_power() {
            self.host.tainted.store(true, Ordering::Relaxed);
        }
        if self.session.is_none() && self.stage.has_stored() {
            let Stage { session, call, .. } = &*self.stage;
            outputs::settle(&*self.host.store, session, call, result.is_ok()).await;
        }
        if let Ok(returned) = &mut result {
            let of_session = self.session_settings().map(|settings| &settings.roots);
            let roots = of_session.unwrap_or_else(|| hydration::roots());
            hydration::hydrate(&self.stage, returned, roots);
        }
        let outcome = end(&self.stage, result, receipt, guest_log);
        if self.session.is_none() {
            observe_end(&self.host, &self.stage, &outcome);
        }
        outcome
    }

    pub(super) fn tool(&self) -> &Tool {
        &self.plugin.tools()[self.tool]
    }

    async fn run_checked(&self, guest_log: &GuestLog) -> (ToolResult, Option<Receipt>) {
        if self.host.circuit_breaker.is_open(&self.plugin.digest()) {
            return (Err(self.suspended()), None);
        }
        if let Err(wrong) = self.stage.with_input(|input| self.tool().check(input)) {
            let mut failure = Failure::new(
                FailureCode::InvalidInput,
                format!("the input does not fit the schema: {}", wrong.join("; ")),
            );
            failure.details = Some(Value::from(wrong));
            return (Err(failure), None);
        }
        // The guest gets, byte for byte, the text that is checked, shown, hashed and approved.
        let approval = self.approval_gate(self.stage.with_input(json::canonical));
        let folders = match approval.bind_folders(&self.stage, &self.host.folders).await {
            Ok(folders) => folders,
            Err(denied) => {
                let failure = Failure::new(denied.code(), denied.message());
                return (Err(failure), denied.receipt);
            }
        };
        let receipt = match self.approve(&approval, guest_log).await {
            Ok(receipt) => receipt,
            Err((failure, receipt)) => return (Err(failure), receipt),
        };
        if self.stage.is_cancelled() {
            return (Err(cancelled_before_run()), receipt);
        }
        self.stage.announce(CallEvent::Started).await;
        let result = match &self.plugin.0.code {
            Code::Component { guest, slots } => {
                // On the heap: the future of a running guest is large, and each future around it would be
                // as large and be copied.
                let executed = self.execute(guest, *slots, approval, folders, guest_log);
                Box::pin(executed).await
            }
            Code::Native(handlers) => self.execute_native(&handlers[self.tool], approval).await,
        };
        (result, receipt)
    }

    fn approval_gate(&self, input: String) -> ApprovalGate {
        ApprovalGate::new(ApprovalContext {
            policy: Arc::clone(&self.host.policy),
            rules: self.session_settings().and_then(|of| of.rules.clone()),
            session: self.stage.session.clone(),
            person: self.stage.person.clone().into_owned(),
            digest: self.plugin.digest().to_string(),
            tool: self.tool().name.clone(),
            read_only: self.tool().policy_traits.read_only,
            input,
            caller: self.caller,
            tainted: match &self.session {
                Some(session) => Arc::clone(&session.tainted),
                None if self.caller == Caller::Model => Arc::clone(&self.host.tainted),
                // What the embedder or its user calls directly, no model has made up.
                None => Arc::default(),
            },
            request_count: 0.into(),
            verdicts: Default::default(),
            folders: Default::default(),
        })
    }

    /// Decides whether the tool may run. If the tool assesses its calls, the plugin can raise a
    /// concern first, which only makes policy stricter.
    async fn approve(
        &self,
        approval: &ApprovalGate,
        guest_log: &GuestLog,
    ) -> Result<Option<Receipt>, (Failure, Option<Receipt>)> {
        let (loaded, tool) = (&self.plugin.0, self.tool());
        let concern;
        let assesses = tool.traits.get("approval").and_then(Value::as_str) == Some("assess");
        let assessment = match &loaded.code {
            Code::Component { guest, slots } if assesses => {
                let limits = &loaded.manifest.limits;
                let slots = self.acquire_slots(*slots).await;
                let _slots = slots.map_err(|failure| (failure, None))?;
                let (settings, log) = (self.settings(), guest_log.another());
                concern =
                    sandbox::assess(guest, limits, settings, &tool.name, approval.input(), log)
                        .await;
                match &concern {
                    Ok(Ok(None)) => Assessment::None,
                    Ok(Ok(Some(concern))) => Assessment::Concern {
                        subject: &concern.subject,
                        reason: &concern.reason,
                    },
                    Ok(Err(_)) | Err(_) => Assessment::Failed,
                }
            }
            Code::Component { .. } | Code::Native(_) => Assessment::None,
        };
        let approved = approval.approve_run(&self.stage, &tool.policy_traits, assessment);
        approved.await.map_err(|denied| {
            let failure = Failure::new(denied.code(), denied.message());
            (failure, denied.receipt)
        })
    }

    fn suspended(&self) -> Failure {
        let id = self.plugin.id();
        let why = format!("`{id}` is suspended: the host stopped it three times in ten minutes");
        let advice = format!("{why}; readmit it or load it again");
        let mut failure = Failure::new(FailureCode::Unavailable, why);
        failure.advice = Some(advice);
        failure
    }

    fn session_settings(&self) -> Option<&Settings> {
        self.session.as_ref().map(|session| &*session.settings)
    }

    /// Returns the settings of the plugin: those of the session, or else of the host.
    pub(super) fn settings(&self) -> String {
        let (id, of_session) = (self.plugin.id(), self.session_settings());
        let of_session = of_session.and_then(|of| of.plugin_settings.get(id));
        let settings = of_session.or_else(|| self.host.settings.get(id));
        settings.map_or_else(|| "{}".to_owned(), Value::to_string)
    }

    pub(super) fn stopped_by(&self, fault: Fault) -> Failure {
        let (plugin, tool) = (self.plugin.id(), &self.tool().name);
        let sentence = fault.sentence(&self.plugin.manifest().limits);
        let message = match fault {
            // The model can do something about these.
            Fault::Busy | Fault::TooManyWaiting { .. } => sentence.clone(),
            _ => format!(
                "`{plugin}.{tool}` was stopped by the host ({})",
                fault.word()
            ),
        };
        let mut failure = Failure::new(fault.code(), message);
        failure.advice = Some(format!("`{plugin}.{tool}` was stopped: {sentence}"));
        failure.fault = Some(fault);
        failure
    }
}

/// Reports the end of a call outside of sessions. That of a call in a session is reported once it is stored.
fn observe_end(host: &HostInner, stage: &Stage, outcome: &CallOutcome) {
    let code = outcome
        .result
        .as_ref()
        .err()
        .map(|failure| failure.code.as_str());
    tracing::debug!(code, "a call has ended");
    let tool = outcome.items.first();
    let function = match tool.map(|item| &item.content) {
        Some(Content::Tool(tool)) => &tool.function,
        _ => "",
    };
    host.observers.observe(&Observed::CallEnded {
        session: &stage.session,
        person: &stage.person,
        call: &outcome.call,
        function,
        failure: outcome.result.as_ref().err().map(|failure| &failure.code),
        took: tool.map(duration).unwrap_or_default(),
    });
}

pub(super) fn cancelled_before_run() -> Failure {
    Failure::new(
        FailureCode::Cancelled,
        "the call was cancelled before it ran",
    )
}

/// Awaits a future; returns `None` if it panics. (`FutureExt::catch_unwind` needs futures-util with
/// `std`, which nothing else here does.)
pub(super) async fn catch_panic<T>(
    mut future: Pin<&mut (impl Future<Output = T> + ?Sized)>,
) -> Option<T> {
    std::future::poll_fn(|context| {
        // The future is not polled again after a panic, so no broken state is seen.
        let poll = AssertUnwindSafe(|| future.as_mut().poll(context));
        match std::panic::catch_unwind(poll) {
            Ok(poll) => poll.map(Some),
            Err(_) => Poll::Ready(None),
        }
    })
    .await
}

fn find_tool(host: &HostInner, function: &str) -> Option<(Plugin, usize)> {
    let function: FunctionName = function.parse().ok()?;
    let plugins = sync::read(&host.plugins);
    let plugin = plugins.get(function.plugin())?;
    let mut tools = plugin.tools().iter();
    let index = tools.position(|tool| tool.name == function.tool())?;
    Some((plugin.clone(), index))
}

fn shut_down() -> Failure {
    Failure::new(FailureCode::Unavailable, "this host was shut down")
}

fn no_such_tool(host: &HostInner, function: &str) -> Failure {
    let plugin = function.split_once('.').map_or("", |(plugin, _)| plugin);
    let is_loaded = sync::read(&host.plugins).contains_key(plugin);
    if !is_loaded && lock(&host.unloaded).contains(plugin) {
        let message = format!("the plugin `{plugin}` was unloaded");
        return Failure::new(FailureCode::Unavailable, message);
    }
    let escaped: String = function
        .chars()
        .take(80)
        .flat_map(char::escape_debug)
        .collect();
    let message = format!("there is no tool `{escaped}`");
    Failure::new(FailureCode::InvalidInput, message)
}

/// Returns an id and a seed. The thread's generator is seeded by the system and reseeds itself, so that
/// a call makes no system call for them. It is not reseeded in a process that is forked without `exec`, where
/// a host does not work anyway: its ticker is a thread.
fn random() -> ([u8; 12], [u8; 32]) {
    rand::random()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_of_the_host_ends_the_future_without_a_value() {
        let broken = async {
            tokio::task::yield_now().await;
            assert!(std::hint::black_box(false), "on purpose");
        };
        assert_eq!(catch_panic(pin!(broken)).await, None);
        assert_eq!(catch_panic(pin!(async { 7 })).await, Some(7));
    }
}

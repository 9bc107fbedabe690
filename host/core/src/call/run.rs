//! A call from its first check to its record.
//!
//! Find the tool, check the input, weigh it, decide, run, record. Each step can end the call; the
//! record says which.

use super::outcome::{end, parse_failure, parse_outcome};
use crate::call::Call;
use crate::call::approval::{ApprovalContext, ApprovalGate};
use crate::call::event::{Ended, Event, Failure};
use crate::call::fault::Fault;
use crate::call::guest_log::GuestLog;
use crate::call::outputs;
use crate::call::stage::{Identity, Stage, now};
use crate::host::{CallRequest, Host, HostInner};
use crate::plugin::Plugin;
use crate::plugin::description::Tool;
use crate::plugin::digest::{Digest, hex};
use crate::policy::{Assessment, Caller};
use crate::sandbox::journal::Journal;
use crate::sandbox::{self, RunContext};
use footlight_vocabulary::item::{
    CallId, CallResult, Content, Item, ItemId, PendingReason, Position, Receipt, SessionId,
    Tool as ToolItem,
};
use footlight_vocabulary::json;
use footlight_vocabulary::manifest::Manifest;
use footlight_vocabulary::result::SemanticResult;
use serde_json::{Map, Value};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, PoisonError};
use std::task::Poll;
use tokio::sync::SemaphorePermit;

/// A call of a tool that was found.
struct CallTask {
    host: Arc<HostInner>,
    plugin: Plugin,
    tool: usize,
    caller: Caller,
    input: Value,
    stage: Arc<Stage>,
    /// What the guest's randomness is made from.
    seed: [u8; 32],
    /// Whether it belongs to no session but the host's own, which then settles its outputs.
    settles_outputs: bool,
}

pub(crate) fn start(host: &Host, request: CallRequest<'_>) -> Call {
    let host = &host.0;
    let CallRequest {
        caller,
        function,
        input,
        ..
    } = request;
    let (id, seed) = random();
    let mint = || CallId::from(format!("call_{}", hex(&id)));
    let call = request.call.unwrap_or_else(mint);
    let found = find_tool(host, function);
    let (manifest, identity) = match &found {
        Some((plugin, _)) => (
            Arc::clone(&plugin.0.manifest),
            match &request.session {
                None => Arc::clone(&plugin.0.identity),
                Some(session) => Arc::new(identity(host, session, plugin.id())),
            },
        ),
        None => {
            let manifest = unknown_manifest();
            let identity = identity(host, &host.session, &manifest.id);
            (Arc::new(manifest), Arc::new(identity))
        }
    };
    let item = Item {
        content: Content::Tool(ToolItem {
            function: function.to_owned(),
            input: input.clone(),
            result: CallResult::Pending {
                reason: PendingReason::Running,
            },
            verdict: None,
            verdicts: Vec::new(),
            model_id: None,
            extra: Map::new(),
        }),
        id: ItemId::from(call),
        position: Position::default(),
        rev: 0,
        start: now(),
        end: None,
    };
    let settles_outputs = request.session.is_none();
    let stage = Arc::new(Stage::new(
        item,
        manifest,
        identity,
        Arc::clone(&host.store),
        request.session.unwrap_or_else(|| host.session.clone()),
        host.pending.clone(),
        request.attended,
        request.first,
    ));
    let running: std::pin::Pin<Box<dyn Future<Output = Ended> + Send>> = match found {
        None => {
            let (stage, failure) = (Arc::clone(&stage), no_tool(function));
            Box::pin(async move { end(&stage, Err(failure), None, GuestLog::default()) })
        }
        Some((plugin, tool)) => {
            let running = CallTask {
                host: Arc::clone(host),
                plugin,
                tool,
                caller,
                input,
                stage: Arc::clone(&stage),
                seed,
                settles_outputs,
            };
            Box::pin(running.run())
        }
    };
    Call {
        stage,
        running: Some(running),
    }
}

impl CallTask {
    async fn run(self) -> Ended {
        let guest_log = GuestLog::default();
        // A panic of ours ends this call and nothing else.
        let (result, receipt) = catch_panic(self.run_checked(&guest_log))
            .await
            .unwrap_or_else(|| {
                let what = "it panicked while it served the plugin".to_owned();
                (Err(self.stopped(Fault::Internal(what))), None)
            });
        if let Err(Failure {
            fault: Some(fault), ..
        }) = &result
        {
            self.host
                .circuit_breaker
                .record_fault(self.plugin.digest(), fault);
        }
        if self.settles_outputs && self.stage.has_stored() {
            let Stage { session, call, .. } = &*self.stage;
            outputs::settle(&*self.host.store, session, call, result.is_ok()).await;
        }
        end(&self.stage, result, receipt, guest_log)
    }

    fn tool(&self) -> &Tool {
        &self.plugin.tools()[self.tool]
    }

    async fn run_checked(
        &self,
        guest_log: &GuestLog,
    ) -> (Result<(SemanticResult, Value), Failure>, Option<Receipt>) {
        if self.host.circuit_breaker.is_open(&self.plugin.digest()) {
            return (Err(self.circuit_open()), None);
        }
        let tool = self.tool();
        if let Err(wrong) = tool.check(&self.input) {
            let mut failure = Failure::new(
                "invalid-input",
                format!("the input does not fit the schema: {}", wrong.join("; ")),
            );
            failure.details = Some(Value::from(wrong));
            return (Err(failure), None);
        }
        // What is checked, shown, hashed and approved is what the guest gets, byte for byte.
        let input = json::canonical(&self.input);
        let approval = self.approval_gate(&input);
        let receipt = match self.approve(&approval, &input).await {
            Ok(receipt) => receipt,
            Err((failure, receipt)) => return (Err(failure), receipt),
        };
        if self.stage.is_cancelled() {
            let failure = Failure::new("cancelled", "the call was cancelled before it ran");
            return (Err(failure), receipt);
        }
        // Whoever follows can put down that it has begun before it has.
        self.stage.emit(Event::Started);
        yield_once().await;
        (self.execute(approval, &input, guest_log).await, receipt)
    }

    fn approval_gate(&self, input: &str) -> ApprovalGate {
        ApprovalGate::new(ApprovalContext {
            policy: Arc::clone(&self.host.policy),
            session: self.stage.session.clone(),
            digest: self.plugin.digest().to_string(),
            tool: self.tool().name.clone(),
            input: input.to_owned(),
            caller: self.caller,
            request_count: 0.into(),
            denied_before: Default::default(),
        })
    }

    /// Whether it may run. The plugin may have a concern, which can only make the host more careful.
    async fn approve(
        &self,
        approval: &ApprovalGate,
        input: &str,
    ) -> Result<Option<Receipt>, (Failure, Option<Receipt>)> {
        let (loaded, tool) = (&self.plugin.0, self.tool());
        let concern;
        let assessment = if tool.traits.get("approval").and_then(Value::as_str) == Some("assess") {
            let limits = &loaded.manifest.limits;
            let _slots = self
                .acquire_slots()
                .await
                .map_err(|failure| (failure, None))?;
            concern =
                sandbox::assess(&loaded.guest, limits, self.settings(), &tool.name, input).await;
            match &concern {
                Ok(Ok(None)) => Assessment::None,
                Ok(Ok(Some(concern))) => Assessment::Concern {
                    subject: &concern.subject,
                    reason: &concern.reason,
                },
                Ok(Err(_)) | Err(_) => Assessment::Failed,
            }
        } else {
            Assessment::None
        };
        let approval = approval
            .approve_run(&self.stage, &tool.policy_traits, assessment)
            .await;
        approval.map_err(|no| (Failure::new(no.code(), no.sentence()), no.receipt))
    }

    fn circuit_open(&self) -> Failure {
        let id = self.plugin.id();
        let why =
            format!("`{id}` is suspended: the host had to stop it three times in ten minutes");
        let mut failure = Failure::new("unavailable", why.clone());
        failure.advice = Some(format!("{why}; readmit it, or load it again, to go on"));
        failure
    }

    /// Waits for room in the pool of instances. That time is charged against nothing.
    async fn acquire_slots(&self) -> Result<SemaphorePermit<'_>, Failure> {
        let slots = self.host.slots.acquire(self.plugin.0.slots);
        match self.stage.pause(slots).await {
            Some(Ok(slots)) => Ok(slots),
            Some(Err(busy)) => {
                let words = "there is no room for another call at this moment; try again later";
                let mut failure = self.stopped(busy);
                (failure.code, failure.message) = ("unavailable".to_owned(), words.to_owned());
                Err(failure)
            }
            None => Err(Failure::new(
                "cancelled",
                "the call was cancelled before it ran",
            )),
        }
    }

    async fn execute(
        &self,
        approval: ApprovalGate,
        input: &str,
        guest_log: &GuestLog,
    ) -> Result<(SemanticResult, Value), Failure> {
        let journal = if self.host.replay_check {
            Journal::recording()
        } else {
            Journal::default()
        };
        let props = |journal: Journal, guest_log: GuestLog| RunContext {
            stage: Arc::clone(&self.stage),
            approval: approval.clone(),
            settings: self.settings(),
            seed: self.seed,
            journal,
            guest_log,
        };
        let (loaded, tool) = (&self.plugin.0, &self.tool().name);
        let limits = &loaded.manifest.limits;
        let _slots = self.acquire_slots().await?;
        let ended = sandbox::run(
            &loaded.guest,
            limits,
            props(journal.clone(), guest_log.clone()),
            tool,
            input,
        )
        .await;
        if matches!(ended, Ok(_) | Err(Fault::Panic | Fault::Exit))
            && let Some(replay) = journal.replay()
        {
            let again = sandbox::run(
                &loaded.guest,
                limits,
                props(replay.clone(), GuestLog::default()),
                tool,
                input,
            )
            .await;
            if again != ended || replay.remaining() > 0 {
                let what = format!(
                    "the call is not replayable: {again:?} instead of {ended:?}, {} rows left",
                    replay.remaining()
                );
                return Err(self.stopped(Fault::Internal(what)));
            }
        }
        match ended {
            Ok(Ok(outcome)) => {
                parse_outcome(outcome).map_err(|how| self.stopped(Fault::Protocol(how)))
            }
            Ok(Err(failure)) => {
                let mut failure = parse_failure(failure);
                // Whatever it stumbled over on its way out, it is over because it was cancelled.
                if self.stage.is_cancelled() {
                    failure.code = "cancelled".to_owned();
                }
                Err(failure)
            }
            Err(fault) => Err(self.stopped(fault)),
        }
    }

    fn settings(&self) -> String {
        self.host
            .settings
            .get(self.plugin.id())
            .map_or_else(|| "{}".to_owned(), Value::to_string)
    }

    fn stopped(&self, fault: Fault) -> Failure {
        let code = if fault == Fault::Cancelled {
            "cancelled"
        } else {
            "other"
        };
        let function = format!("{}.{}", self.plugin.id(), self.tool().name);
        let advice = format!(
            "`{function}` was stopped: {}",
            fault.sentence(&self.plugin.manifest().limits)
        );
        let mut failure = Failure::new(
            code,
            format!("`{function}` was stopped by the host ({})", fault.word()),
        );
        failure.advice = Some(advice);
        failure.fault = Some(fault);
        failure
    }
}

/// Lets the event that was emitted last be taken. Nobody needs to be woken: the stream gives the
/// event, and whoever wants the next one polls again.
async fn yield_once() {
    let mut waited = false;
    std::future::poll_fn(|_| match std::mem::replace(&mut waited, true) {
        false => Poll::Pending,
        true => Poll::Ready(()),
    })
    .await;
}

/// What a future comes to; nothing if it panics.
async fn catch_panic<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = std::pin::pin!(future);
    std::future::poll_fn(|context| {
        // It is not polled again after a panic, so nobody sees what it left halfway.
        let poll = AssertUnwindSafe(|| future.as_mut().poll(context));
        match std::panic::catch_unwind(poll) {
            Ok(poll) => poll.map(Some),
            Err(_) => Poll::Ready(None),
        }
    })
    .await
}

fn find_tool(host: &HostInner, function: &str) -> Option<(Plugin, usize)> {
    let (plugin, tool) = function.split_once('.')?;
    let plugins = host.plugins.read().unwrap_or_else(PoisonError::into_inner);
    let plugin = plugins.get(plugin)?;
    let index = plugin.tools().iter().position(|known| known.name == tool)?;
    Some((plugin.clone(), index))
}

fn no_tool(function: &str) -> Failure {
    let shown: String = function
        .chars()
        .take(80)
        .flat_map(char::escape_debug)
        .collect();
    Failure::new("invalid-input", format!("there is no tool `{shown}`"))
}

fn unknown_manifest() -> Manifest {
    Manifest::powerless("unknown").expect("`unknown` is a valid id")
}

/// Who calls of a plugin are for.
pub(crate) fn identity(host: &HostInner, session: &SessionId, plugin: &str) -> Identity {
    Identity {
        session: alias(session.as_str(), plugin),
        person: alias("person", plugin),
        locale: host.locale.clone(),
        timezone: host.timezone.clone(),
    }
}

/// A name that tells one thing apart for one plugin, and means nothing to another.
fn alias(of: &str, plugin: &str) -> String {
    Digest::of(format!("{plugin}\0{of}").as_bytes()).to_string()[..16].to_owned()
}

/// An id and a seed, from one call of the system.
fn random() -> ([u8; 12], [u8; 32]) {
    let mut bytes = [0; 44];
    getrandom::fill(&mut bytes).expect("a host is only built where there is randomness");
    let (id, seed) = bytes.split_at(12);
    (
        id.try_into().expect("twelve bytes"),
        seed.try_into().expect("the other 32"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_of_ours_is_an_end_like_others() {
        let broken = async {
            tokio::task::yield_now().await;
            assert!(std::hint::black_box(false), "on purpose");
        };
        assert_eq!(catch_panic(broken).await, None);
        assert_eq!(catch_panic(async { 7 }).await, Some(7));
    }
}

//! The scheduler of a step's calls, and the built-in tools.
//!
//! Calls run concurrently only if all of them read and none asks, and then one at a time per
//! plugin; otherwise in the model's order. `call_driver` drives a single call.

use super::ask;
use super::builtin::Builtin;
use super::call_driver::CallDriver;
use super::driver::Driver;
use super::step::over_limit;
use super::tool_result;
use crate::observer::{Observed, duration};
use crate::store::{Batch, CallRow, CallState, StoreError, TurnRow};
use footlight_vocabulary::event::EventBody;
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::function::FunctionName;
use footlight_vocabulary::item::{CallId, CallResult, Content, ItemId};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::task::JoinSet;
use tracing::Instrument as _;

/// How a call of a built-in tool ended.
pub(super) struct BuiltinOutcome {
    pub(super) words: String,
    pub(super) is_error: bool,
    pub(super) code: Option<FailureCode>,
}

impl BuiltinOutcome {
    pub(super) fn success(words: String) -> Self {
        let (is_error, code) = (false, None);
        Self {
            words,
            is_error,
            code,
        }
    }

    pub(super) fn error(words: impl Into<String>) -> Self {
        let (words, is_error, code) = (words.into(), true, None);
        Self {
            words,
            is_error,
            code,
        }
    }

    /// Creates the outcome of a question that nobody answered.
    pub(super) fn no_person(words: &str) -> Self {
        Self {
            code: Some(FailureCode::NoPerson),
            ..Self::error(words)
        }
    }
}

impl Driver {
    /// Runs the unsettled calls of a step.
    pub(super) async fn run_calls(
        self: &Arc<Self>,
        turn: &TurnRow,
        step: u32,
    ) -> Result<(), StoreError> {
        let rows: Vec<CallRow> = {
            let state = self.session.state();
            let open = |row: &&CallRow| row.state != CallState::Settled;
            state.calls_of(turn.n, step).filter(open).cloned().collect()
        };
        if rows.len() > 1 && rows.iter().all(|row| self.can_run_concurrently(row)) {
            return self.run_concurrently(turn, rows).await;
        }
        for row in rows {
            if self.is_cancelled() {
                return Ok(());
            }
            self.run_call(turn, row).await?;
        }
        Ok(())
    }

    /// Reports whether a call reads and does not ask.
    fn can_run_concurrently(&self, row: &CallRow) -> bool {
        let Ok(name) = row.function.parse::<FunctionName>() else {
            return false;
        };
        let plugin = self.session.host.plugin(name.plugin());
        let tool = plugin.as_ref().and_then(|plugin| plugin.tool(name.tool()));
        tool.is_some_and(|tool| tool.policy_traits.read_only && !tool.policy_traits.asks)
    }

    async fn run_concurrently(
        self: &Arc<Self>,
        turn: &TurnRow,
        rows: Vec<CallRow>,
    ) -> Result<(), StoreError> {
        let mut by_plugin: BTreeMap<String, Vec<CallRow>> = BTreeMap::new();
        for row in rows {
            let plugin = plugin_of(&row).to_owned();
            by_plugin.entry(plugin).or_default().push(row);
        }
        let mut running = JoinSet::new();
        for (_, rows) in by_plugin {
            let (driver, turn) = (Arc::clone(self), turn.clone());
            let task = self.task().await;
            let calls = async move {
                let _task = task;
                for row in rows {
                    if driver.is_cancelled() {
                        break;
                    }
                    driver.run_call(&turn, row).await?;
                }
                Ok(())
            };
            running.spawn(calls.in_current_span());
        }
        while let Some(ended) = running.join_next().await {
            match ended {
                Ok(ended) => ended?,
                Err(error) => std::panic::resume_unwind(error.into_panic()),
            }
        }
        Ok(())
    }

    async fn run_call(&self, turn: &TurnRow, row: CallRow) -> Result<(), StoreError> {
        let span = tracing::info_span!("call", call = %row.id, function = %row.function);
        self.run_unsettled(turn, row).instrument(span).await
    }

    async fn run_unsettled(&self, turn: &TurnRow, row: CallRow) -> Result<(), StoreError> {
        if self.has_recorded_too_much() {
            let bytes = self.settings.limits.bytes;
            let result = over_limit(&format!("{bytes} recorded bytes"));
            let mut batch = Batch::default();
            super::driver::settle(&self.session.state(), &mut batch, row, result);
            return self.commit(batch).await;
        }
        match Builtin::parse(&row.function) {
            Some(Builtin::Ask) => ask::run(self, row).await,
            Some(Builtin::Result) => self.read_truncated_result(row).await,
            Some(Builtin::Output) => self.read_stored_output(row).await,
            None => CallDriver::new(self, turn, row).await?.run().await,
        }
    }

    /// Tells observers and the log that a call has ended and is stored.
    pub(super) fn observe_call(&self, call: &CallId, function: &str) {
        let session = &self.session;
        let (failure, took) = {
            let state = session.state();
            let item = state.item(&ItemId::from(call.as_str()));
            let failure = match item.map(|item| &item.content) {
                Some(Content::Tool(tool)) => match &tool.result {
                    CallResult::Error { code, .. } => {
                        Some(code.clone().unwrap_or(FailureCode::Other))
                    }
                    CallResult::Success { .. } | CallResult::Pending { .. } => None,
                },
                _ => None,
            };
            (failure, item.map(duration).unwrap_or_default())
        };
        let code = failure.as_ref().map(FailureCode::as_str);
        let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        tracing::debug!(code, millis, "a call has ended");
        session.host.0.observers.observe(&Observed::CallEnded {
            session: &session.id,
            person: &self.settings.person,
            call,
            function,
            failure: failure.as_ref(),
            took,
        });
    }

    /// Reads more of a truncated result: of the text that the model was given, never of data that the
    /// plugin withheld from it.
    async fn read_truncated_result(&self, row: CallRow) -> Result<(), StoreError> {
        let ended = {
            let state = self.session.state();
            let id = row.input.get("id").and_then(Value::as_str).unwrap_or("");
            let offset = row.input.get("offset").and_then(Value::as_u64).unwrap_or(0);
            let mut rows = state.calls.iter();
            let truncated = rows.find(|row| row.id.as_str() == id);
            match truncated.and_then(|row| row.model_text.as_deref()) {
                Some(text) => {
                    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
                    BuiltinOutcome::success(tool_result::page(text, id, offset))
                }
                None => BuiltinOutcome::error("no result that was cut has this id"),
            }
        };
        self.settle_builtin(row, ended, Vec::new()).await
    }

    /// Settles a call of a built-in tool, together with other events.
    pub(super) async fn settle_builtin(
        &self,
        row: CallRow,
        ended: BuiltinOutcome,
        events: Vec<EventBody>,
    ) -> Result<(), StoreError> {
        let words = ended.words;
        let batch = {
            let state = self.session.state();
            let mut batch = Batch {
                events,
                drop_calls: vec![row.id.clone()],
                ..Batch::default()
            };
            let result = if ended.is_error {
                CallResult::Error {
                    error: words.clone(),
                    code: ended.code,
                    details: None,
                }
            } else {
                let output = serde_json::json!({ "kind": "text", "data": { "content": words } });
                CallResult::Success { output }
            };
            let reply = tool_result::of_text(&state, &row, &words, ended.is_error);
            super::driver::settle(&state, &mut batch, row, result);
            if let Some(settled) = batch.calls.last_mut() {
                settled.reply = Some(reply);
            }
            batch
        };
        self.commit(batch).await
    }
}

/// Returns the plugin of a call.
pub(super) fn plugin_of(row: &CallRow) -> &str {
    row.function
        .split_once('.')
        .map_or("", |(plugin, _)| plugin)
}

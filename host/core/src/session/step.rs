//! One step: asks the model, streams its text, and commits the whole answer.

use super::arguments;
use super::builtin::{self, Builtin};
use super::driver::{Driver, new_item};
use super::projection::{self, words};
use super::reasoning::StepReasoning;
use super::state::{self, SessionState};
use super::{Settings, Update, mint, tool_result};
use crate::call::pending::NOBODY;
use crate::call::stage::now;
use crate::host::Host;
use crate::model::{Delta, Finished, ModelError, ModelErrorKind, ModelPart, Reason, ToolCall};
use crate::observer::Observed;
use crate::policy::Caller;
use crate::store::{Batch, CallRow, CallState, StepRow, StoreError, TurnRow};
use footlight_vocabulary::event::EventBody;
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::function::FunctionName;
use footlight_vocabulary::item::{
    CallId, CallResult, Content, ItemId, PendingReason, Text, Tool as ToolItem,
};
use serde_json::{Map, Value};

/// How many calls of one tool with invalid input are tolerated in a row.
const MAX_INVALID_CALLS: usize = 2;

/// How often the same call can have the same result in a row.
const MAX_SAME_CALLS: usize = 3;

/// The outcome of a step.
pub(super) enum StepOutcome {
    /// The answer is committed.
    Committed,
    /// The person cancelled the turn.
    Cancelled,
    /// The model failed.
    ModelFailed(ModelError),
    /// The turn is abandoned, with a reason.
    Abandoned(String),
}

/// The reply of the model.
enum ModelReply {
    Complete(Answer),
    /// The answer until the person cancelled.
    Interrupted(Answer),
    Failed(ModelError),
}

/// An answer of the model, with the reasoning that it streamed before.
struct Answer {
    finished: Finished,
    reasoning: Option<StepReasoning>,
}

impl Driver {
    /// Asks the model for its next answer and commits it.
    pub(super) async fn step(
        &self,
        turn: &TurnRow,
        step: u32,
        may_call: bool,
    ) -> Result<StepOutcome, StoreError> {
        if let Some(why) = self.repeated_misuse(turn.n) {
            return Ok(StepOutcome::Abandoned(why));
        }
        self.compact_if_full().await?;
        let id = ItemId::from(mint("txt"));
        let mut reply = self.ask_model(turn, &id, may_call).await;
        if let ModelReply::Failed(ModelError {
            kind: ModelErrorKind::TooLong,
            ..
        }) = &reply
            && self.compact().await?
        {
            reply = self.ask_model(turn, &id, may_call).await;
        }
        match reply {
            ModelReply::Failed(error) => Ok(StepOutcome::ModelFailed(error)),
            ModelReply::Complete(answer) => {
                self.commit_step(turn, step, id, answer, may_call).await?;
                Ok(StepOutcome::Committed)
            }
            ModelReply::Interrupted(answer) => {
                // The person has seen it, so it is kept.
                if !answer.finished.parts.is_empty() || answer.reasoning.is_some() {
                    self.commit_step(turn, step, id, answer, false).await?;
                }
                Ok(StepOutcome::Cancelled)
            }
        }
    }

    async fn ask_model(&self, turn: &TurnRow, id: &ItemId, may_call: bool) -> ModelReply {
        let settings = &self.settings;
        let (host, session) = (&self.session.host, &self.session.id);
        let mut request = projection::request(&mut self.session.state(), host, session, settings);
        request.may_call = may_call;
        let mut stream = settings.model.step(request);
        let mut said = String::new();
        let mut reasoning: Option<StepReasoning> = None;
        let send = |event| self.session.send_transient(&turn.id, event);
        let reply = loop {
            let delta = tokio::select! {
                biased;
                () = self.cancelled() => break Err(None),
                delta = stream.next() => delta,
            };
            if !matches!(delta, Some(Ok(Delta::Reasoning(_) | Delta::Retry(_)))) {
                let ended = reasoning.as_mut().and_then(StepReasoning::end);
                ended.into_iter().for_each(send);
            }
            match delta {
                Some(Ok(Delta::Text(words))) => {
                    said.push_str(&words);
                    send(EventBody::TextDelta {
                        item: id.clone(),
                        rev: 0,
                        delta: words,
                    });
                }
                Some(Ok(Delta::Reasoning(words))) if words.is_empty() => {}
                Some(Ok(Delta::Reasoning(words))) => {
                    let reasoning = reasoning.get_or_insert_with(StepReasoning::begin);
                    reasoning.push(&words).into_iter().for_each(send);
                }
                Some(Ok(Delta::Calling(name))) => self.session.notify(Update::Calling(name)),
                Some(Ok(Delta::Retry(retry))) => {
                    said.clear();
                    reasoning = None;
                    self.session.notify(Update::Retry(id.clone(), retry));
                }
                Some(Ok(Delta::Finished(finished))) => break Ok(finished),
                Some(Err(error)) => break Err(Some(error)),
                None => {
                    let message = "the model broke off before its answer was complete; try again";
                    let error = ModelError::new(ModelErrorKind::Unreachable, message);
                    break Err(Some(error));
                }
            }
        };
        match reply {
            Ok(finished) => ModelReply::Complete(Answer {
                finished,
                reasoning,
            }),
            Err(Some(error)) => ModelReply::Failed(error),
            Err(None) => ModelReply::Interrupted(Answer {
                finished: match said.is_empty() {
                    true => Finished::default(),
                    false => Finished::text(said),
                },
                reasoning,
            }),
        }
    }

    /// Commits the model's reasoning, its text and its calls in one transaction, before any of the calls
    /// runs.
    async fn commit_step(
        &self,
        turn: &TurnRow,
        step: u32,
        id: ItemId,
        answer: Answer,
        may_call: bool,
    ) -> Result<(), StoreError> {
        let Answer {
            mut finished,
            reasoning,
        } = answer;
        if !may_call {
            finished
                .parts
                .retain(|part| !matches!(part, ModelPart::Call(_)));
        }
        mint_ids(&mut finished.parts, turn.n, step);
        let tokens = finished.usage;
        let mut batch = Batch::default();
        let mut position = SessionState::position(turn.n, step, 0, 0);
        if let Some(reasoning) = reasoning {
            batch
                .events
                .push(EventBody::put(reasoning.into_item(position)));
            position.n += 1;
        }
        let words = words(&finished.parts);
        if !words.is_empty() {
            let text = Text {
                text: words,
                extra: Map::new(),
            };
            let mut item = new_item(id.as_str().to_owned(), Content::Text(text), position);
            // The streamed text was revision 0.
            item.rev = 1;
            item.end = Some(now());
            batch.events.push(EventBody::put(item));
        }
        let is_cut = finished.reason != Reason::Stop;
        {
            let state = self.session.state();
            let limit = self.settings.limits.calls;
            let mut left = limit.saturating_sub(state.last_calls(turn.n).count());
            for (call, n) in state::calls(&finished.parts).zip(1..) {
                let mut row = row(&self.session.host, turn.n, step, n, call);
                let rejection = if is_cut {
                    Some(invalid("your answer was cut off, so this call was not run"))
                } else if left == 0 {
                    Some(over_limit(&format!("{limit} calls")))
                } else {
                    self.rejection(&state, &row, call)
                };
                left = left.saturating_sub(1);
                self.record_call(&mut batch, &mut row, call, rejection);
            }
        }
        batch.steps.push(StepRow {
            turn: turn.n,
            step,
            model: self.settings.model.name().to_owned(),
            finished,
        });
        self.commit(batch).await?;
        self.session.host.0.observers.observe(&Observed::Step {
            session: &self.session.id,
            turn: &turn.id,
            person: &self.settings.person,
            model: self.settings.model.name(),
            tokens,
        });
        Ok(())
    }

    /// Adds a call to the record: queued, or settled if it was rejected.
    pub(super) fn record_call(
        &self,
        batch: &mut Batch,
        row: &mut CallRow,
        call: &ToolCall,
        rejection: Option<CallResult>,
    ) {
        let result = rejection.clone().unwrap_or(CallResult::Pending {
            reason: PendingReason::Queued,
        });
        let tool = ToolItem {
            function: row.function.clone(),
            input: row.input.clone(),
            result,
            verdict: None,
            verdicts: Vec::new(),
            powers: Vec::new(),
            model_id: Some(call.id.clone()),
            extra: Map::new(),
        };
        let position = SessionState::position(row.turn, row.step, row.n, 0);
        let mut item = new_item(row.id.as_str().to_owned(), Content::Tool(tool), position);
        if let Some(result) = rejection {
            item.end = Some(now());
            row.state = CallState::Settled;
            row.reply = Some(tool_result::of_rejected(call, &result));
        }
        batch.events.push(EventBody::put(item));
        batch.calls.push(row.clone());
    }

    /// Returns why a call is rejected before it runs.
    fn rejection(
        &self,
        state: &SessionState,
        row: &CallRow,
        call: &ToolCall,
    ) -> Option<CallResult> {
        if Builtin::parse(&row.function) == Some(Builtin::Ask) && !self.settings.attended {
            return Some(CallResult::Error {
                error: NOBODY.to_owned(),
                code: Some(FailureCode::NoPerson),
                details: None,
            });
        }
        let (host, settings) = (&self.session.host, &self.settings);
        if !is_known(host, settings, &row.function) {
            let words = builtin::no_such_tool(host, settings, &call.name);
            return Some(invalid(&words));
        }
        if let Err(wrong) = arguments::read(&call.arguments) {
            let words = format!("the arguments are not a JSON object: {wrong}");
            return Some(invalid(&words));
        }
        let same = |before: &CallRow| before.function == row.function && before.input == row.input;
        let before: Vec<&CallRow> = state
            .last_calls(row.turn)
            .take(MAX_SAME_CALLS)
            .take_while(|before| same(before))
            .collect();
        let content = |row: &&CallRow| row.reply.as_ref().map(|reply| reply.content.clone());
        if before.len() == MAX_SAME_CALLS
            && before
                .windows(2)
                .all(|two| content(&two[0]) == content(&two[1]))
        {
            let words = "this was called three times with the same input and came to the same each time; do something else";
            return Some(invalid(words));
        }
        None
    }

    /// Returns why the turn is abandoned, if the model called the same tool with invalid input too
    /// often in a row.
    fn repeated_misuse(&self, turn: u32) -> Option<String> {
        let state = self.session.state();
        let function = state.last_calls(turn).next()?.function.clone();
        let wrong = state.last_calls(turn).take_while(|row| {
            let item = state.item(&ItemId::from(row.id.as_str()));
            let is_invalid = item.is_some_and(|item| match &item.content {
                Content::Tool(tool) => matches!(
                    &tool.result,
                    CallResult::Error {
                        code: Some(FailureCode::InvalidInput),
                        ..
                    }
                ),
                _ => false,
            });
            row.function == function && is_invalid
        });
        (wrong.count() > MAX_INVALID_CALLS)
            .then(|| format!("Stopped: the model called `{function}` wrongly too often in a row."))
    }
}

/// Returns the row of a call.
pub(super) fn row(host: &Host, turn: u32, step: u32, n: u32, call: &ToolCall) -> CallRow {
    let raw = || Value::String(call.arguments.chars().take(1_000).collect());
    let name = FunctionName::from_wire(&call.name).ok();
    let plugin = name.as_ref().and_then(|name| host.plugin(name.plugin()));
    let tool = plugin.as_ref().zip(name.as_ref());
    let tool = tool.and_then(|(plugin, name)| plugin.tool(name.tool()));
    let function = match &name {
        Some(name) => name.to_string(),
        None => invented_name(&call.name),
    };
    let input = match arguments::read(&call.arguments) {
        Ok(input) => arguments::coerced(tool, input),
        Err(_) => raw(),
    };
    CallRow {
        id: CallId::from(mint("call")),
        turn,
        step,
        n,
        input,
        state: CallState::Proposed,
        reply: None,
        model_text: None,
        read_only: tool.is_some_and(|tool| tool.policy_traits.read_only)
            || Builtin::parse(&function).is_some(),
        digest: plugin.as_ref().map(|plugin| plugin.digest().to_string()),
        function,
    }
}

/// Returns a name that is not that of a plugin and a tool in the form of records, shortened.
fn invented_name(name: &str) -> String {
    let short: String = name.chars().take(80).collect();
    match short.split_once("__") {
        Some((plugin, tool)) => format!("{plugin}.{tool}"),
        None => short,
    }
}

fn is_known(host: &Host, settings: &Settings, function: &str) -> bool {
    if Builtin::parse(function).is_some() {
        return true;
    }
    caller(host, settings, function).is_some()
}

/// Returns as whom the model calls a tool of a plugin; none if there is no such tool for it.
pub(super) fn caller(host: &Host, settings: &Settings, function: &str) -> Option<Caller> {
    let name: FunctionName = function.parse().ok()?;
    let plugin = host.plugin(name.plugin());
    let plugin = plugin.filter(|plugin| settings.admits(plugin.id()))?;
    let tool = plugin.tool(name.tool())?;
    match tool.policy_traits.audience.model {
        true => Some(Caller::Model),
        false => settings.stands_for_person.then_some(Caller::Person),
    }
}

fn invalid(words: &str) -> CallResult {
    CallResult::Error {
        error: words.to_owned(),
        code: Some(FailureCode::InvalidInput),
        details: None,
    }
}

/// Returns the result of a call that is not run, because its turn has reached a limit.
pub(super) fn over_limit(limit: &str) -> CallResult {
    CallResult::Error {
        error: format!("this turn has reached its limit of {limit}, so this call was not run"),
        code: Some(FailureCode::Limit),
        details: None,
    }
}

/// Makes the ids of a step's calls unique: models repeat or omit them.
fn mint_ids(parts: &mut [ModelPart], turn: u32, step: u32) {
    let mut seen = std::collections::HashSet::new();
    for (n, part) in parts.iter_mut().enumerate() {
        if let ModelPart::Call(call) = part
            && (call.id.is_empty() || !seen.insert(call.id.clone()))
        {
            call.id = format!("call_{turn}_{step}_{n}");
            seen.insert(call.id.clone());
        }
    }
}

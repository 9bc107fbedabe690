//! What becomes of calls whose process ended while they ran.
//!
//! A call that only reads runs again, and is given the answers that it was given before. Any other
//! call ends as interrupted. An answer or a verdict that was accepted and that the call may not have got
//! is not lost in silence: model and person are told.

use super::driver::{Driver, new_item, settle};
use super::scheduler::plugin_of;
use super::state::SessionState;
use super::{mint, replies};
use crate::call::stage::now;
use crate::store::{CallRow, CallState, Reply, RequestKind, RequestRow, StoreError};
use footlight_vocabulary::event::EventBody;
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::item::{
    Ask, AskState, CallResult, Content, Item, ItemId, Level, Notice, RequestId,
};
use serde_json::{Map, Value, json};

impl Driver {
    /// Settles calls that were interrupted by a crash. Read-only calls run again.
    pub(super) async fn settle_interrupted_calls(&self) -> Result<(), StoreError> {
        let begun: Vec<CallRow> = {
            let state = self.session.state();
            let Some(turn) = state.open_turn() else {
                return Ok(());
            };
            let of_turn = state.calls.iter().filter(|row| row.turn == turn.n);
            let begun = of_turn.filter(|row| has_begun(&state, row));
            begun.cloned().collect()
        };
        if begun.is_empty() {
            return Ok(());
        }
        let mut batch = self.restore_pressed_widget(&begun).await?;
        let requests = self.session.store.open(&self.session.id).await?.pending;
        {
            let state = self.session.state();
            for mut row in begun {
                batch.events.extend(removed_items(&state, &row, &requests));
                batch.drop_calls.push(row.id.clone());
                batch.tainted |= self.may_have_held_power(&row);
                if row.read_only {
                    row.state = CallState::Proposed;
                    batch.calls.push(row);
                    continue;
                }
                let unused = UnusedReplies {
                    answers: unused_answers(&state, &row, &requests),
                    verdicts: unused_verdicts(&state, &row, &requests),
                };
                if let Some(notice) = unused.notice(&state, &row) {
                    batch.events.push(EventBody::put(notice));
                }
                settle(&state, &mut batch, row, unused.interrupted());
            }
        }
        let dropped = batch.drop_calls.clone();
        self.commit(batch).await?;
        let is_open = |request: &&RequestRow| request.reply.is_none();
        let open = requests.iter().filter(is_open);
        self.observe_withdrawn(open.filter(|request| dropped.contains(&request.call)));
        Ok(())
    }

    /// Reports whether an interrupted call may have had a folder or used a host. What it wrote to its
    /// state can still reach the model.
    fn may_have_held_power(&self, row: &CallRow) -> bool {
        let plugin = self.session.host.plugin(plugin_of(row));
        plugin.is_none_or(|plugin| {
            let manifest = plugin.manifest();
            !manifest.fs.is_empty() || !manifest.net.is_empty()
        })
    }

    /// Returns the replies to the questions of earlier runs of a call, oldest first. Secrets are not
    /// stored: they are asked for again.
    pub(super) async fn earlier_replies(
        &self,
        row: &CallRow,
    ) -> Result<Vec<RequestRow>, StoreError> {
        let mut requests = self.session.store.open(&self.session.id).await?.pending;
        requests.retain(|request| {
            request.call == row.id
                && request.kind == RequestKind::Ask
                && matches!(
                    request.reply,
                    Some(Reply::Answer { value: Some(_), .. } | Reply::Skip { .. })
                )
        });
        Ok(requests)
    }
}

/// Reports whether a call may have had effects before a crash. The start of a read-only call is not
/// stored; it shows in the revision of its tool item.
fn has_begun(state: &SessionState, row: &CallRow) -> bool {
    let tool = state.item(&ItemId::from(row.id.as_str()));
    match row.state {
        CallState::Running => true,
        CallState::Proposed => row.read_only && tool.is_some_and(|item| item.rev > 0),
        CallState::Approval | CallState::Settled => false,
    }
}

/// Returns the events that remove what an interrupted call has shown, and close its open questions
/// with their stored replies.
pub(super) fn removed_items(
    state: &SessionState,
    row: &CallRow,
    requests: &[RequestRow],
) -> Vec<EventBody> {
    let change = |item: &Item| match &item.content {
        Content::Widget(_) | Content::Output(_) => Some(EventBody::Remove {
            id: item.id.clone(),
        }),
        Content::Ask(ask) if ask.state == AskState::Open => {
            let mut item = item.clone();
            let request = request_of(&item, requests);
            if let Content::Ask(ask) = &mut item.content {
                close(ask, request);
            }
            item.rev += 1;
            item.end = Some(now());
            Some(EventBody::put(item))
        }
        _ => None,
    };
    state.items_of_call(&row.id).filter_map(change).collect()
}

/// Returns the request of a question's item.
fn request_of<'a>(item: &Item, requests: &'a [RequestRow]) -> Option<&'a RequestRow> {
    let is_its = |request: &&RequestRow| request.id.as_str() == item.id.as_str();
    requests.iter().find(is_its)
}

/// Closes a question whose call has ended, with its reply if it has one.
fn close(ask: &mut Ask, request: Option<&RequestRow>) {
    ask.state = AskState::Cancelled;
    let Some((request, reply)) =
        request.and_then(|request| Some((request, request.reply.as_ref()?)))
    else {
        return;
    };
    match reply {
        Reply::Answer { value, by, .. } => {
            ask.state = AskState::Answered;
            ask.answered_by.clone_from(by);
            let question = replies::question(request).ok();
            let value = value.clone().zip(question);
            if let Some(answer) = value.and_then(|(value, question)| question.check(value).ok()) {
                ask.response = Some(answer.text());
                ask.values = Some(answer.recordable());
            }
        }
        Reply::Skip { by, .. } => {
            ask.state = AskState::Skipped;
            ask.answered_by.clone_from(by);
        }
        Reply::Expired { .. } | Reply::NoPerson { .. } => ask.state = AskState::Expired,
        Reply::Verdict { .. } | Reply::Withdrawn { .. } => {}
    }
}

/// Returns the questions of a call that were answered, while the record does not say that the call
/// got the answer.
fn unused_answers(state: &SessionState, row: &CallRow, requests: &[RequestRow]) -> Vec<RequestId> {
    let is_unused = |item: &&Item| {
        let request = request_of(item, requests);
        matches!(&item.content, Content::Ask(ask) if ask.state == AskState::Open)
            && request.is_some_and(|request| matches!(request.reply, Some(Reply::Answer { .. })))
    };
    let unused = state.items_of_call(&row.id).filter(is_unused);
    unused
        .map(|item| RequestId::from(item.id.as_str()))
        .collect()
}

/// Returns the requests of a running guest that were decided, while the record does not say that the guest
/// got the verdict.
fn unused_verdicts(state: &SessionState, row: &CallRow, requests: &[RequestRow]) -> Vec<RequestId> {
    let item = state.item(&ItemId::from(row.id.as_str()));
    let receipts = match item.map(|item| &item.content) {
        Some(Content::Tool(tool)) => &tool.verdicts[..],
        _ => &[],
    };
    let is_unused = |request: &&RequestRow| {
        request.call == row.id
            && matches!(request.reply, Some(Reply::Verdict { .. }))
            && is_of_running_guest(request)
            && !receipts
                .iter()
                .any(|receipt| receipt.request.as_ref() == Some(&request.id))
    };
    let unused = requests.iter().filter(is_unused);
    unused.map(|request| request.id.clone()).collect()
}

/// Reports whether a guest requested approval, of an action or of a request to a host. Any other approval
/// was used when the call began.
fn is_of_running_guest(request: &RequestRow) -> bool {
    let ask = replies::approval_request(request);
    ask.is_some_and(|ask| ask.binding.action.is_some() || ask.network.is_some())
}

/// The requests of an interrupted call that were replied to, while the call may not have got the reply.
struct UnusedReplies {
    answers: Vec<RequestId>,
    verdicts: Vec<RequestId>,
}

impl UnusedReplies {
    /// Returns the result of the call. The ids of the requests are in the details, as `unusedAnswers` and
    /// `unusedVerdicts`.
    fn interrupted(self) -> CallResult {
        let mut error = "interrupted; it may have taken effect".to_owned();
        let mut details = Map::new();
        if !self.answers.is_empty() {
            error.push_str(
                "; the person had answered its question, and the answer may not have been used",
            );
            details.insert("unusedAnswers".to_owned(), json!(self.answers));
        }
        if !self.verdicts.is_empty() {
            error.push_str(
                "; the person had decided what it requested, and the verdict may not have been used",
            );
            details.insert("unusedVerdicts".to_owned(), json!(self.verdicts));
        }
        CallResult::Error {
            error,
            code: Some(FailureCode::Interrupted),
            details: (!details.is_empty()).then_some(Value::Object(details)),
        }
    }

    /// Returns a notice for the person, if there is something to notice.
    fn notice(&self, state: &SessionState, row: &CallRow) -> Option<Item> {
        let (after, reply) = match (&self.answers[..], &self.verdicts[..]) {
            ([], []) => return None,
            (_, []) => ("its question was answered", "the answer"),
            ([], _) => ("its request was decided", "the verdict"),
            (_, _) => ("its requests were settled", "the replies"),
        };
        let function = &row.function;
        let notice = Notice {
            level: Level::Warning,
            text: format!(
                "`{function}` was interrupted after {after}, and may not have used {reply}"
            ),
            extra: Map::new(),
        };
        // After everything that the call has shown.
        let n = first_free_number(state);
        let position = SessionState::position(row.turn, row.step, row.n, n);
        Some(new_item(mint("itm"), Content::Notice(notice), position))
    }
}

/// Returns a number for the next item of a call that no item of an interrupted run has had: the log
/// has an event for each item.
pub(super) fn first_free_number(state: &SessionState) -> u32 {
    u32::try_from(state.seq).unwrap_or(u32::MAX / 2) + 1
}

/// Takes the reply to the same question of an earlier run.
pub(super) fn take_reply_to(question: &Value, earlier: &mut Vec<RequestRow>) -> Option<Reply> {
    let is_same = |request: &RequestRow| request.body == *question;
    let at = earlier.iter().position(is_same)?;
    earlier.remove(at).reply
}

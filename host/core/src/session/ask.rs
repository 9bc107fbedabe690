//! The built-in tool with which the model asks the person. Nothing runs, so the question survives a
//! restart as a row.

use super::call_driver::question_request;
use super::driver::{Driver, new_item};
use super::scheduler::BuiltinOutcome;
use super::state::SessionState;
use crate::call::pending::NOBODY;
use crate::call::stage::now;
use crate::host::HOST_ID;
use crate::store::{Batch, CallRow, CallState, Reply, StoreError};
use footlight_vocabulary::event::EventBody;
use footlight_vocabulary::item::{Ask, AskState, Content, Item, ItemId, RequestId};
use footlight_vocabulary::question::{Control, Field, Question};
use serde_json::Map;

/// Asks, waits, and settles the call with the answer.
pub(super) async fn run(driver: &Driver, mut row: CallRow) -> Result<(), StoreError> {
    let question = match Question::from_model(row.input.clone()) {
        Ok(question) => question,
        Err(error) => {
            let ended = BuiltinOutcome::error(error.to_string());
            return driver.settle_builtin(row, ended, Vec::new()).await;
        }
    };
    let is_secret = |field: &Field| field.control == Control::Secret;
    if question.fields.iter().any(is_secret) {
        // The model would read the answer, and what the model reads is stored.
        let ended =
            BuiltinOutcome::error("a secret cannot be asked for; only a plugin can do that");
        return driver.settle_builtin(row, ended, Vec::new()).await;
    }
    let id = RequestId::from(format!("{}_a1", row.id));
    let request = question_request(driver, &row, id.clone(), HOST_ID.to_owned(), &question);
    let known = driver
        .session
        .state()
        .item(&ItemId::from(id.as_str()))
        .cloned();
    let mut shown = known.unwrap_or_else(|| open(&row, &id, &question));
    row.state = CallState::Approval;
    let is_new = driver.is_new(&request).await?;
    driver
        .commit(Batch {
            events: vec![EventBody::put(shown.clone())],
            calls: vec![row.clone()],
            pending: vec![request.clone()],
            ..Batch::default()
        })
        .await?;
    let reply = match driver.take_reply(&request).await? {
        Some((_, reply)) => Some(reply),
        None => {
            driver.announce_request(request.clone(), is_new);
            wait(driver, &request).await?
        }
    };
    let (state, ended) = match reply {
        Some(Reply::Answer {
            value: Some(value),
            by,
            ..
        }) => match question.check(value) {
            Ok(answer) => {
                if let Content::Ask(ask) = &mut shown.content {
                    ask.response = Some(answer.text());
                    ask.values = Some(answer.recordable());
                    ask.answered_by = by;
                }
                (AskState::Answered, BuiltinOutcome::success(answer.text()))
            }
            Err(error) => (
                AskState::Cancelled,
                BuiltinOutcome::error(error.to_string()),
            ),
        },
        Some(Reply::Skip { by, .. }) => {
            if let Content::Ask(ask) = &mut shown.content {
                ask.answered_by = by;
            }
            let words = "the person chose not to answer; continue without the answer";
            (AskState::Skipped, BuiltinOutcome::error(words))
        }
        Some(Reply::Expired { .. }) => {
            let ended = BuiltinOutcome::no_person("nobody answered in time");
            (AskState::Expired, ended)
        }
        Some(Reply::NoPerson { .. }) => (AskState::Expired, BuiltinOutcome::no_person(NOBODY)),
        // Cancelled: the end of the turn settles the call.
        _ => return Ok(()),
    };
    if let Content::Ask(ask) = &mut shown.content {
        ask.state = state;
    }
    shown.rev += 1;
    shown.end = Some(now());
    let asked = vec![EventBody::put(shown)];
    driver.settle_builtin(row, ended, asked).await
}

fn open(row: &CallRow, id: &RequestId, question: &Question) -> Item {
    let ask = Ask {
        call: row.id.clone(),
        prompt: question.prompt.clone(),
        widgets: question.fields.clone(),
        state: AskState::Open,
        response: None,
        values: None,
        answered_by: None,
        extra: Map::new(),
    };
    let position = SessionState::position(row.turn, row.step, row.n, 1);
    new_item(id.as_str().to_owned(), Content::Ask(ask), position)
}

async fn wait(
    driver: &Driver,
    request: &crate::store::RequestRow,
) -> Result<Option<Reply>, StoreError> {
    loop {
        let changed = driver.session.store.changed();
        if let Some((_, reply)) = driver.take_reply(request).await? {
            return Ok(Some(reply));
        }
        tokio::select! {
            settled = driver.settled_or_expired(changed, std::slice::from_ref(request)) => settled?,
            () = driver.cancelled() => return Ok(None),
        }
    }
}

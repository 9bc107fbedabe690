//! Threads: listing, reading, changing and deleting them. A thread is a session of the client's person.

use super::items::{Entry, ThreadRecord, ThreadView, entries};
use super::request::{Feedback, FeedbackKind, ListItems, Order, PageOf, UpdateThread};
use super::wire::{Page, Thread, ThreadItem, ThreadStatus};
use crate::App;
use crate::access::Identity;
use crate::problem::{Problem, ProblemCode};
use crate::route::is_id;
use footlight::Session;
use footlight::store::{Bucket, BucketLimits, Expected, RequestRow, SessionRow};
use footlight_vocabulary::item::{ItemId, SessionId, Timestamp, TurnId};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// The most bytes of a title.
const MAX_TITLE: usize = 1_024;

/// How many threads are looked through for a page that begins with the oldest.
const MAX_THREADS: usize = 10_000;

/// How many threads are read at a time.
const READ: usize = 200;

/// How many items a request can have feedback on.
const MAX_FEEDBACK: usize = 100;

/// The bucket of a session that holds feedback by item. No plugin has this name, because a plugin's
/// has no dot.
const FEEDBACK: &str = "chatkit.feedback";

/// The bounds of that bucket.
const FEEDBACK_LIMITS: BucketLimits = BucketLimits {
    bytes: 256 << 10,
    values: 1_000,
};

/// Returns a thread without its items.
pub(super) fn without_items(row: SessionRow) -> Thread {
    Thread {
        title: Some(row.title).filter(|title| !title.is_empty()),
        id: row.id,
        created_at: row.created,
        status: ThreadStatus::Active,
        allowed_image_domains: [],
        metadata: Map::new(),
        items: Page::default(),
    }
}

/// `threads.get_by_id`
pub(super) async fn get(
    app: &Arc<App>,
    client: &Identity,
    id: &SessionId,
) -> Result<Thread, Problem> {
    let row = app.host.person(&client.person).session_row(id).await?;
    Ok(Thread {
        items: page_of_items(app, client, id, &PageOf::first()).await?,
        ..without_items(row)
    })
}

/// `threads.list`
pub(super) async fn list(
    app: &Arc<App>,
    client: &Identity,
    page: &PageOf,
) -> Result<Page<Thread>, Problem> {
    let person = app.host.person(&client.person);
    let after = match &page.after {
        None => None,
        Some(after) if is_id(after) => {
            Some(person.session_row(&SessionId::from(after.as_str())).await?)
        }
        Some(_) => return Err(Problem::not_found()),
    };
    let limit = page.size();
    let mut rows = match page.order {
        // One more, to see whether there is a next page.
        Order::Desc => person.sessions(after.as_ref(), limit + 1).await?,
        Order::Asc => {
            let mut rows: Vec<SessionRow> = Vec::new();
            while rows.len() < MAX_THREADS {
                let more = person.sessions(rows.last(), READ).await?;
                if more.is_empty() {
                    break;
                }
                rows.extend(more);
            }
            rows.reverse();
            let begin = match &after {
                Some(after) => rows.iter().position(|row| row.id == after.id),
                None => None,
            };
            rows.drain(..begin.map_or(0, |at| at + 1));
            rows
        }
    };
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().filter(|_| has_more);
    Ok(Page {
        after: last.map(|row| row.id.to_string()),
        has_more,
        data: rows.into_iter().map(without_items).collect(),
    })
}

/// `items.list`
pub(super) async fn items(
    app: &Arc<App>,
    client: &Identity,
    list: &ListItems,
) -> Result<Page<ThreadItem>, Problem> {
    let id = list.thread_id.session()?;
    page_of_items(app, client, &id, &list.page).await
}

async fn page_of_items(
    app: &Arc<App>,
    client: &Identity,
    id: &SessionId,
    page: &PageOf,
) -> Result<Page<ThreadItem>, Problem> {
    let thread = load(app, client, id).await?;
    let mut entries = entries(&thread);
    if page.order == Order::Desc {
        entries.reverse();
    }
    let begin = match &page.after {
        None => 0,
        Some(after) => {
            let found = entries.iter().position(|entry| entry.id() == *after);
            found.ok_or_else(Problem::not_found)? + 1
        }
    };
    let rest = &entries[begin..];
    let shown = &rest[..rest.len().min(page.size())];
    let has_more = shown.len() < rest.len();
    let view = ThreadView::new(id, client);
    Ok(Page {
        data: shown.iter().filter_map(|entry| entry.draw(&view)).collect(),
        has_more,
        after: shown.last().filter(|_| has_more).map(Entry::id),
    })
}

/// Returns what a thread of the client is made from.
pub(super) async fn load(
    app: &Arc<App>,
    client: &Identity,
    id: &SessionId,
) -> Result<ThreadRecord, Problem> {
    let session = app.sessions.open(app, client, id).await?;
    let pending = pending_of(app, client, id).await?;
    let (record, _) = session.follow_with_record();
    let mut first_turns = HashMap::new();
    if record.turns.iter().any(|turn| turn.retries.is_some()) {
        // The record has no turns that were run again; the store has.
        let all = app.host.store().open(id).await?.turns;
        let retries: HashMap<&TurnId, &TurnId> = all
            .iter()
            .filter_map(|turn| Some((&turn.id, turn.retries.as_ref()?)))
            .collect();
        for turn in retries.keys() {
            let mut first = *turn;
            // A turn runs an earlier one again, so that this ends.
            while let Some(earlier) = retries.get(first) {
                first = earlier;
            }
            first_turns.insert((*turn).clone(), first.clone());
        }
    }
    Ok(ThreadRecord {
        record,
        pending,
        first_turns,
    })
}

/// Returns the pending requests of a thread.
pub(super) async fn pending_of(
    app: &Arc<App>,
    client: &Identity,
    id: &SessionId,
) -> Result<Vec<RequestRow>, Problem> {
    let mut pending = app.host.person(&client.person).pending().await?;
    pending.retain(|request| request.session == *id);
    Ok(pending)
}

/// Returns the time at which the call of a request began.
pub(super) fn call_start(session: &Session, request: &RequestRow) -> Timestamp {
    let call = ItemId::from(request.call.as_str());
    session.item(&call).map_or(request.since, |item| item.start)
}

/// `threads.update`
pub(super) async fn update(
    app: &Arc<App>,
    client: &Identity,
    update: UpdateThread,
) -> Result<Thread, Problem> {
    let id = update.thread_id.session()?;
    if update.title.trim().is_empty() || update.title.len() > MAX_TITLE {
        return Err(Problem::invalid("a title has 1 to 1,024 bytes"));
    }
    let person = app.host.person(&client.person);
    person.rename(&id, update.title).await?;
    Ok(without_items(person.session_row(&id).await?))
}

/// `threads.delete`
pub(super) async fn delete(
    app: &Arc<App>,
    client: &Identity,
    id: &SessionId,
) -> Result<Value, Problem> {
    app.host.person(&client.person).delete(id).await?;
    app.sessions.close(id);
    Ok(Value::Object(Map::new()))
}

/// `items.feedback`
///
/// The latest word on an item counts. It is kept with the session, and deleted with it.
pub(super) async fn feedback(
    app: &Arc<App>,
    client: &Identity,
    feedback: &Feedback,
) -> Result<Value, Problem> {
    let id = feedback.thread_id.session()?;
    app.host.person(&client.person).session_row(&id).await?;
    if feedback.item_ids.len() > MAX_FEEDBACK || !feedback.item_ids.iter().all(|id| is_id(id)) {
        return Err(Problem::invalid(
            "feedback is on 1 to 100 items of a thread",
        ));
    }
    let thread = load(app, client, &id).await?;
    let known: Vec<String> = entries(&thread).iter().map(Entry::id).collect();
    if !feedback.item_ids.iter().all(|id| known.contains(id)) {
        return Err(Problem::not_found());
    }
    let word = match feedback.kind {
        FeedbackKind::Positive => "\"positive\"",
        FeedbackKind::Negative => "\"negative\"",
    };
    let bucket = Bucket::of_session(&client.person, FEEDBACK, &id);
    for item in &feedback.item_ids {
        let value = Some(word.to_owned());
        let store = app.host.store();
        let set = store.set_state(&bucket, item, value, Expected::Anything, FEEDBACK_LIMITS);
        let full = |_| Problem::new(ProblemCode::TooLarge, "this thread has too much feedback");
        set.await?.map_err(full)?;
    }
    Ok(Value::Object(Map::new()))
}

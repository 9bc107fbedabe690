//! What a thread shows of a session's record.
//!
//! | record | thread |
//! | --- | --- |
//! | prompt of a turn | `user_message`, under the id of the turn |
//! | text | `assistant_message` |
//! | reasoning | `workflow` with one thought |
//! | call | `workflow` with one task; once it has a result, a card with it, under the id and `_result` |
//! | widget | `widget` with its tree; without one that can be drawn, a card with its fallback |
//! | question | `widget`: a form, then the answer |
//! | approval request | `widget` after its call, under the id of the request: buttons, then the verdict |
//! | output | `widget`: a card with title, kind and size |
//! | notice | the event `notice`; not part of a thread that is read later |
//!
//! A notice has no item because ChatKit has none that would not pass for words of the model.

use super::approval::{Decision, approval_card};
use super::ask::ask_card;
use super::card::{caption, card, label, text, title};
use super::tree::{Source, chatkit_tree, plain_text, safe_markdown};
use super::wire::{
    Indicator, InferenceOptions, ItemContent, OutputText, Summary, Task, TaskKind, ThreadItem,
    UserContent, Workflow, WorkflowKind,
};
use crate::access::{Identity, Permission};
use footlight::session::SessionRecord;
use footlight::store::{RequestKind, RequestRow, TurnRow};
use footlight_render::filter::{clean, line};
use footlight_render::lower::{Limits, Lower};
use footlight_render::markdown::{markdown, markdown_all};
use footlight_render::view::{CallState, Thought, View};
use footlight_vocabulary::component::check;
use footlight_vocabulary::event::Origin;
use footlight_vocabulary::item::{
    CallResult, Content, Item, Output, Receipt, SessionId, Timestamp, Tool, TurnId, Widget,
};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The most characters of a text that a client copies instead of a widget.
const MAX_COPY: usize = 10_000;

/// How much of a result is drawn.
const RESULT: Limits = Limits {
    text: 20_000,
    lines: 400,
    rows: 100,
    columns: 20,
    cell: 500,
    values: 500,
    depth: 16,
    points: 100,
};

/// A thread as one client sees it.
#[derive(Debug, Clone)]
pub(super) struct ThreadView {
    pub(super) id: SessionId,
    /// What the client may do.
    may: Permission,
}

impl ThreadView {
    pub(super) fn new(id: &SessionId, client: &Identity) -> Self {
        Self {
            id: id.clone(),
            may: client.may,
        }
    }

    fn make(&self, id: impl Into<String>, at: Timestamp, content: ItemContent) -> ThreadItem {
        ThreadItem {
            id: id.into(),
            thread_id: self.id.clone(),
            created_at: at,
            content,
        }
    }

    fn widget(&self, id: &str, at: Timestamp, widget: Value, copy: Option<&str>) -> ThreadItem {
        let copy_text = copy.map(|text| clean(text).chars().take(MAX_COPY).collect());
        self.make(id, at, ItemContent::Widget { widget, copy_text })
    }

    /// Returns the message of a turn's prompt.
    pub(super) fn message(&self, id: &str, prompt: &str, at: Timestamp) -> ThreadItem {
        let text = prompt.to_owned();
        let content = ItemContent::UserMessage {
            content: [UserContent::InputText { text }],
            attachments: [],
            inference_options: InferenceOptions {},
        };
        self.make(id, at, content)
    }

    /// Returns a message of the model with this text so far.
    pub(super) fn answer(&self, id: &str, text: Option<&str>, at: Timestamp) -> ThreadItem {
        let content = text.map(|text| OutputText::new(safe_markdown(text)));
        let content = content.into_iter().collect();
        self.make(id, at, ItemContent::AssistantMessage { content })
    }

    /// Returns an item of the record; none if it has no place in a thread.
    pub(super) fn item(&self, item: &Item) -> Option<ThreadItem> {
        let (id, at) = (item.id.as_str(), item.start);
        Some(match &item.content {
            Content::Text(text) => self.answer(id, Some(&text.text), at),
            Content::Reasoning(_) => {
                let View::Thought(thought) = Lower::default().within(RESULT).item(item) else {
                    return None;
                };
                self.thought(id, &thought, at)
            }
            Content::Tool(tool) => {
                let workflow = workflow(item, tool);
                self.make(id, at, ItemContent::Workflow { workflow })
            }
            Content::Widget(widget) => {
                let copy = widget.copy_text.as_ref().unwrap_or(&widget.fallback);
                self.widget(id, at, drawn(item, widget), Some(copy))
            }
            Content::Ask(ask) => self.widget(id, at, ask_card(item, ask), None),
            Content::Output(output) => self.widget(id, at, output_card(output), None),
            Content::Notice(_) => return None,
            Content::Other(_) => {
                let words = markdown(&Lower::default().within(RESULT).item(item));
                let body = super::card::markdown("body", &words);
                self.widget(id, at, card(vec![body]), None)
            }
        })
    }

    /// Returns the reasoning of the model.
    fn thought(&self, id: &str, thought: &Thought, at: Timestamp) -> ThreadItem {
        let workflow = Workflow {
            kind: WorkflowKind::Reasoning,
            tasks: [thought_task(thought)],
            summary: thought.millis.map(|millis| Summary::Timed {
                duration: millis / 1000,
            }),
            expanded: false,
        };
        self.make(id, at, ItemContent::Workflow { workflow })
    }

    /// Returns reasoning that has just begun.
    pub(super) fn thinking(&self, id: &str, at: Timestamp) -> ThreadItem {
        self.thought(id, &Lower::default().thought("", None), at)
    }

    /// Returns the result of a call; none if it has none for the person.
    pub(super) fn result(&self, item: &Item) -> Option<ThreadItem> {
        has_result(item).then_some(())?;
        let View::Call(call) = Lower::default().within(RESULT).item(item) else {
            return None;
        };
        let words = match markdown(&call.body) {
            words if words.is_empty() => "(empty)".to_owned(),
            words => words,
        };
        let body = json!({ "type": "Markdown", "id": "result", "value": words });
        let id = result_id(item);
        let at = item.end.unwrap_or(item.start);
        Some(self.widget(&id, at, card(vec![body]), Some(&words)))
    }

    /// Returns a pending request for approval, made by a call at this time.
    pub(super) fn pending(&self, request: &RequestRow, at: Timestamp) -> Option<ThreadItem> {
        let widget = approval_card(request, self.may)?;
        Some(self.widget(request.id.as_str(), at, widget, None))
    }

    /// Returns a request for approval that was decided.
    pub(super) fn decided(&self, id: &str, decision: &Decision, at: Timestamp) -> ThreadItem {
        self.widget(id, at, decision.card(), None)
    }
}

/// Returns the id of the item with a call's result.
pub(super) fn result_id(item: &Item) -> String {
    format!("{}_result", item.id)
}

pub(super) fn has_result(item: &Item) -> bool {
    let Content::Tool(tool) = &item.content else {
        return false;
    };
    let CallResult::Success { output } = &tool.result else {
        return false;
    };
    let hints = output.get("display");
    let view = hints.and_then(|hints| hints.get("preferredView")?.as_str());
    view != Some("hidden")
}

/// Returns the steps of a call: one.
pub(super) fn workflow(item: &Item, tool: &Tool) -> Workflow {
    let task = task(item, tool);
    let summary = Summary::Titled {
        title: label(&tool.function),
        icon: "bolt",
    };
    Workflow {
        kind: WorkflowKind::Custom,
        tasks: [task],
        summary: Some(summary),
        expanded: false,
    }
}

/// Returns the step of reasoning that took this many milliseconds.
pub(super) fn reasoned(text: &str, millis: u64) -> Task {
    let lower = Lower::default().within(RESULT);
    thought_task(&lower.thought(text, Some(millis)))
}

fn thought_task(thought: &Thought) -> Task {
    Task {
        kind: TaskKind::Thought,
        status_indicator: match thought.millis {
            None => Indicator::Loading,
            Some(_) => Indicator::Complete,
        },
        title: None,
        content: Some(markdown_all(&thought.body)),
    }
}

fn task(item: &Item, tool: &Tool) -> Task {
    let drawn = Lower::default().within(RESULT).item(item);
    let (state, content) = match drawn {
        View::Call(mut call) => {
            // A result has a card of its own; the reason of a failure stands here.
            if call.state == CallState::Done {
                *call.body = View::Hidden;
            }
            (call.state, Some(markdown(&View::Call(call))))
        }
        _ => (CallState::Failed, None),
    };
    let status_indicator = match state {
        CallState::Done => Indicator::Complete,
        CallState::Queued | CallState::Running | CallState::AwaitingPerson => Indicator::Loading,
        _ => Indicator::None,
    };
    Task {
        kind: TaskKind::Custom,
        status_indicator,
        title: Some(label(&tool.function)),
        content,
    }
}

/// Returns what is drawn of a widget: its tree, or a card with its fallback.
fn drawn(item: &Item, widget: &Widget) -> Value {
    let view = widget.view.as_ref().filter(|_| !widget.invalid_data);
    match view.filter(|view| check(view).is_ok()) {
        Some(view) => chatkit_tree(
            view,
            Source {
                item: &item.id,
                rev: item.rev,
            },
        ),
        None => {
            let fallback = match widget.fallback.trim() {
                "" => &widget.widget,
                fallback => fallback,
            };
            card(vec![plain_text(fallback, "fallback")])
        }
    }
}

fn output_card(output: &Output) -> Value {
    let size = match output.size {
        size if size < 1 << 10 => format!("{size} bytes"),
        size if size < 1 << 20 => format!("{} KiB", size >> 10),
        size => format!("{} MiB", size >> 20),
    };
    let kind = line(&output.mime_type, 100);
    let until = format!("{}, {size}, until {}", kind, output.expires);
    card(vec![
        title(&output.title),
        text("kind", output.kind.as_str()),
        caption(&until),
    ])
}

/// What a thread is made from.
pub(super) struct ThreadRecord {
    pub(super) record: SessionRecord,
    /// The pending requests.
    pub(super) pending: Vec<RequestRow>,
    /// For turns that run a prompt again: the id of the turn that ran it first, which its message keeps.
    pub(super) first_turns: HashMap<TurnId, TurnId>,
}

impl ThreadRecord {
    /// Returns the id of the message that started a turn.
    pub(super) fn message_id<'a>(&'a self, turn: &'a TurnRow) -> &'a TurnId {
        self.first_turns.get(&turn.id).unwrap_or(&turn.id)
    }
}

/// An entry of a thread, before it is drawn: of a long thread, only a page is.
pub(super) enum Entry<'a> {
    /// A prompt, and the id of its message.
    Message(&'a TurnRow, &'a TurnId),
    Item(&'a Item),
    Result(&'a Item),
    /// A pending request for approval, and its call.
    Pending(&'a RequestRow, &'a Item),
    /// A verdict on a request, and the call that made it.
    Decided(&'a str, &'a Receipt, &'a Item, &'a Tool),
}

impl Entry<'_> {
    pub(super) fn id(&self) -> String {
        match self {
            Self::Message(_, id) => id.to_string(),
            Self::Item(item) => item.id.to_string(),
            Self::Result(item) => result_id(item),
            Self::Pending(request, _) => request.id.to_string(),
            Self::Decided(id, ..) => (*id).to_owned(),
        }
    }

    pub(super) fn draw(&self, thread: &ThreadView) -> Option<ThreadItem> {
        match self {
            Self::Message(turn, id) => Some(thread.message(id.as_str(), &turn.prompt, turn.start)),
            Self::Item(item) => thread.item(item),
            Self::Result(item) => thread.result(item),
            Self::Pending(request, call) => thread.pending(request, call.start),
            Self::Decided(id, receipt, call, tool) => {
                let decision = Decision::of(receipt, &tool.function);
                Some(thread.decided(id, &decision, call.start))
            }
        }
    }
}

/// Returns the entries of a thread, in order.
pub(super) fn entries(thread: &ThreadRecord) -> Vec<Entry<'_>> {
    let record = &thread.record;
    let mut open: HashMap<&str, Vec<&RequestRow>> = HashMap::new();
    for request in &thread.pending {
        if request.kind != RequestKind::Ask {
            open.entry(request.call.as_str()).or_default().push(request);
        }
    }
    let mut entries = Vec::new();
    let mut items = record.items.iter().peekable();
    // The call whose result follows what it has shown.
    let mut last: Option<&Item> = None;
    for turn in &record.turns {
        if turn.origin == Origin::Person {
            entries.push(Entry::Message(turn, thread.message_id(turn)));
        }
        while let Some(item) = items.next_if(|item| item.position.turn <= turn.n) {
            let place = |item: &Item| (item.position.turn, item.position.step, item.position.call);
            let ended = last.take_if(|call| place(call) != place(item));
            entries.extend(ended.map(Entry::Result));
            let Content::Tool(tool) = &item.content else {
                if !matches!(item.content, Content::Notice(_)) {
                    entries.push(Entry::Item(item));
                }
                continue;
            };
            entries.push(Entry::Item(item));
            let receipts = tool.verdict.iter().chain(&tool.verdicts);
            let decided = receipts.filter_map(|receipt| {
                let id = receipt.request.as_ref()?.as_str();
                Some(Entry::Decided(id, receipt, item, tool))
            });
            entries.extend(decided);
            let waiting = open.remove(item.id.as_str()).unwrap_or_default();
            let waiting = waiting.into_iter();
            entries.extend(waiting.map(|request| Entry::Pending(request, item)));
            last = has_result(item).then_some(item);
        }
        entries.extend(last.take().map(Entry::Result));
    }
    entries
}

//! What a person presses in a widget: a turn of its own, which runs one tool and asks no model.
//!
//! The tool and what it is called with stand in the widget's view, where the host finds them; of a
//! client it takes only which widget, at which revision, where in its view, and what was filled in.
//! In the rows the person's press stands where the model's answer would: a step with one call. So
//! everything that holds for calls of the model holds for it, and the model reads it later like any
//! other call.
//!
//! The first widget that the call shows takes the sender's place. If the call fails, the sender is
//! what it was; if it succeeds and shows nothing, the sender keeps what was filled in.
//!
//! Invariant: a press is no consent. It is policed like a call of the model's.

use super::driver::{Driver, new_item};
use super::state::SessionState;
use super::step;
use super::{TurnError, mint};
use crate::call::stage::now;
use crate::model::{Finished, ModelPart, ToolCall};
use crate::store::{Batch, CallRow, StepRow, StoreError, TurnRow};
use footlight_vocabulary::component::{self, PlacedAction};
use footlight_vocabulary::event::{Happening, Origin, Status};
use footlight_vocabulary::function::FunctionName;
use footlight_vocabulary::item::{
    CallResult, Content, Item, ItemId, Level, Notice, TurnId, Widget,
};
use footlight_vocabulary::json;
use serde_json::{Map, Value};

/// Who gave the step of an action, where otherwise the model's name stands.
const PERSON_STEP: &str = "person";

/// The most bytes of an input: what a view can hold, and then some.
const MAX_INPUT: usize = 64 << 10;

/// How many events of the log are read at once.
const LOG_PAGE: usize = 256;

/// Something of a widget that a person pressed, changed or submitted.
#[derive(Debug, Clone, PartialEq)]
pub struct Press {
    /// The widget.
    pub item: ItemId,
    /// The revision that the person saw.
    pub rev: u64,
    /// The place of the action in the widget's view, such as `children[1].onClickAction`.
    pub path: String,
    /// What is filled in, by the names of the fields: those of the form around the action, or the
    /// one that has it.
    pub values: Map<String, Value>,
}

/// Why a press has no effect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PressError {
    /// A turn cannot start now.
    #[error(transparent)]
    Turn(TurnError),
    /// The widget does not exist, or was removed.
    #[error("what was pressed is not there any more")]
    WidgetRemoved,
    /// The widget has changed since the person saw it.
    #[error("what was pressed has changed meanwhile; look at it again")]
    WidgetChanged,
    /// There is no action at this place.
    #[error("nothing can be pressed there")]
    NoAction,
    /// No field has this name.
    #[error("there is no field `{}` to fill in", .0.escape_debug())]
    NoField(String),
    /// The values are too large.
    #[error("more was filled in than the {MAX_INPUT} bytes that are taken"
            )]
    TooLarge,
    /// This field is for a secret, and values of a press are recorded.
    #[error("the field `{}` wants a secret, and what is filled in here is kept; a plugin has to ask for a secret instead", .0.escape_debug())]
    Secret(String),
}

impl From<TurnError> for PressError {
    fn from(error: TurnError) -> Self {
        Self::Turn(error)
    }
}

/// The call that a press means.
pub(super) fn read(state: &SessionState, press: &Press) -> Result<ToolCall, PressError> {
    let item = state.item(&press.item).ok_or(PressError::WidgetRemoved)?;
    let Content::Widget(widget) = &item.content else {
        return Err(PressError::NoAction);
    };
    if item.rev != press.rev {
        return Err(PressError::WidgetChanged);
    }
    let (view, placed) = placed(widget, &press.path).ok_or(PressError::NoAction)?;
    let fields = component::fields_of(view, &placed);
    for name in press.values.keys() {
        let mut own = fields.iter().filter(|field| field.name == *name).peekable();
        if own.peek().is_none() {
            return Err(PressError::NoField(name.clone()));
        }
        if own.any(|field| field.is_secret) {
            return Err(PressError::Secret(name.clone()));
        }
    }
    let shown = state.calls.iter().find(|row| row.id == widget.call);
    let shown: Option<FunctionName> = shown.and_then(|row| row.function.parse().ok());
    let function = shown
        .and_then(|shown| FunctionName::new(shown.plugin(), placed.action.tool()).ok())
        .ok_or(PressError::NoAction)?;
    let input = component::apply_form(placed.action.input().clone(), &press.values);
    let arguments = json::canonical(&input);
    if arguments.len() > MAX_INPUT {
        return Err(PressError::TooLarge);
    }
    Ok(ToolCall {
        id: mint("act"),
        name: function.wire(),
        arguments,
        opaque: None,
    })
}

/// The view of a widget and the action at a place in it.
fn placed<'a>(widget: &'a Widget, path: &str) -> Option<(&'a Value, PlacedAction)> {
    let view = widget.view.as_ref()?;
    let mut actions = component::find_actions(view).into_iter();
    let placed = actions.find(|placed| placed.path == path)?;
    // Another handler is another's business.
    (placed.action.heard_by() == component::Handler::Server).then_some((view, placed))
}

impl Driver {
    /// Begins the turn of a press. One that comes too late is on the record, and calls nothing.
    pub(super) async fn open_press(&self, press: Press) -> Result<(), StoreError> {
        let mut batch = Batch::default();
        {
            let state = self.session.state();
            let n = state.next_turn();
            let read = read(&state, &press);
            let prompt = match &read {
                Ok(call) => line(call),
                Err(why) => format!("[action] {why}"),
            };
            batch.events.push(Happening::TurnStarted {
                prompt: prompt.clone(),
                origin: Origin::Action,
                item: Some(press.item.clone()),
                rev: Some(press.rev),
            });
            batch.turns.push(TurnRow {
                n,
                id: TurnId::from(mint("turn")),
                prompt,
                origin: Origin::Action,
                item: Some(press.item),
                rev: Some(press.rev),
                path: Some(press.path),
                start: now(),
                status: None,
            });
            match read {
                Ok(call) => self.put_call(&mut batch, n, call),
                Err(why) => {
                    let notice = Notice {
                        level: Level::Warning,
                        text: why.to_string(),
                        extra: Map::new(),
                    };
                    let position = SessionState::position(n, 1, 0, 0);
                    let item = new_item(mint("itm"), Content::Notice(notice), position);
                    batch.events.push(Happening::put(item));
                }
            }
        }
        self.commit(batch).await
    }

    /// The step of an action: its one call.
    fn put_call(&self, batch: &mut Batch, turn: u32, call: ToolCall) {
        let mut row = step::row(&self.session.host, turn, 1, 1, &call);
        self.record_call(batch, &mut row, &call, None);
        batch.steps.push(StepRow {
            turn,
            step: 1,
            model: PERSON_STEP.to_owned(),
            finished: Finished {
                parts: vec![ModelPart::Call(call)],
                ..Finished::default()
            },
        });
    }

    /// How the turn of an action ended.
    pub(super) fn press_status(&self, turn: &TurnRow) -> Status {
        let state = self.session.state();
        let call = state.calls_of(turn.n, 1).next();
        let item = call.and_then(|row| state.item(&ItemId::from(row.id.as_str())));
        match item.map(|item| &item.content) {
            Some(Content::Tool(tool)) if matches!(tool.result, CallResult::Success { .. }) => {
                Status::Done
            }
            _ => Status::Error,
        }
    }

    /// After a crash in the middle of an action's call: puts the sender back as it was. Its new
    /// revision is what the turn compares with from now on.
    pub(super) async fn restore_pressed_widget(&self) -> Result<Batch, StoreError> {
        let mut batch = Batch::default();
        let turn = self.session.state().open_turn().cloned();
        let Some((mut turn, id, rev)) =
            turn.and_then(|turn| Some((turn.clone(), turn.item?, turn.rev?)))
        else {
            return Ok(batch);
        };
        let is_same = |item: &Item| item.rev == rev;
        if self.session.state().item(&id).is_some_and(is_same) {
            return Ok(batch);
        }
        let (mut before, mut last, mut seq) = (None, rev, 0);
        loop {
            let page = self
                .session
                .store
                .log(&self.session.id, seq, LOG_PAGE)
                .await?;
            let Some(end) = page.last().and_then(|event| event.seq) else {
                break;
            };
            for event in page {
                if let Happening::Put { item, rev: of } = event.what
                    && item.id == id
                {
                    last = last.max(of);
                    if of == rev {
                        before = Some(*item);
                    }
                }
            }
            seq = end;
        }
        if let Some(mut pressed) = before {
            pressed.rev = last + 1;
            turn.rev = Some(pressed.rev);
            batch.turns.push(turn);
            batch.events.push(Happening::put(pressed));
        }
        Ok(batch)
    }
}

/// What the model reads in place of a prompt. What was sent along stands in the call that follows:
/// the payload is the plugin's, and here it would pass for the person's words.
fn line(call: &ToolCall) -> String {
    let name = FunctionName::from_wire(&call.name);
    name.map_or_else(|_| "[action]".to_owned(), |name| format!("[action:{name}]"))
}

/// The widget whose action a call is, which the call's first widget replaces.
pub(super) struct PressedWidget {
    before: Item,
    /// The call's own widget that stands in its place.
    by: Option<ItemId>,
    /// Its last revision.
    rev: u64,
    path: String,
}

impl PressedWidget {
    /// The sender of a turn, if it is still as the person saw it.
    pub(super) fn of(state: &SessionState, turn: &TurnRow) -> Option<Self> {
        let before = state.item(turn.item.as_ref()?)?;
        (turn.rev == Some(before.rev)).then(|| Self {
            before: before.clone(),
            by: None,
            rev: before.rev,
            path: turn.path.clone().unwrap_or_default(),
        })
    }

    /// Puts a widget of the call in the sender's place, if it is the one that belongs there.
    pub(super) fn replaced_by(&mut self, item: &mut Item) -> bool {
        let (Content::Widget(shown), Content::Widget(before)) =
            (&mut item.content, &self.before.content)
        else {
            return false;
        };
        if *self.by.get_or_insert_with(|| item.id.clone()) != item.id {
            return false;
        }
        shown.call.clone_from(&before.call);
        item.id.clone_from(&self.before.id);
        item.position = self.before.position;
        item.start = self.before.start;
        self.rev += 1;
        item.rev = self.rev;
        true
    }

    /// The sender's id, if this widget of the call's stands in its place.
    pub(super) fn stands_for(&self, id: &ItemId) -> Option<&ItemId> {
        (self.by.as_ref() == Some(id)).then_some(&self.before.id)
    }

    /// What becomes of the sender when the call is over, beside what the call has shown: `seen` is
    /// what the store has of it.
    pub(super) fn settle(self, batch: &mut Batch, row: &CallRow, seen: Option<&Item>, is_ok: bool) {
        let mut after = self.before;
        if !is_ok {
            let is_other = |event: &Happening| match event {
                Happening::Put { item, .. } => item.id != after.id,
                Happening::Remove { id } => *id != after.id,
                _ => true,
            };
            batch.events.retain(is_other);
            if seen.is_some_and(|seen| seen.rev == after.rev) {
                return;
            }
        } else if self.by.is_some() || !keep(&mut after, &self.path, &row.input) {
            return;
        }
        after.rev = self.rev + 1;
        batch.events.push(Happening::put(after));
    }
}

/// Fills in what was submitted, and says whether that changes anything (K-33).
fn keep(pressed: &mut Item, path: &str, input: &Value) -> bool {
    let Content::Widget(widget) = &mut pressed.content else {
        return false;
    };
    let Some((view, placed)) = placed(widget, path) else {
        return false;
    };
    let filled = component::filled_in(view, &component::fields_of(view, &placed), input);
    if filled == *view || component::check(&filled).is_err() {
        return false;
    }
    widget.view = Some(filled);
    true
}

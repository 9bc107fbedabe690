//! Presses in widgets: a turn that runs one tool, and that the model answers if it is asked to.
//!
//! The host reads the tool and its payload from the widget's view. A client only says which widget,
//! at which revision, where in its view, and what was filled in. In the rows a press takes the
//! place of the model's answer, as a step with one call. Everything that holds for calls of the
//! model therefore holds for presses, and the model reads the call in its next step, which is one of
//! this turn or of a later one.
//!
//! The first widget that the call shows replaces the pressed widget. If the call fails, the pressed
//! widget is restored; if the call succeeds without showing a widget, the pressed widget keeps what
//! was filled in.
//!
//! Invariant: a press is not an approval. Policy treats it like a call of the model.

use super::driver::{Driver, new_item};
use super::state::SessionState;
use super::step;
use super::{Settings, TurnError, mint};
use crate::call::stage::now;
use crate::model::{Finished, ModelPart, ToolCall};
use crate::store::{Batch, CallRow, StepRow, StoreError, TurnRow};
use footlight_vocabulary::component::{self, PlacedAction};
use footlight_vocabulary::event::{EventBody, Origin, Status};
use footlight_vocabulary::function::FunctionName;
use footlight_vocabulary::item::{CallResult, Content, Item, ItemId, Level, Notice, Widget};
use footlight_vocabulary::json;
use serde_json::{Map, Value};

/// The name of the model in the step of a press.
const PERSON_STEP: &str = "person";

/// The most bytes of an input: more than a view can hold.
const MAX_INPUT: usize = 64 << 10;

/// How many events of the log are read at a time.
const LOG_PAGE: usize = 256;

/// A press, change or submission in a widget.
#[derive(Debug, Clone, PartialEq)]
pub struct Press {
    /// The widget.
    pub item: ItemId,
    /// The revision that the person saw.
    pub rev: u64,
    /// The place of the action in the widget's view, such as `children[1].onClickAction`.
    pub path: String,
    /// The values by field name, of the fields in the form around the action or of the field that
    /// has the action.
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
    /// The plugin of the widget does not take part in the session.
    #[error("the plugin `{0}` takes no part in this session")]
    NoPlugin(String),
    /// No field has this name.
    #[error("there is no field `{}` to fill in", .0.escape_debug())]
    NoField(String),
    /// The values are too large.
    #[error("more was filled in than the {MAX_INPUT} bytes that are taken")]
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

/// Returns the call of a press.
pub(super) fn read(
    state: &SessionState,
    press: &Press,
    settings: &Settings,
) -> Result<ToolCall, PressError> {
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
    if !settings.admits(function.plugin()) {
        return Err(PressError::NoPlugin(function.plugin().to_owned()));
    }
    let input = component::apply_form(placed.action.input().clone(), &press.values);
    let arguments = json::canonical(&input);
    if arguments.len() > MAX_INPUT {
        return Err(PressError::TooLarge);
    }
    Ok(ToolCall::new(mint("act"), function.wire(), arguments))
}

/// Returns the view of a widget and the action at a path in it.
fn placed<'a>(widget: &'a Widget, path: &str) -> Option<(&'a Value, PlacedAction)> {
    // Of a widget with invalid data the person sees the fallback, which has no controls.
    let view = widget.view.as_ref().filter(|_| !widget.invalid_data)?;
    let mut actions = component::find_actions(view).into_iter();
    let placed = actions.find(|placed| placed.path == path)?;
    // Other handlers are for the client.
    (placed.action.heard_by() == component::Handler::Server).then_some((view, placed))
}

impl Driver {
    /// Starts the turn of a press. A press that comes too late is recorded and calls nothing.
    pub(super) async fn open_press(
        &self,
        press: Press,
        asks_model: bool,
    ) -> Result<(), StoreError> {
        let mut batch = Batch::default();
        {
            let state = self.session.state();
            let n = state.next_turn();
            let read = read(&state, &press, &self.settings);
            let prompt = match &read {
                Ok(call) => line(call),
                Err(why) => format!("[action] {why}"),
            };
            batch.events.push(EventBody::TurnStarted {
                prompt: prompt.clone(),
                origin: Origin::Action,
                item: Some(press.item.clone()),
                rev: Some(press.rev),
                retries: None,
            });
            batch.turns.push(TurnRow {
                item: Some(press.item),
                rev: Some(press.rev),
                path: Some(press.path),
                asks_model,
                ..TurnRow::new(n, self.turn.clone(), prompt, Origin::Action, now())
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
                    batch.events.push(EventBody::put(item));
                }
            }
        }
        self.commit(batch).await
    }

    /// Adds the step of a press with its only call.
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

    /// Returns how the turn of a press ended that no model has answered.
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

    /// After a crash during the call of a press, restores the pressed widget. The turn continues
    /// with its new revision.
    pub(super) async fn restore_pressed_widget(
        &self,
        interrupted: &[CallRow],
    ) -> Result<Batch, StoreError> {
        let mut batch = Batch::default();
        let turn = self.session.state().open_turn().cloned();
        let is_press = |turn: &TurnRow| interrupted.iter().any(|row| turn.is_press_step(row.step));
        let turn = turn.filter(is_press);
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
                if let EventBody::Put { item, rev: of } = event.what
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
            batch.events.push(EventBody::put(pressed));
        }
        Ok(batch)
    }
}

/// Returns what stands in place of a prompt. It omits the payload, which is the plugin's: here it would
/// pass for words of the person.
fn line(call: &ToolCall) -> String {
    let name = FunctionName::from_wire(&call.name);
    name.map_or_else(|_| "[action]".to_owned(), |name| format!("[action:{name}]"))
}

/// The pressed widget, which the call's first widget replaces.
pub(super) struct PressedWidget {
    before: Item,
    /// The widget of the call that replaces it.
    by: Option<ItemId>,
    /// The latest revision.
    rev: u64,
    path: String,
}

impl PressedWidget {
    /// Returns the pressed widget of a turn, if it is still as the person saw it.
    pub(super) fn of(state: &SessionState, turn: &TurnRow) -> Option<Self> {
        let before = state.item(turn.item.as_ref()?)?;
        (turn.rev == Some(before.rev)).then(|| Self {
            before: before.clone(),
            by: None,
            rev: before.rev,
            path: turn.path.clone().unwrap_or_default(),
        })
    }

    /// Gives a widget of the call the identity of the pressed widget, if it is the one that
    /// replaces it.
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

    /// Returns the pressed widget's id if this widget of the call replaces it.
    pub(super) fn stands_for(&self, id: &ItemId) -> Option<&ItemId> {
        (self.by.as_ref() == Some(id)).then_some(&self.before.id)
    }

    /// Restores or updates the pressed widget when the call has ended. `seen` is its stored item.
    pub(super) fn settle(self, batch: &mut Batch, row: &CallRow, seen: Option<&Item>, is_ok: bool) {
        let mut after = self.before;
        if !is_ok {
            let is_other = |event: &EventBody| match event {
                EventBody::Put { item, .. } => item.id != after.id,
                EventBody::Remove { id } => *id != after.id,
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
        batch.events.push(EventBody::put(after));
    }
}

/// Fills the submitted values into the widget's view. Returns whether that changes anything.
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

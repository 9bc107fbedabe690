//! Decides which events of a turn or a call are shown, where and when.
//!
//! A [`Display`] receives every event. With `--json` each is one line on stdout. Otherwise the answer
//! goes to stdout: the result of a call, the results that `offline` got, or the last text of a
//! language model. Side items (widgets, outputs, results that the model reads) also go to stdout
//! if it is a terminal; if it is piped, they go to stderr or are not shown.
//!
//! On a terminal that can redraw lines, items are drawn as they come and redrawn when they change.
//! Elsewhere printed lines are final, so the items of a call are shown when it ends, or before a
//! prompt.
//!
//! Invariant: text from a plugin or a model is drawn as a view, or passes the filter.

mod answer;
mod progress_line;

use crate::conversation::transcript::Format;
use crate::plugin_source::{self, LoadedSource};
use crate::terminal::ui::{ItemKey, OutStream, Ui};
use footlight_render::detail::{Detail, ViewBuilder, without_open_reference};
use footlight_render::filter;
use footlight_render::view::{CallState, View};
use footlight_vocabulary::event::{Event, EventBody};
use footlight_vocabulary::item::{
    CallId, CallResult, Content, Item, ItemId, Position, Record, Timestamp, Tool,
};
use progress_line::ProgressLine;
use serde_json::Value;
use std::collections::HashMap;
use std::io;

/// How to see all of a call, which is stored nowhere.
const SHOW_CALL: &str = "show all: --output markdown";

/// What produces the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerSource {
    /// A single call: its result.
    Call,
    /// The model `offline`: the results. Its text only says what it does.
    Offline,
    /// A language model: its last text.
    Model,
}

/// Shows a turn or a call.
pub(crate) struct Display<'a> {
    ui: &'a Ui,
    source: AnswerSource,
    builder: ViewBuilder,
    /// The format to write the whole turn in at the end, instead of the answer.
    format: Option<Format>,
    /// How to see all of what was shortened.
    show_all: String,
    record: Record,
    /// The revision of each item on the screen.
    shown: HashMap<ItemId, u64>,
    progress: ProgressLine,
    /// Calls that ended and are not shown yet.
    finished: Vec<ItemId>,
    /// Text of `offline`, until it calls a tool. If it calls none, the text is the answer.
    offline_text: Vec<String>,
    /// The text item that is being streamed.
    flowing: Option<ItemId>,
    /// The end of its text so far that may be the beginning of a reference to an output.
    held: String,
    /// The id and path of each plugin, for the `footlight call` that `offline` prints.
    sources: Vec<LoadedSource>,
    /// Whether a withdrawn item is still on the screen.
    withdrawn: bool,
    /// The event that ended the turn.
    last: Option<Event>,
}

impl<'a> Display<'a> {
    pub(crate) fn new(ui: &'a Ui, source: AnswerSource, builder: ViewBuilder) -> Self {
        Self {
            ui,
            source,
            builder,
            format: None,
            show_all: SHOW_CALL.to_owned(),
            record: Record::default(),
            shown: HashMap::new(),
            progress: ProgressLine::default(),
            finished: Vec::new(),
            offline_text: Vec::new(),
            flowing: None,
            held: String::new(),
            sources: Vec::new(),
            withdrawn: false,
            last: None,
        }
    }

    /// Sets the path of each plugin.
    pub(crate) fn with_sources(mut self, sources: &[LoadedSource]) -> Self {
        self.sources = sources.to_vec();
        self
    }

    /// Says where to see all of what is shortened.
    pub(crate) fn with_all_in(mut self, place: &str) -> Self {
        self.show_all = format!("show all: {place}");
        self
    }

    /// Writes the whole turn in this format at the end, instead of the answer.
    pub(crate) fn with_format(mut self, format: Option<Format>) -> Self {
        self.format = format.filter(|_| !self.ui.json);
        self
    }

    /// Adds items that are on the screen already.
    pub(crate) fn mark_as_shown(&mut self, items: impl IntoIterator<Item = Item>) {
        for item in items {
            let is_open = matches!(&item.content, Content::Tool(tool) if !is_finished(tool));
            if !is_open {
                self.shown.insert(item.id.clone(), item.rev);
            }
            self.builder.learn(&item);
            self.record.put(item);
        }
    }

    /// Records which plugin made the calls of other turns.
    pub(crate) fn learn_items(&mut self, items: &[Item]) {
        items.iter().for_each(|item| self.builder.learn(item));
    }

    /// Reports whether a person reads stdout live.
    fn is_read_live(&self) -> bool {
        self.ui.stdout_is_terminal() && self.format.is_none()
    }

    /// Reports whether items are drawn as they come and redrawn when they change.
    fn is_live(&self) -> bool {
        self.ui.is_live() && self.format.is_none()
    }

    /// Returns the stream for side items.
    fn side_stream(&self) -> OutStream {
        match self.is_read_live() {
            true => OutStream::Stdout,
            false => OutStream::Stderr,
        }
    }

    /// Handles one event. The last is `turn_finished`.
    pub(crate) fn event(&mut self, event: &Event) -> io::Result<()> {
        if let EventBody::Put { item, .. } = &event.what {
            self.builder.learn(item);
        }
        self.record.apply(&event.what);
        if matches!(event.what, EventBody::TurnFinished { .. }) {
            self.last = Some(event.clone());
        }
        if self.ui.json {
            return self.ui.print(&filter::json_line(&self.line(event)));
        }
        match &event.what {
            EventBody::Progress {
                call,
                message,
                done,
                total,
            } => {
                let share = match (done, total) {
                    (Some(done), Some(total)) => format!(" ({done} of {total})"),
                    (Some(done), None) => format!(" ({done})"),
                    _ => String::new(),
                };
                let message = format!("{message}{share}");
                self.ui.progress(&message);
                self.progress
                    .set_message(&ItemId::from(call.as_str()), message);
            }
            EventBody::TextDelta { item, delta, .. } => self.text_delta(item, delta)?,
            EventBody::ReasoningDelta {
                item,
                start,
                end: Some(end),
                ..
            } => {
                self.progress.model_spoke();
                self.thought(item, *start, *end)?;
            }
            EventBody::Put { item, .. } => self.put(item)?,
            EventBody::Remove { id } if self.shown.remove(id).is_some() => {
                self.withdrawn |= !self.ui.remove_item(self.side_stream(), id)?;
            }
            EventBody::TurnFinished { .. } => self.catch_up()?,
            _ => {}
        }
        Ok(())
    }

    /// Returns an event as JSON. The last one always carries the items.
    fn line(&self, event: &Event) -> Value {
        let mut event = event.clone();
        if let EventBody::TurnFinished { output, .. } = &mut event.what {
            output.get_or_insert_with(|| self.record.items().to_vec());
        }
        serde_json::to_value(&event).unwrap_or_default()
    }

    fn put(&mut self, item: &Item) -> io::Result<()> {
        match &item.content {
            Content::Tool(tool) if is_finished(tool) => {
                self.progress.end(&item.id);
                let is_shown =
                    self.shown.contains_key(&item.id) || self.finished.contains(&item.id);
                if !is_shown {
                    self.finished.push(item.id.clone());
                }
                if self.is_live() {
                    self.catch_up()?;
                }
            }
            Content::Tool(tool) => self.progress.start(&item.id, tool),
            Content::Text(text) if self.source != AnswerSource::Call => {
                self.catch_up()?;
                self.text(&item.id, &text.text)?;
                self.shown.insert(item.id.clone(), item.rev);
            }
            // Usually shown when the reasoning ended, above the text that has been streamed since.
            Content::Reasoning(_) => {
                self.thought(&item.id, item.start, item.end.unwrap_or(item.start))?
            }
            _ if self.is_live() => {
                self.show_offline_text();
                self.show_side_items(|known| known.id == item.id)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Shows that a language model reasoned, in a line. `sessions show` has the reasoning.
    fn thought(&mut self, id: &ItemId, start: Timestamp, end: Timestamp) -> io::Result<()> {
        let is_late = self.flowing.is_some() || self.shown.contains_key(id);
        if self.source != AnswerSource::Model || is_late {
            return Ok(());
        }
        self.catch_up()?;
        self.shown.insert(id.clone(), u64::MAX);
        let millis = u64::try_from(end.millis() - start.millis()).unwrap_or(0);
        let lower = self.builder.lower(Detail::Default);
        let view = View::Thought(lower.thought("", Some(millis)));
        self.ui.show(self.side_stream(), &view)
    }

    /// Streams text of a language model to a person who reads live.
    fn text_delta(&mut self, id: &ItemId, delta: &str) -> io::Result<()> {
        if self.source != AnswerSource::Model {
            return Ok(());
        }
        self.progress.model_spoke();
        if !self.is_read_live() {
            return Ok(());
        }
        self.catch_up()?;
        if self.flowing.as_ref() != Some(id) {
            self.flowing = Some(id.clone());
            self.held.clear();
        }
        let text = std::mem::take(&mut self.held) + delta;
        let shown = without_open_reference(&text);
        self.held = text[shown.len()..].to_owned();
        self.stream(shown)
    }

    /// Writes text of a language model, with the titles of outputs.
    fn stream(&self, text: &str) -> io::Result<()> {
        self.ui
            .stream_text(&filter::clean(&self.builder.name_outputs(text)))
    }

    /// Shows a complete text.
    fn text(&mut self, id: &ItemId, text: &str) -> io::Result<()> {
        if self.source == AnswerSource::Offline {
            let mut said = filter::clean(text).into_owned();
            for LoadedSource { id, typed, .. } in &self.sources {
                let typed = plugin_source::shell_quoted(&typed.to_string_lossy());
                let typed = format!("footlight call {typed} ");
                said = said.replace(&format!("footlight call {id} "), &typed);
            }
            self.offline_text.push(said);
            return Ok(());
        }
        if !self.is_read_live() {
            return Ok(());
        }
        let text = self.builder.name_outputs(text);
        let view = View::column(self.builder.lower(Detail::Default).markdown(&text));
        if self.flowing.as_ref() == Some(id) {
            let held = std::mem::take(&mut self.held);
            if text.ends_with(&*held) {
                self.stream(&held)?;
            }
            self.flowing = None;
            self.ui.finish_stream(&view)
        } else {
            self.ui.show(OutStream::Stdout, &view)
        }
    }

    /// Ends the text that is being streamed, because a part of it was missed. It is shown whole once it
    /// is complete.
    pub(crate) fn stop_streaming(&mut self) {
        self.flowing = None;
        self.ui.end_partial_line();
    }

    /// Marks the text of an item as void, because the model is asked again.
    pub(crate) fn withdraw_text(&mut self, id: &ItemId, why: &str) {
        let seen = self.flowing.take().as_ref() == Some(id);
        if !self.ui.json {
            let void = if seen { "; its text above is void" } else { "" };
            let note = format!("retrying the model: {}{void}", filter::line(why, 200));
            self.ui.dim_note(&note);
        }
    }

    /// Shows calls that ended, and redraws the progress line.
    pub(crate) fn tick(&mut self, waiting_for: &str) -> io::Result<()> {
        if self.ui.json {
            return Ok(());
        }
        self.catch_up()?;
        self.progress.advance();
        self.show_progress(waiting_for);
        Ok(())
    }

    /// Draws the progress line, which any other output erases.
    pub(crate) fn show_progress(&self, waiting_for: &str) {
        if self.ui.json || self.last.is_some() {
            return;
        }
        if let Some(line) = self.progress.line(waiting_for) {
            self.ui.progress(&line);
        }
    }

    /// Shows the text of `offline` once it has called a tool; before that, it may be the answer.
    fn show_offline_text(&mut self) {
        let has_called = |item: &Item| matches!(item.content, Content::Tool(_));
        if self.record.items().iter().any(has_called) {
            for said in std::mem::take(&mut self.offline_text) {
                self.ui.dim_note(said.trim_end());
            }
        }
    }

    /// Shows the calls that ended.
    fn catch_up(&mut self) -> io::Result<()> {
        self.show_offline_text();
        for id in std::mem::take(&mut self.finished) {
            let Some(item) = self.record.item(&id).cloned() else {
                continue;
            };
            let Content::Tool(tool) = &item.content else {
                continue;
            };
            self.shown.insert(id.clone(), item.rev);
            let is_own = |call: &CallId| call.as_str() == id.as_str();
            let own = |item: &Item| item.content.call().is_some_and(is_own);
            match self.source {
                // The result is the answer, which comes last.
                AnswerSource::Call => {}
                AnswerSource::Offline => {
                    self.show_side_items(own)?;
                    self.result(&item, tool)?;
                }
                // Questions of the model have been prompted for.
                AnswerSource::Model if tool.function.starts_with("footlight.") => {
                    self.show_side_items(own)?
                }
                AnswerSource::Model => {
                    let view = self.builder.item(&item, self.detail());
                    let view = match view {
                        View::Call(mut call)
                            if call.state == CallState::Done && !self.is_read_live() =>
                        {
                            call.body = Box::new(View::Hidden);
                            View::Call(call)
                        }
                        view => view,
                    };
                    self.draw(self.side_stream(), &item, item.position, view)?;
                    self.show_side_items(own)?;
                }
            }
        }
        Ok(())
    }

    fn detail(&self) -> Detail {
        match self.ui.height() {
            Some(height) if self.is_read_live() => Detail::Screen(height),
            _ => Detail::Default,
        }
    }

    fn draw(&self, to: OutStream, item: &Item, position: Position, view: View) -> io::Result<()> {
        let id = item.id.clone();
        let key = ItemKey { id, position };
        self.ui.draw_shortened(to, &key, view, &self.show_all)
    }

    /// Shows everything so far, before a prompt.
    pub(crate) fn before_prompt(&mut self) -> io::Result<()> {
        self.ui.end_partial_line();
        if self.ui.json {
            return Ok(());
        }
        self.catch_up()?;
        self.show_side_items(|_| true)
    }

    /// Shows new side items that pass the filter.
    fn show_side_items(&mut self, is_wanted: impl Fn(&Item) -> bool) -> io::Result<()> {
        for item in self.record.items().iter().filter(|item| is_wanted(item)) {
            let is_beside = !matches!(
                item.content,
                Content::Tool(_) | Content::Text(_) | Content::Reasoning(_) | Content::Ask(_)
            );
            if !is_beside || self.shown.get(&item.id).is_some_and(|rev| *rev >= item.rev) {
                continue;
            }
            let to = match &item.content {
                Content::Notice(_) => OutStream::Stderr,
                _ => self.side_stream(),
            };
            let view = self.builder.item(item, self.detail());
            self.draw(to, item, item.position, view)?;
            self.shown.insert(item.id.clone(), item.rev);
        }
        Ok(())
    }
}

fn is_finished(tool: &Tool) -> bool {
    !matches!(tool.result, CallResult::Pending { .. })
}

#[cfg(test)]
mod tests;

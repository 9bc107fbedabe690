//! A call on the terminal: its events as they come, and its result when it is over.
//!
//! A [`Show`] is given every event. With `--json` each is one line on stdout. Otherwise the result
//! goes to stdout as plain text; what stands beside it (widgets' fallbacks, outputs) goes there too
//! if a person reads along, and to stderr if stdout is piped, which carries the result alone.
//!
//! Nothing can be unprinted, so items are shown when the call settles; only before a person is
//! asked something, they are shown what there is so far.
//!
//! Invariant: text from a plugin passes [`crate::filter`].

use crate::exit::Exit;
use crate::filter;
use crate::source::size;
use crate::ui::{Ink, Ui};
use footlight_vocabulary::event::{Event, Happening, Status};
use footlight_vocabulary::item::{CallResult, Content, Item, ItemId, Level, Record, Tool};
use footlight_vocabulary::normalise::normalise;
use footlight_vocabulary::plain::plain;
use serde_json::Value;
use std::collections::HashMap;
use std::io;

/// What has been shown of a call.
pub(crate) struct Show<'a> {
    ui: &'a Ui,
    record: Record,
    /// Which revision of an item is on the screen.
    shown: HashMap<ItemId, u64>,
    status: Option<Status>,
}

impl<'a> Show<'a> {
    pub(crate) fn new(ui: &'a Ui) -> Self {
        Self {
            ui,
            record: Record::default(),
            shown: HashMap::new(),
            status: None,
        }
    }

    /// Takes in one event. The last is `turn_finished`.
    pub(crate) fn event(&mut self, event: &Event) -> io::Result<()> {
        if let Some(change) = event.what.change() {
            self.record.apply(&change);
        }
        match &event.what {
            Happening::TurnFinished { status, .. } => self.status = Some(status.clone()),
            Happening::Progress {
                message,
                done,
                total,
                ..
            } if !self.ui.json => {
                let share = match (done, total) {
                    (Some(done), Some(total)) => format!(" ({done} of {total})"),
                    (Some(done), None) => format!(" ({done})"),
                    _ => String::new(),
                };
                self.ui.progress(&format!("{message}{share}"));
            }
            _ => {}
        }
        if self.ui.json {
            self.ui.print(&filter::json_line(&self.line(event)))?;
        }
        Ok(())
    }

    /// An event as a line of JSON. The last one carries the items, whoever made it.
    fn line(&self, event: &Event) -> Value {
        let mut event = event.clone();
        if let Happening::TurnFinished { output, .. } = &mut event.what {
            output.get_or_insert_with(|| self.record.items().to_vec());
        }
        serde_json::to_value(&event).unwrap_or_default()
    }

    /// Shows what the person should see before they are asked something.
    pub(crate) fn before_prompt(&mut self) -> io::Result<()> {
        self.ui.settle();
        if self.ui.json {
            return Ok(());
        }
        self.beside()
    }

    /// Shows the rest and says how it ended. `nobody`: somebody was wanted and nobody was there.
    pub(crate) fn finish(mut self, nobody: bool) -> io::Result<Exit> {
        self.ui.settle();
        if !self.ui.json {
            self.beside()?;
            let gone = |id: &&ItemId| self.record.item(id).is_none();
            if self.shown.keys().any(|id| gone(&id)) {
                self.ui.note("(what the call had shown above is withdrawn)");
            }
            for item in self.record.items() {
                match &item.content {
                    Content::Tool(tool) => self.result(tool)?,
                    Content::Text(text) => self.ui.print(&filter::clean(&text.text))?,
                    _ => {}
                }
            }
        }
        let status = self.status.clone().unwrap_or(Status::Error);
        let mut tools = self
            .record
            .items()
            .iter()
            .filter_map(|item| match &item.content {
                Content::Tool(tool) => Some(&tool.result),
                _ => None,
            });
        Ok(Exit::of_call(&status, tools.next_back(), nobody))
    }

    /// Whatever is new beside the result.
    fn beside(&mut self) -> io::Result<()> {
        for item in self.record.items() {
            if self.shown.get(&item.id).is_some_and(|rev| *rev >= item.rev) {
                continue;
            }
            if show_beside(self.ui, item)? {
                self.shown.insert(item.id.clone(), item.rev);
            }
        }
        Ok(())
    }

    fn result(&self, tool: &Tool) -> io::Result<()> {
        match &tool.result {
            CallResult::Success { output } => match normalise(output.clone()) {
                Ok(result) => match plain(&result) {
                    text if text.is_empty() => Ok(()),
                    text => self.ui.print(&filter::clean(&text)),
                },
                Err(failed) => {
                    self.failure(tool, &failed.to_string(), None);
                    Ok(())
                }
            },
            CallResult::Error { error, code, .. } => {
                self.failure(tool, error, code.as_deref());
                Ok(())
            }
            CallResult::Pending { reason } => {
                self.ui.note(&format!(
                    "{} is not over: {}",
                    filter::line(&tool.function, 80),
                    filter::line(reason.as_str(), 40)
                ));
                Ok(())
            }
        }
    }

    fn failure(&self, tool: &Tool, error: &str, code: Option<&str>) {
        let head = self
            .ui
            .err(Ink::Red, &format!("{}:", filter::line(&tool.function, 80)));
        let code = code.map_or_else(String::new, |code| format!(" ({})", filter::line(code, 40)));
        let code = self.ui.err(Ink::Dim, &code);
        self.ui
            .note(&format!("{head} {}{code}", filter::clean(error).trim_end()));
    }
}

/// Shows an item that is not the result, and says whether it was one.
fn show_beside(ui: &Ui, item: &Item) -> io::Result<bool> {
    let text = match &item.content {
        Content::Widget(widget) => filter::clean(&widget.fallback),
        Content::Output(output) => format!(
            "{} {} ({}, {}) {}",
            ui.out(Ink::Dim, "output:"),
            filter::line(&output.title, 120),
            filter::line(&output.mime_type, 60),
            size(output.size),
            item.id.as_str(),
        ),
        Content::Notice(notice) => {
            let (ink, head) = match notice.level {
                Level::Danger => (Ink::Red, "problem:"),
                Level::Warning => (Ink::Yellow, "warning:"),
                Level::Success => (Ink::Green, "done:"),
                _ => (Ink::Dim, "note:"),
            };
            ui.note(&format!(
                "{} {}",
                ui.err(ink, head),
                filter::clean(&notice.text).trim_end()
            ));
            return Ok(true);
        }
        _ => return Ok(false),
    };
    if ui.stdout_is_terminal() {
        ui.print(&text)?;
    } else {
        ui.note(text.trim_end());
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(what: Value) -> Event {
        let mut event = json!({ "session": "s", "turn": "t", "at": "2026-11-16T01:52:35.123Z" });
        for (key, value) in what.as_object().expect("an object") {
            event[key] = value.clone();
        }
        serde_json::from_value(event).expect("an event")
    }

    fn put(n: u32, rev: u64, content: Value) -> Event {
        let mut item = json!({ "id": format!("i{n}"), "rev": rev, "start": "2026-11-16T01:52:35.000Z",
            "position": { "turn": 1, "step": 1, "call": 1, "n": n } });
        for (key, value) in content.as_object().expect("an object") {
            item[key] = value.clone();
        }
        event(json!({ "type": "put", "item": item, "rev": rev }))
    }

    fn tool(rev: u64, result: Value) -> Event {
        put(
            0,
            rev,
            json!({ "type": "tool", "function": "demo.greet", "input": {}, "result": result }),
        )
    }

    fn finished(status: &str) -> Event {
        event(json!({ "type": "turn_finished", "status": status }))
    }

    #[test]
    fn end_of_a_call_is_its_exit() {
        for (result, status, nobody, expected) in [
            (
                json!({ "type": "success", "output": { "kind": "text", "data": { "content": "" } } }),
                "done",
                false,
                Exit::Done,
            ),
            (
                json!({ "type": "error", "error": "no", "code": "denied" }),
                "error",
                false,
                Exit::Denied,
            ),
            (
                json!({ "type": "error", "error": "no", "code": "unavailable" }),
                "error",
                true,
                Exit::NeedsPerson,
            ),
            (
                json!({ "type": "error", "error": "long", "code": "other" }),
                "limit",
                false,
                Exit::Limit,
            ),
        ] {
            let ui = Ui::silent();
            let mut show = Show::new(&ui);
            show.event(&tool(0, json!({ "type": "pending", "reason": "running" })))
                .expect("shows");
            show.event(&tool(1, result)).expect("shows");
            show.event(&finished(status)).expect("shows");
            assert_eq!(show.finish(nobody).expect("shows"), expected);
        }
    }

    #[test]
    fn stream_that_breaks_off_is_an_error() {
        let ui = Ui::silent();
        assert_eq!(Show::new(&ui).finish(false).expect("shows"), Exit::Error);
    }

    fn greeting() -> Value {
        json!({ "type": "success", "output": { "kind": "text", "data": { "content": "Hello\u{1b}[2J, Ada!" } } })
    }

    fn widget(rev: u64, fallback: &str) -> Event {
        put(
            1,
            rev,
            json!({ "type": "widget", "call": "c", "widget": "w", "data": 1, "fallback": fallback }),
        )
    }

    #[test]
    fn piped_stdout_carries_the_result_alone() {
        let (ui, out, err) = Ui::scripted(false);
        let mut show = Show::new(&ui);
        let notice = json!({ "type": "notice", "level": "warning", "text": "large" });
        for event in [
            tool(0, json!({ "type": "pending", "reason": "running" })),
            widget(0, "a card"),
            put(2, 0, notice),
            tool(1, greeting()),
            finished("done"),
        ] {
            show.event(&event).expect("shows");
        }
        assert_eq!(show.finish(false).expect("shows"), Exit::Done);
        assert_eq!(out.text(), "Hello, Ada!\n");
        assert_eq!(err.text(), "a card\nwarning: large\n");
    }

    #[test]
    fn failure_and_what_it_withdraws_are_said_beside_the_result() {
        let (ui, out, err) = Ui::scripted(false);
        let mut show = Show::new(&ui);
        show.event(&widget(0, "a card")).expect("shows");
        show.before_prompt().expect("shows");
        show.event(&event(json!({ "type": "remove", "id": "i1" })))
            .expect("shows");
        show.event(&tool(
            1,
            json!({ "type": "error", "error": "too\u{7} late", "code": "other" }),
        ))
        .expect("shows");
        show.event(&finished("error")).expect("shows");
        assert_eq!(show.finish(false).expect("shows"), Exit::Plugin);
        assert_eq!(out.text(), "");
        assert_eq!(
            err.text(),
            "a card\n(what the call had shown above is withdrawn)\ndemo.greet: too late (other)\n"
        );
    }

    #[test]
    fn json_is_a_line_for_each_event_and_the_last_carries_the_items() {
        let (mut ui, out, err) = Ui::scripted(false);
        ui.json = true;
        let mut show = Show::new(&ui);
        for event in [
            widget(0, "a\u{9b}card\u{202e}"),
            tool(1, greeting()),
            finished("done"),
        ] {
            show.event(&event).expect("shows");
        }
        show.before_prompt().expect("shows");
        assert_eq!(show.finish(false).expect("shows"), Exit::Done);
        let text = out.text();
        assert!(!text.contains(['\u{9b}', '\u{202e}']), "{text}");
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("is JSON"))
            .collect();
        assert_eq!(lines.len(), 3);
        let last = &lines[2];
        assert_eq!(
            (&last["type"], &last["session"], &last["status"]),
            (&json!("turn_finished"), &json!("s"), &json!("done"))
        );
        assert_eq!(last["output"][1]["fallback"], "a\u{9b}card\u{202e}");
        assert_eq!(err.text(), "");
    }

    #[test]
    fn widget_is_shown_once_for_each_revision() {
        let (ui, _, err) = Ui::scripted(false);
        let mut show = Show::new(&ui);
        show.event(&widget(0, "one")).expect("shows");
        show.before_prompt().expect("shows");
        show.before_prompt().expect("shows");
        show.event(&widget(3, "two")).expect("shows");
        show.event(&finished("done")).expect("shows");
        show.finish(false).expect("shows");
        assert_eq!(err.text(), "one\ntwo\n");
    }
}

//! Reads event lines, as `call`, `run` and `chat` write them with `--json`.

use super::Drawable;
use crate::suggest::counted;
use anyhow::{Context, Result, bail};
use footlight_render::transcript::TurnTranscript;
use footlight_vocabulary::event::{Event, EventBody, Origin, Status};
use footlight_vocabulary::item::{Item, Record, TurnId};
use serde_json::Value;

/// A turn while its events are read.
struct Turn {
    id: TurnId,
    prompt: Option<String>,
    is_press: bool,
    record: Record,
    /// The items that the last event lists.
    output: Option<Vec<Item>>,
    status: Option<Status>,
}

/// Reads the turns of several lines. The last event of a turn lists its items; where it is missing, they
/// are those of the events so far.
pub(super) fn read(lines: Vec<Value>) -> Result<(String, Drawable)> {
    let count = counted(lines.len(), "event");
    let mut turns: Vec<Turn> = Vec::new();
    let mut error = None;
    for (at, line) in lines.into_iter().enumerate() {
        if line["type"] == "error" {
            // The last line of a command that failed.
            error = line["error"].as_str().map(str::to_owned);
            continue;
        }
        if !line["type"].is_string() || !line["turn"].is_string() {
            bail!(
                "value {} of several is no event: a file has one value, or the lines of `--json`",
                at + 1
            );
        }
        let event = serde_json::from_value(line);
        let event: Event = event.with_context(|| format!("the event on line {}", at + 1))?;
        turn_of(&mut turns, &event.turn).apply(event.what);
    }
    let of = counted(turns.len(), "turn");
    let ended = match error {
        Some(error) => format!(", which ended with the error: {error}"),
        None => String::new(),
    };
    let turns = turns.into_iter().map(Turn::into_transcript).collect();
    Ok((format!("{count} of {of}{ended}"), Drawable::Turns(turns)))
}

/// Returns the turn of an event, which is a new one after those before.
fn turn_of<'t>(turns: &'t mut Vec<Turn>, id: &TurnId) -> &'t mut Turn {
    let known = turns.iter().position(|turn| turn.id == *id);
    let at = known.unwrap_or_else(|| {
        turns.push(Turn {
            id: id.clone(),
            prompt: None,
            is_press: false,
            record: Record::default(),
            output: None,
            status: None,
        });
        turns.len() - 1
    });
    &mut turns[at]
}

impl Turn {
    fn apply(&mut self, event: EventBody) {
        self.record.apply(&event);
        match event {
            EventBody::TurnStarted { prompt, origin, .. } => {
                self.prompt = Some(prompt);
                self.is_press = origin == Origin::Action;
            }
            EventBody::TurnFinished { status, output, .. } => {
                self.status = Some(status);
                self.output = output;
            }
            _ => {}
        }
    }

    fn into_transcript(self) -> TurnTranscript {
        TurnTranscript {
            prompt: self.prompt,
            is_press: self.is_press,
            items: self.output.unwrap_or_else(|| self.record.into_items()),
            results_last: false,
            status: self.status,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(turn: &str, mut what: Value) -> Value {
        for (name, value) in [
            ("session", "s"),
            ("turn", turn),
            ("at", "2026-11-16T01:52:35.000Z"),
        ] {
            what[name] = value.into();
        }
        what
    }

    fn put(turn: &str, rev: u64, text: &str) -> Value {
        let item = json!({ "type": "text", "id": "i", "rev": rev, "text": text,
            "start": "2026-11-16T01:52:35.000Z",
            "position": { "turn": 1, "step": 1, "call": 0, "n": 0 } });
        event(turn, json!({ "type": "put", "rev": rev, "item": item }))
    }

    #[test]
    fn events_become_the_turns_that_they_are_of() {
        let finished = event(
            "b",
            json!({ "type": "turn_finished", "status": "done", "output": [] }),
        );
        let started = event(
            "a",
            json!({ "type": "turn_started", "prompt": "Hi", "origin": "person" }),
        );
        let lines = vec![started, put("a", 0, "one"), put("a", 1, "two"), finished];
        let (what, drawable) = read(lines).expect("reads");
        assert_eq!(what, "4 events of 2 turns");
        let Drawable::Turns(turns) = drawable else {
            panic!("turns");
        };
        assert_eq!(turns[0].prompt.as_deref(), Some("Hi"));
        // Of an interrupted command, what there was.
        assert_eq!((turns[0].items.len(), turns[0].status.clone()), (1, None));
        assert_eq!(
            (turns[1].items.len(), turns[1].status.clone()),
            (0, Some(Status::Done))
        );
    }

    #[test]
    fn an_error_at_the_end_is_said_and_other_lines_are_refused() {
        let error = json!({ "type": "error", "error": "no plugin", "exit": 2 });
        let (what, _) = read(vec![put("a", 0, "one"), error]).expect("reads");
        assert!(what.ends_with("with the error: no plugin"), "{what}");
        for other in [
            json!({ "kind": "text" }),
            json!(1),
            json!({ "type": "put" }),
        ] {
            let refused = read(vec![put("a", 0, "one"), other]).expect_err("is no event");
            assert!(refused.to_string().starts_with("value 2 "), "{refused}");
        }
    }
}

//! Finds the next step from the conversation so far.

use super::format::{ScriptCondition, ScriptStep};
use crate::model::{Message, ModelPart, Part};

/// Returns the index of the step for a request with these messages.
///
/// Replays the conversation: each answer of the model took one step, and a prompt or result without
/// an answer took one if that step is an error. Each text of the person is a prompt of its own: a
/// session sends those without an answer between them as one message. A step with `when` takes no
/// place in the order, and neither does a press, which no model was asked about.
pub(super) fn find(steps: &[ScriptStep], messages: &[Message]) -> Option<usize> {
    let mut state = State::default();
    let mut taken = 0;
    let mut awaits_answer = false;
    for message in messages {
        let mut take = |state: &State<'_>, is_answer: bool| {
            let (place, in_order) = state.next(steps, taken);
            let failed = place.is_some_and(|place| steps[place].error.is_some());
            taken += usize::from(in_order && (is_answer || failed));
        };
        match message {
            Message::Person { content } => {
                let is_text = |part: &&Part| matches!(part, Part::Text { .. });
                for part in content.iter().filter(is_text) {
                    if awaits_answer {
                        take(&state, false);
                    }
                    awaits_answer = true;
                    state.turn += 1;
                    state.person = Some(part);
                    state.newest = Some(message);
                }
            }
            Message::Model { parts } => {
                let is_press = parts.iter().any(is_press);
                if !is_press {
                    take(&state, true);
                }
                awaits_answer = false;
                state.after_press = is_press;
                state.newest = Some(message);
            }
            Message::Results { .. } => {
                awaits_answer = !state.after_press;
                state.newest = Some(message);
            }
        }
    }
    state.next(steps, taken).0
}

fn is_press(part: &ModelPart) -> bool {
    matches!(part, ModelPart::Call(call) if call.pressed)
}

/// The facts that a condition is matched against.
#[derive(Default)]
struct State<'a> {
    turn: usize,
    /// The newest prompt.
    person: Option<&'a Part>,
    newest: Option<&'a Message>,
    /// Whether the newest call was made by a press.
    after_press: bool,
}

impl State<'_> {
    /// Returns the next step, and whether it is one without `when`.
    fn next(&self, steps: &[ScriptStep], taken: usize) -> (Option<usize>, bool) {
        let matching = steps
            .iter()
            .position(|step| step.when.as_ref().is_some_and(|when| self.meets(when)));
        if matching.is_some() {
            return (matching, false);
        }
        let mut ordered = (0..steps.len()).filter(|at| steps[*at].when.is_none());
        (ordered.nth(taken), true)
    }

    fn meets(&self, when: &ScriptCondition) -> bool {
        let is_newest = matches!(self.newest, Some(Message::Person { .. }));
        let person = when.user_contains.as_ref().is_none_or(|wanted| {
            let may_be = is_newest || when.tool_result_contains.is_some();
            may_be && self.person.is_some_and(|said| contains(said, wanted))
        });
        let result = when.tool_result_contains.as_ref().is_none_or(|wanted| {
            let Some(Message::Results { results }) = self.newest else {
                return false;
            };
            let mut parts = results.iter().flat_map(|one| &one.content);
            parts.any(|part| contains(part, wanted))
        });
        person && result && when.turn.is_none_or(|turn| turn == self.turn)
    }
}

fn contains(part: &Part, wanted: &str) -> bool {
    matches!(part, Part::Text { text } if text.contains(wanted))
}

//! Finds the next step from the conversation so far.

use super::format::{ScriptCondition, ScriptStep};
use crate::model::{Message, Part};

/// Returns the index of the step for a request with these messages.
///
/// Replays the conversation: each message of the model took one step, and a prompt without an
/// answer took one if that step is an error. A step with `when` takes no place in the order.
pub(super) fn find(steps: &[ScriptStep], messages: &[Message]) -> Option<usize> {
    let mut state = State::default();
    let mut taken = 0;
    for (at, message) in messages.iter().enumerate() {
        let unanswered = at > 0
            && matches!(message, Message::Person { .. })
            && !matches!(messages[at - 1], Message::Model { .. });
        let answered = matches!(message, Message::Model { .. });
        if answered || unanswered {
            let (place, in_order) = state.next(steps, taken);
            let failed = place.is_some_and(|place| steps[place].error.is_some());
            if in_order && (answered || failed) {
                taken += 1;
            }
        }
        state.see(message);
    }
    state.next(steps, taken).0
}

/// The facts that a condition is matched against.
#[derive(Default)]
struct State<'a> {
    turn: usize,
    person: Option<&'a [Part]>,
    newest: Option<&'a Message>,
}

impl<'a> State<'a> {
    fn see(&mut self, message: &'a Message) {
        if let Message::Person { content } = message {
            self.turn += 1;
            self.person = Some(content);
        }
        self.newest = Some(message);
    }

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
            results.iter().any(|one| contains(&one.content, wanted))
        });
        person && result && when.turn.is_none_or(|turn| turn == self.turn)
    }
}

fn contains(content: &[Part], wanted: &str) -> bool {
    content
        .iter()
        .any(|part| matches!(part, Part::Text { text } if text.contains(wanted)))
}
